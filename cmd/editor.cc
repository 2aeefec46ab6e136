#include "cmd/editor.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>  // mkdtemp, on macOS

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/strings.h"

namespace smp::cmd {

namespace {

constexpr size_t kMaxEditedBytes = 64UL << 20;

std::vector<std::string> EditorCommand(const std::string& editor, const std::string& path) {
  if (editor.find_first_of("\"'\\") != editor.npos && editor.find(' ') != editor.npos) {
    return {Environment("SHELL", "/bin/bash"), "-c", StrCat(editor, " \"", path, "\"")};
  }
  std::vector<std::string> argv;
  for (const std::string_view word : Split(editor, ' ')) argv.emplace_back(word);
  argv.push_back(path);
  return argv;
}

}  // namespace

Result<TemporaryFile> TemporaryFile::Make(std::string_view name) {
  std::string folder = StrCat(Environment("TMPDIR", "/tmp"), "/kubectl-smp-edit-XXXXXX");
  if (mkdtemp(folder.data()) == nullptr) {
    return Error::InvalidArgument(StrCat("cannot create a temporary directory ", folder, ": ", std::strerror(errno)));
  }
  std::string path = StrCat(folder, "/", name);
  return TemporaryFile(std::move(folder), std::move(path));
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(std::exchange(other.folder_, "")), path_(std::move(other.path_)) {}

TemporaryFile::~TemporaryFile() {
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Status TemporaryFile::Write(std::string_view text) const {
  const mode_t before = umask(S_IRWXG | S_IRWXO);
  std::ofstream file(path_, std::ios::binary | std::ios::trunc);
  (void)umask(before);
  file << text;
  file.close();
  return file ? Ok() : Status(Error::InvalidArgument("cannot write " + path_));
}

Result<std::string> TemporaryFile::Read() const { return ReadWholeFile(path_, kMaxEditedBytes, "the edited file"); }

Status LaunchEditor(const std::string& path) {
  const std::string editor = Environment("KUBE_EDITOR", Environment("EDITOR", "vi"));
  const Result<int> exit = RunInTerminal(EditorCommand(editor, path));
  if (!exit.ok() && exit.error().code == ErrorCode::kNotFound) {
    return Error::NotFound(StrCat("unable to launch the editor \"", editor, "\": ", exit.error().message));
  }
  if (!exit.ok()) return exit.error();
  if (*exit == 0) return Ok();
  return Error::InvalidArgument(StrCat("there was a problem with the editor \"", editor, "\": exit status ", *exit));
}

}  // namespace smp::cmd
