#include "auth/kubeconfig.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/strings.h"
#include "net/test_pem.h"
#include "value/base64.h"

namespace smp::auth {
namespace {

namespace fs = std::filesystem;

const std::string kFull = StrCat(R"(apiVersion: v1
kind: Config
current-context: prod
clusters:
- name: prod
  cluster:
    server: https://prod.example:6443/
    certificate-authority: pki/ca.crt
    tls-server-name: api.internal
- name: dev
  cluster:
    server: https://dev.example
    certificate-authority-data: )",
                                 EncodeBase64(net::kTestCertificate), R"(
- name: open
  cluster:
    server: http://127.0.0.1:8001
- name: lax
  cluster:
    server: https://lax.example
    insecure-skip-tls-verify: true
users:
- name: alice
  user:
    client-certificate: pki/alice.crt
    client-key-data: )",
                                 EncodeBase64(net::kTestKey), R"(
- name: bob
  user:
    token: bob-token
- name: carol
  user:
    username: carol
    password: pw
- name: dave
  user:
    tokenFile: pki/dave.token
- name: exec
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: get-token
- name: gcp
  user:
    auth-provider:
      name: gcp
- name: root
  user:
    token: t
    as: system:admin
- name: both
  user:
    token: t
    username: u
- name: keyless
  user:
    client-certificate-data: Q0VSVA==
contexts:
- name: prod
  context: {cluster: prod, user: alice, namespace: web}
- name: dev
  context: {cluster: dev, user: bob}
- name: open
  context: {cluster: open, user: bob}
- name: lax
  context: {cluster: lax, user: bob}
- name: lost-user
  context: {cluster: dev, user: nobody}
- name: lost-cluster
  context: {cluster: nowhere, user: bob}
- name: no-cluster
  context: {user: bob}
)");

// A folder of its own as HOME, and no KUBECONFIG.
class KubeconfigTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "smp_kubeconfig_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    const char* home = std::getenv("HOME");
    home_ = home == nullptr ? "" : home;
    setenv("HOME", folder_.c_str(), 1);
    unsetenv("KUBECONFIG");
    Write("pki/ca.crt", net::kTestCertificate);
    Write("pki/alice.crt", net::kTestCertificate);
    Write("pki/alice.key", net::kTestKey);
    Write("pki/dave.token", "dave-token\n");
  }
  void TearDown() override {
    setenv("HOME", home_.c_str(), 1);
    unsetenv("KUBECONFIG");
    fs::remove_all(folder_);
  }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, const std::string& content) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << content;
    return Path(name);
  }
  ConnectionFlags Full() const {
    ConnectionFlags flags;
    flags.kubeconfig = Write("full", kFull);
    return flags;
  }
  static ConnectionConfig Load(const ConnectionFlags& flags) {
    Result<ConnectionConfig> config = LoadConnectionConfig(flags);
    EXPECT_TRUE(config.ok()) << ToString(config.error());
    return config.ok() ? *config : ConnectionConfig{};
  }
  static std::string Failure(const ConnectionFlags& flags) {
    const Result<ConnectionConfig> config = LoadConnectionConfig(flags);
    EXPECT_FALSE(config.ok());
    return config.ok() ? "" : ToString(config.error());
  }

  fs::path folder_;
  std::string home_;
};

TEST_F(KubeconfigTest, CurrentContextIsTaken) {
  const ConnectionConfig config = Load(Full());
  EXPECT_EQ(config.context, "prod");
  EXPECT_EQ(config.cluster, "prod");
  EXPECT_EQ(config.user, "alice");
  EXPECT_EQ(config.server, "https://prod.example:6443");
  EXPECT_EQ(config.name_space, "web");
  EXPECT_FALSE(config.name_space_given);
  EXPECT_EQ(config.certificate_authority.file, Path("pki/ca.crt"));
  EXPECT_EQ(config.client_certificate.file, Path("pki/alice.crt"));
  EXPECT_EQ(config.client_key.data, net::kTestKey);
  EXPECT_EQ(config.tls_server_name, "api.internal");
  EXPECT_EQ(config.request_timeout_ms, 0);
}

