// TextTree: a parsed JSON or YAML text, with the offset of everything in it. It is never changed; edits change drafts
// of its values (draft.h).
//
// The tree has the structure of the text: an alias is a node that points to another, `<<` is a member like any other.
// ValueOf returns the data: it follows aliases and resolves merge keys (an explicit member wins over a merged one; of
// several `<<` the last wins, and within its list the first map). Of duplicate keys the last wins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "edit/inner_document.h"
#include "value/document.h"
#include "yaml/token.h"

namespace smp::edit {

inline constexpr uint32_t kNowhere = UINT32_MAX;
// Limit of nodes with all aliases and copies expanded, against "billion laughs" attacks.
inline constexpr size_t kMaxTextNodes = 2'000'000;

struct TextEntry;

struct TextNode {
  enum class Kind : uint8_t { kScalar, kAlias, kSequence, kMapping };
  using Style = yaml::Style;

  Kind kind = Kind::kScalar;
  Style style = Style::kPlain;
  bool anchored = false;  // has an anchor (`&x`)
  bool is_pair = false;   // the mapping in `[a: b]`, which has no brackets
  bool merges = false;    // a mapping with `<<`
  uint32_t begin = 0;     // start, including anchor and tag
  uint32_t after_properties = 0;
  uint32_t content = 0;            // after anchor and tag; for a block collection: the start of its first entry
  uint32_t end = 0;                // after its last byte, before line ends and comments
  Value value = {};                // of a scalar
  std::string_view spelling = {};  // of a scalar: without quotes and escapes
  std::string_view written = {};   // of a one-line scalar: its text, without anchor and tag
  TextNode* target = nullptr;      // of an alias
  TextEntry* entry = nullptr;      // the entry it is the key or value of
  TextEntry* first = nullptr;      // of a sequence or mapping
  TextEntry* last = nullptr;

  bool is_collection() const { return kind == Kind::kSequence || kind == Kind::kMapping; }
};

// An item of a sequence or a member of a mapping. TextTree::document is also an entry; it has no parent.
struct TextEntry {
  TextNode* parent = nullptr;
  TextEntry* next = nullptr;
  TextNode* key = nullptr;  // nullptr: an item
  TextNode* value = nullptr;
  std::string_view name = {};      // of a member: the resolved key, e.g. "true" for `y`
  std::string_view spelling = {};  // of a member: the key as written, without quotes and escapes
  bool is_merge = false;           // the key is `<<`
  uint32_t begin = 0;              // start of the dash or `?`, else of the key or item
  uint32_t slot = 0;               // after the dash or colon: where a value may begin
  uint32_t end = 0;                // after the value
  uint32_t comma = kNowhere;       // offset of the comma after the entry (flow style and JSON)
};

struct TextTree {
  std::string text;
  DataFormat format = DataFormat::kYaml;
  TextEntry document;  // its value is the root
  uint32_t begin = 0;  // of the first document: after a byte order mark, directives and `---`
  uint32_t end = 0;    // where `...` or the next `---` begins; the rest is not parsed
  std::string_view line_end = "\n";
  std::vector<TextNode*> anchored;                                    // nodes with an anchor, in text order
  std::unordered_map<const TextNode*, std::vector<TextNode*>> users;  // the aliases of an anchored node
  size_t expanded_nodes = 0;
  size_t expanded_bytes = 0;

  const TextNode* root() const { return document.value; }

  // These own everything that the members above point to.
  Arena arena;
  std::deque<TextNode> nodes;
  std::deque<TextEntry> entries;
};

TextNode* NewNode(TextTree& tree, TextNode::Kind kind);
// Appends an entry to the parent.
TextEntry* NewEntry(TextTree& tree, TextNode* parent);

// Returns the target if `node` is an alias, else `node`.
const TextNode* Followed(const TextNode* node);

template <class F>
void ForEachEntry(const TextNode* node, F visit) {
  for (const TextEntry* entry = node->first; entry != nullptr; entry = entry->next) visit(entry);
}

// Returns the members that the mapping has as data: no overridden duplicates, and in place of each `<<` the entries
// that it merges, which belong to other mappings.
std::vector<const TextEntry*> EffectiveMembers(const TextNode* mapping);

// Returns the `<<` of the mapping that brings in a member of this name, overridden or not; nullptr if none does.
const TextEntry* MergeWith(const TextNode* mapping, std::string_view name);

// Returns the node's value as data, built in `arena`. Its strings point into the tree.
Value ValueOf(const TextNode* node, Arena& arena);

// Returns the line number (from 1) of an offset in the text.
int LineAt(std::string_view text, size_t at);

// The same for many offsets of one text.
class LineNumbers {
 public:
  explicit LineNumbers(std::string_view text);

  int At(size_t at) const;

 private:
  std::vector<size_t> begins_;  // of the lines
};

}  // namespace smp::edit
