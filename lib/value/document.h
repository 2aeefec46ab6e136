// Arena: owns the bytes, items and members that Values point to. Document: an arena with a root and, for files that
// people wrote, the line of each value. Both are cheap to copy (shared ownership) and immutable once built, so they may
// be read from several threads.
//
//   Arena arena;                                        // a derived document, e.g. a patch
//   arena.Retain(live);                                 // it will point into live
//   Value patch = arena.Object({{"spec", *live.root().Find("spec")}});
//   Document out(std::move(arena), patch);
#ifndef SMP_VALUE_DOCUMENT_H_
#define SMP_VALUE_DOCUMENT_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp {

class Document;

// Something in a file that reads otherwise than its author is likely to have meant; accepted, as kubectl does.
struct ReadWarning {
  // `a` twice in one object; a key such as `y:` or `0x1F:` that YAML 1.1 reads as another text ("true", "31").
  enum class Kind { kDuplicateKey, kRenamedKey };
  Kind kind;
  std::string message;  // names both lines
  Source source;
};

class Arena {
 public:
  Arena();
  explicit Arena(size_t expected_bytes);  // of memory, where it can be foreseen: fewer, larger blocks
  Arena(Arena&&) noexcept;
  Arena& operator=(Arena&&) noexcept;
  ~Arena();

  std::string_view Copy(std::string_view bytes);
  // A copy that may be written to (a parser's own), followed by `padding` zero bytes.
  char* CopyWritable(std::string_view bytes, size_t padding);
  Value String(std::string_view bytes) { return Value::UnownedString(Copy(bytes)); }
  // The items are copied (16 bytes each), what they point to is not.
  Value Array(std::span<const Value> items);
  // Sorts by name; of members with one name the last wins. Names and values are not deep-copied.
  Value Object(std::vector<Member> members);
  // As Object for members that are sorted and unique already. REQUIRES: so.
  Value SortedObject(std::span<const Member> members);
  // A stable address for `value`, which has none of its own (roots, computed values).
  const Value* Keep(Value value);

  // Keeps the other document's memory alive as long as this arena's.
  void Retain(const Document& other);

 private:
  friend class Document;
  struct Memory;
  std::shared_ptr<Memory> memory_;
};

// Sorts by name, of members with one name the last stays: the form that objects have.
void SortKeepLast(std::vector<Member>& members);

class Document {
 public:
  Document();  // null
  Document(Arena arena, Value root);

  const Value& root() const { return *root_; }

  // File name as the user gave it ("STDIN" for standard input); empty for documents that no one wrote. A document
  // derived from another (Arena::Retain) has the source and the lines of that one, too.
  const std::string& source_name() const;
  // Line (from 1) on which `value` begins, 0 where it is not known.
  // `value` must be an address inside this document (root(), or a result of Find/Items/Members).
  int LineOf(const Value* value) const;
  Source SourceOf(const Value* value) const;
  // What the parser found odd, where lines are kept. A derived document has those of its origin.
  const std::vector<ReadWarning>& warnings() const;

  // Used by the parsers. Of two lines for one value the last counts.
  void SetSource(std::string name);
  void SetLines(std::vector<std::pair<const Value*, int>> lines);
  void SetWarnings(std::vector<ReadWarning> warnings);

 private:
  friend class Arena;
  std::shared_ptr<Arena::Memory> memory_;
  const Value* root_;
};

}  // namespace smp

#endif  // SMP_VALUE_DOCUMENT_H_