TEST_F(KubeconfigTest, FlagsChooseContextClusterUserAndNamespace) {
  ConnectionFlags flags = Full();
  flags.context = "dev";
  ConnectionConfig config = Load(flags);
  EXPECT_EQ(config.server, "https://dev.example");
  EXPECT_EQ(config.certificate_authority.data, net::kTestCertificate);
  EXPECT_EQ(config.token, "bob-token");
  EXPECT_EQ(config.name_space, "default");

  flags.cluster = "prod";
  flags.user = "dave";
  flags.name_space = "other";
  flags.request_timeout = "5s";
  config = Load(flags);
  EXPECT_EQ(config.server, "https://prod.example:6443");
  EXPECT_EQ(config.token_file, Path("pki/dave.token"));
  EXPECT_EQ(config.token, "");
  EXPECT_EQ(config.name_space, "other");
  EXPECT_TRUE(config.name_space_given);
  EXPECT_EQ(config.request_timeout_ms, 5000);
}

TEST_F(KubeconfigTest, ServerFlagDropsTheTlsServerName) {
  ConnectionFlags flags = Full();
  flags.server = "https://10.0.0.1:6443";
  const ConnectionConfig config = Load(flags);
  EXPECT_EQ(config.server, "https://10.0.0.1:6443");
  EXPECT_EQ(config.tls_server_name, "");
  EXPECT_EQ(config.certificate_authority.file, Path("pki/ca.crt"));
}

TEST_F(KubeconfigTest, InsecureFlagDropsTheCa) {
  ConnectionFlags flags = Full();
  flags.insecure_skip_tls_verify = true;
  const ConnectionConfig config = Load(flags);
  EXPECT_TRUE(config.insecure_skip_tls_verify);
  EXPECT_FALSE(config.certificate_authority.given());
}

TEST_F(KubeconfigTest, CaFlagEndsInsecureAndReplacesData) {
  ConnectionFlags flags = Full();
  flags.context = "lax";
  EXPECT_TRUE(Load(flags).insecure_skip_tls_verify);
  flags.certificate_authority = Path("pki/ca.crt");
  EXPECT_FALSE(Load(flags).insecure_skip_tls_verify);
  flags.context = "dev";
  EXPECT_EQ(Load(flags).certificate_authority.data, "");
  flags.insecure_skip_tls_verify = true;
  EXPECT_NE(Failure(flags).find("with the insecure flag is not allowed"), std::string::npos);
}

TEST_F(KubeconfigTest, CredentialFlagsReplaceThoseOfTheUser) {
  ConnectionFlags flags = Full();
  flags.user = "dave";
  flags.token = "mine";
  ConnectionConfig config = Load(flags);
  EXPECT_EQ(config.token, "mine");
  EXPECT_EQ(config.token_file, "");
  EXPECT_TRUE(config.credentials_of_flags);

  flags.user = "exec";
  EXPECT_EQ(Load(flags).token, "mine");

  flags = Full();
  flags.client_certificate = Path("pki/alice.crt");
  flags.client_key = Path("pki/alice.key");
  config = Load(flags);
  EXPECT_EQ(config.client_key.file, Path("pki/alice.key"));
  EXPECT_EQ(config.client_key.data, "");
}

TEST_F(KubeconfigTest, BasicAuthIsRead) {
  ConnectionFlags flags = Full();
  flags.user = "carol";
  EXPECT_EQ(Load(flags).username, "carol");
  EXPECT_FALSE(Load(flags).credentials_of_flags);
  EXPECT_EQ(Load(flags).password, "pw");
}

TEST_F(KubeconfigTest, NoCredentialsGoOverPlainHttp) {
  ConnectionFlags flags = Full();
  flags.context = "open";
  for (const char* user : {"bob", "exec", "alice", "carol", "gcp"}) {
    flags.user = user;
    const ConnectionConfig config = Load(flags);
    EXPECT_EQ(
        config.token + config.username + config.password + config.client_key.data + config.client_certificate.file, "");
  }
}

TEST_F(KubeconfigTest, ServerAndTokenNeedNoKubeconfig) {
  ConnectionFlags flags;
  flags.server = "https://a.example:6443";
  flags.token = "t";
  const ConnectionConfig config = Load(flags);
  EXPECT_EQ(config.server, "https://a.example:6443");
  EXPECT_EQ(config.token, "t");
  EXPECT_EQ(config.name_space, "default");
}

TEST_F(KubeconfigTest, HomeIsTheFallback) {
  Write(".kube/config",
        "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\n"
        "clusters: [{name: k, cluster: {server: 'https://k'}}]\n");
  EXPECT_EQ(Load({}).server, "https://k");
}

