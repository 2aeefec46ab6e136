// Workloads that stay beside new ones, as apply deletes nothing without --prune: of the same name and another kind, in another namespace, or
// under a former name.
#pragma once

#include <vector>

#include "apply/manifests.h"
#include "cmd/input_objects.h"
#include "explain/report.h"
#include "kube/client.h"
#include "smp/managed_fields.h"

namespace smp::cmd {

// Sets ObjectReport::left_workload, left_images and not_carried of the workloads that will be created: a Deployment may come where a
// StatefulSet of the same name runs. Where all of the input is new, asks for few workloads only.
void FindLeftWorkloads(kube::Client& client, const apply::Manifests& manifests, explain::Report& report);

// Notes of workloads that will be created that they take the place of a pruned one: of the same name, or another version of it.
void NoteReplaced(const explain::LeftObject& pruned, const Value& object, explain::Report& report);

// Says which of the workloads that stay run no Pods, as scaling to 0 leaves no manager, and which run beside new ones.
void ReadLeftWorkloads(kube::Client& client, const ManifestsByName& manifests, std::vector<explain::LeftObject>& left,
                       explain::Report& report);

// A namespace that the input creates may be the new name of another one, where the same workloads run on. Where several have them, they
// are environments, of which this is one more. One workload may have its name by chance.
void FindFormerNamespace(kube::Client& client, const apply::Manifests& manifests, explain::Report& report);

// Returns true if kubectl, or smp, has applied the object.
bool IsOfKubectl(const std::vector<FieldManager>& managers);

}  // namespace smp::cmd
