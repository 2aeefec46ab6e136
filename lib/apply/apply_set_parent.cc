#include "apply/apply_set_parent.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/base64.h"
#include "value/metadata.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

constexpr std::string_view kIdLabel = "applyset.kubernetes.io/id";
constexpr std::string_view kTooling = "applyset.kubernetes.io/tooling";
constexpr std::string_view kNamespaces = "applyset.kubernetes.io/additional-namespaces";
constexpr std::string_view kKinds = "applyset.kubernetes.io/contains-group-kinds";
constexpr std::string_view kResources = "applyset.kubernetes.io/contains-group-resources";  // before kKinds
constexpr char kParentTypes[] = "applyset.kubernetes.io/is-parent-type";

constexpr std::string_view kOurTool = "kubectl-smp", kKubectl = "kubectl";

std::string Quoted(std::string_view text) { return StrCat("\"", text, "\""); }

Error Wrapped(std::string_view what, Error error) {
  error.message = StrCat(what, ": ", error.message);
  return error;
}

// --- the parent

struct ResourceAndName {
  std::string resource = "secrets";
  std::string name;
};

ResourceAndName ParseParent(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == text.npos) return {.name = text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

// Go's text of a GroupVersionResource: "widget.example.com" is "example.com/, Resource=widget".
std::string GoResource(const std::string& resource) {
  const size_t dot = resource.find('.');
  const std::string group = dot == resource.npos ? "" : resource.substr(dot + 1);
  return StrCat(group, "/, Resource=", resource.substr(0, dot));
}

Result<Resource> FindParentResource(kube::ResourceMapper& mapper, const ApplySetOptions& options,
                                    const ResourceAndName& parsed) {
  const std::string what = StrCat("invalid parent reference ", Quoted(options.parent));
  if (parsed.name.empty()) return Error::InvalidArgument(StrCat(what, ": name cannot be blank"));
  Result<kube::ServedResource> found = mapper.Find(parsed.resource);
  if (found.ok()) return std::move(found)->resource;
  if (found.error().code != ErrorCode::kNotFound) return Wrapped(what, std::move(found).error());
  return Error::InvalidArgument(StrCat(what, ": no matches for ", GoResource(parsed.resource)));
}

bool IsBuiltInParent(const Resource& resource) {
  const bool kind = resource.plural == "secrets" || resource.plural == "configmaps";
  return kind && resource.gvk.group.empty() && resource.gvk.version == "v1";
}

Status CheckMayBeParent(kube::Client& client, const Resource& resource) {
  std::vector<Result<Document>> lists = client.ListMetadata({kube::DefinitionRef("")}, kParentTypes);
  if (!lists[0].ok()) {
    return Wrapped("identifying allowed custom resource parent types", std::move(lists[0]).error());
  }
  const std::string name = FullName(resource.gvk, resource.plural);
  const auto items = ItemsAt(lists[0]->root(), {"items"});
  if (std::ranges::any_of(items, [&](const Value& item) { return TextAt(item, {"metadata", "name"}) == name; })) {
    return Ok();
  }
  return Error::InvalidArgument(StrCat("resource \"", resource.gvk.group, "/", resource.gvk.version,
                                       ", Resource=", resource.plural, "\" is not permitted as an ApplySet parent"));
}

// base64(sha256(<name>.<namespace>.<kind>.<group>)), in the alphabet for URLs and without padding.
std::string IdOf(const kube::ObjectRef& ref) {
  std::string code = EncodeBase64(Sha256(StrCat(ref.name, ".", ref.name_space, ".", ref.gvk.kind, ".", ref.gvk.group)));
  std::erase(code, '=');
  std::ranges::replace(code, '+', '-');
  std::ranges::replace(code, '/', '_');
  return StrCat("applyset-", code, "-v1");
}

// --- what it says

// Returns the NAME of NAME/VERSION.
std::string_view ToolOf(std::string_view tooling) { return tooling.substr(0, tooling.rfind('/')); }

// Returns the tooling that the parent is to have.
Result<std::string> ToolingAfter(const ApplySetParent& parent, const Value& live, const ApplySetOptions& options) {
  const std::string what = StrCat("ApplySet parent object ", Quoted(NameOf(parent)), " already exists and is ");
  const Value* tooling = live.FindPath({"metadata", "annotations", kTooling});
  if (tooling == nullptr || !tooling->is_string()) {
    return Error::InvalidArgument(StrCat(what, "missing required annotation ", Quoted(kTooling)));
  }
  const std::string_view tool = ToolOf(tooling->AsString());
  if (tool == kKubectl) return std::string(tooling->AsString());
  if (tool == kOurTool) return options.tooling;
  return Error::InvalidArgument(
      StrCat(what, "managed by tooling ", Quoted(tool), " instead of ", Quoted(ToolOf(options.tooling))));
}

Status CheckId(const ApplySetParent& parent, const Value& live) {
  const std::string what = StrCat("ApplySet parent object ", Quoted(NameOf(parent)), " exists and ");
  const Value* label = live.FindPath({"metadata", "labels", kIdLabel});
  if (label == nullptr || !label->is_string()) {
    return Error::InvalidArgument(StrCat(what, "does not have required label ", kIdLabel));
  }
  if (label->AsString() == parent.id) return Ok();
  return Error::InvalidArgument(StrCat(what, "has incorrect value for label ", Quoted(kIdLabel),
                                       " (got: ", label->AsString(), ", want: ", parent.id, ")"));
}

// Returns the pieces between commas; none of an empty text.
std::vector<std::string> Listed(std::string_view text) {
  if (text.empty()) return {};
  const std::vector<std::string_view> pieces = Split(text, ',');
  return {pieces.begin(), pieces.end()};
}

std::string GroupAfterDot(const std::string& text) {
  const size_t dot = text.find('.');
  return dot == text.npos ? "" : text.substr(dot + 1);
}

bool ServesKind(const Value& resource_list, std::string_view kind) {
  const auto items = ItemsAt(resource_list, {"resources"});
  return std::ranges::any_of(items, [&](const Value& item) { return item.StringOr("kind") == kind; });
}

// Returns false if that cannot be told: an aggregated API may be down, and its objects must not be forgotten.
bool IsUnserved(kube::Client& client, const std::string& group, std::string_view kind) {
  const Result<Document> versions = client.GetRaw(StrCat("/apis/", kube::EscapeUrl(group)));
  if (!versions.ok()) return versions.error().code == ErrorCode::kNotFound;
  const auto items = ItemsAt(versions->root(), {"versions"});
  return std::ranges::none_of(items, [&](const Value& version) {
    const Result<Document> list = client.GetRaw(StrCat("/apis/", version.StringOr("groupVersion")));
    return !list.ok() || ServesKind(list->root(), kind);
  });
}

// A CRD that serves no version still has its objects. Returns true if that cannot be told.
bool MayBeDefined(kube::Client& client, const std::string& group, std::string_view kind) {
  const std::vector<Result<Document>> lists = client.ListMetadata({kube::DefinitionRef("")}, "");
  if (!lists[0].ok()) return true;
  const auto items = ItemsAt(lists[0]->root(), {"items"});
  return std::ranges::any_of(items, [&](const Value& item) {
    const std::string name(TextAt(item, {"metadata", "name"}));
    if (GroupAfterDot(name) != group) return false;
    const Result<Document> definition = client.Get(kube::DefinitionRef(name));
    return !definition.ok() || TextAt(definition->root(), {"spec", "names", "kind"}) == kind;
  });
}

// Returns true if the kind was deleted, and its objects with it.
bool IsGone(kube::Client& client, const std::string& group_kind) {
  const std::string group = GroupAfterDot(group_kind);
  const std::string_view kind = std::string_view(group_kind).substr(0, group_kind.find('.'));
  return !group.empty() && IsUnserved(client, group, kind) && !MayBeDefined(client, group, kind);
}

// The server's kinds by a text; of a kind with several versions, the preferred one.
using Served = std::map<std::string, ListedKind>;

Result<Served> ServedBy(kube::ResourceMapper& mapper, const std::function<std::string(const Resource&)>& text) {
  SMP_ASSIGN(const std::vector<kube::ServedResource> served, mapper.All());
  Served out;
  for (const kube::ServedResource& one : served) {
    const Resource& resource = one.resource;
    out.try_emplace(text(resource), ListedKind{resource.gvk, resource.plural, resource.namespaced});
  }
  return out;
}

// Differs from kubectl: it refuses a set with a kind whose CRD was deleted, and so its objects with it.
Status ReadKinds(kube::Client& client, kube::ResourceMapper& mapper, std::string_view kinds, ApplySetState& state) {
  SMP_ASSIGN(const Served served, ServedBy(mapper, [](const Resource& one) { return GroupKindText(one.gvk); }));
  for (const std::string& text : Listed(kinds)) {
    if (const auto found = served.find(text); found != served.end()) {
      state.kinds.push_back(found->second);
    } else if (IsGone(client, text)) {
      state.unserved.insert(text);
    } else {
      return Error::NotFound(StrCat("could not find mapping for kind in ", Quoted(kKinds),
                                    " annotation: no matches for kind ", Quoted(text.substr(0, text.find('.'))),
                                    " in group ", Quoted(GroupAfterDot(text))));
    }
  }
  return Ok();
}

Status ReadResources(kube::ResourceMapper& mapper, std::string_view resources, ApplySetState& state) {
  SMP_ASSIGN(const Served served, ServedBy(mapper, [](const Resource& one) { return FullName(one.gvk, one.plural); }));
  for (const std::string& text : Listed(resources)) {
    const auto found = served.find(text);
    if (found == served.end()) {
      return Error::NotFound(
          StrCat("invalid group resource in ", Quoted(kResources), " annotation: no matches for ", GoResource(text)));
    }
    state.kinds.push_back(found->second);
  }
  return Ok();
}

Status ReadMembership(kube::Client& client, kube::ResourceMapper& mapper, const Value& live, ApplySetState& state) {
  const Value* kinds = live.FindPath({"metadata", "annotations", kKinds});
  if (kinds != nullptr && kinds->is_string()) return ReadKinds(client, mapper, kinds->AsString(), state);
  const std::string_view resources = TextAt(live, {"metadata", "annotations", kResources});
  if (!resources.empty()) return ReadResources(mapper, resources, state);
  return Error::InvalidArgument(
      StrCat("kubectl requires the ", Quoted(kKinds), " annotation to be set on all ApplySet parent objects"));
}

Status ReadNamespaces(const ApplySetParent& parent, const Value& live, ApplySetState& state) {
  for (std::string& name : Listed(TextAt(live, {"metadata", "annotations", kNamespaces}))) {
    // An empty name would mean all namespaces.
    if (name.empty()) return Error::InvalidArgument(StrCat("empty namespace in ", Quoted(kNamespaces)));
    state.namespaces.insert(std::move(name));
  }
  if (!parent.ref.name_space.empty()) state.namespaces.insert(parent.ref.name_space);
  return Ok();
}

Result<ApplySetState> ReadState(kube::Client& client, kube::ResourceMapper& mapper, const ApplySetParent& parent,
                                const Value& live, const ApplySetOptions& options) {
  ApplySetState out;
  SMP_ASSIGN(out.tooling, ToolingAfter(parent, live, options));
  SMP_TRY(CheckId(parent, live));
  Status read = ReadMembership(client, mapper, live, out);
  if (read.ok()) read = ReadNamespaces(parent, live, out);
  if (!read.ok()) {
    return Wrapped(StrCat("parsing ApplySet annotation on ", Quoted(NameOf(parent))), std::move(read).error());
  }
  return out;
}

// --- what is written

// The parent is written before any object, so its namespace must exist, even if the manifests create it. A namespace that
// may not be read counts as existing.
Status CheckNamespaceExists(kube::Client& client, const ApplySetParent& parent) {
  const std::string& name = parent.ref.name_space;
  const Result<Document> found = client.Get({{"", "v1", "Namespace"}, "namespaces", "", name});
  if (found.ok() || found.error().code != ErrorCode::kNotFound) return Ok();
  return Error::NotFound(StrCat(
      "the parent of the ApplySet, ", NameOf(parent), ", cannot be created, because the namespace ", Quoted(name),
      " does not exist; create it first (the parent is written before any object of the manifests)"));
}

struct SetTexts {
  std::string kinds, namespaces;

  friend bool operator==(const SetTexts&, const SetTexts&) = default;
};

// The parent's own namespace is not listed.
SetTexts TextsOf(const ApplySetParent& parent, ApplySetSets sets) {
  sets.namespaces.erase(parent.ref.name_space);
  return {Join(sets.kinds, ","), Join(sets.namespaces, ",")};
}

SetTexts TextsIn(const Value& live) {
  return {std::string(TextAt(live, {"metadata", "annotations", kKinds})),
          std::string(TextAt(live, {"metadata", "annotations", kNamespaces}))};
}

Value ParentPatch(const ApplySetParent& parent, const std::string& tooling, const SetTexts& sets,
                  const std::string& version, Arena& arena) {
  const Value annotations = arena.Object({{kTooling, arena.String(tooling)},
                                          {kKinds, arena.String(sets.kinds)},
                                          {kNamespaces, arena.String(sets.namespaces)}});
  std::vector<Member> metadata = {{"annotations", annotations},
                                  {"labels", arena.Object({{kIdLabel, arena.String(parent.id)}})},
                                  {"name", arena.String(parent.ref.name)}};
  if (!parent.ref.name_space.empty()) metadata.push_back({"namespace", arena.String(parent.ref.name_space)});
  if (!version.empty()) metadata.push_back({"resourceVersion", arena.String(version)});
  return arena.Object({{"apiVersion", arena.String(parent.ref.gvk.ApiVersion())},
                       {"kind", arena.String(parent.ref.gvk.kind)},
                       {"metadata", arena.Object(std::move(metadata))}});
}

// Returns true if the parent has this version, or if any will do.
bool HasVersion(kube::Client& client, const ApplySetParent& parent, const std::string& version) {
  if (version.empty()) return true;
  const Result<Document> live = client.Get(parent.ref);
  return live.ok() && VersionOf(live->root()) == version;
}

}  // namespace