TEST_F(KubeconfigTest, OfSeveralFilesTheFirstWins) {
  const std::string first = Write("first", R"(
users:
- name: u
  user: {token: first}
contexts: []
)");
  const std::string second = Write("sub/second", R"(
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: https://second, certificate-authority: ../pki/ca.crt}}]
users: [{name: u, user: {token: second, username: x}}]
)");
  const std::string third = Write("third", R"(
current-context: d
contexts: [{name: c, context: {cluster: other}}, {name: d, context: {cluster: k}}]
clusters: [{name: k, cluster: {server: https://third}}]
)");
  setenv("KUBECONFIG", (first + "::" + Path("missing") + ":" + second + ":" + third).c_str(), 1);
  ConnectionConfig config = Load({});
  EXPECT_EQ(config.context, "c");
  EXPECT_EQ(config.server, "https://second");
  EXPECT_EQ(config.certificate_authority.file, Path("pki/ca.crt"));
  EXPECT_EQ(config.token, "first");
  EXPECT_EQ(config.username, "");  // whole entries are merged, not their fields

  ConnectionFlags flags;
  flags.context = "d";
  EXPECT_EQ(Load(flags).server, "https://second");
}

TEST_F(KubeconfigTest, EmptyFilesAreEmptyConfigs) {
  setenv("KUBECONFIG",
         (Write("empty", "") + ":" + Write("comment", "# nothing\n") + ":" + Write("null", "null\n") + ":" +
          Write("full", kFull))
             .c_str(),
         1);
  EXPECT_EQ(Load({}).context, "prod");
}

TEST_F(KubeconfigTest, JsonIsReadToo) {
  ConnectionFlags flags;
  flags.kubeconfig = Write("json", R"({"kind":"Config","current-context":"c","clusters":[{"name":"k","cluster":
    {"server":"https://k"}}],"contexts":[{"name":"c","context":{"cluster":"k"}}],"users":null})");
  EXPECT_EQ(Load(flags).server, "https://k");
}

TEST_F(KubeconfigTest, MissingFilesAreNamed) {
  EXPECT_EQ(Failure({}),
            "no configuration has been provided: " + Path(".kube/config") +
                ": no such file - specify a kubeconfig with --kubeconfig or KUBECONFIG, or a server with --server");
}

TEST_F(KubeconfigTest, BadChoicesAreTold) {
  const struct {
    const char* context;
    const char* cluster;
    const char* user;
    const char* part;
  } kCases[] = {
      {"x", "", "", "context was not found for specified context: x - contexts of "},
      {"x", "", "", "dev, lax, lost-cluster"},
      {"", "x", "", R"(cluster "x" does not exist - clusters of the kubeconfig: dev, lax, open, prod)"},
      {"", "", "x", R"(auth info "x" does not exist - users of the kubeconfig: alice, bob)"},
      {"lost-user", "", "", R"(user "nobody" was not found for context "lost-user")"},
      {"lost-cluster", "", "", R"(cluster "nowhere" was not found for context "lost-cluster")"},
      {"no-cluster", "", "", R"(cluster was not specified for context "no-cluster")"},
      {"dev", "", "exec", "interactiveMode (Never, IfAvailable or Always) must be specified for exec"},
      {"dev", "", "gcp",
       "logs in with the auth-provider \"gcp\", which is not supported - use an exec credential plugin "
       "instead: gke-gcloud-auth-plugin"},
      {"dev", "", "both", "more than one authentication method found for both"},
      {"dev", "", "keyless", "client-key-data or client-key must be specified for keyless"},
  };
  for (const auto& c : kCases) {
    ConnectionFlags flags = Full();
    flags.context = c.context;
    flags.cluster = c.cluster;
    flags.user = c.user;
    const Result<ConnectionConfig> config = LoadConnectionConfig(flags);
    ASSERT_FALSE(config.ok()) << c.part;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalidArgument) << c.part;
    EXPECT_NE(config.error().message.find(c.part), std::string::npos) << config.error().message;
  }
}

TEST_F(KubeconfigTest, NamesTheEntryThatIsWrong) {
  ConnectionFlags flags = Full();
  flags.context = "lost-user";
  EXPECT_TRUE(Failure(flags).starts_with(Path("full") + ":66: user \"nobody\"")) << Failure(flags);
}

