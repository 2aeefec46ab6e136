#include "apply/twins.h"

#include <array>
#include <map>
#include <utility>

#include "kube/resource_mapper.h"

namespace smp::apply {

namespace {

using Objects = std::vector<Result<Selected>>;
using Key = std::array<std::string, 3>;  // group, kind, name

Key KeyOf(const kube::ObjectRef& ref) { return {ref.gvk.group, ref.gvk.kind, ref.name}; }

bool IsMissing(const Result<Selected>& object) { return !object.ok() && object.error().code == ErrorCode::kNotFound; }

// Returns the reference of an object that is here by which it is found there.
kube::ObjectRef RefIn(const Target& place, kube::ObjectRef ref) {
  if (!ref.name_space.empty()) ref.name_space = place.name_space;
  return ref;
}

// `ref`: that of the object there, as far as it is known.
Twins Pair(const kube::ObjectRef& ref, Result<Selected> here, Result<Selected> there) {
  Twins out = {.there_ref = ref};
  const bool only_there = IsMissing(here) && there.ok();
  if (!here.ok() && !only_there) {
    out.error = here.error();
    return out;
  }
  if (!there.ok() && !IsMissing(there)) {
    out.error = there.error();
    return out;
  }
  if (here.ok()) out.here = std::move(here->live);
  if (there.ok()) out.there = std::move(there->live);
  return out;
}

// The objects of one place, by key.
class Index {
 public:
  explicit Index(Objects objects) : objects_(std::move(objects)) {
    for (size_t i = 0; i < objects_.size(); ++i) {
      if (objects_[i].ok()) places_.emplace(KeyOf(objects_[i]->ref), i);
    }
  }

  // nullptr if there is none.
  const Selected* Find(const Key& key) const {
    const auto at = places_.find(key);
    return at == places_.end() ? nullptr : &*objects_[at->second];
  }

  const Objects& objects() const { return objects_; }

 private:
  Objects objects_;
  std::map<Key, size_t> places_;
};

// Reads the objects of `from` in another place, by their names: a label that they have here may be what differs. `known`
// has those that were read there already, in the same version.
Objects ReadTwins(const std::vector<const Selected*>& from, const Target& place, const Index& known) {
  std::vector<kube::ObjectRef> refs;
  std::vector<std::optional<Selected>> found;
  for (const Selected* object : from) {
    const Selected* twin = known.Find(KeyOf(object->ref));
    const bool same = twin != nullptr && twin->ref.gvk == object->ref.gvk;
    found.push_back(same ? std::optional(*twin) : std::nullopt);
    if (!same) refs.push_back(RefIn(place, object->ref));
  }
  std::vector<Result<Document>> read = place.client->GetAll(refs);
  Objects out;
  size_t next = 0;
  for (std::optional<Selected>& object : found) {
    if (object) {
      out.push_back(*std::move(object));
    } else {
      out.push_back(ToSelected(refs[next], std::move(read[next])));
      ++next;
    }
  }
  return out;
}

std::vector<const Selected*> Found(const Objects& objects) {
  std::vector<const Selected*> out;
  for (const Result<Selected>& object : objects) {
    if (object.ok()) out.push_back(&*object);
  }
  return out;
}

kube::ObjectRef RefAsTyped(const std::pair<std::string, std::string>& type_and_name) {
  return {.gvk = {.kind = type_and_name.first}, .name = type_and_name.second};
}

std::vector<Twins> PairNames(const ObjectQuery& query, const Objects& here, const Objects& there, const Target& place) {
  const std::vector<const Selected*> found = Found(here);
  Objects again = ReadTwins(found, place, Index(there));  // in the version that the object has here
  std::vector<Twins> out;
  size_t next = 0;
  for (size_t i = 0; i < here.size(); ++i) {
    if (here[i].ok()) {
      out.push_back(Pair(RefIn(place, here[i]->ref), here[i], std::move(again[next])));
      ++next;
    } else {
      out.push_back(Pair(there[i].ok() ? there[i]->ref : RefAsTyped(query.names[i]), here[i], there[i]));
    }
  }
  return out;
}

std::vector<Twins> PairLists(const Index& here, const Index& there, const Target& from, const Target& place) {
  const std::vector<const Selected*> found = Found(here.objects());
  Objects twins = ReadTwins(found, place, there);
  std::vector<Twins> out;
  for (size_t i = 0; i < found.size(); ++i) {
    out.push_back(Pair(RefIn(place, found[i]->ref), *found[i], std::move(twins[i])));
  }
  std::vector<const Selected*> rest;
  for (const Selected* object : Found(there.objects())) {
    if (here.Find(KeyOf(object->ref)) == nullptr) rest.push_back(object);
  }
  Objects of_rest = ReadTwins(rest, from, Index({}));
  for (size_t i = 0; i < rest.size(); ++i) out.push_back(Pair(rest[i]->ref, std::move(of_rest[i]), *rest[i]));
  return out;
}

Status AddTypes(const ObjectQuery& query, kube::ResourceMapper& mapper, SelectedTwins& out) {
  std::vector<std::string> types = query.types;
  for (const auto& [type, name] : query.names) types.push_back(type);
  for (const std::string& type : types) {
    SMP_ASSIGN(const kube::ServedResource served, mapper.Find(type));
    out.types.push_back(FullName(served.resource.gvk, served.resource.plural));
    out.namespaced |= served.resource.namespaced;
  }
  return Ok();
}

}  // namespace

Result<SelectedTwins> SelectTwins(const ObjectArguments& arguments, const Target& here, const Target& there) {
  SMP_ASSIGN(const ObjectQuery query, ParseObjectArguments(arguments));
  kube::ResourceMapper mapper_here(here.client), mapper_there(there.client);
  SelectedTwins out;
  SMP_TRY(AddTypes(query, mapper_here, out));
  SMP_ASSIGN(Objects objects, SelectObjects(arguments, mapper_here, here));
  SMP_ASSIGN(Objects others, SelectObjects(arguments, mapper_there, there));
  out.pairs = query.names.empty() ? PairLists(Index(std::move(objects)), Index(std::move(others)), here, there)
                                  : PairNames(query, objects, others, there);
  return out;
}

bool HasNamespace(const Target& place) {
  const auto found = place.client->Get({{"", "v1", "Namespace"}, "namespaces", "", place.name_space});
  return found.ok() || found.error().code != ErrorCode::kNotFound;
}

}  // namespace smp::apply
