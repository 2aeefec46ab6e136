#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/complete_values.h"
#include "cmd/document_file.h"
#include "cmd/exit_code.h"
#include "cmd/help.h"
#include "cmd/schema_flags.h"
#include "cmd/schema_sources.h"
#include "kube/resource_mapper.h"
#include "lint/key_conflicts.h"
#include "lint/kind_names.h"
#include "lint/schema_entry.h"
#include "schema/builtin.h"
#include "value/at.h"
#include "value/json.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

using Row = std::pair<std::string, std::string>;

Result<SchemaSources> OpenSchemas(const ParsedFlags& flags, Io& io) {
  return OpenSchemas(flags, flags.On("from-server"), [&] { return Connect(flags, io); });
}

// --- the kinds that there are

std::vector<Resource> ServedKinds(const std::vector<kube::ServedResource>& served) {
  std::vector<Resource> out;
  for (const kube::ServedResource& one : served) out.push_back(one.resource);
  return out;
}

// Returns the kinds of the CRDs of --schema, then those of the built-in schema.
std::vector<Resource> KnownKinds(const lint::Kinds& kinds) {
  std::vector<Resource> out;
  for (const auto& [gvk, defined] : kinds.definitions().kinds) out.push_back(defined.resource);
  for (const auto& [gvk, resource] : BuiltinSchema()->resources()) out.push_back(resource);
  return out;
}

// Returns the kinds of the server if it is connected, else the known ones.
Result<std::vector<Resource>> KindsIn(const SchemaSources& sources) {
  if (sources.connection == nullptr) return KnownKinds(lint::Kinds(sources.schemas, {}));
  kube::ResourceMapper mapper(sources.connection->client.get());
  SMP_ASSIGN(const std::vector<kube::ServedResource> served, mapper.All());
  return ServedKinds(served);
}

// The server also knows short names: deploy, svc.
Result<lint::NamedKind> ParseWithServer(std::string_view text, const Connection& connection) {
  kube::ResourceMapper mapper(connection.client.get());
  SMP_ASSIGN(const std::vector<kube::ServedResource> served, mapper.All());
  auto named = lint::ParseKindAndPath(text, ServedKinds(served));
  if (named.ok()) return named;
  const size_t dot = std::min(text.find('.'), text.size());
  const auto found = mapper.Find(std::string(text.substr(0, dot)));
  if (!found.ok()) return named;
  return lint::NamedKind{.gvk = found->resource.gvk, .path = std::string(text.substr(std::min(dot + 1, text.size())))};
}

// A kind that was named, with what finds its schema.
struct NamedSchema {
  SchemaSources sources;
  std::unique_ptr<lint::Kinds> kinds = {};
  lint::NamedKind named = {};
  std::shared_ptr<const lint::Kind> kind = {};
};

Result<std::unique_ptr<NamedSchema>> FindNamed(const ParsedFlags& flags, std::string_view text, Io& io) {
  auto out = std::make_unique<NamedSchema>();
  SMP_ASSIGN(out->sources, OpenSchemas(flags, io));
  if (flags.On("from-server")) {
    SMP_ASSIGN(out->named, ParseWithServer(text, *out->sources.connection));
    SMP_TRY(UseServersSchemas({out->named.gvk}, out->sources));
  }
  out->kinds = std::make_unique<lint::Kinds>(out->sources.schemas, std::vector<apply::Manifest>());
  if (!flags.On("from-server")) {
    SMP_ASSIGN(out->named, lint::ParseKindAndPath(text, KnownKinds(*out->kinds)));
  }
  SMP_ASSIGN(out->kind, out->kinds->Find(out->named.gvk));
  if (out->kind->authority != lint::Authority::kNobody) return out;
  const GroupVersionKind& gvk = out->named.gvk;
  return Error::Schema(StrCat("no schema for kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(),
                              "\"; name its CRD with --schema, or use --from-server"));
}

// --- a field, as text

std::string TextsOf(const Value& entry, std::string_view name) { return Join(TextsAt(entry, {name}), ", "); }

void AddRow(std::vector<Row>& rows, std::string name, std::string text) {
  if (!text.empty()) rows.emplace_back(std::move(name), std::move(text));
}

std::string DefaultOf(const Value& entry) {
  const Value* value = entry.Find("default");
  return value == nullptr ? "" : StrCat(WriteJson(*value), " (known from ", entry.StringOr("defaultFrom"), ")");
}

