#include <optional>

#include "base/strings.h"
#include "cmd/batch.h"
#include "cmd/command.h"
#include "cmd/document_file.h"
#include "cmd/exit_code.h"
#include "cmd/schema_flags.h"
#include "compat/compat_patch.h"
#include "smp/conflicts.h"
#include "smp/smp.h"

namespace smp::cmd {

namespace {

enum class PatchType { kThreeWay, kTwoWay, kJsonMerge };

struct CreateOptions {
  // nullopt: three-way, or JSON merge for kinds that the server does not patch by strategic merge patch.
  std::optional<PatchType> type;
  compat::Dialect dialect = compat::Dialect::kVerified;
  compat::Overwrite overwrite = compat::Overwrite::kYes;
  std::string gvk;  // used for requests that do not contain a type
};

struct PatchRequest {
  const Value* original = nullptr;  // nullptr if not given
  const Value* modified = nullptr;
  const Value* live = nullptr;
  apply::TypeName type;
  compat::Overwrite overwrite = compat::Overwrite::kYes;
};

struct CreatedPatch {
  Value body;
  PatchFormat format = PatchFormat::kStrategic;
  bool as_asked = true;  // false: the format differs from the one requested, see `why`
  std::string why;
};

std::optional<PatchType> ToPatchType(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "two-way") return PatchType::kTwoWay;
  return text == "json-merge" ? PatchType::kJsonMerge : PatchType::kThreeWay;
}

CreateOptions ToOptions(const ParsedFlags& flags) {
  return {ToPatchType(flags.Text("type")),
          flags.Given("compat") ? compat::Dialect::kKubectl : compat::Dialect::kVerified,
          flags.On("overwrite") ? compat::Overwrite::kYes : compat::Overwrite::kNo, flags.Text("gvk")};
}

// A JSON merge patch can be made without a schema, so it is also made for unnamed and unknown kinds. kubectl never uses
// a schema for it.
Result<apply::FoundType> TypeForJsonMerge(const PatchRequest& request, compat::Dialect dialect,
                                          apply::TypeSource& types) {
  if (dialect == compat::Dialect::kKubectl) return apply::UnknownType();
  if (!request.type.empty()) return apply::FindType(types, request.type, *request.modified);
  const auto gvk = GvkOf(*request.modified);
  if (!gvk.ok()) return apply::UnknownType();
  SMP_ASSIGN(const std::optional<apply::FoundType> found, types.OfKind(*gvk));
  return found.value_or(apply::UnknownType());
}

Result<CreatedPatch> VerifiedPatchFor(const PatchRequest& request, PatchType type, const apply::FoundType& found,
                                      Arena& arena) {
  DiffInput input = {request.original, request.modified, request.live, found.schema.get(), found.type};
  if (type == PatchType::kTwoWay) {
    if (input.original == nullptr) input.original = arena.Keep(arena.SortedObject({}));
    input.live = input.original;
  }
  SMP_ASSIGN(const VerifiedPatch patch, PlanPatch(input));
  if (request.overwrite == compat::Overwrite::kNo) {
    SMP_TRY(RefuseToOverwrite(OverwrittenFields(patch.plan, *input.live, *input.schema)));
  }
  arena.Retain(patch.body);
  return CreatedPatch{patch.body.root(), patch.format, patch.format == PatchFormat::kStrategic, patch.why};
}

Result<CreatedPatch> KubectlPatchFor(const PatchRequest& request, PatchType type, const apply::FoundType& found,
                                     Arena& arena) {
  const DiffInput input = {request.original, request.modified, request.live, found.schema.get(), found.type};
  Result<Value> body = type == PatchType::kThreeWay ? compat::KubectlThreeWayPatch(input, request.overwrite, arena)
                       : type == PatchType::kTwoWay ? compat::KubectlTwoWayPatch(input, arena)
                                                    : compat::KubectlJsonMergePatch(input, arena);
  if (!body.ok()) return std::move(body).error();
  const bool merge = type == PatchType::kJsonMerge;
  return CreatedPatch{*body, merge ? PatchFormat::kMerge : PatchFormat::kStrategic, !merge, {}};
}

Result<CreatedPatch> CreatePatch(const PatchRequest& request, const CreateOptions& options, apply::TypeSource& types,
                                 Arena& arena) {
  const bool json_merge = options.type == PatchType::kJsonMerge;
  SMP_ASSIGN(apply::FoundType found, json_merge ? TypeForJsonMerge(request, options.dialect, types)
                                                : apply::FindType(types, request.type, *request.modified));
  const PatchType by_kind = found.strategic ? PatchType::kThreeWay : PatchType::kJsonMerge;
  const PatchType type = options.type.value_or(by_kind);
  found = types.Read(found, type == PatchType::kJsonMerge ? Storage::kAsWritten : Storage::kGoTypes);
  if (type != PatchType::kTwoWay && request.live == nullptr) {
    Error error = Error::InvalidArgument("is missing; only a two-way patch does not need it");
    error.path = "live";
    return error;
  }
  auto created = options.dialect == compat::Dialect::kKubectl ? KubectlPatchFor(request, type, found, arena)
                                                              : VerifiedPatchFor(request, type, found, arena);
  if (!created.ok() || !json_merge) return created;
  if (created->format == PatchFormat::kJson) return Error::Refused(StrCat(created->why, "; remove --type=json-merge"));
  created->as_asked = true;
  return created;
}

// Adds the patch type if it is not the requested one, because a client must know it to send the patch.
std::vector<Member> ToAnswer(const CreatedPatch& patch) {
  std::vector<Member> out = {{"patch", patch.body}};
  if (!patch.as_asked)
    out.push_back({"type", Value::UnownedString(patch.format == PatchFormat::kJson ? "json" : "merge")});
  return out;
}

Result<std::vector<Member>> PatchFor(const Value& line, const CreateOptions& options, apply::TypeSource& types,
                                     Arena& arena) {
  PatchRequest request;
  SMP_ASSIGN(request.original, ObjectOrAbsent(line, "original"));
  SMP_ASSIGN(request.modified, ObjectIn(line, "modified"));
  SMP_ASSIGN(request.live, ObjectOrAbsent(line, "live"));
  SMP_ASSIGN(request.type.gvk, TextOr(line, "gvk", options.gvk));
  SMP_ASSIGN(request.type.component, TextOr(line, "schema", {}));
  SMP_ASSIGN(const bool overwrite, BoolOr(line, "overwrite", options.overwrite == compat::Overwrite::kYes));
  request.overwrite = overwrite ? compat::Overwrite::kYes : compat::Overwrite::kNo;
  SMP_ASSIGN(const CreatedPatch patch, CreatePatch(request, options, types, arena));
  return ToAnswer(patch);
}

void Explain(const CreatedPatch& patch, Io& io) {
  std::vector<std::string> parts;
  if (!patch.as_asked && patch.format == PatchFormat::kMerge)
    parts.push_back("this is a JSON merge patch; send it as application/merge-patch+json");
  if (!patch.as_asked && patch.format == PatchFormat::kJson)
    parts.push_back("this is a JSON patch; send it as application/json-patch+json");
  if (!patch.why.empty()) parts.push_back(patch.why);
  if (parts.empty()) return;
  Warn(io, Join(parts, ": "));
}

Result<int> PrintPatch(const ParsedFlags& flags, const CreateOptions& options, apply::TypeSource& types, Io& io) {
  SMP_ASSIGN(const Document modified, ReadObject(flags, "modified", io));
  std::optional<Document> original, live;
  if (flags.Given("original")) {
    SMP_ASSIGN(original, ReadObject(flags, "original", io));
  }
  if (flags.Given("live")) {
    SMP_ASSIGN(live, ReadObject(flags, "live", io));
  }
  Arena arena;
  const PatchRequest request = {original ? &original->root() : nullptr,
                                &modified.root(),
                                live ? &live->root() : nullptr,
                                {.gvk = options.gvk},
                                options.overwrite};
  SMP_ASSIGN(const CreatedPatch patch, CreatePatch(request, options, types, arena));
  Explain(patch, io);
  io.out << PrintDocument(flags, patch.body, 2) << std::flush;
  return kExitOk;
}

Status CheckFlags(const ParsedFlags& flags, const CreateOptions& options) {
  SMP_TRY(CheckDocumentFlags(flags, {"original", "modified", "live"}));
  if (flags.On("batch")) return RefuseBesideBatch(flags, {"original", "modified", "live", "output"});
  if (!flags.Given("modified")) return MissingFlag("modified");
  if (options.type == PatchType::kTwoWay && flags.Given("live")) {
    return Error::InvalidArgument(
        "--live cannot be used with --type=two-way, which compares --original with --modified");
  }
  if (options.type != PatchType::kTwoWay && !flags.Given("live")) {
    return Error::InvalidArgument("must specify --live, the current object; only --type=two-way does not need it");
  }
  return Ok();
}

Result<int> RunCreatePatch(const ParsedFlags& flags, Io& io) {
  const CreateOptions options = ToOptions(flags);
  SMP_TRY(CheckFlags(flags, options));
  SMP_ASSIGN(const std::unique_ptr<apply::TypeSource> types, MakeTypeSource(flags, io));
  if (!flags.On("batch")) return PrintPatch(flags, options, *types, io);
  return RunBatch(io, [&](const Value& line, Arena& arena) { return PatchFor(line, options, *types, arena); });
}

std::vector<Flag> CreatePatchFlags() {
  std::vector<Flag> flags = {
      DocumentFlag("original", "last-applied object; without it, no field counts as removed from the manifest"),
      DocumentFlag("modified", "desired object; - for standard input"),
      DocumentFlag("live", "current object (not with --type=two-way)"),
      Choice("type", {"three-way", "two-way", "json-merge"},
             "three-way: as in apply; two-way: from --original to --modified; json-merge: JSON merge patch, RFC 7386 "
             "(default three-way; json-merge for kinds without strategic merge patch)"),
      Choice("compat", {"kubectl"}, "print exactly the patch that kubectl apply would send"),
      Switch("overwrite", "false: fail if the patch would undo changes that others made to the live object", "true"),
      In(FlagGroup::kInput,
         Switch("batch",
                "read requests from standard input, one per line: "
                "{\"id\", \"original\"?, \"modified\", \"live\"?, \"overwrite\"?, \"gvk\"?|\"schema\"?}")),
      OutputFlag({"json", "yaml", "kyaml"}, "output format", "json"),
  };
  for (Flag& flag : SchemaFlagTable()) flags.push_back(std::move(flag));
  return Grouped(FlagGroup::kPatch, std::move(flags));
}

}  // namespace

