// Where objects and FieldsV1 overlap.
#include "smp/owned_part.h"

#include <gtest/gtest.h>

#include "schema/builtin.h"
#include "value/json.h"

namespace smp {
namespace {

Place PlaceOfService() {
  const auto schema = BuiltinSchema();
  return PlaceOf(*schema, nullptr, schema->FindType({"", "v1", "Service"}), Storage::kGoTypes);
}

std::string FieldsIn(const char* fields, const char* object) {
  const Document a = *ParseJson(fields), b = *ParseJson(object);
  Arena arena;
  return WriteJson(OwnedFieldsIn(a.root(), b.root(), PlaceOfService(), arena));
}

TEST(OwnedFieldsIn, LeavesOutWhatTheObjectLacks) {
  constexpr char kFields[] =
      R"({"f:spec":{"f:type":{},"f:sessionAffinity":{},"f:selector":{".":{},"f:a":{},"f:b":{}}}})";
  EXPECT_EQ(FieldsIn(kFields, R"({"spec":{"type":"NodePort","selector":{"a":"x"}}})"),
            R"({"f:spec":{"f:selector":{".":{},"f:a":{}},"f:type":{}}})");
  EXPECT_EQ(FieldsIn(kFields, R"({"spec":{"selector":{}}})"), R"({"f:spec":{"f:selector":{}}})");
  EXPECT_EQ(FieldsIn(kFields, R"({"spec":{"type":null,"selector":"odd"}})"), R"({"f:spec":{"f:selector":{}}})");
  EXPECT_EQ(FieldsIn(kFields, "{}"), "{}");
}

TEST(OwnedFieldsIn, FindsItemsByTheirKeysAndDefaults) {
  constexpr char kFields[] =
      R"({"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{},"f:targetPort":{}},
      "k:{\"port\":80,\"protocol\":\"UDP\"}":{".":{},"f:port":{}}}}})";
  EXPECT_EQ(FieldsIn(kFields, R"({"spec":{"ports":[{"port":80}]}})"),
            R"({"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}})")
      << "the item without a protocol is the TCP one";
  EXPECT_EQ(FieldsIn(kFields, R"({"spec":{"ports":[{"port":80,"protocol":"UDP"}]}})"),
            R"({"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"UDP\"}":{".":{},"f:port":{}}}}})");
  EXPECT_EQ(FieldsIn(kFields, R"({"spec":{"ports":[{"port":81}]}})"), "{}");
}

TEST(OwnedFieldsIn, FindsElementsOfSets) {
  EXPECT_EQ(FieldsIn(R"({"f:metadata":{"f:finalizers":{".":{},"v:\"a/b\"":{},"v:\"c/d\"":{}}}})",
                     R"({"metadata":{"finalizers":["c/d"]}})"),
            R"({"f:metadata":{"f:finalizers":{".":{},"v:\"c/d\"":{}}}})");
}

TEST(OwnedPartOf, HasTheKeysOfItems) {
  const Document fields = *ParseJson(R"({"f:spec":{"f:ports":{"k:{\"port\":81,\"protocol\":\"TCP\"}":{"f:name":{}},
      "k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:targetPort":{}},"k:{\"port\":9}":{}},"f:externalIPs":{},
      "f:gone":{}},"f:metadata":{"f:labels":{".":{},"f:a":{}},"f:finalizers":{"v:\"x\"":{}}}})");
  const Document object =
      *ParseJson(R"({"metadata":{"labels":{"a":"1","b":"2"},"finalizers":["w","x"]},"spec":{"externalIPs":["1.2.3.4"],
      "ports":[{"port":80,"protocol":"TCP","targetPort":8080,"nodePort":30000},
               {"port":81,"protocol":"TCP","name":"n","nodePort":30001}]}})");
  Arena arena;
  EXPECT_EQ(WriteJson(OwnedPartOf(object.root(), fields.root(), arena)),
            R"({"metadata":{"finalizers":["x"],"labels":{"a":"1"}},"spec":{"externalIPs":["1.2.3.4"],)"
            R"("ports":[{"port":80,"protocol":"TCP","targetPort":8080},{"name":"n","port":81,"protocol":"TCP"}]}})");
  EXPECT_EQ(WriteJson(OwnedPartOf(object.root(), Value(), arena)), "{}");
}

}  // namespace
}  // namespace smp
