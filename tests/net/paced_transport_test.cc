#include "net/paced_transport.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "net/fake_transport.h"

namespace smp::net {
namespace {

TEST(PacedTransport, SpreadsRequestsOverTime) {
  FakeScript script;
  script.On("GET /a", Json(200, "{}"));
  FakeClock clock;
  const auto transport = PaceTransport(std::make_unique<FakeTransport>(&script), 4, clock);
  std::vector<int64_t> sent_ms;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(transport->Send({.path = "/a"}).ok());
    sent_ms.push_back(clock.now_ms);
  }
  EXPECT_EQ(sent_ms, (std::vector<int64_t>{0, 250, 500, 750}));
}

TEST(PacedTransport, SavesNothingUp) {
  FakeScript script;
  script.On("GET /a", Json(200, "{}"));
  FakeClock clock;
  const auto transport = PaceTransport(std::make_unique<FakeTransport>(&script), 10, clock);
  ASSERT_TRUE(transport->Send({.path = "/a"}).ok());
  clock.now_ms = 5000;
  ASSERT_TRUE(transport->Send({.path = "/a"}).ok());
  ASSERT_TRUE(transport->Send({.path = "/a"}).ok());
  EXPECT_EQ(clock.now_ms, 5100);
}

}  // namespace
}  // namespace smp::net
