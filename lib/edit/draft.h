// Draft: a value of an edited document. It remembers where it comes from, so that the writer can keep or copy the text of
// what did not change, but it is a value: an alias, or a member that `<<` brings in, is like any other value, and a
// change of one changes no other.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "edit/text_tree.h"
#include "value/document.h"

namespace smp::edit {

struct DraftItems;

struct Draft {
  std::string_view name = {};  // of a member
  const TextEntry* key_from =
      nullptr;                       // of a member: the entry whose key is written as this one's; nullptr: a new name
  const TextEntry* place = nullptr;  // the entry of the text that holds it, unless it is new there
  const TextNode* origin = nullptr;  // the text of its value, no alias; nullptr: `value` is new
  Value value = {};
  bool merged = false;       // `place` is in another mapping, which `<<` brings in
  bool changed = false;      // something in it is not as in `origin` or `value`
  bool written_out = false;  // its alias is written out, because the text that the alias refers to changes
  bool new_key = false;      // the same of a key that is an alias
  size_t order = 0;          // of a member: among its siblings
  std::unique_ptr<DraftItems> items = {};  // of a collection, once it was opened
};

// Items in order, in blocks, so that neither an insertion nor a lookup by index touches all of a long list.
class DraftList {
 public:
  size_t size() const { return size_; }
  // REQUIRES: index < size().
  Draft* At(size_t index) const;
  // REQUIRES: index <= size().
  void Insert(size_t index, std::unique_ptr<Draft> item);
  std::unique_ptr<Draft> Take(size_t index);

  template <class F>
  void ForEach(F visit) const {
    for (const Block& block : blocks_) {
      for (const std::unique_ptr<Draft>& item : block) visit(item.get());
    }
  }

 private:
  static constexpr size_t kBlock = 512;
  using Block = std::vector<std::unique_ptr<Draft>>;
  struct Position {
    size_t block, offset;
  };

  Position PositionOf(size_t index) const;

  std::vector<Block> blocks_;
  size_t size_ = 0;
};

struct DraftItems {
  bool is_map = false;
  DraftList list = {};
  std::unordered_map<std::string_view, std::unique_ptr<Draft>> members = {};
  bool has_other_spellings = false;  // a key is not spelled as its name
  size_t next_order = 0;
};

// The document that is edited.
struct DraftDocument {
  explicit DraftDocument(std::unique_ptr<TextTree> read);

  std::unique_ptr<TextTree> tree;
  Arena arena = {};  // names and values of edits
  Draft root = {};
  size_t nodes;  // what the edits may have made of it at most, see kMaxTextNodes
  size_t bytes;
};

bool IsMap(const Draft& draft);
bool IsList(const Draft& draft);
inline bool IsCollection(const Draft& draft) { return IsMap(draft) || IsList(draft); }

// Returns true if the value is at its place in the text, where something in it may have changed.
bool IsInPlace(const Draft& draft);
// Returns true if the text at its place, which may be an alias, says the value.
bool IsAsInText(const Draft& draft);

// REQUIRES: a collection.
DraftItems& Opened(Draft& draft);
bool IsEmpty(Draft& draft);
// Returns its items or members, in order.
std::vector<Draft*> ChildrenOf(Draft& draft);
// Returns the member that is named `key` or spelled so, nullptr if there is none.
Draft* FindMember(Draft& map, std::string_view key);

// Returns a deep copy. Invalid UTF-8 becomes U+FFFD.
Value DeepCopy(const Value& value, Arena& arena);

// Returns the value of a scalar.
const Value& ScalarOf(const Draft& draft);
// Returns the meaning. Strings point into the document.
Value ValueOf(const Draft& draft, Arena& arena);

// Returns a copy of the text. Invalid UTF-8 becomes U+FFFD.
std::string_view ValidCopy(std::string_view text, Arena& arena);

// Returns a copy that is at no place yet.
Draft CopyOf(const Draft& draft);

struct DraftSize {
  size_t nodes = 0;
  size_t bytes = 0;   // of scalars
  size_t height = 0;  // levels of collections
};
DraftSize SizeOf(const Draft& draft);

}  // namespace smp::edit
