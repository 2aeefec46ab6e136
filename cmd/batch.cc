#include "cmd/batch.h"

#include <array>
#include <optional>

#include "base/strings.h"
#include "cmd/exit_code.h"
#include "value/escape.h"
#include "value/json.h"

namespace smp {

namespace {

enum class Line { kWhole, kTooLong, kEnd };

// The next line, without its end. Of a line that is too long no more than the limit is kept in memory.
Line ReadLine(std::istream& in, std::string& line) {
  std::array<char, 1 << 16> block;
  line.clear();
  bool too_long = false;
  while (true) {
    in.getline(block.data(), block.size());
    const auto got = static_cast<size_t>(in.gcount());
    if (got == 0 || in.bad()) return Line::kEnd;
    // getline fails when the block is full before the line has ended, and counts the line's end when it found one.
    const bool full = in.fail() && !in.eof();
    const size_t text = full || in.eof() ? got : got - 1;
    too_long |= line.size() + text > kMaxBatchLine;
    if (!too_long) line.append(block.data(), text);
    if (!full) return too_long ? Line::kTooLong : Line::kWhole;
    in.clear();
  }
}

std::string Quoted(std::string_view text) { return WriteJson(Value::UnownedString(text)); }

// The end of the JSON string that begins at `at`: behind the closing quote.
size_t EndOfString(std::string_view json, size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return std::min(at + 1, json.size());
}

// The text of the last number that is a member `name` of the object, "" if there is none. REQUIRES: valid JSON.
std::string_view NumberText(std::string_view object, std::string_view name) {
  std::string_view found;
  int depth = 0;
  for (size_t at = 0; at < object.size(); ++at) {
    const char c = object[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const size_t end = EndOfString(object, at);
    const size_t colon = object.find_first_not_of(" \t\r", end);
    const bool matches = depth == 1 && object.substr(at + 1, end - at - 2) == name;
    at = end - 1;
    if (!matches || colon == std::string_view::npos || object[colon] != ':') continue;
    const size_t value = std::min(object.find_first_not_of(" \t\r", colon + 1), object.size());
    found = object.substr(value, object.substr(value).find_first_of(" \t\r,}"));
  }
  return found;
}

// As it was given: a number may be one that no Value holds exactly (an unsigned 64 bit number, 1.0).
std::string IdText(std::string_view line, const Value& request) {
  const Value* id = request.Find("id");
  if (id == nullptr) return "null";
  if (id->is_double()) {
    if (const std::string_view text = NumberText(line, "id"); !text.empty()) return std::string(text);
  }
  return WriteJson(*id);
}

std::string ErrorText(Error error) {
  std::string out = StrCat("\"error\":{\"code\":", Quoted(ErrorCodeName(error.code)));
  if (!error.path.empty()) out += StrCat(",\"path\":", Quoted(error.path));
  error.path.clear();
  return out + StrCat(",\"message\":", Quoted(Visible(ToString(error))), "}");
}

std::string Answer(std::string_view id, const Result<std::vector<Member>>& members) {
  std::string out = StrCat("{\"id\":", id);
  if (!members.ok()) return out + StrCat(",", ErrorText(members.error()), "}\n");
  for (const Member& member : *members) out += StrCat(",", Quoted(member.name), ":", WriteJson(member.value));
  return out + "}\n";
}

std::string AnswerLine(std::string_view line, const BatchHandler& handler) {
  const auto request = ParseJson(line);
  if (!request.ok()) return Answer("null", request.error());
  if (!request->root().is_object()) return Answer("null", Error::InvalidArgument("a request is a JSON object"));
  Arena arena;
  return Answer(IdText(line, request->root()), handler(request->root(), arena));
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
    io.out << (read == Line::kWhole ? AnswerLine(line, handler) : Answer("null", too_long())) << std::flush;
    if (!io.out) return Fail(io, Error::InvalidArgument("cannot write to standard output"), kExitFailed);
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
          StrCat("--", name, " cannot be used with --batch, whose requests are read from standard input"));
  }
  return Ok();
}

}  // namespace smp
