#include "value/document.h"

#include <algorithm>
#include <functional>
#include <memory_resource>

#include "value/names.h"

namespace smp {

namespace {
// Size of an arena's first block; later blocks grow. Small, because a stream may have a million values of a few bytes,
// each with an arena of its own.
constexpr size_t kFirstBlock = 64;
}  // namespace

struct Arena::Memory {
  explicit Memory(size_t expected_bytes) : pool(expected_bytes) {}

  std::pmr::monotonic_buffer_resource pool;
  std::vector<std::shared_ptr<Memory>> retained;
  std::string source_name;
  std::vector<std::pair<const Value*, int>> lines;  // sorted by address
  std::vector<ReadWarning> warnings;

  int LineOf(const Value* value) const {
    const auto at = std::lower_bound(lines.begin(), lines.end(), value,
                                     [](const auto& line, const Value* v) { return std::less<>()(line.first, v); });
    return at == lines.end() || at->first != value ? 0 : at->second;
  }

  // Returns the first memory for which `accepts` is true, among `memory` and all that it retains; else nullptr.
  template <class Predicate>
  static const Memory* First(const Memory& memory, Predicate accepts) {
    std::vector<const Memory*> reached = {&memory};
    for (size_t i = 0; i < reached.size(); ++i) {
      if (accepts(*reached[i])) return reached[i];
      for (const std::shared_ptr<Memory>& retained : reached[i]->retained) {
        if (std::find(reached.begin(), reached.end(), retained.get()) == reached.end()) {
          reached.push_back(retained.get());
        }
      }
    }
    return nullptr;
  }
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

bool NameLess(const Member& a, const Member& b) { return CompareNames(a.name, b.name) < 0; }

bool IsSortedAndUnique(std::span<const Member> members) {
  const auto not_less = [](const Member& a, const Member& b) { return !NameLess(a, b); };
  return std::adjacent_find(members.begin(), members.end(), not_less) == members.end();
}

// Stable: among equal names the last one written stays last. std::stable_sort allocates memory, which costs more than
// it saves for few members, as in most objects.
void SortByName(std::span<Member> members) {
  constexpr size_t kFew = 24;
  if (members.size() > kFew) return std::stable_sort(members.begin(), members.end(), NameLess);
  for (size_t i = 1; i < members.size(); ++i) {
    const Member member = members[i];
    size_t at = i;
    for (; at > 0 && NameLess(member, members[at - 1]); --at) members[at] = members[at - 1];
    members[at] = member;
  }
}

// Sorts by name and keeps the last of duplicate names, as objects require. Returns how many are left.
size_t SortKeepLast(std::span<Member> members) {
  if (IsSortedAndUnique(members)) return members.size();  // most objects come from a server, which sorts
  SortByName(members);
  size_t kept = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    const bool last_of_name = i + 1 == members.size() || !SameNames(members[i + 1].name, members[i].name);
    if (last_of_name) members[kept++] = members[i];
  }
  return kept;
}

}  // namespace

Arena::Arena() : Arena(kFirstBlock) {}
Arena::Arena(size_t expected_bytes) : memory_(std::make_shared<Memory>(std::max(expected_bytes, kFirstBlock))) {}
Arena::Arena(Arena&&) noexcept = default;
Arena& Arena::operator=(Arena&&) noexcept = default;
Arena::~Arena() = default;

std::string_view Arena::Copy(std::string_view bytes) {
  const std::span<const char> copy = CopyTo(memory_->pool, std::span<const char>(bytes));
  return {copy.data(), copy.size()};
}

char* Arena::CopyWritable(std::string_view bytes, size_t padding) {
  char* copy = static_cast<char*>(memory_->pool.allocate(bytes.size() + padding, 1));
  std::copy(bytes.begin(), bytes.end(), copy);
  std::fill_n(copy + bytes.size(), padding, '\0');
  return copy;
}

Value Arena::Array(std::span<const Value> items) { return Value::UnownedArray(CopyTo(memory_->pool, items)); }

Value Arena::Object(std::vector<Member> members) {
  members.resize(SortKeepLast(members));
  return SortedObject(members);
}

Value Arena::Object(std::span<const std::string_view> names, std::span<const Value> values) {
  if (names.empty()) return Value::UnownedObject({});
  Member* members = static_cast<Member*>(memory_->pool.allocate(names.size() * sizeof(Member), alignof(Member)));
  for (size_t i = 0; i < names.size(); ++i) std::construct_at(members + i, Member{names[i], values[i]});
  return Value::UnownedObject({members, SortKeepLast({members, names.size()})});
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

const std::string& Document::source_name() const {
  const Arena::Memory* named = Arena::Memory::First(*memory_, [](const auto& m) { return !m.source_name.empty(); });
  return named != nullptr ? named->source_name : memory_->source_name;
}

int Document::LineOf(const Value* value) const { return SourceOf(value).line; }

Source Document::SourceOf(const Value* value) const {
  const auto knows = [value](const auto& memory) { return memory.LineOf(value) > 0; };
  const Arena::Memory* written = Arena::Memory::First(*memory_, knows);
  return written != nullptr ? Source{written->source_name, written->LineOf(value)} : Source{source_name(), 0};
}

const std::vector<ReadWarning>& Document::warnings() const {
  const Arena::Memory* warned = Arena::Memory::First(*memory_, [](const auto& m) { return !m.warnings.empty(); });
  return warned != nullptr ? warned->warnings : memory_->warnings;
}

void Document::SetWarnings(std::vector<ReadWarning> warnings) { memory_->warnings = std::move(warnings); }

void Document::SetSource(std::string name) { memory_->source_name = std::move(name); }

void Document::SetLines(std::vector<std::pair<const Value*, int>> lines) {
  const auto less = [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); };
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::stable_sort(lines.begin(), lines.end(), less);
  const auto first_kept = std::unique(lines.rbegin(), lines.rend(), same).base();
  lines.erase(lines.begin(), first_kept);
  memory_->lines = std::move(lines);
}

}  // namespace smp
