// Schema: what the API server says about its types, compiled from OpenAPI (openapi.h) to a small graph that the engine
// walks. A type is one OpenAPI schema node; a field names the type of its value and how the value is patched.
//
//   const Schema& schema = …;                                  // builtin.h, or compiled from the server's document
//   const Resource* r = schema.FindResource({"apps", "v1", "Deployment"});
//   const Field* f = schema.Find(r->type, "spec");             // then schema.Find(f->type, "replicas"), …
//
// Sources: x-kubernetes-patch-strategy and -patch-merge-key (strategic merge patch), x-kubernetes-list-type and
// -list-map-keys (KEP-555 merge of custom resources, and the true identity of built-in lists), the paths of the
// document (resource name, scope, subresources, accepted patch types).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "schema/release.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

struct GroupVersionKind {
  std::string group;  // "" for the core group
  std::string version;
  std::string kind;

  std::string ApiVersion() const { return group.empty() ? version : group + "/" + version; }
  friend auto operator<=>(const GroupVersionKind&, const GroupVersionKind&) = default;
};

// Reads an object's apiVersion and kind. Error: parse if one is missing or not a string.
Result<GroupVersionKind> GvkOf(const Value& object);
// "apps/v1/Deployment" or "v1/Pod".
Result<GroupVersionKind> ParseGvk(std::string_view text);

using TypeId = uint32_t;
inline constexpr TypeId kNoType = 0;  // the type is unknown: any value is accepted

// The kind of value that a type accepts. kAny: not stated, or free form. kTime: an RFC 3339 string (`format:
// date-time`); kBytes: a base64 string (`format: byte`).
enum class TypeKind : uint8_t {
  kAny,
  kString,
  kInteger,
  kNumber,
  kBoolean,
  kObject,
  kArray,
  kIntOrString,
  kQuantity,
  kTime,
  kBytes
};

// How the server patches a list: as a whole, as a set of scalars, or item by item.
enum class ListMerge : uint8_t { kAtomic, kSet, kKeyed };

// How the server stores and patches objects of a type. kGoTypes: built-in kinds are stored as Go types, which rewrite
// quantities, times and base64, and drop empty values; they accept strategic merge patches. kAsWritten: custom
// resources are stored as they are written, and accept JSON merge patches.
enum class Storage : uint8_t { kGoTypes, kAsWritten };

// How the value of a field is patched.
struct PatchRule {
  ListMerge list = ListMerge::kAtomic;
  bool replace = false;      // a map is replaced as a whole
  bool retain_keys = false;  // a map, or an item of a list, loses the fields that the manifest does not have

  friend bool operator==(const PatchRule&, const PatchRule&) = default;
};

// What the server does with list items that have the same identity (facts/duplicates.txt).
enum class Duplicates : uint8_t {
  kUnknown,
  kKept,      // the server keeps both
  kLastWins,  // the server keeps both, but only the last one has an effect
  kRefused
};

struct Field {
  std::string name;
  TypeId type = kNoType;                     // of the value; for a list: of its elements
  bool is_list = false;                      // the schema says `type: array`
  TypeKind kind = TypeKind::kAny;            // of the value itself (kArray for lists)
  PatchRule strategy;                        // x-kubernetes-patch-strategy: applies to Go types
  ListMerge list_type = ListMerge::kAtomic;  // x-kubernetes-list-type: applies to custom resources
  PatchRule patch;                           // `strategy` or `list_type`, whichever applies (reading.h)
  std::vector<std::string> patch_keys;       // x-kubernetes-patch-merge-key, split at ","; the server merges by these
  // What identifies an item: x-kubernetes-list-map-keys, or else patch_keys. Differs from kubectl: it pairs items by
  // patch_keys alone, so it mistakes two ports with the same number for one.
  std::vector<std::string> identity_keys;
  bool granular = false;  // x-kubernetes-map-type: granular: field managers own the members, though the type is atomic
  bool nullable = false;  // the server stores null as a value
  bool omits_zero = false;  // the server does not store "", 0 and false (facts/zeros.txt)
  Duplicates duplicates = Duplicates::kUnknown;
  const Value* default_value = nullptr;  // from `default` or facts/defaults.txt; nullptr: no default
  // A string: the words with which the server refuses to change a value that exists, by a rule like `self == oldSelf` of
  // x-kubernetes-validations. nullptr: there is no such rule.
  const Value* fixed_words = nullptr;
};

// Groups of fields (alternatives) of which only one may be set at a time (unions.h).
struct Union {
  std::string discriminator;  // the field that names the alternative that is set; "" if there is none
  // (field, alternative), sorted by field. An alternative may have several fields; the discriminator holds its name.
  std::vector<std::pair<std::string, std::string>> members;
  // True for a union from `required` of a JSON schema: a field counts as set if it is present, even if it is "", and an
  // alternative if all of its fields are present.
  bool by_presence = false;

  friend bool operator==(const Union&, const Union&) = default;
};

