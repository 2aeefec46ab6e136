#include "explain/own_name.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace smp::explain {

namespace {

bool IsWordAt(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || !IsAlnum(text[begin - 1])) && (end == text.size() || !IsAlnum(text[end]));
}

// Returns where the name is next as a word, from `at`; npos if nowhere.
size_t FindWord(std::string_view text, std::string_view name, size_t at) {
  for (at = text.find(name, at); at != text.npos; at = text.find(name, at + name.size())) {
    if (IsWordAt(text, at, at + name.size())) return at;
  }
  return text.npos;
}

bool HasName(std::string_view text, std::string_view name) {
  return !name.empty() && FindWord(text, name, 0) != text.npos;
}

bool HasName(const Value& value, std::string_view name) {
  if (value.is_string()) return HasName(value.AsString(), name);
  if (value.is_array()) {
    return std::ranges::any_of(value.Items(), [&](const Value& item) { return HasName(item, name); });
  }
  return value.is_object() && std::ranges::any_of(value.Members(), [&](const Member& member) {
           return HasName(member.name, name) || HasName(member.value, name);
         });
}

Value Replaced(const Value& value, std::string_view name, Arena& arena) {
  if (value.is_string()) return arena.String(WithoutOwnName(value.AsString(), name));
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(Replaced(item, name, arena));
    return arena.Array(items);
  }
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const auto& [key, member] : value.Members()) {
    members.push_back({arena.Copy(WithoutOwnName(key, name)), Replaced(member, name, arena)});
  }
  return arena.Object(std::move(members));
}

}  // namespace

std::string WithoutOwnName(std::string_view text, std::string_view name) {
  if (name.empty()) return std::string(text);
  std::string out;
  size_t begin = 0;
  for (size_t at = FindWord(text, name, 0); at != text.npos; at = FindWord(text, name, begin)) {
    out += StrCat(text.substr(begin, at - begin), kOwnName);
    begin = at + name.size();
  }
  return out + std::string(text.substr(begin));
}

FieldPath WithoutOwnName(FieldPath path, std::string_view name) {
  for (PathStep& step : path) {
    step.name = WithoutOwnName(step.name, name);
    step.element = WithoutOwnName(step.element, name);
    for (auto& [key, text] : step.keys) text = WithoutOwnName(text, name);
  }
  return path;
}

const Value* WithoutOwnName(const Value* value, std::string_view name, Arena& arena) {
  return value == nullptr || !HasName(*value, name) ? value : arena.Keep(Replaced(*value, name, arena));
}

}  // namespace smp::explain
