#include <fcntl.h>
#include <io.h>
#include <process.h>

#include <cstdlib>

#include "base/program.h"
#include "base/strings.h"
#include "base/windows_api.h"
#include "base/windows_console.h"

namespace smp {

namespace {

// --- the console, which other programs go on using when this one has ended

struct Console {
  UINT input_page = 0, output_page = 0;
  DWORD output_mode = 0, error_mode = 0;
};
Console console_before;

void SetMode(DWORD stream, DWORD mode) { (void)SetConsoleMode(GetStdHandle(stream), mode); }

// Returns the mode before; 0 if the stream is no console.
DWORD UnderstandEscapes(DWORD stream) {
  DWORD mode = 0;
  if (GetConsoleMode(GetStdHandle(stream), &mode) == 0) return 0;
  SetMode(stream, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  return mode;
}

void RestoreConsole() {
  if (console_before.output_page != 0) (void)SetConsoleOutputCP(console_before.output_page);
  if (console_before.input_page != 0) (void)SetConsoleCP(console_before.input_page);
  if (console_before.output_mode != 0) SetMode(STD_OUTPUT_HANDLE, console_before.output_mode);
  if (console_before.error_mode != 0) SetMode(STD_ERROR_HANDLE, console_before.error_mode);
}

void PrepareConsole() {
  console_before = {GetConsoleCP(), GetConsoleOutputCP(), UnderstandEscapes(STD_OUTPUT_HANDLE),
                    UnderstandEscapes(STD_ERROR_HANDLE)};
  (void)SetConsoleOutputCP(CP_UTF8);
  (void)SetConsoleCP(CP_UTF8);
  (void)std::atexit(&RestoreConsole);
  UseConsole();
}

std::string_view words_at_end;
HANDLE alarm_timer = nullptr;

void CALLBACK Leave(void*, BOOLEAN) {
  (void)_write(_fileno(stdout), words_at_end.data(), static_cast<unsigned>(words_at_end.size()));
  RestoreConsole();
  _exit(0);
}

}  // namespace

void PrepareProgram() {
  // No report of a crash: it would hold the values of Secrets and credentials.
  (void)SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
  (void)SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32);  // no library from the working directory or PATH
  for (const int stream : {0, 1, 2}) (void)_setmode(stream, _O_BINARY);  // line ends as they are
  PrepareConsole();
}

std::vector<std::string> ProgramArguments(int, char**) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> out;
  for (int i = 0; words != nullptr && i < count; ++i) out.push_back(Narrow(words[i]));
  (void)LocalFree(words);
  // Named as on other systems.
  constexpr std::string_view kExtension = ".exe";
  if (!out.empty() && ToLower(out[0]).ends_with(kExtension)) out[0].resize(out[0].size() - kExtension.size());
  return out;
}

void EndProgram(int exit_code, std::string_view text) {
  (void)_write(_fileno(stderr), text.data(), static_cast<unsigned>(text.size()));
  RestoreConsole();
  _exit(exit_code);
}

int ProcessId() { return _getpid(); }

EndAfter::EndAfter(int seconds, std::string_view last_words) {
  words_at_end = last_words;
  (void)CreateTimerQueueTimer(&alarm_timer, nullptr, &Leave, nullptr, static_cast<DWORD>(seconds) * 1000, 0,
                              WT_EXECUTEONLYONCE);
}

EndAfter::~EndAfter() {
  if (alarm_timer != nullptr) (void)DeleteTimerQueueTimer(nullptr, alarm_timer, INVALID_HANDLE_VALUE);
  alarm_timer = nullptr;
}

}  // namespace smp
