#include "explain/changed_hosts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace smp::explain {
namespace {

using Name = std::pair<std::string, std::string>;

TEST(ChangedHosts, HostsThatMeanAService) {
  EXPECT_EQ(ServiceOf("db", "shop"), Name("shop", "db"));
  EXPECT_EQ(ServiceOf("db.blog.svc", "shop"), Name("blog", "db"));
  EXPECT_EQ(ServiceOf("db.blog.svc.cluster.local", "shop"), Name("blog", "db"));
}

TEST(ChangedHosts, OtherHosts) {
  for (const char* host : {"", "localhost", "10.0.0.1", "db.blog", "db.example.com", "pod-0.db.blog.svc", "db.svc",
                           "Db", "$(HOST)", ".svc", "db_1"}) {
    EXPECT_EQ(ServiceOf(host, "shop"), Name()) << host;
  }
}

}  // namespace
}  // namespace smp::explain
