#include "explain/message.h"

#include <gtest/gtest.h>

namespace smp::explain {
namespace {

TEST(Message, TheFirstCauseOfARefusal) {
  EXPECT_EQ(FirstCause("The Pod \"p\" is invalid: \n* spec.a: too large\n* spec: Forbidden"), "spec.a: too large");
  EXPECT_EQ(FirstCause("The Pod \"p\" is invalid: spec.a: too large\nadvice"),
            "The Pod \"p\" is invalid: spec.a: too large");
  EXPECT_EQ(FirstCause("denied\nThe Pod \"p\" is invalid: \n* spec"), "denied");
}

}  // namespace
}  // namespace smp::explain
