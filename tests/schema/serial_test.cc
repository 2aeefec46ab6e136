#include "schema/serial.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "schema/builtin.h"
#include "schema/minimize.h"
#include "schema/testing.h"
#include "tests_dir.h"

namespace smp {
namespace {

constexpr const char* kServices = R"({
  "components": {"schemas": {
    "io.Service": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "", "version": "v1",
      "kind": "Service"}],
      "properties": {"spec": {"$ref": "#/components/schemas/io.Spec"}}},
    "io.Spec": {"type": "object", "properties": {
      "ports": {"type": "array", "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "port",
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
        "items": {"type": "object", "properties": {"port": {"type": "integer"}, "protocol": {"type": "string",
          "default": "TCP"}}}},
      "strategy": {"type": "object", "x-kubernetes-patch-strategy": "retainKeys,replace",
        "x-kubernetes-map-type": "atomic"},
      "selector": {"type": "object", "additionalProperties": {"type": "string"}},
      "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
      "lists": {"type": "array", "items": {"type": "array", "items": {"type": "string"}},
        "x-kubernetes-list-type": "atomic"},
      "any map": {"additionalProperties": true},
      "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-embedded-resource": true}}}}},
  "paths": {
    "/api/v1/namespaces/{namespace}/services/{name}": {"patch": {
      "x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "Service"},
      "requestBody": {"content": {"application/strategic-merge-patch+json": {}}}}},
    "/api/v1/namespaces/{namespace}/services/{name}/proxy": {},
    "/api/v1/namespaces/{namespace}/services/{name}/status": {}}})";

// As serial.h says; "any map" shows the escapes.
constexpr const char* kServicesText = R"(smp-schema 8 10 1 1
To :io.Service
 spec o:io.Spec
To :io.Spec
 any%20map o#1
 free o#2
 lists l#3
 ports l#4 mM k=port i=port,protocol
 selector o#5
 set l#6 S
 strategy o#7 rt
To +
Tope
Ta [#6
To
 port i#8
 protocol s#6 ="TCP"
To +#6
Ts
Toa
Ti
R - v1 Service services ns :io.Service proxy,status
K - v1 Service :io.Service
)";

std::shared_ptr<const Schema> Parsed(std::string_view text) {
  const auto schema = ParseSchema(text);
  EXPECT_TRUE(schema.ok()) << ToString(schema.error());
  return schema.ok() ? *schema : std::make_shared<const Schema>();
}

TEST(SerializeSchema, WritesOneLineATypeFieldAndResource) {
  EXPECT_EQ(SerializeSchema(*Compiled(kServices)), kServicesText);
}

TEST(SerializeSchema, GivesTheSameTextAfterReading) {
  const std::string text = SerializeSchema(*Compiled(kServices));
  EXPECT_EQ(SerializeSchema(*Parsed(text)), text);
  const std::string builtin = SerializeSchema(*BuiltinSchema());
  EXPECT_EQ(SerializeSchema(*Parsed(builtin)), builtin);
}

TEST(SerializeSchema, KeepsListsOfAdditionalPropertiesThatAreMerged) {
  constexpr const char* kText =
      "smp-schema 8 4 0 0\n"
      "To :A\n keyed o#1\n sets o#2\n"
      "Ta [:A\nL M i=host,port\n"
      "Tan [#3\nL S\n"
      "Ts\n";
  const auto schema = Parsed(kText);
  EXPECT_EQ(SerializeSchema(*schema), kText);
  const Field& keyed = schema->type(2).merged_list.at(0);
  EXPECT_EQ(keyed.type, schema->FindTypeByName("A"));
  EXPECT_EQ(keyed.identity_keys, (std::vector<std::string>{"host", "port"}));
  EXPECT_TRUE(schema->type(3).merged_list.at(0).nullable);
  EXPECT_FALSE(ParseSchema("smp-schema 8 1 0 0\nTa\nL M\n").ok());
  EXPECT_FALSE(ParseSchema("smp-schema 8 1 0 0\nTa\nL \n").ok());
  EXPECT_FALSE(ParseSchema("smp-schema 8 1 0 0\nTo\nL S\n").ok());
}

