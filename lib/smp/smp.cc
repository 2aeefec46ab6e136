#include "smp/smp.h"

#include <algorithm>

#include "base/strings.h"
#include "smp/json_merge.h"
#include "smp/json_patch.h"
#include "smp/meaning.h"
#include "smp/merge.h"
#include "smp/outcome.h"
#include "smp/render.h"
#include "value/at.h"
#include "value/path.h"

namespace smp {

namespace {

// Finds the first merged list that changes although its merge key does not identify its items. Such lists are rare, so
// the path is built only on the way back, in reverse order.
bool FindIrregular(const PlanNode& node, FieldPath& reversed) {
  if (node.irregular && node.changes()) return true;
  for (const PlanNode& child : node.children) {
    if (!child.changes() || !FindIrregular(child, reversed)) continue;
    reversed.push_back(StepTo(node, child));
    return true;
  }
  return false;
}

// Returns the path of the first irregular list that changes, "" if there is none.
std::string FirstIrregular(const Plan& plan) {
  FieldPath path;
  if (!FindIrregular(plan.root, path)) return {};
  std::reverse(path.begin(), path.end());
  return ToString(path);
}

// Returns true if the plan replaces a map as a whole. A merge patch would keep members that somebody else adds to the
// map after our read.
bool ReplacesMap(const PlanNode& node) {
  if (!node.changes()) return false;
  if (node.op == Op::kSet) return node.live != nullptr && node.live->is_object() && node.modified->is_object();
  return std::any_of(node.children.begin(), node.children.end(), ReplacesMap);
}

bool HoldsList(const Value& value) {
  if (value.is_array()) return true;
  if (!value.is_object()) return false;
  return std::any_of(value.Members().begin(), value.Members().end(),
                     [](const Member& m) { return HoldsList(m.value); });
}

// Returns the resourceVersion; nullptr if it is missing or not a string, which is possible in a file.
const Value* VersionOf(const Value& live) {
  const Value* version = live.FindPath({"metadata", "resourceVersion"});
  return version != nullptr && version->is_string() ? version : nullptr;
}

// Error: refused if metadata would no longer be a map.
Result<Value> GuardedMergePatch(const Value& patch, const Value& live, Arena& arena) {
  const Value* metadata = patch.Find("metadata");
  if (metadata != nullptr && !metadata->is_object()) {
    return Error::Refused(
        "the patch must contain metadata.resourceVersion, but the manifest removes metadata; add metadata.name");
  }
  // A resourceVersion in the manifest is already a guard. The null of one that the manifest no longer has, "" and "0" would
  // turn the server's check off.
  const std::string_view stated = TextAt(patch, {"metadata", "resourceVersion"});
  if (!stated.empty() && stated != "0") return patch;
  return WithAt(patch, {"metadata", "resourceVersion"}, *VersionOf(live), arena);
}

// Replaces the resourceVersion: the server compares it with the stored one, as after a merge patch (409). A `test`
// operation would fail with 422.
Value GuardedJsonPatch(const Value& patch, const Value& live, Arena& arena) {
  std::vector<Value> operations = {arena.Object({{"op", Value::UnownedString("replace")},
                                                 {"path", Value::UnownedString("/metadata/resourceVersion")},
                                                 {"value", *VersionOf(live)}})};
  operations.insert(operations.end(), patch.Items().begin(), patch.Items().end());
  return arena.Array(operations);
}

// Adds live's resourceVersion. REQUIRES: live has one. Error: as for GuardedMergePatch.
Result<Value> Guarded(const Value& patch, PatchFormat format, const Value& live, Arena& arena) {
  if (format == PatchFormat::kJson) return GuardedJsonPatch(patch, live, arena);
  return GuardedMergePatch(patch, live, arena);
}

class Encoder {
 public:
  // Retains the outcome, because the patch may share parts of it (replaced lists, JSON merge).
  Encoder(const DiffInput& input, const Plan& plan, const Document& outcome)
      : input_(input),
        plan_(plan),
        outcome_(outcome.root()),
        strategic_(input.schema->type(input.type).storage == Storage::kGoTypes),
        irregular_(FirstIrregular(plan)) {
    arena_.Retain(outcome);
  }

  Result<VerifiedPatch> Encode() {
    if (!plan_.changed()) {
      return Finish(PatchEncoding::kPlain, arena_.SortedObject({}), false, {},
                    strategic_ ? PatchFormat::kStrategic : PatchFormat::kMerge);
    }
    if (!strategic_) return JsonMerge();
    const Value plain = Render(plan_, ListEncoding::kPlain, arena_);
    if (Yields(plain)) return Finish(PatchEncoding::kPlain, plain, !irregular_.empty(), WhyGuarded());
    if (!irregular_.empty()) {
      const Value replacing = Render(plan_, ListEncoding::kReplaceIrregular, arena_);
      if (Yields(replacing)) {
        return Finish(PatchEncoding::kReplaceList, replacing, true,
                      StrCat(WhyGuarded(), ", so the whole list is sent"));
      }
    }
    return JsonMerge();
  }

