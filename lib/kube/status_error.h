// Converts answers of status 400 and above to Errors, in the words that kubectl prints (checkErr in kubectl's
// cmd/util/helpers.go).
#pragma once

#include <string_view>

#include "base/result.h"
#include "kube/object_ref.h"
#include "net/transport.h"

namespace smp::kube {

// Returns `Error from server (Reason): message`, or for reason Invalid `The Kind "name" is invalid: …` with one line
// per cause. The message names `method` (the request's) and `ref` only if the answer is no metav1.Status (e.g. a
// proxy's page), and ends with the hint of the response. Code: not-found for 404, forbidden for 401 and 403, conflict
// for 409 except AlreadyExists, else server. REQUIRES: `response` is no 2xx.
Error ErrorFromResponse(const net::HttpResponse& response, const ObjectRef& ref, std::string_view method);

}  // namespace smp::kube
