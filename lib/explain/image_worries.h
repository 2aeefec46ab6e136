// What there is to worry about in the images and versions of an object.
#pragma once

#include <map>

#include "base/name_some.h"
#include "explain/image_words.h"
#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// Adds "docker.io → ghcr.io": the images may be others, and nodes may not be allowed to pull them. Adds "postgres 15 → 16": few
// programs read the data of another major version, and other programs may behave in other ways.
void AddImages(const ObjectReport& object, FoundWorries& out);

// Adds the steps of versions, by their kind. `major`: the worry of a major one.
void AddVersions(const std::map<VersionStep, NamesOnce>& versions, Worry major, FoundWorries& out);

}  // namespace smp::explain
