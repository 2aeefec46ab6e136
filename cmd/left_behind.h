// What an upgrade leaves behind in the cluster, as apply deletes nothing without --prune.
#pragma once

#include "apply/manifests.h"
#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// Sets ObjectReport::left_workload, left_images and not_carried of the workloads that will be created: a Deployment may come where a
// StatefulSet of the same name runs. Where all of the input is new, asks for few workloads only.
void FindLeftWorkloads(kube::Client& client, const apply::Manifests& manifests, explain::Report& report);

// Notes of workloads that will be created that they take the place of a pruned one: of the same name, or another version of it.
void NoteReplaced(const explain::LeftObject& pruned, const Value& object, explain::Report& report);

// Sets Report::left of an upgrade: what kubectl or smp applied and the input does not have, if it has the name of an object of the input
// or a label such as app.kubernetes.io/name in common with one; in a namespace of its own, in which there is not more of the kind, also
// without. Looks for workloads and what usually stands beside them, in a few namespaces; where it may not, or there are more, `left` stays
// as it is. Sets ObjectReport::shares_hosts, too.
void FindLeftObjects(kube::Client& client, const apply::Manifests& manifests, explain::Report& report);

// Sets who of others changed the data of what Pods no longer read (ObjectReport::unread), unless the input has it. What may not be
// read counts as not changed.
void FindUnreadChanges(kube::Client& client, explain::Report& report);

}  // namespace smp::cmd
