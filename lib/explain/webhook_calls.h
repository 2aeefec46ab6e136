// Which writes the API server newly asks a webhook about, and refuses while the webhook does not answer.
#pragma once

#include <string>
#include <vector>

#include "value/value.h"

namespace smp::explain {

// Returns "create, update of pods, by shop/checker" for calls of a webhook configuration that `before` does not make, or not of the
// same objects; "of some pods" where selectors choose them. What concerns most objects first. `before`: null if it is new.
std::vector<std::string> NewCalls(const Value& before, const Value& after);

// Returns the Services that the webhooks of a configuration call, "shop/checker"; empty if there is also one elsewhere.
std::vector<std::string> CalledServices(const Value& object);

}  // namespace smp::explain
