// Answers of status 400 and above as Errors, in the words that kubectl prints (checkErr in kubectl's
// cmd/util/helpers.go).
#ifndef SMP_KUBE_STATUS_ERROR_H_
#define SMP_KUBE_STATUS_ERROR_H_

#include <string_view>

#include "base/result.h"
#include "kube/object_ref.h"
#include "kube/transport.h"

namespace smp {

// `Error from server (Reason): message`, or for reason Invalid `The Kind "name" is invalid: …` with one line a cause.
// `method` is that of the request; it and `ref` are named only where the answer is no metav1.Status (a proxy's page).
// The hint of the response ends the message. `response` is no 2xx. Code: not-found for 404, forbidden for 401 and 403,
// conflict for 409 except AlreadyExists, else server.
Error ErrorFromResponse(const HttpResponse& response, const ObjectRef& ref, std::string_view method);

}  // namespace smp

#endif  // SMP_KUBE_STATUS_ERROR_H_
