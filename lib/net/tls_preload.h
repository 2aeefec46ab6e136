// Prepares the TLS library while the program still reads its input: OpenSSL looks up and builds its algorithms when they
// are first needed, and that takes as long as everything else before the first request.
#pragma once

#include <thread>

namespace smp::net {

// Does so in a thread of its own, for which the destructor waits. Nothing depends on it: what is not prepared, the first
// connection prepares.
class TlsPreload {
 public:
  TlsPreload();
  ~TlsPreload();
  TlsPreload(const TlsPreload&) = delete;
  TlsPreload& operator=(const TlsPreload&) = delete;

 private:
  std::thread thread_;
};

}  // namespace smp::net
