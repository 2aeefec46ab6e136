// The judge of verified patches (promise 1): for every list of the built-in schemas that is merged item by item, random
// situations whose items collide. What Go's own code, which is the server's, makes of live and our patch is the outcome
// that we decided; and that outcome obeys the three-way rule (three_way_rule.h). Our own merge has no say in it.
//
// SMP_CASES=N tries N situations instead of 100,000; SMP_SEED=N repeats a run. A failure is printed as the smallest
// situation that still fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "base/strings.h"
#include "differential/oracle.h"
#include "differential/random_list.h"
#include "differential/three_way_rule.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "schema/reading.h"
#include "smp/dump_plan.h"
#include "smp/smp.h"
#include "tests_dir.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

constexpr size_t kBatch = 500;

enum class Fault { kNone, kRefusal, kRule, kNotStable, kUnguarded, kGoRefuses, kGoDiffers };
constexpr std::string_view kFaults[] = {"none",
                                        "refused without a reason",
                                        "the outcome breaks the rule",
                                        "the outcome would be changed again",
                                        "without a guard",
                                        "Go refuses the patch",
                                        "Go makes something else of it"};

constexpr char kKeyless[] = "refused: an item of the manifest has no key";
constexpr char kUndecodable[] = "not to be decoded by Go";

struct Verdict {
  std::string what;  // what kind of answer it was: "unchanged", "strategic, plain", "refused: merge-key", …
  Fault fault = Fault::kNone;
  std::string details;
  bool compared = false;  // the outcome is written otherwise than the rule wants, and the same object to Go
};

std::string TypeName(const Situation& s, const VerifiedPatch& patch) {
  if (patch.body.root().is_array()) return "json";
  const bool merge = s.place->custom() || patch.encoding == PatchEncoding::kGuardedMerge;
  return merge ? "merge" : "strategic";
}

// The resourceVersion that the patched object has to have, nullptr if any will do.
const Value* GuardOf(const Value& patch) {
  if (!patch.is_array()) return patch.FindPath({"metadata", "resourceVersion"});
  for (const Value& operation : patch.Items()) {
    if (operation.StringOr("path") == "/metadata/resourceVersion") return operation.Find("value");
  }
  return nullptr;
}

bool HasReplaceDirective(const Value& patch) {
  if (patch.StringOr("$patch") == "replace") return true;
  if (patch.is_array()) return std::any_of(patch.Items().begin(), patch.Items().end(), HasReplaceDirective);
  return patch.is_object() && std::any_of(patch.Members().begin(), patch.Members().end(),
                                          [](const Member& m) { return HasReplaceDirective(m.value); });
}

struct Removal {
  size_t left;  // members and items to pass, depth first, before the one that goes
  bool done = false;
};

Value Without(const Value& value, Removal& removal, Arena& arena) {
  const auto goes = [&] { return !removal.done && removal.left-- == 0; };
  if (value.is_object()) {
    std::vector<Member> members;
    for (const Member& m : value.Members()) {
      if (goes()) {
        removal.done = true;
      } else {
        members.push_back({m.name, removal.done ? m.value : Without(m.value, removal, arena)});
      }
    }
    return arena.Object(std::move(members));
  }
  if (!value.is_array()) return value;
  std::vector<Value> items;
  for (const Value& item : value.Items()) {
    if (goes()) {
      removal.done = true;
    } else {
      items.push_back(removal.done ? item : Without(item, removal, arena));
    }
  }
  return arena.Array(items);
}

class Judge {
 public:
  std::vector<Verdict> Try(const std::vector<Situation>& situations) {
    std::vector<Tried> tried;
    std::vector<std::string> requests;
    for (const Situation& s : situations) {
      tried.push_back(Plan(s));
      const Tried& t = tried.back();
      if (t.merge_asked) requests.push_back(MergeRequest(s, *t.patch));
      if (t.same_asked) requests.push_back(SameRequest(s, t));
    }
    const auto answers = oracle_.Ask(requests);
    std::vector<Verdict> verdicts;
    for (size_t i = 0, answer = 0; i < situations.size(); ++i) {
      Tried& t = tried[i];
      if (t.merge_asked) TakeMerged(situations[i], answers[answer++], t);
      if (t.same_asked) TakeSame(situations[i], answers[answer++], t);
      verdicts.push_back(std::move(t.verdict));
    }
    return verdicts;
  }

