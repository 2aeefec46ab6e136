// Tables of texts and what the parser says of them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/strings.h"
#include "yaml/parser.h"

namespace smp::yaml {
namespace {

std::string Place(Mark mark) { return StrCat(mark.line, ":", mark.column); }

std::string_view Sign(Style style) {
  constexpr std::string_view kSigns[] = {"", "'", "\"", "|", ">", "", "~"};
  return kSigns[static_cast<size_t>(style)];
}

// The role of a node, the place of its indicator, and its properties.
std::string Head(const Event& event) {
  constexpr std::string_view kRoles[] = {"", "item ", "key ", "value "};
  std::string out(kRoles[static_cast<size_t>(event.role)]);
  if (event.comma != Event::kNone) out = StrCat(",", event.comma, " ", out);
  if (event.indicator_end.offset > event.indicator_begin.offset) out += StrCat(Place(event.indicator_begin), " ");
  if (!event.anchor.empty()) out += StrCat(event.type == Event::Type::kAlias ? "*" : "&", event.anchor, " ");
  if (!event.tag.empty()) out += StrCat("!", event.tag, " ");
  return out;
}

std::string Dump(const Event& event) {
  const std::string head = Head(event), flow(Sign(event.style));
  switch (event.type) {
    case Event::Type::kScalar:
      if (event.absent) return head + "absent";
      return StrCat(head, Sign(event.style), event.text, " ", Place(event.content), "-", Place(event.end));
    case Event::Type::kAlias: return StrCat(head, Place(event.content));
    case Event::Type::kMappingStart:
      return StrCat(head, event.is_pair ? "pair " : "", flow, "{ ", Place(event.content));
    case Event::Type::kSequenceStart: return StrCat(head, flow, "[ ", Place(event.content));
    case Event::Type::kMappingEnd: return StrCat(head, "}");
    case Event::Type::kSequenceEnd: return StrCat(head, "]");
    case Event::Type::kDocumentStart: return StrCat("--- ", Place(event.content));
    case Event::Type::kDocumentEnd: return StrCat("... ", Place(event.content));
    default: return {};
  }
}

std::string Events(const std::string& text) {
  Arena arena;
  Parser parser(text, 0, arena);
  std::string out;
  while (parser.Next().type > Event::Type::kStreamEnd) out += Dump(parser.event()) + "\n";
  if (parser.event().type == Event::Type::kStreamEnd) return out;
  return StrCat(out, "error ", Place(parser.problem_mark()), " ", parser.problem(), "\n");
}

struct Row {
  std::string text, events;
};

void ExpectEvents(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(Events(row.text), row.events) << row.text;
}

TEST(Events, OfBlocksHaveThePlacesOfTheirIndicators) {
  ExpectEvents({
      {"a: b\nc:\n- d\n-\n",
       "--- 0:0\n{ 0:0\nkey a 0:0-0:1\nvalue 0:1 b 0:3-0:4\nkey c 1:0-1:1\nvalue 1:1 [ 2:0\nitem 2:0 d 2:2-2:3\n"
       "item 3:0 absent\n]\n}\n... 4:0\n"},
      {"- a: 1\n  b: 2",
       "--- 0:0\n[ 0:0\nitem 0:0 { 0:2\nkey a 0:2-0:3\nvalue 0:3 1 0:5-0:6\nkey b 1:2-1:3\n"
       "value 1:3 2 1:5-1:6\n}\n]\n... 1:6\n"},
      {"? a\n: b\n? c\n",
       "--- 0:0\n{ 0:0\nkey 0:0 a 0:2-0:3\nvalue 1:0 b 1:2-1:3\nkey 2:0 c 2:2-2:3\n"
       "value absent\n}\n... 3:0\n"},
      {"é: ü\n", "--- 0:0\n{ 0:0\nkey é 0:0-0:1\nvalue 0:1 ü 0:3-0:4\n}\n... 1:0\n"},
  });
}

TEST(Events, OfBracketsHaveTheirCommas) {
  ExpectEvents({
      {"[a, {b: c,},]",
       "--- 0:0\n~[ 0:0\nitem a 0:1-0:2\n,2 item ~{ 0:4\nkey b 0:5-0:6\nvalue 0:6 c 0:8-0:9\n,9 }\n"
       ",11 ]\n... 0:13\n"},
      {"[a: b, c]",
       "--- 0:0\n~[ 0:0\nitem pair ~{ 0:1\nkey a 0:1-0:2\nvalue 0:2 b 0:4-0:5\n}\n,5 item c 0:7-0:8\n"
       "]\n... 0:9\n"},
      {"{? a, b}", "--- 0:0\n~{ 0:0\nkey 0:1 a 0:3-0:4\nvalue absent\n,4 key b 0:6-0:7\nvalue absent\n}\n... 0:8\n"},
      {"{a:, b}", "--- 0:0\n~{ 0:0\nkey a: 0:1-0:3\nvalue absent\n,3 key b 0:5-0:6\nvalue absent\n}\n... 0:7\n"},
  });
}

TEST(Events, OfNodesHaveTheirProperties) {
  ExpectEvents({
      {"&a !!str b: *a", "--- 0:0\n{ 0:0\nkey &a !tag:yaml.org,2002:str b 0:9-0:10\nvalue 0:10 *a 0:12\n}\n... 0:14\n"},
      {"- &a\n- !x\n- !<y> z",
       "--- 0:0\n[ 0:0\nitem 0:0 &a absent\nitem 1:0 !!x absent\nitem 2:0 !y z 2:7-2:8\n]\n"
       "... 2:8\n"},
      {"%TAG !e! tag:e,\n---\n!e!a%41 b", "--- 1:3\n!tag:e,aA b 2:8-2:9\n... 2:9\n"},
      {"%YAML 1.1 # c\n--- a\n...\n", "--- 1:3\na 1:4-1:5\n... 2:0\n"},
  });
}

TEST(Events, OfScalarsHaveTheirEndsAndWhatTheySay) {
  ExpectEvents({
      {"a b\n  c\n\n d # e", "--- 0:0\na b c\nd 0:0-3:2\n... 3:6\n"},
      {"'a''b\n  c'", "--- 0:0\n'a'b c 0:0-1:4\n... 1:4\n"},
      {R"("a\x41\n\
   b")",
       "--- 0:0\n\"aA\nb 0:0-1:5\n... 1:5\n"},
      {"|2-\n   a\n\n  b\n\n", "--- 0:0\n| a\n\nb 0:0-3:3\n... 5:0\n"},
      {">\n a\n b\n\n c\n  d\n", "--- 0:0\n>a b\nc\n d\n 0:0-5:3\n... 6:0\n"},
      {"a\xE2\x80\xA8 b",
       "--- 0:0\na\xE2\x80\xA8"
       "b 0:0-1:2\n... 1:2\n"},
  });
}

TEST(Events, OfSeveralDocuments) {
  ExpectEvents({
      {"", ""},
      {"# only\n", ""},
      {"a\n---\n---\nb\n...\n...\n",
       "--- 0:0\na 0:0-0:1\n... 1:0\n--- 1:3\nabsent\n... 2:0\n--- 2:3\nb 3:0-3:1\n... 4:0\n"},
  });
}

TEST(Events, EndAtAnError) {
  ExpectEvents({
      {"a:\n\tb", "--- 0:0\n{ 0:0\nkey a 0:0-0:1\nerror 1:0 tab in the indentation; use spaces\n"},
      {"a\n b: c",
       "--- 0:0\na b 0:0-1:2\nerror 1:2 a mapping cannot begin here; put text that contains a colon in quotes, or fix "
       "the "
       "indentation\n"},
      {"- \"\\q\"", "--- 0:0\n[ 0:0\nerror 0:3 invalid escape in double quotes\n"},
      {"!e!a b", "--- 0:0\nerror 0:0 the handle of the tag is not defined\n"},
      {"%FOO\n---\n", "error 0:0 the only supported directives (%) are %YAML 1.1 and %TAG; remove the line\n"},
      {"a: 1\nb\n", "--- 0:0\n{ 0:0\nkey a 0:0-0:1\nvalue 0:1 1 0:3-0:4\nerror 1:0 expected a colon after the key\n"},
  });
}

// A key without `?` is on one line and has at most 1024 characters.
TEST(Events, KeysMayBeThisLong) {
  for (const std::string_view letter : {"a", "é"}) {
    std::string key;
    for (int i = 0; i < 1024; ++i) key += letter;
    EXPECT_EQ(Events(key + ": b").find("error"), std::string::npos);
    EXPECT_NE(Events(StrCat(key, letter, ": b")).find("error"), std::string::npos);
  }
}

}  // namespace
}  // namespace smp::yaml
