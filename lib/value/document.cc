#include "value/document.h"

#include <algorithm>
#include <cstring>
#include <memory_resource>
#include <unordered_map>

namespace smp {

struct Arena::Memory {
  std::pmr::monotonic_buffer_resource pool;
  std::vector<std::shared_ptr<Memory>> retained;
  std::string source_name;
  std::unordered_map<const Value*, int> lines;
};

namespace {

template <class T>
std::span<const T> CopyTo(std::pmr::memory_resource& pool, std::span<const T> from) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (from.empty()) return {};
  T* to = static_cast<T*>(pool.allocate(from.size_bytes(), alignof(T)));
  std::uninitialized_copy(from.begin(), from.end(), to);
  return {to, from.size()};
}

// Stable, so that of equal names the last written stays last.
void SortKeepLast(std::vector<Member>& members) {
  const auto less = [](const Member& a, const Member& b) { return a.name < b.name; };
  if (!std::is_sorted(members.begin(), members.end(), less)) std::stable_sort(members.begin(), members.end(), less);
  size_t kept = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    const bool last_of_name = i + 1 == members.size() || members[i + 1].name != members[i].name;
    if (last_of_name) members[kept++] = members[i];
  }
  members.resize(kept);
}

}  // namespace

Arena::Arena() : memory_(std::make_shared<Memory>()) {}
Arena::Arena(Arena&&) noexcept = default;
Arena& Arena::operator=(Arena&&) noexcept = default;
Arena::~Arena() = default;

std::string_view Arena::Copy(std::string_view bytes) {
  const std::span<const char> copy = CopyTo(memory_->pool, std::span<const char>(bytes));
  return {copy.data(), copy.size()};
}

Value Arena::Array(std::span<const Value> items) { return Value::UnownedArray(CopyTo(memory_->pool, items)); }

Value Arena::Object(std::vector<Member> members) {
  SortKeepLast(members);
  return SortedObject(members);
}

Value Arena::SortedObject(std::span<const Member> members) {
  return Value::UnownedObject(CopyTo(memory_->pool, members));
}

const Value* Arena::Keep(Value value) { return CopyTo(memory_->pool, std::span<const Value>(&value, 1)).data(); }

void Arena::Retain(const Document& other) { memory_->retained.push_back(other.memory_); }

Document::Document() : Document(Arena(), Value()) {}

Document::Document(Arena arena, Value root) : memory_(std::move(arena.memory_)), root_(nullptr) {
  root_ = CopyTo(memory_->pool, std::span<const Value>(&root, 1)).data();
}

const std::string& Document::source_name() const { return memory_->source_name; }

int Document::LineOf(const Value* value) const {
  const auto at = memory_->lines.find(value);
  return at == memory_->lines.end() ? 0 : at->second;
}

Source Document::SourceOf(const Value* value) const { return {source_name(), LineOf(value)}; }

void Document::SetSource(std::string name) { memory_->source_name = std::move(name); }

void Document::SetLine(const Value* value, int line) { memory_->lines[value] = line; }

}  // namespace smp