  Verdict TryOne(Situation& s) {
    std::vector<Situation> one;
    one.push_back(std::move(s));
    Verdict verdict = Try(one)[0];
    s = std::move(one[0]);
    return verdict;
  }

  // The smallest situation found that has the same fault.
  Situation Shrunk(Situation s, Fault fault) {
    for (bool smaller = true; smaller;) {
      smaller = false;
      for (Value Situation::*side : {&Situation::live, &Situation::original, &Situation::modified}) {
        smaller |= Shrink(s, side, fault);
      }
    }
    return s;
  }

 private:
  DiffInput InputOf(const Situation& s) const {
    return {&s.original, &s.modified, &s.live, s.place->schema, s.place->resource->type};
  }

  std::string Text(const Situation& s, const Value& object) const {
    return CanonicalText(object, *s.place->schema, s.place->resource->type);
  }

  bool HasKeylessItem(const Situation& s) const {
    return HasItemWithoutIdentity(s.modified, *s.place->schema, s.place->resource->type);
  }

  // What is known of a situation before Go is asked.
  struct Tried {
    Verdict verdict;
    std::optional<VerifiedPatch> patch;
    Findings findings;
    Arena arena;                                   // of the findings
    bool merge_asked = false, same_asked = false;  // what Go is asked
  };

  Tried Plan(const Situation& s) const {
    Tried tried;
    auto patch = PlanPatch(InputOf(s));
    if (!patch.ok()) {
      tried.verdict = OfRefusal(s, patch.error());
      return tried;
    }
    tried.patch = *std::move(patch);
    tried.findings = CheckRule({&s.original, &s.modified, &s.live, &tried.patch->outcome.root()}, *s.place->schema,
                               s.place->resource->type, tried.arena);
    tried.verdict = OfOutcome(s, *tried.patch, tried.findings);
    const bool faultless = tried.verdict.fault == Fault::kNone;
    tried.merge_asked = faultless && !tried.patch->empty();
    tried.same_asked = faultless && !tried.findings.written_otherwise.empty();
    return tried;
  }

  // There is one reason to refuse: an item of the manifest without its key.
  Verdict OfRefusal(const Situation& s, const Error& error) const {
    const bool expected = error.code == ErrorCode::kMergeKey && HasKeylessItem(s);
    return {expected ? kKeyless : "refused", expected ? Fault::kNone : Fault::kRefusal, ToString(error)};
  }

  static std::string WhatItIs(const Situation& s, const VerifiedPatch& patch) {
    if (patch.empty()) return "unchanged";
    return StrCat(s.place->custom() ? "custom resources: " : "", TypeName(s, patch), ", ", EncodingName(patch.encoding),
                  patch.guarded ? ", guarded" : "");
  }

  Verdict OfOutcome(const Situation& s, const VerifiedPatch& patch, const Findings& findings) const {
    Verdict verdict{WhatItIs(s, patch), Fault::kNone, {}};
    if (!findings.broken.empty()) return {verdict.what, Fault::kRule, Join(findings.broken, "\n") + Texts(s, patch)};
    // What sends nothing needs no guard: a null that only live has is as good as absent.
    if (!patch.body.root().empty() && !IsGuardedWhereItMustBe(s, patch))
      return {verdict.what, Fault::kUnguarded, Texts(s, patch)};
    if (HasKeylessItem(s)) return verdict;  // live had no such list; the next apply will be refused
    DiffInput again = InputOf(s);
    again.original = &s.modified;
    again.live = &patch.outcome.root();
    const auto second = PlanPatch(again);
    if (!second.ok()) return {verdict.what, Fault::kNotStable, ToString(second.error()) + Texts(s, patch)};
    if (!second->empty()) return {verdict.what, Fault::kNotStable, Dump(second->plan) + Texts(s, patch)};
    return verdict;
  }

