#include "yaml/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/strings.h"
#include "value/json.h"
#include "value/number.h"
#include "yaml/tags.h"

namespace smp::yaml {

namespace {

using Type = YamlScalar::Type;

YamlScalar AsText(std::string_view text) { return {Type::kString, Value::UnownedString(text)}; }

// Resolves the words in resolveMap of Go's resolve.go; nullopt for any other text.
std::optional<YamlScalar> Word(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto is_one_of = [text](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  if (is_one_of({"", "~", "null", "Null", "NULL"})) return YamlScalar{Type::kNull, Value()};
  if (is_one_of({"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
    return YamlScalar{Type::kBool, Value::Bool(true)};
  }
  if (is_one_of({"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
    return YamlScalar{Type::kBool, Value::Bool(false)};
  }
  if (is_one_of({".nan", ".NaN", ".NAN"})) return YamlScalar{Type::kFloat, Value::Double(kNan)};
  if (is_one_of({".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) {
    return YamlScalar{Type::kFloat, Value::Double(kInfinity)};
  }
  if (is_one_of({"-.inf", "-.Inf", "-.INF"})) return YamlScalar{Type::kFloat, Value::Double(-kInfinity)};
  if (text == "<<") return YamlScalar{Type::kMerge, Value::UnownedString(text)};
  return std::nullopt;
}

// Consumes a text from its front, to recognize timestamps, floats and base 60 numbers.
class Digits {
 public:
  explicit Digits(std::string_view text) : text_(text) {}

  bool AtEnd() const { return text_.empty(); }

  // Takes all that are there. Returns how many.
  size_t Run(std::string_view digits = "0123456789") {
    const size_t count = std::min(text_.find_first_not_of(digits), text_.size());
    text_.remove_prefix(count);
    return count;
  }

  bool Skip(std::string_view any_of) {
    if (text_.empty() || any_of.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }

  // Consumes a number of `least` to `most` digits. Returns false if there is none or it is greater than `limit`.
  bool Number(size_t least, size_t most, int limit, int* value = nullptr) {
    size_t count = 0;
    while (count < most && count < text_.size() && IsDigit(text_[count])) ++count;
    int number = 0;
    std::from_chars(text_.data(), text_.data() + count, number);
    text_.remove_prefix(count);
    if (value != nullptr) *value = number;
    return count >= least && number <= limit;
  }

 private:
  std::string_view text_;
};

bool IsDate(Digits& at) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!at.Number(4, 4, 9999, &year) || !at.Skip("-")) return false;
  if (!at.Number(1, 2, 12, &month) || !at.Skip("-") || !at.Number(1, 2, 31, &day)) return false;
  if (month == 0 || day == 0) return false;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const bool short_month = month == 4 || month == 6 || month == 9 || month == 11;
  return day <= (month == 2 ? (leap ? 29 : 28) : short_month ? 30 : 31);
}

bool IsTime(Digits& at) {
  if (!at.Number(1, 2, 23) || !at.Skip(":") || !at.Number(1, 2, 59) || !at.Skip(":") || !at.Number(1, 2, 59)) {
    return false;
  }
  return !at.Skip(".,") || at.Run() > 0;
}

bool IsZone(Digits& at) {
  if (at.Skip("Z")) return true;
  return at.Skip("+-") && at.Number(2, 2, 24) && at.Skip(":") && at.Number(2, 2, 60);
}

// Returns true for the formats in allowedTimestampFormats of Go's resolve.go.
bool IsTimestamp(std::string_view text) {
  Digits at(text);
  if (!IsDate(at)) return false;
  if (at.AtEnd()) return true;
  if (at.Skip(" ")) return IsTime(at) && at.AtEnd();
  return at.Skip("Tt") && IsTime(at) && IsZone(at) && at.AtEnd();
}

// Parses an integer like strconv.ParseInt(text, 0, 64) and, if that fails, ParseUint. Go's resolve.go also takes a sign behind 0b.
std::optional<YamlScalar> Integer(std::string_view text) {
  const bool signed_binary = text.starts_with("0b-") || text.starts_with("0b+");
  const size_t at = signed_binary ? 2 : 0;
  const bool negative = text.substr(at).starts_with('-');
  const bool sign = negative || text.substr(at).starts_with('+');
  std::string without_sign;
  if (signed_binary) text = without_sign = StrCat("0b", text.substr(3));
  if (sign && !signed_binary) text.remove_prefix(1);
  int base = 10;
  if (text.size() >= 3 && text[0] == '0' && std::string_view("xXoObB").find(text[1]) != std::string_view::npos) {
    base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'o' || text[1] == 'O' ? 8 : 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (magnitude <= kMax + (negative ? 1 : 0)) {
    return YamlScalar{Type::kInt, Value::Int(static_cast<int64_t>(negative ? 0 - magnitude : magnitude))};
  }
  if (sign) return std::nullopt;
  return YamlScalar{Type::kUnsigned, Value::Double(static_cast<double>(magnitude))};
}

std::optional<YamlScalar> Float(std::string_view text) {
  if (!IsYamlFloat(text)) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::optional<double> d = ParseDouble(text);
  return d ? std::optional<YamlScalar>({Type::kFloat, Value::Double(*d)}) : std::nullopt;
}

std::string WithoutUnderscores(std::string_view text) {
  std::string out(text);
  out.erase(std::remove(out.begin(), out.end(), '_'), out.end());
  return out;
}

// Returns true if underscores are only between digits; Go's ParseFloat accepts no others.
bool UnderscoresSeparateDigits(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' && (i == 0 || i + 1 == text.size() || !IsDigit(text[i - 1]) || !IsDigit(text[i + 1])))
      return false;
  }
  return true;
}

std::optional<YamlScalar> Number(std::string_view text) {
  if (text.front() == '.') {
    return UnderscoresSeparateDigits(text) ? Float(WithoutUnderscores(text)) : std::nullopt;
  }
  if (!IsDigit(text.front()) && text.front() != '-' && text.front() != '+') return std::nullopt;
  if (IsTimestamp(text)) return YamlScalar{Type::kTimestamp, Value::UnownedString(text)};
  const std::string plain = WithoutUnderscores(text);
  if (const std::optional<YamlScalar> integer = Integer(plain)) return integer;
  return Float(plain);
}

std::string NameOfFloat(double d) {
  if (std::isnan(d)) return ".nan";
  const auto f = static_cast<float>(d);  // 32 bits, because Go calls strconv.FormatFloat(…, 32)
  if (std::isinf(f)) return f < 0 ? "-.inf" : ".inf";
  return GeneralNotation(ShortestDecimal(f));
}

std::optional<Type> TypeOfTag(std::string_view name) {
  if (name == "bool") return Type::kBool;
  if (name == "int") return Type::kInt;
  if (name == "float") return Type::kFloat;
  if (name == "null") return Type::kNull;
  if (name == "timestamp") return Type::kTimestamp;
  return std::nullopt;
}

}  // namespace

YamlScalar ResolvePlain(std::string_view text) {
  if (const std::optional<YamlScalar> word = Word(text)) return *word;
  return Number(text).value_or(AsText(text));
}

Result<YamlScalar> ResolveTagged(std::string_view tag, std::string_view text) {
  if (!tag.starts_with(kTagPrefix)) return AsText(text);
  const std::string_view name = tag.substr(kTagPrefix.size());
  const std::optional<Type> wanted = TypeOfTag(name);
  if (!wanted) return AsText(text);
  YamlScalar scalar = ResolvePlain(text);
  if (*wanted == Type::kInt && scalar.type == Type::kUnsigned) return scalar;
  if (*wanted == Type::kFloat && scalar.type == Type::kInt) {
    return YamlScalar{Type::kFloat, Value::Double(static_cast<double>(scalar.value.AsInt()))};
  }
  if (scalar.type != *wanted) return Error::Parse(StrCat("the value is not a !!", name));
  return scalar;
}

Result<Value> JsonValueOf(const YamlScalar& scalar) {
  if (!scalar.value.is_double()) return scalar.value;
  const double d = scalar.value.AsDouble();
  if (!std::isfinite(d)) return Error::Parse("JSON has no infinity and no NaN");
  if (d != std::trunc(d)) return scalar.value;
  const std::optional<int64_t> integer = ParseInt64(WriteNumber(d));
  return integer ? Value::Int(*integer) : scalar.value;
}

Result<std::string> NameOfKey(const YamlScalar& scalar) {
  if (scalar.type == Type::kUnsigned) return Error::Parse("an integer beyond 64 bits cannot be a key");
  return NameOfKey(scalar.value);
}

Result<std::string> NameOfKey(const Value& value) {
  switch (value.kind()) {
    case Kind::kString: return std::string(value.AsString());
    case Kind::kBool: return std::string(value.AsBool() ? "true" : "false");
    case Kind::kInt: return std::to_string(value.AsInt());
    case Kind::kDouble: return NameOfFloat(value.AsDouble());
    case Kind::kNull: return Error::Parse("a key is missing or null");
    case Kind::kArray:
    case Kind::kObject: break;
  }
  return Error::Parse(StrCat("a key must be a scalar, not an ", KindName(value.kind())));
}

bool IsBase60(std::string_view text) {
  constexpr std::string_view kDigitsAndUnderscore = "0123456789_";
  Digits at(text);
  at.Skip("+-");
  if (at.Run() == 0) return false;
  at.Run(kDigitsAndUnderscore);
  bool any = false;
  for (; at.Skip(":"); any = true) {
    if (!at.Number(1, 2, 59)) return false;
  }
  if (at.Skip(".")) at.Run(kDigitsAndUnderscore);
  return any && at.AtEnd();
}

bool IsYamlFloat(std::string_view text) {
  Digits at(text);
  at.Skip("+-");
  const bool whole = at.Run() > 0;
  const bool fraction = at.Skip(".") && at.Run() > 0;
  if (!whole && !fraction) return false;
  if (at.Skip("eE")) {
    at.Skip("+-");
    if (at.Run() == 0) return false;
  }
  return at.AtEnd();
}

}  // namespace smp::yaml
