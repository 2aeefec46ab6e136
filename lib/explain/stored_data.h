// Where Pods keep what must outlive them: claims, and folders of their nodes.
#pragma once

#include <string>
#include <vector>

#include "value/value.h"

namespace smp::explain {

std::vector<std::string> ClaimsOf(
    const Value& pod);  // their names; not those of a StatefulSet's templates. `pod`: the spec

// Returns true if a container mounts a claim, and may write to it.
bool WritesToClaims(const Value& object);

// Returns "data → data-2" where one claim takes the place of one, else the claims that go, and "hostPath /srv/data" of what is no longer
// written. Objects without Pods have none, here and below.
std::vector<std::string> GoneVolumes(const Value& before, const Value& after);

// Returns "data /var/lib/db → /var/lib/db/data" for what is mounted elsewhere: the programs may not find it there.
std::vector<std::string> MovedVolumes(const Value& before, const Value& after);

// A program that is used to keep data, and what it mounts that outlives its Pods: the name of a claim, "template data", "hostPath /srv".
struct Database {
  std::string image;
  std::vector<std::string> volumes = {};
};

// Returns those of a workload, by the names of their images. Pods that run to an end only use the program of one.
std::vector<Database> DatabasesOf(const Value& object);
std::vector<Database> NewDatabases(const Value& before, const Value& after);  // those of programs that come

// Returns the databases that mount nothing that outlives their Pods: "redis:5", or "redis:5, which gets one now".
std::vector<std::string> DataInPods(const Value& before, const Value& after);

}  // namespace smp::explain