  // What replaces a list, or means another item as soon as somebody adds one, holds for this live only.
  bool IsGuardedWhereItMustBe(const Situation& s, const VerifiedPatch& patch) const {
    const std::string_view version = s.live.FindPath({"metadata", "resourceVersion"}) == nullptr ? "" : "7";
    if (patch.empty() || version.empty()) return true;
    const bool custom = s.place->custom();
    const bool escalated = !custom && (TypeName(s, patch) != "strategic" || HasReplaceDirective(patch.body.root()));
    if (!escalated && !(WritesList(s, patch) && (custom || s.place->ambiguous()))) return true;
    const Value* guard = GuardOf(patch.body.root());
    return guard != nullptr && guard->is_string() && guard->AsString() == version;
  }

  bool WritesList(const Situation& s, const VerifiedPatch& patch) const {
    const Value *before = HolderOfList(s, s.live), *after = HolderOfList(s, patch.outcome.root());
    if (before == nullptr || after == nullptr) return false;
    const std::string& name = s.place->path.back()->name;
    const Value *old = before->Find(name), *now = after->Find(name);
    return now != nullptr && (old == nullptr || !SameButForNulls(*old, *now));
  }

  // A null member of live is as good as absent: an outcome without it writes nothing.
  static bool SameButForNulls(const Value& a, const Value& b) {
    if (a.kind() != b.kind() || a.is_scalar()) return a == b;
    if (a.is_array()) {
      return std::equal(a.Items().begin(), a.Items().end(), b.Items().begin(), b.Items().end(), SameButForNulls);
    }
    const auto has_all = [](const Value& of, const Value& in) {
      return std::all_of(of.Members().begin(), of.Members().end(), [&](const Member& m) {
        const Value* other = in.Find(m.name);
        return m.value.is_null() || (other != nullptr && SameButForNulls(m.value, *other));
      });
    };
    return has_all(a, b) && has_all(b, a);
  }

  // The item of `list` that has the identity of the first one in the manifest's list.
  const Value* PartnerIn(const Value& list, const Value& manifest, const Field& field, const Schema& schema) const {
    if (manifest.empty()) return nullptr;
    const std::string wanted = IdentityOf(manifest.Items()[0], field, schema);
    for (const Value& item : list.Items()) {
      if (IdentityOf(item, field, schema) == wanted) return &item;
    }
    return nullptr;
  }

  // What holds the list that the situation is about; nullptr if it is not there.
  const Value* HolderOfList(const Situation& s, const Value& object) const {
    const Value *at = &object, *manifest = &s.modified;
    for (size_t i = 0; i + 1 < s.place->path.size() && at != nullptr; ++i) {
      const Field& field = *s.place->path[i];
      at = at->Find(field.name);
      manifest = manifest == nullptr ? nullptr : manifest->Find(field.name);
      if (at == nullptr || manifest == nullptr) return nullptr;
      if (!at->is_array()) continue;
      if (!manifest->is_array()) return nullptr;
      at = PartnerIn(*at, *manifest, field, *s.place->schema);
      manifest = manifest->empty() ? nullptr : &manifest->Items()[0];
    }
    return at;
  }

