// A Transport that writes down what goes through it, as kubectl's -v does (client-go, transport/round_trippers.go, and
// rest/request.go for bodies):
//
//   6   method, URL, status and time of each answer      8   also the headers and the first 1024 bytes of bodies
//   7   also each request with its headers               9   10240 bytes, and requests as curl commands; 10: all bytes
//
// Nothing secret is written: of Authorization only the scheme, of cookies nothing, and bodies are redacted
// (value/redact.h) by what they hold and by the path that they go to or come from, as a patch of a Secret and an item
// of a PartialObjectMetadataList do not say that they belong to one.
#pragma once

#include <functional>
#include <memory>
#include <source_location>
#include <string>

#include "net/transport.h"

namespace smp::net {

struct TransportLog {
  int verbosity = 0;
  std::string server;  // "https://host:port", which the paths of requests are relative to
  Headers headers;     // that the transport will add to each request
  // Gets an entry ("Response" verb="GET" …) at a time. It may hold control characters of the server's.
  std::function<void(const std::string&)> print;
};

inline constexpr int kLogRequests = 6;  // the least verbosity at which anything is written

std::unique_ptr<Transport> LogTransport(std::unique_ptr<Transport> transport, TransportLog log);

// What klog writes before an entry: "I1121 08:07:28.465628   26450 file.cc:17] ".
std::string LogHeader(const std::source_location& where = std::source_location::current());

}  // namespace smp::net
