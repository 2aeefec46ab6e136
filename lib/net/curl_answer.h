// Converts a finished transfer to a response, or to an error with kubectl's wording and advice on what to do.
#pragma once

#include <string>

#include "base/result.h"
#include "net/curl_handle.h"

namespace smp::net {

// Moves the response out of a finished transfer; returns an error if `code` reports a failure.
Result<HttpResponse> AnswerOf(const CurlSettings& settings, Transfer& transfer, CURLcode code);

// "GET https://host/path 200 in 3 milliseconds, HTTP/2, new connection"
std::string LogLineOf(const CurlSettings& settings, const Transfer& transfer, CURLcode code);

}  // namespace smp::net
