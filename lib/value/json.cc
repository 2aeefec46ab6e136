#include "value/json.h"

#if defined(__SSE2__)
#define RAPIDJSON_SSE2
#elif defined(__ARM_NEON)
#define RAPIDJSON_NEON
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/strings.h"
#include "value/number.h"
#include "value/tree_builder.h"
#include "value/utf8.h"

namespace smp {

namespace {

// RapidJSON recurses; the handler's depth limit stops it long before the stack overflows.
constexpr unsigned kParseFlags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseStopWhenDoneFlag;
constexpr unsigned kInsituFlags = kParseFlags | rapidjson::kParseInsituFlag;

constexpr size_t kPadding = 16;  // a terminating zero, and room for vector instructions that read past the end

constexpr std::string_view kSpace = " \t\r\n";

// Returns the surrogate that the escape \uXXXX at `at` stands for; 0 if there is none.
char32_t SurrogateEscape(std::string_view text, size_t at) {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return 0;
  unsigned code = 0;
  const char* digits = text.data() + at + 2;
  if (std::from_chars(digits, digits + 4, code, 16).ptr != digits + 4) return 0;
  return code >= 0xD800 && code <= 0xDFFF ? code : 0;
}

// Go reads a lone surrogate as U+FFFD; RapidJSON refuses it (or writes invalid UTF-8). The replacement has the same
// length, so positions stay valid. Outside of strings a backslash is an error anyway.
std::string ReplaceLoneSurrogates(std::string_view text) {
  std::string out(text);
  for (size_t at = out.find('\\'); at != std::string::npos; at = out.find('\\', at)) {
    const char32_t code = SurrogateEscape(out, at);
    const bool pair = code != 0 && code < 0xDC00 && SurrogateEscape(out, at + 6) >= 0xDC00;
    if (code != 0 && !pair) out.replace(at, 6, "\\ufffd");
    at += pair ? 12 : 2;
  }
  return out;
}

// Finds the line numbers of offsets in one text; offsets must not decrease.
class LineCounter {
 public:
  LineCounter(std::string_view text, int first_line) : text_(text), line_(first_line) {}

  int At(size_t offset) {
    offset = std::min(offset, text_.size());
    if (offset > counted_) line_ += static_cast<int>(std::count(text_.data() + counted_, text_.data() + offset, '\n'));
    counted_ = std::max(counted_, offset);
    return line_;
  }

 private:
  std::string_view text_;
  size_t counted_ = 0;
  int line_;
};

// kNone: all strings in the text are valid UTF-8.
enum class Surrogates { kNone, kUnknown, kReplaced };

// Checks the whole text at once, which can save checking each of its strings.
Surrogates SurrogatesIn(std::string_view text) {
  return IsAscii(text) && text.find("\\u") == std::string_view::npos ? Surrogates::kNone : Surrogates::kUnknown;
}

// Passes the events of RapidJSON to a TreeBuilder. With an in-situ stream the strings are in the arena already.
template <class Stream>
class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler<Stream>> {
 public:
  Handler(Stream& stream, LineCounter& counter, Lines lines, Surrogates surrogates, TreeBuilder builder)
      : stream_(stream), counter_(counter), lines_(lines), surrogates_(surrogates), builder_(std::move(builder)) {}

  bool Null() { return Scalar(Value()); }
  bool Bool(bool b) { return Scalar(Value::Bool(b)); }

  bool RawNumber(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    const std::optional<Value> number = Number({text, size});
    if (!number) return Fail("the number is too large");
    return Scalar(*number);
  }

  bool String(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    const std::optional<std::string_view> copy = Copy({text, size});
    return copy && Scalar(Value::UnownedString(*copy));
  }

  bool Key(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    const std::optional<std::string_view> copy = Copy({text, size});
    if (copy) builder_.PushName(*copy, Line());
    return copy.has_value();
  }

  bool StartObject() { return Open(); }
  bool StartArray() { return Open(); }
  bool EndObject(rapidjson::SizeType count) { return builder_.EndObject(count, Close()), true; }
  bool EndArray(rapidjson::SizeType count) { return builder_.EndArray(count, Close()), true; }

