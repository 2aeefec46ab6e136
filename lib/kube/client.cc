#include "kube/client.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.h"
#include "net/retry.h"
#include "net/warning_header.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::kube {
namespace {

constexpr int kPageSize = 500;  // chunk size of client-go and kubectl
constexpr size_t kMostPages = 20'000;

Error Unexpected(const net::HttpRequest& request, const net::HttpResponse& response, std::string_view why) {
  Error error{ErrorCode::kServer, StrCat("unexpected response to ", request.method, " ", request.path, " (", why,
                                         ") - is this the address of an API server?", net::MaybeProcessed(request))};
  error.http_status = response.status;
  error.reason = net::kAnswerUnreadable;
  return error;
}

// The server may refuse the second copy of a request because it processed the first: only a look at the object tells.
Error Refusal(const net::HttpRequest& request, const net::HttpResponse& response, const ObjectRef& ref) {
  constexpr int kConflict = 409;
  Error error = ErrorFromResponse(response, ref, request.method);
  if (response.status != kConflict || !response.resent) return error;
  error.message += net::MaybeProcessed(request);
  error.reason = net::kConnectionReset;
  return error;
}

// Returns the parsed JSON of a 2xx response, an Error for any other status.
Result<Document> Decode(const net::HttpRequest& request, const net::HttpResponse& response, const ObjectRef& ref) {
  if (response.status < 200 || response.status > 299) return Refusal(request, response, ref);
  Result<Document> body = ParseJson(response.body);
  if (!body.ok()) return Unexpected(request, response, body.error().message);
  return body;
}

// A proxy, or the login page of a network, may answer with status 200, and then nothing was done.
bool IsAbout(const ObjectRef& ref, const Value& answer) {
  if (ref.name.empty() || !ref.subresource.empty()) return true;
  const std::string_view kind = answer.StringOr("kind", ref.gvk.kind);
  const std::string_view name_space = TextAt(answer, {"metadata", "namespace"});
  return TextAt(answer, {"metadata", "name"}) == ref.name && kind == ref.gvk.kind &&
         (name_space.empty() || name_space == ref.name_space);
}

Result<Document> DecodeObject(const net::HttpRequest& request, const net::HttpResponse& response,
                              const ObjectRef& ref) {
  SMP_ASSIGN(Document body, Decode(request, response, ref));
  if (!body.root().is_object()) return Unexpected(request, response, StrCat("an ", KindName(body.root().kind())));
  if (!IsAbout(ref, body.root())) return Unexpected(request, response, StrCat("it is not ", ref.plural, " ", ref.name));
  return body;
}

// The pages of one list, joined.
struct Pages {
  Arena arena;
  std::vector<Value> items;
  std::string_view resource_version;
  std::string_view next;                   // the continue token, "" after the last page
  std::set<std::string_view> tokens = {};  // of the pages so far
};

// Adds apiVersion and kind if `item` has no kind: servers omit them in lists of built-in kinds.
Value WithType(const Value& item, const GroupVersionKind& gvk, Arena& arena) {
  if (!item.is_object() || item.Find("kind") != nullptr) return item;
  std::vector<Member> members(item.Members().begin(), item.Members().end());
  members.push_back({"apiVersion", arena.String(gvk.ApiVersion())});
  members.push_back({"kind", arena.String(gvk.kind)});
  return arena.Object(std::move(members));
}

bool IsList(const Value& page) {
  const Value* items = page.Find("items");  // Go writes an empty list of some kinds as null
  return items != nullptr && (items->is_array() || items->is_null());
}

// Error: server, if the page is no list, or the pages do not come to an end.
Status AddPage(const Document& page, const GroupVersionKind& gvk, Pages& pages) {
  if (!IsList(page.root())) {
    return Error{ErrorCode::kServer, StrCat("unexpected response: it is not a list of ", gvk.kind,
                                            " - is this the address of an API server?")};
  }
  pages.arena.Retain(page);
  for (const Value& item : ItemsAt(page.root(), {"items"})) pages.items.push_back(WithType(item, gvk, pages.arena));
  pages.resource_version = TextAt(page.root(), {"metadata", "resourceVersion"});
  pages.next = TextAt(page.root(), {"metadata", "continue"});
  const bool goes_on =
      pages.next.empty() || (pages.tokens.insert(pages.next).second && pages.tokens.size() < kMostPages);
  return goes_on ? Ok() : Status(Error{ErrorCode::kServer, StrCat("the server's list of ", gvk.kind, " has no end")});
}

Document JoinPages(Pages pages, const GroupVersionKind& gvk) {
  Arena& arena = pages.arena;
  const Value metadata = arena.Object({{"resourceVersion", Value::UnownedString(pages.resource_version)}});
  const Value root = arena.Object({{"apiVersion", arena.String(gvk.ApiVersion())},
                                   {"items", arena.Array(pages.items)},
                                   {"kind", arena.String(gvk.kind + "List")},
                                   {"metadata", metadata}});
  return Document(std::move(pages.arena), root);
}

bool IsOneDefinition(const ObjectRef& ref) {
  return IsDefinition(ref.gvk) && !ref.name.empty() && ref.subresource.empty();
}

// Returns true for an answer that a GET may not get: of a user who may not list, or of a gateway that does not know such lists. A busy
// server was asked again already.
bool RefusesList(const Error& error) {
  constexpr int kOk = 200, kTooMany = 429, kServerError = 500;
  return error.http_status >= kOk && error.http_status < kServerError && error.http_status != kTooMany;
}

// Returns the path of the list that has only this object.
std::string ListPathOf(const ObjectRef& ref) {
  return ObjectPath(CollectionOf(ref)) + UrlQuery({{"fieldSelector", StrCat("metadata.name=", ref.name)}});
}

// Returns the one item of the list.
Result<Document> DecodeListed(const net::HttpRequest& request, const net::HttpResponse& response,
                              const ObjectRef& ref) {
  SMP_ASSIGN(const Document list, Decode(request, response, ref));
  if (!IsList(list.root())) return Unexpected(request, response, StrCat("it is not a list of ", ref.plural));
  const std::span<const Value> items = ItemsAt(list.root(), {"items"});
  if (items.empty()) return Error::NotFound(StrCat(FullName(ref.gvk, ref.plural), " \"", ref.name, "\" not found"));
  Document item = ItemOf(list, items.front(), ref.gvk);
  if (items.size() > 1 || !IsAbout(ref, item.root())) {
    return Unexpected(request, response, StrCat("it is not ", ref.plural, " ", ref.name));
  }
  return item;
}

// Accept header for lists of metadata. A server that does not support it returns the full objects.
constexpr std::string_view kOnlyMetadata =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

// Likewise, for one object.
constexpr std::string_view kOnlyItsMetadata =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

std::string PagePath(const ObjectRef& collection, const PageRequest& page) {
  return ObjectPath(collection) + UrlQuery({{"labelSelector", page.label_selector},
                                            {"limit", page.limit == 0 ? "" : std::to_string(page.limit)},
                                            {"continue", page.continue_token}});
}

// One of several lists that are read page by page together.
struct Listing {
  const ObjectRef* collection = nullptr;
  PageRequest page = {};
  Pages pages = {};
  bool open = true;
  std::optional<Error> error = std::nullopt;
};

net::HttpRequest MetadataRequest(const Listing& listing) {
  net::HttpRequest request = GetRequest(PagePath(*listing.collection, listing.page));
  request.headers = {{"Accept", std::string(kOnlyMetadata)}};
  return request;
}

// Halves the number of items that are asked for if so many were too large to be read. Returns false if that is no help.
bool HalveLimit(const Error& error, PageRequest& page) {
  if (error.reason != net::kAnswerTooLarge || page.limit <= 1) return false;
  page.limit /= 2;
  return true;
}

void TakePage(const net::HttpRequest& request, const Result<net::HttpResponse>& answer, Listing& listing) {
  Result<Document> page =
      answer.ok() ? DecodeObject(request, *answer, *listing.collection) : Result<Document>(answer.error());
  if (page.ok()) {
    const Status added = AddPage(*page, listing.collection->gvk, listing.pages);
    if (!added.ok()) listing.error = added.error();
    listing.page.continue_token = listing.pages.next;
    listing.open = added.ok() && !listing.pages.next.empty();
  } else if (HalveLimit(page.error(), listing.page)) {
    return;
  } else if (page.error().http_status == 410 && listing.page.limit > 0) {
    listing.page = {.label_selector = listing.page.label_selector};  // as in List: start again without pages
    listing.pages = {};
  } else {
    listing.error = std::move(page).error();
    listing.open = false;
  }
}

}  // namespace

