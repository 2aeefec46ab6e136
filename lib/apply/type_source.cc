#include "apply/type_source.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "base/read_file.h"
#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "schema/openapi_v2.h"
#include "schema/reading.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {

namespace {

namespace fs = std::filesystem;

FoundType ToFoundType(std::shared_ptr<const Schema> schema, const Resource& resource) {
  return {std::move(schema), resource.type, resource.strategic};
}

std::string KindText(const GroupVersionKind& gvk) {
  return StrCat("kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(), "\"");
}

// Files in a folder that are not OpenAPI (e.g. the index of /openapi/v3) are skipped; a named file must be OpenAPI.
enum class Origin { kNamed, kFolder };

Error InFile(const std::string& file, Error error) {
  if (error.source.file.empty()) error.source.file = file;
  return error;
}

// True if `swagger` is 2.x or the document has `definitions`, which only v2 has (excerpts may lack `swagger`).
bool IsOpenApiV2(const Value& document) {
  const Value* definitions = document.Find("definitions");
  return document.StringOr("swagger").starts_with("2.") || (definitions != nullptr && definitions->is_object());
}

Result<std::shared_ptr<const Schema>> Compile(const Value& document, Origin origin) {
  if (document.FindPath({"components", "schemas"}) != nullptr) return CompileOpenApiV3(document);
  if (IsOpenApiV2(document)) return CompileOpenApiV2(document);
  if (origin == Origin::kFolder) return std::shared_ptr<const Schema>(std::make_shared<Schema>());
  return Error::Schema(
      "not an OpenAPI document: it has neither components.schemas (v3) nor definitions (v2); servers publish such "
      "documents below /openapi/v3 and at /openapi/v2");
}

Result<std::shared_ptr<const Schema>> ReadSchema(const std::string& file, Origin origin) {
  SMP_ASSIGN(const std::string text, ReadWholeFile(file, kMaxInputBytes, "the schema"));
  SMP_ASSIGN(const Document document,
             file.ends_with(".json") ? ParseJson(text, {.source_name = file}) : yaml::ParseYaml(text, file));
  auto schema = Compile(document.root(), origin);
  if (!schema.ok()) return InFile(file, std::move(schema).error());
  return schema;
}

class SchemaDocument {
 public:
  SchemaDocument(std::string file, Origin origin) : file_(std::move(file)), origin_(origin) {}
  explicit SchemaDocument(std::shared_ptr<const Schema> schema) : origin_(Origin::kNamed), schema_(std::move(schema)) {}

  const std::string& file() const { return file_; }

  const Result<std::shared_ptr<const Schema>>& Get() {
    if (!schema_) schema_ = ReadSchema(file_, origin_);
    return *schema_;
  }

 private:
  std::string file_;
  Origin origin_;
  std::optional<Result<std::shared_ptr<const Schema>>> schema_;  // errors are cached, too
};

// Types of one or more OpenAPI documents. Each document contains everything it refers to, so searching them one by one
// finds the same as searching their Schema::Merge, and most need not be read.
class DocumentTypes : public TypeSource {
 public:
  DocumentTypes(std::vector<SchemaDocument> documents, std::string_view advice)
      : documents_(std::move(documents)), advice_(advice) {}

  std::string_view advice() const override { return advice_; }

 private:
  Result<std::optional<FoundType>> SearchKind(const GroupVersionKind& gvk) override {
    if (const auto known = kinds_.find(gvk); known != kinds_.end()) return known->second;
    SMP_ASSIGN(const std::optional<FoundType> found, KindInDocuments(gvk));
    kinds_.emplace(gvk, found);
    return found;
  }

  Result<std::optional<FoundType>> SearchComponent(const std::string& name) override {
    if (const auto known = components_.find(name); known != components_.end()) return known->second;
    SMP_ASSIGN(const std::optional<FoundType> found, ComponentInDocuments(name));
    components_.emplace(name, found);
    return found;
  }

  // Tools that download /openapi/v3 may name files after paths: apis__apps__v1.json. Files with a matching name come
  // first, which only saves time.
  std::vector<SchemaDocument*> LikelyFirst(const GroupVersionKind& gvk) {
    const std::string ending = StrCat(gvk.group.empty() ? "api" : gvk.group, "__", gvk.version, ".json");
    std::vector<SchemaDocument*> out;
    for (SchemaDocument& document : documents_) out.push_back(&document);
    std::stable_partition(out.begin(), out.end(),
                          [&](const auto* document) { return document->file().ends_with(ending); });
    return out;
  }

  // Several documents may contain a kind (Scale, DeleteOptions); prefer the one with a resource of that kind.
  Result<std::optional<FoundType>> KindInDocuments(const GroupVersionKind& gvk) {
    const std::vector<SchemaDocument*> documents = LikelyFirst(gvk);
    for (SchemaDocument* document : documents) {
      SMP_ASSIGN(const std::shared_ptr<const Schema> schema, document->Get());
      const Resource* resource = schema->FindResource(gvk);
      if (resource != nullptr && resource->type != kNoType) return std::optional(ToFoundType(schema, *resource));
    }
    for (SchemaDocument* document : documents) {
      SMP_ASSIGN(const std::shared_ptr<const Schema> schema, document->Get());
      if (const TypeId type = schema->FindType(gvk); type != kNoType) return std::optional(FoundType{schema, type});
    }
    return std::optional<FoundType>();
  }

