#include "kube/brief_message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp::kube {

namespace {

constexpr size_t kLongestValue = 100;  // bytes
constexpr size_t kMostDifferences = 10;
constexpr size_t kMostLines = 30;
constexpr size_t kLongestLine = 2'000;  // bytes
constexpr int kDeepest = 50;
constexpr int kMostOpenValues = 20;

// Returns the offset after the bracket that closes the one at `at`; npos if nothing does.
size_t AfterGroup(std::string_view text, size_t at) {
  for (int depth = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = AfterQuoted(text, at);
      continue;
    }
    depth += c == '{' || c == '[' || c == '(' ? 1 : c == '}' || c == ']' || c == ')' ? -1 : 0;
    ++at;
    if (depth == 0) return at;
  }
  return text.npos;
}

// --- values as Go's %#v prints them

bool IsZero(std::string_view text) {
  return text == "nil" || text == "\"\"" || text == "0" || text == "0x0" || text == "false" || text == "{}";
}

// Rewrites one value without types and empty members. nullopt if it is not in Go's syntax.
class GoValue {
 public:
  explicit GoValue(std::string_view text) : text_(text) {}

  std::optional<std::string> Rewrite() {
    std::string out = Value(0);
    return failed_ || at_ != text_.size() ? std::nullopt : std::optional(out);
  }

 private:
  char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string Fail() {
    failed_ = true;
    return {};
  }

  std::string Value(int depth) {
    if (depth > kDeepest || failed_) return Fail();
    if (Next() == '"') return Quoted();
    const std::string_view word = TypeOrWord();
    if (Next() == '{') return Members(depth);
    if (Next() == '(') return Converted();
    return word.empty() ? Fail() : std::string(word);
  }

  std::string Quoted() {
    const size_t begin = at_;
    at_ = AfterQuoted(text_, at_);
    return std::string(text_.substr(begin, at_ - begin));
  }

  // Reads "v1.LabelSelector", "map[string]string", "[]v1.Container", "&v1.Probe", "(*int32)", "interface {}", "true", "1.5".
  std::string_view TypeOrWord() {
    const size_t begin = at_;
    if (Next() == '(') at_ = std::min(AfterGroup(text_, at_), text_.size());
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool plain = IsAlnum(c) || std::string_view("._*&[]-+/").find(c) != std::string_view::npos;
      const bool interface = text_.substr(at_).starts_with(" {}");
      if (!plain && !interface) break;
      at_ += interface ? 3 : 1;
    }
    return text_.substr(begin, at_ - begin);
  }

  // "(nil)", "(0xc000123456)": a pointer, whose value Go does not print. "(5)": a number of a named type.
  std::string Converted() {
    const size_t begin = at_;
    const size_t end = AfterGroup(text_, at_);
    if (end == text_.npos) return Fail();
    at_ = end;
    const std::string_view inner = text_.substr(begin + 1, end - begin - 2);
    return inner.starts_with("0x") && inner.size() > 4 ? "…" : std::string(inner);
  }

  std::string Members(int depth) {
    std::vector<std::string> members;
    for (++at_; !failed_ && Next() != '}';) {
      std::string member = Member(depth);
      if (!member.empty()) members.push_back(std::move(member));
      if (Next() == ',')
        at_ += text_.substr(at_).starts_with(", ") ? 2 : 1;
      else if (Next() != '}')
        return Fail();
    }
    ++at_;
    return StrCat("{", Join(members, ", "), "}");
  }

  // "" if its value is empty.
  std::string Member(int depth) {
    std::string name;
    const size_t begin = at_;
    const std::string_view word = Next() == '"' ? std::string_view() : TypeOrWord();
    if (word.empty() && Next() == '"') name = Quoted();
    if (Next() == ':') {
      name = text_.substr(begin, ++at_ - begin);
    } else {
      at_ = begin;
      name.clear();
    }
    const std::string value = Value(depth + 1);
    return !name.empty() && IsZero(value) ? "" : name + value;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool failed_ = false;
};

// --- values in a message