std::string GroupKindText(const GroupVersionKind& gvk) {
  return gvk.group.empty() ? gvk.kind : StrCat(gvk.kind, ".", gvk.group);
}

std::string NameOf(const ApplySetParent& parent) {
  return StrCat(parent.ref.plural, ".", parent.ref.gvk.group, "/", parent.ref.name);
}

Result<ApplySetParent> FindApplySetParent(kube::Client& client, kube::ResourceMapper& mapper,
                                          const ApplySetOptions& options) {
  const ResourceAndName parsed = ParseParent(options.parent);
  SMP_ASSIGN(const Resource resource, FindParentResource(mapper, options, parsed));
  if (resource.namespaced && options.name_space.empty()) {
    return Error::InvalidArgument("namespace is required to use namespace-scoped ApplySet");
  }
  ApplySetParent out = {.is_built_in = IsBuiltInParent(resource)};
  if (!out.is_built_in) SMP_TRY(CheckMayBeParent(client, resource));
  out.ref = {resource.gvk, resource.plural, resource.namespaced ? options.name_space : "", parsed.name};
  out.id = IdOf(out.ref);
  return out;
}

Result<ApplySetState> ReadApplySetParent(kube::Client& client, kube::ResourceMapper& mapper,
                                         const ApplySetParent& parent, const ApplySetOptions& options) {
  const Result<Document> live = client.Get(parent.ref);
  if (live.ok()) {
    SecretRegistry::Instance().Remember(live->root());
    return ReadState(client, mapper, parent, live->root(), options);
  }
  if (live.error().code != ErrorCode::kNotFound) {
    return Wrapped(StrCat("failed to fetch ApplySet parent object ", Quoted(NameOf(parent))), live.error());
  }
  if (!parent.is_built_in) {
    return Error::InvalidArgument("custom resource ApplySet parents cannot be created automatically");
  }
  SMP_TRY(CheckNamespaceExists(client, parent));
  return ApplySetState{.tooling = options.tooling};
}

