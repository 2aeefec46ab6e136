#include <winsock2.h>
#include <ws2tcpip.h>

#include "base/network.h"

namespace smp {

std::optional<IpAddress> ParseIpAddress(const std::string& text) {
  IpAddress address = {};
  if (inet_pton(AF_INET6, text.c_str(), address.data()) == 1) return address;
  address[10] = address[11] = 0xff;
  if (inet_pton(AF_INET, text.c_str(), address.data() + 12) == 1) return address;
  return std::nullopt;
}

bool IsRefusal(long error) { return error == WSAECONNREFUSED; }

}  // namespace smp
