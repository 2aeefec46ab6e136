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

// Who needs it, and whether any of them needed it before: then today's Pods miss it, too.
struct NeededBy {
  MissingObject missing;
  Objects objects = {};
  bool today = false;
};

bool NeedsToday(const ObjectReport& object, const NeededObject& need) {
  return std::ranges::find(object.needs_now, need) != object.needs_now.end();
}

// Returns what only new Pods miss first.
std::vector<NeededBy> MissingObjects(const Objects& all) {
  std::vector<NeededBy> out;
  std::map<MissingObject, size_t> places;
  for (const ObjectReport* object : all) {
    for (const NeededObject& need : object->pods.missing) {
      const MissingObject missing = {need.has_namespace() ? std::string_view(object->name_space) : "", need};
      const auto [at, is_new] = places.try_emplace(missing, out.size());
      if (is_new) out.push_back({missing});
      out[at->second].objects.push_back(object);
      out[at->second].today |= NeedsToday(*object, need);
    }
  }
  std::ranges::stable_partition(out, [](const NeededBy& needed) { return !needed.today; });
  return out;
}

// Admission refuses Pods without one of these.
bool IsForAdmission(std::string_view kind) { return kind == "ServiceAccount" || kind.ends_with("Class"); }

// Returns what happens without an object of the kind. Often a Job makes it, a new one, or one that the server refuses to
// change.
std::string WhatFollows(std::string_view kind, std::string_view name_space, const Objects& all) {
  if (IsForAdmission(kind)) return "no new Pod can be created until it exists";
  if (kind == "PersistentVolumeClaim") return "new Pods wait until it exists";
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
  return "new Pods wait until a controller, a Job or an init container makes it";
}

// The namespaces in which the input has an object.
std::map<NeededObject, NamesOnce> NamespacesInInput(const Objects& all) {
  std::map<NeededObject, NamesOnce> out;
  for (const ObjectReport* object : all) {
    const bool may_be_needed = object->kind == "Secret" || object->kind == "ConfigMap";
    if (may_be_needed) out[{object->kind, object->name}].Add(object->name_space);
  }
  return out;
}

// Returns "Secret shop/tls".
std::string InWords(const MissingObject& missing) {
  const auto& [name_space, object] = missing;
  return StrCat(object.kind, " ", name_space, name_space.empty() ? "" : "/", object.name);
}

}  // namespace

std::vector<std::string> MissingLines(const Objects& all, size_t most) {
  const auto in_input = NamespacesInInput(all);
  std::vector<std::string> out;
  std::vector<std::string> more;
  std::string told;  // what follows, in the line before
  for (const auto& [missing, objects, today] : MissingObjects(all)) {
    const auto& [name_space, object] = missing;
    const std::string full_name = InWords(missing);
    if (out.size() >= most) {
      more.push_back(full_name);
      continue;
    }
    const std::string follows = WhatFollows(object.kind, name_space, all);
    const auto elsewhere = in_input.find(object);
    const bool is_elsewhere = elsewhere != in_input.end();
    const std::string where = is_elsewhere ? StrCat(", though the input has it in ", elsewhere->second.Some(2))
                                           : " in the input and on the server";
    const std::string what =
        follows == told ? StrCat("missing", is_elsewhere ? where : ", too") : StrCat("missing", where, ": ", follows);
    out.push_back(
        StrCat(full_name, " is ", what, "; needed by ", NamesByKind(objects, most), today ? ", as before" : ""));
    told = follows;
  }
  if (!more.empty()) out.push_back(StrCat("missing likewise: ", NameSome(std::move(more), kMostNamed)));
  return out;
}

std::string MissingInShort(const Objects& all) {
  constexpr size_t kMost = 3;
  const auto in_input = NamespacesInInput(all);
  const std::vector<NeededBy> missing_objects = MissingObjects(all);
  const bool all_today = std::ranges::all_of(missing_objects, &NeededBy::today);
  std::vector<std::string> names;
  size_t others = 0;  // that today's Pods miss, too
  for (const auto& [missing, objects, today] : missing_objects) {
    if (today && !all_today) {
      ++others;
      continue;
    }
    const auto elsewhere = in_input.find(missing.second);
    const std::string where =
        elsewhere == in_input.end() ? "" : StrCat(" (the input has it in ", elsewhere->second.Some(2), ")");
    const std::string by = missing_objects.size() <= kMost ? StrCat(", needed by ", NamesByKind(objects, 1)) : "";
    names.push_back(StrCat(InWords(missing), where, by));
  }
  return StrCat(
      "missing", all_today ? " as before" : "", ", so that new Pods wait: ", NameSome(std::move(names), kMost, "; "),
      others == 0 ? "" : StrCat("; ", others, others == 1 ? " other is" : " others are", " missing today, too"));
}

}  // namespace smp::explain