// What only definitions and the tables of built-in types say.
TEST(SerializeSchema, KeepsUnionsDuplicatesAndNulls) {
  constexpr const char* kText =
      "smp-schema 8 4 0 0\n"
      "To :A\n a l#1 b\n b l#1 w\n c l#1 u\n d s#1 n\n"
      "To :B\nO - a=a b=b+c c=b+c\nU type x=X\nTopenw :E\nTsn\n";
  const auto schema = Parsed(kText);
  EXPECT_EQ(SerializeSchema(*schema), kText);
  const TypeId a = schema->FindTypeByName("A");
  EXPECT_EQ(schema->Find(a, "b")->duplicates, Duplicates::kLastWins);
  EXPECT_TRUE(schema->Find(a, "d")->nullable);
  EXPECT_TRUE(schema->type(schema->FindTypeByName("B")).unions.at(0).by_presence);
  EXPECT_FALSE(ParseSchema("smp-schema 8 1 0 0\nTo-\n").ok());
  EXPECT_FALSE(ParseSchema("smp-schema 8 1 0 0\nToQ\n").ok());
}

TEST(SerializeSchema, KeepsZerosThatAreOmitted) {
  constexpr const char* kText = "smp-schema 8 2 0 0\nTo :A\n a b#1 z\n b b#1\nTb\n";
  const auto schema = Parsed(kText);
  EXPECT_EQ(SerializeSchema(*schema), kText);
  const TypeId a = schema->FindTypeByName("A");
  EXPECT_TRUE(schema->Find(a, "a")->omits_zero);
  EXPECT_FALSE(schema->Find(a, "b")->omits_zero);
}

TEST(SerializeSchema, KeepsWhichQuantitiesAreRounded) {
  constexpr const char* kText = "smp-schema 8 4 0 0\nTo :A\n a q:Q\n b o#1\nTo +#2\nTqm\nTq :Q\n";
  const auto schema = Parsed(kText);
  EXPECT_EQ(SerializeSchema(*schema), kText);
  EXPECT_FALSE(schema->type(schema->FindTypeByName("Q")).rounds_to_milli);
}

TEST(SerializeSchema, KeepsTheWordsOfRules) {
  constexpr const char* kText = "smp-schema 8 2 0 0\nTo :A f=a%20b\n a s#1 f=failed%20rule =\"x\"\nTs f=c\n";
  const auto schema = Parsed(kText);
  EXPECT_EQ(SerializeSchema(*schema), kText);
  const TypeId a = schema->FindTypeByName("A");
  EXPECT_EQ(schema->type(a).fixed_words->AsString(), "a b");
  EXPECT_EQ(schema->Find(a, "a")->fixed_words->AsString(), "failed rule");
  EXPECT_FALSE(ParseSchema("smp-schema 8 1 0 0\nTs f=\n").ok());
}

TEST(SerializeSchema, KeepsNamesOfAnyBytes) {
  const Words kNames = {"", "-", "%", "a b", "a,b", "#1", "a\nb", "\x7f", "é", ":", "=x", "k=a", std::string(1, '\0')};
  for (const std::string& name : kNames) {
    Schema schema;
    const TypeId type = schema.Add({.kind = TypeKind::kObject, .name = "T " + name});
    schema.Mutable(type).fields = {{.name = name, .type = type, .patch_keys = {name}, .identity_keys = {name, name}}};
    schema.AddResource({.gvk = {name, name, name}, .plural = name, .type = type, .subresources = {name}});
    const auto copy = Parsed(SerializeSchema(schema));
    ASSERT_EQ(copy->type_count(), 2u) << name;
    EXPECT_EQ(copy->type(1).name, "T " + name);
    const Field field = copy->type(1).fields.at(0);
    EXPECT_EQ(field.name, name);
    EXPECT_EQ(field.type, type);
    EXPECT_EQ(field.patch_keys, (Words{name}));
    EXPECT_EQ(field.identity_keys, (Words{name, name}));
    ASSERT_NE(copy->FindResource({name, name, name}), nullptr);
    EXPECT_EQ(copy->FindResource({name, name, name})->plural, name);
    EXPECT_EQ(copy->FindResource({name, name, name})->subresources, (Words{name}));
  }
}

