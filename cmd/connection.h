// The flags that every command with a cluster has, and the way from them to a connection.
#ifndef SMP_CMD_CONNECTION_H_
#define SMP_CMD_CONNECTION_H_

#include <memory>
#include <ostream>
#include <vector>

#include "apply/prepare.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "kube/client.h"
#include "kube/kubeconfig.h"
#include "kube/schema_source.h"

namespace smp {

std::vector<Flag> ConnectionFlagTable();

// A cluster to talk to. Nothing is sent until the first request.
struct Connection {
  ConnectionConfig config;
  std::unique_ptr<Client> client;
  std::unique_ptr<SchemaSource> schemas;

  Target target() const { return {client.get(), schemas.get(), config.name_space, config.name_space_given}; }
};

// Server warnings go to `err`.
Result<Connection> Connect(const ParsedFlags& flags, std::ostream& err);

}  // namespace smp

#endif  // SMP_CMD_CONNECTION_H_
