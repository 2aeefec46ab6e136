// Transport and client against a real API server: SMP_TEST_CONTROLPLANE names the folder that tests/rig/start filled.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "auth/auth_transport.h"
#include "auth/kubeconfig.h"
#include "base/strings.h"
#include "kube/client.h"
#include "kube/schema_source.h"
#include "value/json.h"

namespace smp::kube {
namespace {

const GroupVersionKind kConfigMap = {"", "v1", "ConfigMap"};

std::string Folder() {
  const char* folder = std::getenv("SMP_TEST_CONTROLPLANE");
  return folder == nullptr ? "" : folder;
}

class Live : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(Folder().empty())
        << "no control plane: SMP_TEST_CONTROLPLANE is not set; run this test through tests/run";
  }
  void TearDown() override {
    if (Folder().empty()) return;
    Client admin = MakeClient(Load("admin"));
    for (const std::string& name : created_) (void)admin.Delete(Ref(name), {}).ok();
  }

  // The connection of one of the kubeconfigs that the control plane wrote: admin, cert, cert-files, reader.
  static auth::ConnectionConfig Load(const std::string& name, auth::ConnectionFlags flags = {}) {
    flags.kubeconfig = Folder() + "/" + name + ".kubeconfig";
    Result<auth::ConnectionConfig> config = auth::LoadConnectionConfig(flags);
    EXPECT_TRUE(config.ok()) << ToString(config.error());
    return config.ok() ? *std::move(config) : auth::ConnectionConfig{};
  }
  static std::unique_ptr<net::Transport> Connect(const auth::ConnectionConfig& config,
                                                 const net::TransportOptions& options = {}) {
    Result<std::unique_ptr<net::Transport>> transport = auth::MakeAuthTransport(config, options);
    EXPECT_TRUE(transport.ok()) << ToString(transport.error());
    return transport.ok() ? *std::move(transport) : nullptr;
  }
  static Client MakeClient(const auth::ConnectionConfig& config) { return Client(Connect(config)); }
  static Result<net::HttpResponse> GetVersion(const auth::ConnectionConfig& config) {
    return Connect(config)->Send({.path = "/version"});
  }

  ObjectRef Ref(const std::string& name) const { return {kConfigMap, "configmaps", "default", name}; }
  // A name of this test and process alone.
  ObjectRef NewRef(const std::string& name) {
    created_.push_back(StrCat("live-", name, "-", static_cast<int64_t>(::getpid())));
    return Ref(created_.back());
  }
  static Document Parse(const std::string& json) { return *ParseJson(json); }
  static Document MapObject(const ObjectRef& ref, const std::string& rest) {
    return Parse(StrCat(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")", ref.name,
                        R"(","labels":{"run":")", ref.name, R"("}},)", rest, "}"));
  }

  std::vector<std::string> created_;
};
class LiveTransport : public Live {};
class LiveClient : public Live {};

TEST_F(LiveTransport, EveryKindOfCredentialLogsIn) {
  for (const char* name : {"admin", "cert", "cert-files", "reader"}) {
    const Result<net::HttpResponse> answer =
        Connect(Load(name))->Send({.path = "/api/v1/namespaces/default/configmaps?limit=1"});
    ASSERT_TRUE(answer.ok()) << name << ": " << answer.error().message;
    EXPECT_EQ(answer->status, 200) << name << ": " << answer->body;
  }
}

TEST_F(LiveTransport, TokenFileLogsIn) {
  auth::ConnectionConfig config = Load("admin");
  config.token.clear();
  config.token_file = Folder() + "/admin.token";
  const Result<net::HttpResponse> answer = Connect(config)->Send({.path = "/api/v1/namespaces/default"});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
}

