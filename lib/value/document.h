// Arena: owns the bytes, items and members that Values point to. Document: an arena with a root and, for files that
// people wrote, the line of each value. A Document is cheap to copy (shared ownership) and immutable once built, so
// several threads may read it.
//
//   Arena arena;                                        // a derived document, e.g. a patch
//   arena.Retain(live);                                 // the patch points into live
//   Value patch = arena.Object({{"spec", *live.root().Find("spec")}});
//   Document out(std::move(arena), patch);
#pragma once

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

// A warning about a key that probably does not mean what its author intended. The parsers accept it, as kubectl does.
struct ReadWarning {
  // kDuplicateKey: the same key twice in one object. kRenamedKey: a key such as `y:` or `0x1F:` that YAML 1.1 reads as
  // a different string ("true", "31").
  enum class Kind { kDuplicateKey, kRenamedKey };
  Kind kind;
  std::string message;  // names both lines
  Source source;
};

class Arena {
 public:
  Arena();
  explicit Arena(size_t expected_bytes);  // allocates fewer, larger blocks
  Arena(Arena&&) noexcept;
  Arena& operator=(Arena&&) noexcept;
  ~Arena();

  std::string_view Copy(std::string_view bytes);
  // Returns a writable copy, followed by `padding` zero bytes, for a parser that works in place.
  char* CopyWritable(std::string_view bytes, size_t padding);
  Value String(std::string_view bytes) { return Value::UnownedString(Copy(bytes)); }
  // Copies the items (16 bytes each), but not what they point to.
  Value Array(std::span<const Value> items);
  // Sorts by name and keeps the last of duplicate names. Names and values are not deep-copied.
  Value Object(std::vector<Member> members);
  // Like Object, of names[i] and values[i].
  Value Object(std::span<const std::string_view> names, std::span<const Value> values);
  // Like Object. REQUIRES: members are sorted and unique.
  Value SortedObject(std::span<const Member> members);
  // Copies `value` into the arena and returns its address there. For values that have no lasting address yet, such as
  // computed ones.
  const Value* Keep(Value value);

  // Keeps the memory of `other` alive for as long as this arena's memory.
  void Retain(const Document& other);

 private:
  friend class Document;
  struct Memory;
  std::shared_ptr<Memory> memory_;
};

class Document {
 public:
  Document();  // null
  Document(Arena arena, Value root);

  const Value& root() const { return *root_; }

  // File name as the user gave it ("STDIN" for standard input); empty if the document does not come from a file. A
  // document derived from another (Arena::Retain) also has that one's source and lines.
  const std::string& source_name() const;
  // Line (from 1) on which `value` begins; 0 if unknown. REQUIRES: `value` is an address inside this document (root(),
  // or a result of Find/Items/Members).
  int LineOf(const Value* value) const;
  Source SourceOf(const Value* value) const;
  // The parser's warnings; empty unless line numbers are kept. A derived document has the warnings of its original.
  const std::vector<ReadWarning>& warnings() const;

  // Used by the parsers. If `lines` lists an address twice, its last line number is kept.
  void SetSource(std::string name);
  void SetLines(std::vector<std::pair<const Value*, int>> lines);
  void SetWarnings(std::vector<ReadWarning> warnings);

 private:
  friend class Arena;
  std::shared_ptr<Arena::Memory> memory_;
  const Value* root_;
};

}  // namespace smp