bool AreSame(const ApplySetParent& parent, const ApplySetSets& a, const ApplySetSets& b) {
  return TextsOf(parent, a) == TextsOf(parent, b);
}

Result<WrittenSets> ReadWrittenSets(kube::Client& client, const ApplySetParent& parent) {
  SMP_ASSIGN(const Document live, client.Get(parent.ref));
  const SetTexts texts = TextsIn(live.root());
  const std::vector<std::string> kinds = Listed(texts.kinds), namespaces = Listed(texts.namespaces);
  return WrittenSets{{{kinds.begin(), kinds.end()}, {namespaces.begin(), namespaces.end()}},
                     std::string(VersionOf(live.root()))};
}

Status WriteApplySetParent(kube::Client& client, const ApplySetParent& parent, const std::string& tooling,
                           const ApplySetSets& sets, const ApplySetOptions& options, const std::string& version) {
  if (options.dry_run == DryRun::kClient) return Ok();
  Arena arena;
  const Value patch = ParentPatch(parent, tooling, TextsOf(parent, sets), version, arena);
  kube::WriteOptions how = {.dry_run = options.dry_run == DryRun::kServer,
                            .field_manager = std::string(kApplySetManager),
                            .field_validation = options.field_validation};
  Result<Document> written = client.Patch(parent.ref, kube::PatchType::kApply, patch, how);
  if (!written.ok() && written.error().code == ErrorCode::kConflict && HasVersion(client, parent, version)) {
    options.warn(StrCat("failed to update ApplySet: ", written.error().message, "\nApplySet field manager ",
                        kApplySetManager, " should own these fields. Retrying with conflicts forced."));
    how.force = true;
    written = client.Patch(parent.ref, kube::PatchType::kApply, patch, how);
  }
  return written.ok() ? Ok() : Status(Wrapped("failed to update ApplySet", std::move(written).error()));
}

}  // namespace smp::apply
