// Texts that mean the same though they are written differently: what Go's API types read and write again in their own
// form, so that live never has the spelling of the manifest.
#ifndef SMP_VALUE_FORMATS_H_
#define SMP_VALUE_FORMATS_H_

#include <string_view>

namespace smp {

// resource.Quantity (apimachinery): "500m" = "0.5" = "5e-1", "1Gi" = "1024Mi". Exact; false where one of them is none,
// or finer than the server keeps (10^-9), or too long to be compared exactly.
bool SameQuantity(std::string_view a, std::string_view b);

// RFC 3339: "2026-01-01T01:00:00+01:00" = "2026-01-01T00:00:00Z". False where one of them is none.
bool SameTime(std::string_view a, std::string_view b);

// Base64 of the same bytes. False where one of them is none.
bool SameBase64(std::string_view a, std::string_view b);

}  // namespace smp

#endif  // SMP_VALUE_FORMATS_H_
