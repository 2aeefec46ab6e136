// Draft: an editable value of a document. It remembers which text it was parsed from, so that the writer can keep or
// copy the text of unchanged parts. Aliases and members merged by `<<` are independent values here: changing one of
// them does not change the value that it refers to.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "edit/text_tree.h"
#include "value/document.h"

namespace smp::edit {

struct DraftItems;

struct Draft {
  std::string_view name = {};           // the key, if this is a member of a map
  const TextEntry* key_from = nullptr;  // of a member: the entry whose key text is reused; nullptr: the key is new
  const TextEntry* place = nullptr;     // its entry in the text; nullptr: added by an edit
  const TextNode* origin = nullptr;     // the parsed value, aliases followed; nullptr: see `value`
  Value value = {};
  bool merged = false;                     // `place` is an entry of another mapping, merged by `<<`
  bool changed = false;                    // it or something in it differs from `origin` or `value`
  bool written_out = false;                // write the value instead of its alias, because the alias's target changes
  bool new_key = false;                    // the same for a key that is an alias
  size_t order = 0;                        // of a member: its position among its siblings
  std::unique_ptr<DraftItems> items = {};  // of a collection; filled by Opened()
};

// An ordered list stored in blocks, so that inserting an item does not move all the others.
class DraftList {
 public:
  size_t size() const { return size_; }
  // REQUIRES: index < size().
  Draft* At(size_t index) const;
  // REQUIRES: index <= size().
  void Insert(size_t index, std::unique_ptr<Draft> item);
  std::unique_ptr<Draft> Take(size_t index);
  std::vector<std::unique_ptr<Draft>> TakeAll();

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
  ViewMap<std::unique_ptr<Draft>> members = {};
  bool has_other_spellings = false;  // some key's text differs from its name, e.g. `y` is "true"
  size_t next_order = 0;
};

// The document being edited.
struct DraftDocument {
  explicit DraftDocument(std::unique_ptr<TextTree> read);

  std::unique_ptr<TextTree> tree;
  Arena arena = {};  // names and values of edits
  Draft root = {};
  size_t nodes;  // `nodes` and `bytes`: upper bounds of its expanded size after the edits, see kMaxTextNodes
  size_t bytes;
};

bool IsMap(const Draft& draft);
bool IsList(const Draft& draft);
inline bool IsCollection(const Draft& draft) { return IsMap(draft) || IsList(draft); }

// Returns true if the value is still the one parsed at `place` (no alias or merge); its contents may have changed.
bool IsInPlace(const Draft& draft);
// Returns true if the text at `place`, possibly an alias, can stay as it is because it has this value.
bool IsAsInText(const Draft& draft);

// Returns the items or members, creating their drafts on the first call. REQUIRES: `draft` is a collection.
DraftItems& Opened(Draft& draft);
bool IsEmpty(Draft& draft);
// Returns the items or members of a collection, in order.
std::vector<Draft*> ChildrenOf(Draft& draft);
// Returns the member whose name is `key`, else one whose key is written as `key`; nullptr if there is neither.
Draft* FindMember(Draft& map, std::string_view key);

// Returns a deep copy. Invalid UTF-8 becomes U+FFFD.
Value DeepCopy(const Value& value, Arena& arena);

// Returns the scalar's value. REQUIRES: `draft` is a scalar.
const Value& ScalarOf(const Draft& draft);
// Returns the value as data, built in `arena`. Its strings point into the document.
Value ValueOf(const Draft& draft, Arena& arena);

// Returns a copy of the text. Invalid UTF-8 becomes U+FFFD.
std::string_view ValidCopy(std::string_view text, Arena& arena);

// Returns a deep copy without a `place` in the text.
Draft CopyOf(const Draft& draft);

struct DraftSize {
  size_t nodes = 0;
  size_t bytes = 0;   // of scalars
  size_t height = 0;  // levels of collections
};
DraftSize SizeOf(const Draft& draft);

}  // namespace smp::edit
