// Objects that an input has more than once. Differs from kubectl: it applies each copy in turn, so the object changes back
// and forth at every apply.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "apply/manifests.h"

namespace smp::apply {

// Group, kind, namespace and name: the object, in whichever API version.
using Identity = std::tuple<std::string, std::string, std::string, std::string>;

// `name_space`: for manifests without one.
Identity IdentityOf(const Manifest& manifest, const std::string& name_space);

enum class Copies {
  kRefuse,  // unequal copies become one error, which names their lines
  kLast,    // the last one stays
};

// Leaves one manifest of each object: of equal copies the first. Returns a warning for each object whose copies it left
// out.
std::vector<std::string> FoldCopies(Manifests& manifests, const std::string& name_space, Copies copies);

}  // namespace smp::apply
