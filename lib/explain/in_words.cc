#include "explain/in_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/deleted_worries.h"
#include "explain/object_names.h"
#include "smp/foretell.h"
#include "value/escape.h"

namespace smp::explain {

std::string NameOf(const ObjectReport& object) {
  if (object.kind.empty() && !object.source.file.empty()) return ToString(object.source);
  std::string out = StrCat(object.kind.empty() ? "?" : object.kind, " ");
  if (!object.name_space.empty()) out += StrCat(object.name_space, "/");
  return StrCat(out, object.name.empty() ? "?" : object.name);
}

namespace {

std::string_view WordsOfComparison(const ObjectReport& object) {
  switch (object.action) {
    case Action::kCreate: return "only here";
    case Action::kPrune: return "only there";
    case Action::kUnchanged: return "equal";
    case Action::kError: return "cannot be compared";
    default: return "differs";
  }
}

}  // namespace

std::string_view ActionWords(const ObjectReport& object) {
  if (object.compared) return WordsOfComparison(object);
  switch (object.action) {
    case Action::kCreate: return object.new_pods ? "will be created, with new Pods" : "will be created";
    case Action::kChange: return object.new_pods ? "will change, with new Pods" : "will change";
    case Action::kRecord: return "only its last-applied annotation changes";
    case Action::kUnchanged: return "unchanged";
    case Action::kPrune: return "will be deleted: it was applied before and is no longer in any manifest";
    case Action::kRecreate: return "will be deleted and created again";
    case Action::kError:
      if (object.error->message.starts_with(kForetold)) return "will be refused";
      return object.rows.empty() ? "cannot be explained" : "refused";
  }
  return "";
}

std::string_view CountedAs(Action action) {
  switch (action) {
    case Action::kCreate: return "to create";
    case Action::kChange: return "to change";
    case Action::kRecord: return "last-applied only";
    case Action::kUnchanged: return "unchanged";
    case Action::kPrune: return "to delete";
    case Action::kRecreate: return "to recreate";
    case Action::kError: return "with errors";
  }
  return "";
}

namespace {

std::string_view CountedInComparison(Action action) {
  switch (action) {
    case Action::kCreate: return "only here";
    case Action::kPrune: return "only there";
    case Action::kUnchanged: return "equal";
    case Action::kError: return "with errors";
    default: return "different";
  }
}

}  // namespace

namespace {

constexpr int kInvalid = 422;  // HTTP status

bool AllErrorsAreRefusals(const Report& report) {
  return std::all_of(report.objects.begin(), report.objects.end(), [](const ObjectReport& object) {
    return !object.error || object.error->code == ErrorCode::kRefused || object.error->http_status == kInvalid;
  });
}

// Returns " (3 with new Pods)"; "" if no object with this action has any.
std::string WithNewPods(const Report& report, Action action) {
  const auto count = std::count_if(report.objects.begin(), report.objects.end(), [&](const ObjectReport& object) {
    return object.action == action && object.new_pods;
  });
  return count == 0 ? "" : StrCat(" (", count, " with new Pods)");
}

// Returns " (2 with ignored changes)" of unchanged objects.
std::string WithIgnoredChanges(const Report& report) {
  const auto count = std::ranges::count_if(report.objects, [](const ObjectReport& object) {
    return object.action == Action::kUnchanged && object.hidden.ignored > 0;
  });
  return count == 0 ? "" : StrCat(" (", count, " with ignored changes)");
}

}  // namespace

std::string CountObjects(const Report& report) {
  std::map<Action, size_t> counts;
  for (const ObjectReport& object : report.objects) ++counts[object.action];
  std::vector<std::string> parts;
  for (const auto& [action, count] : counts) {
    const bool refused = action == Action::kError && AllErrorsAreRefusals(report);
    parts.push_back(StrCat(count, " ",
                           refused       ? "refused"
                           : report.here ? CountedInComparison(action)
                                         : CountedAs(action),
                           report.here || action == Action::kError ? "" : WithNewPods(report, action),
                           action == Action::kUnchanged ? WithIgnoredChanges(report) : ""));
  }
  const size_t n = report.objects.size();
  const std::string ignored = CountIgnored(report);
  return StrCat(Counted(n, "object"), ": ", Join(parts, ", "), ignored.empty() ? "" : "; ", ignored);
}

std::string ContextWords(const ReportContext& context) {
  return StrCat("context ", context.name.empty() ? "-" : context.name, ", server ", context.server, ", user ",
                context.user.empty() ? "-" : context.user, ", namespace ", context.name_space,
                " (where a manifest names none)");
}

std::string ComparedPlaces(const Report& report) {
  if (!report.context || !report.here) return {};
  const auto words = [](const ReportContext& context) { return Visible(ContextWords(context), Newlines::kEscape); };
  return StrCat("there: ", words(*report.context), "\nhere:  ", words(*report.here), "\n");
}

std::string CountIgnored(const Report& report) {
  size_t count = 0;
  std::set<std::string> by;
  for (const ObjectReport& object : report.objects) {
    count += object.hidden.ignored;
    by.insert(object.ignored_by.begin(), object.ignored_by.end());
  }
  return count == 0 ? "" : StrCat(count, " ignored (", Join(by, ", "), ")");
}

std::string NotAsked(const Report& report) {
  const bool offline = !report.context.has_value();
  const auto sends = [](const ObjectReport& object) { return object.patch || object.action == Action::kCreate; };
  if (offline || report.here || report.asked == Asked::kServer) return {};
  if (std::none_of(report.objects.begin(), report.objects.end(), sends)) return {};
  // Rules that only the server evaluates may forbid a change, too.
  const bool may_recreate = report.forces && std::ranges::any_of(report.objects, [](const ObjectReport& object) {
                              return object.action == Action::kChange;
                            });
  return StrCat("not checked by the server (validation, admission, webhooks): use ", report.asking_flag,
                may_recreate ? "; what it then says cannot change, --force deletes and creates again" : "");
}

bool MayLeaveObjects(const Report& report) {
  const bool applies = report.context && !report.here && !report.prunes;
  const auto upgrades = [](const ObjectReport& object) {
    const bool has_new_images = object.action == Action::kChange && object.new_pods && !object.pods.same_images;
    return object.action == Action::kCreate || has_new_images;
  };
  // All objects of an application may have got other names: then its namespace is left of it.
  const auto is_left = [](const ObjectReport& object) {
    return Exists(object) && object.kind != "CustomResourceDefinition";
  };
  return applies && std::ranges::any_of(report.objects, upgrades) && std::ranges::any_of(report.objects, is_left);
}

namespace {

// The objects of a kind, and how many more there are.
struct NamesOfKind {
  std::vector<std::string> names;
  size_t more = 0;
};

// Returns "Deployment shop/old (args; by kubectl-edit), shop/older; Service shop/old and 3 more": first the kinds in which others
// changed something.
std::string NamesOfLeft(const Report& report, LeftLength length) {
  const bool brief = length == LeftLength::kBrief;
  const size_t most_changed = brief ? 2 : 8, most = brief ? 1 : 3;
  const std::string_view said = NamespaceToSay(report);
  std::vector<std::string_view> kinds;
  std::map<std::string_view, NamesOfKind> all;
  for (const bool changed : {true, false}) {
    for (const LeftObject& object : *report.left) {
      if (object.changed.empty() == changed) continue;
      if (!all.contains(object.kind)) kinds.push_back(object.kind);
      auto& [names, more] = all[object.kind];
      const bool is_definition = object.kind == "CustomResourceDefinition";  // their names are long
      if (names.size() >= (changed ? most_changed : is_definition ? 1 : most)) {
        ++more;
        continue;
      }
      const bool hides = object.name_space.empty() || object.name_space == said;
      names.push_back(StrCat(hides ? "" : StrCat(object.name_space, "/"), object.name,
                             !changed ? ""
                             : brief  ? " (edited)"
                                      : StrCat(" (", object.changed, ")")));
    }
  }
  std::vector<std::string> parts;
  for (const std::string_view kind : kinds) {
    const auto& [names, more] = all[kind];
    parts.push_back(StrCat(kind, " ", Join(names, ", "), more > 0 ? StrCat(" and ", more, " more") : ""));
  }
  return Join(parts, "; ");
}

}  // namespace

std::string LeftObjects(const Report& report, LeftLength length) {
  if (!MayLeaveObjects(report)) return {};
  if (!report.left) return "not looked for: objects that only earlier manifests had; they stay without --prune";
  if (report.left->empty()) return {};
  return StrCat("applied before and not in the input; they stay without --prune: ", NamesOfLeft(report, length));
}

std::string NotCompared(const Report& report) {
  std::set<std::string> names;
  for (const ObjectReport& object : report.objects) {
    names.insert(object.not_compared.begin(), object.not_compared.end());
  }
  return names.empty() ? "" : StrCat("not compared, though different: ", Join(names, ", "));
}

std::string OnlyInLive(const Report& report) {
  size_t fields = 0;
  bool owners_known = true;
  for (const ObjectReport& object : report.objects) {
    const size_t more = object.hidden.live_only - object.kept_of_others;
    fields += more;
    owners_known = owners_known && (more == 0 || !object.appliers.empty());
  }
  if (fields == 0 || (owners_known && !report.here)) return {};
  const bool others = std::any_of(report.objects.begin(), report.objects.end(),
                                  [](const ObjectReport& object) { return !object.of_others.empty(); });
  return StrCat(Counted(fields, others ? "more field" : "field"), " only in live, kept (--show=live-only)");
}

}  // namespace smp::explain