Document ItemOf(const Document& list, const Value& item, const GroupVersionKind& gvk) {
  Arena arena;
  arena.Retain(list);
  const Value typed = WithType(item, gvk, arena);
  return Document(std::move(arena), typed);
}

Client::Client(std::unique_ptr<net::Transport> transport) : Client(std::move(transport), Hooks{}) {}

Client::Client(std::unique_ptr<net::Transport> transport, Hooks hooks)
    : transport_(std::move(transport)), hooks_(std::move(hooks)) {}

Result<Document> Client::Get(const ObjectRef& ref) { return std::move(GetAll({ref}).front()); }

std::vector<Result<Document>> Client::GetAll(const std::vector<ObjectRef>& refs) {
  std::vector<Result<Document>> documents = Read(refs, Definitions::kByList);
  std::vector<size_t> refused;
  std::vector<ObjectRef> again;
  for (size_t i = 0; i < refs.size(); ++i) {
    if (!IsOneDefinition(refs[i]) || documents[i].ok() || !RefusesList(documents[i].error())) continue;
    refused.push_back(i);
    again.push_back(refs[i]);
  }
  if (refused.empty()) return documents;
  std::vector<Result<Document>> got = Read(again, Definitions::kByGet);
  for (size_t i = 0; i < refused.size(); ++i) documents[refused[i]] = std::move(got[i]);
  return documents;
}

