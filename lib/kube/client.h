// Client: requests to the API server. Builds URLs, decodes responses, converts metav1.Status to an Error with kubectl's
// wording, and obeys Retry-After on 429 and 5xx. Does not interpret manifests or patches. Thread-safe if the transport
// is (CurlTransport is), so that parallel writes can share one connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "kube/object_ref.h"
#include "kube/requests.h"
#include "kube/status_error.h"
#include "net/transport.h"
#include "value/document.h"

namespace smp::kube {

// One page of a list.
struct PageRequest {
  std::string label_selector = {};
  int64_t limit = 0;                // 0: no limit, one page
  std::string continue_token = {};  // metadata.continue of the previous page; "": first page
};

// A document and its ETag, which the server changes whenever the document changes.
struct Revision {
  std::optional<Document> document;  // nullopt: unchanged since the caller's ETag
  std::string etag;                  // "" if the server sent no ETag
};

// Returns `item` of `list` with apiVersion and kind added from `gvk` if it has none: servers omit them in lists of
// built-in kinds. Shares the list's memory.
Document ItemOf(const Document& list, const Value& item, const GroupVersionKind& gvk);

class Client {
 public:
  // `warn` is called once for each distinct warning in the answers about an object, never by two threads at once;
  // `notice` once if the client waits for a busy server.
  struct Hooks {
    std::function<void(const std::string& text, const ObjectRef&)> warn = {};
    std::function<void(const std::string&)> notice = {};
    Clock* clock = &ProcessClock();  // not owned
  };
  explicit Client(std::unique_ptr<net::Transport> transport);
  Client(std::unique_ptr<net::Transport> transport, Hooks hooks);

  // Reads a CRD by a LIST of its name, and by GET where the server refuses that: a GET is no fresher, but the server parses the CRD for
  // it, which it keeps parsed for a LIST. Errors: not-found, if the object does not exist; forbidden, conflict, server, transport.
  Result<Document> Get(const ObjectRef& ref);
  // Like Get for several objects, with all requests sent at once. Returns the results in the order of `refs`.
  std::vector<Result<Document>> GetAll(const std::vector<ObjectRef>& refs);
  // Like GetAll, with only the metadata of each object, and without warnings. REQUIRES: CheckPathSegments(ref) of each.
  std::vector<Result<Document>> GetAllMetadata(const std::vector<ObjectRef>& refs);
  // Returns which of the objects exist, asked for at once and without their data; nullopt where the server does not say, such as
  // where they may not be read.
  std::vector<std::optional<bool>> Exist(const std::vector<ObjectRef>& refs);
  // POSTs to the collection of `ref`: ref.name is ignored unless ref.subresource is set.
  Result<Document> Create(const ObjectRef& ref, const Value& object, const WriteOptions& options);
  Result<Document> Patch(const ObjectRef& ref, PatchType type, const Value& patch, const WriteOptions& options);
  Status Delete(const ObjectRef& ref, const DeleteOptions& options);
  // Returns one list document with the items of all pages, each with apiVersion and kind. `label_selector`: "" for all
  // objects.
  Result<Document> List(const ObjectRef& collection, const std::string& label_selector);
  // Returns one page as the server sent it. Error with http_status 410 if continue_token has expired.
  Result<Document> ListPage(const ObjectRef& collection, const PageRequest& page);
  // Like List for several collections at once, in order, with only the metadata of each object if the server supports
  // that. Does not pass on warnings (of deprecated kinds), since the user may not have named these kinds.
  // `busy`: whether to wait for a server that asks to be asked later, such as for a kind whose webhook does not answer.
  enum class Busy { kWait, kGiveUp };
  std::vector<Result<Document>> ListMetadata(const std::vector<ObjectRef>& collections,
                                             const std::string& label_selector, Busy busy = Busy::kWait);

  // GETs any path and parses the response as JSON. `accept` is the Accept header, for other representations. An empty
  // answer is kNotFound.
  Result<Document> GetRaw(const std::string& path, std::string_view accept = "application/json");
  // GETs a document of which the caller may have a copy. `etag`: the ETag of that copy, "" without one.
  Result<Revision> GetRevision(const std::string& path, const std::string& etag);

 private:
  enum class Definitions { kByList, kByGet };
  std::vector<Result<Document>> Read(const std::vector<ObjectRef>& refs, Definitions definitions);
  Result<net::HttpResponse> SendRetrying(const net::HttpRequest& request, const ObjectRef& ref);
  std::vector<Result<net::HttpResponse>> SendAllInSilence(const std::vector<net::HttpRequest>& requests,
                                                          Busy busy = Busy::kWait);
  Result<Document> SendForObject(const net::HttpRequest& request, const ObjectRef& ref);
  Result<Document> ListPages(const ObjectRef& collection, PageRequest page);
  void ReportWait(int64_t wait_ms, int http_status);
  void ReportWarnings(const net::HttpResponse& response, const ObjectRef& ref);

  std::unique_ptr<net::Transport> transport_;
  Hooks hooks_;
  std::mutex mutex_;
  std::set<std::pair<std::string, std::string>> warned_;  // path of the object, text
  bool told_of_wait_ = false;
};

}  // namespace smp::kube
