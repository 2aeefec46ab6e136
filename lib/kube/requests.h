// The requests that Client sends, for whoever wants to know them without sending anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "kube/object_ref.h"
#include "net/transport.h"
#include "value/value.h"

namespace smp::kube {

enum class PatchType { kStrategic, kMerge, kJson, kApply };

// Query parameters of writes.
struct WriteOptions {
  bool dry_run = false;               // dryRun=All
  std::string field_manager = {};     // fieldManager=
  std::string field_validation = {};  // fieldValidation=Strict|Warn|Ignore; "": the server's default
  bool force = false;                 // force=true; only for PatchType::kApply
};

struct DeleteOptions {
  bool dry_run = false;
  std::string propagation = "Background";  // Background | Foreground | Orphan
  int64_t grace_period_seconds = -1;       // -1: the server's default
  // Preconditions; "": do not check. Error conflict if the live object has another uid or resourceVersion.
  std::string uid = {};
  std::string resource_version = {};
};

// Returns "?a=b&c=d" with escaped values; parameters with an empty value are left out.
std::string UrlQuery(const std::vector<std::pair<std::string_view, std::string>>& parameters);

net::HttpRequest GetRequest(std::string path);
// POSTs to the collection of `ref`: ref.name is ignored unless ref.subresource is set. Errors of all three:
// invalid-argument, for names that are unsafe in a path.
Result<net::HttpRequest> CreateRequest(const ObjectRef& ref, const Value& object, const WriteOptions& options);
Result<net::HttpRequest> PatchRequest(const ObjectRef& ref, PatchType type, const Value& patch,
                                      const WriteOptions& options);
Result<net::HttpRequest> DeleteRequest(const ObjectRef& ref, const DeleteOptions& options);

}  // namespace smp::kube