std::vector<Result<Document>> Client::Read(const std::vector<ObjectRef>& refs, Definitions definitions) {
  const auto is_listed = [&](const ObjectRef& ref) {
    return definitions == Definitions::kByList && IsOneDefinition(ref);
  };
  std::vector<net::HttpRequest> requests;
  std::vector<std::optional<Error>> refused(refs.size());
  for (size_t i = 0; i < refs.size(); ++i) {
    if (Status status = CheckPathSegments(refs[i]); !status.ok()) refused[i] = std::move(status).error();
    if (!refused[i]) requests.push_back(GetRequest(is_listed(refs[i]) ? ListPathOf(refs[i]) : ObjectPath(refs[i])));
  }
  const std::vector<Result<net::HttpResponse>> answers = SendAllInSilence(requests);
  std::vector<Result<Document>> documents;
  documents.reserve(refs.size());
  for (size_t i = 0, next = 0; i < refs.size(); ++i) {
    if (refused[i]) {
      documents.push_back(*std::move(refused[i]));
      continue;
    }
    const Result<net::HttpResponse>& answer = answers[next];
    if (answer.ok()) ReportWarnings(*answer, refs[i]);
    const auto decode = is_listed(refs[i]) ? DecodeListed : DecodeObject;
    documents.push_back(answer.ok() ? decode(requests[next], *answer, refs[i]) : answer.error());
    ++next;
  }
  return documents;
}

std::vector<Result<Document>> Client::GetAllMetadata(const std::vector<ObjectRef>& refs) {
  std::vector<net::HttpRequest> requests;
  for (const ObjectRef& ref : refs) {
    requests.push_back(GetRequest(ObjectPath(ref)));
    requests.back().headers = {{"Accept", std::string(kOnlyItsMetadata)}};
  }
  const std::vector<Result<net::HttpResponse>> answers = SendAllInSilence(requests);
  std::vector<Result<Document>> out;
  for (size_t i = 0; i < refs.size(); ++i) {
    out.push_back(answers[i].ok() ? Decode(requests[i], *answers[i], refs[i]) : answers[i].error());
  }
  return out;
}

