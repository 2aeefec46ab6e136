#include "kube/curl_transport.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "base/strings.h"
#include "kube/bearer_token.h"
#include "kube/server_url.h"
#include "kube/signals_blocked.h"
#include "kube/system_ca.h"
#include "kube/tls_errors.h"

namespace smp {
namespace {

constexpr size_t kMaxBodyBytes = 256UL << 20;    // after decompression: a small gzip can grow a thousandfold
constexpr size_t kMaxHeaderBytes = 256UL << 10;  // below libcurl's own 300 KiB, which it reports as a broken connection
constexpr long kConnectTimeoutMs = 10'000;
constexpr int kMaxParallel =
    100;  // streams that libcurl and API servers allow on one connection; more would open others

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { (void)curl_multi_cleanup(multi); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, FreeEasy>;
using Multi = std::unique_ptr<CURLM, FreeMulti>;
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

// The requests of one SendAll, whose caller sleeps until none is left.
struct Batch {
  std::mutex mutex;
  std::condition_variable done;
  size_t left = 0;
};

struct Job {
  const HttpRequest* request = nullptr;  // the caller's; it waits
  Batch* batch = nullptr;
  std::optional<Result<HttpResponse>> answer = std::nullopt;
};

// One request in flight. Its address is known to libcurl.
struct Transfer {
  Easy easy;
  Job* job = nullptr;
  HttpResponse response;
  HeaderList headers;
  std::string url;
  size_t header_bytes = 0;
  std::string_view too_large;  // what of the answer is, in words
  std::array<char, CURL_ERROR_SIZE> error = {};
};

// Settings that every transfer of the connection shares, in the form libcurl wants them.
struct Settings {
  ConnectionConfig config;
  TransportOptions options;
  ServerUrl server;
  std::string url_base;     // "https://name:port/prefix"
  std::string host_header;  // "Host: …" where the name in the URL is not the server's
  HeaderList connect_to;    // to the real host, when tls-server-name stands in the URL
  std::string ca_file;
};

// --- callbacks
// -------------------------------------------------------------------------------------------------------------------

size_t OnBody(char* data, size_t size, size_t count, void* user) {
  auto* transfer = static_cast<Transfer*>(user);
  const size_t bytes = size * count;
  if (transfer->response.body.size() + bytes > kMaxBodyBytes) {
    transfer->too_large = "body of more than 256 MiB";
    return 0;
  }
  transfer->response.body.append(data, bytes);
  return bytes;
}

size_t OnHeader(char* data, size_t size, size_t count, void* user) {
  auto* transfer = static_cast<Transfer*>(user);
  const size_t bytes = size * count;
  transfer->header_bytes += bytes;
  if (transfer->header_bytes > kMaxHeaderBytes) {
    transfer->too_large = "header of more than 256 KiB";
    return 0;
  }
  const std::string_view line = Trim({data, bytes});
  // A status line begins anew: what came before belonged to a 1xx, or to the CONNECT of a proxy.
  if (line.starts_with("HTTP/")) transfer->response.headers.clear();
  const size_t colon = line.find(':');
  if (colon == line.npos || colon == 0) return bytes;
  transfer->response.headers.emplace_back(ToLower(Trim(line.substr(0, colon))), Trim(line.substr(colon + 1)));
  return bytes;
}

// --- options
// ---------------------------------------------------------------------------------------------------------------------

// Sets options and remembers the first that libcurl refused: a security option that is not in force must not go
// unnoticed.
class Setter {
 public:
  explicit Setter(CURL* easy) : easy_(easy) {}
  template <class T>
  void Set(CURLoption option, T value) {
    const CURLcode code = curl_easy_setopt(easy_, option, value);
    if (code != CURLE_OK && first_ == CURLE_OK) first_ = code;
  }
  void SetText(CURLoption option, const std::string& value) { Set(option, value.c_str()); }
  // The bytes are not copied: they are of the Settings, which outlive the handle.
  void SetBlob(CURLoption option, const std::string& bytes) {
    curl_blob blob = {const_cast<char*>(bytes.data()), bytes.size(), CURL_BLOB_NOCOPY};
    Set(option, &blob);
  }
  void SetPem(CURLoption file, CURLoption blob, const Pem& pem) {
    if (!pem.data.empty()) {
      SetBlob(blob, pem.data);
    } else if (!pem.file.empty()) {
      SetText(file, pem.file);
    }
  }
  Status status() const {
    if (first_ == CURLE_OK) return Ok();
    return Error::Internal(StrCat("libcurl ", curl_version_info(CURLVERSION_NOW)->version,
                                  " does not take an option of this connection: ", curl_easy_strerror(first_)));
  }

 private:
  CURL* easy_;
  CURLcode first_ = CURLE_OK;
};

void SetTls(const Settings& settings, Setter& set) {
  const ConnectionConfig& config = settings.config;
  const long verify = config.insecure_skip_tls_verify ? 0 : 1;
  set.Set(CURLOPT_SSL_VERIFYPEER, verify);
  set.Set(CURLOPT_SSL_VERIFYHOST, verify * 2);
  set.Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  // Debian's libcurl trusts /etc/ssl/certs by default, beside whatever CA is given.
  set.Set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
  if (config.certificate_authority.given()) {
    set.SetPem(CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB, config.certificate_authority);
  } else if (!settings.ca_file.empty()) {
    set.SetText(CURLOPT_CAINFO, settings.ca_file);
  }
  set.SetPem(CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, config.client_certificate);
  set.SetPem(CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB, config.client_key);
  // Without it OpenSSL asks for the passphrase of an encrypted key on the terminal; kubectl refuses such keys.
  set.SetText(CURLOPT_KEYPASSWD, "");
}

// What all requests of the connection have in common.
void SetConnection(const Settings& settings, Setter& set) {
  set.Set(CURLOPT_NOSIGNAL, 1L);
  set.Set(CURLOPT_FOLLOWLOCATION, 0L);
  set.Set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set.Set(CURLOPT_PATH_AS_IS, 1L);
  set.Set(CURLOPT_PIPEWAIT, 1L);  // wait for the first connection to say that it multiplexes, then share it
  set.Set(CURLOPT_CONNECTTIMEOUT_MS, kConnectTimeoutMs);
  set.Set(CURLOPT_TIMEOUT_MS, static_cast<long>(settings.config.request_timeout_ms));
  set.Set(CURLOPT_TCP_KEEPALIVE, 1L);
  set.Set(CURLOPT_TCP_KEEPIDLE, 30L);
  set.Set(CURLOPT_TCP_KEEPINTVL, 15L);
  set.SetText(CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl was built with
  set.SetText(CURLOPT_USERAGENT, settings.options.user_agent);
  set.Set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));  // a proxy must not see the bearer token
  if (settings.server.IsLoopback()) set.SetText(CURLOPT_NOPROXY, "*");
  if (settings.connect_to != nullptr) set.Set(CURLOPT_CONNECT_TO, settings.connect_to.get());
  if (settings.server.tls) SetTls(settings, set);
}

void SetBasicAuth(const ConnectionConfig& config, Setter& set) {
  if (config.username.empty() && config.password.empty()) return;
  set.Set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
  set.SetText(CURLOPT_USERNAME, config.username);
  set.SetText(CURLOPT_PASSWORD, config.password);
}

bool AddHeader(HeaderList& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) return false;
  (void)list.release();
  list.reset(longer);
  return true;
}

HeaderList MakeHeaders(const Settings& settings, const HttpRequest& request, const std::string& token) {
  HeaderList list;
  bool ok = AddHeader(list, "Expect:");  // no 100-continue round trip before a body
  if (!settings.host_header.empty()) ok = ok && AddHeader(list, settings.host_header);
  for (const auto& [name, value] : request.headers) ok = ok && AddHeader(list, StrCat(name, ": ", value));
  if (!token.empty()) ok = ok && AddHeader(list, "Authorization: Bearer " + token);
  if (!ok) list.reset();
  return list;
}

void SetMethod(const HttpRequest& request, Setter& set) {
  if (request.body.empty() && request.method != "POST") {
    set.Set(CURLOPT_HTTPGET, 1L);
  } else {
    set.Set(CURLOPT_POST, 1L);
    set.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set.Set(CURLOPT_POSTFIELDS, request.body.data());
  }
  if (request.method != "GET") set.SetText(CURLOPT_CUSTOMREQUEST, request.method);
}

Status Prepare(const Settings& settings, const std::string& token, Transfer& transfer) {
  const HttpRequest& request = *transfer.job->request;
  CURL* easy = transfer.easy.get();
  curl_easy_reset(easy);
  transfer.response = {};
  transfer.header_bytes = 0;
  transfer.too_large = {};
  transfer.error.fill('\0');
  transfer.url = settings.url_base + request.path;
  transfer.headers = MakeHeaders(settings, request, token);
  if (transfer.headers == nullptr) return Error::Internal("out of memory");

  // Not every libcurl has HTTP/2; without it this falls back to HTTP/1.1 and is no error.
  (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  Setter set(easy);
  SetConnection(settings, set);
  if (token.empty() && settings.server.tls) SetBasicAuth(settings.config, set);
  SetMethod(request, set);
  set.SetText(CURLOPT_URL, transfer.url);
  set.Set(CURLOPT_HTTPHEADER, transfer.headers.get());
  set.Set(CURLOPT_ERRORBUFFER, transfer.error.data());
  set.Set(CURLOPT_WRITEFUNCTION, &OnBody);
  set.Set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  set.Set(CURLOPT_HEADERFUNCTION, &OnHeader);
  set.Set(CURLOPT_HEADERDATA, static_cast<void*>(&transfer));
  set.Set(CURLOPT_PRIVATE, static_cast<void*>(&transfer));
  return set.status();
}

// --- answers
// ---------------------------------------------------------------------------------------------------------------------

template <class T>
T Info(CURL* easy, CURLINFO what) {
  T value = {};
  (void)curl_easy_getinfo(easy, what, &value);
  return value;
}

// kubectl's words for any failure below HTTP (StandardErrorMessage in kubectl's cmd/util/helpers.go).
Error Unable(std::string_view why) { return Error::Transport(StrCat("Unable to connect to the server: ", why)); }

// A request that was sent may have been carried out though no answer came.
std::string_view MaybeDone(const HttpRequest& request) {
  return request.method == "GET" ? "" : "; the server may have carried out the request, look before repeating it";
}

Error Reset(const HttpRequest& request, std::string_view detail) {
  Error error = Unable(StrCat("the connection broke before the answer to ", request.method, " ", request.path,
                              " was complete (", detail, ")", MaybeDone(request)));
  error.reason = kConnectionReset;
  return error;
}

Error TimedOut(const Settings& settings, const Transfer& transfer) {
  const ServerUrl& server = settings.server;
  if (Info<curl_off_t>(transfer.easy.get(), CURLINFO_PRETRANSFER_TIME_T) == 0) {
    return Unable(
        StrCat("dial tcp ", server.host, ":", server.port, ": i/o timeout - check the address and the network"));
  }
  const HttpRequest& request = *transfer.job->request;
  return Unable(StrCat("no answer to ", request.method, " ", request.path, " within ",
                       settings.config.request_timeout_ms, " ms (--request-timeout)", MaybeDone(request)));
}

Error CouldNotConnect(const Settings& settings, CURL* easy, std::string_view detail) {
  const ServerUrl& server = settings.server;
  const bool refused = Info<long>(easy, CURLINFO_OS_ERRNO) == ECONNREFUSED || detail.find("refused") != detail.npos;
  if (!refused) return Unable(StrCat("dial tcp ", server.host, ":", server.port, ": ", detail));
  return Error::Transport(StrCat("The connection to the server ", server.HostPort(),
                                 " was refused - did you specify the right host or port?"));
}

Error TooLarge(const HttpRequest& request, std::string_view what) {
  return Error::Transport(
      StrCat("the answer to ", request.method, " ", request.path, " has a ", what, " and was not read to its end"));
}

Error TransferError(const Settings& settings, const Transfer& transfer, CURLcode code) {
  CURL* easy = transfer.easy.get();
  const HttpRequest& request = *transfer.job->request;
  const std::string_view detail = transfer.error[0] != '\0' ? transfer.error.data() : curl_easy_strerror(code);
  const std::string& name = settings.config.tls_server_name;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return Unable(
          StrCat("dial tcp: lookup ", settings.server.host, ": no such host - check the server of the kubeconfig"));
    case CURLE_COULDNT_RESOLVE_PROXY: return Unable(StrCat("proxyconnect tcp: ", detail, " - check HTTPS_PROXY"));
    case CURLE_COULDNT_CONNECT: return CouldNotConnect(settings, easy, detail);
    case CURLE_OPERATION_TIMEDOUT: return TimedOut(settings, transfer);
    case CURLE_PEER_FAILED_VERIFICATION:
      return Unable(CertificateRefused(Info<long>(easy, CURLINFO_SSL_VERIFYRESULT),
                                       name.empty() ? settings.server.host : name, detail));
    case CURLE_SSL_CACERT_BADFILE:
      return Unable(
          StrCat("unable to load root certificates: ", detail, " - check certificate-authority of the cluster"));
    case CURLE_SSL_CERTPROBLEM:
      return Unable(
          StrCat("tls: the client certificate or its key cannot be used: ", detail,
                 " - check client-certificate and client-key of the user (encrypted keys are not supported)"));
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: {
      const std::string alert = AlertMeaning(detail);
      if (!alert.empty()) return Unable(alert);
      if (code == CURLE_SSL_CONNECT_ERROR) return Unable(StrCat("tls: ", detail));
      return Reset(request, detail);
    }
    default: return Unable(detail);
  }
}

std::string_view HttpVersionName(long version) {
  switch (version) {
    case CURL_HTTP_VERSION_1_0: return "HTTP/1.0";
    case CURL_HTTP_VERSION_1_1: return "HTTP/1.1";
    case CURL_HTTP_VERSION_2_0: return "HTTP/2";
    default: return "no HTTP";
  }
}

// "GET https://host/path 200 in 3 milliseconds, HTTP/2, new connection"
std::string LogLine(const Settings& settings, const Transfer& transfer, CURLcode code) {
  CURL* easy = transfer.easy.get();
  const HttpRequest& request = *transfer.job->request;
  const std::string outcome =
      code == CURLE_OK ? std::to_string(Info<long>(easy, CURLINFO_RESPONSE_CODE)) : curl_easy_strerror(code);
  return StrCat(request.method, " ", settings.server.ToString(), request.path, " ", outcome, " in ",
                Info<curl_off_t>(easy, CURLINFO_TOTAL_TIME_T) / 1000, " milliseconds, ",
                HttpVersionName(Info<long>(easy, CURLINFO_HTTP_VERSION)),
                Info<long>(easy, CURLINFO_NUM_CONNECTS) > 0 ? ", new connection" : "");
}

Result<HttpResponse> Answer(const Settings& settings, Transfer& transfer, CURLcode code) {
  if (!transfer.too_large.empty()) return TooLarge(*transfer.job->request, transfer.too_large);
  if (code != CURLE_OK) return TransferError(settings, transfer, code);
  transfer.response.status = static_cast<int>(Info<long>(transfer.easy.get(), CURLINFO_RESPONSE_CODE));
  return std::move(transfer.response);
}

// --- the transport
// ---------------------------------------------------------------------------------------------------------------

void Finish(Job& job, Result<HttpResponse> answer) {
  Batch& batch = *job.batch;
  const std::lock_guard lock(batch.mutex);
  job.answer = std::move(answer);
  // Under the lock: the batch is on the caller's stack and gone as soon as the caller sees that none is left.
  if (--batch.left == 0) batch.done.notify_all();
}

class CurlTransport : public Transport {
 public:
  CurlTransport(Settings settings, Multi multi)
      : settings_(std::move(settings)),
        token_(settings_.config.token, settings_.config.token_file),
        transfers_(static_cast<size_t>(std::clamp(settings_.options.parallel, 1, kMaxParallel))),
        multi_(std::move(multi)) {
    for (Transfer& transfer : transfers_) free_.push_back(&transfer);
    const SignalsBlocked blocked;  // inherited by the thread
    thread_ = std::thread([this] { Run(); });
  }

