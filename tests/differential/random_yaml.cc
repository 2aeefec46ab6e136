#include <algorithm>

#include "base/strings.h"
#include "differential/random_text.h"

namespace smp {

namespace {

constexpr std::string_view kPlain[] = {"a",
                                       "b c",
                                       "yes",
                                       "no",
                                       "on",
                                       "off",
                                       "y",
                                       "n",
                                       "Y",
                                       "N",
                                       "True",
                                       "FALSE",
                                       "tRue",
                                       "null",
                                       "~",
                                       "Null",
                                       "0",
                                       "1",
                                       "-1",
                                       "+1",
                                       "0644",
                                       "0o17",
                                       "0x1F",
                                       "0b101",
                                       "08",
                                       "1_000",
                                       "1__0",
                                       "_1",
                                       "1_",
                                       "1:30",
                                       "190:20:30",
                                       "1e3",
                                       "1E+2",
                                       "1e",
                                       ".5",
                                       "5.",
                                       ".",
                                       "-.5",
                                       "1.0",
                                       "1.5",
                                       "-0",
                                       "1e400",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "18446744073709551616",
                                       "2001-01-01",
                                       "2001-1-1",
                                       "2001-12-14t21:59:43.10-05:00",
                                       "2001-12-14 21:59:43",
                                       "12:30:45",
                                       "-",
                                       "--",
                                       "-a",
                                       "?a",
                                       ":a",
                                       "a:b",
                                       "http://x/y",
                                       "a#b",
                                       "a'b",
                                       "a\"b",
                                       "a\\b",
                                       "a, b",
                                       "a[b",
                                       "x{y",
                                       "=",
                                       "<<",
                                       "100m",
                                       "1Gi",
                                       "é中",
                                       "😀",
                                       "a\tb",
                                       "a - b",
                                       "a&b",
                                       "a*b",
                                       "a!b",
                                       "$(A)",
                                       "${a}",
                                       "/a/*",
                                       "--a=b"};
// Most of these cannot stand unquoted.
constexpr std::string_view kRough[] = {"@a",  "`a",   "%a",    "a: b", ":", "? a",  "- a",      "a:",      "'",  "\"",
                                       ",",   "[",    "]",     "{",    "}", "!",    "&",        "*",       "|",  ">",
                                       "...", ".nan", "-.INF", ".inf", "#", "a #b", "{{ .a }}", "*.a.com", "a]", "a}"};

constexpr std::string_view kKeys[] = {"a",    "b",          "c",   "name", "spec",      "y",     "n",   "yes", "1",
                                      "0x1F", "1.5",        "1e3", "true", "null",      "a.b/c", "a b", "'q'", "\"d\"",
                                      "<<",   "2001-01-01", "-a",  "a:b",  "\"a\\nb\"", "''",    "é",   "a'b", "a#b"};

constexpr std::string_view kDoubleQuoted[] = {
    "",    "a",   " a ",  "a\\n", "\\t", "\\x41", "\\u00e9", "\\U0001F600", "\\0",  "\\e", "\\r", "\\v", "\\N", "\\_",
    "\\L", "\\P", "\\\"", "\\ ",  "a'b", "#",     ": ",      "- a",         "\\\\", "é",   "\t",  "yes", "%",   "{"};
constexpr std::string_view kBadEscapes[] = {"\\q", "\\ud800", "\\ud83d\\ude00", "\\x4", "\\/"};
constexpr std::string_view kSingleQuoted[] = {"",  "a",   " a ", "''", "\\n", "\"", "#", ": ",
                                              "a", "yes", "12",  "é",  "\t",  ", ", "}"};
constexpr std::string_view kBlockLines[] = {"a",    " a", "  a", "",  "",     " ",  "\t",  "a b", "# a", "- a", "a: b",
                                            "---a", "\"", "'",   "{", "...a", "a ", "a\t", "%a",  "\tb", "...", "é"};
constexpr std::string_view kBlockHeads[] = {"|", ">", "|-", ">-", "|+", ">+", "|2", ">2-", "|1", "|+1", "|9"};
constexpr std::string_view kBadHeads[] = {"|0", "|a", "|10"};
constexpr std::string_view kTags[] = {"!!str", "!local", "!", "!<tag:yaml.org,2002:str>"};
constexpr std::string_view kOddTags[] = {"!!int", "!!float", "!!bool", "!!null",  "!!binary", "!!timestamp",
                                         "!!map", "!!seq",   "!x!y",   "!!merge", "!!set"};
constexpr std::string_view kAnchors[] = {"&x", "&x", "&y", "&y", "&a-b", "&a-b", "&1", "&1", "&1", "&1", "&é"};
constexpr std::string_view kAliases[] = {"*x", "*y", "*a-b", "*1", "*z"};
constexpr std::string_view kGaps[] = {"", " ", " ", " ", "  ", "\t", " # c", "\n", "\n  ", "\n "};
constexpr std::string_view kLineEnds[] = {" ", " # c", "\t", " #", "#c", "\t# c"};
constexpr std::string_view kColons[] = {": ", ": ", ": ", ":  ", " : ", ":\t"};
constexpr std::string_view kNoise[] = {"\n", "# c\n", "  # c\n", " \n", "    \n", "\t\n", "#\n", "   #c: d\n"};
constexpr std::string_view kWords[] = {"- ",       ": ",
                                       ":",        "? ",
                                       "#",        " #",
                                       "'",        "\"",
                                       "|",        ">",
                                       "|-\n",     "&x ",
                                       "*x",       "!!str ",
                                       "!!int ",   "{",
                                       "}",        "[",
                                       "]",        ",",
                                       ", ",       "\t",
                                       "  ",       " ",
                                       "\r\n",     "\r",
                                       "\n",       "\n\n",
                                       "...",      "\n...\n",
                                       "\n---\n",  "---",
                                       "<<: ",     "<<: *x",
                                       "%",        "@",
                                       "`",        "\\",
                                       "\\n",      "\xEF\xBB\xBF",
                                       "\xC2\x85", "\xE2\x80\xA8",
                                       "\xC2\xA0", "\xFF",
                                       "\x01",     "=",
                                       "yes",      "~",
                                       "0x",       "_",
                                       ".",        "-"};

std::string Repeat(char c, uint64_t count) { return std::string(count, c); }

// Writes one document, from left to right.
class YamlWriter {
 public:
  explicit YamlWriter(Dice& dice) : dice_(dice) {}

