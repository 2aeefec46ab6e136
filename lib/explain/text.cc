#include "explain/text.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/style.h"
#include "explain/text_object.h"
#include "explain/text_rows.h"
#include "value/escape.h"

namespace smp::explain {

namespace {

using Objects = std::vector<const ObjectReport*>;

constexpr size_t kNamed = 3;  // of objects with something in common; the end of the text names them all

std::string Head(const Report& report) {
  if (!report.context) return {};
  if (!report.here) return As(Role::kDim, Visible(ContextWords(*report.context), Newlines::kEscape)) + "\n\n";
  return As(Role::kDim,
            ComparedPlaces(report) + "lines lead from there to here: ~ there → here, + only here, - only there") +
         "\n\n";
}

// An unchanged object with warnings, or with rows of what is kept, is shown.
bool IsQuiet(const ObjectReport& object) {
  return object.action == Action::kUnchanged && object.rows.empty() && Remarks(object).empty();
}

// Errors come first. Definitions come last: a new version of a project changes thousands of lines of their schemas, and a
// few of everything else.
int RankOf(const ObjectReport& object) {
  if (object.action == Action::kError) return 0;
  const bool stays = object.action != Action::kPrune && object.action != Action::kRecreate;
  return stays && object.kind == "CustomResourceDefinition" ? 2 : 1;
}

// An object without a kind could not be read; the caller prints its error.
Objects ShownObjects(const Report& report, const TextOptions& options) {
  Objects out;
  for (const ObjectReport& object : report.objects) {
    if (!object.kind.empty() && (options.unchanged || !IsQuiet(object))) out.push_back(&object);
  }
  std::ranges::stable_sort(out, {}, [](const ObjectReport* object) { return RankOf(*object); });
  return out;
}

// --- blocks

// Objects of one action with the same changes.
struct Block {
  Objects objects;
  std::string body;  // without lines of manifests
};

// Returns true if it says enough to be worth a block for several objects.
bool CanShare(const ObjectReport& object) { return object.action != Action::kUnchanged; }

std::vector<Block> Blocks(const Objects& objects, const TextOptions& options) {
  std::vector<Block> out;
  std::map<std::tuple<Action, bool, std::string>, size_t> places;
  for (const ObjectReport* object : objects) {
    std::string body = PrintBody(*object, Places::kHide, options);
    const auto [at, is_new] = places.try_emplace({object->action, SaysWhoApplied(*object), body}, out.size());
    if (is_new || !CanShare(*object)) {
      out.push_back({{object}, std::move(body)});
    } else {
      out[at->second].objects.push_back(object);
    }
  }
  return out;
}

std::string Plural(std::string kind) {
  if (kind.ends_with("ss")) return kind + "es";
  if (kind.ends_with("s")) return kind;
  const bool vowel = kind.size() > 1 && std::string_view("aeiou").find(kind[kind.size() - 2]) != std::string_view::npos;
  if (kind.ends_with("y") && !vowel) return kind.replace(kind.size() - 1, 1, "ies");
  return kind + "s";
}

bool OneKind(const Objects& objects) {
  return std::all_of(objects.begin(), objects.end(),
                     [&](const ObjectReport* object) { return object->kind == objects.front()->kind; });
}

enum class Kinds { kShow, kHide };

std::string Names(const Objects& objects, Kinds kinds, size_t most) {
  std::vector<std::string> names;
  for (const ObjectReport* object : objects) {
    const std::string name = NameOf(*object);
    names.push_back(kinds == Kinds::kShow ? name : name.substr(object->kind.size() + 1));
  }
  return NameSome(std::move(names), most);
}

// Returns "3 Deployments: the same 2 changes: default/a, default/b and 1 more" and a newline.
std::string SharedHead(const Objects& objects, const TextOptions& options) {
  const ObjectReport& first = *objects.front();
  const size_t changes = CountChanges(first);
  const std::string same = changes == 0   ? std::string(ActionWords(first))
                           : changes == 1 ? StrCat(ActionWords(first), ", the same change")
                                          : StrCat(ActionWords(first), ", the same ", changes, " changes");
  const bool one_kind = OneKind(objects);
  return As(Role::kHeading,
            PrintWrapped(StrCat(objects.size(), " ", one_kind ? Plural(first.kind) : "objects", ": ", same, " in ",
                                Names(objects, one_kind ? Kinds::kHide : Kinds::kShow, kNamed)),
                         0, options));
}

// --- remarks that several objects have

using Counts = std::map<std::string, Objects>;

Counts ObjectsByRemark(const Objects& objects) {
  Counts out;
  for (const ObjectReport* object : objects) {
    for (const std::string& remark : Remarks(*object)) out[remark].push_back(object);
  }
  return out;
}

// Returns the lines about remarks that more than one object has.
std::string PrintShared(const Counts& remarks, const TextOptions& options) {
  std::string out;
  for (const auto& [remark, objects] : remarks) {
    if (objects.size() < 2) continue;
    out +=
        As(Role::kWarning,
           PrintWrapped(StrCat(remark, " (", objects.size(), " objects: ", Names(objects, Kinds::kShow, kNamed), ")"),
                        0, options));
  }
  return out.empty() ? "" : out + "\n";
}

std::string PrintBlock(const Block& block, const Counts& remarks, const TextOptions& options) {
  const ObjectReport& first = *block.objects.front();
  const bool alone = block.objects.size() == 1;
  std::string out = alone ? PrintHead(first, options) : SharedHead(block.objects, options);
  for (const ObjectReport* object : block.objects) {
    for (const std::string& remark : Remarks(*object)) {
      if (remarks.at(remark).size() == 1) out += As(Role::kWarning, PrintWrapped(remark, 2, options));
    }
  }
  return StrCat(out, alone ? PrintBody(first, Places::kShow, options) : block.body,
                PrintManagers(block.objects, options));
}

// Objects that only have a head need no empty line between them.
std::string PrintBlocks(const Objects& objects, const TextOptions& options) {
  const Counts remarks = ObjectsByRemark(objects);
  std::string out = PrintShared(remarks, options);
  bool bare = false;
  for (const Block& block : Blocks(objects, options)) {
    const std::string text = PrintBlock(block, remarks, options);
    const bool only_head = std::count(text.begin(), text.end(), '\n') == 1;
    if (bare && only_head) out.pop_back();
    out += text + "\n";
    bare = only_head;
  }
  return out;
}

// --- the end

char SignOf(Action action) {
  switch (action) {
    case Action::kCreate: return '+';
    case Action::kPrune: return '-';
    case Action::kError: return '!';
    default: return '~';
  }
}

std::string ChangesOf(const ObjectReport& object) {
  if (object.compared && object.action != Action::kChange) return std::string(ActionWords(object));
  switch (object.action) {
    case Action::kCreate: return "created";
    case Action::kPrune: return "deleted";
    case Action::kRecord: return "last-applied only";
    case Action::kError: return object.rows.empty() ? "error" : "refused";
    case Action::kRecreate: return "created again";
    default: return ChangedFields(object);
  }
}

// Names every object that is not unchanged, with its fields: "~ Deployment default/web, default/api: image, env (2)".
std::string ChangedObjects(const Report& report, const TextOptions& options) {
  std::vector<std::pair<std::string, Objects>> lines;  // what changes, and of which objects
  std::map<std::string, size_t> places;
  for (const ObjectReport& object : report.objects) {
    if (object.action == Action::kUnchanged || object.kind.empty()) continue;
    const std::string changes = ChangesOf(object);
    const std::string key = StrCat(SignOf(object.action), " ", object.kind, ": ", changes);
    const auto [at, is_new] = places.try_emplace(key, lines.size());
    if (is_new) lines.emplace_back(changes, Objects());
    lines[at->second].second.push_back(&object);
  }
  std::string out;
  for (const auto& [changes, objects] : lines) {
    const std::string names = StrCat(objects.front()->kind, " ", Names(objects, Kinds::kHide, objects.size()));
    const char sign = SignOf(objects.front()->action);
    out += WithSign(RoleOfSign(sign), PrintWrapped(StrCat(sign, " ", names, ": ", changes), 2, options));
  }
  return out;
}

// What others set in objects that are not shown.
std::string OthersInUnchanged(const Report& report, const TextOptions& options) {
  const auto objects = std::count_if(report.objects.begin(), report.objects.end(), [](const ObjectReport& object) {
    return IsQuiet(object) && !object.of_others.empty();
  });
  if (objects == 0 || options.unchanged) return {};
  return StrCat(objects, objects == 1 ? " unchanged object has" : " unchanged objects have",
                " fields that other managers set (--show=all)");
}

// Who applied the objects last whose blocks do not say it.
std::string LastAppliedOfOthers(const Report& report) {
  Objects objects;
  for (const ObjectReport& object : report.objects) {
    if (object.action == Action::kChange && !SaysWhoApplied(object)) objects.push_back(&object);
  }
  return objects.empty() ? "" : LastApplied(objects);
}

// Each reason that occurs, once.
std::string Legend(const Report& report, const TextOptions& options) {
  std::set<Reason> reasons;
  for (const ObjectReport& object : report.objects) {
    for (const ReportRow& row : object.rows) {
      if (object.action != Action::kCreate) reasons.insert(row.reason);
    }
  }
  std::string out;
  for (const Reason reason : reasons) {
    out += PrintWrapped(StrCat(ReasonName(reason), ": ", MeaningOf(reason)), 2, options);
  }
  return out.empty() ? "" : StrCat(As(Role::kHeading, "reasons:"), "\n", out, "\n");
}

}  // namespace

std::string PrintText(const Report& report, const TextOptions& options) {
  std::string out = Head(report);
  out += PrintBlocks(ShownObjects(report, options), options);
  if (options.legend && !report.here) out += Legend(report, options);
  for (const std::string& line : {OnlyInLive(report), OthersInUnchanged(report, options), LastAppliedOfOthers(report),
                                  NotAsked(report), NotCompared(report)}) {
    out += As(Role::kDim, PrintWrapped(line, 0, options));
  }
  return Rendered(StrCat(out, ChangedObjects(report, options), As(Role::kHeading, CountObjects(report)), "\n"),
                  options.color);
}

}  // namespace smp::explain
