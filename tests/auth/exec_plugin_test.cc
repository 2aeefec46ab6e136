#include "auth/exec_plugin.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "net/test_pem.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::auth {
namespace {

namespace fs = std::filesystem;

const char kV1[] = "client.authentication.k8s.io/v1";

// A folder with a plugin: a shell script.
class ExecPluginTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "smp_exec_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Read(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  ConnectionConfig Config(const std::string& script) const {
    std::ofstream(folder_ / "login") << "#!/bin/sh\ncd " << folder_.string() << "\n" << script;
    fs::permissions(folder_ / "login", fs::perms::owner_all);
    ConnectionConfig config;
    config.server = "https://k:6443";
    config.exec = ExecConfig{.command = Path("login"), .api_version = kV1, .interactive_mode = "Never"};
    return config;
  }
  // A script that prints an ExecCredential, and notes that it ran.
  static std::string Prints(const std::string& status) {
    return StrCat("echo run >> runs\ncat <<'END'\n{\"apiVersion\":\"", kV1, R"(","kind":"ExecCredential","status":)",
                  status, "}\nEND\n");
  }
  // The status with a certificate and its key, as JSON.
  static std::string CertificateStatus(std::string_view certificate, std::string_view key) {
    Arena arena;
    return WriteJson(arena.Object({{"token", arena.String("plugin-token")},
                                   {"clientCertificateData", arena.String(certificate)},
                                   {"clientKeyData", arena.String(key)}}));
  }
  std::string Failure(const ConnectionConfig& config) const {
    const Result<Credentials> got = MakeExecPlugin(config)->Get();
    EXPECT_FALSE(got.ok());
    if (got.ok()) return "no failure";
    EXPECT_EQ(got.error().code, ErrorCode::kTransport);
    constexpr std::string_view kStart = "Unable to connect to the server: getting credentials: ";
    EXPECT_TRUE(got.error().message.starts_with(kStart)) << got.error().message;
    return got.error().message.substr(std::min(kStart.size(), got.error().message.size()));
  }

  fs::path folder_;
};