  std::string Document() {
    if (dice_.Chance(3)) out_ += "\xEF\xBB\xBF";
    if (dice_.Chance(1)) out_ += "%YAML 1.1\n---\n";
    if (dice_.Chance(10)) out_ += "---\n";
    Noise();
    if (dice_.Chance(70)) {
      Map(0, 0);
    } else {
      Node(0, 0);
    }
    if (dice_.Chance(3)) out_ += "...\n";
    return std::move(out_);
  }

 private:
  void Noise() {
    while (dice_.Chance(6)) out_ += dice_.Pick(kNoise);
  }

  // Behind a value in block context.
  void LineEnd() {
    if (dice_.Chance(8)) out_ += dice_.Pick(kLineEnds);
    out_ += "\n";
    Noise();
  }

  void Properties() {
    if (dice_.Chance(4)) out_ += StrCat(dice_.Chance(70) ? dice_.Pick(kTags) : dice_.Pick(kOddTags), " ");
    if (dice_.Chance(8)) out_ += StrCat(dice_.Pick(kAnchors), dice_.Chance(99) ? " " : "");
    if (dice_.Chance(1)) out_ += StrCat(dice_.Pick(kTags), " ");
  }

  // A node whose line has begun; ends with a line end. Children stand at `indent` or deeper.
  void Node(size_t indent, int depth) {
    const uint64_t kind = dice_.Below(depth > 4 ? 60 : 100);
    if (kind < 50) return Scalar(indent);
    if (kind < 56) return Block(indent);
    if (kind < 60) return Flow(depth), LineEnd();
    Properties();
    if (dice_.Chance(4)) out_ += "# c";
    out_ += "\n";
    Noise();
    if (kind < 82) return Map(indent + dice_.Below(4), depth + 1);
    Sequence(indent + dice_.Below(3), depth + 1);
  }