std::vector<std::optional<bool>> Client::Exist(const std::vector<ObjectRef>& refs) {
  std::vector<std::optional<bool>> out;
  for (const Result<Document>& found : GetAllMetadata(refs)) {
    const bool is_absent = !found.ok() && found.error().code == ErrorCode::kNotFound;
    out.push_back(found.ok() || is_absent ? std::optional(found.ok()) : std::nullopt);
  }
  return out;
}

Result<Document> Client::Create(const ObjectRef& ref, const Value& object, const WriteOptions& options) {
  SMP_ASSIGN(const net::HttpRequest request, CreateRequest(ref, object, options));
  return SendForObject(request, ref);
}

Result<Document> Client::Patch(const ObjectRef& ref, PatchType type, const Value& patch, const WriteOptions& options) {
  SMP_ASSIGN(const net::HttpRequest request, PatchRequest(ref, type, patch, options));
  return SendForObject(request, ref);
}

Status Client::Delete(const ObjectRef& ref, const DeleteOptions& options) {
  SMP_ASSIGN(const net::HttpRequest request, DeleteRequest(ref, options));
  SMP_ASSIGN(const net::HttpResponse response, SendRetrying(request, ref));
  SMP_ASSIGN(const Document body, Decode(request, response, ref));
  if (body.root().StringOr("kind") == "Status" || IsAbout(ref, body.root())) return Ok();
  return Unexpected(request, response, StrCat("it is not ", ref.plural, " ", ref.name));
}

Result<Document> Client::List(const ObjectRef& collection, const std::string& label_selector) {
  Result<Document> list = ListPages(collection, {.label_selector = label_selector, .limit = kPageSize});
  // 410: the continue token expired. Read the whole list at once, as client-go does (tools/pager).
  if (!list.ok() && list.error().http_status == 410) return ListPages(collection, {.label_selector = label_selector});
  return list;
}

Result<Document> Client::ListPages(const ObjectRef& collection, PageRequest page) {
  Pages pages;
  for (;;) {
    page.continue_token = pages.next;
    const Result<Document> answer = ListPage(collection, page);
    if (!answer.ok() && HalveLimit(answer.error(), page)) continue;
    if (!answer.ok()) return answer.error();
    SMP_TRY(AddPage(*answer, collection.gvk, pages));
    if (pages.next.empty()) return JoinPages(std::move(pages), collection.gvk);
  }
}

Result<Document> Client::ListPage(const ObjectRef& collection, const PageRequest& page) {
  SMP_TRY(CheckPathSegments(collection));
  return SendForObject(GetRequest(PagePath(collection, page)), collection);
}

std::vector<Result<Document>> Client::ListMetadata(const std::vector<ObjectRef>& collections,
                                                   const std::string& label_selector, Busy busy) {
  std::vector<Listing> listings(collections.size());
  for (size_t i = 0; i < collections.size(); ++i) {
    listings[i].collection = &collections[i];
    listings[i].page = {.label_selector = label_selector, .limit = kPageSize};
    if (Status status = CheckPathSegments(collections[i]); !status.ok()) {
      listings[i].error = std::move(status).error();
      listings[i].open = false;
    }
  }
  for (;;) {
    std::vector<net::HttpRequest> requests;
    std::vector<Listing*> asking;
    for (Listing& listing : listings) {
      if (!listing.open) continue;
      requests.push_back(MetadataRequest(listing));
      asking.push_back(&listing);
    }
    if (asking.empty()) break;
    const std::vector<Result<net::HttpResponse>> answers = SendAllInSilence(requests, busy);
    for (size_t i = 0; i < asking.size(); ++i) TakePage(requests[i], answers[i], *asking[i]);
  }
  std::vector<Result<Document>> out;
  for (Listing& listing : listings) {
    out.push_back(listing.error ? Result<Document>(*std::move(listing.error))
                                : JoinPages(std::move(listing.pages), listing.collection->gvk));
  }
  return out;
}