TEST_F(KubeconfigTest, FilesThatCannotBeReadAreTold) {
  ConnectionFlags flags = Full();
  fs::remove(Path("pki/ca.crt"));
  EXPECT_NE(Failure(flags).find("unable to read certificate-authority " + Path("pki/ca.crt")), std::string::npos);
  flags.kubeconfig = Path("nope");
  EXPECT_NE(Failure(flags).find("unable to read the kubeconfig " + Path("nope")), std::string::npos);
  flags.kubeconfig = Path("pki");
  EXPECT_NE(Failure(flags).find("irectory"), std::string::npos);
}

TEST_F(KubeconfigTest, WrongFilesAreToldWithTheirLine) {
  const struct {
    const char* text;
    const char* line;
    const char* part;
  } kCases[] = {
      {"a: [\n", ":", "error loading config file: "},
      {"- a\n", ":1: ", "expected a kubeconfig"},
      {"kind: Pod\n", ":1: ", "kind is \"Pod\""},
      {"current-context: 7\n", ":1: ", "current-context: expected a string"},
      {"\n\nclusters: {}\n", ":3: ", "clusters: expected a list, found object"},
      {"clusters:\n- 7\n", ":2: ", "clusters[0]: expected a mapping"},
      {"clusters:\n- name: a\n  cluster: 7\n", ":3: ", "clusters[0].cluster: expected a mapping"},
      {"clusters:\n- name: a\n  cluster:\n    server: 7\n", ":4: ", "clusters[0].cluster.server: expected a string"},
      {"users:\n- name: a\n  user:\n    token: 123\n", ":4: ", "users[0].user.token: expected a string"},
      {"clusters:\n- name: a\n  cluster:\n    insecure-skip-tls-verify: \"yes\"\n", ":4: ", "expected true or false"},
      {"clusters:\n- name: a\n  cluster:\n    certificate-authority-data: '*'\n", ":4: ", "invalid base64"},
      {"clusters:\n- name: a\n  cluster: {certificate-authority-data: YQ==, certificate-authority: x}\n",
       ":3: ", "are both specified"},
      {"users:\n- name: a\n- name: a\n", ":3: ", "duplicate name \"a\""},
      {"users:\n- name: a\n  user:\n    exec: x\n", ":4: ", "users[0].user.exec: expected a mapping"},
  };
  for (const auto& c : kCases) {
    ConnectionFlags flags;
    flags.kubeconfig = Write("bad", c.text);
    const Result<ConnectionConfig> config = LoadConnectionConfig(flags);
    ASSERT_FALSE(config.ok()) << c.text;
    EXPECT_EQ(config.error().code, ErrorCode::kParse) << c.text;
    const std::string text = ToString(config.error());
    EXPECT_TRUE(text.starts_with(flags.kubeconfig + c.line)) << text;
    EXPECT_NE(text.find(c.part), std::string::npos) << text;
  }
}

TEST_F(KubeconfigTest, WithoutCurrentContextTheContextsAreNamed) {
  ConnectionFlags flags;
  flags.kubeconfig = Write("none", "contexts: [{name: b, context: {cluster: k}}, {name: a, context: {cluster: k}}]\n");
  EXPECT_EQ(Failure(flags), "no context chosen: " + flags.kubeconfig +
                                " has no current-context - choose one with --context (contexts: a, b)");
}

TEST_F(KubeconfigTest, WrongServersAndTimeoutsAreRefused) {
  ConnectionFlags flags = Full();
  flags.server = "ftp://x";
  EXPECT_NE(Failure(flags).find("server URL \"ftp://x\""), std::string::npos);
  flags = Full();
  flags.request_timeout = "soon";
  EXPECT_NE(Failure(flags).find("invalid timeout \"soon\""), std::string::npos);
}

// A kubeconfig with one cluster and one user, each in YAML's flow style.
std::string OneUser(const std::string& user, const std::string& cluster = "{server: 'https://k'}") {
  return "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\nclusters:\n- name: k\n  "
         "cluster: " +
         cluster + "\nusers:\n- name: u\n  user: " + user + "\n";
}

