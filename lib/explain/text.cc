#include "explain/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/object_names.h"
#include "explain/own_name.h"
#include "explain/style.h"
#include "explain/text_object.h"
#include "explain/text_rows.h"
#include "explain/worries.h"
#include "value/columns.h"
#include "value/escape.h"

namespace smp::explain {

namespace {

// An object, with what is left of its rows.
struct Told {
  AboutRows about;
  size_t body = 0;  // index
};

struct ShownObject {
  const ObjectReport* object = nullptr;
  const Told* told = nullptr;
};

using ShownList = std::vector<ShownObject>;

Objects ReportsOf(const ShownList& objects) {
  Objects out;
  for (const ShownObject& shown : objects) out.push_back(shown.object);
  return out;
}

constexpr size_t kNamed = 3;  // of objects with something in common; the end of the text names them all

constexpr std::string_view kArrow = "~ live → after apply";

// Says what the signs mean, and that nothing was written.
std::string Signs(const Report& report) {
  return StrCat(report.asked == Asked::kServer ? "preview, nothing is stored" : "preview, nothing is sent", ": ",
                kArrow, ", + added, - removed, ! refused");
}

std::string Head(const Report& report, const TextOptions& options) {
  if (!report.context) return {};
  if (!report.here) {
    return As(Role::kDim, StrCat(PrintWrapped(ContextWords(*report.context), 0, options),
                                 PrintWrapped(Signs(report), 0, options))) +
           "\n";
  }
  return As(Role::kDim,
            ComparedPlaces(report) + "lines lead from there to here: ~ there → here, + only here, - only there") +
         "\n\n";
}

// An unchanged object with warnings, or with rows of what is kept, is shown.
bool IsQuiet(const ShownObject& shown) {
  return shown.object->action == Action::kUnchanged && !shown.told->about.any && Remarks(*shown.object).empty();
}

// How much of a running cluster an object's change concerns, most first.
enum class Weight { kError, kPodsOrDeletion, kOther, kOnlyMetadata, kDefinition };

// Definitions come last: a new version of a project changes thousands of lines of their schemas, and a few of everything
// else.
Weight WeightOf(const ShownObject& shown) {
  const ObjectReport& object = *shown.object;
  if (object.action == Action::kError) return Weight::kError;
  const bool goes = object.action == Action::kPrune || object.action == Action::kRecreate;
  if (!object.compared && (goes || object.new_pods)) return Weight::kPodsOrDeletion;
  if (object.kind == "CustomResourceDefinition") return Weight::kDefinition;
  return shown.told->about.only_metadata ? Weight::kOnlyMetadata : Weight::kOther;
}

// An object without a kind could not be read; the caller prints its error.
ShownList ShownObjects(const ShownList& objects, const TextOptions& options) {
  ShownList out;
  for (const ShownObject& shown : objects) {
    if (!shown.object->kind.empty() && (options.unchanged || !IsQuiet(shown))) out.push_back(shown);
  }
  std::ranges::stable_sort(out, {}, WeightOf);
  return out;
}

// --- bodies

// The lines of an object's rows, and of each other object with the same changes.
struct Body {
  std::string alone;      // with lines of the manifest; empty if several objects have it
  std::string shared;     // without; empty if only one object has it
  std::string container;  // OnlyContainer of its objects; "" also if they have different ones
  enum class Names { kOne, kAny, kLeftOut } names = Names::kOne;  // kAny: the changes are equal without a placeholder

  bool has_placeholder() const { return names == Names::kLeftOut && shared.find(kOwnName) != shared.npos; }
};

// Returns true if it says enough to be worth a block for several objects.
bool CanShare(const ObjectReport& object) { return object.action != Action::kUnchanged && !object.kind.empty(); }

class Bodies {
 public:
  // Returns the index of the object's body.
  size_t Add(const ObjectReport& object, const AboutRows& about, const TextOptions& options) {
    const std::string container = OnlyContainer(object);
    const Keys keys = KeysOf(object, about, container, options);
    const std::optional<Same> same = CanShare(object) ? FindSame(keys) : std::nullopt;
    if (!same) {
      bodies_.push_back({PrintBody(object, {}, options), "", container});
      equal_[keys.equal] = by_name_[keys.by_name] = bodies_.size() - 1;
      return bodies_.size() - 1;
    }
    Share(bodies_[same->body], object, container, same->names, options);
    return same->body;
  }