Command CreatePatchCommand() {
  return {.summary = "create the patch that turns one object into another",
          .description =
              "Print the patch that turns a live object into what a manifest says. Both are files; a cluster is "
              "contacted only for its\n"
              "schema, with --from-server.\n"
              "\n"
              "The patch is computed and checked as in apply; with --compat=kubectl it is the patch that kubectl apply "
              "would send.\n"
              "Values of Secrets are printed unmasked.\n"
              "\n"
              "With --batch, each line of standard input is a request (a JSON object), and each answer is a line: "
              "{\"id\",\"patch\"} or\n"
              "{\"id\",\"error\":{\"code\",\"path\"?,\"message\"}}; members marked with ? are optional. If only a JSON "
              "merge patch can express\n"
              "the change, but another type was asked for, the answer also has \"type\":\"merge\".",
          .usage = "create-patch --modified FILE [--live FILE] [--original FILE] [flags]",
          .examples =
              "  # a three-way patch, as in apply\n"
              "  {program} create-patch --original last-applied.yaml --modified web.yaml --live live.yaml\n\n"
              "  # the patch that kubectl would send\n"
              "  {program} create-patch --compat=kubectl --original last-applied.yaml --modified web.yaml --live "
              "live.yaml\n\n"
              "  # from one file to another\n"
              "  {program} create-patch --type=two-way --original old.yaml --modified new.yaml\n\n"
              "  # many patches, with schemas of your own\n"
              "  {program} create-patch --batch --schema openapi/ < requests.jsonl\n",
          .flags = CreatePatchFlags(),
          .run = RunCreatePatch};
}

}  // namespace smp::cmd