struct Type {
  TypeKind kind = TypeKind::kAny;
  Storage storage = Storage::kGoTypes;
  bool nullable = false;          // like Field::nullable, for elements and additional properties
  std::string name;               // component name, "io.k8s.api.core.v1.Container"; "" for inline nodes
  std::vector<Field> fields;      // sorted by name
  TypeId additional = kNoType;    // of additionalProperties; of the elements if the type is a list (in a list of lists)
  bool has_additional = false;    // additionalProperties are allowed (never set for lists)
  bool preserve_unknown = false;  // x-kubernetes-preserve-unknown-fields
  bool embedded = false;          // x-kubernetes-embedded-resource
  bool atomic = false;            // x-kubernetes-map-type: atomic: field managers own the map as a whole
  bool rounds_to_milli = false;   // of quantities: the server stores them rounded up to thousandths (builtin_facts.h)
  std::vector<Union> unions;
  // Of a list that is no field, but a value of additionalProperties: how a server-side apply merges it (x-kubernetes-list-type),
  // as if it were a field, without a name. Empty if it replaces the list as a whole, as all other patches do; else one.
  std::vector<Field> merged_list;
  const Value* fixed_words = nullptr;  // like Field::fixed_words, for elements and additional properties

  // Sets how a server-side apply merges the list. `keys` identify the items of a keyed one. REQUIRES: the type is a list, and has
  // all its other members.
  void SetMergedList(ListMerge list_type, std::vector<std::string> keys);

  // Calls `visit` with each id of another type. May change it.
  template <class Visit>
  void VisitReferences(Visit visit) {
    visit(additional);
    for (Field& field : fields) visit(field.type);
    for (Field& list : merged_list) visit(list.type);
  }

  // Returns true if a patch replaces the map as a whole. The server's strategic merge does not support atomic maps. Like
  // all extensions of a field, `atomic` of a component says nothing about how a field of this type is patched.
  bool is_atomic_map() const { return atomic && name.empty() && storage == Storage::kAsWritten; }
};

struct Resource {
  GroupVersionKind gvk;
  std::string plural;  // "deployments"
  bool namespaced = true;
  bool strategic = false;  // PATCH accepts application/strategic-merge-patch+json
  bool dry_run = false;    // POST and PATCH accept the parameter dryRun
  TypeId type = kNoType;
  std::vector<std::string> subresources;  // "status", "scale", sorted
};

// Returns "deployments.apps", "pods": the name of a resource in all versions, and of the CRD that defines it.
std::string FullName(const GroupVersionKind& gvk, const std::string& plural);

class Schema {
 public:
  // Returns nullptr if unknown.
  const Resource* FindResource(const GroupVersionKind& gvk) const;
  // Returns the type of a kind, even if it has no path (List kinds, options); kNoType if unknown.
  TypeId FindType(const GroupVersionKind& gvk) const;
  TypeId FindTypeByName(std::string_view component) const;

  const Type& type(TypeId id) const { return types_[id]; }
  // Returns nullptr if the type has no such property. Ignores `additionalProperties`, as the server's merge does.
  // Logarithmic.
  const Field* Find(TypeId type, std::string_view field) const;

  // Returns how a server-side apply merges the member: unlike Find, also for a list of additionalProperties that it merges.
  const Field* FindMerged(TypeId type, std::string_view member) const;

  const std::map<GroupVersionKind, Resource>& resources() const { return resources_; }
  const std::map<GroupVersionKind, TypeId>& kinds() const { return kinds_; }
  // Release of the server that published the document; nullopt if not stated, or if the schema is made of several.
  const std::optional<Release>& release() const { return release_; }
  size_t type_count() const { return types_.size(); }  // includes kNoType; all ids are smaller

  // Used by the compilers (openapi.cc, serial.cc).
  TypeId Add(Type type);
  Type& Mutable(TypeId id) { return types_[id]; }
  void SetRelease(const std::optional<Release>& release) { release_ = release; }
  void AddResource(const Resource& resource);              // ignored if its kind already has one
  void AddKind(const GroupVersionKind& gvk, TypeId type);  // ignored if the kind already has one
  // Returns a deep copy of a default that lives as long as the schema; the document of `value` may be destroyed.
  const Value* Own(const Value& value);
  // Adds a type of `other` and all types that it refers to. Returns its id here.
  TypeId Import(const Schema& other, TypeId type);
  // Adds all types of `other`, with new ids, and its resources and kinds unless they already exist here.
  void Merge(const Schema& other);

 private:
  // Keeps the defaults and words of `other` alive that types copied from it point to.
  void RetainOwned(const Schema& other);

  std::vector<Type> types_ = std::vector<Type>(1);  // [kNoType]
  std::map<GroupVersionKind, Resource> resources_;
  std::map<GroupVersionKind, TypeId> kinds_;
  std::optional<Release> release_;
  std::shared_ptr<Arena> arena_ = std::make_shared<Arena>();
  std::vector<std::shared_ptr<Arena>> retained_;
};

}  // namespace smp
