// Which refusals deleting and creating anew would cure. That servers really say so is tested against one
// (tests/e2e/force.py).
#include "schema/facts/immutable.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

Error Invalid(const std::string& message) {
  Error error{ErrorCode::kServer, message};
  error.http_status = 422;
  error.reason = "Invalid";
  return error;
}

TEST(Immutable, IsWhatTheServerSaysOfAChange) {
  for (const char* message : {
           R"(The RoleBinding "rb" is invalid: roleRef: Invalid value: {"kind":"Role"}: cannot change roleRef)",
           R"(The Deployment "web" is invalid: spec.selector: Invalid value: {}: field is immutable)",
           R"(The ConfigMap "c" is invalid: data: Forbidden: field is immutable when `immutable` is set)",
           "The Pod \"p\" is invalid: spec: Forbidden: pod updates may not change fields other than `a`,`b`\n  a diff",
           "The Job \"j\" is invalid: \n* spec.x: Invalid value: 0: must be more\n* spec.template: Invalid value: {}: "
           "field is immutable",
       }) {
    EXPECT_TRUE(IsImmutableChange(Invalid(message), std::nullopt)) << message;
  }
}

TEST(Immutable, IsNothingElse) {
  for (const char* message : {
           R"(The Service "s" is invalid: spec.ports[0].port: Invalid value: 99999: must be between 1 and 65535)",
           // What a manifest says is repeated by the server, before its own words.
           R"(The Service "s" is invalid: spec.x: Invalid value: "field is immutable": is no name)",
           R"(The Service "s" is invalid: spec.x: Invalid value: "a: Forbidden: is immutable": is no name)",
           R"(The Service "s" is invalid: metadata.uid: Invalid value: "x": field is immutable)",
           R"(The Service "s" is invalid: spec.x: Required value: because it is immutable)",
           "The request is invalid",
           "is invalid: ",
           "is invalid: \n* ",
           "",
       }) {
    EXPECT_FALSE(IsImmutableChange(Invalid(message), std::nullopt)) << message;
  }
}

TEST(Immutable, OnlyA422Counts) {
  Error error = Invalid(R"(The RoleBinding "rb" is invalid: roleRef: Invalid value: {}: cannot change roleRef)");
  error.http_status = 403;
  EXPECT_FALSE(IsImmutableChange(error, std::nullopt));
}

TEST(Immutable, WordsOfACauseAreRecognized) {
  for (const char* words : {"field is immutable", "cannot change roleRef", "failed rule: self == oldSelf",
                            "pod updates may not change fields other than `x`"}) {
    EXPECT_TRUE(MeansImmutable(words, std::nullopt)) << words;
  }
  for (const char* words : {"", "you cannot change this", "is immutable, but not always"}) {
    EXPECT_FALSE(MeansImmutable(words, std::nullopt)) << words;
  }
}

TEST(Immutable, RulesAreRead) {
  ASSERT_FALSE(ImmutableRules().empty());
  for (const ImmutableRule& rule : ImmutableRules()) EXPECT_FALSE(rule.text.empty());
}

}  // namespace
}  // namespace smp
