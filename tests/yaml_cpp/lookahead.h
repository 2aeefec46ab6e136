// The text of a document as a stream for yaml-cpp, which keeps every token from the beginning of a flow collection or
// scalar to its end, some 250 bytes for each, and hands out none before. So it is given no more than the limits below
// without an event.
#pragma once

#include <cstddef>
#include <streambuf>
#include <string_view>

namespace smp::yaml_cpp {

inline constexpr size_t kMaxLookahead = 32UL << 20;      // bytes; some six times as much memory
inline constexpr size_t kMaxLookaheadSigns = 3UL << 20;  // of those that may begin or end a token

class LookaheadBuffer : public std::streambuf {
 public:
  // `events`: grows with what was handed out so far.
  LookaheadBuffer(std::string_view text, const size_t& events) : text_(text), events_(events) {}

  bool exceeded() const { return exceeded_; }
  size_t place() const { return place_of_event_; }  // about where it began

 protected:
  int_type underflow() override;

 private:
  std::string_view text_;
  const size_t& events_;
  size_t seen_ = 0;
  size_t next_ = 0;
  size_t place_of_event_ = 0;
  size_t signs_ = 0;  // since then
  bool exceeded_ = false;
};

}  // namespace smp::yaml_cpp