std::string PatchOf(const Value& entry) {
  const std::string_view above = entry.StringOr("insideReplaced");
  const std::string patch(entry.StringOr("patch"));
  return above.empty() ? patch : StrCat(patch, "; but ", above, " around it is replaced as a whole");
}

std::string ExclusionsOf(const Value& entry) {
  const std::string_view by = entry.StringOr("excludedBy");
  return StrCat(TextsOf(entry, "excludes"), by.empty() ? "" : StrCat(" (", by, " tells which of them is set)"));
}

std::string UnionsOf(const Value& entry) {
  std::vector<std::string> out;
  for (const Value& of : ItemsAt(entry, {"unions"})) {
    const std::string_view by = of.StringOr("discriminator");
    out.push_back(StrCat(TextsOf(of, "fields"), by.empty() ? "" : StrCat(" (", by, " tells which)")));
  }
  return Join(out, "; ");
}

std::vector<Row> RowsOfEntry(const Value& entry, const lint::NamedKind& named) {
  std::vector<Row> out;
  std::vector<std::string> others;
  for (const GroupVersionKind& other : named.others) others.push_back(StrCat(other.ApiVersion(), "/", other.kind));
  const std::string_view component = entry.StringOr("component");
  AddRow(out, "type", StrCat(entry.StringOr("type"), component.empty() ? "" : StrCat(" (", component, ")")));
  AddRow(out, "patch", PatchOf(entry));
  AddRow(out, "merge keys", TextsOf(entry, "mergeKeys"));
  AddRow(out, "identity keys", TextsOf(entry, "identityKeys"));
  AddRow(out, "duplicates", std::string(entry.StringOr("duplicates")));
  AddRow(out, "only one of", UnionsOf(entry));
  AddRow(out, "excludes", ExclusionsOf(entry));
  AddRow(out, "values", Join(TextsAt(entry, {"values"}), "; "));
  AddRow(out, "default", DefaultOf(entry));
  AddRow(out, "set by server", IsTrueAt(entry, {"setByServer"}) ? "a value that depends on other things" : "");
  AddRow(out, "null", IsTrueAt(entry, {"nullable"}) ? "is a value" : "");
  AddRow(out, "immutable", Join(TextsAt(entry, {"immutable"}), "; "));
  AddRow(out, "not kept", std::string(entry.StringOr("notKept")));
  AddRow(out, "schema", std::string(entry.StringOr("schema")));
  AddRow(out, "also", Join(others, ", "));
  return out;
}

std::string Indented(std::string_view text, size_t columns) {
  std::string out;
  for (const std::string_view line : Split(Trim(text), '\n')) out += StrCat(Spaces(columns), line, "\n");
  return out;
}

std::string TextOfExamples(const Value& entry) {
  std::string out;
  for (const Value& example : ItemsAt(entry, {"examples"})) {
    const std::string_view directive = example.StringOr("directive");
    out += StrCat("\n  ", directive.empty() ? "null" : directive, ": ", example.StringOr("meaning"), "\n",
                  Indented(yaml::WriteVisibleYaml(*example.Find("patch")), 4));
  }
  return out.empty() ? out : StrCat("\nStrategic merge patches:\n", out);
}

std::string TextOfFields(const Value& entry, size_t width) {
  std::vector<Row> rows;
  for (const Value& field : ItemsAt(entry, {"fields"})) {
    const std::string_view patch = field.StringOr("patch");
    rows.emplace_back(field.StringOr("name"),
                      StrCat(field.StringOr("type"), patch == "replaced" ? "" : StrCat("; ", patch)));
  }
  return rows.empty() ? "" : StrCat("\nFields:\n", InColumns(rows, width));
}

std::string TextOfEntry(const Value& entry, const lint::NamedKind& named, size_t width) {
  const std::string_view path = entry.StringOr("path");
  return StrCat(entry.StringOr("apiVersion"), " ", entry.StringOr("kind"), path.empty() ? "" : StrCat(": ", path), "\n",
                InColumns(RowsOfEntry(entry, named), width), TextOfExamples(entry), TextOfFields(entry, width));
}

// --- lists

// Prints a list as -o asks; `text` is that of -o text.
void PrintList(const ParsedFlags& flags, const Value& list, const std::string& text, Io& io) {
  Print(io, flags.Text("output") == "text" ? text : PrintDocument(flags, list, 2));
}

