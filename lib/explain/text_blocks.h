// The blocks of the text: the changes of an object, or of objects with the same changes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explain/own_name.h"
#include "explain/report.h"
#include "explain/shown_object.h"
#include "explain/text.h"
#include "explain/text_object.h"

namespace smp::explain {

// The lines of an object's rows, and of each other object with the same changes.
struct Body {
  std::string alone;      // with lines of the manifest; empty if several objects have it
  std::string shared;     // without; empty if only one object has it
  std::string container;  // OnlyContainer of its objects; "" also if they have different ones
  enum class Names { kOne, kAny, kLeftOut } names = Names::kOne;  // kAny: the changes are equal without a placeholder

  bool has_placeholder() const { return names == Names::kLeftOut && shared.find(kOwnName) != shared.npos; }
};

class Bodies {
 public:
  // Returns the index of the object's body.
  size_t Add(const ObjectReport& object, const AboutRows& about, const TextOptions& options);

  const Body& operator[](size_t index) const { return bodies_[index]; }

 private:
  // Two objects have the same changes if the first keys are equal, or the second ones, where each key leaves out the
  // object's own name.
  struct Keys {
    std::string equal, by_name;
  };
  static Keys KeysOf(const ObjectReport& object, const AboutRows& about, std::string_view container,
                     TextOptions options);

  struct Same {
    size_t body;
    Body::Names names;
  };
  // Returns the body of other objects with these changes. One with the placeholder takes no objects because their changes
  // are equal, and the other way round.
  std::optional<Same> FindSame(const Keys& keys) const;

  // Prints the body for one more object, if that changes how it is printed.
  static void Share(Body& body, const ObjectReport& object, const std::string& container, Body::Names names,
                    const TextOptions& options);

  std::unordered_map<std::string, size_t> equal_, by_name_;
  std::vector<Body> bodies_;
};

// Objects that only have a head need no empty line between them.
std::string PrintBlocks(const ShownList& objects, const Bodies& bodies, const TextOptions& options);

}  // namespace smp::explain
