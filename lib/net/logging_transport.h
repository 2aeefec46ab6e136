// A Transport that logs its requests and responses, as kubectl's -v does (client-go, transport/round_trippers.go, and
// rest/request.go for bodies):
//
//   6   method, URL, status and time of each answer      8   also the headers and the first 1024 bytes of bodies
//   7   also each request with its headers               9   10240 bytes, and requests as curl commands; 10: all bytes
//
// The log has no secrets: of Authorization only the scheme, no cookies, and redacted bodies (value/redact.h). A body is
// redacted by its contents and by the request's path, because a patch of a Secret, or an item of a
// PartialObjectMetadataList, does not contain the kind Secret.
#pragma once

#include <functional>
#include <memory>
#include <source_location>
#include <string>

#include "net/transport.h"

namespace smp::net {

struct TransportLog {
  int verbosity = 0;
  std::string server;  // "https://host:port", logged before the path of each request
  Headers headers;     // headers that the transport adds to each request
  // Called with one entry ("Response" verb="GET" …) at a time, which may contain control characters from the server.
  std::function<void(const std::string&)> print;
};

inline constexpr int kLogRequests = 6;  // the lowest verbosity that logs anything

std::unique_ptr<Transport> LogTransport(std::unique_ptr<Transport> transport, TransportLog log);

// Returns the prefix that klog writes before an entry: "I1121 08:07:28.465628   26450 file.cc:17] ".
std::string LogHeader(const std::source_location& where = std::source_location::current());

}  // namespace smp::net