void PrintKinds(const ParsedFlags& flags, const std::vector<Resource>& known, Io& io) {
  Arena arena;
  std::vector<Value> items;
  std::vector<Row> rows;
  for (const Resource& resource : known) {
    const std::string api_version = resource.gvk.ApiVersion();
    rows.emplace_back(StrCat(api_version, "/", resource.gvk.kind), resource.plural);
    items.push_back(arena.Object({{"apiVersion", arena.String(api_version)},
                                  {"kind", arena.String(resource.gvk.kind)},
                                  {"namespaced", Value::Bool(resource.namespaced)},
                                  {"resource", arena.String(resource.plural)}}));
  }
  PrintList(flags, arena.Array(items), InColumns(rows, HelpWidth(io)), io);
}

Value ListOfTexts(const std::vector<std::string>& texts, Arena& arena) {
  std::vector<Value> out;
  for (const std::string& text : texts) out.push_back(arena.String(text));
  return arena.Array(out);
}

// Returns the fields, each with the places where kinds have it below.
std::string TextOfConflicts(const std::vector<lint::KeyConflict>& conflicts) {
  std::map<const Field*, std::string> places;
  std::vector<const lint::KeyConflict*> first;
  for (const lint::KeyConflict& conflict : conflicts) {
    std::string& here = places[conflict.field];
    if (here.empty()) first.push_back(&conflict);
    here += StrCat("  ", conflict.gvk.ApiVersion(), "/", conflict.gvk.kind, ".", conflict.path, "\n");
  }
  std::string out;
  for (const lint::KeyConflict* conflict : first) {
    out += StrCat(conflict->type, " ", conflict->field->name, ": merged by ", Join(conflict->field->patch_keys, ", "),
                  "; identified by ", Join(conflict->field->identity_keys, ", "), "\n", places[conflict->field]);
  }
  return out;
}

void PrintConflicts(const ParsedFlags& flags, const std::vector<lint::KeyConflict>& conflicts, Io& io) {
  Arena arena;
  std::vector<Value> items;
  for (const lint::KeyConflict& conflict : conflicts) {
    items.push_back(arena.Object({{"apiVersion", arena.String(conflict.gvk.ApiVersion())},
                                  {"component", arena.String(conflict.type)},
                                  {"identityKeys", ListOfTexts(conflict.field->identity_keys, arena)},
                                  {"kind", arena.String(conflict.gvk.kind)},
                                  {"mergeKeys", ListOfTexts(conflict.field->patch_keys, arena)},
                                  {"path", arena.String(conflict.path)}}));
  }
  PrintList(flags, arena.Array(items), TextOfConflicts(conflicts), io);
}

std::vector<lint::KeyConflict> ConflictsOf(const lint::Kind& kind) {
  return kind.is_custom() ? std::vector<lint::KeyConflict>() : lint::KeyConflictsOf(*kind.schema, kind.resource);
}

// --- the command

Result<int> PrintAllConflicts(const ParsedFlags& flags, Io& io) {
  std::vector<lint::KeyConflict> all;
  for (const auto& [gvk, resource] : BuiltinSchema()->resources()) {
    if (!resource.strategic) continue;
    for (lint::KeyConflict& conflict : lint::KeyConflictsOf(*BuiltinSchema(), resource))
      all.push_back(std::move(conflict));
  }
  PrintConflicts(flags, all, io);
  return kExitOk;
}

Result<int> PrintAllKinds(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(const SchemaSources sources, OpenSchemas(flags, io));
  SMP_ASSIGN(const std::vector<Resource> known, KindsIn(sources));
  PrintKinds(flags, known, io);
  return kExitOk;
}

Result<int> PrintNamed(const ParsedFlags& flags, const std::string& text, Io& io) {
  SMP_ASSIGN(const std::unique_ptr<NamedSchema> found, FindNamed(flags, text, io));
  if (flags.On("conflicts")) {
    PrintConflicts(flags, ConflictsOf(*found->kind), io);
    return kExitOk;
  }
  SMP_ASSIGN(const lint::SchemaPlace place, lint::FindSchemaPlace(found->kind, found->named.path));
  const Document entry = lint::DescribePlace(place);
  PrintList(flags, entry.root(), TextOfEntry(entry.root(), found->named, HelpWidth(io)), io);
  return kExitOk;
}

