#include "net/paced_transport.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace smp::net {

namespace {

class PacedTransport : public Transport {
 public:
  PacedTransport(std::unique_ptr<Transport> inner, double qps, Clock& clock)
      : inner_(std::move(inner)), pause_ms_(1000.0 / qps), clock_(clock) {}

  Result<HttpResponse> Send(const HttpRequest& request) override {
    AwaitTurn();
    return inner_->Send(request);
  }

 private:
  // Each request gets its own time slot, in order of arrival.
  void AwaitTurn() {
    double turn_ms = 0;
    const auto now_ms = static_cast<double>(clock_.NowMs());
    {
      const std::lock_guard lock(mutex_);
      turn_ms = std::max(next_ms_, now_ms);
      next_ms_ = turn_ms + pause_ms_;
    }
    if (turn_ms > now_ms) (void)clock_.SleepMs(static_cast<int64_t>(turn_ms - now_ms));
  }

  const std::unique_ptr<Transport> inner_;
  const double pause_ms_;
  Clock& clock_;
  std::mutex mutex_;
  double next_ms_ = 0;
};

}  // namespace

std::unique_ptr<Transport> PaceTransport(std::unique_ptr<Transport> transport, double qps, Clock& clock) {
  return std::make_unique<PacedTransport>(std::move(transport), qps, clock);
}

}  // namespace smp::net
