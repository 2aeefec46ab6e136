#include "cmd/batch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel.h"
#include "base/strings.h"
#include "cmd/exit_code.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp::cmd {

namespace {

// A line of the input, without its newline.
struct Line {
  std::string text;
  bool too_long = false;  // longer than kMaxBatchLine; then without its text
};

class Lines {
 public:
  explicit Lines(std::istream& in) : in_(in) {}

  // Returns the next lines that are there already, about kBlock bytes of them. Waits for the first one, and for no other: who sent it
  // may wait for its answer. None at the end of the input.
  std::vector<Line> Next() {
    size_t bytes = 0;
    std::vector<Line> lines;
    while (bytes < kBlock && (lines.empty() || in_.rdbuf()->in_avail() > 0) && Read()) {
      for (size_t end = read_.find('\n'); end != read_.npos; end = read_.find('\n')) {
        Add(read_.substr(0, end));
        read_.remove_prefix(end + 1);
        bytes += line_.text.size() + kBytesOfALine;
        lines.push_back(std::exchange(line_, {}));
      }
      Add(read_);
    }
    if (lines.empty() && (line_.too_long || !line_.text.empty())) lines.push_back(std::exchange(line_, {}));
    return lines;
  }

 private:
  static constexpr size_t kBlock = 1 << 20;
  static constexpr size_t kBytesOfALine = 64;  // that it takes without its text: empty lines, too, need memory

  // Reads what is there; waits only for the first byte. Returns false at the end.
  bool Read() {
    const std::streamsize there = std::max<std::streamsize>(in_.rdbuf()->in_avail(), 1);
    in_.read(buffer_.data(), std::min<std::streamsize>(there, buffer_.size()));
    read_ = {buffer_.data(), static_cast<size_t>(in_.gcount())};
    return !read_.empty();
  }

  void Add(std::string_view part) {
    line_.too_long |= line_.text.size() + part.size() > kMaxBatchLine;
    if (line_.too_long) line_.text.clear();
    if (!line_.too_long) line_.text.append(part);
  }

  std::istream& in_;
  std::array<char, 1 << 16> buffer_;
  std::string_view read_;  // of the buffer, what was read last
  Line line_;              // as far as it was read
};

std::string Quoted(std::string_view text) { return WriteJson(Value::UnownedString(text)); }

// Returns true if the JSON string (with quotes, perhaps with escapes) has the value `name`.
bool Says(std::string_view json_string, std::string_view name) {
  if (json_string.find('\\') == std::string_view::npos) return json_string.substr(1, json_string.size() - 2) == name;
  const auto text = ParseJson(json_string);
  return text.ok() && text->root().is_string() && text->root().AsString() == name;
}

// Returns the position after the value that begins at `at`. REQUIRES: valid JSON.
size_t EndOfValue(std::string_view json, size_t at) {
  int depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    const bool ends_here = depth == 0 && (c == ',' || c == '}' || c == ']');
    if (ends_here) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    at = c == '"' ? AfterQuoted(json, at) : at + 1;
  }
  return at;
}

// Returns true if `text` is all that `value` says: a number with a fraction may have lost digits.
bool IsTextOf(std::string_view text, const Value& value) {
  if (!value.is_scalar() || value.is_double()) return false;
  const auto read = ParseJson(text);
  return read.ok() && read->root() == value;
}

// Returns the text of the member `name` of the object, which has `value`, with the white space around it: of duplicates,
// that of the last one, or an equal one. Reads no further than it must, because lines are long.
// REQUIRES: valid JSON.
std::string_view MemberText(std::string_view object, std::string_view name, const Value& value) {
  std::string_view found;
  size_t at = object.find('"');  // of the first name
  while (at < object.size() && object[at] == '"') {
    const size_t name_end = AfterQuoted(object, at);
    const size_t begin = object.find(':', name_end) + 1;
    const size_t end = EndOfValue(object, begin);
    if (Says(object.substr(at, name_end - at), name)) {
      found = object.substr(begin, end - begin);
      if (IsTextOf(found, value)) return found;
    }
    at = object.find('"', end);
  }
  return found;
}