  ~CurlTransport() override {
    stop_ = true;
    (void)curl_multi_wakeup(multi_.get());
    thread_.join();
  }

  Result<HttpResponse> Send(const HttpRequest& request) override { return std::move(SendAll({request}).front()); }

  std::vector<Result<HttpResponse>> SendAll(const std::vector<HttpRequest>& requests) override {
    Batch batch;
    std::vector<Job> jobs(requests.size());
    for (size_t i = 0; i < requests.size(); ++i) jobs[i] = {&requests[i], &batch};
    batch.left = jobs.size();
    Enqueue(jobs);
    {
      std::unique_lock lock(batch.mutex);
      batch.done.wait(lock, [&] { return batch.left == 0; });
    }
    std::vector<Result<HttpResponse>> answers;
    answers.reserve(jobs.size());
    for (Job& job : jobs) answers.push_back(*std::move(job.answer));
    return answers;
  }

 private:
  void Enqueue(std::vector<Job>& jobs) {
    {
      const std::lock_guard lock(mutex_);
      for (Job& job : jobs) queue_.push_back(&job);
    }
    (void)curl_multi_wakeup(multi_.get());
  }

  Job* Next() {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return nullptr;
    Job* job = queue_.front();
    queue_.pop_front();
    return job;
  }

  // Everything below runs in the thread, which alone touches libcurl's handles (curl_multi_wakeup may be called from
  // anywhere).
  void Run() {
    constexpr int kPollMs = 60'000;  // libcurl shortens it to its own timers
    while (!stop_) {
      StartQueued();
      int running = 0;
      (void)curl_multi_perform(multi_.get(), &running);
      if (FinishDone()) continue;  // places are free again
      (void)curl_multi_poll(multi_.get(), nullptr, 0, kPollMs, nullptr);
    }
  }

