// Value: one JSON value, immutable, 16 bytes, trivially copyable. It points into the arena of the Document (document.h)
// that it came from and is valid as long as that Document, so that a plan and a patch can share the subtrees of their
// inputs without copying.
//
//   if (const Value* image = container.Find("image")) Use(image->AsString());   // nullptr: absent. Absent is not null.
//
// Numbers: an integer that fits int64 is kInt, every other number is kDouble (so it is in Go's decoder), and 1 != 1.0.
// Object members are sorted by the bytes of their name and unique; of duplicates the last one wins (as in Go).
#ifndef SMP_VALUE_VALUE_H_
#define SMP_VALUE_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace smp {

enum class Kind : uint8_t { kNull, kBool, kInt, kDouble, kString, kArray, kObject };

// "null", "boolean", "integer", "number", "string", "array", "object": the words of OpenAPI.
std::string_view KindName(Kind kind);

struct Member;

class Value {
 public:
  constexpr Value() : int_(0) {}  // null
  static Value Bool(bool b);
  static Value Int(int64_t i);
  static Value Double(double d);
  // The bytes, items and members are not copied: they must live in an arena (see Arena in document.h).
  static Value UnownedString(std::string_view s);
  static Value UnownedArray(std::span<const Value> items);
  static Value UnownedObject(std::span<const Member> members);  // REQUIRES: sorted, unique

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_bool() const { return kind_ == Kind::kBool; }
  bool is_int() const { return kind_ == Kind::kInt; }
  bool is_double() const { return kind_ == Kind::kDouble; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }
  bool is_scalar() const { return kind_ != Kind::kArray && kind_ != Kind::kObject; }

  // REQUIRES: the kind of the same name.
  bool AsBool() const { return bool_; }
  int64_t AsInt() const { return int_; }
  double AsDouble() const { return double_; }
  std::string_view AsString() const { return {string_, size_}; }
  std::span<const Value> Items() const { return {items_, size_}; }
  std::span<const Member> Members() const;

  // Elements of an array, members of an object, bytes of a string; else 0.
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // The member's value, nullptr if this is no object or has no such member. Logarithmic.
  const Value* Find(std::string_view name) const;
  // Find, step by step.
  const Value* FindPath(std::initializer_list<std::string_view> names) const;
  // The string at `name`, or "" where there is none (or it is no string).
  std::string_view StringOr(std::string_view name, std::string_view fallback = {}) const;

 private:
  Kind kind_ = Kind::kNull;
  uint32_t size_ = 0;
  union {
    bool bool_;
    int64_t int_;
    double double_;
    const char* string_;
    const Value* items_;
    const Member* members_;
  };
};
static_assert(sizeof(Value) == 16);

struct Member {
  std::string_view name;
  Value value;
};

// Deep and exact: same kinds, 1 != 1.0, members by name, items in order. Linear.
bool operator==(const Value& a, const Value& b);

// One list or one map, or a copy of it that shares its memory: equal without a look at what is in it.
bool SharesMemory(const Value& a, const Value& b);

// Equal where both are there; absent (nullptr) equals only absent.
bool SameOrBothAbsent(const Value* a, const Value* b);

// Hash that agrees with operator==.
size_t HashValue(const Value& value);

}  // namespace smp

#endif  // SMP_VALUE_VALUE_H_
