#include "base/gunzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace smp {

struct Gunzip::State {
  z_stream stream = {};
  bool is_whole = true;
};

Gunzip::Gunzip() : state_(std::make_unique<State>()) {
  constexpr int kGzipAlone = 16 + MAX_WBITS;
  if (inflateInit2(&state_->stream, kGzipAlone) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() { inflateEnd(&state_->stream); }

bool Gunzip::IsWhole() const { return state_->is_whole; }

Gunzip::Outcome Gunzip::Read(std::string_view bytes, size_t most, std::string& out) {
  std::array<char, 32 << 10> made;
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  do {
    if (state_->is_whole && stream.avail_in > 0) {
      inflateReset(&stream);
      state_->is_whole = false;
    }
    stream.next_out = reinterpret_cast<Bytef*>(made.data());
    stream.avail_out = static_cast<uInt>(made.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    // Z_BUF_ERROR: there is nothing to do without more bytes.
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return Outcome::kDamaged;
    const size_t size = made.size() - stream.avail_out;
    if (size > most - std::min(most, out.size())) return Outcome::kTooLong;
    out.append(made.data(), size);
    if (status == Z_STREAM_END) state_->is_whole = true;
  } while (stream.avail_in > 0 || (stream.avail_out == 0 && !state_->is_whole));
  return Outcome::kRead;
}

}  // namespace smp