Result<Document> Client::GetRaw(const std::string& path, std::string_view accept) {
  const net::HttpRequest request = {"GET", path, {{"Accept", std::string(accept)}}, {}};
  SMP_ASSIGN(const net::HttpResponse response, SendRetrying(request, {}));
  // kube-openapi (handler3) answers so for a group whose last CustomResourceDefinition has just been deleted.
  if (response.status == 200 && response.body.empty()) return Error::NotFound(StrCat("the server has no ", path));
  return Decode(request, response, {});
}

Result<Revision> Client::GetRevision(const std::string& path, const std::string& etag) {
  constexpr int kNotModified = 304;
  net::HttpRequest request = GetRequest(path);
  if (!etag.empty()) request.headers.emplace_back("If-None-Match", etag);
  SMP_ASSIGN(const net::HttpResponse response, SendRetrying(request, {}));
  if (!etag.empty() && response.status == kNotModified) return Revision{std::nullopt, etag};
  SMP_ASSIGN(Document document, Decode(request, response, {}));
  return Revision{std::move(document), std::string(response.Header("etag"))};
}

Result<Document> Client::SendForObject(const net::HttpRequest& request, const ObjectRef& ref) {
  SMP_ASSIGN(const net::HttpResponse response, SendRetrying(request, ref));
  return DecodeObject(request, response, ref);
}

Result<net::HttpResponse> Client::SendRetrying(const net::HttpRequest& request, const ObjectRef& ref) {
  Result<net::HttpResponse> answer = std::move(SendAllInSilence({request}).front());
  if (answer.ok()) ReportWarnings(*answer, ref);
  return answer;
}

std::vector<Result<net::HttpResponse>> Client::SendAllInSilence(const std::vector<net::HttpRequest>& requests,
                                                                Busy busy) {
  std::vector<Result<net::HttpResponse>> answers = transport_->SendAll(requests);
  if (busy == Busy::kGiveUp) return answers;
  int64_t waited_ms = 0;
  for (int tries = 1;; ++tries) {
    std::vector<size_t> again;
    std::vector<net::HttpRequest> next;
    int64_t wait_ms = 0;
    int busy_status = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
      const std::optional<int64_t> delay_ms = net::RetryDelayMs(requests[i], answers[i], tries);
      if (!delay_ms) continue;
      again.push_back(i);
      next.push_back(requests[i]);
      if (*delay_ms > wait_ms && answers[i].ok()) busy_status = answers[i]->status;
      wait_ms = std::max(wait_ms, *delay_ms);
    }
    waited_ms += wait_ms;
    if (again.empty() || waited_ms > net::kMaxTotalWaitMs) break;
    ReportWait(wait_ms, busy_status);
    if (!hooks_.clock->SleepMs(wait_ms)) break;
    std::vector<Result<net::HttpResponse>> retried = transport_->SendAll(next);
    for (size_t i = 0; i < again.size(); ++i) {
      const bool processed = answers[again[i]].ok() && answers[again[i]]->status >= 500;
      answers[again[i]] = std::move(retried[i]);
      if (processed && answers[again[i]].ok()) answers[again[i]]->resent = true;
    }
  }
  return answers;
}

void Client::ReportWait(int64_t wait_ms, int http_status) {
  if (wait_ms <= net::kLongWaitMs || !hooks_.notice) return;
  const std::lock_guard lock(mutex_);
  if (std::exchange(told_of_wait_, true)) return;
  hooks_.notice(StrCat("the server is busy (", http_status, ") and asked to wait ", wait_ms / 1000, " s"));
}

void Client::ReportWarnings(const net::HttpResponse& response, const ObjectRef& ref) {
  if (!hooks_.warn) return;
  for (const auto& [name, value] : response.headers) {
    if (name != "warning") continue;
    for (const std::string& said : net::ParseWarnings(value)) {
      const std::string text = WithoutSecrets(said, ref);
      const std::lock_guard lock(mutex_);  // also keeps the output of two threads apart
      if (warned_.emplace(ObjectPath(ref), text).second) hooks_.warn(text, ref);
    }
  }
}

}  // namespace smp::kube