TEST(SerializeSchema, TellsTypesOfOneNameApart) {
  Schema schema;
  const TypeId first = schema.Add({.kind = TypeKind::kString, .name = "T"});
  const TypeId second = schema.Add({.kind = TypeKind::kInteger, .name = "T"});
  const TypeId user =
      schema.Add({.kind = TypeKind::kObject, .fields = {{.name = "a", .type = first}, {.name = "b", .type = second}}});
  const auto copy = Parsed(SerializeSchema(schema));
  EXPECT_EQ(copy->Find(user, "a")->type, first);
  EXPECT_EQ(copy->Find(user, "b")->type, second);
}

TEST(SerializeSchema, ANewComponentChangesNoLineOfOthers) {
  constexpr const char* kOld =
      R"("b.T": {"properties": {"x": {"$ref": "#/components/schemas/c.U"}, "y": {"type": "string"}}},
        "c.U": {"type": "object"})";
  const std::string before = SerializeSchema(*CompiledComponents(StrCat("{", kOld, "}")));
  const std::string after =
      SerializeSchema(*CompiledComponents(StrCat(R"({"a.New": {"type": "object"}, )", kOld, "}")));
  const std::string lines = before.substr(before.find('\n'));
  EXPECT_EQ(after.substr(after.size() - lines.size()), lines);
}

TEST(ParseSchema, AllowsComments) {
  const auto schema = Parsed("# kubernetes v1\nsmp-schema 8 1 0 0\n# more\nTs :a\n# end");
  EXPECT_NE(schema->FindTypeByName("a"), kNoType);
}

TEST(ParseSchema, RefusesWhatIsNotOfTheFormat) {
  const char* kRows[] = {
      "",
      "smp-schema 8",
      "smp-schema 2 0 0 0\n",  // of an older program
      "smp-schema 80 0 0 0\n",
      "smp-schema 8 0 0 x\n",
      "smp-schema 8 0 0 0 0\n",
      "smp-schema 8 1 0 0\n",                          // fewer types than promised
      "smp-schema 8 0 0 0\nTs\n",                      // more
      "smp-schema 8 0 1 0\n",                          // fewer resources
      "smp-schema 8 0 0 1\n",                          // fewer kinds
      "smp-schema 8 0 0 2\nK - v1 A -\nK - v1 A -\n",  // one kind twice
      "smp-schema 8 0 0 0\nX\n",
      "smp-schema 8 0 0 0\n\n",
      "smp-schema 8 0 0 0\n a s\n",  // a field of no type
      "smp-schema 8 1 0 0\nT\n",
      "smp-schema 8 1 0 0\nTz\n",
      "smp-schema 8 1 0 0\nToz\n",
      "smp-schema 8 1 0 0\nTo x\n",
      "smp-schema 8 1 0 0\nTo :a b\n",
      "smp-schema 8 1 0 0\nTo +#2\n",  // no such type
      "smp-schema 8 1 0 0\nTo +#0\n",
      "smp-schema 8 1 0 0\nTo +#\n",
      "smp-schema 8 1 0 0\nTo +#4294967297\n",
      "smp-schema 8 1 0 0\nTo [:b :a\n",
      "smp-schema 8 1 0 0\nTo\n a\n",
      "smp-schema 8 1 0 0\nTo\n  s\n",
      "smp-schema 8 1 0 0\nTo\n a z\n",
      "smp-schema 8 1 0 0\nTo\n a s1\n",
      "smp-schema 8 1 0 0\nTo\n a s#2\n",
      "smp-schema 8 1 0 0\nTo\n a s:b\n",
      "smp-schema 8 1 0 0\nTo\n a s Z\n",
      "smp-schema 8 1 0 0\nTo\n a s k=,\n",
      "smp-schema 8 1 0 0\nTo\n a s =\n",
      "smp-schema 8 1 0 0\nTo\n a s ={\n",
      "smp-schema 8 1 0 0\nTo\n a%2 s\n",
      "smp-schema 8 1 0 0\nTo\n a%GG s\n",
      "smp-schema 8 1 0 0\nTo\n b s\n a s\n",  // not sorted
      "smp-schema 8 1 0 0\nTo\n a s\n a s\n",  // twice
      "smp-schema 8 0 1 0\nR - v1 A as x -\n",
      "smp-schema 8 0 1 0\nR - v1 A as n\n",
      "smp-schema 8 0 1 0\nR - v1 A as n #1\n",
      "smp-schema 8 0 1 0\nR - v1 A as n - a,,b\n",
      "smp-schema 8 0 1 0\nRx v1 A as n -\n",
      "smp-schema 8 0 0 1\nK - v1 A\n",
      "smp-schema 8 0 0 1\nK - v1 A - -\n",
      "smp-schema 8 1 0 1\nK - v1 A #1\nTs\n",  // kinds come behind the types
  };
  for (const char* text : kRows) {
    const auto schema = ParseSchema(text);
    ASSERT_FALSE(schema.ok()) << text;
    EXPECT_EQ(schema.error().code, ErrorCode::kParse) << text;
  }
}

