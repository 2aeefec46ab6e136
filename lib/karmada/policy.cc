#include "karmada/policy.h"

#include "base/strings.h"
#include "karmada/policy_reader.h"
#include "value/json.h"
#include "value/label_syntax.h"
#include "yaml/read_yaml.h"

namespace smp::karmada {

namespace {

using edit::EditKind;

constexpr size_t kMaxAnnotationBytes = 256UL << 10;

const std::vector<EditKind> kAddRemove = {EditKind::kAdd, EditKind::kRemove};
const std::vector<EditKind> kAddRemoveReplace = {EditKind::kAdd, EditKind::kRemove, EditKind::kReplace};
const std::vector<EditKind> kAllOperators = {EditKind::kAdd,  EditKind::kRemove, EditKind::kReplace,
                                             EditKind::kMove, EditKind::kTest,   EditKind::kCopy};

// Reads the list `name`, each entry by `read`, and notes their places; refuses unknown fields.
template <class Entry, class Read, class... Args>
Result<std::vector<Entry>> ReadList(PolicyReader& reader, std::string_view name, Read read, Args&&... args) {
  std::vector<Entry> out;
  SMP_ASSIGN(std::vector<PolicyReader> maps, reader.Maps(name));
  for (PolicyReader& map : maps) {
    SMP_ASSIGN(Entry entry, read(map, args...));
    if constexpr (requires { entry.place; }) entry.place = map.place();
    SMP_TRY(map.RefuseUnknown());
    out.push_back(std::move(entry));
  }
  return out;
}

// Checks a path as karmada's admission does.
Status CheckPointer(const PolicyReader& reader, std::string_view name, const std::string& text) {
  if (text.empty() || text.front() == '/') return Ok();
  return reader.Wrong(name, StrCat("\"", text, "\" must be a JSON pointer: empty, or beginning with / (/", text, ")"));
}

KeyRequirement::Operator ToOperator(const std::string& text) {
  if (text == "In") return KeyRequirement::Operator::kIn;
  if (text == "NotIn") return KeyRequirement::Operator::kNotIn;
  if (text == "Exists") return KeyRequirement::Operator::kExists;
  return text == "DoesNotExist" ? KeyRequirement::Operator::kDoesNotExist : KeyRequirement::Operator::kUnknown;
}

Result<KeyRequirement> ReadRequirement(PolicyReader& reader) {
  KeyRequirement out;
  SMP_ASSIGN(out.key, reader.RequiredText("key"));
  SMP_ASSIGN(const std::string op, reader.RequiredText("operator"));
  out.op = ToOperator(op);
  SMP_ASSIGN(out.values, reader.Texts("values"));
  return out;
}

// Returns why LabelSelectorAsSelector of apimachinery refuses the requirement; empty if it is valid.
std::string ProblemOfRequirement(const KeyRequirement& requirement) {
  using Operator = KeyRequirement::Operator;
  if (std::string problem = ProblemOfQualifiedName(requirement.key); !problem.empty()) return problem;
  const bool takes_values = requirement.op == Operator::kIn || requirement.op == Operator::kNotIn;
  if (requirement.op == Operator::kUnknown) return "the operator must be In, NotIn, Exists or DoesNotExist";
  if (takes_values && requirement.values.empty()) return "In and NotIn need values";
  if (!takes_values && !requirement.values.empty()) return "Exists and DoesNotExist take no values";
  for (const std::string& value : requirement.values) {
    if (std::string problem = ProblemOfLabelValue(value); !problem.empty()) return problem;
  }
  return {};
}

Result<std::optional<KeySelector>> ReadLabelSelector(PolicyReader& reader, std::string_view name,
                                                     std::vector<Error>& notes) {
  SMP_ASSIGN(std::optional<PolicyReader> map, reader.Map(name));
  if (!map) return std::optional<KeySelector>();
  KeySelector out;
  SMP_ASSIGN(const auto labels, map->TextMap("matchLabels"));
  for (const auto& [key, value] : labels) out.requirements.push_back({key, KeyRequirement::Operator::kIn, {value}});
  SMP_ASSIGN(const auto expressions, ReadList<KeyRequirement>(*map, "matchExpressions", ReadRequirement));
  out.requirements.insert(out.requirements.end(), expressions.begin(), expressions.end());
  SMP_TRY(map->RefuseUnknown());
  for (const KeyRequirement& requirement : out.requirements) {
    if (out.problem.empty()) out.problem = ProblemOfRequirement(requirement);
  }
  if (!out.problem.empty()) notes.push_back(map->Wrong("the selector is invalid and selects nothing: " + out.problem));
  return std::optional<KeySelector>(std::move(out));
}

Result<KeyRequirement> ReadFieldRequirement(PolicyReader& reader) {
  using Operator = KeyRequirement::Operator;
  SMP_ASSIGN(KeyRequirement out, ReadRequirement(reader));
  if (out.key != "provider" && out.key != "region" && out.key != "zone") {
    return reader.Wrong("key", StrCat("\"", out.key, "\" is not a cluster field; it must be provider, region or zone"));
  }
  if (out.op != Operator::kIn && out.op != Operator::kNotIn) return reader.Wrong("operator", "must be In or NotIn");
  return out;
}

Result<std::optional<KeySelector>> ReadFieldSelector(PolicyReader& reader, std::vector<Error>& notes) {
  SMP_ASSIGN(std::optional<PolicyReader> map, reader.Map("fieldSelector"));
  if (!map) return std::optional<KeySelector>();
  KeySelector out;
  SMP_ASSIGN(out.requirements, ReadList<KeyRequirement>(*map, "matchExpressions", ReadFieldRequirement));
  SMP_TRY(map->RefuseUnknown());
  for (const KeyRequirement& requirement : out.requirements) {
    if (requirement.key != "zone" && requirement.values.empty()) out.problem = "In and NotIn need values";
  }
  if (!out.problem.empty()) notes.push_back(map->Wrong("the selector is invalid and selects nothing: " + out.problem));
  return std::optional<KeySelector>(std::move(out));
}

Result<std::optional<ClusterAffinity>> ReadTarget(PolicyReader& reader, std::vector<Error>& notes) {
  SMP_ASSIGN(std::optional<PolicyReader> map, reader.Map("targetCluster"));
  if (!map) return std::optional<ClusterAffinity>();
  ClusterAffinity out;
  out.place = map->place();
  SMP_ASSIGN(out.labels, ReadLabelSelector(*map, "labelSelector", notes));
  SMP_ASSIGN(out.fields, ReadFieldSelector(*map, notes));
  SMP_ASSIGN(out.names, map->Texts("clusterNames"));
  SMP_ASSIGN(out.exclude, map->Texts("exclude"));
  SMP_TRY(map->RefuseUnknown());
  return std::optional<ClusterAffinity>(std::move(out));
}

Result<ImageOverrider> ReadImage(PolicyReader& reader) {
  using Component = ImageOverrider::Component;
  ImageOverrider out;
  SMP_ASSIGN(std::optional<PolicyReader> predicate, reader.Map("predicate"));
  if (predicate) {
    SMP_ASSIGN(out.path, predicate->RequiredText("path"));
    SMP_TRY(CheckPointer(*predicate, "path", *out.path));
    SMP_TRY(predicate->RefuseUnknown());
  }
  SMP_ASSIGN(const std::string component, reader.RequiredText("component"));
  const std::map<std::string_view, Component> known = {
      {"Registry", Component::kRegistry}, {"Repository", Component::kRepository}, {"Tag", Component::kTag}};
  const auto found = known.find(component);
  if (found == known.end()) {
    return reader.Wrong("component", StrCat("\"", component, "\" must be one of Registry, Repository, Tag"));
  }
  out.component = found->second;
  SMP_ASSIGN(out.op, reader.Operator(kAddRemoveReplace));
  SMP_ASSIGN(out.value, reader.Text("value"));
  return out;
}

Result<ContainerOverrider> ReadContainer(PolicyReader& reader) {
  ContainerOverrider out;
  SMP_ASSIGN(out.container, reader.RequiredText("containerName"));
  SMP_ASSIGN(out.op, reader.Operator(kAddRemove));
  SMP_ASSIGN(out.values, reader.Texts("value"));
  return out;
}

Result<MapOverrider> ReadMap(PolicyReader& reader) {
  MapOverrider out;
  SMP_ASSIGN(out.op, reader.Operator(kAddRemoveReplace));
  if (!reader.Given("value")) return reader.Wrong("value is required");
  SMP_ASSIGN(out.values, reader.TextMap("value"));
  return out;
}

Result<MapOverrider> ReadLabels(PolicyReader& reader) {
  SMP_ASSIGN(MapOverrider out, ReadMap(reader));
  for (const auto& [key, value] : out.values) {
    if (std::string problem = ProblemOfQualifiedName(key); !problem.empty()) return reader.Wrong("value", problem);
    if (std::string problem = ProblemOfLabelValue(value); !problem.empty()) return reader.Wrong("value", problem);
  }
  return out;
}

Result<MapOverrider> ReadAnnotations(PolicyReader& reader) {
  SMP_ASSIGN(MapOverrider out, ReadMap(reader));
  size_t bytes = 0;
  for (const auto& [key, value] : out.values) {
    if (std::string problem = ProblemOfQualifiedName(ToLower(key)); !problem.empty()) {
      return reader.Wrong("value", problem);
    }
    bytes += key.size() + value.size();
  }
  if (bytes > kMaxAnnotationBytes) return reader.Wrong("value", "annotations must not exceed 256 KiB in total");
  return out;
}

// Returns the member `value`. karmada's webhook treats a null in a fieldOverrider as a missing value.
std::optional<Value> ValueUnlessNull(PolicyReader& reader) {
  const Value* value = reader.Any("value");
  return value == nullptr || value->is_null() ? std::nullopt : std::optional<Value>(*value);
}

Result<PatchOperation> ReadFieldOperation(PolicyReader& reader) {
  PatchOperation out;
  SMP_ASSIGN(out.path, reader.RequiredText("subPath"));
  SMP_TRY(CheckPointer(reader, "subPath", out.path));
  SMP_ASSIGN(out.op, reader.Operator(kAddRemoveReplace));
  out.value = ValueUnlessNull(reader);
  if (out.op == EditKind::kRemove && out.value) return reader.Wrong("value", "remove takes no value");
  if (out.op != EditKind::kRemove && !out.value) {
    return reader.Wrong(StrCat(EditKindName(out.op), " requires a value other than null"));
  }
  return out;
}

Result<FieldOverrider> ReadField(PolicyReader& reader) {
  FieldOverrider out;
  SMP_ASSIGN(out.path, reader.RequiredText("fieldPath"));
  SMP_TRY(CheckPointer(reader, "fieldPath", out.path));
  SMP_ASSIGN(auto json, ReadList<PatchOperation>(reader, "json", ReadFieldOperation));
  SMP_ASSIGN(auto yaml, ReadList<PatchOperation>(reader, "yaml", ReadFieldOperation));
  if (!json.empty() && !yaml.empty()) return reader.Wrong("has both json and yaml operations; use only one of them");
  SMP_TRY(reader.RefuseUnknown());  // report a misspelt name first: better than "no operations"
  if (json.empty() && yaml.empty()) return reader.Wrong("has no operations; specify json or yaml");
  out.format = json.empty() ? edit::DataFormat::kYaml : edit::DataFormat::kJson;
  out.operations = json.empty() ? std::move(yaml) : std::move(json);
  return out;
}

Result<PatchOperation> ReadPlaintext(PolicyReader& reader) {
  PatchOperation out;
  SMP_ASSIGN(out.path, reader.RequiredText("path"));
  SMP_ASSIGN(out.op, reader.Operator(kAddRemoveReplace));
  const Value* value = reader.Any("value");
  out.value = value == nullptr ? Value() : *value;  // without a value karmada writes null
  return out;
}

// Reads an operation of an alternative design: RFC 6902 with `operator` instead of `op`.
Result<PatchOperation> ReadPatchOperation(PolicyReader& reader, std::vector<Error>& notes) {
  PatchOperation out;
  SMP_ASSIGN(out.path, reader.RequiredText("path"));
  SMP_ASSIGN(out.op, reader.Operator(kAllOperators));
  const bool takes_from = out.op == EditKind::kMove || out.op == EditKind::kCopy;
  const bool takes_value = !takes_from && out.op != EditKind::kRemove;
  const Value* value = reader.Any("value");
  if (takes_value && value == nullptr) return reader.Wrong(StrCat(EditKindName(out.op), " needs a value"));
  if (takes_value) out.value = *value;
  if (takes_from) {
    SMP_ASSIGN(out.from, reader.RequiredText("from"));
  } else if (reader.Given("from")) {
    notes.push_back(reader.Wrong("from", StrCat(EditKindName(out.op), " ignores from")));
  }
  if (!takes_value && value != nullptr) {
    notes.push_back(reader.Wrong("value", StrCat(EditKindName(out.op), " ignores the value")));
  }
  return out;
}

bool IsBlank(std::string_view text) { return Trim(text).empty(); }

// Parses mergeRawValue, a text in the overrider's format. Returns nullopt if it is empty.
Result<std::optional<Document>> ParseRaw(const PolicyReader& reader, const std::string& text, edit::DataFormat format,
                                         std::vector<Error>& notes) {
  const auto wrong = [&](const Error& error) {
    const std::string line = error.source.line > 0 ? StrCat(" (line ", error.source.line, " of the text)") : "";
    return reader.Wrong("mergeRawValue", StrCat(error.message, line));
  };
  if (IsBlank(text)) return std::optional<Document>();
  if (format == edit::DataFormat::kJson) {
    auto document = ParseJson(text, {.keep_lines = true});
    if (!document.ok()) return wrong(document.error());
    return std::optional<Document>(*std::move(document));
  }
  yaml::YamlFile file = yaml::ParseYamlFile(text, "");
  if (file.items.empty()) return std::optional<Document>();
  if (!file.items[0].document.ok()) return wrong(file.items[0].document.error());
  if (file.items.size() > 1) {
    notes.push_back(reader.Wrong("mergeRawValue", "has several documents; only the first is merged"));
  }
  return std::optional<Document>(*std::move(file.items[0].document));
}

Status ReadMerges(PolicyReader& reader, OverridePolicy& policy, FieldOverrider& out) {
  if (const Value* merge = reader.Any("mergeValue"); merge != nullptr && !merge->is_null()) {
    if (!merge->is_object())
      return reader.Wrong("mergeValue", StrCat("must be a map, found ", KindName(merge->kind())));
    out.merge_value = *merge;
  }
  SMP_ASSIGN(const std::string raw, reader.Text("mergeRawValue"));
  SMP_ASSIGN(const std::optional<Document> document, ParseRaw(reader, raw, out.format, policy.notes));
  if (!document || document->root().is_null()) return Ok();
  if (!document->root().is_object()) {
    return reader.Wrong("mergeRawValue", StrCat("must be a map, found ", KindName(document->root().kind())));
  }
  out.merge_raw_value = document->root();
  policy.raw_documents.push_back(*document);
  return Ok();
}

Result<FieldOverrider> ReadAlternative(PolicyReader& reader, edit::DataFormat format, OverridePolicy& policy) {
  FieldOverrider out;
  out.format = format;
  out.rules = PatchRules::kRfc6902;
  SMP_ASSIGN(out.path, reader.RequiredText("path"));
  SMP_TRY(CheckPointer(reader, "path", out.path));
  if (reader.Given("patch") && reader.Given("jsonPatch")) {
    return reader.Wrong("has both patch and jsonPatch, which are aliases; use only one of them");
  }
  const std::string_view patch = reader.Given("patch") ? "patch" : "jsonPatch";
  SMP_ASSIGN(out.operations, ReadList<PatchOperation>(reader, patch, ReadPatchOperation, policy.notes));
  SMP_TRY(ReadMerges(reader, policy, out));
  const bool says_something =
      reader.Given("patch") || reader.Given("jsonPatch") || reader.Given("mergeValue") || reader.Given("mergeRawValue");
  if (!says_something) policy.notes.push_back(reader.Wrong("changes nothing: it has no patch and nothing to merge"));
  return out;
}

Error NotBuiltIn(const PolicyReader& reader, std::string_view name, std::string_view format) {
  return reader.Wrong(name, StrCat(format, " is not supported; use json or yaml"));
}

Result<FieldOverrider> ReadPlaintextObject(PolicyReader& reader, OverridePolicy& policy) {
  SMP_ASSIGN(const std::string format, reader.RequiredText("dataFormat"));
  if (format == "json") return ReadAlternative(reader, edit::DataFormat::kJson, policy);
  if (format == "yaml") return ReadAlternative(reader, edit::DataFormat::kYaml, policy);
  return NotBuiltIn(reader, "dataFormat", format.empty() ? "an empty format" : format);
}

// Reads fieldOverrider, and the alternative designs that run in the same slot.
Status ReadFields(PolicyReader& reader, OverridePolicy& policy, std::vector<FieldOverrider>& out) {
  using enum edit::DataFormat;
  if (reader.Given("tomlPlaintextOverrider")) return NotBuiltIn(reader, "tomlPlaintextOverrider", "toml");
  if (reader.Given("xmlPlaintextOverrider")) return NotBuiltIn(reader, "xmlPlaintextOverrider", "xml");
  SMP_ASSIGN(out, ReadList<FieldOverrider>(reader, "fieldOverrider", ReadField));
  SMP_ASSIGN(auto of_json, ReadList<FieldOverrider>(reader, "jsonPlaintextOverrider", ReadAlternative, kJson, policy));
  SMP_ASSIGN(auto of_yaml, ReadList<FieldOverrider>(reader, "yamlPlaintextOverrider", ReadAlternative, kYaml, policy));
  SMP_ASSIGN(auto of_objects,
             ReadList<FieldOverrider>(reader, "plaintextObjectOverrider", ReadPlaintextObject, policy));
  for (auto* more : {&of_json, &of_yaml, &of_objects}) {
    std::move(more->begin(), more->end(), std::back_inserter(out));
  }
  return Ok();
}

Status ReadOverriders(PolicyReader& reader, OverridePolicy& policy, OverrideRule& out) {
  SMP_ASSIGN(out.images, ReadList<ImageOverrider>(reader, "imageOverrider", ReadImage));
  SMP_ASSIGN(out.command, ReadList<ContainerOverrider>(reader, "commandOverrider", ReadContainer));
  SMP_ASSIGN(out.args, ReadList<ContainerOverrider>(reader, "argsOverrider", ReadContainer));
  SMP_ASSIGN(out.labels, ReadList<MapOverrider>(reader, "labelsOverrider", ReadLabels));
  SMP_ASSIGN(out.annotations, ReadList<MapOverrider>(reader, "annotationsOverrider", ReadAnnotations));
  SMP_TRY(ReadFields(reader, policy, out.fields));
  SMP_ASSIGN(out.plaintext, ReadList<PatchOperation>(reader, "plaintext", ReadPlaintext));
  return reader.RefuseUnknown();
}

// Reads a rule. The deprecated fields of the spec (targetCluster, overriders) act as a rule and are read by it, too.
Result<OverrideRule> ReadRule(PolicyReader& reader, OverridePolicy& policy) {
  OverrideRule out;
  out.place = reader.place();
  SMP_ASSIGN(out.target, ReadTarget(reader, policy.notes));
  SMP_ASSIGN(std::optional<PolicyReader> overriders, reader.Map("overriders"));
  if (!overriders) return reader.Wrong("overriders is required");
  SMP_TRY(ReadOverriders(*overriders, policy, out));
  return out;
}

Result<ResourceSelector> ReadSelector(PolicyReader& reader, OverridePolicy& policy) {
  ResourceSelector out;
  SMP_ASSIGN(out.api_version, reader.RequiredText("apiVersion"));
  SMP_ASSIGN(out.kind, reader.RequiredText("kind"));
  SMP_ASSIGN(out.name_space, reader.Text("namespace"));
  SMP_ASSIGN(out.name, reader.Text("name"));
  SMP_ASSIGN(out.labels, ReadLabelSelector(reader, "labelSelector", policy.notes));
  if (policy.cluster_scoped) return out;
  if (!out.name_space.empty() && out.name_space != policy.name_space) {
    return reader.Wrong("namespace", StrCat("an OverridePolicy selects objects of its own namespace, ",
                                            policy.name_space, "; a ClusterOverridePolicy may select others"));
  }
  out.name_space = policy.name_space;  // karmada's mutating webhook sets it
  return out;
}

bool IsEmptyMap(const Value* value) { return value == nullptr || value->is_null() || value->empty(); }

// Differs from karmada, which checks only some overriders and then silently ignores the deprecated fields.
Status CheckDeprecatedFields(PolicyReader& spec) {
  if (spec.Given("targetCluster")) {
    return spec.Wrong("targetCluster", "cannot be used with overrideRules; move it into the rules");
  }
  if (!IsEmptyMap(spec.Any("overriders"))) {
    return spec.Wrong("overriders", "cannot be used with overrideRules; turn it into a rule");
  }
  return Ok();
}

Status ReadRules(PolicyReader& spec, OverridePolicy& out) {
  SMP_ASSIGN(out.rules, ReadList<OverrideRule>(spec, "overrideRules", ReadRule, out));
  if (!out.rules.empty()) return CheckDeprecatedFields(spec);
  SMP_ASSIGN(const std::optional<PolicyReader> overriders, spec.Map("overriders"));
  if (!overriders) {
    SMP_TRY(ReadTarget(spec, out.notes));
    return Ok();
  }
  SMP_ASSIGN(OverrideRule rule, ReadRule(spec, out));
  out.rules.push_back(std::move(rule));
  return Ok();
}

// Refuses fields that ObjectMeta does not have. Their values are not checked; the server does that.
Status CheckMetadata(PolicyReader& metadata) {
  for (const char* name :
       {"generateName", "labels", "annotations", "uid", "resourceVersion", "generation", "selfLink", "finalizers",
        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "managedFields"}) {
    metadata.Any(name);
  }
  return metadata.RefuseUnknown();
}

Status ReadMetadata(PolicyReader& reader, const std::string& default_namespace, OverridePolicy& out) {
  SMP_ASSIGN(std::optional<PolicyReader> metadata, reader.Map("metadata"));
  if (!metadata) return reader.Wrong("metadata is required");
  SMP_ASSIGN(out.name, metadata->RequiredText("name"));
  SMP_ASSIGN(out.name_space, metadata->Text("namespace"));
  SMP_TRY(CheckMetadata(*metadata));
  if (out.cluster_scoped) {
    out.name_space.clear();
  } else if (out.name_space.empty()) {
    out.name_space = default_namespace;
  }
  return Ok();
}

bool IsKarmada(std::string_view api_version) {
  return api_version == "policy.karmada.io/v1alpha1" || api_version == "karmada.io/v1alpha1";
}

}  // namespace

std::string OverridePolicy::Label() const {
  return cluster_scoped ? StrCat("ClusterOverridePolicy ", name) : StrCat("OverridePolicy ", name_space, "/", name);
}

bool IsOverridePolicy(const Value& object) {
  const std::string_view kind = object.StringOr("kind");
  return IsKarmada(object.StringOr("apiVersion")) && (kind == "OverridePolicy" || kind == "ClusterOverridePolicy");
}

Result<OverridePolicy> ReadOverridePolicy(const Document& document, const Value& policy,
                                          const std::string& default_namespace) {
  OverridePolicy out;
  out.document = document;
  SMP_ASSIGN(PolicyReader reader, PolicyReader::Open(policy, "", document));
  if (!IsOverridePolicy(policy)) {
    return reader.Wrong(StrCat("not an override policy: found ", policy.StringOr("apiVersion", "?"), " ",
                               policy.StringOr("kind", "?"),
                               ", expected OverridePolicy or ClusterOverridePolicy of policy.karmada.io/v1alpha1"));
  }
  reader.Any("apiVersion");
  reader.Any("status");
  out.source = reader.place().source;
  SMP_ASSIGN(const std::string kind, reader.RequiredText("kind"));
  out.cluster_scoped = kind == "ClusterOverridePolicy";
  SMP_TRY(ReadMetadata(reader, default_namespace, out));
  SMP_ASSIGN(std::optional<PolicyReader> spec, reader.Map("spec"));
  if (!spec) return reader.Wrong("spec is required");
  SMP_ASSIGN(out.selectors, ReadList<ResourceSelector>(*spec, "resourceSelectors", ReadSelector, out));
  SMP_TRY(ReadRules(*spec, out));
  SMP_TRY(spec->RefuseUnknown());
  SMP_TRY(reader.RefuseUnknown());
  return out;
}

}  // namespace smp::karmada
