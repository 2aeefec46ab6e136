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

// Close-on-exec, so that no child holds the writing end of its own standard input, or of another's.
void MakePipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) Die("cannot make pipes");
}

void WriteAll(int fd, const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes.append(line).push_back('\n');
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = write(fd, bytes.data() + at, bytes.size() - at);
    if (n <= 0) Die("the oracle stopped reading");
    at += static_cast<size_t>(n);
  }
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

Oracle::Oracle() {
  const std::string program = Environment("SMP_TEST_ORACLE"), openapi = Environment("SMP_TEST_OPENAPI");
  int in[2], out[2];
  MakePipe(in);
  MakePipe(out);
  pid_ = fork();
  if (pid_ < 0) Die("cannot fork");
  if (pid_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execl(program.c_str(), "oracle", "--openapi", openapi.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

Oracle::~Oracle() {
  close(to_);
  close(from_);
  waitpid(pid_, nullptr, 0);
}

std::string Oracle::ReadLine() {
  size_t end;
  for (size_t searched = 0; (end = read_.find('\n', searched)) == std::string::npos;) {
    searched = read_.size();
    char buffer[1 << 16];
    const ssize_t n = read(from_, buffer, sizeof(buffer));
    if (n <= 0) Die("the oracle stopped answering");
    read_.append(buffer, static_cast<size_t>(n));
  }
  std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  return line;
}

std::vector<OracleAnswer> Oracle::Ask(const std::vector<std::string>& requests) {
  std::thread writer(WriteAll, to_, std::cref(requests));
  std::vector<OracleAnswer> answers;
  for (size_t i = 0; i < requests.size(); ++i) answers.push_back(ToAnswer(ReadLine()));
  writer.join();
  return answers;
}

std::vector<OracleAnswer> AskOracle(const std::vector<std::string>& requests) { return Oracle().Ask(requests); }

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
