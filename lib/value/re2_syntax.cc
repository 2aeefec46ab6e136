#include "value/re2_syntax.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp {

namespace {

using Node = Re2Node;
using NodePtr = std::unique_ptr<Node>;
using Ranges = std::vector<CodeRange>;

constexpr char32_t kLastRune = 0x10FFFF;
constexpr int kMostRepeats = 1000;  // of Go, all repetitions around a node multiplied
constexpr int kMostNested = 1000;   // of Go

// --- sets of characters

void SortAndJoin(Ranges& ranges) {
  std::ranges::sort(ranges, {}, &CodeRange::first);
  Ranges out;
  for (const CodeRange& range : ranges) {
    if (!out.empty() && range.first <= out.back().last + 1) {
      out.back().last = std::max(out.back().last, range.last);
    } else {
      out.push_back(range);
    }
  }
  ranges = std::move(out);
}

Ranges Negated(Ranges ranges) {
  SortAndJoin(ranges);
  Ranges out;
  char32_t next = 0;
  for (const CodeRange& range : ranges) {
    if (range.first > next) out.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastRune) out.push_back({next, kLastRune});
  return out;
}

// Adds the other case of ASCII letters.
void AddOtherCase(Ranges& ranges) {
  constexpr char32_t kToUpper = 'a' - 'A';
  const auto add = [&](char32_t first, char32_t last, const CodeRange& range, bool up) {
    const char32_t from = std::max(first, range.first), to = std::min(last, range.last);
    if (from > to) return;
    ranges.push_back(up ? CodeRange{from - kToUpper, to - kToUpper} : CodeRange{from + kToUpper, to + kToUpper});
  };
  const size_t count = ranges.size();
  for (size_t i = 0; i < count; ++i) {
    const CodeRange range = ranges[i];
    add('a', 'z', range, true);
    add('A', 'Z', range, false);
  }
  // What Unicode folds to ASCII: the long s and the Kelvin sign.
  const auto has = [&](char32_t c) {
    return std::ranges::any_of(ranges, [&](const CodeRange& r) { return r.first <= c && c <= r.last; });
  };
  if (has('s')) ranges.push_back({0x17F, 0x17F});
  if (has('k')) ranges.push_back({0x212A, 0x212A});
}

// The set of \d, \s or \w.
std::optional<Ranges> PerlClass(char letter) {
  switch (letter) {
    case 'd': return Ranges{{'0', '9'}};
    case 's': return Ranges{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
    case 'w': return Ranges{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    default: return std::nullopt;
  }
}

std::optional<Ranges> AsciiClass(std::string_view name) {
  static const std::pair<std::string_view, Ranges> kClasses[] = {
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 0x7F}}},
      {"blank", {{'\t', '\t'}, {' ', ' '}}},
      {"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"digit", {{'0', '9'}}},
      {"graph", {{'!', '~'}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}},
      {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  };
  for (const auto& [known, ranges] : kClasses) {
    if (known == name) return ranges;
  }
  return std::nullopt;
}

Error Invalid(std::string_view why) { return Error::Parse(std::string(why)); }
Error NotSupported(std::string_view what) { return Error::Refused(StrCat(what, " is not supported")); }

NodePtr Made(Node::Kind kind) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  return node;
}

// Returns how often what is repeated in the node may be repeated at most, all repetitions multiplied.
int64_t RepeatsOf(const Node& node) {
  int64_t out = 1;
  for (const NodePtr& child : node.children) out = std::max(out, RepeatsOf(*child));
  if (node.kind != Node::Kind::kRepeat) return out;
  const int count = std::max({node.least, node.most, 1});
  return out * count;
}

// --- the parser

class Parser {
 public:
  explicit Parser(std::string_view pattern) : rest_(pattern) {}

  Result<NodePtr> Parse() {
    SMP_ASSIGN(NodePtr out, Choice(0));
    if (!rest_.empty()) return Invalid("unexpected )");
    return out;
  }

 private:
  struct Flags {
    bool fold = false;         // i
    bool dot_newline = false;  // s
    bool many_lines = false;   // m
  };

  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  char32_t TakeRune() {
    const Rune rune = FirstRune(rest_);
    rest_.remove_prefix(rune.size);
    return rune.code;
  }

  Result<NodePtr> Choice(int depth) {
    if (depth > kMostNested) return Invalid("expression nests too deeply");
    NodePtr out = Made(Node::Kind::kChoice);
    do {
      SMP_ASSIGN(NodePtr sequence, Sequence(depth));
      out->children.push_back(std::move(sequence));
    } while (Take("|"));
    return out->children.size() == 1 ? std::move(out->children[0]) : std::move(out);
  }

