// Held to what a real API server answers by the lines of lib/schema/facts/values.txt: tests/e2e/lint_values.py.
#include "value/name_syntax.h"

#include <gtest/gtest.h>

#include <string>

namespace smp {
namespace {

// For each text: is it a DNS label, one of RFC 1035, a subdomain, the name of a port, a key of a ConfigMap?
TEST(NameSyntax, IsKubernetes) {
  const std::pair<std::string, std::string_view> rows[] = {
      {"web", "label 1035 subdomain port key"},
      {"w", "label 1035 subdomain port key"},
      {"8080", "label subdomain key"},
      {"8080-tcp", "label subdomain port key"},
      {"web-", "key"},
      {"-web", "key"},
      {"Web", "key"},
      {"web_1", "key"},
      {"a.b", "subdomain key"},
      {"a..b", "key"},
      {".b", "key"},
      {"..b", ""},
      {".", ""},
      {"..", ""},
      {"", ""},
      {"a b", ""},
      {"a--b", "label 1035 subdomain key"},
      {"fifteen-letters", "label 1035 subdomain port key"},
      {"sixteen-letters1", "label 1035 subdomain key"},
      {std::string(63, 'a'), "label 1035 subdomain key"},
      {std::string(64, 'a'), "subdomain key"},
      {std::string(253, 'a'), "subdomain key"},
      {std::string(254, 'a'), ""},
      {"ä", ""},
  };
  for (const auto& [text, expected] : rows) {
    std::string fits;
    if (IsDnsLabel(text)) fits += " label";
    if (IsDns1035Label(text)) fits += " 1035";
    if (IsDnsSubdomain(text)) fits += " subdomain";
    if (IsPortName(text)) fits += " port";
    if (IsConfigKey(text)) fits += " key";
    EXPECT_EQ(fits.empty() ? fits : fits.substr(1), expected) << text;
  }
}

}  // namespace
}  // namespace smp