  static std::string Gvk(const Situation& s) {
    const GroupVersionKind& gvk = s.place->resource->gvk;
    return StrCat(R"("gvk":")", gvk.ApiVersion(), "/", gvk.kind, "\"");
  }

  static std::string MergeRequest(const Situation& s, const VerifiedPatch& patch) {
    return StrCat(R"({"op":"merge","type":")", TypeName(s, patch), "\",", Gvk(s), R"(,"target":)", WriteJson(s.live),
                  R"(,"patch":)", WriteJson(patch.body.root()), "}");
  }

  static std::string SameRequest(const Situation& s, const Tried& tried) {
    const bool custom = s.place->custom();
    return StrCat(R"({"op":"same",)", Gvk(s), custom ? R"(,"custom":true)" : "", R"(,"objects":[)",
                  WriteJson(tried.findings.expected), ",", WriteJson(tried.patch->outcome.root()), "]}");
  }

  void TakeMerged(const Situation& s, const OracleAnswer& answer, Tried& tried) const {
    Verdict& verdict = tried.verdict;
    if (answer.value == nullptr) {
      verdict.fault = Fault::kGoRefuses;
      verdict.details = (answer.panicked ? "Go panics" : answer.error) + Texts(s, *tried.patch);
    } else if (Text(s, *answer.value) != Text(s, tried.patch->outcome.root())) {
      verdict.fault = Fault::kGoDiffers;
      verdict.details = "Go's:     " + WriteJson(*answer.value) + Texts(s, *tried.patch);
    }
  }

  static void TakeSame(const Situation& s, const OracleAnswer& answer, Tried& tried) {
    Verdict& verdict = tried.verdict;
    verdict.details = StrCat(Join(tried.findings.written_otherwise, "\n"),
                             "\nexpected: ", WriteJson(tried.findings.expected), Texts(s, *tried.patch));
    if (answer.value == nullptr) {
      verdict.what = kUndecodable;
      verdict.details = StrCat(answer.panicked ? "Go panics" : answer.error, "\n", verdict.details);
    } else if (answer.value->AsBool()) {
      verdict.compared = true;
    } else {
      verdict.fault = Fault::kRule;
    }
  }

  static std::string Texts(const Situation& s, const VerifiedPatch& patch) {
    return StrCat("\noutcome:  ", WriteJson(patch.outcome.root()), "\npatch:    ", WriteJson(patch.body.root()), " (",
                  TypeName(s, patch), ", ", EncodingName(patch.encoding), ")");
  }

  bool Shrink(Situation& s, Value Situation::*side, Fault fault) {
    bool shrunk = false;
    for (size_t n = 0;;) {
      Removal removal{n};
      const Value before = s.*side;
      s.*side = Without(before, removal, s.arena);
      if (!removal.done) {
        s.*side = before;
        return shrunk;
      }
      if (TryOne(s).fault == fault) {
        shrunk = true;
      } else {
        s.*side = before;
        ++n;
      }
    }
  }

  Oracle oracle_;
};

constexpr char kCustomGroup[] = "example.com";

// The built-in kinds, and a custom one that has metadata in other places than the root, too, all as custom resources.
Schema AllKindsAsCustomResources() {
  Schema schema = *BuiltinSchema();
  std::ifstream in(StrCat(kTestsDir, "/differential/inputs/custom-kinds.yaml"));
  std::stringstream text;
  text << in.rdbuf();
  const auto document = yaml::ParseYaml(text.str(), "custom-kinds.yaml");
  EXPECT_TRUE(document.ok());
  const auto custom = CompileOpenApiV3(document->root());
  EXPECT_TRUE(custom.ok());
  schema.Merge(**custom);
  Resource widget;
  widget.gvk = {kCustomGroup, "v1", "Widget"};
  widget.plural = "widgets";
  widget.type = schema.FindTypeByName("com.example.v1.Widget");
  schema.AddResource(widget);
  std::vector<TypeId> types;
  for (const auto& [gvk, resource] : schema.resources()) types.push_back(resource.type);
  ReadAsWritten(schema, types, {});
  return schema;
}

struct Places {
  std::vector<ListPlace> all, ambiguous, custom, nested;

  Places(const Schema& schema, const Schema& as_custom) : all(MergedLists(schema)), custom(MergedLists(as_custom)) {
    for (const ListPlace& place : all) {
      if (place.ambiguous()) ambiguous.push_back(place);
    }
    for (const ListPlace& place : custom) {
      if (place.resource->gvk.group == kCustomGroup) nested.push_back(place);
    }
  }

