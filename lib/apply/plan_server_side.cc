#include "apply/plan_server_side.h"

#include <utility>
#include <vector>

#include "apply/server_side.h"
#include "base/name_some.h"
#include "base/strings.h"

namespace smp::apply {

Status PlanServerSideApply(Prepared& prepared, const ServerSidePlanning& planning) {
  const Value& live = prepared.live->root();
  Arena arena;
  const ServerSideInput input = {.manifest = &prepared.desired.root(),
                                 .live = &live,
                                 .last_applied = prepared.original ? &prepared.original->root() : nullptr,
                                 .entries = EntriesAfterMigration(live, planning.manager, arena),
                                 .manager = planning.manager,
                                 .schema = prepared.schema.get(),
                                 .type = prepared.resource.type};
  SMP_ASSIGN(ServerSidePlan plan, PlanServerSide(input));
  if (!plan.other_version.empty()) {
    prepared.notes.push_back(StrCat(planning.manager, " applied the object as ", plan.other_version,
                                    ", so fields that the manifest lacks now cannot be detected"));
  }
  if (plan.patch.plan.changed()) plan.patch.body = prepared.manifest;
  prepared.patch = std::move(plan.patch);
  prepared.server_side = {planning, std::move(plan.conflicts), std::move(plan.claimed),
                          input.entries != ManagedFields(live)};
  return Ok();
}

std::optional<Error> ConflictOf(const Prepared& prepared, std::optional<std::chrono::sys_seconds> now) {
  constexpr size_t kMostNamed = 5;
  if (!prepared.server_side || prepared.server_side->planning.force_conflicts) return std::nullopt;
  const std::vector<FieldConflict>& conflicts = prepared.server_side->conflicts;
  if (conflicts.empty()) return std::nullopt;
  std::vector<std::string> fields;
  for (const FieldConflict& conflict : conflicts) {
    fields.push_back(StrCat(ToString(conflict.path), " is owned by ", Describe(conflict.owners, now)));
  }
  const std::string count = StrCat(conflicts.size(), conflicts.size() == 1 ? " conflict" : " conflicts");
  Error error = Error::Conflict(
      StrCat("the server would refuse the apply: ", count, ": ", NameSome(std::move(fields), kMostNamed),
             "; use --force-conflicts to take such fields, or remove them from the manifest"));
  error.path = ToString(conflicts.front().path);
  error.source = prepared.manifest.SourceOf(&prepared.manifest.root());
  return error;
}

}  // namespace smp::apply
