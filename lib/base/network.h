// What the system knows of networks.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace smp {

// IPv4 addresses are stored in their IPv6 form, so that there is only one kind.
using IpAddress = std::array<unsigned char, 16>;

std::optional<IpAddress> ParseIpAddress(const std::string& text);

// Returns true if the system's error number says that the server refused the connection.
bool IsRefusal(long error);

}  // namespace smp