  // Each place in turn; those that plain patches cannot serve more often.
  const ListPlace& Of(size_t i) const {
    const size_t turn = i / 9;
    switch (i % 9) {
      case 0:
      case 1: return ambiguous[(turn * 2 + i % 9) % ambiguous.size()];
      case 2: return custom[turn % custom.size()];
      case 3: return nested[turn % nested.size()];
      default: return all[(turn * 5 + i % 9 - 4) % all.size()];
    }
  }
};

std::string Report(const Situation& s, const Verdict& verdict) {
  return StrCat(kFaults[static_cast<size_t>(verdict.fault)], ": ", ToString(*s.place),
                "\noriginal: ", WriteJson(s.original), "\nmodified: ", WriteJson(s.modified),
                "\nlive:     ", WriteJson(s.live), "\n", verdict.details, "\n");
}

class Trial {
 public:
  Trial(const Places& places, uint64_t seed, size_t cases) : places_(places), seed_(seed), cases_(cases) {}

  void Start() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1U, 8U); ++i) {
      threads.emplace_back([this] { Work(); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::map<std::string, size_t> counts;
  size_t compared = 0;
  std::string failure, undecodable;

 private:
  void Work() {
    Judge judge;
    for (;;) {
      const size_t begin = next_.fetch_add(kBatch), end = std::min(begin + kBatch, cases_);
      if (begin >= cases_ || failed_) return;
      std::vector<Situation> situations;
      for (size_t i = begin; i < end; ++i) {
        situations.push_back(RandomSituation(places_.Of(i), seed_ * 1'000'003 + i));
      }
      Note(judge, situations, judge.Try(situations));
    }
  }

  void Note(Judge& judge, std::vector<Situation>& situations, const std::vector<Verdict>& verdicts) {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < verdicts.size(); ++i) {
      ++counts[verdicts[i].what];
      compared += verdicts[i].compared ? 1 : 0;
      if (verdicts[i].what == kUndecodable) undecodable = Report(situations[i], verdicts[i]);
      if (verdicts[i].fault == Fault::kNone || failed_) continue;
      failed_ = true;
      Situation small = judge.Shrunk(std::move(situations[i]), verdicts[i].fault);
      failure = Report(small, judge.TryOne(small));
    }
  }

  const Places& places_;
  const uint64_t seed_;
  const size_t cases_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
};

TEST(Judge, GoMakesOfEveryPatchWhatWasDecidedByTheRule) {
  const Schema custom = AllKindsAsCustomResources();
  const Places places(*BuiltinSchema(), custom);
  const uint64_t seed = Seed();
  const size_t cases = CasesOr(100'000);
  std::cout << "SMP_SEED=" << seed << ", " << cases << " situations at " << places.all.size() << " lists ("
            << places.ambiguous.size() << " with another identity than the merge key), and " << places.custom.size()
            << " as lists of custom resources\n";
  // As many as the documents of Kubernetes 1.36 have, at least: whoever loses some tests nothing.
  EXPECT_GE(places.all.size(), 380U);
  EXPECT_GE(places.ambiguous.size(), 37U);
  EXPECT_GE(places.nested.size(), 10U);

  Trial trial(places, seed, cases);
  trial.Start();
  for (const auto& [what, count] : trial.counts) std::cout << count << " " << what << "\n";
  std::cout << trial.compared << " of them written otherwise than in the manifest, and the same object to Go\n";
  EXPECT_TRUE(trial.failure.empty()) << trial.failure;
  // Items without a key are rare; more refusals would hide what is to be tested.
  EXPECT_LT(trial.counts[kKeyless], cases / 150 + 10);
  // What Go cannot decode nobody compared.
  EXPECT_LT(trial.counts[kUndecodable], cases / 1000 + 10) << trial.undecodable;
  EXPECT_LT(trial.counts["unchanged"], cases / 2);
}

}  // namespace
}  // namespace smp
