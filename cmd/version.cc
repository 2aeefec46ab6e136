#include "cmd/version.h"

#include <optional>

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/exit_code.h"
#include "schema/builtin.h"
#include "value/document.h"
#include "value/escape.h"
#include "value/json.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

constexpr int64_t kTimeoutMs = 5000;  // short, because users often run it when a server does not answer

Result<Document> ServerVersion(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(auth::ConnectionConfig config, ChooseConnection(flags));
  if (!flags.Given("request-timeout")) config.request_timeout_ms = kTimeoutMs;
  SMP_ASSIGN(const Connection connection, ConnectTo(std::move(config), flags, io));
  return connection.client->GetRaw("/version");
}

// kubectl's clientVersion (apimachinery's version.Info), as far as it applies to a program that is not written in Go.
Value ClientInfo(Arena& arena) {
  const std::vector<std::string_view> numbers = Split(ClientVersion().substr(1), '.');
#if defined(__clang__)
  constexpr std::string_view kCompiler = "clang";
#else
  constexpr std::string_view kCompiler = "gcc";
#endif
  return arena.Object({{"major", arena.String(numbers[0])},
                       {"minor", arena.String(numbers[1])},
                       {"gitVersion", arena.String(ClientVersion())},
                       {"compiler", arena.String(kCompiler)},
                       {"platform", arena.String(Platform())}});
}

std::string VersionDocument(const std::optional<Document>& server, const std::string& format) {
  Arena arena;
  std::vector<Member> members = {{"clientVersion", ClientInfo(arena)},
                                 {"builtinSchemaVersion", arena.String(BuiltinSchemaVersion())}};
  if (server) members.push_back({"serverVersion", server->root()});
  const Value root = arena.Object(std::move(members));
  return format == "yaml" ? yaml::WriteVisibleYaml(root) : VisibleJson(WriteIndentedJson(root, 2)) + "\n";
}

std::string VersionText(const std::optional<Document>& server) {
  std::string out = StrCat("Client Version: ", ClientVersion(), "\nBuilt-in Schema: ", BuiltinSchemaVersion(), "\n");
  if (!server) return out;
  const std::string version = Visible(server->root().StringOr("gitVersion"), Newlines::kEscape);
  return StrCat(out, "Server Version: ", version, "\n");
}

// As in kubectl, prints what is known even if the server does not answer.
Result<int> RunVersion(const ParsedFlags& flags, Io& io) {
  std::optional<Document> server;
  std::optional<Error> error;
  if (!flags.On("client")) {
    Result<Document> answer = ServerVersion(flags, io);
    if (answer.ok()) {
      server = *std::move(answer);
    } else {
      error = std::move(answer).error();
    }
  }
  const std::string format = flags.Text("output");
  io.out << (format.empty() ? VersionText(server) : VersionDocument(server, format)) << std::flush;
  return error ? Fail(io, *error, kExitFailed) : kExitOk;
}

}  // namespace

std::string_view ClientVersion() { return SMP_VERSION; }

std::string_view Platform() {
#if defined(__APPLE__) && defined(__aarch64__)
  return "darwin/arm64";
#elif defined(__APPLE__)
  return "darwin/amd64";
#elif defined(_WIN32) && defined(__aarch64__)
  return "windows/arm64";
#elif defined(_WIN32)
  return "windows/amd64";
#elif defined(__aarch64__)
  return "linux/arm64";
#else
  return "linux/amd64";
#endif
}

Command VersionCommand() {
  return {.summary = "print the versions of this program and the cluster",
          .description =
              "Print the version of this program, the Kubernetes version of its built-in schema, and the version of "
              "the cluster of the\n"
              "current context.",
          .usage = "version [--client] [flags]",
          .examples =
              "  # this program and the cluster\n"
              "  {program} version\n\n"
              "  # only this program\n"
              "  {program} version --client\n\n"
              "  # output for programs\n"
              "  {program} version -o json\n",
          .flags = {Switch("client", "print only the version of this program, without contacting a cluster"),
                    OutputFlag({"json", "yaml"}, "output format")},
          .run = RunVersion};
}

}  // namespace smp::cmd