  Result<NodePtr> Sequence(int depth) {
    NodePtr out = Made(Node::Kind::kSequence);
    bool repeatable = false;  // the last child may be followed by a repetition
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const std::string_view before = rest_;
      SMP_ASSIGN(std::optional<NodePtr> repetition, Repetition());
      if (repetition) {
        if (!repeatable) return Invalid(StrCat("missing argument to repetition operator: ", before.substr(0, 1)));
        (*repetition)->children.push_back(std::move(out->children.back()));
        if (RepeatsOf(**repetition) > kMostRepeats) return Invalid("invalid repeat count");
        out->children.back() = *std::move(repetition);
        if (AtRepetition()) return Invalid("invalid nested repetition operator");
        continue;
      }
      if (Take("\\Q")) {
        repeatable |= TakeQuoted(*out);
        continue;
      }
      SMP_ASSIGN(NodePtr atom, Atom(depth));
      if (atom == nullptr) continue;  // flags for what follows
      out->children.push_back(std::move(atom));
      repeatable = true;
    }
    return out;
  }

  // Takes the characters up to \E. Returns true if there is one.
  bool TakeQuoted(Node& sequence) {
    const size_t end = rest_.find("\\E");
    std::string_view quoted = rest_.substr(0, end);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 2);
    const bool any = !quoted.empty();
    while (!quoted.empty()) {
      const Rune rune = FirstRune(quoted);
      quoted.remove_prefix(rune.size);
      sequence.children.push_back(Literal(rune.code));
    }
    return any;
  }

  bool AtRepetition() {
    const std::string_view before = rest_;
    auto repetition = Repetition();
    rest_ = before;
    return !repetition.ok() || repetition->has_value();
  }

  // Takes *, +, ?, {n}, {n,} or {n,m}, and the ? that makes it lazy, which does not change what matches.
  Result<std::optional<NodePtr>> Repetition() {
    int least = 0, most = Node::kNoLimit;
    if (Take("+")) {
      least = 1;
    } else if (Take("?")) {
      most = 1;
    } else if (!Take("*")) {
      if (!rest_.starts_with('{')) return std::optional<NodePtr>();
      SMP_ASSIGN(const bool counted, TakeCounts(least, most));
      if (!counted) return std::optional<NodePtr>();
    }
    Take("?");
    NodePtr out = Made(Node::Kind::kRepeat);
    out->least = least;
    out->most = most;
    return std::optional(std::move(out));
  }

  // Returns false if the braces are ordinary characters.
  Result<bool> TakeCounts(int& least, int& most) {
    const std::string_view before = rest_;
    rest_.remove_prefix(1);
    const auto give_up = [&] {
      rest_ = before;
      return false;
    };
    const std::optional<int> first = TakeNumber();
    if (!first) return give_up();
    std::optional<int> second = first;
    if (Take(",")) {
      second = rest_.starts_with('}') ? std::optional(Node::kNoLimit) : TakeNumber();
      if (!second) return give_up();
    }
    if (!Take("}")) return give_up();
    const bool fits = *first <= kMostRepeats && *second <= kMostRepeats;
    if (!fits || (*second != Node::kNoLimit && *second < *first)) return Invalid("invalid repeat count");
    least = *first;
    most = *second;
    return true;
  }

  // Without leading zeros, as in Go. A number that is too large stays too large.
  std::optional<int> TakeNumber() {
    size_t size = 0;
    while (size < rest_.size() && rest_[size] >= '0' && rest_[size] <= '9') ++size;
    const std::string_view digits = rest_.substr(0, size);
    if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
    rest_.remove_prefix(size);
    int out = 0;
    for (const char c : digits) out = std::min(out * 10 + (c - '0'), kMostRepeats + 1);
    return out;
  }

  NodePtr Class(Ranges ranges) {
    SortAndJoin(ranges);
    NodePtr out = Made(Node::Kind::kRunes);
    out->ranges = std::move(ranges);
    return out;
  }

  NodePtr Literal(char32_t c) {
    Ranges ranges = {{c, c}};
    if (flags_.fold) AddOtherCase(ranges);
    return Class(std::move(ranges));
  }

  static NodePtr Assert(Node::Assertion assertion) {
    NodePtr out = Made(Node::Kind::kAssert);
    out->assertion = assertion;
    return out;
  }

  // Returns nullptr for `(?i)`, which only sets flags.
  Result<NodePtr> Atom(int depth) {
    using A = Node::Assertion;
    if (rest_.starts_with('(')) return Group(depth);
    if (rest_.starts_with('[')) return Brackets();
    if (rest_.starts_with('\\')) return Escape();
    if (Take("^")) return Assert(flags_.many_lines ? A::kBeginLine : A::kBeginText);
    if (Take("$")) return Assert(flags_.many_lines ? A::kEndLine : A::kEndText);
    if (Take(".")) return Class(flags_.dot_newline ? Ranges{{0, kLastRune}} : Negated({{'\n', '\n'}}));
    SMP_TRY(CheckFold(FirstRune(rest_).code));
    return Literal(TakeRune());
  }

  Status CheckFold(char32_t c) const {
    return flags_.fold && c > 0x7F ? Status(NotSupported("(?i) with letters that are not ASCII")) : Ok();
  }

  Result<NodePtr> Group(int depth) {
    const Flags outer = flags_;
    rest_.remove_prefix(1);
    if (Take("?")) {
      SMP_ASSIGN(const bool opens, TakeGroupFlags());
      if (!opens) return NodePtr();
    }
    SMP_ASSIGN(NodePtr out, Choice(depth + 1));
    if (!Take(")")) return Invalid("missing closing )");
    flags_ = outer;
    // A group is one thing to a repetition, also where it is empty.
    NodePtr group = Made(Node::Kind::kSequence);
    group->children.push_back(std::move(out));
    return group;
  }

  // Takes what is between `(?` and what the group has. Returns false for `(?i)`.
  Result<bool> TakeGroupFlags() {
    if (rest_.starts_with("P<") || rest_.starts_with('<')) return TakeName();
    bool on = true, any = false;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == ':' || c == ')') {
        if (!on && !any) break;
        return c == ':';
      }
      if (c == '-' && on) {
        on = any = false;
        continue;
      }
      any = true;
      if (c == 'i')
        flags_.fold = on;
      else if (c == 's')
        flags_.dot_newline = on;
      else if (c == 'm')
        flags_.many_lines = on;
      else if (c != 'U')
        break;
    }
    return Invalid("invalid or unsupported Perl syntax: (?");
  }

  Result<bool> TakeName() {
    rest_.remove_prefix(rest_.find('<') + 1);
    const std::string_view name = rest_.substr(0, rest_.find('>'));
    const bool plain = std::ranges::all_of(name, [](char c) { return IsAlnum(c) || c == '_'; });
    if (name.empty() || name.size() == rest_.size() || !plain) return Invalid("invalid named capture");
    if (std::ranges::find(names_, name) != names_.end()) return Invalid("duplicate capture group name");
    names_.push_back(name);
    rest_.remove_prefix(name.size() + 1);
    return true;
  }

  // --- escapes

  Result<NodePtr> Escape() {
    using A = Node::Assertion;
    if (Take("\\A")) return Assert(A::kBeginText);
    if (Take("\\z")) return Assert(A::kEndText);
    if (Take("\\b")) return Assert(A::kWordBoundary);
    if (Take("\\B")) return Assert(A::kNoWordBoundary);
    SMP_ASSIGN(const std::optional<Ranges> named, NamedClass());
    if (named) return Class(*named);
    SMP_ASSIGN(const char32_t c, EscapedRune());
    SMP_TRY(CheckFold(c));
    return Literal(c);
  }

  // Takes \d, \W, …
  Result<std::optional<Ranges>> NamedClass() {
    const char letter = rest_.size() > 1 ? rest_[1] : '\0';
    if (letter == 'p' || letter == 'P') return NotSupported("a class of Unicode (\\p)");
    const bool negative = letter == 'D' || letter == 'S' || letter == 'W';
    std::optional<Ranges> out = PerlClass(negative ? static_cast<char>(letter - 'A' + 'a') : letter);
    if (!out) return out;
    rest_.remove_prefix(2);
    if (flags_.fold) AddOtherCase(*out);
    if (negative) out = Negated(*std::move(out));
    return out;
  }

  Result<char32_t> EscapedRune() {
    rest_.remove_prefix(1);
    if (rest_.empty()) return Invalid("trailing backslash at end of expression");
    const char32_t c = TakeRune();
    if (c < 0x80 && !IsAlnum(static_cast<char>(c))) return c;
    switch (c) {
      case 'a': return U'\a';
      case 'f': return U'\f';
      case 'n': return U'\n';
      case 'r': return U'\r';
      case 't': return U'\t';
      case 'v': return U'\v';
      case 'x': return HexRune();
      default: break;
    }
    if (c >= '0' && c <= '7') return OctalRune(c);
    return Invalid("invalid escape sequence");
  }

  // One digit from 1 on would be a reference to a group, which there is none of.
  Result<char32_t> OctalRune(char32_t first) {
    const auto at_digit = [&] { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '7'; };
    if (first != '0' && !at_digit()) return Invalid("invalid escape sequence");
    char32_t out = first - '0';
    for (int i = 1; i < 3 && at_digit(); ++i) out = out * 8 + (TakeRune() - '0');
    return out;
  }

  static int HexDigit(char32_t c) {
    if (c >= '0' && c <= '9') return static_cast<int>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? static_cast<int>(c - 'A') + 10 : -1;
  }

  Result<char32_t> HexRune() {
    const bool braces = Take("{");
    char32_t out = 0;
    int digits = 0;
    while (!rest_.empty() && (braces || digits < 2)) {
      const int digit = HexDigit(static_cast<unsigned char>(rest_.front()));
      if (digit < 0) break;
      rest_.remove_prefix(1);
      out = out * 16 + static_cast<char32_t>(digit);
      ++digits;
      if (out > kLastRune) return Invalid("invalid escape sequence");
    }
    const bool complete = braces ? digits > 0 && Take("}") : digits == 2;
    if (!complete) return Invalid("invalid escape sequence");
    return out;
  }

  // --- brackets

  Result<NodePtr> Brackets() {
    rest_.remove_prefix(1);
    const bool negative = Take("^");
    Ranges ranges;
    bool first = true;
    while (first || !rest_.starts_with(']')) {
      if (rest_.empty()) return Invalid("missing closing ]");
      SMP_TRY(AddBracketItem(ranges));
      first = false;
    }
    rest_.remove_prefix(1);
    if (!negative) return Class(std::move(ranges));
    return Class(Negated(std::move(ranges)));
  }

  Status AddBracketItem(Ranges& out) {
    Ranges added;
    SMP_ASSIGN(std::optional<Ranges> named,
               rest_.starts_with("[:") ? PosixClass() : Result<std::optional<Ranges>>(std::optional<Ranges>()));
    if (!named && rest_.starts_with('\\')) {
      SMP_ASSIGN(named, NamedClass());
    }
    if (named) {
      added = *std::move(named);
    } else {
      SMP_ASSIGN(const CodeRange range, BracketRange());
      added = {range};
      SMP_TRY(CheckFold(range.last));
    }
    if (flags_.fold) AddOtherCase(added);
    out.insert(out.end(), added.begin(), added.end());
    return Ok();
  }

  // Takes [:alpha:] or [:^alpha:]; nullopt if the brackets are ordinary characters.
  Result<std::optional<Ranges>> PosixClass() {
    const size_t end = rest_.find(":]", 2);
    if (end == rest_.npos) return std::optional<Ranges>();
    std::string_view name = rest_.substr(2, end - 2);
    const bool negative = name.starts_with('^');
    if (negative) name.remove_prefix(1);
    std::optional<Ranges> out = AsciiClass(name);
    if (!out) return Invalid("invalid character class range");
    rest_.remove_prefix(end + 2);
    return negative ? std::optional(Negated(*std::move(out))) : out;
  }

  Result<CodeRange> BracketRange() {
    SMP_ASSIGN(const char32_t first, BracketRune());
    const bool is_range = rest_.size() >= 2 && rest_.front() == '-' && rest_[1] != ']';
    if (!is_range) return CodeRange{first, first};
    rest_.remove_prefix(1);
    SMP_ASSIGN(const char32_t last, BracketRune());
    if (last < first) return Invalid("invalid character class range");
    return CodeRange{first, last};
  }

  Result<char32_t> BracketRune() {
    if (rest_.empty()) return Invalid("missing closing ]");
    if (rest_.starts_with('\\')) return EscapedRune();
    return TakeRune();
  }

  std::string_view rest_;
  Flags flags_;
  std::vector<std::string_view> names_;
};

}  // namespace

Result<NodePtr> ParseRe2(std::string_view pattern) {
  if (!IsValidUtf8(pattern)) return Invalid("invalid UTF-8");
  return Parser(pattern).Parse();
}

}  // namespace smp
