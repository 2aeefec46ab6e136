#include "auth/auth_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "auth/impersonation.h"

namespace smp::auth {
namespace {

// A server that knows which tokens and certificates it accepts.
struct Server {
  std::mutex mutex;
  std::vector<std::string> accepted;
  std::string open_path;          // where everybody is let in
  std::vector<std::string> seen;  // "PATH AUTHORIZATION" of each request
  net::Headers last;
  int connections = 0;
  std::string certificate;  // of the last connection

  net::HttpResponse Answer(const net::HttpRequest& request, const net::Headers& credentials) {
    const std::lock_guard lock(mutex);
    last = credentials;
    std::string authorization;
    for (const auto& [name, value] : credentials) {
      if (name == "Authorization") authorization = value;
    }
    seen.push_back(request.path + " " + authorization);
    const bool known = std::find(accepted.begin(), accepted.end(), authorization) != accepted.end();
    return {.status = known || request.path == open_path ? 200 : 401};
  }
};

class ServerTransport : public net::Transport {
 public:
  ServerTransport(Server* server, std::function<net::Headers()> credentials)
      : server_(server), credentials_(std::move(credentials)) {}
  Result<net::HttpResponse> Send(const net::HttpRequest& request) override {
    return server_->Answer(request, credentials_());
  }

 private:
  Server* server_;
  std::function<net::Headers()> credentials_;
};

// Gives one of a list after the other, the last for ever; the next when the one before was forgotten.
class ScriptedSource : public CredentialSource {
 public:
  struct Log {
    int forgotten = 0;
    int gave_up = 0;
  };
  ScriptedSource(std::vector<Result<Credentials>> script, Log* log) : script_(std::move(script)), log_(log) {}
  Result<Credentials> Get() override { return script_[std::min(at_, script_.size() - 1)]; }
  void Forget() override {
    if (log_->gave_up > 0) return;
    ++at_;
    ++log_->forgotten;
  }
  void GiveUp() override { ++log_->gave_up; }

 private:
  std::vector<Result<Credentials>> script_;
  Log* log_;
  size_t at_ = 0;
};

class AuthTransportTest : public testing::Test {
 protected:
  std::unique_ptr<net::Transport> Make(std::vector<Result<Credentials>> script, const Impersonation& as = {}) {
    return MakeAuthTransport(
        std::make_unique<ScriptedSource>(std::move(script), &log_), ImpersonationHeaders(as),
        [this](const Credentials& credentials, std::function<net::Headers()> headers) {
          ++server_.connections;
          server_.certificate = credentials.certificate.data;
          return Result<std::unique_ptr<net::Transport>>(
              std::make_unique<ServerTransport>(&server_, std::move(headers)));
        },
        "the hint");
  }
  static std::vector<int> Statuses(const std::vector<Result<net::HttpResponse>>& answers) {
    std::vector<int> out;
    for (const auto& answer : answers) out.push_back(answer.ok() ? answer->status : -1);
    return out;
  }

