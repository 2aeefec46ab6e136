#include "cmd/connection.h"

#include "base/strings.h"
#include "kube/curl_transport.h"
#include "value/escape.h"
#include "value/redact.h"

namespace smp {

namespace {

ConnectionFlags ToConnectionFlags(const ParsedFlags& flags) {
  return {
      .kubeconfig = flags.Text("kubeconfig"),
      .context = flags.Text("context"),
      .cluster = flags.Text("cluster"),
      .user = flags.Text("user"),
      .name_space = flags.Text("namespace"),
      .server = flags.Text("server"),
      .token = flags.Text("token"),
      .certificate_authority = flags.Text("certificate-authority"),
      .client_certificate = flags.Text("client-certificate"),
      .client_key = flags.Text("client-key"),
      .tls_server_name = flags.Text("tls-server-name"),
      .insecure_skip_tls_verify = flags.On("insecure-skip-tls-verify"),
      .request_timeout = flags.Text("request-timeout"),
  };
}

}  // namespace

std::vector<Flag> ConnectionFlagTable() {
  return {
      {.name = "namespace",
       .letter = 'n',
       .placeholder = "NAMESPACE",
       .help = "namespace of objects that name none; a manifest may say no other"},
      {.name = "kubeconfig",
       .placeholder = "FILE",
       .help = "kubeconfig to use instead of $KUBECONFIG and ~/.kube/config"},
      {.name = "context", .placeholder = "NAME", .help = "context of the kubeconfig"},
      {.name = "cluster", .placeholder = "NAME", .help = "cluster of the kubeconfig"},
      {.name = "user", .placeholder = "NAME", .help = "user of the kubeconfig"},
      {.name = "server", .letter = 's', .placeholder = "URL", .help = "address of the API server"},
      {.name = "token", .placeholder = "TOKEN", .help = "bearer token"},
      {.name = "certificate-authority", .placeholder = "FILE", .help = "CA that signed the server's certificate"},
      {.name = "client-certificate", .placeholder = "FILE", .help = "client certificate"},
      {.name = "client-key", .placeholder = "FILE", .help = "key of the client certificate"},
      {.name = "tls-server-name", .placeholder = "NAME", .help = "name to expect in the server's certificate"},
      {.name = "insecure-skip-tls-verify",
       .kind = FlagKind::kSwitch,
       .help = "do not verify the server's certificate (insecure)"},
      {.name = "request-timeout",
       .placeholder = "DURATION",
       .help = "give up on a request after this time, e.g. 30s; 0: never",
       .fallback = "0"},
  };
}

Result<Connection> Connect(const ParsedFlags& flags, std::ostream& err) {
  Connection out;
  SMP_ASSIGN(out.config, LoadConnectionConfig(ToConnectionFlags(flags)));
  if (!out.config.token.empty()) SecretRegistry::Instance().RememberText(out.config.token);
  if (!out.config.password.empty()) SecretRegistry::Instance().RememberText(out.config.password);
  TransportOptions options;
  options.user_agent = "kubectl-smp/" SMP_VERSION;
  SMP_ASSIGN(auto transport, MakeCurlTransport(out.config, options));
  Client::Hooks hooks;
  hooks.warn = [&err](const std::string& text) {
    err << "Warning: " << Visible(SecretRegistry::Instance().Scrub(text)) << "\n";
  };
  out.client = std::make_unique<Client>(std::move(transport), std::move(hooks));
  out.schemas = std::make_unique<SchemaSource>(out.client.get());
  return out;
}

}  // namespace smp
