#include "explain/text_managers.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/text_rows.h"
#include "value/path.h"

namespace smp::explain {

namespace {

bool SameManager(const FieldManager& a, const FieldManager& b) {
  return a.name == b.name && a.operation == b.operation && a.subresource == b.subresource;
}

// What a manager set in some of several objects.
struct FieldsInObjects {
  FieldsOfManager fields;
  std::vector<std::string> objects;  // names
  bool is_refused = false;           // apply leaves the objects as they are
};

std::string KeyOf(const FieldsOfManager& fields, bool is_refused) {
  const FieldManager& by = fields.manager;
  std::string out = StrCat(is_refused ? "refused\n" : "", by.name, "\n", by.operation, "\n", by.subresource);
  for (const FieldPath& path : fields.paths) out += StrCat("\n", ToString(path));
  return out;
}

// Adds what a manager set in an object to the same fields of others, with the time of the newest entry.
void AddFields(const FieldsOfManager& fields, const ObjectReport& object, FieldsInObjects& out) {
  if (out.objects.empty()) out.fields = fields;
  out.objects.push_back(NameOf(object));
  out.is_refused = object.action == Action::kError;
  out.fields.manager.time = std::max(out.fields.manager.time, fields.manager.time);
  for (size_t i = 0; i < fields.values.size(); ++i) {
    if (out.fields.values[i] != fields.values[i]) out.fields.values[i].clear();  // each object has another one
  }
}

// Returns "2 fields only in live and kept, set by mallory (Update; last write 3d ago): spec.hostNetwork: true,
// spec.hostPID: true", of one of several objects with "of Deployment default/web".
std::string OfOthers(const FieldsInObjects& set, bool by_all, std::optional<std::chrono::sys_seconds> now) {
  const FieldsOfManager& fields = set.fields;
  std::vector<std::string> named;
  for (size_t i = 0; i < fields.paths.size(); ++i) {
    named.push_back(StrCat(ToString(fields.paths[i]), fields.values[i].empty() ? "" : ": ", fields.values[i]));
  }
  return StrCat(Counted(fields.paths.size(), "field"), by_all ? "" : StrCat(" of ", NameSome(set.objects, kMostNamed)),
                " only in live", set.is_refused ? "" : " and kept", ", set by ", Describe(fields.manager, now), ": ",
                NameSome(std::move(named), kMostNamed));
}

}  // namespace

std::string LastApplied(const std::vector<const ObjectReport*>& objects) {
  std::vector<FieldManager> appliers;
  for (const ObjectReport* object : objects) {
    for (const FieldManager& manager : object->appliers) {
      const auto same = std::find_if(appliers.begin(), appliers.end(),
                                     [&](const FieldManager& other) { return SameManager(other, manager); });
      if (same == appliers.end()) {
        appliers.push_back(manager);
      } else {
        same->time = std::max(same->time, manager.time);
      }
    }
  }
  if (appliers.empty()) return {};
  return StrCat("last applied by ", Describe(appliers, objects.front()->now));
}

std::string PrintFieldsOfOthers(const std::vector<const ObjectReport*>& objects, const TextOptions& options) {
  std::vector<FieldsInObjects> of_others;
  std::map<std::string, size_t> places;
  for (const ObjectReport* object : objects) {
    for (const FieldsOfManager& fields : object->of_others) {
      const auto [at, is_new] = places.try_emplace(KeyOf(fields, object->action == Action::kError), of_others.size());
      if (is_new) of_others.emplace_back();
      AddFields(fields, *object, of_others[at->second]);
    }
  }
  std::string out;
  for (const FieldsInObjects& set : of_others) {
    out += PrintWrapped(OfOthers(set, set.objects.size() == objects.size(), objects.front()->now), 2, options);
  }
  return out;
}

}  // namespace smp::explain