TEST_F(KubeconfigTest, ProxyUrlAndCompressionAreOfTheClusterOrTheFlags) {
  ConnectionFlags flags;
  flags.kubeconfig =
      Write("one", OneUser("{}", "{server: 'https://k', proxy-url: 'socks5://p:1', disable-compression: true}"));
  EXPECT_EQ(Load(flags).proxy_url, "socks5://p:1");
  EXPECT_TRUE(Load(flags).disable_compression);
  flags.proxy_url = "http://other";
  EXPECT_EQ(Load(flags).proxy_url, "http://other");
  flags.proxy_url = "ftp://user:secret@p";
  EXPECT_EQ(
      Failure(flags),
      "--proxy-url: invalid proxy URL (expected e.g. http://host:3128): the scheme must be http, https, or socks5");
}

TEST_F(KubeconfigTest, MistakesOfFlagsAreNotBlamedOnTheKubeconfig) {
  Write("cm.yaml", "kind: ConfigMap\n");
  Write("other.key", net::kOtherTestKey);
  const std::string crt = Path("pki/alice.crt");
  const struct {
    std::string ConnectionFlags::*flag;
    std::string value;
    std::string message;
    std::string ConnectionFlags::*second = nullptr;
    std::string second_value = {};
  } kCases[] = {
      {&ConnectionFlags::server, "ftp://x",
       "--server: invalid server URL \"ftp://x\" (expected e.g. https://host:6443): the scheme must be https or http"},
      {&ConnectionFlags::server, "https://u:p@h",
       "--server: user name and password in the server URL are not supported; set them in the user of the kubeconfig"},
      {&ConnectionFlags::proxy_url, "us:pw@h", "--proxy-url: "},
      {&ConnectionFlags::certificate_authority, "nofile",
       "--certificate-authority: unable to read certificate-authority nofile: No such file or directory"},
      {&ConnectionFlags::certificate_authority, Path("cm.yaml"),
       "--certificate-authority: certificate-authority " + Path("cm.yaml") +
           " does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {&ConnectionFlags::client_certificate, crt,
       "--client-certificate: client-key-data or client-key must be specified for u"},
      {&ConnectionFlags::client_certificate, "nofile", "--client-certificate: unable to read",
       &ConnectionFlags::client_key, Path("pki/alice.key")},
      {&ConnectionFlags::client_certificate, Path("cm.yaml"),
       "--client-certificate: client-certificate " + Path("cm.yaml") + " does not contain a PEM certificate",
       &ConnectionFlags::client_key, Path("pki/alice.key")},
      {&ConnectionFlags::client_certificate, crt, "--client-key: unable to read client-key nofile",
       &ConnectionFlags::client_key, "nofile"},
      {&ConnectionFlags::client_certificate, crt, "--client-key: client-key " + crt + " does not contain a PEM key",
       &ConnectionFlags::client_key, crt},
      {&ConnectionFlags::client_certificate, crt, "--client-key: client-key does not match client-certificate",
       &ConnectionFlags::client_key, Path("other.key")},
      {&ConnectionFlags::username, "a", "--token: more than one authentication method found for u",
       &ConnectionFlags::token, "t"},
  };
  for (const auto& c : kCases) {
    ConnectionFlags flags;
    flags.kubeconfig = Write("one", OneUser("{}"));
    flags.*c.flag = c.value;
    if (c.second != nullptr) flags.*c.second = c.second_value;
    const std::string failure = Failure(flags);
    EXPECT_TRUE(failure.starts_with(c.message)) << failure << "\nwant: " << c.message;
    EXPECT_EQ(failure.find("pw"), std::string::npos) << failure;
  }
}

TEST_F(KubeconfigTest, BadCertificatesAreToldWithTheLineThatSaysThem) {
  const std::string key = EncodeBase64(net::kTestKey);
  const std::string crt = EncodeBase64(net::kTestCertificate);
  const struct {
    std::string cluster;
    std::string user;
    const char* message;
  } kCases[] = {
      {"    certificate-authority-data: AAAA\n", "",
       ":8: certificate-authority-data does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {"", "    client-key-data: " + key + "\n    client-certificate-data: AAAA\n",
       ":12: client-certificate-data does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {"", "    client-certificate-data: " + crt + "\n    client-key-data: AAAA\n",
       ":12: client-key-data does not contain a PEM key (BEGIN PRIVATE KEY)"},
      {"", "    client-certificate-data: " + crt + "\n    client-key-data: " + EncodeBase64(net::kOtherTestKey) + "\n",
       ":12: client-key does not match client-certificate"},
      {"",
       "    client-certificate-data: " + crt + "\n    client-key-data: " + EncodeBase64(net::kEncryptedTestKey) + "\n",
       ":12: client-key-data contains an encrypted key, which is not supported"},
  };
  for (const auto& c : kCases) {
    ConnectionFlags flags;
    flags.kubeconfig =
        Write("one", StrCat("current-context: c\ncontexts:\n- {name: c, context: {cluster: k, user: u}}\n",
                            "clusters:\n- name: k\n  cluster:\n    server: https://k\n", c.cluster,
                            "users:\n- name: u\n  user:\n", c.user));
    const std::string failure = Failure(flags);
    EXPECT_TRUE(failure.starts_with(flags.kubeconfig + c.message)) << failure << "\nwant " << c.message;
  }
}

