#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/child.h"
#include "base/path_syntax.h"
#include "base/process.h"
#include "base/strings.h"
#include "base/windows_api.h"

namespace smp {

namespace {

// --- the command line, which a program splits into words itself

// Quotes a word for programs that split as Microsoft's C library does.
std::string QuotedWord(std::string_view word) {
  if (!word.empty() && word.find_first_of(" \t\n\v\"") == word.npos) return std::string(word);
  std::string out = "\"";
  size_t backslashes = 0;  // just before: they count twice before a quote
  for (const char c : word) {
    if (c == '"') out += std::string(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    out += c;
  }
  return StrCat(out, std::string(backslashes, '\\'), "\"");
}

std::string ExtensionOf(std::string_view program) {
  const size_t dot = program.find_last_of(".\\/");
  return dot == program.npos || program[dot] != '.' ? "" : ToLower(program.substr(dot));
}

// Batch files are read by cmd.exe, which splits by other rules, and replaces variables even within quotes.
bool IsSafeForBatch(std::string_view word) { return word.find_first_of("\"%&|<>^!()\r\n") == word.npos; }

// ShellCommand() has one text for cmd.exe, which takes all between the first and the last quote as it is.
bool IsShell(const std::vector<std::string>& argv) {
  return argv.size() == 3 && argv[0] == "cmd.exe" && argv[1] == "/c";
}

Result<std::string> CommandLine(const std::string& program, const std::vector<std::string>& argv) {
  if (IsShell(argv)) return StrCat(QuotedWord(program), " /d /s /c \"", argv[2], "\"");
  const std::string extension = ExtensionOf(program);
  const bool batch = extension == ".bat" || extension == ".cmd";
  std::string out = QuotedWord(program);
  for (size_t i = 1; i < argv.size(); ++i) {
    if (batch && !IsSafeForBatch(argv[i])) {
      return Error::InvalidArgument(StrCat("cannot run ", argv[0], ": the argument ", argv[i],
                                           " has characters that a batch file may take for commands"));
    }
    out += StrCat(" ", QuotedWord(argv[i]));
  }
  return out;
}

// --- the environment

// Names of variables are equal whatever their case.
bool IsNamed(std::wstring_view entry, std::string_view name) {
  const std::wstring wanted = Wide(name);
  const size_t equals = entry.find(L'=', 1);  // names of drives' folders begin with =
  return equals != entry.npos && CompareStringOrdinal(entry.data(), static_cast<int>(equals), wanted.data(),
                                                      static_cast<int>(wanted.size()), TRUE) == CSTR_EQUAL;
}

void RemoveNamed(std::vector<std::wstring>& entries, std::string_view name) {
  std::erase_if(entries, [&](const std::wstring& entry) { return IsNamed(entry, name); });
}

// Returns the block that CreateProcess takes: entries that end in a null, and one more.
std::wstring EnvironmentBlock(const ChildSetup& setup) {
  std::vector<std::wstring> entries;
  wchar_t* const ours = GetEnvironmentStringsW();
  for (const wchar_t* at = ours; at != nullptr && *at != L'\0'; at += entries.back().size() + 1)
    entries.emplace_back(at);
  (void)FreeEnvironmentStringsW(ours);
  for (const std::string& name : setup.removed_variables) RemoveNamed(entries, name);
  for (const auto& [name, value] : setup.environment) {
    RemoveNamed(entries, name);
    entries.push_back(Wide(StrCat(name, "=", value)));
  }
  std::wstring block;
  for (const std::wstring& entry : entries) block.append(entry).push_back(L'\0');
  return block + L'\0';
}

// --- handles

struct WindowsPipe {
  Handle read;
  Handle write;
};

Result<WindowsPipe> MakeWindowsPipe() {
  constexpr DWORD kBytes = 1UL << 16;
  HANDLE read = nullptr, write = nullptr;
  if (CreatePipe(&read, &write, nullptr, kBytes) != 0) return WindowsPipe{Handle(read), Handle(write)};
  return Error::InvalidArgument(StrCat("cannot create a pipe: ", WindowsMessage(GetLastError())));
}

// Returns a copy that the child inherits; closed if there is nothing to copy.
Handle Inheritable(HANDLE handle) {
  HANDLE copy = nullptr;
  if (handle == nullptr || handle == INVALID_HANDLE_VALUE) return Handle();
  const HANDLE self = GetCurrentProcess();
  (void)DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS);
  return Handle(copy);
}

Handle OpenNothing() {
  return Handle(
      CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr));
}

// The list of handles that a child inherits: other threads may have inheritable ones for their own children.
class HandleList {
 public:
  explicit HandleList(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
    SIZE_T size = 0;
    (void)InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    (void)InitializeProcThreadAttributeList(get(), 1, 0, &size);
    (void)UpdateProcThreadAttribute(get(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                    handles_.size() * sizeof(HANDLE), nullptr, nullptr);
  }
  ~HandleList() { DeleteProcThreadAttributeList(get()); }
  HandleList(const HandleList&) = delete;
  HandleList& operator=(const HandleList&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST get() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

 private:
  std::vector<HANDLE> handles_;
  std::vector<char> memory_;
};

// The standard streams of a child, as it inherits them.
struct ChildStreams {
  Handle input, output, errors;

  std::vector<HANDLE> Open() const {
    std::vector<HANDLE> out;
    for (const Handle* stream : {&input, &output, &errors}) {
      if (stream->open()) out.push_back(stream->get());
    }
    return out;
  }
};

Error CannotRunOnWindows(const std::string& program, DWORD number) {
  const std::string message = StrCat("cannot run ", program, ": ", WindowsMessage(number));
  const bool missing = number == ERROR_FILE_NOT_FOUND || number == ERROR_PATH_NOT_FOUND;
  return missing ? Error::NotFound(message) : Error::InvalidArgument(message);
}

Result<Handle> StartProcess(const std::string& program, const ChildSetup& setup, const ChildStreams& streams) {
  SMP_ASSIGN(const std::string line, CommandLine(program, setup.argv));
  HandleList inherited(streams.Open());
  STARTUPINFOEXW info = {};
  info.StartupInfo.cb = sizeof info;
  info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  info.StartupInfo.hStdInput = streams.input.get();
  info.StartupInfo.hStdOutput = streams.output.get();
  info.StartupInfo.hStdError = streams.errors.get();
  info.lpAttributeList = inherited.get();
  std::wstring wide_line = Wide(line), environment = EnvironmentBlock(setup);
  const std::wstring folder = Wide(setup.folder);
  PROCESS_INFORMATION started = {};
  constexpr DWORD kFlags = EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT;
  if (CreateProcessW(Wide(program).c_str(), wide_line.data(), nullptr, nullptr, TRUE, kFlags, environment.data(),
                     folder.empty() ? nullptr : folder.c_str(), &info.StartupInfo, &started) == 0) {
    return CannotRunOnWindows(program, GetLastError());
  }
  const Handle thread(started.hThread);
  return Handle(started.hProcess);
}

// --- the child

class WindowsChild : public Child {
 public:
  Status Start(const ChildSetup& setup) {
    SMP_ASSIGN(const std::string program, FindProgram(setup.argv.front()));
    ChildStreams streams;
    SMP_TRY(PrepareInput(setup, streams.input));
    SMP_TRY(PrepareOutput(setup.output, STD_OUTPUT_HANDLE, streams.output, output_));
    SMP_TRY(PrepareOutput(setup.errors, STD_ERROR_HANDLE, streams.errors, errors_));
    SMP_ASSIGN(process_, StartProcess(program, setup, streams));
    return Ok();
  }

  bool takes_input() const override { return input_.open(); }
  bool gives_output() const override { return output_.open() || errors_.open(); }

  void Feed(std::string_view& text) override {
    while (!text.empty()) {
      constexpr size_t kMostAtOnce = 4096;
      DWORD written = 0;
      const auto wanted = static_cast<DWORD>(std::min(text.size(), kMostAtOnce));
      if (WriteFile(input_.get(), text.data(), wanted, &written, nullptr) == 0) break;  // the reader has closed it
      if (written == 0) return;                                                         // it is full
      text.remove_prefix(written);
    }
    input_.Close();
  }

  bool DrainOutput(size_t max_bytes, std::string& text) override { return Drain(output_, max_bytes, text); }
  bool DrainErrors(size_t max_bytes, std::string& text) override { return Drain(errors_, max_bytes, text); }

  // Windows cannot wait for pipes without threads or overlapped reads: look again soon, and at once when the child ends.
  void WaitForPipes(int timeout_ms) override {
    constexpr int kLongestMs = 5;
    (void)WaitForSingleObject(process_.get(), static_cast<DWORD>(std::min(timeout_ms, kLongestMs)));
  }

  Waited TryWait() override { return WaitMs(0); }
  Waited Wait() override { return WaitMs(INFINITE); }

  // A console program has got Ctrl-C with us. There is no gentle signal for others.
  void Stop() override {
    (void)TerminateProcess(process_.get(), 1);
    (void)Wait();
  }

 private:
  Status PrepareInput(const ChildSetup& setup, Handle& theirs) {
    if (setup.input == InputFrom::kNothing) return theirs = Inheritable(OpenNothing().get()), Ok();
    if (setup.input == InputFrom::kOurs) return theirs = Inheritable(GetStdHandle(STD_INPUT_HANDLE)), Ok();
    SMP_ASSIGN(WindowsPipe pipe, MakeWindowsPipe());
    theirs = Inheritable(pipe.read.get());
    input_ = std::move(pipe.write);
    DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
    if (!setup.waits_for_reader) (void)SetNamedPipeHandleState(input_.get(), &mode, nullptr, nullptr);
    return Ok();
  }

  static Status PrepareOutput(OutputTo to, DWORD stream, Handle& theirs, Handle& ours) {
    if (to == OutputTo::kOurs) return theirs = Inheritable(GetStdHandle(stream)), Ok();
    SMP_ASSIGN(WindowsPipe pipe, MakeWindowsPipe());
    theirs = Inheritable(pipe.write.get());
    ours = std::move(pipe.read);
    return Ok();
  }

  static bool Drain(Handle& pipe, size_t max_bytes, std::string& text) {
    std::vector<char> block(1UL << 16);
    while (pipe.open()) {
      DWORD available = 0, got = 0;
      const bool alive = PeekNamedPipe(pipe.get(), nullptr, 0, nullptr, &available, nullptr) != 0;
      if (alive && available == 0) return true;
      const DWORD wanted = std::min(available, static_cast<DWORD>(block.size()));
      if (!alive || ReadFile(pipe.get(), block.data(), wanted, &got, nullptr) == 0 || got == 0)
        return pipe.Close(), true;
      if (text.size() + got > max_bytes) return false;
      text.append(block.data(), got);
    }
    return true;
  }

  Waited WaitMs(DWORD ms) {
    DWORD code = 0;
    const DWORD waited = WaitForSingleObject(process_.get(), ms);
    if (waited == WAIT_TIMEOUT) return {ChildState::kRuns};
    if (waited != WAIT_OBJECT_0 || GetExitCodeProcess(process_.get(), &code) == 0) return {ChildState::kLost};
    return {ChildState::kEnded, static_cast<int>(code)};
  }

  Handle process_;
  Handle input_, output_, errors_;  // our ends of the pipes
};

BOOL WINAPI LeaveInterrupt(DWORD event) { return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? TRUE : FALSE; }

// --- where programs are

bool IsFileThere(const std::string& path) {
  const DWORD attributes = GetFileAttributesW(Wide(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

std::vector<std::string> ProgramExtensions() {
  const char* list = std::getenv("PATHEXT");
  std::vector<std::string> out;
  for (const std::string_view extension : Split(list == nullptr ? ".COM;.EXE;.BAT;.CMD" : list, ';')) {
    if (!extension.empty()) out.push_back(ToLower(extension));
  }
  return out;
}

// Returns the path with the extension that makes it a program, as Go's exec.LookPath.
std::optional<std::string> WithExtension(const std::string& path, const std::vector<std::string>& extensions) {
  const bool is_program = std::find(extensions.begin(), extensions.end(), ExtensionOf(path)) != extensions.end();
  if (is_program && IsFileThere(path)) return path;
  for (const std::string& extension : extensions) {
    if (IsFileThere(path + extension)) return path + extension;
  }
  return std::nullopt;
}

bool IsAbsoluteFolder(std::string_view folder) {
  return folder.starts_with("\\\\") || (folder.size() > 2 && folder[1] == ':' && IsPathSeparator(folder[2]));
}

}  // namespace

Result<std::unique_ptr<Child>> Child::Start(const ChildSetup& setup) {
  auto child = std::make_unique<WindowsChild>();
  SMP_TRY(child->Start(setup));
  return std::unique_ptr<Child>(std::move(child));
}

InterruptsLeftToChild::InterruptsLeftToChild() { (void)SetConsoleCtrlHandler(&LeaveInterrupt, TRUE); }

InterruptsLeftToChild::~InterruptsLeftToChild() { (void)SetConsoleCtrlHandler(&LeaveInterrupt, FALSE); }

Result<std::string> FindProgram(const std::string& name) {
  const std::vector<std::string> extensions = ProgramExtensions();
  const Error missing = Error::NotFound(StrCat("executable ", name, " not found on PATH"));
  if (IsProgramPath(name)) {
    const std::optional<std::string> found = WithExtension(name, extensions);
    return found ? Result<std::string>(*found) : Error::NotFound(StrCat("cannot run ", name, ": no such program"));
  }
  const char* path = std::getenv("PATH");
  for (std::string_view folder : SplitPathList(path == nullptr ? "" : path)) {
    if (folder.size() > 1 && folder.front() == '"' && folder.back() == '"')
      folder = folder.substr(1, folder.size() - 2);
    if (!IsAbsoluteFolder(folder) || name.empty()) continue;
    const bool ends = IsPathSeparator(folder.back());
    if (const auto found = WithExtension(StrCat(folder, ends ? "" : "\\", name), extensions)) return *found;
  }
  return missing;
}

}  // namespace smp