  const Body& operator[](size_t index) const { return bodies_[index]; }

 private:
  // Two objects have the same changes if the first keys are equal, or the second ones, where each key leaves out the
  // object's own name.
  struct Keys {
    std::string equal, by_name;
  };

  // Nothing is cut or folded: changes that only begin alike are not the same.
  static Keys KeysOf(const ObjectReport& object, const AboutRows& about, std::string_view container,
                     TextOptions options) {
    options.wide = true;
    LeftOut left_out = {.lines = true, .container = !container.empty()};
    const std::string head = StrCat(ActionName(object.action), about.says_who_applied ? "!" : ".");
    const std::string equal = PrintBody(object, left_out, options);
    const std::string key = StrCat(head, Sha256(equal));
    if (object.name.empty() || equal.find(object.name) == equal.npos) return {key, key};
    left_out.name = true;
    return {key, StrCat(head, Sha256(PrintBody(object, left_out, options)))};
  }

  struct Same {
    size_t body;
    Body::Names names;
  };

  // Returns the body of other objects with these changes. One with the placeholder takes no objects because their changes
  // are equal, and the other way round.
  std::optional<Same> FindSame(const Keys& keys) const {
    const auto equal = equal_.find(keys.equal), by_name = by_name_.find(keys.by_name);
    if (equal != equal_.end() && bodies_[equal->second].names != Body::Names::kLeftOut) {
      return Same{equal->second, Body::Names::kAny};
    }
    if (by_name != by_name_.end() && bodies_[by_name->second].names != Body::Names::kAny) {
      return Same{by_name->second, Body::Names::kLeftOut};
    }
    return std::nullopt;
  }

  // Prints the body for one more object, if that changes how it is printed.
  static void Share(Body& body, const ObjectReport& object, const std::string& container, Body::Names names,
                    const TextOptions& options) {
    const bool other_container = body.container != container && !body.container.empty();
    if (body.alone.empty() && !other_container) return;
    body = {"",
            PrintBody(object, {.lines = true, .container = other_container, .name = names == Body::Names::kLeftOut},
                      options),
            other_container ? "" : body.container, names};
  }

