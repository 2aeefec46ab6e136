#include "cmd/flag_values.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "base/strings.h"

namespace smp::cmd {

namespace {

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Reads one record as encoding/csv's Reader does with its defaults. A quoted field may span several lines.
class CsvRecord {
 public:
  explicit CsvRecord(std::string_view text) : rest_(text) {}

  Result<std::vector<std::string>> Read() {
    do {  // empty lines are skipped
      if (!NextLine()) return Error::InvalidArgument("EOF");
    } while (line_ == "\n");
    first_line_ = line_number_;
    while (true) {
      const bool quoted = line_.starts_with('"');
      SMP_ASSIGN(const bool more, quoted ? QuotedField() : PlainField());
      if (!more) return std::move(fields_);
    }
  }

 private:
  // Reads the next line with its end; \r\n becomes \n. Returns false at the end of the text.
  bool NextLine() {
    if (rest_.empty()) return false;
    const size_t end = std::min(rest_.find('\n'), rest_.size() - 1) + 1;
    line_ = rest_.substr(0, end);
    if (line_.ends_with("\r\n")) line_ = StrCat(line_.substr(0, line_.size() - 2), "\n");
    rest_.remove_prefix(end);
    ++line_number_;
    column_ = 1;
    return true;
  }

  void Skip(size_t bytes) {
    line_.erase(0, bytes);
    column_ += bytes;
  }

  // PlainField and QuotedField read a field and return true if another follows.
  Result<bool> PlainField() {
    const size_t comma = line_.find(',');
    std::string field = line_.substr(0, comma);
    if (comma == std::string::npos && field.ends_with('\n')) field.pop_back();
    if (const size_t quote = field.find('"'); quote != field.npos) {
      return ErrorAt(column_ + quote, "bare \" in non-quoted-field");
    }
    fields_.push_back(std::move(field));
    if (comma == std::string::npos) return false;
    Skip(comma + 1);
    return true;
  }

  Result<bool> QuotedField() {
    std::string field;
    Skip(1);
    while (true) {
      const size_t quote = line_.find('"');
      if (quote == std::string::npos) {
        const size_t end = column_ + line_.size();
        field += line_;
        if (!NextLine()) return ErrorAt(end, "extraneous or missing \" in quoted-field");
        continue;
      }
      field += line_.substr(0, quote);
      Skip(quote + 1);
      if (line_.starts_with('"')) {
        field += '"';
        Skip(1);
        continue;
      }
      const bool more = line_.starts_with(',');
      if (!more && !line_.empty() && line_ != "\n")
        return ErrorAt(column_ - 1, "extraneous or missing \" in quoted-field");
      fields_.push_back(std::move(field));
      if (more) Skip(1);
      return more;
    }
  }

  Error ErrorAt(size_t column, std::string_view what) const {
    const std::string record = first_line_ == line_number_ ? "" : StrCat("record on line ", first_line_, "; ");
    return Error::InvalidArgument(
        StrCat(record, "parse error on line ", line_number_, ", column ", column, ": ", what));
  }

  std::string_view rest_;
  std::string line_;
  int line_number_ = 0;
  int first_line_ = 0;
  size_t column_ = 1;
  std::vector<std::string> fields_;
};

}  // namespace

Result<bool> ParseGoBool(std::string_view text) {
  if (IsOneOf(text, {"1", "t", "T", "true", "TRUE", "True"})) return true;
  if (IsOneOf(text, {"0", "f", "F", "false", "FALSE", "False"})) return false;
  return Error::InvalidArgument(StrCat("strconv.ParseBool: parsing ", GoQuoted(text), ": invalid syntax"));
}

std::map<std::string, std::string> DeprecatedBooleans(std::string_view flag, std::string_view on,
                                                      std::string_view off) {
  std::map<std::string, std::string> out;
  for (const char* value : {"1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"}) {
    out[value] = StrCat("--", flag, "=", value, " is deprecated (boolean value) and can be replaced with --", flag, "=",
                        *ParseGoBool(value) ? on : off, ".");
  }
  return out;
}

Result<int32_t> ParseGoInt32(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  int32_t number = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string failed = StrCat("strconv.ParseInt: parsing ", GoQuoted(text), ": ");
  if (code == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return Error::InvalidArgument(failed + "invalid syntax");
  }
  if (code != std::errc()) return Error::InvalidArgument(failed + "value out of range");
  return number;
}

Result<std::vector<std::string>> ParseGoCsv(std::string_view text) {
  if (text.empty()) return std::vector<std::string>();
  return CsvRecord(text).Read();
}

std::string GoQuoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default: out += c;  // printing escapes control characters
    }
  }
  return out + "\"";
}

}  // namespace smp::cmd
