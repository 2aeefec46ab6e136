// -o jsonpath against client-go's own: the templates in inputs/jsonpath.txt, and random ones made of their pieces, on a
// few objects, in all modes. What Go panics on has no right answer; where it walks a map in random order it is asked
// for maps of one member only.
#include "cmd/jsonpath.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/strings.h"
#include "differential/oracle.h"
#include "tests_dir.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp {
namespace {

const char* const kObjects[] = {
    R"({"kind":"Pod"})",
    R"({"items":[{"kind":"Pod"}]})",
    R"({"apiVersion":"v1","kind":"List","metadata":{"labels":{"app.kubernetes.io/name":"x"}},"items":[
        {"kind":"Pod","count":2,"ratio":0.5,"ready":true,"none":null,"text":"hi","metadata":{"name":"a"},
         "spec":{"containers":[{"name":"a","image":"i:1"}]}},
        {"kind":"Service","count":1,"ratio":2,"ready":false,"metadata":{"name":"b","labels":{"app":"x"}}},
        {"kind":"Pod","count":3,"metadata":{"name":"c"},
         "spec":{"containers":[{"name":"x","image":"<>&"},{"name":"y"}]}}],
        "numbers":[1,2,3],"words":["a","b"],"mixed":[1,"1",1.5,null,true,{"a":1},[2]],"nested":[[1,2],[3],[]],
        "empty":[],"none":null,"big":12345678901234567890,"small":0.00001234,"float":1234567.5,"negative":-1.5e-7,
        "whole":3.0,"text":"hello","unicode":"é\u2028","html":"<a&b>","count":7,"yes":true,"we-ird":1})",
};

std::string ReadInputs() {
  std::ifstream in(std::string(kTestsDir) + "/differential/inputs/jsonpath.txt", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::vector<std::string> Templates() {
  std::vector<std::string> out;
  const std::string inputs = ReadInputs();
  for (const std::string_view line : Split(inputs, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    std::string text(line);
    ReplaceAll(text, "↵", "\n");
    ReplaceAll(text, "⇥", "\t");
    out.push_back(std::move(text));
  }
  return out;
}

struct Case {
  std::string text;
  std::string object;
  bool missing_is_error = false;
  bool as_json = false;
};

std::string Request(const Case& c) {
  Arena arena;
  const Document object = *ParseJson(c.object);
  return WriteJson(arena.Object({{"op", arena.String("jsonpath")},
                                 {"template", arena.String(c.text)},
                                 {"live", object.root()},
                                 {"missing", arena.String(c.missing_is_error ? "error" : "")},
                                 {"form", arena.String(c.as_json ? "json" : "")}}));
}

// "= text" or "! error".
std::string Ours(const Case& c) {
  const Result<cmd::JsonPath> path = cmd::JsonPath::Parse(c.text);
  if (!path.ok()) return "! " + path.error().message;
  const Document object = *ParseJson(c.object);
  const Result<std::string> text = path->Print(
      object.root(), {c.missing_is_error ? cmd::JsonPath::Missing::kError : cmd::JsonPath::Missing::kNothing,
                      c.as_json ? cmd::JsonPath::Form::kJson : cmd::JsonPath::Form::kText});
  return text.ok() ? "= " + *text : "! " + text.error().message;
}

std::string Theirs(const OracleAnswer& answer) {
  if (answer.value == nullptr) return "! " + answer.error;
  const auto bytes = DecodeBase64(answer.value->AsString());
  return bytes ? "= " + *bytes : "not base64";
}

// Maps with several members, walked by a wildcard, come in any order.
std::string Sorted(std::string text) {
  std::sort(text.begin(), text.end());
  return text;
}

bool WalksMaps(const Case& c) {
  return c.text.find('*') != c.text.npos || c.text.find("..") != c.text.npos || c.text.find(":]") != c.text.npos;
}

size_t Compare(const std::vector<Case>& cases) {
  std::vector<std::string> requests;
  for (const Case& c : cases) requests.push_back(Request(c));
  const std::vector<OracleAnswer> answers = AskOracle(requests);
  size_t compared = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (answers[i].panicked) continue;
    ++compared;
    const std::string theirs = Theirs(answers[i]), ours = Ours(cases[i]);
    const bool same = theirs == ours || (WalksMaps(cases[i]) && theirs[0] == '=' && Sorted(theirs) == Sorted(ours));
    EXPECT_TRUE(same) << cases[i].text << "\non " << cases[i].object << (cases[i].missing_is_error ? " strictly" : "")
                      << (cases[i].as_json ? " as JSON" : "") << "\nGo   " << theirs << "\nours " << ours;
  }
  return compared;
}

void AddAllModes(const std::string& text, std::vector<Case>& cases) {
  for (const char* object : kObjects) {
    for (const bool missing : {false, true}) {
      for (const bool json : {false, true}) cases.push_back({text, object, missing, json});
    }
  }
}

TEST(JsonPathDifferential, PrintsWhatClientGoPrints) {
  std::vector<Case> cases;
  for (const std::string& text : Templates()) AddAllModes(text, cases);
  const size_t compared = Compare(cases);
  EXPECT_GT(compared, 2000u);
  std::cout << compared << " of " << cases.size() << " compared\n";
}

TEST(JsonPathDifferential, SoAreRandomTemplates) {
  const std::vector<std::string> pieces = {"{",
                                           "}",
                                           ".items",
                                           "[*]",
                                           "[0]",
                                           "[1]",
                                           "[-1]",
                                           "[0,1]",
                                           ".kind",
                                           ".metadata",
                                           ".name",
                                           "..",
                                           "range",
                                           "end",
                                           " ",
                                           "\"a\"",
                                           "'b'",
                                           "@",
                                           "$",
                                           ".",
                                           "[?(",
                                           ")]",
                                           "==",
                                           ">",
                                           "1",
                                           "true",
                                           ",",
                                           "[1:2]",
                                           ".count",
                                           "\\",
                                           "x",
                                           "['kind']",
                                           ".numbers",
                                           ".words",
                                           ".nested",
                                           "[:1]",
                                           "{.kind}",
                                           "{range .items[*]}",
                                           "{end}",
                                           "[?(@.count>1)]",
                                           "[?(@.kind==\"Pod\")]",
                                           ".spec.containers"};
  const uint64_t seed = Seed();
  std::cout << "SMP_SEED=" << seed << "\n";
  std::mt19937_64 random(seed);
  std::vector<Case> cases;
  const size_t count = CasesOr(5000);
  while (cases.size() < count) {
    std::string text = random() % 2 == 0 ? "{" : "";
    for (size_t i = 1 + random() % 8; i > 0; --i) text += pieces[random() % pieces.size()];
    if (random() % 2 == 0) text += "}";
    // Errors that print a whole map or list walked in another order have no one answer.
    cases.push_back({text, kObjects[random() % std::size(kObjects)], random() % 4 == 0, random() % 4 == 0});
  }
  EXPECT_GT(Compare(cases), count / 2);
}

}  // namespace
}  // namespace smp