Result<int> RunSchema(const ParsedFlags& flags, Io& io) {
  const std::vector<std::string>& arguments = flags.arguments();
  if (arguments.size() > 1) {
    return Error::InvalidArgument(StrCat("expected one KIND or KIND.path, got ", arguments.size()));
  }
  if (!arguments.empty()) return PrintNamed(flags, arguments.front(), io);
  if (!flags.On("conflicts")) return PrintAllKinds(flags, io);
  if (flags.On("from-server") || flags.Given("schema")) {
    return Error::InvalidArgument("--conflicts needs a KIND with --schema and --from-server");
  }
  return PrintAllConflicts(flags, io);
}

std::vector<Flag> SchemaFlags() {
  std::vector<Flag> flags = {
      Switch("conflicts",
             "list the lists whose items kubectl pairs by other keys than those that the server identifies them by"),
      OutputFlag({"text", "json", "yaml"}, "output format", "text")};
  for (Flag& flag : SchemaFlagTable()) {
    if (flag.name == "gvk") continue;
    if (flag.name == "schema") {
      flag.help =
          "CRDs of custom resources, or an OpenAPI document, v3 or v2 (JSON or YAML): a file or a directory; "
          "can be repeated";
    }
    flags.push_back(std::move(flag));
  }
  return Grouped(FlagGroup::kOutput, std::move(flags));
}

// --- completion

// Returns kinds and plurals; with their versions once a version is typed.
std::vector<std::string> NamesOfKinds(bool with_version, const std::vector<Resource>& known) {
  std::set<std::string> out;
  for (const Resource& resource : known) {
    if (with_version) {
      out.insert(StrCat(resource.gvk.ApiVersion(), "/", resource.gvk.kind));
    } else {
      out.insert({resource.gvk.kind, resource.plural});
    }
  }
  return {out.begin(), out.end()};
}

Result<std::vector<std::string>> PathsBeside(const std::string& typed, const std::vector<Resource>& known,
                                             SchemaSources& sources) {
  SMP_ASSIGN(const lint::NamedKind named, lint::ParseKindAndPath(typed, known));
  if (sources.connection != nullptr) SMP_TRY(UseServersSchemas({named.gvk}, sources));
  lint::Kinds kinds(sources.schemas, {});
  SMP_ASSIGN(const std::shared_ptr<const lint::Kind> kind, kinds.Find(named.gvk));
  std::vector<std::string> out;
  if (kind->authority == lint::Authority::kNobody) return out;
  const std::string before = typed.substr(0, typed.size() - named.path.size());
  for (const std::string& path : lint::FieldsBeside(kind, named.path)) out.push_back(before + path);
  return out;
}

}  // namespace

Result<std::vector<std::string>> KindsAndPaths(const std::string& typed, SchemaSources sources) {
  SMP_ASSIGN(const std::vector<Resource> known, KindsIn(sources));
  const size_t slash = typed.rfind('/');
  const bool has_path = typed.find('.', slash == typed.npos ? 0 : slash) != typed.npos;
  return has_path ? PathsBeside(typed, known, sources) : NamesOfKinds(slash != typed.npos, known);
}

Command SchemaCommand() {
  return {
      .summary = "show how a field is patched, and what servers do with it",
      .description =
          "Show what is known of a field: its type, how a patch changes it, by which keys the items of a list are "
          "paired and\n"
          "told apart, which fields it excludes, its default, whether it can be changed, and a patch for each "
          "directive it takes.\n"
          "\n"
          "KIND is a kind or its plural, PLURAL.GROUP, or GROUP/VERSION/KIND. The path names fields; items of lists "
          "need no step.\n"
          "Without KIND, all kinds are listed. Nothing is sent, unless --from-server is given.",
      .usage = "schema [KIND | KIND.path] [flags]",
      .examples =
          "  # how containers are patched\n"
          "  {program} schema deployment.spec.template.spec.containers\n\n"
          "  # a custom resource, by its CRD\n"
          "  {program} schema widget.spec --schema crds/\n\n"
          "  # as the server has it\n"
          "  {program} schema apps/v1/Deployment.spec.strategy --from-server -o yaml\n\n"
          "  # where kubectl mixes up items\n"
          "  {program} schema --conflicts\n",
      .flags = SchemaFlags(),
      .run = RunSchema,
      .takes_arguments = true,
      .argument_hint = Hint::kKindAndPath,
      .suggest_for = {"explain", "types"}};
}

}  // namespace smp::cmd
