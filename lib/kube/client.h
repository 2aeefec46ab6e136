// Client: the API server's verbs on objects. Builds URLs, decodes answers, turns metav1.Status into Error with the
// words that kubectl uses, obeys Retry-After on 429 and 5xx. Knows nothing of manifests and patches. May be used from
// several threads at once when its transport may (CurlTransport may): that is how many writes share one connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "kube/object_ref.h"
#include "kube/status_error.h"
#include "net/transport.h"
#include "value/document.h"

namespace smp::kube {

enum class PatchType { kStrategic, kMerge, kJson, kApply };

// Query parameters of writes.
struct WriteOptions {
  bool dry_run = false;               // dryRun=All
  std::string field_manager = {};     // fieldManager=
  std::string field_validation = {};  // fieldValidation=Strict|Warn|Ignore; "" leaves it to the server
  bool force = false;                 // force=true, with kApply only
};

struct DeleteOptions {
  bool dry_run = false;
  std::string propagation = "Background";  // Background | Foreground | Orphan
  int64_t grace_period_seconds = -1;       // -1: the server's
  // Preconditions; "": none. Error conflict when the object is another, or has changed.
  std::string uid = {};
  std::string resource_version = {};
};

// One page of a list.
struct PageRequest {
  std::string label_selector = {};
  int64_t limit = 0;                // 0: everything at once
  std::string continue_token = {};  // metadata.continue of the page before
};

// A document that the server labels with an ETag, which changes when the document does.
struct Revision {
  std::optional<Document> document;  // nullopt: it is the one that the caller has
  std::string etag;                  // "" if the server gives none
};

// An item of a list (or page) of objects of that kind, with apiVersion and kind, which the server leaves out of lists
// of built-in kinds. Shares the list's memory.
Document ItemOf(const Document& list, const Value& item, const GroupVersionKind& gvk);

class Client {
 public:
  // `warn` gets each distinct Warning header once. `notice` gets what the client itself has to say, that it waits for a
  // busy server; where it is not set, `warn` does.
  struct Hooks {
    std::function<void(const std::string&)> warn = {};
    std::function<void(const std::string&)> notice = {};
    Clock* clock = &ProcessClock();  // not owned
  };
  explicit Client(std::unique_ptr<net::Transport> transport);
  Client(std::unique_ptr<net::Transport> transport, Hooks hooks);

  // Error not-found when the object does not exist. Other errors: forbidden, conflict, server, transport.
  Result<Document> Get(const ObjectRef& ref);
  // The same for many, in one go; answers in order.
  std::vector<Result<Document>> GetAll(const std::vector<ObjectRef>& refs);
  // POSTs to the collection of `ref`; its name is not part of the URL.
  Result<Document> Create(const ObjectRef& ref, const Value& object, const WriteOptions& options);
  Result<Document> Patch(const ObjectRef& ref, PatchType type, const Value& patch, const WriteOptions& options);
  Status Delete(const ObjectRef& ref, const DeleteOptions& options);
  // A list of all objects of a resource (continue followed), each a Value of the returned document's "items", with
  // apiVersion and kind filled in where the server leaves them out.
  Result<Document> List(const ObjectRef& collection, const std::string& label_selector);
  // As the server answers. An outdated token is an error of status 410.
  Result<Document> ListPage(const ObjectRef& collection, const PageRequest& page);
  // The same for many, in one go, and of each object no more than its metadata (from a server that can do that);
  // answers in order. For kinds that nobody may have named, so that warnings (of deprecated ones) are not passed on.
  std::vector<Result<Document>> ListMetadata(const std::vector<ObjectRef>& collections,
                                             const std::string& label_selector);

  // GET of any path, decoded as JSON. `accept` may ask for another form of it than the plain one.
  Result<Document> GetRaw(const std::string& path, std::string_view accept = "application/json");
  // The same for a document that the caller may have already: `etag` is what the server called it then, "" if nothing.
  Result<Revision> GetRevision(const std::string& path, const std::string& etag);

 private:
  Result<net::HttpResponse> SendRetrying(const net::HttpRequest& request);
  std::vector<Result<net::HttpResponse>> SendAllRetrying(const std::vector<net::HttpRequest>& requests);
  std::vector<Result<net::HttpResponse>> SendAllInSilence(const std::vector<net::HttpRequest>& requests);
  Result<Document> SendForObject(const net::HttpRequest& request, const ObjectRef& ref);
  Result<Document> ListPages(const ObjectRef& collection, PageRequest page);
  void ReportWait(int64_t wait_ms, int http_status);
  void ReportWarnings(const net::HttpResponse& response);

  std::unique_ptr<net::Transport> transport_;
  Hooks hooks_;
  std::mutex mutex_;
  std::set<std::string> warned_;
  bool told_of_wait_ = false;
};

}  // namespace smp::kube
