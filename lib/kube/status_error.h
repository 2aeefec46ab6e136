// Converts error responses of the server to Errors, with kubectl's wording (checkErr in kubectl's cmd/util/helpers.go).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/object_ref.h"
#include "net/transport.h"

namespace smp::kube {

inline constexpr int kInvalidStatus = 422;  // validation refuses the object

// Error::reason of a 404 that is neither a metav1.Status nor a page of HTML: not the object is missing, but its path, as the server does
// not serve the version of the kind.
inline constexpr std::string_view kNoSuchPath = "NoSuchPath";

// Returns `Error from server (Reason): message`, or for reason Invalid `The Kind "name" is invalid: …` with one line
// per cause. The message contains the request's `method` and `ref` only if the response is not a metav1.Status (e.g. a
// proxy's page), and ends with response.hint. Secrets in it are masked (WithoutSecrets). Code: not-found for 404 but for a
// page of HTML, forbidden for 401 and 403, conflict for 409 except AlreadyExists, else server. REQUIRES: the HTTP status is
// not 2xx.
Error ErrorFromResponse(const net::HttpResponse& response, const ObjectRef& ref, std::string_view method);

// Returns what the server said of the object, without credentials and values of Secrets.
std::string WithoutSecrets(std::string_view said, const ObjectRef& ref);

}  // namespace smp::kube