TEST_F(KubeconfigTest, BasicAuthMayComeFromFlags) {
  ConnectionFlags flags;
  flags.kubeconfig = Write("one", OneUser("{username: a, password: b}"));
  flags.password = "c";
  const ConnectionConfig config = Load(flags);
  EXPECT_EQ(config.username + ":" + config.password, "a:c");
}

TEST_F(KubeconfigTest, ImpersonationIsOfTheUserWithTheFlagsOverIt) {
  ConnectionFlags flags;
  flags.kubeconfig = Write("one", OneUser("{token: t, as: jane, as-uid: '7', as-groups: [dev, ops],"
                                          " as-user-extra: {scopes: [view, edit], reason: [x]}}"));
  Impersonation as = Load(flags).impersonate;
  EXPECT_EQ(as.user + as.uid, "jane7");
  EXPECT_EQ(as.groups, (std::vector<std::string>{"dev", "ops"}));
  EXPECT_EQ(as.extra["scopes"], (std::vector<std::string>{"view", "edit"}));

  flags.impersonate = {.user = "joe", .groups = {"qa"}};
  flags.as_user_extra = {"scopes=all", "scopes=a=b"};
  as = Load(flags).impersonate;
  EXPECT_EQ(as.user + as.uid, "joe7");
  EXPECT_EQ(as.groups, std::vector<std::string>{"qa"});
  EXPECT_EQ(as.extra["scopes"], (std::vector<std::string>{"all", "a=b"}));
  EXPECT_EQ(as.extra["reason"], std::vector<std::string>{"x"});
}

TEST_F(KubeconfigTest, ImpersonationIsKeptOverPlainHttp) {
  ConnectionFlags flags;
  flags.kubeconfig = Write("one", OneUser("{token: t, as: jane}", "{server: 'http://k'}"));
  EXPECT_EQ(Load(flags).impersonate.user, "jane");
}

TEST_F(KubeconfigTest, ImpersonationThatMeansNothingIsRefused) {
  const struct {
    Impersonation as;
    std::vector<std::string> extra;
    const char* message;
  } kCases[] = {
      {{.groups = {"g"}}, {}, "requesting uid, groups or user-extra for u without impersonating a user"},
      {{.uid = "1"}, {}, "without impersonating a user"},
      {{.user = "a"}, {"no-sign"}, "invalid --as-user-extra \"no-sign\": it must be KEY=VALUE"},
      {{.user = "a\r\nX: y"}, {}, "the value of Impersonate-User contains a control character"},
      {{.user = "a"}, {"k=a\nb"}, "the value of Impersonate-Extra-k contains a control character"},
  };
  for (const auto& c : kCases) {
    ConnectionFlags flags;
    flags.kubeconfig = Write("one", OneUser("{token: t}"));
    flags.impersonate = c.as;
    flags.as_user_extra = c.extra;
    EXPECT_NE(Failure(flags).find(c.message), std::string::npos) << Failure(flags);
  }
}