  std::unordered_map<std::string, size_t> equal_, by_name_;
  std::vector<Body> bodies_;
};

// --- blocks

// Objects of one action with the same changes, as indices of bodies say.
std::vector<ShownList> Blocks(const ShownList& objects) {
  std::vector<ShownList> out;
  std::map<size_t, size_t> places;
  for (const ShownObject& shown : objects) {
    const auto [at, is_new] = places.try_emplace(shown.told->body, out.size());
    if (is_new) out.emplace_back();
    out[at->second].push_back(shown);
  }
  return out;
}

// Returns "3 Deployments: will change, the same 2 changes in default/a, default/b and 1 more" and a newline.
std::string SharedHead(const ShownList& objects, const Body& body, const TextOptions& options) {
  const ObjectReport& first = *objects.front().object;
  const AboutRows& about = objects.front().told->about;
  const bool refused = first.action == Action::kError;  // its changes are not all told
  const std::string same = about.changes == 0 || refused ? ""
                           : about.changes == 1          ? ", the same change"
                                                         : StrCat(", the same ", about.changes, " changes");
  const bool one_kind = OneKind(ReportsOf(objects));
  return As(Role::kHeading,
            PrintWrapped(StrCat(refused ? "! " : "", NumberAndKind(ReportsOf(objects)), ": ", about.action, same,
                                refused ? ": " : " in ",
                                refused ? NamesByKind(ReportsOf(objects), objects.size())
                                        : NamesIn(ReportsOf(objects), one_kind ? Kinds::kHide : Kinds::kShow, kNamed),
                                body.has_placeholder() ? StrCat("; ", kOwnName, ": its own name") : ""),
                         0, options));
}

// --- remarks that several objects have

using Counts = std::map<std::string, ShownList>;

Counts ObjectsByRemark(const ShownList& objects) {
  Counts out;
  for (const ShownObject& shown : objects) {
    for (const std::string& remark : Remarks(*shown.object)) out[remark].push_back(shown);
  }
  return out;
}

// Returns the lines about remarks that more than one object has.
std::string PrintShared(const Counts& remarks, const TextOptions& options) {
  std::string out;
  for (const auto& [remark, objects] : remarks) {
    if (objects.size() < 2) continue;
    out += As(Role::kWarning, PrintWrapped(StrCat(remark, " (", objects.size(),
                                                  " objects: ", NamesIn(ReportsOf(objects), Kinds::kShow, kNamed), ")"),
                                           0, options));
  }
  return out.empty() ? "" : out + "\n";
}

std::string PrintBlock(const ShownList& objects, const Bodies& bodies, const Counts& remarks,
                       const TextOptions& options) {
  const Told& told = *objects.front().told;
  const Body& body = bodies[told.body];
  const bool alone = objects.size() == 1;
  std::string out =
      alone ? PrintHead(*objects.front().object, told.about.action, options) : SharedHead(objects, body, options);
  for (const ShownObject& shown : objects) {
    for (const std::string& remark : Remarks(*shown.object)) {
      if (remarks.at(remark).size() > 1) continue;
      out += As(Role::kWarning,
                PrintWrapped(StrCat(alone ? "" : StrCat(NameOf(*shown.object), ": "), remark), 2, options));
    }
  }
  out += StrCat(alone ? body.alone : body.shared, PrintFieldsOfOthers(ReportsOf(objects), options));
  return told.about.says_who_applied ? StrCat(out, PrintWrapped(LastApplied(ReportsOf(objects)), 2, options)) : out;
}

// Objects that only have a head need no empty line between them.
std::string PrintBlocks(const ShownList& objects, const Bodies& bodies, const TextOptions& options) {
  const Counts remarks = ObjectsByRemark(objects);
  std::string out = PrintShared(remarks, options);
  bool bare = false;
  for (const ShownList& block : Blocks(objects)) {
    const std::string text = PrintBlock(block, bodies, remarks, options);
    const bool only_head = std::count(text.begin(), text.end(), '\n') == 1;
    if (bare && only_head) out.pop_back();
    out += text + "\n";
    bare = only_head;
  }
  return out;
}

// --- the end

// Says that this was a preview, and that objects with errors do not keep apply from the others.
std::string WhatFollows(const Report& report) {
  if (report.here) return {};
  const auto errors = std::count_if(report.objects.begin(), report.objects.end(),
                                    [](const ObjectReport& object) { return object.error.has_value(); });
  const bool others = static_cast<size_t>(errors) < report.objects.size();
  const std::string_view yet = report.asked == Asked::kServer ? "; nothing is stored yet" : "; nothing is sent yet";
  const std::string name = report.context && !report.context->name.empty() ? StrCat(" to ", report.context->name) : "";
  return StrCat(report.context ? StrCat(yet, name) : "",
                errors > 0 && others ? StrCat("; apply would leave ", errors, " out and send the others") : "");
}

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

// How much the last lines say of each change, to fit a screen.
enum class Brevity { kAllNames, kSomeNames, kOneLineAKind };

std::string ChangesOf(const ShownObject& shown, Brevity brevity) {
  const ObjectReport& object = *shown.object;
  if (object.compared && object.action != Action::kChange) return std::string(shown.told->about.action);
  switch (object.action) {
    case Action::kCreate: return object.new_pods && !object.compared ? "created; new Pods" : "created";
    case Action::kPrune: return "deleted";
    case Action::kRecord: return "last-applied only";
    case Action::kError: return shown.told->about.any ? "refused" : "error";
    case Action::kRecreate: return "created again";
    default: break;
  }
  const ChangedFieldsInWords& fields = shown.told->about.changed_fields;
  return StrCat(brevity == Brevity::kOneLineAKind ? fields.first : fields.all,
                object.compared ? "" : PodsInWords(shown));
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

// Returns "image, -limits, env": the fields that change in any of the objects. One that is added to some, and changed in
// others, has no sign.
std::string NamesOfFields(const ShownList& objects) {
  constexpr size_t kMost = 5;
  std::vector<std::string> names;
  std::map<std::string, size_t> places;
  for (const ShownObject& shown : objects) {
    for (const std::string& name : shown.told->about.changed_fields.names) {
      const std::string bare = name.substr(std::min(name.size(), name.find_first_not_of("+-")));
      const auto [at, is_new] = places.try_emplace(bare, names.size());
      if (is_new) names.push_back(name);
      if (names[at->second] != name) names[at->second] = bare;
    }
  }
  return NameSome(std::move(names), kMost);
}

// Returns true if a screen has to name the object: Pods start, or an object goes.
bool IsWeighty(const ShownObject& shown) {
  return WeightOf(shown) <= Weight::kPodsOrDeletion || shown.told->about.may_start_pods;
}

// Returns true if such objects may be told together, though their changes differ.
bool MayBeToldTogether(const SameChange& same) {
  const ShownObject& first = same.objects.front();
  return first.object->action == Action::kChange && !IsWeighty(first) &&
         (OneKind(ReportsOf(same.objects)) || first.told->about.only_metadata);
}

// Puts the changes of many objects of a kind together, and those of labels and annotations of any kind.
std::vector<SameChange> OfEachKind(const std::vector<SameChange>& all) {
  using Place = std::pair<int, std::string_view>;
  const auto place_of = [](const SameChange& same) {
    const ShownObject& first = same.objects.front();
    return Place(RankAtEnd(first), first.told->about.only_metadata ? "" : std::string_view(first.object->kind));
  };
  std::map<Place, size_t> counts, places;
  for (const SameChange& same : all) counts[place_of(same)] += MayBeToldTogether(same) ? same.objects.size() : 0;
  std::vector<SameChange> out;
  for (const SameChange& same : all) {
    const bool together = MayBeToldTogether(same) && counts[place_of(same)] >= kMany;
    const auto at = together ? places.try_emplace(place_of(same), out.size()).first : places.end();
    if (!together || at->second == out.size()) {
      out.push_back(same);
      continue;
    }
    ShownList& objects = out[at->second].objects;
    objects.insert(objects.end(), same.objects.begin(), same.objects.end());
    out[at->second].changes = NamesOfFields(objects);
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

// Says what to look at first, worst first.
std::string Worries(const ShownList& all, const TextOptions& options) {
  std::vector<WorriesOfObject> worries;
  for (const ShownObject& shown : all) worries.push_back({shown.object, &shown.told->about.worries});
  std::string out;
  for (const WorryLine& line : WorryLines(worries)) {
    out += As(line.fails ? Role::kError : Role::kWarning,
              PrintWrapped(StrCat(line.fails ? "! " : "", line.text), 2, options));
    for (const std::string& way_out : line.ways_out) out += PrintWrapped(way_out, 4, options);
  }
  return out.empty() ? "" : StrCat(As(Role::kHeading, StrCat(kLookAtThis, ":")), "\n", out);
}

// Returns the names that stand beside the count, which has the kind where there is only one.
std::string NamesOfCounted(const Objects& objects, size_t most) {
  return OneKind(objects) ? NamesIn(objects, Kinds::kHide, most) : NamesByKind(objects, most);
}

// Says which changes undo none that others made in live, if that is known of each object that changes.
std::string FromTheManifests(const Report& report, const ShownList& all) {
  const auto changes = [](const ShownObject& shown) { return shown.object->action == Action::kChange; };
  const auto undoes = [](const ShownObject& shown) { return shown.told->about.worries.contains(Worry::kUndoes); };
  const auto is_known = [&](const ShownObject& shown) {
    return !changes(shown) || undoes(shown) || !shown.object->appliers.empty();
  };
  if (report.here || std::ranges::none_of(all, changes) || !std::ranges::all_of(all, is_known)) return {};
  if (std::ranges::any_of(all, undoes)) {
    const bool others =
        std::ranges::any_of(all, [&](const ShownObject& shown) { return changes(shown) && !undoes(shown); });
    return others ? "the changes of the other objects come from the manifests" : "";
  }
  const bool creates =
      std::ranges::any_of(all, [](const ShownObject& shown) { return shown.object->action == Action::kCreate; });
  return StrCat("the changes come from the manifests: no field that others changed in live is changed back",
                creates ? "; what is created may be new, or deleted in live by others" : "");
}

// Returns how many names stand beside a count.
size_t MostNamed(const SameChange& same, Brevity brevity) {
  constexpr size_t kMostMinor = 6;
  const ShownObject& first = same.objects.front();
  if (brevity != Brevity::kAllNames && !IsWeighty(first)) return brevity == Brevity::kSomeNames ? kNamed : 1;
  return first.told->about.only_metadata ? kMostMinor : same.objects.size();
}

// Names every object that is not unchanged, with its fields: "~ Deployment default/web, default/api: image, env (2)". Of
// many, the fields come first: "~ 5 objects: image (Deployment …)". Of those in which only labels and annotations change, some.
std::string ChangedObjects(const ShownList& all, Brevity brevity, const TextOptions& options) {
  const std::vector<SameChange> changes_of_all = SameChanges(all, brevity);
  std::string out;
  for (const SameChange& same : brevity == Brevity::kOneLineAKind ? OfEachKind(changes_of_all) : changes_of_all) {
    const auto& [sign, changes, objects] = same;
    const size_t count = objects.size();
    const std::string line = count < kMany ? StrCat(NamesByKind(ReportsOf(objects), count), ": ", changes)
                                           : StrCat(NumberAndKind(ReportsOf(objects)), ": ", changes, " (",
                                                    NamesOfCounted(ReportsOf(objects), MostNamed(same, brevity)), ")");
    out += WithSign(RoleOfSign(sign), PrintWrapped(StrCat(std::string(1, sign), " ", line), 2, options));
  }
  return out;
}

// Returns all changes, so short that they fit one screen with the lines `below`, if that is possible. With --wide, all names.
std::string ChangesOnAScreen(const ShownList& all, std::string_view below, const TextOptions& options) {
  constexpr std::ptrdiff_t kScreen = 30;  // lines
  const auto lines_in = [](std::string_view text) { return std::count(text.begin(), text.end(), '\n'); };
  std::string out = ChangedObjects(all, Brevity::kAllNames, options);
  for (const Brevity brevity : {Brevity::kSomeNames, Brevity::kOneLineAKind}) {
    if (options.wide || lines_in(out) + lines_in(below) <= kScreen) break;
    out = ChangedObjects(all, brevity, options);
  }
  return out;
}

// Returns "replicas: 3, limits memory".
std::string FieldsOfOthers(const ObjectReport& object) {
  constexpr size_t kMostFields = 2;
  std::vector<std::string> fields;
  for (const FieldsOfManager& of_manager : object.of_others) {
    for (size_t i = 0; i < of_manager.paths.size(); ++i) {
      fields.push_back(FieldOfOthersInWords(of_manager.paths[i], of_manager.values[i]));
    }
  }
  return NameSome(std::move(fields), kMostFields);
}

// What others set in objects that are not shown.
std::string OthersInUnchanged(const ShownList& all, const TextOptions& options) {
  std::vector<std::string> names;
  for (const ShownObject& shown : all) {
    const std::string fields = IsQuiet(shown) ? FieldsOfOthers(*shown.object) : "";
    if (!fields.empty()) names.push_back(StrCat(NameOf(*shown.object), " (", fields, ")"));
  }
  if (names.empty() || options.unchanged) return {};
  return StrCat("others set fields of unchanged objects, too (--show=all): ", NameSome(std::move(names), kNamed));
}

// Who applied the objects last whose blocks do not say it.
std::string LastAppliedOfOthers(const ShownList& all) {
  ShownList objects;
  for (const ShownObject& shown : all) {
    if (shown.object->action == Action::kChange && !shown.told->about.says_who_applied) objects.push_back(shown);
  }
  return objects.empty() ? "" : LastApplied(ReportsOf(objects));
}

std::string MeaningLine(Reason reason) { return StrCat(ReasonName(reason), ": ", MeaningOf(reason)); }

std::string Legend(const std::set<Reason>& reasons, const TextOptions& options) {
  std::string out;
  for (const Reason reason : reasons) {
    out += PrintWrapped(MeaningLine(reason), 2, options);
  }
  return out.empty() ? "" : StrCat(As(Role::kHeading, "reasons:"), "\n", out, "\n");
}

}  // namespace

class TextPrinter::Impl {
 public:
  explicit Impl(TextOptions options) : options_(std::move(options)) {}

  void Add(const ObjectReport& object) {
    AboutRows about = DescribeRows(object);
    const size_t body = bodies_.Add(object, about, options_);
    told_.push_back({std::move(about), body});
    for (const ReportRow& row : object.rows) {
      if (object.action != Action::kCreate) reasons_.insert(row.reason);
      owned_plainly_ |= row.reason == Reason::kOwned && IsPlain(row.message);
    }
  }

  std::string Print(const Report& report) {
    for (size_t i = told_.size(); i < report.objects.size(); ++i) Add(report.objects[i]);
    ShownList all;
    for (size_t i = 0; i < report.objects.size(); ++i) all.push_back({&report.objects[i], &told_[i]});
    std::string out = Head(report, options_) + PrintBlocks(ShownObjects(all, options_), bodies_, options_);
    if (options_.legend && !report.here) out += Legend(reasons_, options_);
    if (!options_.legend && owned_plainly_)
      out += As(Role::kDim, PrintWrapped(MeaningLine(Reason::kOwned), 0, options_));
    for (const std::string& line : {OnlyInLive(report), OthersInUnchanged(all, options_), LastAppliedOfOthers(all),
                                    NotAsked(report), NotCompared(report)}) {
      out += As(Role::kDim, PrintWrapped(line, 0, options_));
    }
    const std::string worries = Worries(all, options_) + PrintWrapped(FromTheManifests(report, all), 0, options_);
    const std::string count =
        As(Role::kHeading, PrintWrapped(StrCat(CountObjects(report), WhatFollows(report)), 0, options_));
    const std::string end = ChangesOnAScreen(all, worries + count, options_) + worries;
    if (!end.empty() && !out.empty() && !out.ends_with("\n\n")) out += "\n";
    out += end + count;
    return WithoutWorkflowCommands(Rendered(out, options_.color));
  }

 private:
  TextOptions options_;
  Bodies bodies_;
  std::vector<Told> told_;      // of each object
  bool owned_plainly_ = false;  // a row has this reason, which does not explain itself, without a sentence
  std::set<Reason> reasons_;    // of all rows but those of new objects
};

TextPrinter::TextPrinter(TextOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
TextPrinter::~TextPrinter() = default;

void TextPrinter::Add(const ObjectReport& object) { impl_->Add(object); }
std::string TextPrinter::Print(const Report& report) { return impl_->Print(report); }

std::string PrintText(const Report& report, const TextOptions& options) { return TextPrinter(options).Print(report); }

}  // namespace smp::explain
