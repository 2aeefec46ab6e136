#include <algorithm>
#include <array>
#include <iostream>
#include <streambuf>

#include "base/windows_api.h"
#include "base/windows_console.h"

namespace smp {

namespace {

bool IsHighSurrogate(wchar_t unit) { return unit >= 0xD800 && unit < 0xDC00; }

// Returns the size of the text without the UTF-8 character that ends beyond it.
size_t WholeCharacters(std::string_view text) {
  constexpr size_t kLongestPart = 3;
  for (size_t part = 1; part <= std::min(kLongestPart, text.size()); ++part) {
    const auto byte = static_cast<unsigned char>(text[text.size() - part]);
    if ((byte & 0xC0U) == 0x80) continue;  // not its first byte
    const size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return size > part ? text.size() - part : text.size();
  }
  return text.size();
}

bool WriteUnits(HANDLE console, std::wstring_view text) {
  constexpr size_t kMostAtOnce = 8192;  // older consoles take 64 KiB at most
  while (!text.empty()) {
    size_t size = std::min(text.size(), kMostAtOnce);
    if (size < text.size() && IsHighSurrogate(text[size - 1])) --size;
    DWORD written = 0;
    if (WriteConsoleW(console, text.data(), static_cast<DWORD>(size), &written, nullptr) == 0 || written == 0) {
      return false;
    }
    text.remove_prefix(written);
  }
  return true;
}

// Writes whole lines; the rest waits until the stream is flushed.
class ConsoleOutput : public std::streambuf {
 public:
  explicit ConsoleOutput(HANDLE console) : console_(console) {}

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char text = traits_type::to_char_type(c);
    return xsputn(&text, 1) == 1 ? c : traits_type::eof();
  }

  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::string_view added(text, static_cast<size_t>(size));
    const size_t end = added.rfind('\n');
    const size_t lines = end == added.npos ? 0 : waiting_.size() + end + 1;
    waiting_ += added;
    return Write(lines) ? size : 0;
  }

  int sync() override { return Write(WholeCharacters(waiting_)) ? 0 : -1; }

 private:
  bool Write(size_t bytes) {
    const std::wstring text = Wide(std::string_view(waiting_).substr(0, bytes));
    waiting_.erase(0, bytes);
    return WriteUnits(console_, text);
  }

  HANDLE console_;
  std::string waiting_;
};

// Reads lines. One that begins with Ctrl-Z is the end, as for other programs.
class ConsoleInput : public std::streambuf {
 public:
  explicit ConsoleInput(HANDLE console) : console_(console) {}

 protected:
  int_type underflow() override {
    constexpr DWORD kMostUnits = 4096;
    std::array<wchar_t, kMostUnits + 1> line = {};
    DWORD size = 0;
    if (ReadConsoleW(console_, line.data(), kMostUnits, &size, nullptr) == 0 || size == 0) {
      AwaitHandler(GetLastError());
      return traits_type::eof();
    }
    constexpr wchar_t kEnd = L'\x1A';
    if (line[0] == kEnd) return traits_type::eof();
    DWORD rest = 0;
    if (IsHighSurrogate(line[size - 1])) (void)ReadConsoleW(console_, line.data() + size, 1, &rest, nullptr);
    text_ = Narrow({line.data(), size + rest});
    setg(text_.data(), text_.data(), text_.data() + text_.size());
    return traits_type::to_int_type(text_.front());
  }

 private:
  // Ctrl-C ends a read, and its handler runs in another thread: whoever looks why there was no answer must find it done.
  static void AwaitHandler(DWORD why) {
    constexpr DWORD kLongEnoughMs = 100;
    if (why == ERROR_OPERATION_ABORTED) Sleep(kLongEnoughMs);
  }

  HANDLE console_;
  std::string text_;
};

// The buffer is for as long as the program runs: the streams are flushed when it has ended.
template <class Buffer>
void UseConsoleFor(std::ios& stream, DWORD standard) {
  HANDLE const handle = GetStdHandle(standard);
  DWORD mode = 0;
  if (GetConsoleMode(handle, &mode) != 0) (void)stream.rdbuf(new Buffer(handle));
}

}  // namespace

void UseConsole() {
  UseConsoleFor<ConsoleInput>(std::cin, STD_INPUT_HANDLE);
  UseConsoleFor<ConsoleOutput>(std::cout, STD_OUTPUT_HANDLE);
  UseConsoleFor<ConsoleOutput>(std::cerr, STD_ERROR_HANDLE);
}

}  // namespace smp
