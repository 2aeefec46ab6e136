#include "value/utf8.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

TEST(Utf8Prefix, CutsNoCharacter) {
  const std::string text = "a\u00e9\u20ac\U0001F600z";  // 1, 2, 3, 4 and 1 bytes
  const size_t sizes[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (size_t most = 0; most < std::size(sizes); ++most) {
    EXPECT_EQ(Utf8Prefix(text, most), text.substr(0, sizes[most])) << most;
  }
}

TEST(Utf8Prefix, AnInvalidByteIsOneCharacter) {
  for (const std::string text : {"\x80\x80\x80\x80\x80",
                                 "\xE2\x82"
                                 "ab",
                                 "a\xF0\x9F\x98"
                                 "b"}) {
    for (size_t most = 0; most <= text.size(); ++most) EXPECT_EQ(Utf8Prefix(text, most).size(), most) << text;
  }
}

}  // namespace
}  // namespace smp
