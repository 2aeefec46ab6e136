// Reads a gzip stream (RFC 1952) as it comes, one or several members of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace smp {

class Gunzip {
 public:
  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  enum class Outcome { kRead, kDamaged, kTooLong };
  // Appends to `out` what the next bytes of the stream stand for. kTooLong: `out` would have more than `most` bytes. After another outcome
  // than kRead, nothing more can be read.
  Outcome Read(std::string_view bytes, size_t most, std::string& out);

  // Returns false within a member, as its end, with the checksum, has not come.
  bool IsWhole() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace smp
