#include "cmd/hit_objects.h"

#include <algorithm>
#include <vector>

#include "explain/hit_objects.h"
#include "explain/schema_changes.h"
#include "explain/worries.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

constexpr int64_t kMostObjects = 500;  // one page

bool MayHurtUntold(const explain::ObjectReport& object) {
  return std::ranges::any_of(object.rows, [](const explain::ReportRow& row) {
    const bool has_versions = !row.path.empty() && row.path.back().name == "versions";
    return has_versions && row.live != nullptr && row.outcome != nullptr &&
           explain::MayRefuseUntold(*row.live, *row.outcome);
  });
}

bool MayHurt(const explain::ObjectReport& object) {
  using explain::Worry;
  constexpr Worry kOfSchemas[] = {Worry::kFieldsGone, Worry::kTypes, Worry::kMayRefuse, Worry::kVersionsGone,
                                  Worry::kStorage};
  const explain::FoundWorries found = explain::WorriesOf(object);
  return std::ranges::any_of(kOfSchemas, [&](Worry worry) { return found.contains(worry); }) || MayHurtUntold(object);
}

}  // namespace

std::optional<ChangedDefinition> DefinitionIn(const apply::Prepared& prepared) {
  const bool changes = prepared.live && prepared.patch && !prepared.patch->empty();
  if (!changes || prepared.ref.gvk.kind != "CustomResourceDefinition") return std::nullopt;
  return ChangedDefinition{*prepared.live, prepared.patch->outcome};
}

void AddHitObjects(kube::Client& client, const ChangedDefinition& definition, explain::ObjectReport& object) {
  if (object.action != explain::Action::kChange || !MayHurt(object)) return;
  const Value &before = definition.before.root(), &after = definition.after.root();
  const std::optional<Resource> resource = explain::ResourceToRead(before, after);
  if (!resource) return;
  const kube::ObjectRef all = {resource->gvk, resource->plural, "", ""};
  const Result<Document> page = client.ListPage(all, {.limit = kMostObjects});
  if (!page.ok() || !TextAt(page->root(), {"metadata", "continue"}).empty()) return;
  std::vector<Document> objects;
  for (const Value& item : ItemsAt(page->root(), {"items"})) {
    objects.push_back(kube::ItemOf(*page, item, resource->gvk));
  }
  object.hits = explain::FindHitObjects(before, after, resource->gvk.version, objects);
}

}  // namespace smp::cmd
