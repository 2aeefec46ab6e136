#include "value/derived_document.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace smp {

namespace {

class LineCopier {
 public:
  explicit LineCopier(const Document& from) : from_(from) {}

  // Recursion depth: that of the values.
  void Copy(const Value& before, const Value& after) {
    if (const int line = from_.LineOf(&before); line > 0) lines.emplace_back(&after, line);
    if (SharesMemory(before, after)) return;  // their members have the same addresses, so the lines are known
    if (after.is_object()) CopyMembers(before, after);
    if (after.is_array() && before.is_array() && before.size() == after.size()) CopyItems(before, after);
  }

  std::vector<std::pair<const Value*, int>> lines;

 private:
  void CopyMembers(const Value& before, const Value& after) {
    for (const Member& m : after.Members()) {
      if (const Value* old = before.Find(m.name)) Copy(*old, m.value);
    }
  }

  void CopyItems(const Value& before, const Value& after) {
    for (size_t i = 0; i < after.size(); ++i) Copy(before.Items()[i], after.Items()[i]);
  }

  const Document& from_;
};

bool IsNull(const Member& member) { return member.value.is_null(); }

}  // namespace

Document DerivedDocument(const Document& from, Arena arena, const Value& root) {
  Document out(std::move(arena), root);
  LineCopier copier(from);
  copier.Copy(from.root(), out.root());
  out.SetSource(from.source_name());
  out.SetLines(std::move(copier.lines));
  return out;
}

Document WithTextsForNulls(const Document& object, Names path) {
  const Value* map = object.root().FindPath(path);
  if (map == nullptr || !map->is_object() || std::ranges::none_of(map->Members(), IsNull)) return object;
  Arena arena;
  arena.Retain(object);
  std::vector<Member> members(map->Members().begin(), map->Members().end());
  for (Member& member : members) {
    if (IsNull(member)) member.value = Value::UnownedString("");
  }
  const Value root = WithAt(object.root(), path, arena.SortedObject(members), arena);  // before the arena is moved
  return DerivedDocument(object, std::move(arena), root);
}

}  // namespace smp
