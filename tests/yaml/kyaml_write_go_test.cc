// The bytes that Go writes: each expectation was printed by FromObject of sigs.k8s.io/yaml/kyaml v1.6.0, which is what
// kubectl -o kyaml ends in.
#include <gtest/gtest.h>

#include <string_view>

#include "value/json.h"
#include "yaml/read_yaml.h"
#include "yaml/write_kyaml.h"

namespace smp::yaml {
namespace {

// clang-format off
struct Row {
  std::string_view json;
  std::string_view kyaml;
};
constexpr Row kWritten[] = {
    {"1", "---\n1\n"},
    {"0", "---\n0\n"},
    {"-5", "---\n-5\n"},
    {"1.5", "---\n1.5\n"},
    {"1e21", "---\n1e+21\n"},
    {"1e20", "---\n100000000000000000000\n"},
    {"1e-7", "---\n1e-7\n"},
    {"123456789.5", "---\n123456789.5\n"},
    {"9223372036854775807", "---\n9223372036854775807\n"},
    {"18446744073709551615", "---\n18446744073709552000\n"},
    {"1.0", "---\n1\n"},
    {"100.0", "---\n100\n"},
    {"true", "---\ntrue\n"},
    {"false", "---\nfalse\n"},
    {"null", "---\nnull\n"},
    {"\"\"", "---\n\"\"\n"},
    {"[]", "---\n[]\n"},
    {"{}", "---\n{}\n"},
    {"[[]]", "---\n[[]]\n"},
    {"[{}]", "---\n[{}]\n"},
    {"[[], {}]", "---\n[[], {}]\n"},
    {"[1]", "---\n[\n  1,\n]\n"},
    {"[1, {}]", "---\n[\n  1,\n  {},\n]\n"},
    {"[{}, 1]", "---\n[\n  {},\n  1,\n]\n"},
    {"[[1], [2]]", "---\n[[\n  1,\n], [\n  2,\n]]\n"},
    {"[\"a\", \"b\"]", "---\n[\n  \"a\",\n  \"b\",\n]\n"},
    {"[{\"a\": 1}, {\"b\": [2]}]", "---\n[{\n  a: 1,\n}, {\n  b: [\n    2,\n  ],\n}]\n"},
    {"{\"a\": {}}", "---\n{\n  a: {},\n}\n"},
    {"{\"a\": []}", "---\n{\n  a: [],\n}\n"},
    {"{\"a\": [{\"b\": 1, \"c\": [{\"d\": 2}]}, {\"e\": null}]}", "---\n{\n  a: [{\n    b: 1,\n    c: [{\n      d: 2,\n    }],\n  }, {\n    e: null,\n  }],\n}\n"},
    {"{\"a\": [[\"x\"], [1, {\"y\": 2}]]}", "---\n{\n  a: [[\n    \"x\",\n  ], [\n    1,\n    {\n      \"y\": 2,\n    },\n  ]],\n}\n"},
    {"\"a\"", "---\n\"a\"\n"},
    {"\"a b\"", "---\n\"a b\"\n"},
    {"\" a\"", "---\n\" a\"\n"},
    {"\"a \"", "---\n\"a \"\n"},
    {"\"yes\"", "---\n\"yes\"\n"},
    {"\"a\\\"b\"", "---\n\"a\\\"b\"\n"},
    {"\"a\\\\b\"", "---\n\"a\\\\b\"\n"},
    {"\"it's\"", "---\n\"it's\"\n"},
    {"\"<a>&\"", "---\n\"<a>&\"\n"},
    {"\"\\u00e9\"", "---\n\"\303\251\"\n"},
    {"\"\\u4e2d\\u6587\"", "---\n\"\344\270\255\346\226\207\"\n"},
    {"\"\\t\"", "---\n\"\t\"\n"},
    {"\"a\\tb\"", "---\n\"a\tb\"\n"},
    {"\"\\ta\"", "---\n\"\ta\"\n"},
    {"\"\\r\"", "---\n\"\\r\"\n"},
    {"\"a\\rb\"", "---\n\"a\\rb\"\n"},
    {"\"\\u0000\\u0007\\b\\u000b\\f\\u001b\\u0001\"", "---\n\"\\0\\a\\b\\v\\f\\e\\x01\"\n"},
    {"\"\\u00a0\"", "---\n\"\\_\"\n"},
    {"\"\\u00ad\"", "---\n\"\\u00ad\"\n"},
    {"\"\\u200b\"", "---\n\"\\u200b\"\n"},
    {"\"\\u2028\\u2029\"", "---\n\"\\L\\P\"\n"},
    {"\"\\u2066\"", "---\n\"\\u2066\"\n"},
    {"\"\\ud83d\\ude00\"", "---\n\"\360\237\230\200\"\n"},
    {"\"\\ue000\"", "---\n\"\\ue000\"\n"},
    {"\"\\udb40\\udc01\"", "---\n\"\\U000e0001\"\n"},
    {"\"\\u3164\"", "---\n\"\343\205\244\"\n"},
    {"\"a\\n\"", "---\n\"\\\n   a\\n\\\n  \"\n"},
    {"\"\\n\"", "---\n\"\\\n   \\n\\\n  \"\n"},
    {"\"\\n\\n\"", "---\n\"\\\n   \\n\\\n   \\n\\\n  \"\n"},
    {"\"a\\nb\"", "---\n\"\\\n   a\\n\\\n   b\\\n  \"\n"},
    {"\"a\\nb\\n\"", "---\n\"\\\n   a\\n\\\n   b\\n\\\n  \"\n"},
    {"\"a\\n\\nb\"", "---\n\"\\\n   a\\n\\\n   \\n\\\n   b\\\n  \"\n"},
    {"\"a\\n b\"", "---\n\"\\\n   a\\n\\\n  \\ b\\\n  \"\n"},
    {"\"a\\n\\tb\"", "---\n\"\\\n   a\\n\\\n  \\\tb\\\n  \"\n"},
    {"\"a\\n  \\nb\"", "---\n\"\\\n   a\\n\\\n  \\  \\n\\\n   b\\\n  \"\n"},
    {"\" a\\nb\"", "---\n\"\\\n  \\ a\\n\\\n   b\\\n  \"\n"},
    {"\"\\ta\\nb\"", "---\n\"\\\n  \\\ta\\n\\\n   b\\\n  \"\n"},
    {"\"a \\nb\"", "---\n\"\\\n   a \\n\\\n   b\\\n  \"\n"},
    {"\"a\\n\\\"b\\\"\\n\\\\c\"", "---\n\"\\\n   a\\n\\\n   \\\"b\\\"\\n\\\n   \\\\c\\\n  \"\n"},
    {"\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"", "---\n\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\n"},
    {"\"word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word\"", "---\n\"word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word\"\n"},
    {"\"#!/bin/sh\\nif true; then\\n\\techo \\\"hi\\\"\\nfi\\n\"", "---\n\"\\\n   #!/bin/sh\\n\\\n   if true; then\\n\\\n  \\\techo \\\"hi\\\"\\n\\\n   fi\\n\\\n  \"\n"},
    {"{\"a\": {\"b\": [\"a\\nb\\n c\\n\", {\"c\": \"a\\nb\\n c\\n\"}]}}", "---\n{\n  a: {\n    b: [\n      \"\\\n         a\\n\\\n         b\\n\\\n        \\ c\\n\\\n        \",\n      {\n        c: \"\\\n           a\\n\\\n           b\\n\\\n          \\ c\\n\\\n          \",\n      },\n    ],\n  },\n}\n"},
    {"{\"a\": {\"b\": [\"#!/bin/sh\\n\\techo\", {\"c\": \"#!/bin/sh\\n\\techo\"}]}}", "---\n{\n  a: {\n    b: [\n      \"\\\n         #!/bin/sh\\n\\\n        \\\techo\\\n        \",\n      {\n        c: \"\\\n           #!/bin/sh\\n\\\n          \\\techo\\\n          \",\n      },\n    ],\n  },\n}\n"},
    {"{\"\": 1}", "---\n{\n  \"\": 1,\n}\n"},
    {"{\"a\": 1}", "---\n{\n  a: 1,\n}\n"},
    {"{\"a b\": 1}", "---\n{\n  \"a b\": 1,\n}\n"},
    {"{\"a-b\": 1}", "---\n{\n  a-b: 1,\n}\n"},
    {"{\"a.b\": 1}", "---\n{\n  a.b: 1,\n}\n"},
    {"{\"a/b\": 1}", "---\n{\n  a/b: 1,\n}\n"},
    {"{\"app.kubernetes.io/name\": 1}", "---\n{\n  app.kubernetes.io/name: 1,\n}\n"},
    {"{\"-a\": 1}", "---\n{\n  \"-a\": 1,\n}\n"},
    {"{\"a-\": 1}", "---\n{\n  \"a-\": 1,\n}\n"},
    {"{\".a\": 1}", "---\n{\n  \".a\": 1,\n}\n"},
    {"{\"a.\": 1}", "---\n{\n  \"a.\": 1,\n}\n"},
    {"{\"/a\": 1}", "---\n{\n  \"/a\": 1,\n}\n"},
    {"{\"_\": 1}", "---\n{\n  _: 1,\n}\n"},
    {"{\"_a\": 1}", "---\n{\n  _a: 1,\n}\n"},
    {"{\"$patch\": 1}", "---\n{\n  \"$patch\": 1,\n}\n"},
    {"{\"a:b\": 1}", "---\n{\n  \"a:b\": 1,\n}\n"},
    {"{\"f:spec\": 1}", "---\n{\n  \"f:spec\": 1,\n}\n"},
    {"{\"k:{\\\"name\\\":\\\"x\\\"}\": 1}", "---\n{\n  \"k:{\\\"name\\\":\\\"x\\\"}\": 1,\n}\n"},
    {"{\"yes\": 1}", "---\n{\n  \"yes\": 1,\n}\n"},
    {"{\"Yes\": 1}", "---\n{\n  \"Yes\": 1,\n}\n"},
    {"{\"yEs\": 1}", "---\n{\n  \"yEs\": 1,\n}\n"},
    {"{\"no\": 1}", "---\n{\n  \"no\": 1,\n}\n"},
    {"{\"on\": 1}", "---\n{\n  \"on\": 1,\n}\n"},
    {"{\"off\": 1}", "---\n{\n  \"off\": 1,\n}\n"},
    {"{\"y\": 1}", "---\n{\n  \"y\": 1,\n}\n"},
    {"{\"N\": 1}", "---\n{\n  \"N\": 1,\n}\n"},
    {"{\"t\": 1}", "---\n{\n  \"t\": 1,\n}\n"},
    {"{\"T\": 1}", "---\n{\n  \"T\": 1,\n}\n"},
    {"{\"f\": 1}", "---\n{\n  \"f\": 1,\n}\n"},
    {"{\"true\": 1}", "---\n{\n  \"true\": 1,\n}\n"},
    {"{\"null\": 1}", "---\n{\n  \"null\": 1,\n}\n"},
    {"{\"NULL\": 1}", "---\n{\n  \"NULL\": 1,\n}\n"},
    {"{\"nuLL\": 1}", "---\n{\n  \"nuLL\": 1,\n}\n"},
    {"{\"~\": 1}", "---\n{\n  \"~\": 1,\n}\n"},
    {"{\"1\": 1}", "---\n{\n  \"1\": 1,\n}\n"},
    {"{\"0\": 1}", "---\n{\n  \"0\": 1,\n}\n"},
    {"{\"01\": 1}", "---\n{\n  \"01\": 1,\n}\n"},
    {"{\"08\": 1}", "---\n{\n  \"08\": 1,\n}\n"},
    {"{\"10\": 1}", "---\n{\n  \"10\": 1,\n}\n"},
    {"{\"1_0\": 1}", "---\n{\n  \"1_0\": 1,\n}\n"},
    {"{\"_1\": 1}", "---\n{\n  \"_1\": 1,\n}\n"},
    {"{\"1.5\": 1}", "---\n{\n  \"1.5\": 1,\n}\n"},
    {"{\"1e3\": 1}", "---\n{\n  \"1e3\": 1,\n}\n"},
    {"{\"1e-3\": 1}", "---\n{\n  \"1e-3\": 1,\n}\n"},
    {"{\"1e999\": 1}", "---\n{\n  1e999: 1,\n}\n"},
    {"{\"1a\": 1}", "---\n{\n  1a: 1,\n}\n"},
    {"{\"0x1F\": 1}", "---\n{\n  \"0x1F\": 1,\n}\n"},
    {"{\"0xg\": 1}", "---\n{\n  0xg: 1,\n}\n"},
    {"{\"0x1p4\": 1}", "---\n{\n  \"0x1p4\": 1,\n}\n"},
    {"{\"0x1.8p1\": 1}", "---\n{\n  \"0x1.8p1\": 1,\n}\n"},
    {"{\"0b1\": 1}", "---\n{\n  \"0b1\": 1,\n}\n"},
    {"{\"0b2\": 1}", "---\n{\n  0b2: 1,\n}\n"},
    {"{\"0o7\": 1}", "---\n{\n  \"0o7\": 1,\n}\n"},
    {"{\"0o8\": 1}", "---\n{\n  0o8: 1,\n}\n"},
    {"{\"inf\": 1}", "---\n{\n  \"inf\": 1,\n}\n"},
    {"{\"Infinity\": 1}", "---\n{\n  \"Infinity\": 1,\n}\n"},
    {"{\"nan\": 1}", "---\n{\n  \"nan\": 1,\n}\n"},
    {"{\"nano\": 1}", "---\n{\n  nano: 1,\n}\n"},
    {"{\"2001-01-01\": 1}", "---\n{\n  \"2001-01-01\": 1,\n}\n"},
    {"{\"2001-1-1\": 1}", "---\n{\n  \"2001-1-1\": 1,\n}\n"},
    {"{\"2001-13-01\": 1}", "---\n{\n  2001-13-01: 1,\n}\n"},
    {"{\"2001-02-30\": 1}", "---\n{\n  2001-02-30: 1,\n}\n"},
    {"{\"2000-02-29\": 1}", "---\n{\n  \"2000-02-29\": 1,\n}\n"},
    {"{\"1-2-3\": 1}", "---\n{\n  1-2-3: 1,\n}\n"},
    {"{\"a\\nb\": 1}", "---\n{\n  \"a\\nb\": 1,\n}\n"},
    {"{\"a\\tb\": 1}", "---\n{\n  \"a\\tb\": 1,\n}\n"},
    {"{\"\\\"\": 1}", "---\n{\n  \"\\\"\": 1,\n}\n"},
    {"{\"\\\\\": 1}", "---\n{\n  \"\\\\\": 1,\n}\n"},
    {"{\"e1\": 1}", "---\n{\n  e1: 1,\n}\n"},
    {"{\"123456789012345678901234567890\": 1}", "---\n{\n  \"123456789012345678901234567890\": 1,\n}\n"},
    {"{\"deadbeef\": 1}", "---\n{\n  deadbeef: 1,\n}\n"},
    {"{\"12e5678\": 1}", "---\n{\n  12e5678: 1,\n}\n"},
    {"{\".inf\": 1}", "---\n{\n  \".inf\": 1,\n}\n"},
    {"{\"<<\": 1}", "---\n{\n  \"<<\": 1,\n}\n"},
    {"{\"=\": 1}", "---\n{\n  \"=\": 1,\n}\n"},
    {"{\"tls.crt\": 1}", "---\n{\n  tls.crt: 1,\n}\n"},
    {"{\"Name\": 1}", "---\n{\n  Name: 1,\n}\n"},
    {"{\"\\u0001\": 1}", "---\n{\n  \"\\x01\": 1,\n}\n"},
    {"{\"b\": null, \"a\": null, \"B\": null, \"A10\": null, \"A9\": null, \"_\": null, \"1\": null, \"10\": null, \"2\": null}", "---\n{\n  \"1\": null,\n  \"10\": null,\n  \"2\": null,\n  A10: null,\n  A9: null,\n  B: null,\n  _: null,\n  a: null,\n  b: null,\n}\n"},
    {"{\"apiVersion\": \"v1\", \"kind\": \"List\", \"metadata\": {}, \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\", \"labels\": {\"app\": \"web\", \"tier\": \"1\"}}, \"data\": {\"conf\": \"a = 1\\nb = 2\\n\", \"no\": \"off\"}}, {\"kind\": \"Pod\", \"spec\": {\"containers\": [{\"name\": \"a\", \"args\": [\"-c\", \"echo\"], \"ports\": [{\"containerPort\": 80}]}]}}]}", "---\n{\n  apiVersion: \"v1\",\n  items: [{\n    apiVersion: \"v1\",\n    data: {\n      conf: \"\\\n         a = 1\\n\\\n         b = 2\\n\\\n        \",\n      \"no\": \"off\",\n    },\n    kind: \"ConfigMap\",\n    metadata: {\n      labels: {\n        app: \"web\",\n        tier: \"1\",\n      },\n      name: \"a\",\n    },\n  }, {\n    kind: \"Pod\",\n    spec: {\n      containers: [{\n        args: [\n          \"-c\",\n          \"echo\",\n        ],\n        name: \"a\",\n        ports: [{\n          containerPort: 80,\n        }],\n      }],\n    },\n  }],\n  kind: \"List\",\n  metadata: {},\n}\n"},
};
// clang-format on

std::string Kyaml(std::string_view json) {
  const Result<Document> document = ParseJson(json);
  return document.ok() ? WriteKyaml(document->root()) : ToString(document.error());
}

void ExpectReadsBack(std::string_view json) {
  SCOPED_TRACE(json);
  const Result<Document> again = ParseYaml(Kyaml(json));
  ASSERT_TRUE(again.ok()) << ToString(again.error());
  EXPECT_EQ(WriteJson(again->root()), WriteJson(ParseJson(json)->root()));
}

TEST(WriteKyamlGo, WritesTheSameBytes) {
  for (const Row& row : kWritten) {
    SCOPED_TRACE(row.json);
    EXPECT_EQ(Kyaml(row.json), row.kyaml);
  }
}

TEST(WriteKyamlGo, ReadsBackWhatItWrote) {
  for (const Row& row : kWritten) ExpectReadsBack(row.json);
}

// Go's encoder writes "\\_b" here, which is read as a backslash and an underscore.
TEST(WriteKyaml, KeepsWhiteSpaceAtTheBeginningOfALine) {
  EXPECT_EQ(Kyaml(R"("a\n\u00a0b")"), "---\n\"\\\n   a\\n\\\n   \\_b\\\n  \"\n");
  for (const std::string_view json : {R"("a\n\u00a0b")", R"("a\n\rb")", R"("a\n\u000b")", R"("a\n\u3000b")"})
    ExpectReadsBack(json);
}

// Go's encoder writes them as they are: GitHub takes the first for a command in a log, Azure the second.
TEST(WriteKyaml, WritesNoCommandsToWhatRunsAWorkflow) {
  EXPECT_EQ(Kyaml(R"("a\n::b\n ::c")"), "---\n\"\\\n   a\\n\\\n   \\x3a:b\\n\\\n  \\ ::c\\\n  \"\n");
  EXPECT_EQ(Kyaml(R"("::a ##vso[b")"), "---\n\"::a \\x23#vso[b\"\n");
  for (const std::string_view json : {R"("a\n::b\n ::c")", R"("::a ##vso[b")"}) ExpectReadsBack(json);
}

// Go's encoder does not quote this one; it refuses or changes the others.
TEST(WriteKyaml, WritesWhatGoRefuses) {
  EXPECT_EQ(Kyaml(R"({"\u00e9":1})"), "---\n{\n  \"\xC3\xA9\": 1,\n}\n");
  EXPECT_EQ(Kyaml(R"("\u007f\u0080\u0085\ufeff")"), "---\n\"\\x7f\\u0080\\N\\ufeff\"\n");
  EXPECT_EQ(WriteKyaml(Value::UnownedString("a\xFF")), "---\n\"a\xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace smp::yaml
