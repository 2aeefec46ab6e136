#include <cmath>
#include <vector>

#include "base/strings.h"
#include "differential/random_text.h"

namespace smp {

namespace {

constexpr std::string_view kNumbers[] = {"0",
                                         "-0",
                                         "1",
                                         "-1",
                                         "10",
                                         "1.0",
                                         "1.5",
                                         "-0.0",
                                         "1e5",
                                         "1E+2",
                                         "1e-7",
                                         "1e-6",
                                         "0.1",
                                         "1e21",
                                         "1e20",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "123456789012345678901234567890",
                                         "1e308",
                                         "1e309",
                                         "1e400",
                                         "-1e400",
                                         "1e-400",
                                         "5e-324",
                                         "2.2250738585072014e-308",
                                         "9007199254740993",
                                         "9007199254740993.0",
                                         "0.30000000000000004",
                                         "01",
                                         "1.",
                                         ".5",
                                         "+1",
                                         "1e",
                                         "-",
                                         "0x1",
                                         "NaN",
                                         "Infinity",
                                         "1_0",
                                         "00",
                                         "1e5.5"};
constexpr std::string_view kPieces[] = {"a",
                                        "b",
                                        "é",
                                        "😀",
                                        "\\n",
                                        "\\t",
                                        "\\\"",
                                        "\\\\",
                                        "\\/",
                                        "\\b",
                                        "\\f",
                                        "\\r",
                                        "\\u0041",
                                        "\\u00e9",
                                        "\\ud83d\\ude00",
                                        "\\ud800",
                                        "\\udc00",
                                        "\\ud800\\u0041",
                                        "\\uD83D",
                                        "\\u2028",
                                        "\\u0000",
                                        "<",
                                        "&",
                                        ">",
                                        "\x7f",
                                        "\xE2\x80\xA8",
                                        "\xFF",
                                        "\xC3",
                                        "\xED\xA0\x80",
                                        "\xEF\xBF\xBD",
                                        "\xF4\x90\x80\x80",
                                        "'",
                                        "\\u12",
                                        "\\x",
                                        "\n",
                                        "\t",
                                        "\x01",
                                        " ",
                                        "\\ud800\\ud800\\udc00"};
constexpr std::string_view kSpaces[] = {"", "", "", "", " ", "\n", "\t", "\r\n", "  ", "\v", "\xC2\xA0"};
constexpr std::string_view kWords[] = {"null", "true", "false", "null",      "true", "false",
                                       "nul",  "True", "yes",   "undefined", "~"};
constexpr std::string_view kNoise[] = {
    ",", ":", "{", "}", "[", "]", "\"", "\\", "//", "/* */", "#", "0", "a", " ", "\n", "'", std::string_view("\0", 1)};
constexpr std::string_view kTexts[] = {
    "",
    "a",
    "a b",
    " a",
    "a ",
    "yes",
    "no",
    "y",
    "N",
    "on",
    "null",
    "~",
    "1",
    "1.5",
    "0x1F",
    "0o7",
    "017",
    "1_0",
    "1e3",
    ".5",
    ".inf",
    "2001-01-01",
    "1:30",
    "-",
    "- a",
    "?",
    "? a",
    ":",
    "a: b",
    "a:",
    "#",
    "a #b",
    "|",
    ">",
    "---",
    "...",
    "--- a",
    "&a",
    "*a",
    "!a",
    "@a",
    "`a",
    "%a",
    "[a",
    "{a",
    "'",
    "\"",
    "a\nb",
    "a\nb\n",
    "\n",
    "\n\n",
    "a\n\n",
    " a\nb",
    "a \nb",
    "a\tb",
    "\ta",
    "a\r\nb",
    "\r",
    "é",
    "中",
    "😀",
    "\xC2\x85",
    "\xE2\x80\xA8",
    "a\xE2\x80\xA9z",
    "\xEF\xBB\xBF",
    "\x01",
    "\x7f",
    "\xFF",
    "<<",
    "=",
    "a\\b",
    "=",
    "word word word word word word word word word word word word word word word word word word word word word word ",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xxxxxxxxxxxxxxxxxxxxxx y",
    "\"a\" 'b'",
    "{}",
    "[]",
    "a, b",
    "a]"};

std::string Space(Dice& dice) {
  return std::string(dice.Chance(97) ? dice.Pick(std::span(kSpaces).first(9)) : dice.Pick(kSpaces));
}

std::string JsonString(Dice& dice) {
  std::string out = "\"";
  for (uint64_t i = dice.Below(4); i > 0; --i) out += dice.Chance(60) ? kPieces[dice.Below(4)] : dice.Pick(kPieces);
  return out + "\"";
}

std::string JsonValue(Dice& dice, int depth);

std::string JsonObject(Dice& dice, int depth) {
  std::string out = "{" + Space(dice);
  for (uint64_t i = dice.Below(4); i > 0; --i) {
    out += StrCat(JsonString(dice), Space(dice), ":", JsonValue(dice, depth + 1), i > 1 || dice.Chance(1) ? "," : "",
                  Space(dice));
  }
  return out + "}";
}

std::string JsonArray(Dice& dice, int depth) {
  std::string out = "[" + Space(dice);
  for (uint64_t i = dice.Below(4); i > 0; --i)
    out += StrCat(JsonValue(dice, depth + 1), i > 1 || dice.Chance(1) ? "," : "");
  return out + "]";
}

std::string JsonValue(Dice& dice, int depth) {
  const uint64_t kind = dice.Below(depth > 5 ? 60 : 100);
  const std::string before = Space(dice);
  if (kind < 20)
    return StrCat(before, dice.Chance(90) ? dice.Pick(std::span(kNumbers).first(21)) : dice.Pick(kNumbers),
                  Space(dice));
  if (kind < 50) return StrCat(before, JsonString(dice), Space(dice));
  if (kind < 60)
    return StrCat(before, dice.Chance(97) ? dice.Pick(std::span(kWords).first(6)) : dice.Pick(kWords), Space(dice));
  return StrCat(before, kind < 85 ? JsonObject(dice, depth) : JsonArray(dice, depth), Space(dice));
}

double RandomDouble(Dice& dice) {
  const double mantissa = static_cast<double>(dice.Below(1'000'000'000)) / static_cast<double>(dice.Below(1000) + 1);
  return (dice.Chance(30) ? -mantissa : mantissa) * std::pow(10.0, static_cast<double>(dice.Below(60)) - 30);
}

std::string RandomString(Dice& dice) {
  std::string out(dice.Pick(kTexts));
  while (dice.Chance(15)) out += dice.Pick(kTexts);
  return out;
}

}  // namespace

std::string RandomJson(Dice& dice) {
  std::string text = JsonValue(dice, 0);
  if (dice.Chance(1)) text = StrCat(std::string(dice.Below(400), '['), text, std::string(dice.Below(400), ']'));
  if (dice.Chance(8)) text.insert(dice.Below(text.size() + 1), dice.Pick(kNoise));
  if (dice.Chance(3)) text.erase(dice.Below(text.size()), 1);
  return text;
}

Value RandomValue(Dice& dice, int depth, Arena& arena) {
  const uint64_t kind = dice.Below(depth > 4 ? 60 : 100);
  if (kind < 4) return Value();
  if (kind < 8) return Value::Bool(dice.Chance(50));
  if (kind < 14) return Value::Int(static_cast<int64_t>(dice.Chance(50) ? dice.Below(1000) : dice.Below(UINT64_MAX)));
  if (kind < 20) return Value::Double(RandomDouble(dice));
  if (kind < 60) return arena.String(RandomString(dice));
  std::vector<Value> items;
  std::vector<Member> members;
  for (uint64_t i = dice.Below(4); i > 0; --i) {
    const Value value = RandomValue(dice, depth + 1, arena);
    items.push_back(value);
    members.push_back({arena.Copy(RandomString(dice)), value});
  }
  return kind < 80 ? arena.Array(items) : arena.Object(std::move(members));
}

}  // namespace smp
