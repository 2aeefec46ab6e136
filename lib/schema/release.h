// Minor releases of Kubernetes.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace smp {

struct Release {
  int major = 0;
  int minor = 0;

  friend auto operator<=>(const Release&, const Release&) = default;
};

// Parses "v1.30.4-gke.100", "1.36" or "1.36+"; nullopt for anything else ("unversioned").
std::optional<Release> ParseRelease(std::string_view version);
std::string ToString(const Release& release);  // "1.30"

// The release of the server that published an OpenAPI document, from its `info`. nullopt if the document is not the API
// server's own: documents of custom resources state a constant (v0.1.0), those of aggregated servers their own version.
std::optional<Release> ReleaseOf(const Value& document);

}  // namespace smp
