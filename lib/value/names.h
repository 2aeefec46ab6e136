// Order and equality of field names and short texts. Inline for speed: comparisons dominate the time of a merge, and
// for a few bytes a call of the standard library costs more than the comparison.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace smp {

namespace names_internal {

template <class Word>
inline Word BigEndian(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) return word;
  if constexpr (sizeof(Word) == 8) return __builtin_bswap64(word);
  return static_cast<Word>(__builtin_bswap32(static_cast<uint32_t>(word)));
}

inline uint64_t ByteAt(std::string_view text, size_t i) {
  return static_cast<uint64_t>(static_cast<unsigned char>(text[i])) << (8 * (7 - i));
}

// Returns the first eight bytes, padded with zeros, as a number that sorts as the text does. Does not read past the
// end: for short texts the parts overlap, which writes some bytes twice to the same position.
inline uint64_t FirstWord(std::string_view text) {
  const size_t size = text.size();
  if (size >= 8) return BigEndian<uint64_t>(text.data());
  if (size >= 4) {
    const uint64_t head = BigEndian<uint32_t>(text.data());
    const uint64_t tail = BigEndian<uint32_t>(text.data() + size - 4);
    return (head << 32) | (tail << (8 * (8 - size)));
  }
  return size == 0 ? 0 : ByteAt(text, 0) | ByteAt(text, size / 2) | ByteAt(text, size - 1);
}

}  // namespace names_internal

// Same order as a.compare(b): by unsigned bytes.
inline int CompareNames(std::string_view a, std::string_view b) {
  while (true) {
    const uint64_t x = names_internal::FirstWord(a), y = names_internal::FirstWord(b);
    if (x != y) return x < y ? -1 : 1;
    if (a.size() <= 8 || b.size() <= 8) return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
    a.remove_prefix(8);
    b.remove_prefix(8);
  }
}

inline bool SameNames(std::string_view a, std::string_view b) {
  constexpr size_t kLong = 32;  // for longer names the library is faster
  return a.size() == b.size() && (a.size() > kLong ? a == b : CompareNames(a, b) == 0);
}

}  // namespace smp
