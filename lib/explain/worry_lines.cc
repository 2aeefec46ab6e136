#include "explain/worry_lines.h"

#include <map>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/object_names.h"

namespace smp::explain {

namespace {

constexpr size_t kMostWorries = 12;  // objects, or groups of them
constexpr size_t kMostOfAWorry = 6;  // objects with the same fields

using ByFields = std::vector<std::pair<std::string_view, Objects>>;

// Returns "Deployment default/web, default/api (replicas, image); Service default/web".
std::string NamesWithFields(const ByFields& by_fields, bool fails, WorryLength length) {
  const bool brief = length == WorryLength::kBrief;
  std::vector<std::string> names;
  for (const auto& [fields, objects] : by_fields) {
    const bool counted = fails && objects.size() > kMostOfAWorry + 1;
    names.push_back(StrCat(counted ? CountByKind(objects) : NamesByKind(objects, brief ? kMostBrief : kMostOfAWorry),
                           fields.empty() ? "" : StrCat(" (", fields, ")")));
  }
  return NameSome(std::move(names), brief ? kMostBrief : kMostWorries, "; ");
}

// What an apply refuses, undoes or leaves open is not shortened.
WorryLength LengthOf(Worry worry, WorryLength length) {
  const bool is_told = IsFailure(worry) || worry == Worry::kUndoes || worry == Worry::kPrivileges;
  return is_told ? WorryLength::kAll : length;
}

constexpr size_t kMostCrdsWithRules = 3;  // their blocks have the rules of more

ByFields WithoutFields(const ByFields& by_fields) {
  Objects all;
  for (const auto& [fields, objects] : by_fields) all.insert(all.end(), objects.begin(), objects.end());
  return {{"each with rules of its own", std::move(all)}};
}

std::set<std::string> WaysOut(const ByFields& by_fields) {
  std::set<std::string> out;
  for (const auto& [fields, objects] : by_fields) {
    for (const ObjectReport* object : objects) {
      if (!object->way_out.empty()) out.insert(object->way_out);
    }
  }
  return out;
}

}  // namespace

bool IsFailure(Worry worry) {
  return worry == Worry::kFailed || worry == Worry::kRefused || worry == Worry::kNotCreated;
}

std::string_view WordsOf(Worry worry) {
  switch (worry) {
    case Worry::kFailed: return "cannot be explained";
    case Worry::kRefused: return "will be refused, and stays as it is";
    case Worry::kNotCreated: return "does not exist, and will not be created";
    case Worry::kUndoes: return "undoes changes that were made in live";
    case Worry::kPrivileges: return "keeps privileges that others added";
    case Worry::kMissing: return "needs what neither the input nor the server has, unless a controller makes it";
    case Worry::kRightsGone: return "takes rights away";
    case Worry::kRightsGiven: return "gives far-reaching rights";
    case Worry::kNodeRights: return "gives Pods rights on their nodes";
    case Worry::kImagePlace: return "takes images from another place";
    case Worry::kMovingImage: return "images without a fixed version: new Pods may get a newer one";
    case Worry::kMajorVersion: return "runs another major version on existing data";
    case Worry::kMajorVersionElsewhere: return "runs another major version";
    case Worry::kRunsAtOnce: return "runs as soon as it is created";
    case Worry::kTraffic: return "limits the traffic of Pods";
    case Worry::kSafeguards: return "removes safeguards";
    case Worry::kMayRefuse: return "stricter schema: values of existing objects may be refused when they change";
    case Worry::kFieldsGone: return "drops fields of a schema: existing values are lost at the next write";
    case Worry::kServerSide: return "will be applied server-side from now on, as it is too large for last-applied";
    case Worry::kKeeps: return "keeps what others set in live";
  }
  return "";
}

std::vector<WorryLine> WorryLines(const std::vector<WorriesOfObject>& objects, WorryLength length) {
  std::map<Worry, ByFields> by_worry;
  std::map<std::pair<Worry, std::string_view>, size_t> places;
  for (const auto& [object, worries] : objects) {
    for (const auto& [worry, words] : *worries) {
      const bool brief = LengthOf(worry, length) == WorryLength::kBrief;
      const std::string_view fields = brief ? words.brief : words.all;
      ByFields& by_fields = by_worry[worry];
      const auto [at, is_new] = places.try_emplace({worry, fields}, by_fields.size());
      if (is_new) by_fields.push_back({fields, {}});
      by_fields[at->second].second.push_back(object);
    }
  }
  std::vector<WorryLine> out;
  for (auto& [worry, by_fields] : by_worry) {
    const bool fails = IsFailure(worry);
    const WorryLength shown = LengthOf(worry, length);
    if (worry == Worry::kMayRefuse && by_fields.size() > kMostCrdsWithRules) by_fields = WithoutFields(by_fields);
    out.push_back({fails, StrCat(WordsOf(worry), ": ", NamesWithFields(by_fields, fails, shown)),
                   fails ? WaysOut(by_fields) : std::set<std::string>()});
  }
  return out;
}

std::vector<WorryLine> WorryLines(const Report& report) {
  std::vector<FoundWorries> found;
  for (const ObjectReport& object : report.objects) found.push_back(WorriesOf(object));
  std::vector<WorriesOfObject> objects;
  for (size_t i = 0; i < found.size(); ++i) objects.push_back({&report.objects[i], &found[i]});
  return WorryLines(objects, WorryLength::kAll);
}

}  // namespace smp::explain
