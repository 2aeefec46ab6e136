#include "cmd/batch.h"

#include <array>

#include "base/strings.h"
#include "cmd/exit_code.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp::cmd {

namespace {

enum class Line { kWhole, kTooLong, kEnd };

// Reads the next line, without its newline. Keeps at most kMaxBatchLine bytes in memory, even of a longer line.
Line ReadLine(std::istream& in, std::string& line) {
  std::array<char, 1 << 16> block;
  line.clear();
  bool too_long = false;
  while (true) {
    in.getline(block.data(), block.size());
    const auto got = static_cast<size_t>(in.gcount());
    if (got == 0 || in.bad()) return Line::kEnd;
    // getline fails if the block is full before the line ends; if it reads a newline, gcount() includes it.
    const bool full = in.fail() && !in.eof();
    const size_t text = full || in.eof() ? got : got - 1;
    too_long |= line.size() + text > kMaxBatchLine;
    if (!too_long) line.append(block.data(), text);
    if (!full) return too_long ? Line::kTooLong : Line::kWhole;
    in.clear();
  }
}

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

std::string AnswerLine(std::string_view line, const BatchHandler& handler) {
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
  std::string line;
  for (Line read = ReadLine(io.in, line); read != Line::kEnd; read = ReadLine(io.in, line)) {
    const auto too_long = [] {
      return Error::InvalidArgument(StrCat("the line is longer than ", kMaxBatchLine >> 20, " MiB"));
    };
    io.out << (read == Line::kWhole ? AnswerLine(line, handler) : AnswerTo("null", too_long())) << std::flush;
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