TEST_F(LiveTransport, ServiceAccountOfAPodLogsIn) {
  const std::string pod = testing::TempDir() + StrCat("smp-pod-", static_cast<int64_t>(::getpid()));
  std::filesystem::create_directories(pod);
  std::filesystem::copy_file(Folder() + "/admin.token", pod + "/token");
  std::filesystem::copy_file(Folder() + "/ca.crt", pod + "/ca.crt");
  const std::string server = Load("admin").server;
  const size_t colon = server.rfind(':');
  setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1", 1);
  setenv("KUBERNETES_SERVICE_PORT", server.substr(colon + 1).c_str(), 1);
  setenv("KUBECONFIG", "/no/such/kubeconfig", 1);
  auth::ConnectionFlags flags;
  flags.service_account_dir = pod;
  const Result<auth::ConnectionConfig> config = auth::LoadConnectionConfig(flags);
  for (const char* name : {"KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "KUBECONFIG"}) unsetenv(name);
  ASSERT_TRUE(config.ok()) << ToString(config.error());
  const std::unique_ptr<net::Transport> transport = Connect(*config);
  EXPECT_EQ(transport->Send({.path = "/api/v1/namespaces/default"})->status, 200);

  // The token rotates: a refused one is read again at once.
  std::ofstream(pod + "/token") << "stale";
  const std::unique_ptr<net::Transport> later = Connect(*config);
  EXPECT_EQ(later->Send({.path = "/api/v1/namespaces/default"})->status, 401);
  std::filesystem::remove(pod + "/token");
  std::filesystem::copy_file(Folder() + "/admin.token", pod + "/token");
  EXPECT_EQ(later->Send({.path = "/api/v1/namespaces/default"})->status, 200);
  std::filesystem::remove_all(pod);
}

TEST_F(LiveTransport, WrongTokenIsUnauthorized) {
  auth::ConnectionConfig config = Load("admin");
  config.token = "wrong";
  const Result<Document> got = MakeClient(config).Get(Ref("x"));
  ASSERT_FALSE(got.ok());
  EXPECT_TRUE(got.error().message.starts_with(
      "You must be logged in to the server (Unauthorized): the server does not accept the credentials of "))
      << got.error().message;
  EXPECT_EQ(got.error().code, ErrorCode::kForbidden);
  EXPECT_EQ(got.error().http_status, 401);
}

TEST_F(LiveTransport, UnknownCaIsRefused) {
  auth::ConnectionFlags flags;
  flags.certificate_authority = Folder() + "/client.crt";  // a certificate, but none that signed the server's
  const Result<net::HttpResponse> answer = GetVersion(Load("admin", flags));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kTransport);
  EXPECT_TRUE(
      answer.error().message.starts_with("Unable to connect to the server: tls: failed to verify certificate: x509: "
                                         "certificate signed by unknown authority"))
      << answer.error().message;
}

TEST_F(LiveTransport, SystemCasDoNotServeBesideTheGivenOne) {
  auth::ConnectionFlags flags;
  flags.certificate_authority = Folder() + "/client.crt";
  setenv("SSL_CERT_FILE", (Folder() + "/ca.crt").c_str(), 1);
  EXPECT_FALSE(GetVersion(Load("admin", flags)).ok());
  auth::ConnectionConfig none = Load("admin");
  none.certificate_authority = {};
  EXPECT_TRUE(GetVersion(none).ok());
  unsetenv("SSL_CERT_FILE");
}

TEST_F(LiveTransport, CaThatCannotBeReadIsTold) {
  auth::ConnectionConfig config = Load("admin");
  config.certificate_authority = {.data = "not contain a PEM"};
  const Result<net::HttpResponse> answer = GetVersion(config);
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("certificate"), std::string::npos) << answer.error().message;
}

TEST_F(LiveTransport, WrongHostNameIsRefused) {
  auth::ConnectionFlags flags;
  flags.tls_server_name = "wrong.example";
  const Result<net::HttpResponse> answer = GetVersion(Load("admin", flags));
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("x509: certificate is not valid for wrong.example"), std::string::npos)
      << answer.error().message;
}