TEST_F(KubeconfigTest, ExecIsReadWholly) {
  ConnectionFlags flags;
  flags.kubeconfig =
      Write("sub/one",
            OneUser("{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ../bin/login, args: [a, 'b c'],"
                    " env: [{name: X, value: '1'}], installHint: 'get it', provideClusterInfo: true}}",
                    "{server: 'https://k', extensions: [{name: other, extension: 1},"
                    " {name: client.authentication.k8s.io/exec, extension: {audience: x}}]}"));
  const ConnectionConfig config = Load(flags);
  ASSERT_TRUE(config.exec.has_value());
  EXPECT_EQ(config.exec->command, Path("bin/login"));
  EXPECT_EQ(config.exec->args, (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(config.exec->environment, (std::vector<std::pair<std::string, std::string>>{{"X", "1"}}));
  EXPECT_EQ(config.exec->interactive_mode, "IfAvailable");
  EXPECT_EQ(config.exec->install_hint, "get it");
  EXPECT_TRUE(config.exec->provide_cluster_info);
  EXPECT_EQ(config.exec->cluster_extension, R"({"audience":"x"})");
}

TEST_F(KubeconfigTest, ProgramBesideTheKubeconfigIsNotLookedUpOnPath) {
  Write("one",
        OneUser("{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, interactiveMode: Never}}"));
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  ConnectionFlags flags;
  flags.kubeconfig = "one";
  EXPECT_EQ(Load(flags).exec->command, Path("login"));
  flags.kubeconfig = Path("one");
  fs::current_path(before);
}

TEST_F(KubeconfigTest, ExecYieldsToOtherCredentials) {
  const std::string exec = "exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Never}";
  ConnectionFlags flags;
  flags.kubeconfig = Write("one", OneUser("{" + exec + "}"));
  EXPECT_TRUE(Load(flags).exec.has_value());
  flags.token = "t";
  EXPECT_FALSE(Load(flags).exec.has_value());
  flags.token.clear();
  flags.kubeconfig = Write("one", OneUser("{token: t, " + exec + "}"));
  EXPECT_FALSE(Load(flags).exec.has_value());
  flags.kubeconfig = Write("one", OneUser("{" + exec + "}", "{server: 'http://k'}"));
  EXPECT_FALSE(Load(flags).exec.has_value()) << "no credentials go over plain http";
}

TEST_F(KubeconfigTest, ExecIsChecked) {
  const struct {
    const char* exec;
    const char* message;
  } kCases[] = {
      {"{apiVersion: client.authentication.k8s.io/v1}", "command must be specified for u to use exec"},
      {"{command: x}", "apiVersion must be specified for u to use exec authentication plugin"},
      {"{command: x, apiVersion: client.authentication.k8s.io/v1alpha1}", "invalid apiVersion"},
      {"{command: x, apiVersion: client.authentication.k8s.io/v1}", "interactiveMode (Never"},
      {"{command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Maybe}",
       "invalid interactiveMode for u"},
      {"{command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, env: [{value: v}]}",
       "env variable name must be specified"},
      {"{command: x, args: a}", "users[0].user.exec.args: expected a list"},
      {"{command: x, args: [1]}", "users[0].user.exec.args[0]: expected a string"},
      {"{command: x, env: [{name: 1}]}", "users[0].user.exec.env[0].name: expected a string"},
  };
  for (const auto& c : kCases) {
    ConnectionFlags flags;
    flags.kubeconfig = Write("one", OneUser(std::string("{exec: ") + c.exec + "}"));
    EXPECT_NE(Failure(flags).find(c.message), std::string::npos) << Failure(flags);
  }
}

TEST_F(KubeconfigTest, AuthProvidersNameTheirSuccessor) {
  for (const auto& [name, successor] : {std::pair("gcp", "gke-gcloud-auth-plugin"),
                                        {"azure", "kubelogin of Azure"},
                                        {"oidc", "kubectl oidc-login"},
                                        {"other", "exec credential plugin instead"}}) {
    ConnectionFlags flags;
    flags.kubeconfig = Write("one", OneUser(std::string("{auth-provider: {name: ") + name + "}}"));
    EXPECT_NE(Failure(flags).find(successor), std::string::npos) << Failure(flags);
    flags.token = "t";
    EXPECT_EQ(Load(flags).token, "t");
  }
}

TEST_F(KubeconfigTest, KubercSaysWhichPluginsMayRun) {
  ConnectionFlags flags;
  flags.kubeconfig = Write(
      "one", OneUser("{exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Never}}"));
  EXPECT_EQ(Load(flags).exec->policy.kind, PluginPolicy::Kind::kAllowAll);
  Write(".kube/kuberc",
        "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\ncredentialPluginPolicy: DenyAll\n");
  EXPECT_EQ(Load(flags).exec->policy.kind, PluginPolicy::Kind::kDenyAll);
  flags.kuberc =
      Write("mine", "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\ncredentialPluginPolicy: AllowAll\n");
  EXPECT_EQ(Load(flags).exec->policy.kind, PluginPolicy::Kind::kAllowAll);
  flags.kuberc = Path("missing");
  EXPECT_NE(Failure(flags).find("unable to read the kuberc"), std::string::npos);
}

TEST_F(KubeconfigTest, CacheFolderIsOfTheFlagTheEnvironmentOrHome) {
  ConnectionFlags flags = Full();
  flags.context = "dev";
  EXPECT_EQ(Load(flags).cache_dir, Path(".kube/cache"));
  setenv("KUBECACHEDIR", "/c", 1);
  EXPECT_EQ(Load(flags).cache_dir, "/c");
  flags.cache_dir = "/d";
  EXPECT_EQ(Load(flags).cache_dir, "/d");
  unsetenv("KUBECACHEDIR");
}

// --- in a Pod

class PodTest : public KubeconfigTest {
 protected:
  void SetUp() override {
    KubeconfigTest::SetUp();
    setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
    setenv("KUBERNETES_SERVICE_PORT", "443", 1);
    Write("sa/token", "pod-token\n");
    Write("sa/ca.crt", net::kTestCertificate);
    Write("sa/namespace", "pods-own\n");
  }
  void TearDown() override {
    for (const char* name : {"KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "POD_NAMESPACE"}) unsetenv(name);
    KubeconfigTest::TearDown();
  }
  ConnectionFlags Flags() const {
    ConnectionFlags flags;
    flags.service_account_dir = Path("sa");
    return flags;
  }
};

TEST_F(PodTest, ServiceAccountIsUsedWhereNoKubeconfigIs) {
  const ConnectionConfig config = Load(Flags());
  EXPECT_EQ(config.server, "https://10.0.0.1:443");
  EXPECT_EQ(config.token_file, Path("sa/token"));
  EXPECT_EQ(config.certificate_authority.file, Path("sa/ca.crt"));
  EXPECT_EQ(config.name_space, "pods-own");
  EXPECT_FALSE(config.name_space_given);
}

TEST_F(PodTest, ServerOfIpv6StandsInBrackets) {
  setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
  EXPECT_EQ(Load(Flags()).server, "https://[fd00::1]:443");
}

TEST_F(PodTest, NamespaceOfTheFlagOrTheEnvironmentCountsFirst) {
  setenv("POD_NAMESPACE", "of-env", 1);
  ConnectionFlags flags = Flags();
  EXPECT_EQ(Load(flags).name_space, "of-env");
  flags.name_space = "mine";
  EXPECT_EQ(Load(flags).name_space, "mine");
  EXPECT_TRUE(Load(flags).name_space_given);
}

TEST_F(PodTest, FlagsReplaceTokenAndCa) {
  ConnectionFlags flags = Flags();
  flags.token = "mine";
  flags.certificate_authority = Path("pki/ca.crt");
  flags.impersonate.user = "jane";
  const ConnectionConfig config = Load(flags);
  EXPECT_EQ(config.server, "https://10.0.0.1:443");
  EXPECT_EQ(config.token + config.token_file, "mine");
  EXPECT_EQ(config.certificate_authority.file, Path("pki/ca.crt"));
  EXPECT_EQ(config.impersonate.user, "jane");
}

TEST_F(PodTest, KubeconfigAndServerGoBeforeTheServiceAccount) {
  ConnectionFlags flags = Flags();
  flags.server = "https://other";
  EXPECT_EQ(Load(flags).server, "https://other");
  EXPECT_EQ(Load(flags).token_file, "");

  flags = Flags();
  flags.kubeconfig = Write("full", kFull);
  flags.context = "dev";
  EXPECT_EQ(Load(flags).server, "https://dev.example");
  EXPECT_EQ(Load(flags).name_space, "pods-own") << "as kubectl: the context says no namespace";
  flags.context = "prod";
  EXPECT_EQ(Load(flags).name_space, "web");
}

TEST_F(PodTest, WithoutTokenOrVariablesThereIsNoServiceAccount) {
  ConnectionFlags flags = Flags();
  flags.service_account_dir = Path("elsewhere");
  EXPECT_NE(Failure(flags).find("no configuration has been provided"), std::string::npos);
  unsetenv("KUBERNETES_SERVICE_PORT");
  EXPECT_NE(Failure(Flags()).find("no configuration has been provided"), std::string::npos);
}

}  // namespace
}  // namespace smp::auth
