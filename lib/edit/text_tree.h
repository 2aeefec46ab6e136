// TextTree: a parsed JSON or YAML text, with the offset of everything in `text`, and the edits made to it. Nodes that
// were read know their bytes; nodes that an edit made (in_text is false) know only their meaning. WriteText
// (text_writer.h) copies the bytes of the former and writes the latter anew.
//
// The tree keeps the form of the text: an alias is a node that points to another, `<<` is a member like any other.
// ValueOf tells the meaning: it follows aliases and resolves merge keys (an explicit member wins over a merged one;
// among merged ones the last `<<` wins, and within its list the first map); the last duplicate wins.
#ifndef SMP_EDIT_TEXT_TREE_H_
#define SMP_EDIT_TEXT_TREE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "edit/inner_document.h"
#include "value/document.h"

namespace smp {

inline constexpr uint32_t kNowhere = UINT32_MAX;
// Counts aliases and copies as if they were written out, to stop a "billion laughs".
inline constexpr size_t kMaxTextNodes = 2'000'000;

struct TextEntry;
struct TextItems;

struct TextNode {
  enum class Kind : uint8_t { kScalar, kAlias, kSequence, kMapping };
  enum class Style : uint8_t { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral, kFolded, kBlock, kFlow };

  Kind kind = Kind::kScalar;
  Style style = Style::kPlain;
  bool in_text = false;
  bool changed = false;   // something in it differs from the text
  bool anchored = false;  // has an `&x`
  bool is_pair = false;   // the mapping in `[a: b]`, which has no brackets
  bool merges = false;    // a mapping with `<<`
  uint32_t begin = 0;     // including its anchor and tag
  uint32_t behind_properties = 0;
  uint32_t content = 0;            // after anchor and tag; for a block collection: the start of its first entry
  uint32_t end = 0;                // after its last byte, before line ends and comments
  Value value = {};                // of a scalar
  std::string_view spelling = {};  // of a scalar: without quotes and escapes
  std::string_view written = {};   // of a copied scalar that was on one line: as it was written
  TextNode* target = nullptr;      // of an alias
  TextEntry* entry = nullptr;      // the entry it is the key or value of; nullptr: the root, or not in the tree yet
  std::unique_ptr<TextItems> items = {};  // of a sequence or mapping

  bool is_collection() const { return kind == Kind::kSequence || kind == Kind::kMapping; }
};

// An item of a sequence or a member of a mapping.
struct TextEntry {
  TextNode* parent = nullptr;
  TextNode* key = nullptr;  // nullptr: an item
  TextNode* value = nullptr;
  const TextNode* read_key = nullptr;  // as in the text, if in_text
  const TextNode* read_value = nullptr;
  std::string_view name = {};      // of a member: what the key means; `y` is "true"
  std::string_view spelling = {};  // of a member: the key as it is spelled
  bool in_text = false;
  bool removed = false;
  bool is_merge = false;      // `<<`
  uint32_t begin = 0;         // of the dash, the `?`, or else of the key or item
  uint32_t slot = 0;          // after the dash or colon, where the value may begin
  uint32_t end = 0;           // after the value
  uint32_t comma = kNowhere;  // the comma after it, in flow style and JSON
};

// Entries in order, in blocks, so that neither an insertion nor a lookup by index touches all of a long list. Removed
// entries that are in the text stay in the list, because the writer must skip their bytes.
class EntryList {
 public:
  size_t size() const { return size_; }  // without removed ones

  void Append(TextEntry* entry);
  // REQUIRES: index < size(); removed ones do not count.
  TextEntry* At(size_t index) const;
  // REQUIRES: index <= size().
  void Insert(size_t index, TextEntry* entry);
  // Items are removed by index, members by pointer. RemoveMember does not update the counts that At uses, because
  // members are not looked up by index.
  TextEntry* RemoveAt(size_t index);
  void RemoveMember(TextEntry* entry);

  // Visits all entries, including removed ones.
  template <class F>
  void ForEach(F visit) const {
    for (const Block& block : blocks_) {
      for (TextEntry* entry : block.entries) visit(entry);
    }
  }

 private:
  static constexpr size_t kBlock = 512;
  struct Block {
    std::vector<TextEntry*> entries;
    size_t live = 0;
  };
  struct Position {
    size_t block, offset;
  };

  Position PositionOf(size_t index) const;
  void Split(size_t block);

  std::vector<Block> blocks_;
  size_t size_ = 0;
};

// Members by name, for large mappings.
struct NameIndex {
  std::unordered_map<std::string_view, TextEntry*> by_spelling;
  std::unordered_map<std::string_view, TextEntry*> by_name;
  bool has_duplicates = false;
};

struct TextItems {
  EntryList list;
  std::unique_ptr<NameIndex> index;  // built by the first lookup
};

struct TextTree {
  std::string text;
  DataFormat format = DataFormat::kYaml;
  TextNode* root = nullptr;
  const TextNode* read_root = nullptr;
  uint32_t begin = 0;  // of the first document: after a byte order mark, directives and `---`
  uint32_t end = 0;    // where `...` or the next `---` begins; the rest is not parsed
  std::string_view line_end = "\n";
  std::vector<TextNode*> anchored;                                    // in text order
  std::unordered_map<const TextNode*, std::vector<TextNode*>> users;  // the aliases of an anchored node
  size_t expanded_nodes = 0;
  size_t expanded_bytes = 0;

  // Owns what the above points to.
  Arena arena;
  std::deque<TextNode> nodes;
  std::deque<TextEntry> entries;
};

TextNode* NewNode(TextTree& tree, TextNode::Kind kind);
// The entry is not yet in the parent's list.
TextEntry* NewEntry(TextTree& tree, TextNode* parent);

// Returns the target of an alias, any other node itself.
const TextNode* Followed(const TextNode* node);
TextNode* Followed(TextNode* node);

// Returns the mapping's own member, nullptr if there is none; the last of duplicates. Looks for the spelling first,
// then for what the key means.
TextEntry* FindMember(const TextNode* mapping, std::string_view key);
// Returns the member that `<<` brings in, nullptr if there is none. Ignores explicit members. Prefers a member with
// that name to one that is only spelled so.
const TextEntry* FindMerged(const TextNode* mapping, std::string_view key);
// Searches both.
const TextEntry* FindEffective(const TextNode* mapping, std::string_view key);

// Returns the members as data, without duplicates: merged ones at the place of `<<`, so they may belong to another
// mapping.
std::vector<const TextEntry*> EffectiveMembers(const TextNode* mapping);

// Returns the meaning. Strings point into the tree.
Value ValueOf(const TextNode* node, Arena& arena);

// Returns the line (from 1) of an offset in the text.
int LineAt(std::string_view text, size_t at);

}  // namespace smp

#endif  // SMP_EDIT_TEXT_TREE_H_
