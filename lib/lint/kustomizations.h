// What the kustomizations of an input say of its other files.
#pragma once

#include <deque>
#include <set>

#include "lint/object.h"
#include "lint/source_file.h"

namespace smp::lint {

// Returns the files that are parts of a kustomization and no manifests: its patches, transformers, … They lack what a base has.
std::set<size_t> PartsOfKustomizations(const std::deque<SourceFile>& files, const std::deque<Object>& objects);

}  // namespace smp::lint
