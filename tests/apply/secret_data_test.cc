#include "apply/secret_data.h"

#include <gtest/gtest.h>

#include <string>

#include "value/json.h"

namespace smp::apply {
namespace {

std::string Stored(const std::string& object) { return WriteJson(WithStringDataStored(*ParseJson(object)).root()); }

TEST(StringData, IsMovedIntoDataWhereItWins) {
  EXPECT_EQ(
      Stored(R"({"apiVersion":"v1","kind":"Secret","data":{"a":"b2xk","b":"Yg=="},"stringData":{"a":"new","c":""}})"),
      R"({"apiVersion":"v1","data":{"a":"bmV3","b":"Yg==","c":""},"kind":"Secret"})");
  EXPECT_EQ(Stored(R"({"apiVersion":"v1","kind":"Secret","stringData":{"a":"x"}})"),
            R"({"apiVersion":"v1","data":{"a":"eA=="},"kind":"Secret"})");
}

TEST(StringData, ThatIsEmptyOrNullIsNothing) {
  for (const char* none : {"{}", "null"}) {
    EXPECT_EQ(Stored(std::string(R"({"apiVersion":"v1","kind":"Secret","stringData":)") + none + "}"),
              R"({"apiVersion":"v1","kind":"Secret"})");
  }
}

TEST(StringData, OfOtherKindsAndOtherShapesIsLeftAlone) {
  for (const char* object : {R"({"apiVersion":"v1","kind":"ConfigMap","stringData":{"a":"x"}})",
                             R"({"apiVersion":"example.com/v1","kind":"Secret","stringData":{"a":"x"}})",
                             R"({"apiVersion":"v1","kind":"Secret","stringData":{"a":1}})",
                             R"({"apiVersion":"v1","kind":"Secret","stringData":[]})"}) {
    EXPECT_EQ(Stored(object), object);
  }
}

}  // namespace
}  // namespace smp::apply
