#include "net/curl_transport.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "base/signals_blocked.h"
#include "base/strings.h"
#include "net/curl_answer.h"
#include "net/curl_handle.h"
#include "net/curl_options.h"

namespace smp::net {
namespace {

// Streams that libcurl and API servers allow on one connection; more would open other connections.
constexpr int kMaxParallel = 100;

// The requests of one SendAll, whose caller sleeps until `left`, the number of unanswered requests, is 0.
struct Batch {
  std::mutex mutex;
  std::condition_variable done;
  size_t left = 0;
};

struct Job {
  const HttpRequest* request = nullptr;  // owned by the waiting caller
  Batch* batch = nullptr;
  std::optional<Result<HttpResponse>> answer = std::nullopt;
};

struct Slot {
  Transfer transfer;
  Job* job = nullptr;
};

void Finish(Job& job, Result<HttpResponse> answer) {
  Batch& batch = *job.batch;
  const std::lock_guard lock(batch.mutex);
  job.answer = std::move(answer);
  // Notify under the lock: the batch is on the caller's stack, and destroyed as soon as the caller sees left == 0.
  if (--batch.left == 0) batch.done.notify_all();
}

class CurlTransport : public Transport {
 public:
  CurlTransport(CurlSettings settings, Multi multi)
      : settings_(std::move(settings)),
        slots_(static_cast<size_t>(std::clamp(settings_.options.parallel, 1, kMaxParallel))),
        multi_(std::move(multi)) {
    for (Slot& slot : slots_) free_.push_back(&slot);
    const SignalsBlocked blocked;  // inherited by the thread
    thread_ = std::thread([this] { Run(); });
  }

  ~CurlTransport() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      (void)curl_multi_wakeup(multi_.get());  // under the lock: the thread frees the handle as soon as it sees stop_
    }
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
    const std::lock_guard lock(mutex_);
    for (Job& job : jobs) queue_.push_back(&job);
    (void)curl_multi_wakeup(multi_.get());
  }

  // While large bodies come and go on one connection, each part of them wakes the thread up, and libcurl then asks the system about
  // every transfer: two thirds of the CPU time of a first apply of 60 CRDs. A short pause lets more parts come together. Small requests
  // end in fewer rounds, and are not delayed.
  static constexpr int kRoundsOfSmall = 8;
  static constexpr size_t kMany = 4;
  static constexpr std::chrono::milliseconds kPause{1};

  Job* Next() {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return nullptr;
    Job* job = queue_.front();
    queue_.pop_front();
    return job;
  }

  bool Stopped() {
    const std::lock_guard lock(mutex_);
    return stop_;
  }

  // Everything below runs in thread_, the only one that uses libcurl's handles (except for curl_multi_wakeup, which any
  // thread may call).
  void Run() {
    constexpr int kPollMs = 60'000;  // libcurl wakes up earlier for its own timers
    int rounds = 0;                  // since a transfer ended
    while (!Stopped()) {
      StartQueued();
      int running = 0;
      (void)curl_multi_perform(multi_.get(), &running);
      if (FinishDone()) {
        rounds = 0;
        continue;  // start waiting requests in the freed slots
      }
      (void)curl_multi_poll(multi_.get(), nullptr, 0, kPollMs, nullptr);
      if (++rounds > kRoundsOfSmall && in_flight_.size() >= kMany) std::this_thread::sleep_for(kPause);
    }
    // No caller is waiting, so `multi_` has no transfers. Free the handles in this thread, because closing a TLS
    // connection writes to it, and only this thread blocks SIGPIPE.
    slots_.clear();
    multi_.reset();
  }

  void StartQueued() {
    while (!free_.empty()) {
      Job* job = Next();
      if (job == nullptr) return;
      Slot* slot = free_.back();
      slot->job = job;
      slot->transfer.request = job->request;
      const Status started = Start(slot->transfer);
      if (started.ok()) {
        free_.pop_back();
        in_flight_[slot->transfer.easy.get()] = slot;
      } else {
        Finish(*job, started.error());
      }
    }
  }

  Status Start(Transfer& transfer) {
    transfer.easy.reset(curl_easy_init());  // a used handle does not take CURLOPT_BUFFERSIZE again
    if (transfer.easy == nullptr) return Error::Internal("libcurl cannot create a handle");
    SMP_TRY(PrepareTransfer(settings_, transfer));
    const CURLMcode code = curl_multi_add_handle(multi_.get(), transfer.easy.get());
    if (code != CURLM_OK) return Error::Internal(StrCat("libcurl: ", curl_multi_strerror(code)));
    return Ok();
  }

  bool FinishDone() {
    bool any = false;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const auto at = in_flight_.find(message->easy_handle);
      const CURLcode code = message->data.result;  // `message` is invalid after the removal
      (void)curl_multi_remove_handle(multi_.get(), message->easy_handle);
      Slot* slot = at->second;
      in_flight_.erase(at);
      if (settings_.options.log) settings_.options.log(LogLineOf(settings_, slot->transfer, code));
      Result<HttpResponse> answer = AnswerOf(settings_, slot->transfer, code);
      free_.push_back(slot);
      Finish(*slot->job, std::move(answer));
      any = true;
    }
    return any;
  }

  const CurlSettings settings_;
  std::vector<Slot> slots_;
  std::vector<Slot*> free_;
  std::unordered_map<CURL*, Slot*> in_flight_;
  Multi multi_;
  std::mutex mutex_;
  std::deque<Job*> queue_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace

Status CheckConnection(const Endpoint& endpoint) {
  SMP_TRY(MakeCurlSettings(endpoint, {}));
  return Ok();
}

Result<std::unique_ptr<Transport>> MakeCurlTransport(const Endpoint& endpoint, const TransportOptions& options) {
  SMP_TRY(InitCurl());
  SMP_ASSIGN(CurlSettings settings, MakeCurlSettings(endpoint, options));
  Multi multi(curl_multi_init());
  if (multi == nullptr) return Error::Internal("libcurl cannot create a handle");
  // Without the file that wakes it up, the thread would begin each request up to a minute late.
  if (curl_multi_wakeup(multi.get()) != CURLM_OK) {
    return Error::Transport("cannot connect to the server: too many open files (see ulimit -n)");
  }
  (void)curl_multi_setopt(multi.get(), CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
  try {
    std::unique_ptr<Transport> transport = std::make_unique<CurlTransport>(std::move(settings), std::move(multi));
    return transport;
  } catch (const std::system_error& error) {
    return Error::Internal(StrCat("cannot start a thread: ", error.what()));
  }
}

}  // namespace smp::net
