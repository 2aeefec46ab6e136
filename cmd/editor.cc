#include "cmd/editor.h"

#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "base/user_programs.h"

namespace smp::cmd {

namespace {

constexpr size_t kMaxEditedBytes = 64UL << 20;

std::vector<std::string> EditorCommand(const std::string& editor, const std::string& path) {
  if (editor.find_first_of("\"'\\") != editor.npos && editor.find(' ') != editor.npos) {
    return UserShellCommand(StrCat(editor, " \"", path, "\""));
  }
  std::vector<std::string> argv;
  for (const std::string_view word : Split(editor, ' ')) argv.emplace_back(word);
  argv.push_back(path);
  return argv;
}

}  // namespace

Result<TemporaryFile> TemporaryFile::Make(std::string_view name) {
  SMP_ASSIGN(TemporaryFolder folder, TemporaryFolder::Make("edit"));
  return TemporaryFile(std::move(folder), std::string(name));
}

Result<std::string> TemporaryFile::Read() const { return ReadWholeFile(path(), kMaxEditedBytes, "the edited file"); }

Status LaunchEditor(const std::string& path) {
  const std::string editor = Environment("KUBE_EDITOR", Environment("EDITOR", DefaultEditor()));
  const Result<int> exit = RunInTerminal(EditorCommand(editor, path), ProcessInterrupt());
  if (!exit.ok() && exit.error().code == ErrorCode::kNotFound) {
    return Error::NotFound(StrCat("unable to launch the editor \"", editor, "\": ", exit.error().message));
  }
  if (!exit.ok()) return exit.error();
  if (*exit == 0) return Ok();
  return Error::InvalidArgument(StrCat("there was a problem with the editor \"", editor, "\": exit status ", *exit));
}

}  // namespace smp::cmd
