#include "explain/own_name.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace smp::explain {
namespace {

TEST(OwnName, IsReplacedWhereItIsAWord) {
  EXPECT_EQ(WithoutOwnName("shop/web:1.2", "web"), "shop/‹name›:1.2");
  EXPECT_EQ(WithoutOwnName("web", "web"), "‹name›");
  EXPECT_EQ(WithoutOwnName("web-cache.web web", "web"), "‹name›-cache.‹name› ‹name›");
  EXPECT_EQ(WithoutOwnName("webs, cobweb, web2", "web"), "webs, cobweb, web2");
  EXPECT_EQ(WithoutOwnName("web", ""), "web");
  EXPECT_EQ(WithoutOwnName("", "web"), "");
  EXPECT_EQ(WithoutOwnName("aa-aa-aa-aa", "aa-aa"), "‹name›-‹name›");
}

TEST(OwnName, IsReplacedInValuesAndKeys) {
  const Document document = *ParseJson(R"({"web.yaml":["web",1,{"x":"at web:80"}],"other":null})");
  Arena arena;
  EXPECT_EQ(WriteJson(*WithoutOwnName(&document.root(), "web", arena)),
            R"({"other":null,"‹name›.yaml":["‹name›",1,{"x":"at ‹name›:80"}]})");
  EXPECT_EQ(WithoutOwnName(&document.root(), "api", arena), &document.root());
  EXPECT_EQ(WithoutOwnName(nullptr, "web", arena), nullptr);
}

TEST(OwnName, IsReplacedInPaths) {
  const FieldPath path = {PathStep::Field("data"), PathStep::Key({{"name", "\"web\""}}), PathStep::Field("web.json")};
  EXPECT_EQ(ToString(WithoutOwnName(path, "web")), R"(data[name="‹name›"]["‹name›.json"])");
}

}  // namespace
}  // namespace smp::explain
