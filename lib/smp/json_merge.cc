#include "smp/json_merge.h"

#include <map>

#include "smp/meaning.h"

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
  if (!patch.is_object()) return patch;
  std::map<std::string_view, Value> out;
  if (target.is_object()) {
    for (const Member& m : target.Members()) out.emplace_hint(out.end(), m.name, m.value);
  }
  for (const Member& m : patch.Members()) {
    if (m.value.is_null()) {
      out.erase(m.name);
      continue;
    }
    const auto at = out.find(m.name);
    out[m.name] = ApplyJsonMergePatch(at == out.end() ? Value() : at->second, m.value, arena);
  }
  std::vector<Member> members;
  for (const auto& [name, value] : out) members.push_back({name, value});
  return arena.SortedObject(members);
}

}  // namespace smp