  // Why the handler stopped the parser; "" if it did not, or only because it suspects lone surrogates.
  const std::string& failure() const { return failure_; }
  bool surrogates_suspected() const { return surrogates_suspected_; }
  Document Finish(const std::string& source_name) { return std::move(builder_).Finish(source_name); }

 private:
  int Line() { return lines_ == Lines::kKeep ? counter_.At(stream_.Tell()) : 0; }

  bool Fail(std::string why) {
    failure_ = std::move(why);
    return false;
  }

  bool Count() { return ++nodes_ <= kMaxNodes || Fail(StrCat("it has more than ", kMaxNodes, " values")); }

  bool Scalar(Value value) {
    builder_.Push(value, Line());
    return Count();
  }

  bool Open() {
    if (++depth_ > kMaxDepth) return Fail(StrCat("it is nested deeper than ", kMaxDepth, " levels"));
    if (lines_ == Lines::kKeep) open_lines_.push_back(Line());
    return Count();
  }

  int Close() {
    --depth_;
    if (lines_ == Lines::kDrop) return 0;
    const int line = open_lines_.back();
    open_lines_.pop_back();
    return line;
  }

  static std::optional<Value> Number(std::string_view text) {
    if (text.find_first_of(".eE") == std::string_view::npos) {
      if (const std::optional<int64_t> i = ParseInt64(text)) return Value::Int(*i);
    }
    const std::optional<double> d = ParseDouble(text);
    return d ? std::optional<Value>(Value::Double(*d)) : std::nullopt;
  }

  // Copies `text` into the arena. nullopt if it may come from a lone surrogate; see ParseOne.
  std::optional<std::string_view> Copy(std::string_view text) {
    if (surrogates_ == Surrogates::kNone || IsValidUtf8(text)) return kInsitu ? text : builder_.arena().Copy(text);
    if (surrogates_ == Surrogates::kReplaced) return builder_.arena().Copy(ReplaceInvalidUtf8(text));
    surrogates_suspected_ = true;
    return std::nullopt;
  }

  static constexpr bool kInsitu = std::is_same_v<Stream, rapidjson::InsituStringStream>;

  Stream& stream_;  // Tell() of the in-situ stream is not const
  LineCounter& counter_;
  Lines lines_;
  Surrogates surrogates_;
  TreeBuilder builder_;
  size_t depth_ = 0, nodes_ = 0;
  std::vector<int> open_lines_;  // used if lines are kept
  std::string failure_;
  bool surrogates_suspected_ = false;
};

// Turns a message of RapidJSON ("Missing a comma or '}' after an object member.") into the end of a sentence.
std::string Explain(rapidjson::ParseErrorCode code) {
  std::string text = rapidjson::GetParseError_En(code);
  text.front() = static_cast<char>(text.front() - 'A' + 'a');
  if (text.back() == '.') text.pop_back();
  return text;
}

// RapidJSON 1.1.0 overlooks these control characters in a string where it reads 16 bytes at once. No JSON may have them.
bool IsOverlooked(char c) { return c >= 0x1A && c <= 0x1F; }

// Returns where the first of them is; npos if there is none.
size_t FindOverlooked(std::string_view text) {
  unsigned char any = 0;  // compilers make vector instructions of this loop, but not of a search
  for (const char c : text) any |= static_cast<unsigned char>(IsOverlooked(c));
  return any == 0 ? std::string_view::npos
                  : static_cast<size_t>(std::find_if(text.begin(), text.end(), IsOverlooked) - text.begin());
}

// Reads the values of one text, one after the other.
class JsonReader {
 public:
  JsonReader(std::string_view text, const JsonOptions& options)
      : text_(text), options_(options), counter_(text, options.first_line) {}

  bool AtEnd() {
    at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size());
    return at_ == text_.size();
  }

  // Reads the next value. RapidJSON does not support lone surrogates, and few texts have any, so they are replaced only
  // after a first attempt shows that there may be some.
  Result<Document> Next() {
    return Read(Surrogates::kUnknown, [this](Surrogates surrogates) { return ParseCopying(surrogates); });
  }

