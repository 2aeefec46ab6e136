// Fields that the server accepts in a manifest and does not keep (unkept.txt).
#pragma once

#include <string_view>
#include <vector>

#include "schema/facts/fact_lines.h"
#include "schema/schema.h"

namespace smp {

// One line of unkept.txt: the members `names` of the maps at `path`.
struct UnkeptFields {
  std::vector<std::string_view> path;  // names of fields; "[*]": each item of a list. Empty: the object itself
  std::vector<std::string_view> names;
  bool kept_when_new = false;  // the server keeps them in a new object
  FactLine line;
};

// Returns the lines that hold for objects of this resource. `schema` is the one with the resource's type.
std::vector<const UnkeptFields*> UnkeptFieldsOf(const Resource& resource, const Schema& schema);

}  // namespace smp
