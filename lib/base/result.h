// Errors as values. Every fallible function returns Result<T> (or Status, which carries nothing), never throws, and
// callers pass errors on with SMP_TRY. The codes are a closed set: the batch protocol and the exit status depend on
// them.
//
//   Result<int> Port(const Value& v) {
//     SMP_ASSIGN(std::string_view text, StringAt(v, "port"));   // returns the error of StringAt, if any
//     if (text.empty()) return Error::InvalidArgument("port is empty");
//     return ToInt(text);
//   }
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace smp {

enum class ErrorCode {
  kInvalidArgument,  // flags, file names, combinations of options
  kParse,            // bytes that are not JSON, YAML, a patch, …
  kSchema,           // a field or type that the schema does not know or defines differently
  kPatchFormat,      // a directive used against its rules
  kMergeKey,         // a list item whose merge key is missing or unusable
  kConflict,         // another client changed the object that we are about to change
  kNotFound,
  kForbidden,  // 401 and 403
  kServer,     // any other 4xx or 5xx answer
  kTransport,  // no answer: name lookup, TLS, time-outs, resets
  kPolicy,     // an override policy that cannot be applied
  kRefused,    // a safety rule of this program forbids it
  kInternal,   // a bug in this program
};

// The name used by the batch protocol and in JSON output, e.g. "merge-key".
std::string_view ErrorCodeName(ErrorCode code);

// Where a value was written. An empty file means unknown; line counts from 1, 0 means unknown.
struct Source {
  std::string file;
  int line = 0;
};

std::string ToString(const Source& source);  // "web.yaml:7"; "web.yaml" if the line is unknown

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;      // what failed and what to do; one sentence, no trailing period
  std::string path = {};    // field path, e.g. spec.containers[name=web].image; empty: the whole object
  Source source = {};       // file and line of the manifest or policy, where known
  int http_status = 0;      // for kServer, kForbidden, kNotFound, kConflict: the HTTP status
  std::string reason = {};  // metav1.Status.reason from the server, e.g. AlreadyExists

  static Error InvalidArgument(std::string m) { return {ErrorCode::kInvalidArgument, std::move(m)}; }
  static Error Parse(std::string m) { return {ErrorCode::kParse, std::move(m)}; }
  static Error Schema(std::string m) { return {ErrorCode::kSchema, std::move(m)}; }
  static Error PatchFormat(std::string m) { return {ErrorCode::kPatchFormat, std::move(m)}; }
  static Error MergeKey(std::string m) { return {ErrorCode::kMergeKey, std::move(m)}; }
  static Error Conflict(std::string m) { return {ErrorCode::kConflict, std::move(m)}; }
  static Error NotFound(std::string m) { return {ErrorCode::kNotFound, std::move(m)}; }
  static Error Transport(std::string m) { return {ErrorCode::kTransport, std::move(m)}; }
  static Error Refused(std::string m) { return {ErrorCode::kRefused, std::move(m)}; }
  static Error Internal(std::string m) { return {ErrorCode::kInternal, std::move(m)}; }
};

// Returns "FILE:LINE: PATH: MESSAGE", without the parts that are unknown.
std::string ToString(const Error& error);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: !ok().
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

// A result that carries nothing: `return Ok();` or `return Error::…`.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

inline Status Ok() { return Status(); }

#define SMP_CONCAT_INNER_(a, b) a##b
#define SMP_CONCAT_(a, b) SMP_CONCAT_INNER_(a, b)

// SMP_TRY(expr): returns the error of a Status or Result, if any.
#define SMP_TRY(expr)                             \
  do {                                            \
    if (auto smp_try_ = (expr); !smp_try_.ok()) { \
      return std::move(smp_try_).error();         \
    }                                             \
  } while (false)

// SMP_ASSIGN(Type name, expr): declares and sets from a Result, or returns its error.
#define SMP_ASSIGN(lhs, expr) SMP_ASSIGN_IMPL_(SMP_CONCAT_(smp_result_, __LINE__), lhs, expr)
#define SMP_ASSIGN_IMPL_(tmp, lhs, expr)        \
  auto tmp = (expr);                            \
  if (!tmp.ok()) return std::move(tmp).error(); \
  lhs = std::move(tmp).value()

}  // namespace smp