TEST_F(LiveTransport, TlsServerNameIsWhatIsVerified) {
  auth::ConnectionFlags flags;
  flags.tls_server_name = "localhost";
  const Result<net::HttpResponse> answer = GetVersion(Load("admin", flags));
  EXPECT_TRUE(answer.ok()) << answer.error().message;
}

TEST_F(LiveTransport, InsecureSkipsVerification) {
  auth::ConnectionFlags flags;
  flags.insecure_skip_tls_verify = true;
  flags.tls_server_name = "wrong.example";
  EXPECT_TRUE(GetVersion(Load("admin", flags)).ok());
}

TEST_F(LiveTransport, UnusableClientCertificateIsTold) {
  auth::ConnectionConfig config = Load("cert");
  config.client_key.data = "not contain a PEM";
  const Result<net::HttpResponse> answer = GetVersion(config);
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("the client certificate or its key cannot be used"), std::string::npos)
      << answer.error().message;
}

TEST_F(LiveTransport, ServerDownIsToldInKubectlsWords) {
  auth::ConnectionConfig config = Load("admin");
  config.server = "https://127.0.0.1:1";
  const Result<net::HttpResponse> answer = GetVersion(config);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message,
            "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?");
  EXPECT_EQ(answer.error().code, ErrorCode::kTransport);
}

TEST_F(LiveTransport, UnknownHostIsTold) {
  auth::ConnectionConfig config = Load("admin");
  config.server = "https://no-such-host.invalid";
  setenv("NO_PROXY", "no-such-host.invalid", 1);  // else a proxy of the environment would be asked
  const Result<net::HttpResponse> answer = GetVersion(config);
  unsetenv("NO_PROXY");
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("lookup no-such-host.invalid: no such host"), std::string::npos)
      << answer.error().message;
}

TEST_F(LiveTransport, HttpToAnHttpsServerShowsItsHint) {
  auth::ConnectionConfig config = Load("admin");
  config.server.replace(0, 5, "http");
  const Result<Document> got = MakeClient(config).Get(Ref("x"));
  ASSERT_FALSE(got.ok());
  EXPECT_NE(got.error().message.find("Client sent an HTTP request to an HTTPS server"), std::string::npos)
      << got.error().message;
}

// Lines of the log, which comes from the transport's thread.
struct Log {
  std::mutex mutex;
  std::vector<std::string> lines;

  net::TransportOptions Options(int parallel) {
    return {.parallel = parallel, .log = [this](const std::string& line) {
              const std::lock_guard lock(mutex);
              lines.push_back(line);
            }};
  }
  int64_t Count(std::string_view part) const {
    return std::count_if(lines.begin(), lines.end(), [&](const std::string& l) { return l.find(part) != l.npos; });
  }
};

TEST_F(LiveTransport, TwoHundredParallelReadsShareOneConnection) {
  Log log;
  const std::unique_ptr<net::Transport> transport = Connect(Load("admin"), log.Options(64));
  std::vector<net::HttpRequest> requests(200);
  for (size_t i = 0; i < requests.size(); ++i)
    requests[i].path = StrCat("/api/v1/namespaces/default/configmaps/no-", i);
  const std::vector<Result<net::HttpResponse>> answers = transport->SendAll(requests);
  ASSERT_EQ(answers.size(), requests.size());
  for (size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i].ok()) << answers[i].error().message;
    EXPECT_EQ(answers[i]->status, 404);
    EXPECT_NE(answers[i]->body.find(StrCat("\"no-", i, "\\\"")), std::string::npos) << answers[i]->body;
    EXPECT_NE(answers[i]->body.find(StrCat("no-", i)), std::string::npos);
  }
  EXPECT_EQ(log.Count(", HTTP/2"), 200);
  EXPECT_EQ(log.Count("new connection"), 1);
  EXPECT_TRUE(transport->Send({.path = "/version"}).ok());
  EXPECT_EQ(log.Count("new connection"), 1);
}