  Server server_;
  ScriptedSource::Log log_;
};

TEST_F(AuthTransportTest, NothingIsAskedForBeforeTheFirstRequest) {
  (void)Make({Credentials{"a"}});
  EXPECT_EQ(server_.connections, 0);
}

TEST_F(AuthTransportTest, RefusedRequestsAreSentOnceMoreWithFreshCredentials) {
  server_.accepted = {"new"};
  const auto transport = Make({Credentials{"old"}, Credentials{"new"}});
  EXPECT_EQ(Statuses(transport->SendAll({{.path = "/a"}, {.path = "/b"}})), (std::vector<int>{200, 200}));
  EXPECT_EQ(server_.seen, (std::vector<std::string>{"/a old", "/b old", "/a new", "/b new"}));
  EXPECT_EQ(Statuses(transport->SendAll({{.path = "/c"}})), std::vector<int>{200});
  EXPECT_EQ(log_.forgotten, 1);
  EXPECT_EQ(server_.connections, 1) << "a new token needs no new connection";
}

TEST_F(AuthTransportTest, CredentialsThatExpireAreReplacedEachTimeOnce) {
  server_.accepted = {"old"};
  const auto transport = Make({Credentials{"old"}, Credentials{"new"}, Credentials{"newer"}});
  EXPECT_EQ(Statuses(transport->SendAll({{.path = "/a"}})), std::vector<int>{200});
  server_.accepted = {"new"};
  EXPECT_EQ(Statuses(transport->SendAll({{.path = "/b"}, {.path = "/c"}})), (std::vector<int>{200, 200}));
  EXPECT_EQ(log_.forgotten, 1);
  server_.accepted = {"newer"};
  EXPECT_EQ(Statuses(transport->SendAll({{.path = "/d"}})), std::vector<int>{200});
  EXPECT_EQ(log_.forgotten, 2);
}

TEST_F(AuthTransportTest, RefusalOfFreshCredentialsIsTheAnswerAndEndsTheTrying) {
  const auto transport = Make({Credentials{"a"}, Credentials{"b"}, Credentials{"c"}});
  EXPECT_EQ(transport->Send({.path = "/1"})->status, 401);
  EXPECT_EQ(transport->Send({.path = "/2"})->status, 401);
  EXPECT_EQ(server_.seen, (std::vector<std::string>{"/1 a", "/1 b", "/2 b"}));
  EXPECT_EQ(log_.forgotten, 1);
}

TEST_F(AuthTransportTest, SameCredentialsAreNotTriedTwice) {
  const auto transport = Make({Credentials{"a"}});
  EXPECT_EQ(transport->Send({.path = "/1"})->status, 401);
  EXPECT_EQ(transport->Send({.path = "/2"})->status, 401);
  EXPECT_EQ(server_.seen, (std::vector<std::string>{"/1 a", "/2 a"}));
  EXPECT_EQ(log_.forgotten, 1);
}

TEST_F(AuthTransportTest, HintGoesWithRefusalsOnly) {
  server_.open_path = "/open";
  const auto answers = Make({Credentials{"a"}, Credentials{"b"}})->SendAll({{.path = "/a"}, {.path = "/open"}});
  EXPECT_EQ(answers[0]->hint, "the hint");
  EXPECT_EQ(answers[1]->hint, "");
}

TEST_F(AuthTransportTest, OnlyTheRefusedOfManyAreRepeated) {
  server_.accepted = {"new"};
  server_.open_path = "/open";
  const auto transport = Make({Credentials{"old"}, Credentials{"new"}});
  EXPECT_EQ(Statuses(transport->SendAll({{.path = "/a"}, {.path = "/open"}, {.path = "/b"}})),
            (std::vector<int>{200, 200, 200}));
  EXPECT_EQ(server_.seen, (std::vector<std::string>{"/a old", "/open old", "/b old", "/a new", "/b new"}));
}

TEST_F(AuthTransportTest, ThreadsThatAreRefusedTogetherLogInOnce) {
  server_.accepted = {"new"};
  const auto transport = Make({Credentials{"old"}, Credentials{"new"}});
  std::atomic<int> good = 0;
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] { good += transport->Send({.path = "/a"})->status == 200 ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(good, 8);
  EXPECT_EQ(log_.forgotten, 1);
}

TEST_F(AuthTransportTest, NewCertificateGetsANewConnection) {
  server_.accepted = {""};
  const auto transport =
      Make({Credentials{"x", {.data = "C1"}, {.data = "K1"}}, Credentials{"", {.data = "C2"}, {.data = "K2"}}});
  EXPECT_EQ(transport->Send({.path = "/a"})->status, 200);
  EXPECT_EQ(server_.connections, 2);
  EXPECT_EQ(server_.certificate, "C2");
}

TEST_F(AuthTransportTest, FailureToLogInIsTheErrorOfEveryRequest) {
  const auto transport = Make({Error::Transport("no login")});
  const auto answers = transport->SendAll({{.path = "/a"}, {.path = "/b"}});
  ASSERT_EQ(answers.size(), 2u);
  for (const auto& answer : answers) EXPECT_EQ(answer.error().message, "no login");
  EXPECT_TRUE(server_.seen.empty());
}

TEST_F(AuthTransportTest, FailureToLogInAgainIsTold) {
  const auto transport = Make({Credentials{"old"}, Error::Transport("no login")});
  EXPECT_EQ(transport->Send({.path = "/a"}).error().message, "no login");
}

TEST_F(AuthTransportTest, ImpersonationGoesWithEveryRequest) {
  server_.accepted = {"a"};
  const auto transport =
      Make({Credentials{"a"}},
           {.user = "jane", .uid = "7", .groups = {"g", "h"}, .extra = {{"acme.com/Ä%", {"v", ""}}, {"p", {"w"}}}});
  ASSERT_EQ(transport->Send({.path = "/a"})->status, 200);
  EXPECT_EQ(server_.last, (net::Headers{{"Impersonate-User", "jane"},
                                        {"Impersonate-Uid", "7"},
                                        {"Impersonate-Group", "g"},
                                        {"Impersonate-Group", "h"},
                                        {"Impersonate-Extra-acme.com%2F%C3%84%25", "v"},
                                        {"Impersonate-Extra-acme.com%2F%C3%84%25", ""},
                                        {"Impersonate-Extra-p", "w"},
                                        {"Authorization", "a"}}));
}

TEST(MakeAuthTransport, BasicAuthAndTokenBecomeHeaders) {
  ConnectionConfig config;
  config.server = "https://k";
  config.username = "u";
  config.password = "p:w";
  EXPECT_EQ((*MakeCredentialSource(config))->Get()->authorization, "Basic dTpwOnc=");
  config.token = "t";
  EXPECT_EQ((*MakeCredentialSource(config))->Get()->authorization, "Bearer t");
}

TEST(MakeAuthTransport, UnusableSettingsAreRefusedBeforeAnythingIsSent) {
  const struct {
    const char *server, *token, *token_file, *tls_server_name, *part;
  } kRows[] = {
      {"https://a", "x\ny", "", "", "bearer token"},
      {"https://a", "", "/nonexistent/token", "", "/nonexistent/token"},
      {"https://a", "", "", "a/b", "tls-server-name"},
      {"ftp://a", "", "", "", "ftp://a"},
  };
  for (const auto& row : kRows) {
    ConnectionConfig config;
    config.server = row.server;
    config.token = row.token;
    config.token_file = row.token_file;
    config.tls_server_name = row.tls_server_name;
    const auto transport = MakeAuthTransport(config, {});
    ASSERT_FALSE(transport.ok()) << row.part;
    EXPECT_EQ(transport.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(transport.error().message.find(row.part), std::string::npos) << transport.error().message;
  }
}

}  // namespace
}  // namespace smp::auth