  // Same for a text that is a single value. Faster, because it parses in place, in a copy that the document keeps.
  Result<Document> Only() {
    return Read(SurrogatesIn(text_), [this](Surrogates surrogates) { return ParseInsitu(surrogates); });
  }

  Error ErrorAt(size_t offset, std::string_view why) {
    Error error = Error::Parse(StrCat("this is not valid JSON: ", why));
    error.source = {options_.source_name, counter_.At(offset)};
    return error;
  }

  size_t at() const { return at_; }

 private:
  // nullopt: lone surrogates are suspected; parse again with Surrogates::kReplaced.
  using MaybeDocument = std::optional<Result<Document>>;

  template <class Parse>
  Result<Document> Read(Surrogates surrogates, Parse parse) {
    if (text_.size() > kMaxInputBytes) return ErrorAt(0, StrCat("it is larger than ", kMaxInputBytes >> 20, " MiB"));
    if (AtEnd()) return ErrorAt(at_, "the document is empty");
    MaybeDocument document = parse(surrogates);
    if (document) return *std::move(document);
    repaired_ = ReplaceLoneSurrogates(text_);
    text_ = repaired_;
    return *parse(Surrogates::kReplaced);
  }

  MaybeDocument ParseCopying(Surrogates surrogates) {
    rapidjson::MemoryStream stream(text_.data() + at_, text_.size() - at_);
    return ParseOne<kParseFlags>(stream, surrogates, TreeBuilder(KeepLines()));
  }

  MaybeDocument ParseInsitu(Surrogates surrogates) {
    // A text of n bytes needs n bytes for the copy and about 2n bytes for items and members.
    TreeBuilder builder(KeepLines(), 3 * (text_.size() - at_));
    rapidjson::InsituStringStream stream(builder.arena().CopyWritable(text_.substr(at_), kPadding));
    return ParseOne<kInsituFlags>(stream, surrogates, std::move(builder));
  }

  template <unsigned kFlags, class Stream>
  MaybeDocument ParseOne(Stream& stream, Surrogates surrogates, TreeBuilder builder) {
    LineCounter counter(text_.substr(at_), options_.keep_lines ? counter_.At(at_) : 0);
    Handler<Stream> handler(stream, counter, KeepLines(), surrogates, std::move(builder));
    rapidjson::Reader reader;
    const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, handler);
    if (result) {
      const size_t overlooked = FindOverlooked(text_.substr(at_, stream.Tell()));
      if (overlooked != std::string_view::npos) {
        return ErrorAt(at_ + overlooked, Explain(rapidjson::kParseErrorStringEscapeInvalid));
      }
      at_ += stream.Tell();
      return handler.Finish(options_.source_name);
    }
    const bool suspected =
        handler.surrogates_suspected() || result.Code() == rapidjson::kParseErrorStringUnicodeSurrogateInvalid;
    if (suspected && surrogates == Surrogates::kUnknown) return std::nullopt;
    return ErrorAt(at_ + result.Offset(), handler.failure().empty() ? Explain(result.Code()) : handler.failure());
  }

  Lines KeepLines() const { return options_.keep_lines ? Lines::kKeep : Lines::kDrop; }

  std::string_view text_;
  const JsonOptions& options_;
  LineCounter counter_;
  std::string repaired_;
  size_t at_ = 0;
};

// Writes what encoding/json would: compact without `indent`, else like MarshalIndent.
class Writer {
 public:
  Writer(std::string& out, std::optional<int> indent) : out_(out), indent_(indent) {}

  void Write(const Value& value) {
    switch (value.kind()) {
      case Kind::kNull: out_ += "null"; return;
      case Kind::kBool: out_ += value.AsBool() ? "true" : "false"; return;
      case Kind::kInt: out_ += std::to_string(value.AsInt()); return;
      case Kind::kDouble: out_ += WriteNumber(value.AsDouble()); return;
      case Kind::kString: String(value.AsString()); return;
      case Kind::kArray: Array(value.Items()); return;
      case Kind::kObject: Object(value.Members()); return;
    }
  }

