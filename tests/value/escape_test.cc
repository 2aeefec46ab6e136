#include "value/escape.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

TEST(Visible, ShowsWhatTerminalsWouldObey) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},
      {"plain \xC3\xA9 \xE4\xB8\xAD \xF0\x9F\x98\x80", "plain \xC3\xA9 \xE4\xB8\xAD \xF0\x9F\x98\x80"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {"a\rb\x07\x08", "a\\x0db\\x07\\x08"},
      {std::string_view("\0", 1), "\\x00"},
      {"\x7f", "\\x7f"},
      {"\xC2\x85\xC2\x9B", "\\u0085\\u009b"},
      {"\xC2\xA0", "\xC2\xA0"},
      {"\xE2\x80\xAE"
       "evil\xE2\x80\xAC",
       "\\u202eevil\\u202c"},
      {"\xE2\x81\xA6\xE2\x81\xA9\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C", "\\u2066\\u2069\\u200e\\u200f\\u061c"},
      {"\xE2\x80\x8B\xE2\x80\x8D\xEF\xBB\xBF", "\\u200b\\u200d\\ufeff"},
      {"a\u2028b\u2029c", "a\\u2028b\\u2029c"},
      {"soft\u00ADhyphen \u2060 \u3164 \uFFFB", "soft\\u00adhyphen \\u2060 \\u3164 \\ufffb"},
      {"tag \U000E0041, selector \uFE00 \U000E0100", "tag \\U000e0041, selector \\ufe00 \\U000e0100"},
      {"an emoji \u26A0\uFE0F", "an emoji \u26A0\uFE0F"},
      {"\xFF\xC3(", "\\xff\\xc3("},
      {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
      {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
      {"a\tb\nc", "a\tb\nc"},
  };
  for (const auto& [text, visible] : rows) EXPECT_EQ(Visible(text), visible);
}

TEST(Visible, LinesOfOthersAreNoCommandsToWhatRunsAWorkflow) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"no\n::add-mask::x", "no\n\\x3a:add-mask::x"},
      {"no\n \t\u00A0\u3000::stop-commands::x", "no\n \t\u00A0\u3000\\x3a:stop-commands::x"},
      {"a ##[error]b", "a \\x23#[error]b"},
      {"a\n##vso[task.complete]", "a\n\\x23#vso[task.complete]"},
      {"::1 and a::b\nc ::d ## [", "::1 and a::b\nc ::d ## ["},
  };
  for (const auto& [text, visible] : rows) EXPECT_EQ(Visible(text), visible);
  EXPECT_EQ(Visible("a\n::b", Newlines::kEscape), "a\\n::b");
}

TEST(Visible, EscapesNewlinesOnRequest) { EXPECT_EQ(Visible("a\n\tb", Newlines::kEscape), "a\\n\tb"); }

TEST(VisibleJson, StaysJsonWithTheSameMeaning) {
  EXPECT_EQ(VisibleJson("\"\u202E\u2028\u00E9\""), "\"\\u202e\\u2028\u00E9\"");
  EXPECT_EQ(VisibleJson("\"\U000E0041\""), "\"\\udb40\\udc41\"") << "JSON has no escape of five digits";
  EXPECT_EQ(VisibleJson("\"a\\n::b ##[c]\""), "\"a\\n::b \\u0023#[c]\"");
}

TEST(WithoutWorkflowCommands, ChangesNothingElse) {
  EXPECT_EQ(WithoutWorkflowCommands("::a\n  ::b \x1b[1m ::c\n- ##[d"), "\\x3a:a\n  \\x3a:b \x1b[1m ::c\n- \\x23#[d");
}

}  // namespace
}  // namespace smp