// libcurl has had bugs in sharing one HTTP/2 connection that only numbers bring out: streams that hang, answers cut
// short or mixed up.
TEST_F(LiveTransport, ThousandsOfReadsAndWritesShareOneConnection) {
  Log log;
  const std::unique_ptr<net::Transport> transport = Connect(Load("admin"), log.Options(100));
  const std::string filler(20'000, 'x');
  std::vector<net::HttpRequest> requests;
  for (int i = 0; i < 4000; ++i) {
    const std::string name = StrCat("stress-", i);
    if (i % 50 == 0) {
      requests.push_back({.path = "/openapi/v3/apis/apps/v1"});  // 0.7 MB
    } else if (i % 2 == 0) {
      requests.push_back({.path = "/api/v1/namespaces/default/configmaps/" + name});
    } else {
      requests.push_back({"POST",
                          "/api/v1/namespaces/default/configmaps?dryRun=All",
                          {{"Content-Type", "application/json"}},
                          StrCat(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")", name,
                                 R"("},"data":{"a":")", filler, R"("}})")});
    }
  }
  const std::vector<Result<net::HttpResponse>> answers = transport->SendAll(requests);
  for (size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i].ok()) << i << ": " << answers[i].error().message;
    const bool large = requests[i].path.starts_with("/openapi");
    EXPECT_EQ(answers[i]->status, large ? 200 : requests[i].method == "GET" ? 404 : 201) << answers[i]->body;
    const std::string part = large ? "io.k8s.api.apps.v1.Deployment" : StrCat("stress-", i, "\\");
    const bool found = answers[i]->body.find(part) != std::string::npos ||
                       answers[i]->body.find(StrCat("\"stress-", i, "\"")) != std::string::npos;
    EXPECT_TRUE(found) << i << ": " << answers[i]->body.substr(0, 200);
  }
  EXPECT_EQ(log.Count("new connection"), 1);
}

TEST_F(LiveTransport, ThreadsShareTheConnectionToo) {
  Log log;
  const std::unique_ptr<net::Transport> transport = Connect(Load("admin"), log.Options(8));
  std::atomic<int> good = 0;
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 10; ++k) good += transport->Send({.path = "/version"}).ok() ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(good, 80);
  EXPECT_EQ(log.Count("new connection"), 1);
}

TEST_F(LiveTransport, LogHoldsNoCredentials) {
  Log log;
  const auth::ConnectionConfig config = Load("admin");
  ASSERT_FALSE(config.token.empty());
  ASSERT_TRUE(Connect(config, log.Options(1))->Send({.path = "/version"}).ok());
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_TRUE(log.lines[0].starts_with("GET " + config.server + "/version 200 in ")) << log.lines[0];
  EXPECT_EQ(log.Count(config.token), 0);
}

TEST_F(LiveTransport, LargeAnswersArriveWhole) {
  const Result<Document> document = MakeClient(Load("admin")).GetRaw("/openapi/v3/api/v1");
  ASSERT_TRUE(document.ok()) << document.error().message;
  EXPECT_NE(document->root().FindPath({"components", "schemas", "io.k8s.api.core.v1.Pod"}), nullptr);
}

TEST_F(LiveTransport, RequestTimeoutEndsTheWait) {
  auth::ConnectionConfig config = Load("admin");
  config.request_timeout_ms = 300;
  const Result<net::HttpResponse> answer =
      Connect(config)->Send({.path = "/api/v1/namespaces/default/configmaps?watch=true&allowWatchBookmarks=true"});
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("within 300 ms (--request-timeout)"), std::string::npos)
      << answer.error().message;
}

