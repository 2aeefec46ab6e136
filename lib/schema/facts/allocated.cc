#include "schema/facts/allocated.h"

#include <algorithm>

#include "base/strings.h"
#include "schema/facts/fact_lines.h"

namespace smp {

// The text of allocated.txt, in a source file that CMakeLists.txt generates.
std::string_view AllocatedText();

bool IsAllocated(const Schema& schema, TypeId type, std::string_view field) {
  static const FactTable table = FactsByType(AllocatedText());
  bool found = false;
  ForEachFact(table, schema.type(type).name, schema.release(), [&](std::string_view fields) {
    const std::vector<std::string_view> names = Split(fields, ' ');
    found |= std::find(names.begin(), names.end(), field) != names.end();
  });
  return found;
}

bool IsOfTemplate(const Type& type, std::string_view kind) {
  return (type.name == "io.k8s.api.core.v1.PodSpec" && kind != "Pod") ||
         (type.name == "io.k8s.api.core.v1.PersistentVolumeClaimSpec" && kind != "PersistentVolumeClaim");
}

}  // namespace smp
