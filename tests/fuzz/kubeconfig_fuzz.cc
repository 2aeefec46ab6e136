// Any bytes → a kubeconfig, merged after itself; no file that it names is opened.
#include "auth/kubeconfig_file.h"
#include "fuzz/check.h"
#include "net/server_url.h"

using namespace smp;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = TextOf(data, size);
  auth::Kubeconfig config;
  if (!auth::AddKubeconfigText(text, "/home/user/.kube/config", config).ok()) return 0;
  const size_t contexts = config.contexts.size();
  Check(auth::AddKubeconfigText(text, "/elsewhere/config", config).ok(), "what could be read once can be read again");
  Check(config.contexts.size() == contexts, "of equal names the first counts");
  for (const auto& [name, cluster] : config.clusters) {
    const Result<net::ServerUrl> url = net::ParseServerUrl(cluster.server);
    if (!url.ok()) continue;
    const std::string printed = url->ToString();
    const Result<net::ServerUrl> again = net::ParseServerUrl(printed);
    Check(again.ok() && again->ToString() == printed, "a server's URL can be read again", printed);
  }
  return 0;
}
