#include "cmd/complete_values.h"

#include <algorithm>
#include <sstream>

#include "auth/kubeconfig_file.h"
#include "base/program.h"
#include "base/strings.h"
#include "cmd/connection.h"
#include "kube/object_ref.h"
#include "kube/resource_mapper.h"
#include "schema/builtin.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

using Words = std::vector<std::string>;

constexpr int kPatienceSeconds = 2;
constexpr int64_t kLoginMs = 1500;  // shorter, so that a login program is stopped before this one ends

template <class Entry>
Words Names(const std::map<std::string, Entry>& entries) {
  Words out;
  for (const auto& [name, entry] : entries) out.push_back(name);
  return out;
}

Words KubeconfigNames(Hint hint, const ParsedFlags& flags) {
  const auto files = auth::ReadKubeconfigFiles(flags.Text("kubeconfig"));
  if (!files.ok()) return {};
  if (hint == Hint::kContext) return Names(files->contexts);
  return hint == Hint::kCluster ? Names(files->clusters) : Names(files->users);
}

Words BuiltinKinds() {
  Words out;
  for (const auto& [gvk, resource] : BuiltinSchema()->resources()) out.push_back(gvk.ApiVersion() + "/" + gvk.kind);
  return out;
}

// Prevents prompts of a login program (exec plugin), because the shell is using the terminal.
Status MakeQuiet(auth::ConnectionConfig& config) {
  config.request_timeout_ms = int64_t{kPatienceSeconds} * 1000;
  if (!config.exec) return Ok();
  if (config.exec->interactive_mode == "Always")
    return Error::InvalidArgument("the credential plugin needs a terminal");
  config.exec->interactive_mode = "Never";
  config.exec->timeout_ms = kLoginMs;
  return Ok();
}

// Other text from the server must not be offered, because a shell might expand it.
bool IsDnsName(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == text.npos;
}

Result<Connection> ConnectQuietly(const ParsedFlags& flags, Io& silent) {
  SMP_ASSIGN(auth::ConnectionConfig config, ChooseConnection(flags));
  SMP_TRY(MakeQuiet(config));
  return ConnectTo(std::move(config), flags, silent);
}

Words NamesIn(const Document& list) {
  Words out;
  for (const Value& item : ItemsAt(list.root(), {"items"})) {
    const std::string_view name = TextAt(item, {"metadata", "name"});
    if (IsDnsName(name)) out.emplace_back(name);
  }
  return out;
}

Words WithCore(Words kinds) {
  for (std::string& kind : kinds) {
    if (std::count(kind.begin(), kind.end(), '/') == 1) kind = StrCat("core/", kind);
  }
  return kinds;
}

Result<Words> Namespaces(const Connection& connection) {
  SMP_ASSIGN(const Document list, connection.client->GetRaw("/api/v1/namespaces?limit=500"));
  return NamesIn(list);
}

bool CanBeRead(const kube::ServedResource& served) {
  return std::find(served.verbs.begin(), served.verbs.end(), "get") != served.verbs.end();
}

// Returns types like "deployments.apps", each only once even if several versions have it.
Result<Words> ServedTypes(kube::ResourceMapper& mapper) {
  SMP_ASSIGN(const std::vector<kube::ServedResource> all, mapper.All());
  Words out;
  for (const kube::ServedResource& served : all) {
    const std::string name = FullName(served.resource.gvk, served.resource.plural);
    const bool known = std::find(out.begin(), out.end(), name) != out.end();
    if (!known && CanBeRead(served) && IsDnsName(name)) out.push_back(name);
  }
  return out;
}

Result<Words> NamesOfType(const std::string& type, kube::ResourceMapper& mapper, const Connection& connection) {
  SMP_ASSIGN(const kube::ServedResource served, mapper.Find(type));
  const kube::ObjectRef collection = {served.resource.gvk, served.resource.plural,
                                      served.resource.namespaced ? connection.config.name_space : "", ""};
  SMP_TRY(kube::CheckPathSegments(collection));
  SMP_ASSIGN(const Document list, connection.client->GetRaw(kube::ObjectPath(collection) + "?limit=500"));
  return NamesIn(list);
}

// Returns candidates as kubectl does: a type, then its names; or TYPE/NAME. `arguments` precede the typed word.
Result<Words> Objects(const Words& arguments, const std::string& typed, const Connection& connection) {
  kube::ResourceMapper mapper(connection.client.get());
  const size_t slash = typed.find('/');
  const bool pairs = !arguments.empty() && arguments[0].find('/') != std::string::npos;
  if (slash == typed.npos && pairs) return Words();
  if (slash == typed.npos && arguments.empty()) return ServedTypes(mapper);
  if (slash == typed.npos) return NamesOfType(arguments[0], mapper, connection);
  SMP_ASSIGN(Words names, NamesOfType(typed.substr(0, slash), mapper, connection));
  for (std::string& name : names) name = StrCat(typed.substr(0, slash + 1), name);
  return names;
}

Result<Words> OfCluster(Hint hint, const ParsedFlags& flags, const std::string& typed) {
  std::stringstream nowhere;
  Io silent{nowhere, nowhere, nowhere};
  SMP_ASSIGN(const Connection connection, ConnectQuietly(flags, silent));
  if (hint == Hint::kNamespace) return Namespaces(connection);
  Words arguments = flags.arguments();
  if (hint == Hint::kPathAndObject) arguments.erase(arguments.begin());
  return Objects(arguments, typed, connection);
}

// Of the built-in schema, of the CRDs of --schema, or of the server (--from-server).
Result<Words> OfSchemas(const ParsedFlags& flags, const std::string& typed) {
  std::stringstream nowhere;
  Io silent{nowhere, nowhere, nowhere};
  const auto connect = [&] { return ConnectQuietly(flags, silent); };
  SMP_ASSIGN(SchemaSources sources, OpenSchemas(flags, flags.On("from-server"), connect));
  return KindsAndPaths(typed, std::move(sources));
}

}  // namespace

Words LookUpValues(Hint hint, const ParsedFlags& flags, const std::string& typed) {
  if (hint == Hint::kGvk) return BuiltinKinds();
  if (hint == Hint::kPruneKind) return WithCore(BuiltinKinds());
  const bool of_cluster = hint == Hint::kNamespace || hint == Hint::kObject || hint == Hint::kPathAndObject;
  if (!of_cluster && hint != Hint::kKindAndPath) return KubeconfigNames(hint, flags);
  if (hint == Hint::kPathAndObject && flags.arguments().empty()) return {};
  // Each step has its own limit (name lookup, login, connecting, retries), but their sum is too long to wait at a shell prompt.
  const EndAfter deadline(kPatienceSeconds, ":4\n");
  const Result<Words> found = of_cluster ? OfCluster(hint, flags, typed) : OfSchemas(flags, typed);
  return found.ok() ? *found : Words();
}

}  // namespace smp::cmd
