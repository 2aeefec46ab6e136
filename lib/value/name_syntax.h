// Kubernetes' rules for names (apimachinery, util/validation).
#pragma once

#include <string_view>

namespace smp {

bool IsDnsLabel(std::string_view text);      // RFC 1123: lower-case letters, digits and '-', at most 63
bool IsDns1035Label(std::string_view text);  // the same, beginning with a letter
bool IsDnsSubdomain(std::string_view text);  // labels of any length, joined by dots, at most 253
bool IsPortName(std::string_view text);      // IANA service name: at most 15, with a letter, no "--"
bool IsConfigKey(std::string_view text);     // of the data of a ConfigMap or Secret

}  // namespace smp
