// Prints the requests that apply would send: -o patch for programs, -o curl to replay them. Credentials are in neither.
// Errors are left out, the caller prints them.
#pragma once

#include <string>

#include "explain/report.h"

namespace smp::explain {

// Returns the body of a request about `object`, with the values of a Secret masked. `object`: what is written.
Document MaskedBody(const Document& body, const Value& object, Secrets secrets);

// Returns a JSON object for each request, on a line of its own: {"object":{"apiVersion","kind","namespace"?,"name"},
// "method","url","contentType","body","redacted"?}. Without a cluster the url is a path.
std::string PrintJsonLines(const Report& report);

// Returns a shell script. A request whose body is masked is a comment.
std::string PrintCurl(const Report& report);

}  // namespace smp::explain
