// The connection flags that every command has, and the connection that they choose.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apply/prepare.h"
#include "auth/kubeconfig.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "cmd/server_warnings.h"
#include "kube/client.h"
#include "kube/schema_source.h"

namespace smp::cmd {

std::vector<Flag> ConnectionFlagTable();

// --parallel and --qps: how many requests are sent, and how fast.
std::vector<Flag> PaceFlags();
// Maximum number of requests in flight. Error: invalid-argument.
Result<int> ToParallel(const ParsedFlags& flags);

// A cluster to talk to. Nothing is sent until the first request.
struct Connection {
  auth::ConnectionConfig config;
  std::unique_ptr<kube::Client> client;
  std::unique_ptr<kube::SchemaSource> schemas;
  std::shared_ptr<ServerWarnings> warnings;  // that the client gets

  apply::Target target() const { return {client.get(), schemas.get(), config.name_space, config.name_space_given}; }
};

// Returns what tells the server from others: its URL, which several clusters may have in turn (tunnels, local clusters), and what its
// certificate is verified by.
std::string ServerIdentity(const auth::ConnectionConfig& config);

// Returns true if the identity is verified at each connection: with TLS, and not insecure.
bool IsVerified(const auth::ConnectionConfig& config);

// Returns the connection that the flags, the environment and the kubeconfig choose.
Result<auth::ConnectionConfig> ChooseConnection(const ParsedFlags& flags);

// Returns the connection that another context of the kubeconfig chooses; "": the same as ChooseConnection, but for the
// namespace. Flags that are about one cluster (--server, --token, …) are not about the other. `name_space` "": the context's.
Result<auth::ConnectionConfig> ChooseOtherConnection(const ParsedFlags& flags, const std::string& context,
                                                     const std::string& name_space);

// Server warnings and the log of -v go to io.err, which must outlive the connection.
Result<Connection> Connect(const ParsedFlags& flags, Io& io);
Result<Connection> ConnectTo(auth::ConnectionConfig config, const ParsedFlags& flags, Io& io);

}  // namespace smp::cmd
