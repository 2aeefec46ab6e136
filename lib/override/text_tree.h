// TextTree: what a JSON or YAML text says, with the place of everything in the text, and what edits made of it. Nodes
// that were read know their bytes, nodes that an edit made (in_text is false) know their meaning only; WriteText
// (text_writer.h) copies the bytes of the first and writes the second anew. Places are offsets into `text`.
//
// The tree keeps the form of the text: an alias is a node that points to another, `<<` is a member like any. What it
// means says ValueOf: aliases followed, merge keys resolved (an explicit member wins over a merged one, of several
// merged ones that of the last `<<`, and in its list that of the first map), of duplicates the last.
#ifndef SMP_OVERRIDE_TEXT_TREE_H_
#define SMP_OVERRIDE_TEXT_TREE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "override/inner_document.h"
#include "value/document.h"

namespace smp {

inline constexpr uint32_t kNowhere = UINT32_MAX;
// Aliases and copies are counted as if they were written out; a "billion laughs" ends here.
inline constexpr size_t kMaxTextNodes = 2'000'000;

struct TextEntry;
struct TextItems;

struct TextNode {
  enum class Kind : uint8_t { kScalar, kAlias, kSequence, kMapping };
  enum class Style : uint8_t { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral, kFolded, kBlock, kFlow };

  Kind kind = Kind::kScalar;
  Style style = Style::kPlain;
  bool in_text = false;
  bool changed = false;   // something in it is no longer as it was read
  bool anchored = false;  // `&x` stands before it
  bool is_pair = false;   // the mapping in `[a: b]`, which has no brackets
  bool merges = false;    // a mapping with `<<`
  uint32_t begin = 0;     // with its anchor and tag
  uint32_t behind_properties = 0;
  uint32_t content = 0;                   // without them; of a block collection: where its first entry begins
  uint32_t end = 0;                       // behind its last byte; line ends and comments behind it do not count
  Value value = {};                       // of a scalar
  std::string_view spelling = {};         // of a scalar: without quotes and escapes
  std::string_view written = {};          // of a copied scalar that stood in one line: how it was written
  TextNode* target = nullptr;             // of an alias
  TextEntry* entry = nullptr;             // whose key or value it is; nullptr: the root, or not in the tree yet
  std::unique_ptr<TextItems> items = {};  // of a sequence or mapping

  bool is_collection() const { return kind == Kind::kSequence || kind == Kind::kMapping; }
};

// An item of a sequence or a member of a mapping.
struct TextEntry {
  TextNode* parent = nullptr;
  TextNode* key = nullptr;  // nullptr: an item
  TextNode* value = nullptr;
  const TextNode* read_key = nullptr;  // what stands in the text, where in_text
  const TextNode* read_value = nullptr;
  std::string_view name = {};      // of a member: what the key means; `y` is "true"
  std::string_view spelling = {};  // of a member: the key as it is spelled
  bool in_text = false;
  bool removed = false;
  bool is_merge = false;      // `<<`
  uint32_t begin = 0;         // of the dash, the `?`, or else of the key or item
  uint32_t slot = 0;          // behind the dash or colon, where the value may begin
  uint32_t end = 0;           // behind the value
  uint32_t comma = kNowhere;  // behind it, in flow style and JSON
};

// Entries in order, in blocks, so that neither an insertion nor the search for an index touches all of a long list.
// Removed entries that stand in the text stay in the order, because the writer must pass over their bytes.
class EntryList {
 public:
  size_t size() const { return size_; }  // without removed ones

  void Append(TextEntry* entry);
  // REQUIRES: index < size(); removed ones do not count.
  TextEntry* At(size_t index) const;
  // REQUIRES: index <= size().
  void Insert(size_t index, TextEntry* entry);
  // An item by its index; a member as it is (a list of members is asked for no index).
  TextEntry* RemoveAt(size_t index);
  void RemoveMember(TextEntry* entry);
  // Undoes a removal. Linear.
  void Restore(TextEntry* entry);

  // All, removed ones too.
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

// Members by name, for mappings with many.
struct NameIndex {
  std::unordered_map<std::string_view, TextEntry*> by_spelling;
  std::unordered_map<std::string_view, TextEntry*> by_name;
  bool has_duplicates = false;
};

struct TextItems {
  EntryList list;
  std::unique_ptr<NameIndex> index;  // made by the first search
};

struct TextTree {
  std::string text;
  DataFormat format = DataFormat::kYaml;
  TextNode* root = nullptr;
  const TextNode* read_root = nullptr;
  uint32_t begin = 0;  // of the first document: behind a byte order mark, directives and `---`
  uint32_t end = 0;    // where `...` or the next `---` begins; the rest is none of ours
  std::string_view line_end = "\n";
  std::vector<TextNode*> anchored;                                    // in the order of the text
  std::unordered_map<const TextNode*, std::vector<TextNode*>> users;  // the aliases of an anchored node
  size_t expanded_nodes = 0;
  size_t expanded_bytes = 0;

  // Owns what the above points to.
  Arena arena;
  std::deque<TextNode> nodes;
  std::deque<TextEntry> entries;
};

TextNode* NewNode(TextTree& tree, TextNode::Kind kind);
// Not yet in the list of the parent.
TextEntry* NewEntry(TextTree& tree, TextNode* parent);

// Where an alias leads.
const TextNode* Followed(const TextNode* node);
TextNode* Followed(TextNode* node);

// The member itself or nullptr; of duplicates the last. By its spelling, or else by what the key means.
TextEntry* FindMember(const TextNode* mapping, std::string_view key);
// The value that `<<` brings in; nullptr: none. Explicit members are not asked. What is named so goes before what is
// only spelled so.
const TextEntry* FindMerged(const TextNode* mapping, std::string_view key);
// Of both.
const TextEntry* FindEffective(const TextNode* mapping, std::string_view key);

// The members as data: merged ones at the place of `<<`, none twice. They may be members of another mapping.
std::vector<const TextEntry*> EffectiveMembers(const TextNode* mapping);

// The meaning. Strings point into the tree.
Value ValueOf(const TextNode* node, Arena& arena);

// Numbers by value (1 = 1.0), all else as operator==.
bool SameMeaning(const Value& a, const Value& b);

// Line (from 1) of a place in the text.
int LineAt(std::string_view text, size_t at);

}  // namespace smp

#endif  // SMP_OVERRIDE_TEXT_TREE_H_