TEST(ParseSchema, NamesTheDamagedLine) {
  const auto schema = ParseSchema("# comment\nsmp-schema 8 1 0 0\nTo\n a s\n b !\n");
  ASSERT_FALSE(schema.ok());
  EXPECT_NE(schema.error().message.find("line 5"), std::string::npos) << schema.error().message;
}

TEST(ParseSchema, RefusesADefaultThatIsNestedTooDeep) {
  const std::string deep(2000, '[');
  EXPECT_FALSE(ParseSchema(StrCat("smp-schema 8 1 0 0\nTo\n a a =", deep, "\n")).ok());
}

TEST(ParseSchema, RefusesTextThatWasCut) {
  const std::string text = kServicesText;
  for (size_t size = 0; size + 1 < text.size(); ++size) EXPECT_FALSE(ParseSchema(text.substr(0, size)).ok()) << size;
}

// A seed of an older format would only ever exercise the check of the first line.
TEST(ParseSchema, ReadsTheSeedsOfItsFuzzer) {
  namespace fs = std::filesystem;
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(kTestsDir) / "fuzz/corpus/schema_text")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const auto schema = ParseSchema(std::string(std::istreambuf_iterator<char>(in), {}));
    EXPECT_TRUE(schema.ok()) << entry.path() << ": " << ToString(schema.error());
    ++count;
  }
  EXPECT_GT(count, 0u);
}

std::string Mutated(std::string text, std::mt19937& random) {
  constexpr std::string_view kTelling = " \n#:+[=%-,kimaTRKolsnc0129\0\xff";
  const auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  for (size_t edits = 1 + pick(3); edits > 0 && !text.empty(); --edits) {
    const size_t at = pick(text.size());
    const size_t count = 1 + pick(std::min<size_t>(text.size() - at, 12));
    switch (pick(4)) {
      case 0: text[at] = kTelling[pick(kTelling.size())]; break;
      case 1: text.erase(at, count); break;
      case 2: text.insert(pick(text.size()), text.substr(at, count)); break;
      default: text[at] = static_cast<char>(pick(256)); break;
    }
  }
  return text;
}

TEST(ParseSchema, GivesASoundSchemaOrAnErrorForAnyBytes) {
  const std::string text = kServicesText;
  std::mt19937 random(20260401);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto schema = ParseSchema(Mutated(text, random));
    if (!schema.ok()) continue;
    ++accepted;
    ExpectSound(**schema);
    const std::string again = SerializeSchema(**schema);
    ASSERT_EQ(SerializeSchema(*Parsed(again)), again);
  }
  EXPECT_GT(accepted, 500);
  EXPECT_LT(accepted, 19'500);
}

}  // namespace
}  // namespace smp