  void StartQueued() {
    while (!free_.empty()) {
      Job* job = Next();
      if (job == nullptr) return;
      Transfer* transfer = free_.back();
      transfer->job = job;
      const Status started = Start(*transfer);
      if (started.ok()) {
        free_.pop_back();
      } else {
        Finish(*job, started.error());
      }
    }
  }

  Status Start(Transfer& transfer) {
    if (transfer.easy == nullptr) transfer.easy.reset(curl_easy_init());
    if (transfer.easy == nullptr) return Error::Internal("libcurl cannot make a handle");
    std::string token;
    if (settings_.server.tls) {
      SMP_ASSIGN(token, token_.Get(std::chrono::steady_clock::now()));
    }
    SMP_TRY(Prepare(settings_, token, transfer));
    const CURLMcode code = curl_multi_add_handle(multi_.get(), transfer.easy.get());
    if (code != CURLM_OK) return Error::Internal(StrCat("libcurl: ", curl_multi_strerror(code)));
    return Ok();
  }

  bool FinishDone() {
    bool any = false;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* easy = message->easy_handle;
      const CURLcode code = message->data.result;  // `message` dies with the removal
      auto* transfer = static_cast<Transfer*>(static_cast<void*>(Info<char*>(easy, CURLINFO_PRIVATE)));
      (void)curl_multi_remove_handle(multi_.get(), easy);
      if (settings_.options.log) settings_.options.log(LogLine(settings_, *transfer, code));
      Job* job = transfer->job;
      Result<HttpResponse> answer = Answer(settings_, *transfer, code);
      free_.push_back(transfer);
      Finish(*job, std::move(answer));
      any = true;
    }
    return any;
  }

