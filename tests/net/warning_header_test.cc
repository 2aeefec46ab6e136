#include "net/warning_header.h"

#include <gtest/gtest.h>

namespace smp::net {
namespace {

using Texts = std::vector<std::string>;

TEST(WarningHeader, TextsAreReadAsClientGoReadsThem) {
  const struct {
    const char* header;
    Texts texts;
  } kCases[] = {
      {R"(299 - "plain")", {"plain"}},
      {R"(299 - "a \"quoted\" word and a \\")", {R"(a "quoted" word and a \)"}},
      {R"(299 - "one", 299 agent "two, with comma")", {"one", "two, with comma"}},
      {R"(299 - "dated" "Thu, 01 Jan 1970 00:00:00 GMT", 299 - "next")", {"dated", "next"}},
      {R"(  299 - "led by spaces")", {"led by spaces"}},
      {R"(199 - "other code",299 - "ours")", {"ours"}},
      {R"(299 - "")", {}},
      {R"(299 - "good", 29 - "bad", 299 - "lost")", {"good"}},
      {R"(299 - "unclosed)", {}},
      {R"(299 - "ends in \)", {}},
      {R"(299 - "good" trailing)", {"good"}},
      {R"(299 - "good" "unclosed date)", {"good"}},
      {"299 -", {}},
      {"299", {}},
      {"", {}},
      {",,,", {}},
  };
  for (const auto& c : kCases) EXPECT_EQ(ParseWarnings(c.header), c.texts) << c.header;
}

}  // namespace
}  // namespace smp::net
