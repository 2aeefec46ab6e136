// A server on loopback that says exactly the bytes it is told, to see what the transport makes of broken answers.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/strings.h"

namespace smp::net {

// One connection after the other. The n-th answer of the script is sent after the n-th request (its head and, by
// Content-Length, its body) has come in; after the last, and after an answer that is `closing`, the connection is
// closed.
class RawServer {
 public:
  enum class After { kKeep, kClose };
  struct Answer {
    std::string bytes;
    After after = After::kClose;
    int pause_ms = 0;  // before each byte
  };

  explicit RawServer(std::deque<Answer> script) : script_(std::move(script)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    ok_ =
        ::bind(listener_, raw, size) == 0 && ::listen(listener_, 16) == 0 && ::getsockname(listener_, raw, &size) == 0;
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~RawServer() {
    stop_ = true;
    thread_.join();
    ::close(listener_);
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  bool ok() const { return ok_; }
  std::string HostPort() const { return StrCat("127.0.0.1:", port_); }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  bool Readable(int fd) const {
    while (!stop_) {
      pollfd event = {fd, POLLIN, 0};
      if (::poll(&event, 1, 20) > 0) return true;
    }
    return false;
  }

  static bool Complete(const std::string& request) {
    const size_t head = request.find("\r\n\r\n");
    if (head == std::string::npos) return false;
    const size_t at = request.find("Content-Length: ");
    const size_t length = at < head ? std::stoul(request.substr(at + 16)) : 0;
    return request.size() >= head + 4 + length;
  }

  // "" when the other side has closed.
  std::string ReadRequest(int fd) const {
    std::string request;
    char block[4096];
    while (!Complete(request) && Readable(fd)) {
      const ssize_t got = ::recv(fd, block, sizeof block, 0);
      if (got <= 0) return {};
      request.append(block, static_cast<size_t>(got));
    }
    return request;
  }

  void Send(int fd, const Answer& answer) const {
    const size_t piece = answer.pause_ms > 0 ? 1 : std::max<size_t>(answer.bytes.size(), 1);
    for (size_t at = 0; at < answer.bytes.size() && !stop_; at += piece) {
      if (answer.pause_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(answer.pause_ms));
      if (::send(fd, answer.bytes.data() + at, piece, MSG_NOSIGNAL) < 0) return;
    }
  }

  void ServeConnection(int fd) {
    while (!stop_ && !script_.empty()) {
      std::string request = ReadRequest(fd);
      if (request.empty()) return;
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(std::move(request));
      }
      const Answer answer = script_.front();
      script_.pop_front();
      Send(fd, answer);
      if (answer.after == After::kClose) return;
    }
  }

  void Serve() {
    while (Readable(listener_)) {
      const int fd = ::accept(listener_, nullptr, nullptr);
      ServeConnection(fd);
      ::close(fd);
    }
  }

  std::deque<Answer> script_;
  int listener_ = -1;
  int port_ = 0;
  bool ok_ = false;
  std::atomic<bool> stop_ = false;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace smp::net
