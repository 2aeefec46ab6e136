#include "base/packed_text.h"

#include <zlib.h>

#include <cstdlib>

namespace smp {

std::string Unpacked(std::string_view deflated, size_t size) {
  constexpr int kNoHeader = -15;  // and a window of 2^15 bytes
  std::string out(size, '\0');
  z_stream stream = {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(deflated.data()));
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(size);
  if (inflateInit2(&stream, kNoHeader) != Z_OK) std::abort();
  const int status = inflate(&stream, Z_FINISH);
  if (status != Z_STREAM_END || stream.avail_out != 0) std::abort();
  inflateEnd(&stream);
  return out;
}

}  // namespace smp
