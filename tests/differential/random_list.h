// Every list of the schema that is merged item by item, and random situations around each, whose items collide: one
// merge key for several identities, duplicates, renamed keys, items without a key, items of others, another order.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "differential/random_object.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// Points into the schema.
struct ListPlace {
  const Schema* schema = nullptr;
  const Resource* resource = nullptr;
  std::vector<const Field*> path;  // from the object to the list; a list on the way is one of maps, and merged, too

  // Does the server merge by something else than what identifies the items?
  bool ambiguous() const;
  bool custom() const { return schema->type(resource->type).storage == Storage::kAsWritten; }
};

std::string ToString(const ListPlace& place);  // "v1/Pod spec.containers[].ports"

// Of all kinds. No type is entered twice on one path.
std::vector<ListPlace> MergedLists(const Schema& schema);

struct Situation {
  const ListPlace* place = nullptr;
  Arena arena;  // of the three objects
  Value original, modified, live;
};

// `seed` decides everything. Live has the resourceVersion "7".
Situation RandomSituation(const ListPlace& place, uint64_t seed);

}  // namespace smp
