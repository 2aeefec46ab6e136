#include "apply/harm.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "smp/diff.h"
#include "smp/managed_fields.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

constexpr size_t kLongestItem = 60;  // bytes of JSON

bool IsWritten(const PlanNode& node) { return node.op == Op::kSet || node.op == Op::kDelete; }

// Returns the text as one word of a shell command.
std::string ShellWord(const std::string& text) {
  if (text.find_first_of(" \t\n\"'\\[]{}()*?$&|;<>~#!`") == text.npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

class Finder {
 public:
  // REQUIRES: `owners` outlive it.
  Finder(const Prepared& prepared, const FieldOwners& owners, std::optional<std::chrono::sys_seconds> now)
      : prepared_(prepared), now_(now), owners_(owners), appliers_(Appliers(owners_)) {}

  std::vector<Harm> Find() {
    Visit(prepared_.patch->plan.root, owners_.root());
    if (taken_ > kMostNamed) {
      found_.push_back({Harm::Kind::kMore, {}, StrCat("takes ", taken_ - kMostNamed, " more fields from controllers")});
    }
    return std::move(found_);
  }

 private:
  void Visit(const PlanNode& node, const FieldOwners::Position& at) {
    if (!node.changes() || IsLastAppliedAnnotation(path_)) return;
    if (IsWritten(node) && node.live != nullptr) Written(node, at);
    for (const PlanNode& child : node.children) {
      path_.push_back(StepTo(node, child));
      Visit(child, StepTo(at, node, child));
      path_.pop_back();
    }
  }

  void Written(const PlanNode& node, const FieldOwners::Position& at) {
    std::vector<FieldManager> owners = at.Nearest();
    const bool of_server = ServerAddedItems(node, owners);
    std::erase_if(owners, [&](const FieldManager& owner) { return !IsController(owner) || HasApplied(owner); });
    if (!owners.empty() && ++taken_ <= kMostNamed) {
      found_.push_back({Harm::Kind::kTakesField, path_, TakenText(node, owners)});
    }
    const bool loses_items = node.dropped_foreign > 0 && node.live->is_array() && node.modified != nullptr;
    if (loses_items && !of_server && !IsSecret(prepared_.live->root())) {
      found_.push_back({Harm::Kind::kLosesItems, path_, LostText(node)});
    }
  }

  // Whoever wrote the last-applied annotation set its fields by applying, whatever its name: --field-manager=ci-operator.
  bool HasApplied(const FieldManager& manager) const {
    return std::ranges::find(appliers_, manager) != appliers_.end();
  }

  std::string TakenText(const PlanNode& node, const std::vector<FieldManager>& owners) const {
    const std::string path = ToString(path_);
    std::vector<std::string> steps;
    if (node.original != nullptr) steps.push_back(StrCat("run ", ForgetCommand(path)));
    if (node.modified != nullptr) steps.push_back("remove it from the manifest");
    const bool may_keep = !prepared_.server_side || prepared_.mode.server_side;  // not with --server-side
    const std::string keep = may_keep ? StrCat(", or use --keep-live ", ShellWord(path)) : "";
    return StrCat("takes ", path, " from ", Describe(owners, now_), ", which may set it again; to leave it, ",
                  Join(steps, " and "), keep);
  }

  std::string ForgetCommand(const std::string& path) const {
    const kube::ObjectRef& ref = prepared_.ref;
    return StrCat("kubectl smp last-applied forget ", ShellWord(path), " ", ref.plural,
                  ref.gvk.group.empty() ? "" : StrCat(".", ref.gvk.group), "/", ref.name,
                  ref.name_space.empty() ? "" : StrCat(" -n ", ref.name_space));
  }

  std::string LostText(const PlanNode& list) const {
    std::vector<std::string> items;
    for (const Value* item : ForeignItems(*list.live, list.original, *list.modified)) {
      const std::string text = WriteJson(*item);
      items.push_back(text.size() <= kLongestItem ? text : StrCat(text.substr(0, kLongestItem), "…"));
    }
    return StrCat("replaces ", ToString(path_),
                  " as a whole, without what others added: ", NameSome(std::move(items), kMostNamed));
  }

  const Prepared& prepared_;
  const std::optional<std::chrono::sys_seconds> now_;
  const FieldOwners& owners_;
  const std::vector<FieldManager> appliers_;
  FieldPath path_;
  size_t taken_ = 0;
  std::vector<Harm> found_;
};

// Collects the paths of the fields that the plan writes or deletes for this reason.
void Collect(Reason reason, const PlanNode& node, FieldPath& path, std::vector<std::string>& out) {
  if (!node.changes()) return;
  if (node.reason == reason && IsWritten(node) && !IsLastAppliedAnnotation(path)) out.push_back(ToString(path));
  if (reason == Reason::kRemoved) {
    for (const Value* element : node.removes) out.push_back(ToString(path) + ToString(PathStep::Element(*element)));
  }
  for (const PlanNode& child : node.children) {
    path.push_back(StepTo(node, child));
    Collect(reason, child, path, out);
    path.pop_back();
  }
}

std::vector<std::string> Paths(Reason reason, const Plan& plan) {
  std::vector<std::string> out;
  FieldPath path;
  Collect(reason, plan.root, path, out);
  return out;
}

bool HasPlan(const Prepared& prepared) { return prepared.live && prepared.patch && !prepared.patch->empty(); }

}  // namespace

std::vector<Harm> FindHarm(const Prepared& prepared, std::optional<std::chrono::sys_seconds> now,
                           const FieldOwners& owners) {
  return HasPlan(prepared) ? Finder(prepared, owners, now).Find() : std::vector<Harm>();
}

std::vector<std::string> HarmWarnings(const Prepared& prepared, std::optional<std::chrono::sys_seconds> now,
                                      const FieldOwners* owners) {
  if (!HasPlan(prepared)) return {};
  std::optional<FieldOwners> read;
  if (owners == nullptr) owners = &read.emplace(prepared.live->root());
  std::vector<std::string> lines;
  for (Harm& harm : FindHarm(prepared, now, *owners)) lines.push_back(std::move(harm.text));
  return lines;
}

std::string ConflictWarning(const Prepared& prepared) {
  if (!HasPlan(prepared)) return {};
  std::vector<std::string> paths = Paths(Reason::kConflict, prepared.patch->plan);
  if (paths.empty()) return {};
  return StrCat("the manifest and live both changed since the last apply, and the manifest wins: ",
                NameSome(std::move(paths), kMostNamed));
}

std::string AdoptionWarning(const Prepared& prepared) {
  if (!prepared.adopted || !HasPlan(prepared)) return {};
  std::vector<std::string> paths = Paths(Reason::kRemoved, prepared.patch->plan);
  return paths.empty()
             ? ""
             : StrCat("adopted and deleted, because the manifest lacks it: ", NameSome(std::move(paths), kMostNamed));
}

}  // namespace smp::apply