// Device codes and single sign-on take longer than a minute.
TEST(ExecTimeout, WhoMayBeAskedHasTime) {
  ExecConfig exec;
  for (const char* mode : {"IfAvailable", "Always"}) {
    exec.interactive_mode = mode;
    EXPECT_GT(TimeoutMs(exec, true), 24 * 3600 * 1000) << mode;
    EXPECT_EQ(TimeoutMs(exec, false), 60'000) << mode;
  }
  exec.interactive_mode = "Never";
  EXPECT_EQ(TimeoutMs(exec, true), 60'000);
  exec.timeout_ms = 5;
  EXPECT_EQ(TimeoutMs(exec, true), 5);
  exec.timeout_ms = 0;
  EXPECT_GT(TimeoutMs(exec, false), 24 * 3600 * 1000);
}

TEST_F(ExecPluginTest, TokenIsKeptInMemory) {
  const auto plugin = MakeExecPlugin(Config(Prints(R"({"token":"exec-token-1"})")));
  for (int i = 0; i < 3; ++i) {
    const Result<Credentials> got = plugin->Get();
    ASSERT_TRUE(got.ok()) << got.error().message;
    EXPECT_EQ(got->authorization, "Bearer exec-token-1");
    EXPECT_FALSE(got->certificate.given());
  }
  EXPECT_EQ(Read("runs"), "run\n");
  plugin->Forget();
  ASSERT_TRUE(plugin->Get().ok());
  EXPECT_EQ(Read("runs"), "run\nrun\n");
}

TEST_F(ExecPluginTest, IsNotRunForEachRefusalOnceItsFreshTokenWasRefused) {
  const auto plugin = MakeExecPlugin(Config(Prints(R"({"token":"t-1234"})")));
  ASSERT_TRUE(plugin->Get().ok());
  plugin->GiveUp();
  plugin->Forget();
  ASSERT_TRUE(plugin->Get().ok());
  EXPECT_EQ(Read("runs"), "run\n");
}

TEST_F(ExecPluginTest, ExpiredTokenIsGotAgain) {
  WallTime now = ParseRfc3339("2026-01-01T00:00:00Z")->seconds;
  const auto plugin = MakeExecPlugin(
      Config(Prints(R"({"token":"t-1234","expirationTimestamp":"2026-01-01T01:00:00Z"})")), [&] { return now; });
  ASSERT_TRUE(plugin->Get().ok());
  now += std::chrono::minutes(60);
  ASSERT_TRUE(plugin->Get().ok());
  EXPECT_EQ(Read("runs"), "run\n");
  now += std::chrono::seconds(1);
  ASSERT_TRUE(plugin->Get().ok());
  EXPECT_EQ(Read("runs"), "run\nrun\n");
}

// Nanoseconds since 1970 cannot hold that year.
TEST_F(ExecPluginTest, ATokenOfTheYear9999NeverExpires) {
  WallTime now = ParseRfc3339("2200-01-01T00:00:00Z")->seconds;
  const auto plugin = MakeExecPlugin(
      Config(Prints(R"({"token":"t-1234","expirationTimestamp":"9999-12-31T23:59:59Z"})")), [&] { return now; });
  ASSERT_TRUE(plugin->Get().ok());
  ASSERT_TRUE(plugin->Get().ok());
  EXPECT_EQ(Read("runs"), "run\n");
}

TEST_F(ExecPluginTest, CertificateComesWithItsKey) {
  const Result<Credentials> got =
      MakeExecPlugin(Config(Prints(CertificateStatus(net::kTestCertificate, net::kTestKey))))->Get();
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->authorization, "Bearer plugin-token");
  EXPECT_EQ(got->certificate.data, net::kTestCertificate);
  EXPECT_EQ(got->key.data, net::kTestKey);
}

TEST_F(ExecPluginTest, SecretsOfPluginsAreNeverShown) {
  ASSERT_TRUE(MakeExecPlugin(Config(Prints(CertificateStatus(net::kTestCertificate, net::kTestKey))))->Get().ok());
  EXPECT_EQ(SecretRegistry::Instance().Scrub(StrCat("a plugin-token b ", net::kTestKey)), "a *** b ***");
}

TEST_F(ExecPluginTest, CertificateThatCannotBeUsedIsToldWithThePlugin) {
  const struct {
    const char* certificate;
    const char* key;
    const char* why;
  } kCases[] = {
      {"CERT", net::kTestKey, "clientCertificateData does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {net::kTestCertificate, "KEY", "clientKeyData does not contain a PEM key (BEGIN PRIVATE KEY)"},
      {net::kTestCertificate, net::kEncryptedTestKey,
       "clientKeyData contains an encrypted key, which is not supported"},
      {net::kTestCertificate, net::kOtherTestKey, "the key does not match the certificate"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Failure(Config(Prints(CertificateStatus(c.certificate, c.key)))),
              StrCat("exec plugin ", Path("login"), " returned an unusable certificate or key: ", c.why));
  }
}

TEST_F(ExecPluginTest, CredentialMayBeYaml) {
  const auto plugin = MakeExecPlugin(
      Config("cat <<'END'\n---\n# mine\napiVersion: client.authentication.k8s.io/v1\nkind: ExecCredential\nstatus:\n"
             "  expirationTimestamp: 2026-01-01T01:00:00Z\n  token: yaml-token\nEND\n"));
  const Result<Credentials> got = plugin->Get();
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->authorization, "Bearer yaml-token");
}

TEST_F(ExecPluginTest, FailingPluginIsRunOnce) {
  const auto plugin = MakeExecPlugin(Config("echo run >> runs; exit 3"));
  const std::string first = plugin->Get().error().message;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(plugin->Get().error().message, first);
    plugin->Forget();
  }
  EXPECT_EQ(Read("runs"), "run\n");
}

TEST_F(ExecPluginTest, ArgumentsAndEnvironmentArriveWithoutAShell) {
  ConnectionConfig config =
      Config("printf '%s|' \"$@\" > args; printf '%s' \"$X\" > env\n" + Prints(R"({"token":"t"})"));
  config.exec->args = {"a b", "$HOME", "`id`", ""};
  config.exec->environment = {{"X", "$(id)"}};
  ASSERT_TRUE(MakeExecPlugin(config)->Get().ok());
  EXPECT_EQ(Read("args"), "a b|$HOME|`id`||");
  EXPECT_EQ(Read("env"), "$(id)");
}

