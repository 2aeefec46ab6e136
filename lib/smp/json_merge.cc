#include "smp/json_merge.h"

#include "smp/meaning.h"
#include "value/mutable_tree.h"

namespace smp {

Value CreateJsonMergePatch(const Value& live, const Value& outcome, Arena& arena) {
  std::vector<Member> out;
  for (const Member& m : live.Members()) {
    const Value* wanted = outcome.Find(m.name);
    const bool gone = wanted == nullptr || wanted->is_null();
    if (gone && !m.value.is_null()) out.push_back({m.name, Value()});
  }
  for (const Member& m : outcome.Members()) {
    const Value* there = live.Find(m.name);
    if (m.value.is_null() || (there != nullptr && SameMeaning(*there, m.value))) continue;
    const bool both_maps = there != nullptr && there->is_object() && m.value.is_object();
    out.push_back({m.name, both_maps ? CreateJsonMergePatch(*there, m.value, arena) : WithoutNulls(m.value, arena)});
  }
  return arena.Object(std::move(out));
}

Value ApplyJsonMergePatch(const Value& target, const Value& patch, Arena& arena) {
  MutableTree tree(target, arena);
  tree.Merge(patch);
  return tree.root();
}

}  // namespace smp
