// Live values as somebody would write them into a manifest: without what the server sets by itself.
#pragma once

#include <set>
#include <string_view>

#include "smp/meaning.h"
#include "value/document.h"
#include "value/value.h"

namespace smp::pull {

// kubectl rollout restart writes this annotation into a Pod template. It asks for one restart, and says nothing of the Pods.
inline constexpr std::string_view kRestartedAt = "kubectl.kubernetes.io/restartedAt";

class ValueWriter {
 public:
  // `object`: has the kind. The values share the memory of `arena`, and of what they are made from.
  ValueWriter(const Value& object, Arena& arena) : object_(object), arena_(arena) {}

  // Returns `live` without defaults, values that follow from others, what is allocated, and kRestartedAt. Where it means the same as the
  // manifest's value, it is written like that. `manifest`: nullptr if the manifest has none.
  Value Written(const Value& live, const Value* manifest, const Place& place) const;

  // Returns true if the server sets the member of a live map where a manifest lacks it: a default, a value that follows from
  // others (smp/derived.h), an allocated one (schema/facts/allocated.txt), or one that admission adds to every object.
  bool IsSetByServer(const Value& map, std::string_view name, const Place& place) const;

 private:
  Value WrittenMap(const Value& live, const Value* manifest, const Place& place) const;
  Value WrittenList(const Value& live, const Value* manifest, const Place& place) const;
  std::set<std::string_view> Derived(const Value& map, const Place& place) const;
  bool IsSetAnew(const Value& value, std::string_view name, const Place& map) const;

  const Value& object_;
  Arena& arena_;
};

}  // namespace smp::pull
