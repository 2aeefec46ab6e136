#include "base/read_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/strings.h"

namespace smp {
namespace {

struct Close {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};

Error CannotRead(const std::string& file, std::string_view what, int number) {
  const bool missing = number == ENOENT || number == ENOTDIR;
  const std::string message = StrCat("unable to read ", what, " ", file, ": ", std::strerror(number));
  return missing ? Error::NotFound(message) : Error::InvalidArgument(message);
}

}  // namespace

Result<std::string> ReadWholeFile(const std::string& file, size_t max_bytes, std::string_view what) {
  errno = 0;
  const std::unique_ptr<std::FILE, Close> in(std::fopen(file.c_str(), "rb"));
  if (in == nullptr) return CannotRead(file, what, errno);
  std::string text;
  char block[16384];
  while (const size_t got = std::fread(block, 1, sizeof block, in.get())) {
    if (text.size() + got > max_bytes) {
      return Error::InvalidArgument(StrCat(what, " ", file, " is larger than ", max_bytes, " bytes"));
    }
    text.append(block, got);
  }
  if (std::ferror(in.get()) != 0) return CannotRead(file, what, errno);
  return text;
}

Result<std::string> ReadStream(std::istream& in, size_t max_bytes, std::string_view what) {
  std::string text;
  char block[16384];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    text.append(block, static_cast<size_t>(in.gcount()));
    if (text.size() > max_bytes)
      return Error::InvalidArgument(StrCat(what, " is larger than ", max_bytes >> 20, " MiB"));
  }
  if (in.bad()) return Error::InvalidArgument(StrCat("cannot read ", what));
  return text;
}

std::optional<std::chrono::sys_seconds> ModificationTime(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(found.st_mtime));
}

}  // namespace smp
