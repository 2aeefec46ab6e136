// The object or collection that a request addresses, and its URL path.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "schema/schema.h"

namespace smp::kube {

// `name_space` is empty for cluster-scoped resources; `name` is empty if this refers to the collection.
struct ObjectRef {
  GroupVersionKind gvk;
  std::string plural;
  std::string name_space;
  std::string name;
  std::string subresource = {};
};

// Returns the collection of the object: `ref` without its name.
ObjectRef CollectionOf(ObjectRef ref);

bool IsDefinition(const GroupVersionKind& gvk);  // true for CustomResourceDefinition
bool IsApiService(const GroupVersionKind& gvk);
bool IsNamespace(const GroupVersionKind& gvk);

// Returns the CRD of that name; its collection for "".
ObjectRef DefinitionRef(std::string name);

// Returns "/apis/apps/v1/namespaces/default/deployments/web", with names escaped.
std::string ObjectPath(const ObjectRef& ref);

// Rejects names that are unsafe in a path even if escaped (".", "..", "a/b", "a%b"). Error: invalid-argument, with
// client-go's wording.
Status CheckPathSegments(const ObjectRef& ref);

// Returns `text` with all bytes but A-Z a-z 0-9 - . _ ~ escaped as %XX.
std::string EscapeUrl(std::string_view text);

}  // namespace smp::kube
