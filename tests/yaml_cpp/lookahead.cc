#include "yaml_cpp/lookahead.h"

#include <algorithm>

namespace smp::yaml_cpp {

namespace {

constexpr size_t kWindow = 16UL << 10;

bool IsSign(char c) {
  switch (c) {
    case '[':
    case ']':
    case '{':
    case '}':
    case ',':
    case ':':
    case '?':
    case '&':
    case '*':
    case '!':
    case '"':
    case '\'': return true;
    default: return false;
  }
}

}  // namespace

LookaheadBuffer::int_type LookaheadBuffer::underflow() {
  if (events_ != seen_) {
    place_of_event_ = next_;
    signs_ = 0;
  }
  seen_ = events_;
  exceeded_ |= next_ - place_of_event_ >= kMaxLookahead || signs_ >= kMaxLookaheadSigns;
  if (exceeded_ || next_ == text_.size()) return traits_type::eof();
  const std::string_view window = text_.substr(next_, kWindow);
  signs_ += static_cast<size_t>(std::count_if(window.begin(), window.end(), IsSign));
  char* begin = const_cast<char*>(window.data());  // never written to
  setg(begin, begin, begin + window.size());
  next_ += window.size();
  return traits_type::to_int_type(*begin);
}

}  // namespace smp::yaml_cpp