 private:
  void Array(std::span<const Value> items) {
    Open('[');
    for (const Value& item : items) {
      Separate(&item == items.data());
      Write(item);
    }
    Close(']', items.empty());
  }

  void Object(std::span<const Member> members) {
    Open('{');
    for (const Member& member : members) {
      Separate(&member == members.data());
      String(member.name);
      out_ += indent_ ? ": " : ":";
      Write(member.value);
    }
    Close('}', members.empty());
  }

  void Open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void Separate(bool first) {
    if (!first) out_ += ',';
    NewLine();
  }

  void Close(char bracket, bool empty) {
    --depth_;
    if (!empty) NewLine();
    out_ += bracket;
  }

  void NewLine() {
    if (!indent_) return;
    out_ += '\n';
    out_.append(depth_ * static_cast<size_t>(*indent_), ' ');
  }

  void String(std::string_view text) {
    out_ += '"';
    while (!text.empty()) {
      // Not by find_if: at -O2 its calls were a twentieth of a first apply.
      size_t plain = 0;
      while (plain < text.size() && !IsSpecial(text[plain])) ++plain;
      out_.append(text.substr(0, plain));
      text.remove_prefix(plain);
      if (!text.empty()) text.remove_prefix(Character(text));
    }
    out_ += '"';
  }

  // HTML characters are escaped, as by the API machinery's encoder, which does not call SetEscapeHTML.
  static bool IsSpecial(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x80 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&';
  }

  // Writes the special character that `text` begins with; returns its length in bytes.
  size_t Character(std::string_view text) {
    switch (text.front()) {
      case '"': out_ += "\\\""; return 1;
      case '\\': out_ += "\\\\"; return 1;
      case '\b': out_ += "\\b"; return 1;
      case '\f': out_ += "\\f"; return 1;
      case '\n': out_ += "\\n"; return 1;
      case '\r': out_ += "\\r"; return 1;
      case '\t': out_ += "\\t"; return 1;
      default: break;
    }
    const Rune rune = FirstRune(text);
    if (!rune.valid || rune.code < 0x80 || rune.code == 0x2028 || rune.code == 0x2029) {
      Escape(rune.code);
    } else {
      out_.append(text.substr(0, rune.size));
    }
    return rune.size;
  }

  void Escape(char32_t code) {
    constexpr std::string_view kHex = "0123456789abcdef";
    out_ += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out_ += kHex[(code >> shift) & 0xF];
  }

  std::string& out_;
  std::optional<int> indent_;
  size_t depth_ = 0;
};

}  // namespace

Result<Document> ParseJson(std::string_view text, const JsonOptions& options) {
  JsonReader reader(text, options);
  SMP_ASSIGN(Document document, reader.Only());
  if (!reader.AtEnd()) return reader.ErrorAt(reader.at(), "unexpected text after the value");
  return document;
}

std::vector<Result<Document>> ParseJsonValues(std::string_view text, const JsonOptions& options) {
  std::vector<Result<Document>> values;
  JsonReader reader(text, options);
  while (!reader.AtEnd()) {
    values.push_back(reader.Next());
    if (!values.back()) break;
  }
  return values;
}

std::string WriteJson(const Value& value) {
  std::string out;
  Writer(out, std::nullopt).Write(value);
  return out;
}

std::string TextOfScalar(const Value& scalar) {
  return scalar.is_string() ? std::string(scalar.AsString()) : WriteJson(scalar);
}

std::string WriteIndentedJson(const Value& value, int spaces) {
  std::string out;
  Writer(out, spaces).Write(value);
  return out;
}

std::string WriteNumber(double d) {
  const Decimal decimal = ShortestDecimal(d);
  const int exponent = decimal.point - 1;
  if (exponent >= -6 && exponent < 21) return FixedNotation(decimal);
  std::string text = ScientificNotation(decimal);
  // "e-09" is cleaned up to "e-9", as encoding/json does ("e+21" has two digits anyway).
  const size_t zero = text.find("e-0");
  return zero == std::string::npos ? text : text.erase(zero + 2, 1);
}

}  // namespace smp