  void Word() { out_ += dice_.Chance(97) ? dice_.Pick(kPlain) : dice_.Pick(kRough); }

  // Most name an anchor that was written.
  bool Alias() {
    const std::string_view alias = dice_.Pick(kAliases);
    if (out_.find(StrCat("&", alias.substr(1), " ")) == std::string::npos && !dice_.Chance(2)) return false;
    out_ += alias;
    return true;
  }

  void Scalar(size_t indent) {
    if (dice_.Chance(12) && Alias()) return LineEnd();
    Properties();
    if (dice_.Chance(8)) return LineEnd();
    const uint64_t kind = dice_.Below(100);
    if (kind < 65) {
      Word();
      while (dice_.Chance(8))
        out_ += StrCat(dice_.Chance(60) ? "\n" : "\n\n", Repeat(' ', indent + dice_.Below(3)), dice_.Pick(kPlain));
    } else {
      Quoted(kind < 85 ? '"' : '\'', indent);
    }
    LineEnd();
  }

  void Quoted(char quote, size_t indent) {
    out_ += quote;
    for (uint64_t i = dice_.Below(4); i > 0; --i) {
      out_ += quote == '\''      ? dice_.Pick(kSingleQuoted)
              : dice_.Chance(98) ? dice_.Pick(kDoubleQuoted)
                                 : dice_.Pick(kBadEscapes);
      if (dice_.Chance(15)) {
        if (quote == '"' && dice_.Chance(25)) out_ += "\\";
        out_ += StrCat(dice_.Chance(70) ? "\n" : " \n\n", Repeat(' ', indent + dice_.Below(3)));
      }
    }
    out_ += quote;
  }

  void Block(size_t indent) {
    Properties();
    out_ += dice_.Chance(98) ? dice_.Pick(kBlockHeads) : dice_.Pick(kBadHeads);
    if (dice_.Chance(6)) out_ += " # c";
    out_ += "\n";
    const size_t column = indent + 1 + dice_.Below(3);
    for (uint64_t i = dice_.Below(5); i > 0; --i) {
      const std::string_view line = dice_.Pick(kBlockLines);
      if (!line.empty() || dice_.Chance(30)) out_ += Repeat(' ', column);
      out_ += StrCat(line, "\n");
    }
  }

  void Key() {
    if (dice_.Chance(4)) out_ += StrCat(dice_.Pick(kAnchors), " ");
    if (dice_.Chance(3)) out_ += StrCat(dice_.Pick(kTags), " ");
    if (dice_.Chance(3) && Alias()) return void(out_ += ' ');
    out_ += dice_.Chance(90) ? dice_.Pick(kKeys) : dice_.Pick(kPlain);
  }

  void Map(size_t indent, int depth) {
    for (uint64_t i = dice_.Below(4) + 1; i > 0; --i) {
      out_ += Repeat(' ', dice_.Chance(98) ? indent : indent + dice_.Below(3));
      if (dice_.Chance(3)) {
        out_ += "? ";
        Key();
        out_ += dice_.Chance(20) ? "\n" : StrCat("\n", Repeat(' ', indent), ": ");
      } else {
        Key();
        out_ += dice_.Pick(kColons);
      }
      Node(indent + dice_.Below(2), depth + 1);
    }
  }

  void Sequence(size_t indent, int depth) {
    for (uint64_t i = dice_.Below(3) + 1; i > 0; --i) {
      out_ += StrCat(Repeat(' ', indent), "-", dice_.Chance(97) ? " " : "\t");
      if (depth < 5 && dice_.Chance(25)) {
        Key();  // a mapping that begins in the line of its item
        out_ += ": ";
        Node(indent + 3, depth + 1);
        if (dice_.Chance(60)) Map(indent + 2, depth + 1);
      } else {
        Node(indent + 1, depth + 1);
      }
    }
  }

