#include "apply/selection.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "value/at.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

using Words = std::vector<std::string>;

Words Types(std::string_view text) {
  Words out;
  for (const std::string_view type : Split(text, ',')) {
    if (std::find(out.begin(), out.end(), type) == out.end()) out.emplace_back(type);
  }
  return out;
}

bool HasSlash(const std::string& word) { return word.find('/') != word.npos; }

Result<std::pair<std::string, std::string>> TypeAndName(const std::string& word) {
  const std::vector<std::string_view> parts = Split(word, '/');
  if (parts.size() != 2) {
    return Error::InvalidArgument("arguments in resource/name form may not have more than one slash");
  }
  if (parts[0].empty() || parts[1].empty() || Types(parts[0]).size() != 1) {
    return Error::InvalidArgument("arguments in resource/name form must have a single resource and name");
  }
  return std::pair(std::string(parts[0]), std::string(parts[1]));
}

Result<ObjectQuery> ReadSlashes(const Words& words) {
  if (!std::all_of(words.begin(), words.end(), &HasSlash)) {
    return Error::InvalidArgument(
        "there is no need to specify a resource type as a separate argument when passing arguments in resource/name "
        "form (e.g. 'deploy/web' instead of 'deploy deploy/web')");
  }
  ObjectQuery out;
  for (const std::string& word : words) {
    SMP_ASSIGN(auto pair, TypeAndName(word));
    out.names.push_back(std::move(pair));
  }
  return out;
}

Result<ObjectQuery> ReadWords(const Words& words) {
  if (std::any_of(words.begin(), words.end(), &HasSlash)) return ReadSlashes(words);
  ObjectQuery out;
  if (words.empty()) return out;
  const Words types = Types(words[0]);
  if (words.size() == 1) {
    out.types = types;
    return out;
  }
  for (const std::string& type : types) {
    for (size_t i = 1; i < words.size(); ++i) out.names.emplace_back(type, words[i]);
  }
  return out;
}

Status CheckSelector(const ObjectArguments& arguments, const ObjectQuery& query) {
  if (arguments.all && !arguments.selector.empty()) {
    return Error::InvalidArgument("setting 'all' parameter but found a non empty selector");
  }
  if (!query.names.empty()) {
    const bool slashes = HasSlash(arguments.words[0]);
    return Error::InvalidArgument(slashes
                                      ? "selectors and the all flag cannot be used when passing resource/name arguments"
                                      : "name cannot be provided when a selector is specified");
  }
  if (!query.types.empty()) return Ok();
  return Error::InvalidArgument("at least one resource must be specified to use a selector");
}

kube::ObjectRef RefOf(const kube::ServedResource& served, const std::string& name_space, const std::string& name) {
  return {served.resource.gvk, served.resource.plural, served.resource.namespaced ? name_space : "", name};
}

// Adds the items of `list` as separate documents that share its memory.
void AddItems(const Document& list, const kube::ObjectRef& collection, std::vector<Result<Selected>>& out) {
  for (const Value& item : ItemsAt(list.root(), {"items"})) {
    if (item.Find("metadata") == nullptr) continue;
    kube::ObjectRef ref = collection;
    ref.name = TextAt(item, {"metadata", "name"});
    ref.name_space = TextAt(item, {"metadata", "namespace"});
    Arena arena;
    arena.Retain(list);
    out.push_back(ToSelected(ref, Document(std::move(arena), item)));
  }
}

Result<std::vector<Result<Selected>>> ListAll(const Words& types, const std::string& selector,
                                              kube::ResourceMapper& mapper, const Target& target) {
  std::vector<Result<Selected>> out;
  for (const std::string& type : types) {
    SMP_ASSIGN(const kube::ServedResource served, mapper.Find(type));
    const kube::ObjectRef collection = RefOf(served, target.name_space, "");
    SMP_ASSIGN(const Document list, target.client->List(collection, selector));
    AddItems(list, collection, out);
  }
  return out;
}

std::vector<Result<Selected>> GetAll(const std::vector<kube::ObjectRef>& refs, const Target& target) {
  std::vector<Result<Document>> objects = target.client->GetAll(refs);
  std::vector<Result<Selected>> out;
  for (size_t i = 0; i < refs.size(); ++i) out.push_back(ToSelected(refs[i], std::move(objects[i])));
  return out;
}

Error Located(const Manifest& manifest, Error error) {
  if (error.source.file.empty()) error.source = manifest.source();
  error.path = Label(manifest.gvk, manifest.name);
  return error;
}

Result<Selected> SelectOne(const Manifest& manifest, const Target& target) {
  SMP_ASSIGN(const kube::ObjectRef ref, FindRef(manifest, target));
  SMP_ASSIGN(Selected selected, ToSelected(ref, target.client->Get(ref)));
  selected.manifest = manifest;
  return selected;
}

}  // namespace

Result<Selected> ToSelected(const kube::ObjectRef& ref, Result<Document> live) {
  if (!live.ok()) return std::move(live).error();
  SecretRegistry::Instance().Remember(live->root());
  return Selected{ref, *std::move(live)};
}

Result<ObjectQuery> ParseObjectArguments(const ObjectArguments& arguments) {
  SMP_ASSIGN(ObjectQuery query, ReadWords(arguments.words));
  if (arguments.all || !arguments.selector.empty()) {
    SMP_TRY(CheckSelector(arguments, query));
    return query;
  }
  if (!query.names.empty()) return query;
  if (query.types.empty()) {
    return Error::InvalidArgument(
        "You must provide one or more resources by argument or filename.\n"
        "Example resource specifications include:\n"
        "   '-f rsrc.yaml'\n"
        "   '--filename=rsrc.json'\n"
        "   '<resource> <name>'\n"
        "   '<resource>'");
  }
  if (arguments.bare_type == ObjectArguments::BareType::kMeansAll) return query;
  return Error::InvalidArgument("resource(s) were provided, but no name was specified");
}

Result<std::vector<Result<Selected>>> SelectObjects(const ObjectArguments& arguments, kube::ResourceMapper& mapper,
                                                    const Target& target) {
  SMP_ASSIGN(const ObjectQuery query, ParseObjectArguments(arguments));
  if (query.names.empty()) return ListAll(query.types, arguments.selector, mapper, target);
  std::vector<kube::ObjectRef> refs;
  for (const auto& [type, name] : query.names) {
    SMP_ASSIGN(const kube::ServedResource served, mapper.Find(type));
    refs.push_back(RefOf(served, target.name_space, name));
  }
  return GetAll(refs, target);
}

std::vector<Result<Selected>> SelectManifests(const std::vector<Result<Manifest>>& manifests, const Target& target) {
  std::vector<Result<Selected>> out;
  for (const Result<Manifest>& manifest : manifests) {
    if (!manifest.ok()) {
      out.push_back(manifest.error());
      continue;
    }
    Result<Selected> selected = SelectOne(*manifest, target);
    out.push_back(selected.ok() ? std::move(selected) : Located(*manifest, std::move(selected).error()));
  }
  return out;
}

}  // namespace smp::apply
