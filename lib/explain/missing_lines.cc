#include "explain/missing_lines.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/worries.h"

namespace smp::explain {

namespace {

// A namespace, and what is missing in it.
using MissingObject = std::pair<std::string_view, NeededObject>;

struct NeededBy {
  MissingObject missing;
  Objects objects = {};
};

// Returns what new Pods miss, and Pods of today do not.
std::vector<NeededBy> MissingObjects(const Objects& all) {
  std::vector<NeededBy> out;
  std::map<MissingObject, size_t> places;
  for (const ObjectReport* object : all) {
    for (const NeededObject& need : object->pods.missing) {
      if (NeedsToday(*object, need)) continue;
      const MissingObject missing = {need.has_namespace() ? std::string_view(object->name_space) : "", need};
      const auto [at, is_new] = places.try_emplace(missing, out.size());
      if (is_new) out.push_back({missing});
      out[at->second].objects.push_back(object);
    }
  }
  return out;
}

// Returns "ExternalSecret tls", a custom resource from which some controller makes the missing object; "".
std::string MakerOf(const MissingObject& missing, const Objects& all) {
  const auto& [name_space, need] = missing;
  for (const ObjectReport* object : all) {
    const bool may_make_it = (object->kind != need.kind && object->kind.ends_with(need.kind)) ||
                             (object->kind == "Certificate" && need.kind == "Secret");
    if (may_make_it && object->name_space == name_space && object->name == need.name) {
      return StrCat(object->kind, " ", object->name);
    }
  }
  return {};
}

// Returns true if the input has the object, but its manifest is not sent, or refused. One with a mistake may lack its namespace.
bool IsInputsOwn(const MissingObject& missing, const Objects& all) {
  const auto& [name_space, need] = missing;
  return std::ranges::any_of(all, [&](const ObjectReport* object) {
    const bool is_there = object->name_space.empty() || object->name_space == name_space;
    return object->action == Action::kError && object->kind == need.kind && object->name == need.name && is_there;
  });
}

// Admission refuses Pods without one of these.
bool IsForAdmission(std::string_view kind) { return kind == "ServiceAccount" || kind.ends_with("Class"); }

// Returns what happens without the object, or the key. Often a Job makes it, a new one, or one that the server refuses to
// change.
std::string WhatFollows(const MissingObject& missing, const Objects& all) {
  const std::string_view name_space = missing.first, kind = missing.second.kind;
  if (IsInputsOwn(missing, all)) return "new Pods wait, as its manifest is not sent";
  if (IsForAdmission(kind)) return "no new Pod can be created until it exists";
  if (kind == "PersistentVolumeClaim") return "new Pods wait until it exists";
  if (const std::string maker = MakerOf(missing, all); !maker.empty())
    return StrCat("new Pods wait until ", maker, " makes it");
  if (missing.second.as_file) return "new Pods find an empty folder in place of the file";
  if (!missing.second.key.empty()) return "new Pods wait until somebody adds it";
  Objects refused, created;
  for (const ObjectReport* object : all) {
    if (object->kind != "Job" || object->name_space != name_space) continue;
    if (object->action == Action::kError) refused.push_back(object);
    if (object->action == Action::kCreate) created.push_back(object);
  }
  if (!refused.empty())
    return StrCat("new Pods wait, and what may make it is refused (", NamesByKind(refused, kMostBrief), ")");
  if (!created.empty())
    return StrCat("new Pods wait until something makes it, maybe ", NamesByKind(created, kMostBrief));
  return "new Pods wait for it, and nothing in the input seems to make it";
}

// The namespaces in which the input has an object.
std::map<NeededObject, NamesOnce> NamespacesInInput(const Objects& all) {
  std::map<NeededObject, NamesOnce> out;
  for (const ObjectReport* object : all) {
    const bool may_be_needed =
        (object->kind == "Secret" || object->kind == "ConfigMap") && object->action != Action::kError;
    if (may_be_needed) out[{object->kind, object->name}].Add(object->name_space);
  }
  return out;
}

// Returns true for a key of an object that the input does not have.
bool IsOnServerAlone(const MissingObject& missing, const Objects& all) {
  const auto& [name_space, need] = missing;
  const auto has = [&](const ObjectReport* object) {
    return object->kind == need.kind && object->name == need.name && object->name_space == name_space;
  };
  return !need.key.empty() && std::ranges::none_of(all, has);
}

// Returns "Secret shop/tls", or "key password of Secret shop/db".
std::string InWords(const MissingObject& missing) {
  const auto& [name_space, object] = missing;
  return StrCat(object.key.empty() ? "" : StrCat("key ", object.key, " of "), object.kind, " ", name_space,
                name_space.empty() ? "" : "/", object.name);
}

}  // namespace

bool NeedsToday(const ObjectReport& object, const NeededObject& need) {
  const std::vector<NeededObject>& now = need.key.empty() ? object.needs_now : object.keys_needed_now;
  return std::ranges::find(now, need) != now.end();
}

std::vector<std::string> MissingLines(const Objects& all, size_t most) {
  const auto in_input = NamespacesInInput(all);
  std::vector<std::string> out;
  std::vector<std::string> more;
  std::string told;  // what follows, in the line before
  for (const auto& [missing, objects] : MissingObjects(all)) {
    const std::string full_name = InWords(missing);
    if (out.size() >= most) {
      more.push_back(full_name);
      continue;
    }
    const std::string follows = WhatFollows(missing, all);
    const auto elsewhere = in_input.find(missing.second);
    const bool is_elsewhere = elsewhere != in_input.end();
    const std::string where = is_elsewhere ? StrCat(", though the input has it in ", elsewhere->second.Some(2))
                              : IsOnServerAlone(missing, all) ? " on the server"
                                                              : " in the input and on the server";
    const std::string what =
        follows == told ? StrCat("missing", is_elsewhere ? where : ", too") : StrCat("missing", where, ": ", follows);
    out.push_back(StrCat(full_name, " is ", what, "; needed by ", NamesByKind(objects, most)));
    told = follows;
  }
  if (!more.empty()) out.push_back(StrCat("missing likewise: ", NameSome(std::move(more), kMostNamed)));
  return out;
}

std::string MissingInShort(const Objects& all) {
  constexpr size_t kMost = 3;
  const auto in_input = NamespacesInInput(all);
  const std::vector<NeededBy> missing_objects = MissingObjects(all);
  std::vector<std::string> names;
  for (const auto& [missing, objects] : missing_objects) {
    const auto elsewhere = in_input.find(missing.second);
    const std::string maker = MakerOf(missing, all);
    const std::string where = elsewhere != in_input.end()
                                  ? StrCat(" (the input has it in ", elsewhere->second.Some(2), ")")
                              : !maker.empty() ? StrCat(" (until ", maker, " makes it)")
                                               : "";
    const std::string file = missing.second.as_file ? " (a file, in whose place is an empty folder)" : "";
    const std::string by = missing_objects.size() <= kMost ? StrCat(", needed by ", NamesByKind(objects, 1)) : "";
    names.push_back(StrCat(InWords(missing), where, file, by));
  }
  const bool waits =
      std::ranges::any_of(missing_objects, [](const NeededBy& one) { return !one.missing.second.as_file; });
  return StrCat("missing", waits ? ", so that new Pods wait: " : ": ", NameSome(std::move(names), kMost, "; "));
}

}  // namespace smp::explain