TEST_F(ExecPluginTest, InfoNamesTheClusterOnlyWhereAskedFor) {
  ConnectionConfig config = Config("printf '%s' \"$KUBERNETES_EXEC_INFO\" > info\n" + Prints(R"({"token":"t"})"));
  config.certificate_authority = {.data = "CA"};
  config.tls_server_name = "name";
  config.proxy_url = "http://p";
  config.disable_compression = true;
  config.exec->cluster_extension = R"({"audience":"x"})";
  ASSERT_TRUE(MakeExecPlugin(config)->Get().ok());
  EXPECT_EQ(Read("info"), R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",)"
                          R"("spec":{"interactive":false}})");
  config.exec->provide_cluster_info = true;
  ASSERT_TRUE(MakeExecPlugin(config)->Get().ok());
  EXPECT_EQ(Read("info"),
            R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{"cluster":{)"
            R"("certificate-authority-data":"Q0E=","config":{"audience":"x"},"disable-compression":true,)"
            R"("proxy-url":"http://p","server":"https://k:6443","tls-server-name":"name"},)"
            R"("interactive":false}})");
}

TEST_F(ExecPluginTest, CaOfAFileIsGivenAsItsBytes) {
  ConnectionConfig config = Config("printf '%s' \"$KUBERNETES_EXEC_INFO\" > info\n" + Prints(R"({"token":"t"})"));
  config.exec->provide_cluster_info = true;
  std::ofstream(folder_ / "ca") << "CA";
  config.certificate_authority = {.file = Path("ca")};
  ASSERT_TRUE(MakeExecPlugin(config)->Get().ok());
  EXPECT_NE(Read("info").find(R"("certificate-authority-data":"Q0E=")"), std::string::npos) << Read("info");
}

TEST_F(ExecPluginTest, StandardInputIsEmptyWhereNobodyCanBeAsked) {
  ConnectionConfig config = Config("cat > input\n" + Prints(R"({"token":"t"})"));
  ASSERT_TRUE(MakeExecPlugin(config)->Get().ok());
  EXPECT_EQ(Read("input"), "");
  config.exec->interactive_mode = "Always";
  config.exec->stdin_in_use = true;
  EXPECT_EQ(Failure(config),
            "exec plugin cannot support interactive mode: standard input is unavailable: used by -f -");
}

TEST_F(ExecPluginTest, FailureIsTold) {
  EXPECT_EQ(Failure(Config("exit 3")),
            "exec: executable " + Path("login") + " failed with exit code 3; run it to see why, or log in again");
  EXPECT_EQ(Failure(Config("yes")), "exec: " + Path("login") + " printed more than 1048576 bytes and was killed");
}

TEST_F(ExecPluginTest, MissingProgramShowsItsHint) {
  ConnectionConfig config = Config("");
  config.exec->command = "no-such-login";
  config.exec->install_hint = "get it at x";
  const std::string message = Failure(config);
  EXPECT_TRUE(message.starts_with("exec: executable no-such-login not found\n\nIt looks like you are trying"))
      << message;
  EXPECT_TRUE(message.ends_with("#client-go-credential-plugins\n\nget it at x")) << message;
}

TEST_F(ExecPluginTest, PolicyIsObeyed) {
  ConnectionConfig config = Config(Prints(R"({"token":"t"})"));
  config.exec->policy = {PluginPolicy::Kind::kDenyAll, {}, "rc"};
  EXPECT_EQ(Failure(config), "plugin \"" + Path("login") + "\" not allowed: credentialPluginPolicy is DenyAll of rc");
  EXPECT_FALSE(fs::exists(folder_ / "runs"));
}

TEST_F(ExecPluginTest, OutputThatIsNoCredentialIsToldAndNotQuoted) {
  const struct {
    std::string output;
    const char* message;
  } kCases[] = {
      {"secret", "exec plugin did not print an ExecCredential in JSON or YAML"},
      {"", "exec plugin did not print an ExecCredential in JSON or YAML"},
      {"kind: ExecCredential\n---\nkind: ExecCredential",
       "exec plugin did not print an ExecCredential in JSON or YAML"},
      {R"({"kind":"Secret"})", "exec plugin did not print an ExecCredential in JSON or YAML"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"})",
       "exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin returned version "
       "client.authentication.k8s.io/v1beta1"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
       "exec plugin didn't return a status field"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}})",
       "exec plugin didn't return a token or cert/key pair"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"clientKeyData":"secret"}})",
       "exec plugin returned only certificate or key, not both"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":7}})",
       "exec plugin returned a status.token that is not a string"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)"
       R"({"token":"secret","expirationTimestamp":"soon"}})",
       "exec plugin returned an invalid status.expirationTimestamp; expected a time such as 2026-01-02T03:04:05Z"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"secret\r\nX: y"}})",
       "exec plugin returned a token that contains a space or newline"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Failure(Config("cat <<'END'\n" + c.output + "\nEND\n")), c.message);
}

}  // namespace
}  // namespace smp::auth
