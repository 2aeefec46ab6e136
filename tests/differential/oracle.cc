#include "differential/oracle.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "value/json.h"

namespace smp {

namespace {

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) Die(std::string(name) + " is not set: run this test through tests/run or ctest");
  return value;
}

struct Process {
  pid_t pid;
  int to, from;
};

Process Start(const std::string& program, const std::string& openapi) {
  int in[2], out[2];
  // Close-on-exec, so that the child does not hold the writing end of its own standard input.
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) Die("cannot make pipes");
  const pid_t pid = fork();
  if (pid < 0) Die("cannot fork");
  if (pid == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execl(program.c_str(), "oracle", "--openapi", openapi.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  return {pid, in[1], out[0]};
}

void WriteAll(int fd, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::string bytes = line + "\n";
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t n = write(fd, bytes.data() + at, bytes.size() - at);
      if (n <= 0) Die("the oracle stopped reading");
      at += static_cast<size_t>(n);
    }
  }
  close(fd);
}

std::string ReadAll(int fd) {
  std::string out;
  char buffer[1 << 16];
  for (ssize_t n; (n = read(fd, buffer, sizeof(buffer))) > 0;) out.append(buffer, static_cast<size_t>(n));
  close(fd);
  return out;
}

OracleAnswer ToAnswer(std::string_view line) {
  auto document = ParseJson(line);
  if (!document.ok()) Die("the oracle answered " + std::string(line));
  OracleAnswer answer;
  answer.document = *std::move(document);
  const Value& root = answer.document.root();
  answer.value = root.Find("patch") != nullptr ? root.Find("patch") : root.Find("result");
  if (const Value* error = root.Find("error")) answer.error = error->StringOr("message", "?");
  answer.panicked = root.Find("panic") != nullptr;
  return answer;
}

}  // namespace

std::vector<OracleAnswer> AskOracle(const std::vector<std::string>& requests) {
  const Process process = Start(Environment("SMP_TEST_ORACLE"), Environment("SMP_TEST_OPENAPI"));
  std::thread writer(WriteAll, process.to, std::cref(requests));
  const std::string text = ReadAll(process.from);
  writer.join();
  waitpid(process.pid, nullptr, 0);

  std::vector<OracleAnswer> answers;
  for (size_t start = 0; start < text.size();) {
    const size_t end = text.find('\n', start);
    answers.push_back(ToAnswer(std::string_view(text).substr(start, end - start)));
    if (end == std::string::npos) break;
    start = end + 1;
  }
  if (answers.size() != requests.size())
    Die("the oracle answered " + std::to_string(answers.size()) + " of " + std::to_string(requests.size()));
  return answers;
}

uint64_t Seed() {
  const char* given = std::getenv("SMP_SEED");
  const uint64_t now = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return given != nullptr ? std::strtoull(given, nullptr, 10) : now % 1'000'000'000;
}

size_t CasesOr(size_t fallback) {
  const char* given = std::getenv("SMP_CASES");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : fallback;
}

}  // namespace smp