  const Settings settings_;
  BearerToken token_;
  std::vector<Transfer> transfers_;  // no one waits for an answer any more when they are freed, so none is in the multi
  std::vector<Transfer*> free_;
  Multi multi_;
  std::mutex mutex_;
  std::deque<Job*> queue_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

Status GlobalInit() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);  // once, and safe from several threads
  if (code == CURLE_OK) return Ok();
  return Error::Internal(StrCat("libcurl cannot start: ", curl_easy_strerror(code)));
}

// tls-server-name: libcurl takes the name to check (and for SNI) from the URL, so the name stands there and
// CURLOPT_CONNECT_TO leads to the real host. The Host header stays the real one, as in client-go.
Status SetUrlBase(Settings& settings) {
  const ServerUrl& server = settings.server;
  const std::string& name = settings.config.tls_server_name;
  settings.url_base = server.ToString();
  if (!server.tls || name.empty()) return Ok();
  const std::string host = name.find(':') == name.npos ? name : "[" + name + "]";
  Result<ServerUrl> url = ParseServerUrl(StrCat("https://", host, ":", server.port, server.prefix));
  if (!url.ok() || url->host != host)
    return Error::InvalidArgument(StrCat("tls-server-name \"", name, "\" is no host name"));
  settings.url_base = url->ToString();
  settings.host_header = "Host: " + server.HostPort();
  const bool ok = AddHeader(settings.connect_to, StrCat(url->host, ":", url->port, ":", server.host, ":", server.port));
  return ok ? Ok() : Status(Error::Internal("out of memory"));
}

}  // namespace

Result<std::unique_ptr<Transport>> MakeCurlTransport(const ConnectionConfig& config, const TransportOptions& options) {
  SMP_TRY(GlobalInit());
  Settings settings{.config = config, .options = options};
  if (settings.options.user_agent.empty()) settings.options.user_agent = "kubectl-smp";
  SMP_ASSIGN(settings.server, ParseServerUrl(config.server));
  SMP_TRY(SetUrlBase(settings));
  settings.ca_file = SystemCaFile();
  if (settings.server.tls) {
    BearerToken token(config.token, config.token_file);
    SMP_TRY(token.Get(std::chrono::steady_clock::now()));
  }
  Multi multi(curl_multi_init());
  if (multi == nullptr) return Error::Internal("libcurl cannot make a handle");
  (void)curl_multi_setopt(multi.get(), CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
  std::unique_ptr<Transport> transport = std::make_unique<CurlTransport>(std::move(settings), std::move(multi));
  return transport;
}

}  // namespace smp
