#include "bench/deployments.h"

#include "base/strings.h"

namespace smp {

namespace {

std::string Deployment(const std::string& containers, std::string_view live_only_metadata, std::string_view status) {
  return StrCat(
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default",)"
      R"("labels":{"app":"web","team":"blue"})",
      live_only_metadata,
      R"(},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},)"
      R"("spec":{"containers":[)",
      containers, R"(],"volumes":[{"name":"cfg","configMap":{"name":"cfg"}},{"name":"tmp","emptyDir":{}}]}}})", status,
      "}");
}

std::string Container(int i, std::string_view tag, std::string_view live_only) {
  return StrCat(
      R"({"name":"c)", i, R"(","image":"registry.example.com/team/app:)", tag,
      R"(","args":["--port=8080","--level=info"],"env":[{"name":"A","value":"1"},{"name":"B","value":"2"},)"
      R"({"name":"POD","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],"ports":[{"containerPort":)",
      8080 + i,
      R"(,"name":"http"}],"resources":{"limits":{"cpu":"500m","memory":"128Mi"},"requests":{"cpu":"250m","memory":"64Mi"}},)"
      R"("volumeMounts":[{"name":"cfg","mountPath":"/etc/app"},{"name":"tmp","mountPath":"/tmp"}])",
      live_only, "}");
}

std::string ManyContainers(int n, std::string_view tag, std::string_view live_only) {
  std::string out;
  for (int i = 0; i < n; ++i) out += (i > 0 ? "," : "") + Container(i, tag, live_only);
  return out;
}

std::string ManyVariables(int n, std::string_view value, bool leave_out_every_tenth) {
  std::string env;
  for (int i = 0; i < n; ++i) {
    if (leave_out_every_tenth && i % 10 == 0) continue;
    env += StrCat(env.empty() ? "" : ",", R"({"name":"VARIABLE_)", i, R"(","value":")", value, i, R"("})");
  }
  return StrCat(R"({"name":"app","image":"app:1","env":[)", env, "]}");
}

constexpr std::string_view kLiveMetadata =
    R"(,"uid":"6f3a","resourceVersion":"4711","generation":3,"creationTimestamp":"2026-01-01T00:00:00Z",)"
    R"("annotations":{"deployment.kubernetes.io/revision":"3"})";
constexpr std::string_view kStatus = R"(,"status":{"observedGeneration":3,"replicas":3,"readyReplicas":3})";
constexpr std::string_view kDefaults =
    R"(,"imagePullPolicy":"IfNotPresent","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File")";

}  // namespace

BenchCase Containers(int n) {
  return {Deployment(ManyContainers(n, "1", ""), "", ""), Deployment(ManyContainers(n, "2", ""), "", ""),
          Deployment(ManyContainers(n, "1", kDefaults), kLiveMetadata, kStatus)};
}

BenchCase EnvironmentVariables(int n) {
  return {Deployment(ManyVariables(n, "old", false), "", ""), Deployment(ManyVariables(n, "new", true), "", ""),
          Deployment(ManyVariables(n, "old", false), kLiveMetadata, kStatus)};
}

}  // namespace smp