TEST_F(LiveClient, ObjectIsCreatedReadPatchedListedAndDeleted) {
  Client client = MakeClient(Load("admin"));
  const ObjectRef ref = NewRef("crud");
  const WriteOptions options = {.field_manager = "live test/1", .field_validation = "Strict"};
  const Document object = MapObject(ref, R"("data":{"a":"1","b":"ä < & >"})");
  const Result<Document> created = client.Create(ref, object.root(), options);
  ASSERT_TRUE(created.ok()) << created.error().message;
  const Value& fields = *created->root().FindPath({"metadata", "managedFields"});
  EXPECT_EQ(fields.Items()[0].StringOr("manager"), "live test/1");

  ASSERT_TRUE(client.Patch(ref, PatchType::kStrategic, Parse(R"({"data":{"a":"2"}})").root(), options).ok());
  ASSERT_TRUE(client.Patch(ref, PatchType::kMerge, Parse(R"({"data":{"c":"3"}})").root(), options).ok());
  ASSERT_TRUE(
      client.Patch(ref, PatchType::kJson, Parse(R"([{"op":"add","path":"/data/d","value":"4"}])").root(), options)
          .ok());
  const Result<Document> got = client.Get(ref);
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(WriteJson(*got->root().Find("data")), R"({"a":"2","b":"ä \u003c \u0026 \u003e","c":"3","d":"4"})");

  ObjectRef collection = ref;
  collection.name.clear();
  const Result<Document> list = client.List(collection, "run=" + ref.name);
  ASSERT_TRUE(list.ok()) << list.error().message;
  ASSERT_EQ(list->root().Find("items")->Items().size(), 1u);
  EXPECT_EQ(list->root().Find("items")->Items()[0].StringOr("kind"), "ConfigMap");

  const Status deleted = client.Delete(ref, {});
  EXPECT_TRUE(deleted.ok());
  EXPECT_EQ(client.Get(ref).error().code, ErrorCode::kNotFound);
}

TEST_F(LiveClient, ServerSideApplyWithForceIsAccepted) {
  Client client = MakeClient(Load("admin"));
  const ObjectRef ref = NewRef("apply");
  const Document object = MapObject(ref, R"("data":{"a":"1"})");
  const Result<Document> applied =
      client.Patch(ref, PatchType::kApply, object.root(), {.field_manager = "m", .force = true});
  EXPECT_TRUE(applied.ok()) << applied.error().message;
}

TEST_F(LiveClient, DryRunChangesNothing) {
  Client client = MakeClient(Load("admin"));
  const ObjectRef ref = NewRef("dry");
  ASSERT_TRUE(client.Create(ref, MapObject(ref, R"("data":{})").root(), {.dry_run = true}).ok());
  EXPECT_EQ(client.Get(ref).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(client.Create(ref, MapObject(ref, R"("data":{})").root(), {}).ok());
  ASSERT_TRUE(client.Delete(ref, {.dry_run = true}).ok());
  EXPECT_TRUE(client.Get(ref).ok());
}

TEST_F(LiveClient, NotFoundIsToldInKubectlsWords) {
  const Result<Document> got = MakeClient(Load("admin")).Get(Ref("no-such"));
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message, R"(Error from server (NotFound): configmaps "no-such" not found)");
  EXPECT_EQ(got.error().http_status, 404);
  EXPECT_EQ(got.error().reason, "NotFound");
}

TEST_F(LiveClient, ReaderMayNotWrite) {
  Client client = MakeClient(Load("reader"));
  const ObjectRef ref = NewRef("forbidden");
  const Result<Document> created = client.Create(ref, MapObject(ref, R"("data":{})").root(), {});
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().code, ErrorCode::kForbidden);
  EXPECT_EQ(created.error().message,
            "Error from server (Forbidden): configmaps is forbidden: User \"smp-reader\" cannot create resource "
            "\"configmaps\" "
            "in API group \"\" in the namespace \"default\"");
}