 private:
  // Verifies a patch: the server's merge, executed here, must yield exactly the outcome.
  bool Yields(const Value& patch) {
    Arena scratch;
    auto merged = Merge(*input_.live, patch, *input_.schema, input_.type, scratch);
    if (!merged.ok()) refusal_ = ToString(merged.error());
    return merged.ok() && SameMeaning(*merged, outcome_);
  }

  // A JSON merge patch replaces a list as a whole, and would remove items that somebody adds after our read, so a patch
  // with a list is guarded.
  Result<VerifiedPatch> JsonMerge() {
    const Value patch = CreateJsonMergePatch(*input_.live, outcome_, arena_);
    Arena scratch;
    const Value merged = ApplyJsonMergePatch(*input_.live, patch, scratch);
    const Place stored = {.schema = input_.schema, .type = input_.type, .storage = Storage::kAsWritten};
    if (!strategic_ && !SameMeaning(merged, outcome_, stored)) return JsonPatch();
    if (!SameMeaning(merged, outcome_)) return NothingYieldsIt();
    const bool holds_list = HoldsList(patch);
    const bool guarded = strategic_ || holds_list || ReplacesMap(plan_.root);
    const std::string because = refusal_.empty() ? WhyGuarded() : refusal_;
    std::string why =
        strategic_   ? StrCat("a strategic merge patch cannot express the change", because.empty() ? "" : ": ", because)
        : holds_list ? "a JSON merge patch replaces lists as a whole"
        : guarded    ? "a JSON merge patch cannot replace a whole map"
                     : "";
    return Finish(guarded ? PatchEncoding::kGuardedMerge : PatchEncoding::kPlain, patch, guarded, std::move(why),
                  PatchFormat::kMerge);
  }

  // Only a JSON patch can store a null.
  Result<VerifiedPatch> JsonPatch() {
    const Value patch = CreateJsonPatch(*input_.live, outcome_, arena_);
    Arena scratch;
    const auto patched = ApplyJsonPatch(*input_.live, patch, scratch);
    if (!patched.ok() || *patched != outcome_) return NothingYieldsIt();
    return Finish(PatchEncoding::kGuardedJson, patch, true, "a JSON merge patch cannot store a null",
                  PatchFormat::kJson);
  }

  static Error NothingYieldsIt() {
    return Error::Refused(
        "no patch yields the object that the manifest asks for, so nothing is sent; change the fields that "
        "explain-diff "
        "shows, or use --compat=kubectl to send kubectl's patch");
  }

  std::string WhyGuarded() const {
    if (irregular_.empty()) return {};
    return StrCat(irregular_, ": the merge key alone does not identify the items");
  }

  Result<VerifiedPatch> Finish(PatchEncoding encoding, Value body, bool guarded, std::string why,
                               PatchFormat format = PatchFormat::kStrategic) {
    VerifiedPatch out;
    out.encoding = encoding;
    out.guarded = guarded && VersionOf(*input_.live) != nullptr;  // an object in a file may have no version
    if (out.guarded) {
      SMP_ASSIGN(body, Guarded(body, format, *input_.live, arena_));
    }
    out.format = format;
    out.why = std::move(why);
    out.body = Document(std::move(arena_), body);
    return out;
  }

  const DiffInput& input_;
  const Plan& plan_;
  const Value& outcome_;
  const bool strategic_;
  const std::string irregular_;
  std::string refusal_;
  Arena arena_;
};

}  // namespace

std::string_view EncodingName(PatchEncoding encoding) {
  switch (encoding) {
    case PatchEncoding::kPlain: return "plain";
    case PatchEncoding::kReplaceList: return "replace-list";
    case PatchEncoding::kGuardedMerge: return "guarded-merge";
    case PatchEncoding::kGuardedJson: return "guarded-json";
    case PatchEncoding::kApply: return "apply";
  }
  return "plain";
}

Result<Document> GuardedBody(const VerifiedPatch& patch, const Document& live) {
  if (patch.guarded || VersionOf(live.root()) == nullptr) return patch.body;
  Arena arena;
  arena.Retain(patch.body);
  arena.Retain(live);
  SMP_ASSIGN(const Value body, Guarded(patch.body.root(), patch.format, live.root(), arena));
  return Document(std::move(arena), body);
}

Result<VerifiedPatch> PlanPatch(const DiffInput& input) {
  SMP_ASSIGN(Plan plan, Diff(input));
  Arena arena;
  const Value outcome = Outcome(plan, arena);
  Document outcome_document(std::move(arena), outcome);
  SMP_ASSIGN(VerifiedPatch patch, Encoder(input, plan, outcome_document).Encode());
  patch.outcome = std::move(outcome_document);
  patch.plan = std::move(plan);
  return patch;
}

}  // namespace smp
