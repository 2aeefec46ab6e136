// Equality of texts that mean the same but are written differently. Go's API types parse such texts and print them in a
// canonical form, so the text in the live object may differ from that in the manifest.
#pragma once

#include <string_view>

namespace smp {

// The smallest unit in which the server stores a quantity. It rounds anything finer up, away from zero.
enum class Finest { kMilli, kNano };

// resource.Quantity (apimachinery): "500m" = "0.5" = "5e-1", "1Gi" = "1024Mi"; with kMilli, "0.3333" = "334m". False if either
// is not a quantity or is too long to be compared exactly.
bool SameQuantity(std::string_view a, std::string_view b, Finest finest = Finest::kNano);

// Returns true if `a` is more than `b`; false if either is no quantity, or if they differ too little to be sure.
bool IsMoreThan(std::string_view a, std::string_view b);

// Returns true for the syntax of a quantity, of whatever precision and size.
bool IsQuantity(std::string_view text);

// RFC 3339: "2026-01-01T01:00:00+01:00" = "2026-01-01T00:00:00Z". False if either is not a time.
bool SameTime(std::string_view a, std::string_view b);

// Base64 of the same bytes. False if either is not base64.
bool SameBase64(std::string_view a, std::string_view b);

}  // namespace smp
