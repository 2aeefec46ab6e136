#include "explain/changed_hosts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/strings.h"
#include "explain/testing.h"

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

TEST(ChangedHosts, HostsInVariablesAndTexts) {
  const auto changed = [](const std::string& before, const std::string& after) {
    std::string out;
    for (const ChangedHost& host : ChangedHosts(Change(Map("m", before), Map("m", after)))) {
      out += StrCat(host.field, " ", host.before, " → ", host.after, ";");
    }
    return out;
  };
  EXPECT_EQ(changed("{url: 'http://a/x'}", "{url: 'http://b/x'}"), "url a → b;");
  EXPECT_EQ(changed("{url: 'gs://a/x'}", "{url: 'gs://b/x'}"), "") << "a bucket";
  EXPECT_EQ(changed("{app.yaml: \"db:\\n  url: jdbc:mysql://a:3306/x\\n\"}",
                    "{app.yaml: \"db:\\n  url: jdbc:mysql://b:3306/x\\n\"}"),
            "app.yaml db.url a → b;");
}

}  // namespace
}  // namespace smp::explain