  void Gap() {
    const std::string_view gap = dice_.Pick(kGaps);
    out_ += gap;
    if (gap.ends_with("c")) out_ += "\n ";
  }

  void Flow(int depth) {
    Properties();
    const bool is_map = dice_.Chance(50);
    out_ += is_map ? '{' : '[';
    for (uint64_t i = dice_.Below(4); i > 0; --i) {
      Gap();
      if (is_map ? dice_.Chance(92) : dice_.Chance(10)) {
        if (dice_.Chance(4)) out_ += "? ";
        Key();
        Gap();
        out_ += dice_.Chance(90) ? ": " : ":";
      }
      if (!dice_.Chance(6)) FlowValue(depth);
      Gap();
      if (i > 1 || dice_.Chance(15)) out_ += ',';
    }
    Gap();
    if (!dice_.Chance(2)) out_ += is_map ? '}' : ']';
  }

  void FlowValue(int depth) {
    const uint64_t kind = dice_.Below(100);
    if (kind < 15 && depth < 6) return Flow(depth + 1);
    if (kind < 25 && Alias()) return;
    Properties();
    if (kind < 75) return Word();
    Quoted(kind < 90 ? '"' : '\'', 1);
  }

  Dice& dice_;
  std::string out_;
};

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The line that holds `at`: its place and its bytes with the line end.
struct LineSpan {
  size_t begin, size;
};
LineSpan LineAt(const std::string& text, size_t at) {
  const size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
  return {begin, end - begin};
}

void MutateLine(std::string& text, Dice& dice) {
  const LineSpan line = LineAt(text, dice.Below(text.size()));
  const std::string written = text.substr(line.begin, line.size);
  switch (dice.Below(6)) {
    case 0: text.erase(line.begin, line.size); return;
    case 1: text.insert(line.begin, written); return;
    case 2: text.insert(line.begin, dice.Below(4) + 1, ' '); return;
    case 3: text.erase(line.begin, std::min(written.find_first_not_of(' '), dice.Below(4) + 1)); return;
    case 4: text.insert(line.begin, dice.Chance(50) ? "# " : "\n"); return;
    default: {
      text.erase(line.begin, line.size);
      text.insert(text.empty() ? 0 : LineAt(text, dice.Below(text.size())).begin, written);
    }
  }
}

// The value behind a colon or dash replaced.
void MutateValue(std::string& text, Dice& dice) {
  const size_t colon = text.find(dice.Chance(70) ? ": " : "- ", dice.Below(text.size()));
  if (colon == std::string::npos) return;
  const size_t end = std::min(text.find('\n', colon), text.size());
  text.replace(colon + 2, end - colon - 2, dice.Chance(80) ? dice.Pick(kPlain) : dice.Pick(kBlockHeads));
}

void MutateOnce(std::string& text, Dice& dice) {
  if (text.empty()) return;
  const size_t at = dice.Below(text.size());
  switch (dice.Below(8)) {
    case 0: text.erase(at, 1); return;
    case 1: text.erase(at, dice.Below(8) + 1); return;
    case 2: text.insert(at, dice.Pick(kWords)); return;
    case 3: text.replace(at, 1, dice.Pick(kWords)); return;
    case 4: MutateValue(text, dice); return;
    case 5:
      if (dice.Chance(10)) text.erase(at);
      return;
    default: MutateLine(text, dice);
  }
}

}  // namespace

std::string RandomYaml(Dice& dice) {
  std::string text = YamlWriter(dice).Document();
  if (dice.Chance(10)) text = Mutated(std::move(text), dice);
  if (dice.Chance(5)) ReplaceAll(text, "\n", "\r\n");
  if (dice.Chance(30) && text.ends_with('\n')) text.pop_back();
  return text;
}

std::string Mutated(std::string text, Dice& dice) {
  for (uint64_t i = dice.Below(3) + 1; i > 0; --i) MutateOnce(text, dice);
  return text;
}

}  // namespace smp
