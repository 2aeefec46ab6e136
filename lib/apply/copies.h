// Objects that an input has more than once. Differs from kubectl: it applies each copy in turn, so the object changes back
// and forth at every apply.
#pragma once

#include <map>
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

struct Folded {
  std::vector<std::string> warnings;                // one for each object whose copies were left out
  std::map<Identity, std::vector<Manifest>> equal;  // the copies that were left out and are equal to the one that stays
};

// Leaves one manifest of each object: of equal copies the first.
Folded FoldCopies(Manifests& manifests, const std::string& name_space, Copies copies);

// Returns a warning for each object of which a label selector chose one copy and left another one out: with another
// selector, the object changes back.
std::vector<std::string> CopiesLeftOut(const Manifests& chosen, const std::vector<Manifest>& left_out,
                                       const std::string& name_space);

}  // namespace smp::apply
