// The object or collection that a request addresses, and its URL path.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "schema/schema.h"

namespace smp::kube {

// `name_space` is empty for cluster-scoped resources, `name` for the collection.
struct ObjectRef {
  GroupVersionKind gvk;
  std::string plural;
  std::string name_space;
  std::string name;
  std::string subresource = {};
};

// Returns the collection that the object is in.
ObjectRef CollectionOf(ObjectRef ref);

// Returns "/apis/apps/v1/namespaces/default/deployments/web", with names escaped.
std::string ObjectPath(const ObjectRef& ref);

// Rejects names that no escaping makes safe in a path (".", "..", "a/b", "a%b"). Error: invalid-argument, in
// client-go's words.
Status CheckPathSegments(const ObjectRef& ref);

// Escapes everything but A-Z a-z 0-9 - . _ ~ as %XX.
std::string EscapeUrl(std::string_view text);

}  // namespace smp::kube
