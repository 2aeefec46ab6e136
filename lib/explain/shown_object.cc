#include "explain/shown_object.h"

namespace smp::explain {

Objects ReportsOf(const ShownList& objects) {
  Objects out;
  for (const ShownObject& shown : objects) out.push_back(shown.object);
  return out;
}

bool IsQuiet(const ShownObject& shown) {
  return shown.object->action == Action::kUnchanged && !shown.told->about.any && Remarks(*shown.object).empty();
}

Weight WeightOf(const ShownObject& shown) {
  const ObjectReport& object = *shown.object;
  if (object.action == Action::kError) return Weight::kError;
  const bool goes = object.action == Action::kPrune || object.action == Action::kRecreate;
  if (!object.compared && (goes || object.new_pods)) return Weight::kPodsOrDeletion;
  if (object.kind == "CustomResourceDefinition") return Weight::kDefinition;
  return shown.told->about.only_metadata ? Weight::kOnlyMetadata : Weight::kOther;
}

}  // namespace smp::explain
