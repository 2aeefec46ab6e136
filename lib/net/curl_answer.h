// Converts a finished transfer to the answer, or to an error in kubectl's words that says what to do.
#pragma once

#include <string>

#include "base/result.h"
#include "net/curl_handle.h"

namespace smp::net {

// Moves the answer out of a finished transfer.
Result<HttpResponse> AnswerOf(const CurlSettings& settings, Transfer& transfer, CURLcode code);

// "GET https://host/path 200 in 3 milliseconds, HTTP/2, new connection"
std::string LogLineOf(const CurlSettings& settings, const Transfer& transfer, CURLcode code);

}  // namespace smp::net
