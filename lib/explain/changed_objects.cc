#include "explain/changed_objects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/in_words.h"
#include "explain/object_names.h"
#include "explain/own_name.h"
#include "explain/schema_changes.h"
#include "explain/style.h"
#include "explain/text_rows.h"
#include "explain/worry_lines.h"

namespace smp::explain {

namespace {

char SignOf(Action action) {
  switch (action) {
    case Action::kCreate: return '+';
    case Action::kPrune: return '-';
    case Action::kError: return '!';
    default: return '~';
  }
}

std::string_view PodsInWords(const ShownObject& shown) {
  if (shown.object->new_pods) return "; new Pods";
  return shown.told->about.may_start_pods ? "; its controller may start new Pods" : "";
}

std::string_view ImagesInWords(const ShownObject& shown) {
  const bool replaces = shown.object->action == Action::kChange && shown.object->new_pods;
  const PodFacts& pods = shown.object->pods;
  if (!replaces || !pods.same_images) return {};
  return pods.moving_images.empty() ? ", images as before" : ", images named as before";
}

std::string_view WithoutSign(std::string_view field) {
  return field.substr(std::min(field.size(), field.find_first_not_of("+-")));
}

// Returns true if nobody needs to know more of the object. Labels that others changed may be of interest, and those that say what
// is allowed.
bool ChangesOnlyLabels(const ShownObject& shown) {
  const auto& [names, worries] = std::tie(shown.told->about.changed_fields.names, shown.told->about.worries);
  return shown.told->about.only_metadata && !worries.contains(Worry::kUndoes) && !worries.contains(Worry::kTakesOver) &&
         !worries.contains(Worry::kLaxer) && std::ranges::all_of(names, [](const NamedField& field) {
           const std::string_view bare = WithoutSign(field.name);
           return bare == "labels" || bare == "annotations";
         });
}

constexpr size_t kMostFieldNames = 3;
constexpr std::string_view kCreated = "created";

std::string ChangesOf(const ShownObject& shown, Brevity brevity) {
  const ObjectReport& object = *shown.object;
  if (object.compared && object.action != Action::kChange) return std::string(shown.told->about.action);
  switch (object.action) {
    case Action::kCreate: return object.new_pods && !object.compared ? "created; new Pods" : std::string(kCreated);
    case Action::kPrune: return "deleted";
    case Action::kRecord: return "last-applied only";
    case Action::kError: return shown.told->about.any ? "refused" : "error";
    case Action::kRecreate: return "created again";
    default: break;
  }
  const ChangedFieldsInWords& fields = shown.told->about.changed_fields;
  if (brevity >= Brevity::kNamesOfFields && WeightOf(shown) == Weight::kOther && !shown.told->about.may_start_pods) {
    std::vector<std::string> names;
    for (const NamedField& field : fields.names) names.push_back(field.name);
    return NameSome(std::move(names), kMostFieldNames);
  }
  const Brevity two = object.new_pods ? Brevity::kTwoFields : Brevity::kTwoFieldsOfOthers;
  const std::string& named = brevity >= two                      ? fields.first
                             : brevity >= Brevity::kOneLineAKind ? fields.some
                                                                 : fields.all;
  return StrCat(ChangesOnlyLabels(shown) ? "only " : "", named, object.compared ? "" : PodsInWords(shown),
                object.compared ? "" : ImagesInWords(shown),
                brevity >= two && fields.first_lacks_images ? ", other images" : "");
}

// Returns true if the worries name the object, and say why it fails.
bool IsFailure(const ShownObject& shown) {
  return std::ranges::any_of(shown.told->about.worries, [](const auto& entry) { return IsFailure(entry.first); });
}

constexpr size_t kMany = 4;  // objects that are told together

struct SameChange {
  char sign;
  std::string changes;
  ShownList objects;
};

// Says how far from the end an object is named: what does most is nearest to where people look first.
int RankAtEnd(const ShownObject& shown) {
  if (shown.told->about.only_metadata) return 0;
  switch (WeightOf(shown)) {
    case Weight::kError: return 5;
    case Weight::kPodsOrDeletion: return 4;
    case Weight::kOther: return shown.object->action == Action::kCreate ? 3 : 2;
    case Weight::kDefinition: return 1;
    case Weight::kOnlyMetadata: return 0;
  }
  return 0;
}

// Returns true if a screen has to name the object: Pods start, or an object goes.
bool IsWeighty(const ShownObject& shown) {
  return WeightOf(shown) <= Weight::kPodsOrDeletion || shown.told->about.may_start_pods;
}

struct FieldOfAny {
  std::string name;  // one that is added to some, and changed in others, has no sign
  Danger danger = Danger::kOther;
  size_t objects = 0;   // that change it
  NamesOnce keys = {};  // NamedField::keys of all of them
};

std::vector<NamedField> NamedFieldsOf(const ShownObject& shown) {
  return shown.told->about.one_file ? std::vector<NamedField>{{"files"}} : shown.told->about.changed_fields.names;
}

// Returns the fields that change in any of the objects, the most dangerous first.
std::vector<FieldOfAny> FieldsOfAny(const ShownList& objects) {
  std::vector<FieldOfAny> fields;
  std::map<std::string, size_t> places;
  for (const ShownObject& shown : objects) {
    for (const auto& [name, danger, keys] : NamedFieldsOf(shown)) {
      const std::string bare(WithoutSign(name));
      const auto [at, is_new] = places.try_emplace(bare, fields.size());
      if (is_new) fields.push_back({name, danger});
      FieldOfAny& field = fields[at->second];
      if (field.name != name) field.name = bare;
      field.danger = std::min(field.danger, danger);
      ++field.objects;
      for (const std::string& key : keys) field.keys.Add(key);
    }
  }
  std::ranges::stable_sort(fields, {}, &FieldOfAny::danger);
  return fields;
}

// Returns "insiders → 6.3" of "web insiders → 6.3"; "" of an image that becomes another one: "httpd:2 → nginx:1".
std::string StepOf(const std::string& image) {
  const size_t space = image.find(' ');
  const std::string step = space == std::string::npos ? "" : image.substr(space + 1);
  return step.starts_with("→") ? "" : step;
}

// Returns {"3 images 1.2 → 1.3 (api, db, web)", "redis 7.2 → 8.2"}: images that take the same step together, and first.
std::vector<std::string> WithSameSteps(const std::vector<std::string>& images) {
  constexpr size_t kAlike = 3, kMostNamesOfStep = 3;
  std::map<std::string, std::vector<std::string>> by_step;
  for (const std::string& image : images) by_step[StepOf(image)].push_back(image.substr(0, image.find(' ')));
  NamesOnce alike, others;
  for (const std::string& image : images) {
    const std::string step = StepOf(image);
    const std::vector<std::string>& names = by_step[step];
    const bool many = !step.empty() && names.size() >= kAlike;
    if (many) alike.Add(StrCat(names.size(), " images ", step, " (", NameSome(names, kMostNamesOfStep), ")"));
    if (!many) others.Add(image);
  }
  for (const std::string& image : others.all()) alike.Add(image);
  return alike.all();
}

// Returns the images that the objects change: "argocd v3.1.0 → v3.5.1; redis 7.2 → 8.2".
std::string ImagesOfAny(const ShownList& objects, Brevity brevity) {
  const size_t most = brevity >= Brevity::kFewPods ? 2 : 4;
  NamesOnce images;
  for (const ShownObject& shown : objects) {  // their own programs before what runs beside these
    const std::vector<std::string>& own = shown.told->about.changed_fields.images;
    if (!own.empty()) images.Add(own.front());
  }
  for (const ShownObject& shown : objects) {
    for (const std::string& image : shown.told->about.changed_fields.images) images.Add(image);
  }
  return NameSome(WithSameSteps(images.all()), most, "; ");
}

std::string SchemasInWords(const ShownList& objects) {
  SchemaCounts all;
  for (const ShownObject& shown : objects) all += shown.told->about.changed_fields.schema;
  const auto stricter = std::ranges::count_if(
      objects, [](const ShownObject& shown) { return shown.told->about.changed_fields.schema.stricter > 0; });
  const bool each = stricter == static_cast<std::ptrdiff_t>(objects.size());
  return SchemaInWords(all, each ? "stricter" : StrCat("stricter in ", stricter));
}

// Moves those of the fields that NameSome names, and that change in all objects, before the others.
std::vector<FieldOfAny> NamedFirst(std::vector<FieldOfAny> fields, size_t most, size_t objects) {
  const size_t named = fields.size() <= most + 1 ? fields.size() : most;
  std::stable_partition(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(named),
                        [&](const FieldOfAny& field) { return field.objects >= objects; });
  return fields;
}

// Returns "schema (+5 fields), in some of them -limits, env"; of what starts Pods, "image (web 1.2 → 1.3; redis 7.2 → 8.2), env; new Pods".
std::string FieldsInShort(const ShownList& objects, Brevity brevity) {
  constexpr size_t kMost = 5, kMostKeys = 2;
  std::vector<std::string> fields;
  bool in_all = true;
  const bool of_a_kind = OneKind(ReportsOf(objects));  // else no reader takes the fields for those of each
  for (const auto& [name, danger, count, keys] : NamedFirst(FieldsOfAny(objects), kMost, objects.size())) {
    const bool is_image = name == "image" && IsWeighty(objects.front());
    const std::string content = is_image           ? ImagesOfAny(objects, brevity)
                                : name == "schema" ? SchemasInWords(objects)
                                                   : keys.Some(kMostKeys);
    const bool begins_some = in_all && count < objects.size() && (is_image || of_a_kind || !fields.empty());
    if (count < objects.size()) in_all = false;
    fields.push_back(
        StrCat(begins_some ? "in some of them " : "", name, content.empty() ? "" : StrCat(" (", content, ")")));
  }
  const bool same_images =
      std::ranges::all_of(objects, [](const ShownObject& shown) { return !ImagesInWords(shown).empty(); });
  const bool only_labels = std::ranges::all_of(objects, ChangesOnlyLabels);
  return StrCat(only_labels ? "only " : "", NameSome(std::move(fields), kMost), PodsInWords(objects.front()),
                same_images ? ImagesInWords(objects.front()) : "");
}

// These kinds concern a whole cluster: a line about other objects does not count them.
bool ConcernsTheCluster(const ObjectReport* object) {
  constexpr std::string_view kKinds[] = {"APIService", "ClusterRole", "ClusterRoleBinding",
                                         "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"};
  return std::ranges::find(kKinds, object->kind) != std::end(kKinds);
}

// Returns true for what changes nothing but how an object is found and recorded.
bool IsMinor(const ShownObject& shown) {
  return shown.object->action == Action::kRecord || (shown.told->about.only_metadata && ChangesOnlyLabels(shown));
}
constexpr std::string_view kMinor = "only labels, annotations or last-applied";
constexpr Brevity kMinorCounted = Brevity::kPodsTogether;

// What objects have in common that are told together, though their changes differ: the rank, and a kind or what follows for Pods.
using Common = std::pair<int, std::string>;

// nullopt for objects that are told apart from all others.
std::optional<Common> CommonOf(const SameChange& same, Brevity brevity) {
  const ShownObject& first = same.objects.front();
  const int rank = RankAtEnd(first);
  if (brevity >= kMinorCounted && IsMinor(first)) return Common(0, kMinor);
  if (first.object->action != Action::kChange || brevity < Brevity::kOneLineAKind) return std::nullopt;
  if (IsWeighty(first)) {
    return brevity < Brevity::kPodsTogether ? std::nullopt : std::optional(Common(rank, PodsInWords(first)));
  }
  if (first.told->about.only_metadata) return Common(rank, ChangesOnlyLabels(first) ? "" : "metadata");
  const Objects objects = ReportsOf(same.objects);
  // Of those that concern the cluster, the worries tell most.
  const bool together = brevity >= Brevity::kFewPods || std::ranges::none_of(objects, ConcernsTheCluster);
  if (brevity >= Brevity::kOneLine && together) return Common(rank, "");
  return OneKind(objects) ? std::optional(Common(rank, first.object->kind)) : std::nullopt;
}

// Returns how many objects make it worth to say less of each.
size_t FewestTogether(const SameChange& same, Brevity brevity) {
  const ShownObject& first = same.objects.front();
  const bool of_a_kind =
      WeightOf(first) == Weight::kDefinition || (ConcernsTheCluster(first.object) && brevity < Brevity::kFewPods);
  const bool is_counted = brevity >= kMinorCounted && IsMinor(first);
  return IsWeighty(first) || is_counted || (brevity >= Brevity::kOneLine && of_a_kind) ? 2 : kMany;
}

// Puts changes together whose objects have something in common.
std::vector<SameChange> PutTogether(const std::vector<SameChange>& all, Brevity brevity) {
  std::map<Common, size_t> counts, places;
  for (const SameChange& same : all) {
    if (const auto common = CommonOf(same, brevity)) counts[*common] += same.objects.size();
  }
  std::vector<SameChange> out;
  std::set<size_t> different;  // of which the changes of one are not those of all
  for (const SameChange& same : all) {
    const auto common = CommonOf(same, brevity);
    const bool together = common && counts[*common] >= FewestTogether(same, brevity);
    const auto at = together ? places.try_emplace(*common, out.size()).first : places.end();
    if (!together || at->second == out.size()) {
      out.push_back(same);
      continue;
    }
    ShownList& objects = out[at->second].objects;
    objects.insert(objects.end(), same.objects.begin(), same.objects.end());
    different.insert(at->second);
  }
  for (const size_t index : different) {
    if (brevity >= kMinorCounted && IsMinor(out[index].objects.front())) {
      out[index].changes = kMinor;
      continue;
    }
    const bool alike = OneKind(ReportsOf(out[index].objects)) || RankAtEnd(out[index].objects.front()) == 0 ||
                       IsWeighty(out[index].objects.front());
    out[index].changes = alike ? FieldsInShort(out[index].objects, brevity) : "";
  }
  return out;
}

// Returns the changes that the objects have, in the order in which they are told.
std::vector<SameChange> SameChanges(const ShownList& all, Brevity brevity) {
  const bool fold_files = std::ranges::count_if(all, [](const ShownObject& shown) {
                            return shown.told->about.one_file;
                          }) >= static_cast<std::ptrdiff_t>(kMany);
  std::vector<SameChange> out;
  std::map<std::string, size_t> places;
  for (const ShownObject& shown : all) {
    if (shown.object->action == Action::kUnchanged || shown.object->kind.empty() || IsFailure(shown)) continue;
    const char sign = SignOf(shown.object->action);
    const bool of_many = shown.told->about.one_file && fold_files;
    std::string changes = of_many ? "a file each" : ChangesOf(shown, brevity);
    std::string shared = of_many ? changes : WithoutOwnName(changes, shown.object->name);
    const auto [at, is_new] = places.try_emplace(StrCat(std::string(1, sign), shared), out.size());
    if (is_new) out.push_back({sign, changes, {}});
    SameChange& same = out[at->second];
    if (same.changes != changes) same.changes = std::move(shared);
    same.objects.push_back(shown);
  }
  std::ranges::stable_sort(out, {}, [](const SameChange& same) { return RankAtEnd(same.objects.front()); });
  return out;
}

// Returns the names that stand beside the count, which has the kind where there is only one.
std::string NamesOfCounted(const Objects& objects, size_t most) {
  return OneKind(objects) ? NamesIn(objects, Kinds::kHide, most) : NamesByKind(objects, most);
}

// Returns "created (app:1.2); new Pods" for new objects with images, else the changes as they are.
std::string ChangesWithImages(const SameChange& same, Brevity brevity) {
  const size_t most = brevity >= Brevity::kFewPods ? 2 : 4;
  NamesOnce images;
  for (const ShownObject& shown : same.objects) {
    const bool is_new = shown.object->action == Action::kCreate && !shown.object->compared;
    for (const std::string& image : is_new ? shown.object->pods.images : std::vector<std::string>()) images.Add(image);
  }
  if (images.empty() || !same.changes.starts_with(kCreated)) return same.changes;
  return StrCat(kCreated, " (", images.Some(most), ")", same.changes.substr(kCreated.size()));
}

// Returns how many names stand beside a count.
size_t MostNamed(const SameChange& same, Brevity brevity) {
  constexpr size_t kMostMinor = 6;
  const ShownObject& first = same.objects.front();
  const Action action = first.object->action;
  const bool goes = action == Action::kPrune || action == Action::kRecreate || action == Action::kError;
  if (IsWeighty(first)) return brevity >= Brevity::kFewPods && !goes ? kNamed : same.objects.size();
  if (brevity >= Brevity::kNumbers) return 0;
  if (brevity != Brevity::kAllNames) return brevity == Brevity::kSomeNames ? kNamed : 1;
  return first.told->about.only_metadata ? kMostMinor : same.objects.size();
}

// Returns "Deployment default/web, default/api: image, env (2)", of many objects "5 objects: image (Deployment …)", and of such
// that have nothing in common "5 other objects: 3 ConfigMaps, 2 Services (app.conf, ports and 3 more)".
std::string ChangedObjectsInWords(const SameChange& same, Brevity brevity) {
  const Objects objects = ReportsOf(same.objects);
  const bool counts = brevity >= Brevity::kOneLine && WeightOf(same.objects.front()) == Weight::kDefinition;
  const std::string changes = ChangesWithImages(same, brevity);
  const bool is_minor = brevity >= kMinorCounted && IsMinor(same.objects.front());
  if (is_minor && objects.size() > 1) return StrCat(NumberAndKind(objects), ": ", changes);
  if (objects.size() < (counts ? 2 : kMany)) return StrCat(NamesByKind(objects, objects.size()), ": ", changes);
  if (changes.empty()) {
    const std::string fields =
        brevity < Brevity::kNamesOfFields ? StrCat(" (", FieldsInShort(same.objects, brevity), ")") : "";
    return StrCat(objects.size(), " other objects: ", CountByKind(objects), fields);
  }
  const ShownObject& first = same.objects.front();
  // Of what is new, the kinds tell whether it was deleted by mistake.
  const bool by_kind = IsWeighty(first) || first.object->action == Action::kCreate ||
                       (brevity >= Brevity::kOneLine && brevity < Brevity::kCounts && !first.told->about.only_metadata);
  const std::string count = by_kind ? CountByKind(objects) : NumberAndKind(objects);
  const size_t most = MostNamed(same, brevity);
  return StrCat(count, ": ", changes, most == 0 ? "" : StrCat(" (", NamesOfCounted(objects, most), ")"));
}

}  // namespace

std::string ChangedObjects(const ShownList& all, Brevity brevity, const TextOptions& options) {
  std::string out;
  for (const SameChange& same : PutTogether(SameChanges(all, brevity), brevity)) {
    const std::string line = StrCat(std::string(1, same.sign), " ", ChangedObjectsInWords(same, brevity));
    out += WithSign(RoleOfSign(same.sign), PrintWrapped(line, 2, options));
  }
  return out;
}

}  // namespace smp::explain