bool BeginsType(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*' || c == '&' || c == '['; }

// Returns the offset after the value at the beginning of `text`, if it has brackets: `{…}`, `["a"]`, `v1.X{…}`, `(*T)(nil)`.
// npos: it has none, or they are not closed.
size_t AfterValue(std::string_view text) {
  if (text.starts_with('(')) {
    const size_t type = AfterGroup(text, 0);
    return type < text.size() && text[type] == '(' ? AfterGroup(text, type) : text.npos;
  }
  if (text.starts_with('[') && !text.starts_with("[]")) return AfterGroup(text, 0);
  const size_t open = text.find_first_of("{(\n\" ");
  const bool typed = open < text.size() && (open == 0 || BeginsType(text.front()));
  return typed && (text[open] == '{' || text[open] == '(') ? AfterGroup(text, open) : text.npos;
}

std::string BriefValue(std::string_view value) {
  const bool json = value.starts_with('{') || value.starts_with("[{") || value.starts_with("[\"");
  std::optional<std::string> plain;
  if (!json) plain = GoValue(value).Rewrite();
  return CutEnd(plain ? *plain : std::string(value), kLongestValue);
}

// Finds the marks before values, from left to right. Searches the text only once for each mark.
class Marks {
 public:
  explicit Marks(std::string_view text) : text_(text) {}

  // Returns the offset of the first value at or after `from`; npos if there is none.
  size_t NextValue(size_t from) {
    size_t first = text_.npos;
    for (size_t i = 0; i < kMarks.size(); ++i) {
      if (at_[i] != text_.npos && (at_[i] < from || !searched_[i])) at_[i] = text_.find(kMarks[i].text, from);
      searched_[i] = true;
      if (at_[i] != text_.npos) first = std::min(first, at_[i] + kMarks[i].before_value);
    }
    return first;
  }

 private:
  struct Mark {
    std::string_view text;
    size_t before_value;
  };
  static constexpr std::array kMarks = {Mark{"Invalid value: ", 15}, Mark{"Unsupported value: ", 19},
                                        Mark{"Duplicate value: ", 17}, Mark{"'{\"", 1}, Mark{" {\"", 1}};

  std::string_view text_;
  std::array<size_t, kMarks.size()> at_ = {};
  std::array<bool, kMarks.size()> searched_ = {};
};

// Returns the line with short values, also where JSON is quoted in the middle of a sentence.
std::string WithBriefValues(std::string_view line) {
  std::string out;
  Marks marks(line);
  int open = 0;  // values whose brackets are not closed: each of them is searched to the end
  for (size_t at = 0;;) {
    const size_t value = marks.NextValue(at);
    if (value == line.npos || open == kMostOpenValues) return out += line.substr(at);
    out += line.substr(at, value - at);
    const std::string_view rest = line.substr(value);
    size_t size = rest.starts_with('"') ? AfterQuoted(rest, 0) : AfterValue(rest);
    const bool closed = size != rest.npos;
    open += closed ? 0 : 1;
    if (!closed) size = std::min(rest.find(": "), rest.size());
    out += closed ? BriefValue(rest.substr(0, size)) : CutEnd(rest.substr(0, size), kLongestValue);
    at = value + size;
  }
}

// Cuts ", error found in #10 byte of ...|…|..., bigger context ...|…", with which a decoder quotes the object.
std::string_view WithoutContext(std::string_view line) { return line.substr(0, line.find(", error found in #")); }

// --- differences between two objects, which follow a cause: unified JSON, or go-cmp's print of Go values

// Go-cmp indents by no-break spaces at random, so that nobody parses its output.
std::string_view WithoutIndent(std::string_view line) {
  constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
  for (;;) {
    if (line.starts_with(' ') || line.starts_with('\t'))
      line.remove_prefix(1);
    else if (line.starts_with(kNoBreakSpace))
      line.remove_prefix(kNoBreakSpace.size());
    else
      return line;
  }
}

bool BeginsDifference(std::string_view line) {
  if (line.starts_with("@@ ")) return true;
  const std::string_view inner = WithoutIndent(line);
  const size_t dot = inner.find('.');
  return inner.size() < line.size() && inner.ends_with('{') && (dot < inner.find(' ') || inner.starts_with('&'));
}

bool IsChange(std::string_view line) { return line.starts_with('-') || line.starts_with('+'); }

// Appends the changed lines from `at` on to `out`. Returns the index of the first line after the difference.
size_t AppendDifference(const std::vector<std::string_view>& lines, size_t at, std::vector<std::string>& out) {
  size_t changes = 0;
  for (; at < lines.size() && !lines[at].starts_with("* "); ++at) {
    if (!IsChange(lines[at]) || ++changes > kMostDifferences) continue;
    const std::string_view text = Trim(WithoutIndent(lines[at].substr(1)));
    out.push_back(StrCat("  ", lines[at].substr(0, 1), " ", CutEnd(text, kLongestValue)));
  }
  if (changes > kMostDifferences) out.push_back(StrCat("  and ", changes - kMostDifferences, " more lines differ"));
  return at;
}

bool IsBrief(std::string_view message) {
  return message.size() <= kLongestValue ||
         (message.size() <= kLongestLine && message.find_first_of("{[\n") == message.npos);
}

}  // namespace

std::string BriefMessage(std::string_view message) {
  if (IsBrief(message) && message.find("Invalid value: ") == message.npos) return std::string(message);
  const std::vector<std::string_view> lines = Split(message, '\n');
  std::vector<std::string> out;
  for (size_t i = 0; i < lines.size();) {
    if (i > 0 && BeginsDifference(lines[i])) {
      i = AppendDifference(lines, i, out);
      continue;
    }
    out.push_back(CutEnd(WithBriefValues(WithoutContext(lines[i])), kLongestLine));
    ++i;
  }
  const size_t more = out.size() - std::min(out.size(), kMostLines);
  out.resize(out.size() - more);
  return StrCat(Join(out, "\n"), more > 0 ? StrCat("\nand ", more, " more lines") : "");
}

Error Brief(Error error) {
  if (error.http_status != 0) error.message = BriefMessage(error.message);
  return error;
}

}  // namespace smp::kube