  Result<std::optional<FoundType>> ComponentInDocuments(const std::string& name) {
    for (SchemaDocument& document : documents_) {
      SMP_ASSIGN(const std::shared_ptr<const Schema> schema, document.Get());
      if (const TypeId type = schema->FindTypeByName(name); type != kNoType)
        return std::optional(FoundType{schema, type});
    }
    return std::optional<FoundType>();
  }

  std::vector<SchemaDocument> documents_;
  std::string_view advice_;
  std::map<GroupVersionKind, std::optional<FoundType>> kinds_;
  std::unordered_map<std::string, std::optional<FoundType>> components_;
};

class ServerTypes : public TypeSource {
 public:
  explicit ServerTypes(std::shared_ptr<kube::SchemaSource> schemas) : schemas_(std::move(schemas)) {}

  std::string_view advice() const override { return "the server does not publish it; are its CRDs installed?"; }

 private:
  Result<std::optional<FoundType>> SearchKind(const GroupVersionKind& gvk) override {
    const auto schema = schemas_->Get(gvk);
    if (!schema.ok() && schema.error().code == ErrorCode::kNotFound) return std::optional<FoundType>();
    if (!schema.ok()) return schema.error();
    const Resource* resource = (*schema)->FindResource(gvk);
    if (resource != nullptr && resource->type != kNoType) return std::optional(ToFoundType(*schema, *resource));
    const TypeId type = (*schema)->FindType(gvk);
    return type == kNoType ? std::optional<FoundType>() : FoundType{*schema, type};
  }

  Result<std::optional<FoundType>> SearchComponent(const std::string&) override {
    return Error::InvalidArgument(
        "a component cannot be looked up on a server: specify the kind (gvk) or documents with --schema");
  }

  std::shared_ptr<kube::SchemaSource> schemas_;
};

Status AddFolder(const std::string& folder, std::vector<SchemaDocument>& out) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json" && !it->is_directory()) files.push_back(it->path().string());
  }
  if (error) return Error::InvalidArgument(StrCat("cannot read directory ", folder, ": ", error.message()));
  if (files.empty()) return Error::InvalidArgument(StrCat("--schema directory ", folder, " contains no .json file"));
  std::sort(files.begin(), files.end());
  for (std::string& file : files) out.emplace_back(std::move(file), Origin::kFolder);
  return Ok();
}

Result<std::vector<SchemaDocument>> ToDocuments(const std::vector<std::string>& paths) {
  std::vector<SchemaDocument> out;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      SMP_TRY(AddFolder(path, out));
    } else if (fs::exists(path, error)) {
      out.emplace_back(path, Origin::kNamed);
    } else {
      return Error::InvalidArgument(StrCat("the --schema path \"", path, "\" does not exist or cannot be read"));
    }
  }
  return out;
}

Error Unknown(std::string_view what, const TypeSource& types) {
  return Error::Schema(StrCat("no schema for ", what, "; ", types.advice()));
}

}  // namespace

Result<std::optional<FoundType>> TypeSource::OfKind(const GroupVersionKind& gvk) {
  const std::lock_guard lock(mutex_);
  return SearchKind(gvk);
}

Result<std::optional<FoundType>> TypeSource::OfComponent(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return SearchComponent(name);
}

FoundType TypeSource::Read(const FoundType& found, Storage storage) {
  if (found.schema->type(found.type).storage == storage) return found;
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = read_.try_emplace({found.schema.get(), found.type}, found);
  if (is_new) at->second.schema = WithReading(*found.schema, found.type, storage);
  return at->second;
}

Result<std::unique_ptr<TypeSource>> TypesOfDocuments(const std::vector<std::string>& paths) {
  SMP_ASSIGN(std::vector<SchemaDocument> documents, ToDocuments(paths));
  return std::unique_ptr<TypeSource>(
      std::make_unique<DocumentTypes>(std::move(documents), "no --schema document describes it"));
}

std::unique_ptr<TypeSource> BuiltinTypes() {
  std::vector<SchemaDocument> documents;
  documents.emplace_back(BuiltinSchema());
  return std::make_unique<DocumentTypes>(std::move(documents),
                                         "without --schema or --from-server, only built-in kinds are known");
}

std::unique_ptr<TypeSource> TypesOfServer(std::shared_ptr<kube::SchemaSource> schemas) {
  return std::make_unique<ServerTypes>(std::move(schemas));
}

Result<FoundType> FindType(TypeSource& types, const TypeName& name, const Value& object) {
  if (!name.component.empty()) {
    SMP_ASSIGN(const std::optional<FoundType> found, types.OfComponent(std::string(name.component)));
    if (!found) return Unknown(StrCat("component \"", name.component, "\""), types);
    return *found;
  }
  SMP_ASSIGN(const GroupVersionKind gvk, name.gvk.empty() ? GvkOf(object) : ParseGvk(name.gvk));
  SMP_ASSIGN(const std::optional<FoundType> found, types.OfKind(gvk));
  if (!found) return Unknown(KindText(gvk), types);
  return *found;
}

FoundType UnknownType() {
  static const FoundType kUnknown = [] {
    const auto schema = std::make_shared<Schema>();
    const TypeId type = AddUnknownObject(*schema);
    return FoundType{schema, type, false};
  }();
  return kUnknown;
}

}  // namespace smp::apply