TEST_F(LiveClient, InvalidObjectsAreToldInKubectlsWords) {
  Client client = MakeClient(Load("admin"));
  const ObjectRef ref = NewRef("invalid");
  Result<Document> created = client.Create(ref, MapObject(ref, R"("data":{"a b":"1"})").root(), {});
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().code, ErrorCode::kServer);
  EXPECT_EQ(created.error().reason, "Invalid");
  EXPECT_TRUE(created.error().message.starts_with(
      StrCat("The ConfigMap \"", ref.name, "\" is invalid: data[a b]: Invalid value")))
      << created.error().message;

  created = client.Create(ref, MapObject(ref, R"("data":{"a b":"1","c d":"2"})").root(), {});
  ASSERT_FALSE(created.ok());
  EXPECT_TRUE(created.error().message.starts_with(StrCat("The ConfigMap \"", ref.name, "\" is invalid: \n* data[")))
      << created.error().message;
}

TEST_F(LiveClient, ExistingAndConflictingObjectsAreToldApart) {
  Client client = MakeClient(Load("admin"));
  const ObjectRef ref = NewRef("conflict");
  const Document object = MapObject(ref, R"("data":{})");
  ASSERT_TRUE(client.Create(ref, object.root(), {}).ok());
  const Result<Document> again = client.Create(ref, object.root(), {});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::kServer);
  EXPECT_EQ(again.error().reason, "AlreadyExists");
  const Result<Document> stale = client.Patch(
      ref, PatchType::kMerge, Parse(R"({"metadata":{"resourceVersion":"1"},"data":{"a":"1"}})").root(), {});
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.error().code, ErrorCode::kConflict);
  EXPECT_EQ(stale.error().http_status, 409);
}

TEST_F(LiveClient, WarningsReachTheHookOnce) {
  std::vector<std::string> warnings;
  Client client(Connect(Load("admin")), {[&](const std::string& text, const ObjectRef&) { warnings.push_back(text); }});
  const ObjectRef ref = NewRef("warn");
  const Document object = MapObject(ref, R"("datum":{"a":"1"})");
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(client.Create(ref, object.root(), {.dry_run = true, .field_validation = "Warn"}).ok());
  }
  EXPECT_EQ(warnings, std::vector<std::string>{"unknown field \"datum\""});
}

TEST_F(LiveClient, ManyAreReadInOrder) {
  Client client = MakeClient(Load("admin"));
  const ObjectRef ref = NewRef("many");
  ASSERT_TRUE(client.Create(ref, MapObject(ref, R"("data":{})").root(), {}).ok());
  const std::vector<Result<Document>> got = client.GetAll({Ref("no-such"), ref, Ref("no-such")});
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(got[0].error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(got[1].ok());
  EXPECT_EQ(got[2].error().code, ErrorCode::kNotFound);
}

TEST_F(LiveClient, LongListsAreFollowedToTheirEnd) {
  Client client = MakeClient(Load("admin"));
  const Result<Document> whole = client.GetRaw("/api/v1/events");
  const Result<Document> list =
      client.List({{"rbac.authorization.k8s.io", "v1", "ClusterRole"}, "clusterroles", "", ""}, "");
  ASSERT_TRUE(list.ok()) << list.error().message;
  EXPECT_GT(list->root().Find("items")->Items().size(), 20u);
  EXPECT_EQ(list->root().StringOr("kind"), "ClusterRoleList");
  EXPECT_TRUE(whole.ok());
}

TEST_F(LiveClient, SchemaOfTheServerNamesItsResources) {
  Client client = MakeClient(Load("admin"));
  SchemaSource source(&client);
  const Result<Resource> deployment = source.FindResource({"apps", "v1", "Deployment"});
  ASSERT_TRUE(deployment.ok()) << deployment.error().message;
  EXPECT_EQ(deployment->plural, "deployments");
  EXPECT_TRUE(deployment->namespaced);
  EXPECT_TRUE(deployment->strategic);
  EXPECT_EQ(source.FindResource({"", "v1", "Namespace"})->namespaced, false);
  EXPECT_EQ(source.FindResource({"example.com", "v1", "Widget"}).error().message,
            "no matches for kind \"Widget\" in version \"example.com/v1\"\nensure CRDs are installed first");
}

}  // namespace
}  // namespace smp::kube
