// Value: one JSON value, immutable, 16 bytes, trivially copyable. It points into the arena of its Document (document.h)
// and is valid as long as that Document, so that a plan and a patch can share the subtrees of their inputs without
// copying.
//
//   if (const Value* image = container.Find("image")) Use(image->AsString());   // nullptr: absent. Absent is not null.
//
// Numbers: an integer that fits int64 is kInt, every other number is kDouble (as in Go's decoder), and 1 != 1.0. Object
// members are sorted by the bytes of their names, which are unique; the last of duplicates is kept (as in Go).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace smp {

enum class Kind : uint8_t { kNull, kBool, kInt, kDouble, kString, kArray, kObject };

// Returns the name that OpenAPI uses: "null", "boolean", "integer", "number", "string", "array", "object".
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
  bool is_number() const { return is_int() || is_double(); }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }
  bool is_scalar() const { return kind_ != Kind::kArray && kind_ != Kind::kObject; }

  // REQUIRES: the value is of that kind.
  bool AsBool() const { return bool_; }
  int64_t AsInt() const { return int_; }
  double AsDouble() const { return double_; }
  std::string_view AsString() const { return {string_, size_}; }
  std::span<const Value> Items() const { return {items_, size_}; }
  std::span<const Member> Members() const;

  // Number of array items, object members or string bytes; else 0.
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Returns the value of the member; nullptr if this is not an object or has no such member. Logarithmic.
  const Value* Find(std::string_view name) const;
  // Returns the value at the path `names`; nullptr if there is none.
  const Value* FindPath(std::initializer_list<std::string_view> names) const;
  // Returns the string at `name`, or `fallback` if it is absent or not a string.
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

// Deep and exact equality: the kinds must be equal, too, so 1 != 1.0. Linear. equality.h has more tolerant equalities.
bool operator==(const Value& a, const Value& b);

// Returns true if both are the same list or map in memory, and so are equal without a comparison.
bool SharesMemory(const Value& a, const Value& b);

// Returns true if both are equal or both are nullptr (absent).
bool SameOrBothAbsent(const Value* a, const Value* b);

// Hash that agrees with operator==.
size_t HashValue(const Value& value);

}  // namespace smp