// Removes white space outside of strings; replaces invalid UTF-8 by U+FFFD.
std::string Compact(std::string_view json) {
  std::string out;
  for (size_t at = 0; at < json.size();) {
    const size_t end = json[at] == '"' ? AfterQuoted(json, at) : at + 1;
    if (std::string_view(" \t\r\n").find(json[at]) == std::string_view::npos) out += json.substr(at, end - at);
    at = end;
  }
  return ReplaceInvalidUtf8(out);
}

// Returns the text of the id as given, because a Value cannot hold all numbers exactly (large uint64, 1.0).
std::string IdText(std::string_view line, const Value& request) {
  const Value* id = request.Find("id");
  return id == nullptr ? "null" : Compact(MemberText(line, "id", *id));
}

std::string ErrorText(Error error) {
  std::string out = StrCat("\"error\":{\"code\":", Quoted(ErrorCodeName(error.code)));
  if (!error.path.empty()) out += StrCat(",\"path\":", Quoted(error.path));
  error.path.clear();
  return out + StrCat(",\"message\":", Quoted(Visible(ToString(error))), "}");
}

std::string AnswerTo(std::string_view id, const Result<std::vector<Member>>& members) {
  std::string out = StrCat("{\"id\":", id);
  if (!members.ok()) return out + StrCat(",", ErrorText(members.error()), "}\n");
  for (const Member& member : *members) out += StrCat(",", Quoted(member.name), ":", WriteJson(member.value));
  return out + "}\n";
}

std::string AnswerLine(const Line& read, const BatchHandler& handler) {
  if (read.too_long) {
    return AnswerTo("null", Error::InvalidArgument(StrCat("the line is longer than ", kMaxBatchLine >> 20, " MiB")));
  }
  const std::string_view line = read.text;
  const auto request = ParseJson(line);
  if (!request.ok()) return AnswerTo("null", request.error());
  if (!request->root().is_object()) return AnswerTo("null", Error::InvalidArgument("a request must be a JSON object"));
  Arena arena;
  return AnswerTo(IdText(line, request->root()), handler(request->root(), arena));
}

Error Wrong(std::string_view name, std::string message) {
  Error error = Error::InvalidArgument(std::move(message));
  error.path = name;
  return error;
}

const Value* Given(const Value& request, std::string_view name) {
  const Value* value = request.Find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

}  // namespace

int RunBatch(Io& io, const BatchHandler& handler) {
  Lines input(io.in);
  for (std::vector<Line> lines = input.Next(); !lines.empty(); lines = input.Next()) {
    size_t bytes = 0;
    for (const Line& line : lines) bytes += line.text.size();
    std::vector<std::string> answers(lines.size());
    ParallelFor(lines.size(), ThreadsForText(bytes), [&](size_t i) { answers[i] = AnswerLine(lines[i], handler); });
    for (const std::string& answer : answers) io.out << answer;
    io.out << std::flush;
    if (!io.out) return kExitOk;  // RunProgram reports write errors when it flushes the output
  }
  if (io.in.bad()) return Fail(io, Error::InvalidArgument("cannot read standard input"), kExitFailed);
  return kExitOk;
}

Result<const Value*> ObjectOrAbsent(const Value& request, std::string_view name) {
  const Value* value = Given(request, name);
  if (value != nullptr && !value->is_object())
    return Wrong(name, StrCat("must be an object, got ", KindName(value->kind())));
  return value;
}

Result<const Value*> ObjectIn(const Value& request, std::string_view name) {
  SMP_ASSIGN(const Value* value, ObjectOrAbsent(request, name));
  if (value == nullptr) return Wrong(name, "is missing from the request");
  return value;
}

Result<std::string_view> TextOr(const Value& request, std::string_view name, std::string_view fallback) {
  const Value* value = Given(request, name);
  if (value != nullptr && !value->is_string()) return Wrong(name, "must be a string");
  return value == nullptr ? fallback : value->AsString();
}

Result<bool> BoolOr(const Value& request, std::string_view name, bool fallback) {
  const Value* value = Given(request, name);
  if (value != nullptr && !value->is_bool()) return Wrong(name, "must be true or false");
  return value == nullptr ? fallback : value->AsBool();
}

Status RefuseBesideBatch(const ParsedFlags& flags, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (flags.Given(name))
      return Error::InvalidArgument(
          StrCat("--", name, " cannot be used with --batch, which reads requests from standard input"));
  }
  return Ok();
}

}  // namespace smp::cmd
