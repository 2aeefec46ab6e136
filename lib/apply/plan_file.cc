#include "apply/plan_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/document.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

constexpr int64_t kVersion = 1;

constexpr std::array<std::pair<PlannedAction, std::string_view>, 5> kActions = {{
    {PlannedAction::kCreate, "create"},
    {PlannedAction::kChange, "change"},
    {PlannedAction::kRecreate, "recreate"},
    {PlannedAction::kUnchanged, "unchanged"},
    {PlannedAction::kPrune, "prune"},
}};

std::optional<PlannedAction> ActionNamed(std::string_view name) {
  for (const auto& [action, its_name] : kActions) {
    if (its_name == name) return action;
  }
  return std::nullopt;
}

// Returns the digests of all Secrets of the input, whatever their order; "" if it has none.
std::string SecretsOf(const Manifests& input) {
  std::vector<std::string> digests;
  for (const Result<Manifest>& manifest : input.items) {
    if (!manifest.ok() || !IsSecret(manifest->document.root())) continue;
    digests.push_back(Sha256(WriteJson(manifest->document.root())));
  }
  std::ranges::sort(digests);
  return Join(digests, "");
}

// --- writing

void AddText(std::string_view name, const std::string& text, Arena& arena, std::vector<Member>& out) {
  if (!text.empty()) out.push_back({name, arena.String(text)});
}

Value TextsValue(const std::vector<std::string>& texts, Arena& arena) {
  std::vector<Value> out;
  for (const std::string& text : texts) out.push_back(arena.String(text));
  return arena.Array(out);
}

Value ObjectValue(const PlannedObject& object, Arena& arena) {
  std::vector<Member> out = {{"action", Value::UnownedString(PlannedActionName(object.action))}};
  AddText("apiVersion", object.api_version, arena, out);
  AddText("kind", object.kind, arena, out);
  AddText("namespace", object.name_space, arena, out);
  AddText("name", object.name, arena, out);
  AddText("uid", object.uid, arena, out);
  AddText("manifest", object.manifest, arena, out);
  AddText("request", object.request, arena, out);
  AddText("outcome", object.outcome, arena, out);
  if (!object.changes.empty()) out.push_back({"changes", TextsValue(object.changes, arena)});
  return arena.Object(std::move(out));
}

Value OptionsValue(const std::map<std::string, std::string>& options, Arena& arena) {
  std::vector<Member> out;
  for (const auto& [name, value] : options) out.push_back({arena.Copy(name), arena.String(value)});
  return arena.Object(std::move(out));
}

// Returns all but the digest.
Value ContentOf(const PlanFile& plan, Arena& arena) {
  std::vector<Value> objects;
  for (const PlannedObject& object : plan.objects) objects.push_back(ObjectValue(object, arena));
  std::vector<Member> out = {{"version", Value::Int(kVersion)},
                             {"options", OptionsValue(plan.options, arena)},
                             {"objects", arena.Array(objects)}};
  AddText("tool", plan.tool, arena, out);
  AddText("nonce", plan.nonce, arena, out);
  AddText("server", plan.server, arena, out);
  AddText("anchor", plan.anchor, arena, out);
  AddText("cluster", plan.cluster, arena, out);
  return arena.Object(std::move(out));
}

// --- reading

Error Damaged(const std::string& file, std::string_view why) {
  return Error::Parse(
      StrCat(file, " is not a plan, or is damaged: ", why, "; make a new one with explain-diff --plan-out"));
}

std::optional<PlannedObject> ToObject(const Value& value) {
  const auto action = ActionNamed(value.StringOr("action"));
  if (!action || value.StringOr("kind").empty() || value.StringOr("name").empty()) return std::nullopt;
  const auto text = [&](std::string_view name) { return std::string(value.StringOr(name)); };
  return PlannedObject{
      text("apiVersion"), text("kind"),     text("namespace"), text("name"),    *action,
      text("uid"),        text("manifest"), text("request"),   text("outcome"), TextsAt(value, {"changes"})};
}

std::map<std::string, std::string> ToOptions(const Value* value) {
  std::map<std::string, std::string> out;
  if (value == nullptr) return out;
  for (const Member& m : value->Members()) {
    if (m.value.is_string()) out.emplace(m.name, m.value.AsString());
  }
  return out;
}

}  // namespace

std::string_view PlannedActionName(PlannedAction action) {
  for (const auto& [one, name] : kActions) {
    if (one == action) return name;
  }
  return {};
}

Result<PlanKey> PlanKey::Make(std::string_view cluster, std::string_view nonce, const Manifests& input) {
  const std::string plain = HmacSha256(cluster, StrCat("plan", nonce));
  const std::string secrets = SecretsOf(input);
  const std::string of_secrets = secrets.empty() ? std::string() : StretchedKey(secrets, plain);
  if (plain.empty() || (!secrets.empty() && of_secrets.empty())) {
    return Error::Internal("OpenSSL could not derive the key of the plan");
  }
  return PlanKey(plain, of_secrets);
}

std::string PlanKey::Digest(std::string_view bytes, const Value& of) const {
  return Hex(HmacSha256(IsSecret(of) && !of_secrets_.empty() ? of_secrets_ : plain_, StrCat("object", bytes)));
}

std::string PlanKey::DigestOfPlan(std::string_view bytes) const {
  return Hex(HmacSha256(plain_, StrCat("file", bytes)));
}

std::string PlanKey::cluster_id() const { return Hex(HmacSha256(plain_, "cluster")); }

std::string WritePlanFile(const PlanFile& plan, const PlanKey& key) {
  Arena arena;
  const Value content = ContentOf(plan, arena);
  const Value digest = arena.String(key.DigestOfPlan(WriteJson(content)));
  return WriteIndentedJson(WithAt(content, {"digest"}, digest, arena)) + "\n";
}

Result<PlanFile> ReadPlanFile(std::string_view text, const std::string& file) {
  const Result<Document> document = ParseJson(text);
  if (!document.ok()) return Damaged(file, document.error().message);
  const Value& root = document->root();
  const Value* version = root.Find("version");
  if (version == nullptr || !version->is_int()) return Damaged(file, "it has no version");
  if (version->AsInt() != kVersion) {
    return Error::Parse(StrCat(file, ": this program reads plans of version ", kVersion, ", not ", version->AsInt(),
                               "; make a new one with explain-diff --plan-out"));
  }
  const auto member = [&](std::string_view name) { return std::string(root.StringOr(name)); };
  PlanFile out = {member("tool"), member("nonce"), member("server"), member("anchor"), member("cluster")};
  out.digest = member("digest");
  for (const std::string* needed : {&out.nonce, &out.server, &out.anchor, &out.cluster, &out.digest}) {
    if (needed->empty()) return Damaged(file, "something is missing");
  }
  Arena arena;
  out.content = WriteJson(WithoutAt(root, {}, {"digest"}, arena));
  out.options = ToOptions(root.Find("options"));
  for (const Value& object : ItemsAt(root, {"objects"})) {
    auto planned = ToObject(object);
    if (!planned) return Damaged(file, "an object has no action, kind or name");
    out.objects.push_back(*std::move(planned));
  }
  return out;
}

}  // namespace smp::apply
