#include "smp/merge.h"

#include "cmd/batch.h"
#include "cmd/command.h"
#include "cmd/document_file.h"
#include "cmd/exit_code.h"
#include "cmd/schema_flags.h"
#include "smp/json_merge.h"
#include "smp/json_patch.h"

namespace smp::cmd {

namespace {

enum class MergeType { kStrategic, kMerge, kJson };

struct MergeRequest {
  const Value* target = nullptr;
  const Value* patch = nullptr;
  apply::TypeName type;
  MergeRules rules = MergeRules::kProposals;
};

MergeRules ToMergeRules(const ParsedFlags& flags) {
  return flags.Given("compat") ? MergeRules::kServer : MergeRules::kProposals;
}

MergeType ToMergeType(const std::string& text) {
  if (text == "merge") return MergeType::kMerge;
  return text == "json" ? MergeType::kJson : MergeType::kStrategic;
}

// Rejects a patch whose form does not match --type, because that flag is easily forgotten.
Status CheckForm(const Value& patch, MergeType type) {
  if (type == MergeType::kStrategic && patch.is_array()) {
    Error error = Error::InvalidArgument(
        "must be an object for a strategic merge patch, got a list; use --type=json for a JSON patch");
    error.path = "patch";
    return error;
  }
  if (type == MergeType::kJson && patch.is_object()) {
    return Error::PatchFormat(
        "a JSON patch must be a list of operations, got an object; use --type=strategic or --type=merge");
  }
  return Ok();
}

Result<Value> StrategicMerge(const MergeRequest& request, apply::TypeSource& types, Arena& arena) {
  SMP_ASSIGN(apply::FoundType found, apply::FindType(types, request.type, *request.target));
  found = types.Read(found, Storage::kGoTypes);
  return Merge(*request.target, *request.patch, *found.schema, found.type, arena, request.rules);
}

Result<Value> Merged(const MergeRequest& request, MergeType type, apply::TypeSource& types, Arena& arena) {
  SMP_TRY(CheckForm(*request.patch, type));
  switch (type) {
    case MergeType::kStrategic: return StrategicMerge(request, types, arena);
    case MergeType::kMerge: return ApplyJsonMergePatch(*request.target, *request.patch, arena);
    case MergeType::kJson: return ApplyJsonPatch(*request.target, *request.patch, arena);
  }
  return Error::Internal("unknown type of patch");
}

// JSON merge patches and JSON patches are defined for any value.
Result<const Value*> PartOf(const Value& line, std::string_view name, MergeType type) {
  if (type == MergeType::kStrategic) return ObjectIn(line, name);
  if (const Value* value = line.Find(name)) return value;
  return ObjectIn(line, name);
}

Result<std::vector<Member>> Merged(const Value& line, const ParsedFlags& flags, apply::TypeSource& types,
                                   Arena& arena) {
  const MergeType type = ToMergeType(flags.Text("type"));
  const std::string gvk = flags.Text("gvk");
  MergeRequest request;
  request.rules = ToMergeRules(flags);
  SMP_ASSIGN(request.target, PartOf(line, "target", type));
  if (const Value* patch = line.Find("patch")) SMP_TRY(CheckForm(*patch, type));
  SMP_ASSIGN(request.patch, PartOf(line, "patch", type));
  SMP_ASSIGN(request.type.gvk, TextOr(line, "gvk", gvk));
  SMP_ASSIGN(request.type.component, TextOr(line, "schema", {}));
  SMP_ASSIGN(const Value result, Merged(request, type, types, arena));
  return std::vector<Member>{{"result", result}};
}

Result<Document> Required(const ParsedFlags& flags, const std::string& flag, Io& io) {
  SMP_ASSIGN(std::optional<Document> document, ReadDocument(flags, flag, io));
  if (!document) return MissingFlag(flag);
  return *std::move(document);
}

Result<int> PrintMerged(const ParsedFlags& flags, apply::TypeSource& types, Io& io) {
  SMP_ASSIGN(const Document target, Required(flags, "target", io));
  SMP_ASSIGN(const Document patch, Required(flags, "patch", io));
  const std::string gvk = flags.Text("gvk");
  const MergeRequest request = {&target.root(), &patch.root(), {.gvk = gvk}, ToMergeRules(flags)};
  Arena arena;
  SMP_ASSIGN(const Value result, Merged(request, ToMergeType(flags.Text("type")), types, arena));
  io.out << PrintDocument(flags, result, 4) << std::flush;
  return kExitOk;
}

Result<int> RunMerge(const ParsedFlags& flags, Io& io) {
  SMP_TRY(CheckDocumentFlags(flags, {"target", "patch"}));
  if (flags.On("batch")) SMP_TRY(RefuseBesideBatch(flags, {"target", "patch", "output"}));
  SMP_ASSIGN(const std::unique_ptr<apply::TypeSource> types, MakeTypeSource(flags, io));
  if (!flags.On("batch")) return PrintMerged(flags, *types, io);
  return RunBatch(io, [&](const Value& line, Arena& arena) { return Merged(line, flags, *types, arena); });
}

std::vector<Flag> MergeFlags() {
  std::vector<Flag> flags = {
      DocumentFlag("target", "object to patch; - for standard input"),
      DocumentFlag("patch", "patch, JSON or YAML"),
      Choice("type", {"strategic", "merge", "json"},
             "strategic merge patch, JSON merge patch (RFC 7386) or JSON patch (RFC 6902)", "strategic"),
      Choice("compat", {"kubectl"}, "merge like current API servers, even where they differ from the design documents"),
      In(FlagGroup::kInput,
         Switch(
             "batch",
             "read requests from standard input, one per line: {\"id\", \"target\", \"patch\", \"gvk\"?|\"schema\"?}")),
      OutputFlag({"json", "yaml", "kyaml"}, "output format", "json"),
  };
  for (Flag& flag : SchemaFlagTable()) flags.push_back(std::move(flag));
  return Grouped(FlagGroup::kPatch, std::move(flags));
}

}  // namespace

Command MergeCommand() {
  return {.summary = "apply a patch to an object in a file",
          .description =
              "Apply a patch to an object and print the result. Both are files; a cluster is contacted only for its "
              "schema, with\n"
              "--from-server.\n"
              "\n"
              "A strategic merge patch is merged as the Kubernetes design documents specify; with --compat=kubectl it "
              "is merged as API\n"
              "servers do, which differs in places. Values of Secrets are printed unmasked.\n"
              "\n"
              "With --batch, each line of standard input is a request (a JSON object), and each answer is a line: "
              "{\"id\",\"result\"} or\n"
              "{\"id\",\"error\":{\"code\",\"path\"?,\"message\"}}; members marked with ? are optional.",
          .usage = "merge --target FILE --patch FILE [flags]",
          .examples =
              "  # a strategic merge patch\n"
              "  {program} merge --target live.yaml --patch patch.yaml\n\n"
              "  # a JSON patch, printed as YAML\n"
              "  {program} merge --type=json --target live.yaml --patch patch.json -o yaml\n\n"
              "  # many patches\n"
              "  {program} merge --batch < requests.jsonl\n",
          .flags = MergeFlags(),
          .run = RunMerge};
}

}  // namespace smp::cmd
