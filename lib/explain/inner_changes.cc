#include "explain/inner_changes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/line_diff.h"
#include "base/strings.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::explain {

namespace {

using Lines = std::vector<std::string_view>;

bool IsOneOf(std::string_view signs, char c) { return signs.find(c) != signs.npos; }

// Whether the changes tell what a line says.
enum class Told { kNo, kYes, kBesideOthers };  // kBesideOthers: it says nothing of its own

// A text, and what of it the changes tell.
struct Side {
  Lines lines;
  std::vector<Told> told;

  explicit Side(std::string_view text) : lines(Split(text, '\n')), told(lines.size(), Told::kNo) {}
};

// Returns true if the changes tell of each line that differs, and something of each run of such lines.
bool TellAll(const Side& before, const Side& after) {
  bool differs = false, told = false;
  for (const LineEdit& edit : DiffLines(before.lines, after.lines)) {
    if (edit.kind == LineEdit::Kind::kKeep) {
      if (differs && !told) return false;
      differs = told = false;
      continue;
    }
    const Told line = edit.kind == LineEdit::Kind::kRemove ? before.told[edit.before] : after.told[edit.after];
    if (line == Told::kNo) return false;
    differs = true;
    told = told || line == Told::kYes;
  }
  return !differs || told;
}

// --- JSON and YAML

bool HasComment(std::string_view line) {
  for (size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return true;
  }
  return false;
}

// Returns true for "key:", "-" and lines without anything.
bool OnlyOpens(std::string_view line) {
  const std::string_view text = Trim(line);
  return (text.empty() || text == "-" || text.back() == ':') && !HasComment(line);
}

bool IsPartOfScalar(char c) { return IsAlnum(c) || c == '.' || c == '+' || c == '-'; }

// Returns true if the line has the scalar as it is shown. YAML has other texts for numbers and booleans: 0644 is 420, 1.10
// is 1.1, and yes is true.
bool IsWrittenAsShown(const Value& scalar, std::string_view line) {
  if (scalar.is_string() || scalar.is_null()) return true;
  const std::string text = WriteJson(scalar);
  for (size_t at = line.find(text); at != line.npos; at = line.find(text, at + 1)) {
    const size_t end = at + text.size();
    const bool begins = at == 0 || !IsPartOfScalar(line[at - 1]);
    if (begins && (end == line.size() || !IsPartOfScalar(line[end]))) return true;
  }
  return false;
}

// Returns true if a key of the path may be written in another way: yes or on.
bool HasBooleanKey(const FieldPath& path) {
  return std::any_of(path.begin(), path.end(), [](const PathStep& step) {
    return step.kind == PathStep::Kind::kField && (step.name == "true" || step.name == "false");
  });
}

// Returns the number of lines of a block scalar below the line on which it begins.
size_t LinesBelow(const Value& value, std::string_view first) {
  if (!value.is_string() || first.find_first_of("|>") == first.npos) return 0;
  const std::string_view text = value.AsString();
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + (text.ends_with('\n') ? 0 : 1);
}

class YamlSide {
 public:
  YamlSide(const Document& document, std::string_view text) : document_(document), side_(text) {
    for (size_t i = 0; i < side_.lines.size(); ++i) {
      if (OnlyOpens(side_.lines[i])) side_.told[i] = Told::kBesideOthers;
    }
  }

  void Tell(const Value& value) {
    const auto line = static_cast<size_t>(document_.LineOf(&value));
    if (line == 0 || line > side_.lines.size()) return;
    if (value.is_scalar() && !IsWrittenAsShown(value, side_.lines[line - 1])) return;
    TellLine(line - 1);
    for (size_t below = LinesBelow(value, side_.lines[line - 1]); below > 0; --below) TellLine(line - 1 + below);
    if (value.is_array()) {
      for (const Value& item : value.Items()) Tell(item);
    } else if (value.is_object()) {
      for (const Member& member : value.Members()) Tell(member.value);
    }
  }

  const Side& side() const { return side_; }

 private:
  void TellLine(size_t i) {
    if (i < side_.lines.size() && !HasComment(side_.lines[i])) side_.told[i] = Told::kYes;
  }

  const Document& document_;
  Side side_;
};

// Returns the number, boolean or null that the text is in JSON; nullopt if it is none, or would be written in another way.
std::optional<Value> ReadSame(std::string_view text) {
  const Result<Document> read = ParseJson(text);
  const bool same =
      read.ok() && read->root().is_scalar() && !read->root().is_string() && WriteJson(read->root()) == text;
  return same ? std::optional(read->root()) : std::nullopt;
}

// Returns true if reading loses nothing but the layout: not 1.0, not an integer beyond 64 bits, not half a surrogate pair.
// Two texts that differ in such a thing only would seem to be the same.
bool IsReadInFull(std::string_view json) {
  for (size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      const size_t end = AfterQuoted(json, at);
      const std::string_view text = json.substr(at, end - at);
      if (text.find("\\ud") != text.npos || text.find("\\uD") != text.npos) return false;
      at = end;
    } else if (IsOneOf("-0123456789", json[at])) {
      const size_t end = std::min(json.find_first_not_of("+-.0123456789eE", at), json.size());
      if (!ReadSame(json.substr(at, end - at))) return false;
      at = end;
    } else {
      ++at;
    }
  }
  return true;
}

struct Token {
  std::string_view space;  // before it
  std::string_view text;   // "" at the end
  size_t depth = 0;
};

constexpr std::string_view kJsonSpace = " \t\r\n", kJsonSigns = "{}[],:";

bool EndsWord(char c) { return c == '"' || IsOneOf(kJsonSpace, c) || IsOneOf(kJsonSigns, c); }

size_t EndOfToken(std::string_view json, size_t at) {
  if (json[at] == '"') return AfterQuoted(json, at);
  if (IsOneOf(kJsonSigns, json[at])) return at + 1;
  while (at < json.size() && !EndsWord(json[at])) ++at;
  return at;
}

// REQUIRES: valid JSON.
std::vector<Token> TokensOf(std::string_view json) {
  std::vector<Token> out;
  size_t depth = 0;
  for (size_t begin = 0;;) {
    const size_t at = std::min(json.find_first_not_of(kJsonSpace, begin), json.size());
    const size_t end = at < json.size() ? EndOfToken(json, at) : at;
    const std::string_view text = json.substr(at, end - at);
    if (text == "}" || text == "]") --depth;
    out.push_back({json.substr(begin, at - begin), text, depth});
    if (text == "{" || text == "[") ++depth;
    if (text.empty()) return out;
    begin = end;
  }
}

// White space with lines may differ between tokens of unequal depth only because of that.
bool HaveSameSpace(const Token& a, const Token& b) {
  const bool lines = a.space.find('\n') != a.space.npos && b.space.find('\n') != b.space.npos;
  return a.space == b.space || (lines && a.depth != b.depth);
}

// Returns true if the white space between two tokens that both texts have differs.
bool LayoutDiffers(std::string_view before, std::string_view after) {
  const std::vector<Token> old = TokensOf(before), now = TokensOf(after);
  const auto texts = [](const std::vector<Token>& tokens) {
    Lines out;
    for (const Token& token : tokens) out.push_back(token.text);
    return out;
  };
  bool follows = true;  // a token that both have, or the beginning
  for (const LineEdit& edit : DiffLines(texts(old), texts(now))) {
    const bool keeps = edit.kind == LineEdit::Kind::kKeep;
    if (keeps && follows && !HaveSameSpace(old[edit.before], now[edit.after])) return true;
    follows = keeps;
  }
  return false;
}

std::optional<InnerChanges> InsideJson(std::string_view before, std::string_view after) {
  const auto is_json = [](std::string_view text) { return text.starts_with('{') || text.starts_with('['); };
  if (!is_json(before) || !is_json(after)) return std::nullopt;
  if (!IsReadInFull(before) || !IsReadInFull(after)) return std::nullopt;
  Result<Document> old = ParseJson(before), now = ParseJson(after);
  if (!old.ok() || !now.ok()) return std::nullopt;
  auto changes = NestedChanges(old->root(), now->root());
  if (!changes) return std::nullopt;
  const bool layout = LayoutDiffers(before, after);
  return InnerChanges{*std::move(changes), {*std::move(old), *std::move(now)}, layout};
}

// A text without duplicate keys, of which only the last one counts.
std::optional<Document> ReadYaml(std::string_view text) {
  Result<Document> document = yaml::ParseYaml(text);
  if (!document.ok() || !document->warnings().empty()) return std::nullopt;
  return *std::move(document);
}

std::optional<InnerChanges> InsideYaml(std::string_view before, std::string_view after) {
  std::optional<Document> old = ReadYaml(before), now = old ? ReadYaml(after) : std::nullopt;
  if (!now) return std::nullopt;
  auto changes = NestedChanges(old->root(), now->root());
  if (!changes) return std::nullopt;
  YamlSide old_side(*old, before), now_side(*now, after);
  for (const NestedChange& change : *changes) {
    if (HasBooleanKey(change.path)) return std::nullopt;
    if (change.before != nullptr) old_side.Tell(*change.before);
    if (change.after != nullptr) now_side.Tell(*change.after);
  }
  if (!TellAll(old_side.side(), now_side.side())) return std::nullopt;
  return InnerChanges{*std::move(changes), {*std::move(old), *std::move(now)}};
}

// --- keys and values

struct KeyOfLine {
  std::string_view section, key;
  friend auto operator<=>(const KeyOfLine&, const KeyOfLine&) = default;
};

struct KeyValues {
  Side side;
  std::vector<KeyOfLine> keys =
      {};  // of each line; without a key: of comments and blank lines, and of a section's head
  std::map<KeyOfLine, std::string_view> values = {};

  explicit KeyValues(std::string_view text) : side(text), keys(side.lines.size()) {}
};

bool IsKey(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsAlnum(c) || IsOneOf("_.-/", c); });
}

bool IsCommentLine(std::string_view line) { return IsOneOf("#;!", line.front()); }

// Returns false if the line is anything but a key with its value, or if the text has the key already.
bool ReadKey(size_t i, KeyValues& out) {
  const std::string_view line = out.side.lines[i];
  const size_t equals = line.find('=');
  if (equals == line.npos || line.ends_with('\\')) return false;
  out.keys[i].key = Trim(line.substr(0, equals));
  const std::string_view value = line.substr(equals + 1);
  const size_t begin = std::min(value.find_first_not_of(" \t"), value.size());
  return IsKey(out.keys[i].key) && out.values.emplace(out.keys[i], value.substr(begin)).second;
}

// nullopt: another text.
std::optional<KeyValues> ReadKeyValues(std::string_view text) {
  KeyValues out(text);
  std::string_view section;
  for (size_t i = 0; i < out.side.lines.size(); ++i) {
    const std::string_view line = Trim(out.side.lines[i]);
    if (line.empty()) out.side.told[i] = Told::kBesideOthers;
    if (line.empty() || IsCommentLine(line)) continue;
    const bool is_head = line.starts_with('[') && line.ends_with(']') && IsKey(line.substr(1, line.size() - 2));
    if (is_head) section = line.substr(1, line.size() - 2);
    out.keys[i].section = section;
    if (is_head) {
      out.side.told[i] = Told::kBesideOthers;
    } else if (!ReadKey(i, out)) {
      return std::nullopt;
    }
  }
  return out;
}

// Returns "5" as 5, so that it is shown as it is written.
Value ToValue(std::string_view text) { return ReadSame(text).value_or(Value::UnownedString(text)); }

// "a.b" has two steps, so that keys are grouped by what they share.
FieldPath PathOf(const KeyOfLine& key) {
  FieldPath path;
  if (!key.section.empty()) path.push_back(PathStep::Field(std::string(key.section)));
  for (const std::string_view step : Split(key.key, '.')) path.push_back(PathStep::Field(std::string(step)));
  return path;
}

void TellKeys(const std::set<KeyOfLine>& changed, KeyValues& text) {
  for (size_t i = 0; i < text.keys.size(); ++i) {
    if (changed.contains(text.keys[i])) text.side.told[i] = Told::kYes;
  }
}

std::optional<InnerChanges> InsideKeyValues(std::string_view before, std::string_view after) {
  std::optional<KeyValues> old = ReadKeyValues(before), now = old ? ReadKeyValues(after) : std::nullopt;
  if (!now) return std::nullopt;
  std::set<KeyOfLine> changed;
  for (const auto& [key, value] : old->values) {
    const auto same = now->values.find(key);
    if (same == now->values.end() || same->second != value) changed.insert(key);
  }
  for (const auto& [key, value] : now->values) {
    if (!old->values.contains(key)) changed.insert(key);
  }
  TellKeys(changed, *old);
  TellKeys(changed, *now);
  if (!TellAll(old->side, now->side)) return std::nullopt;
  InnerChanges out;
  Arena arena;
  const auto keep = [&](const KeyValues& side, const KeyOfLine& key) {
    const auto at = side.values.find(key);
    return at == side.values.end() ? nullptr : arena.Keep(ToValue(at->second));
  };
  for (const KeyOfLine& key : changed) out.changes.push_back({PathOf(key), keep(*old, key), keep(*now, key)});
  out.memory.emplace_back(std::move(arena), Value());
  return out;
}

// Returns the keys with their values, by section; nullopt: another text.
std::optional<Document> DocumentOfKeys(std::string_view text) {
  const auto keys = ReadKeyValues(text);
  if (!keys || keys->values.empty()) return std::nullopt;
  Arena arena;
  std::vector<Member> members;
  for (const auto& [key, value] : keys->values) {
    members.push_back({arena.Copy(StrCat(key.section, "]", key.key)), arena.String(value)});
  }
  const Value root = arena.Object(std::move(members));
  return Document(std::move(arena), root);
}

// Returns true if the text has more than one line.
bool HasLines(std::string_view text) {
  const size_t end = text.find('\n');
  return end != text.npos && end + 1 < text.size();
}

}  // namespace

std::optional<InnerChanges> ChangesInside(const Value& before, const Value& after) {
  if (!before.is_string() || !after.is_string()) return std::nullopt;
  const std::string_view old = before.AsString(), now = after.AsString();
  const bool lines = HasLines(old) || HasLines(now);
  if (auto changes = InsideJson(old, now); changes && (!lines || !changes->changes.empty())) return changes;
  if (!lines || old.ends_with('\n') != now.ends_with('\n')) return std::nullopt;
  if (auto changes = InsideKeyValues(old, now)) return changes;
  return InsideYaml(old, now);
}

std::vector<Document> ReadDocuments(const std::vector<const Value*>& texts) {
  if (!std::ranges::all_of(texts, [](const Value* text) { return IsShortDocument(*text); })) return {};
  const auto read = [&](const auto& one) {
    std::vector<Document> out;
    for (const Value* text : texts) {
      std::optional<Document> document = one(text->AsString());
      const bool is_document = document && (document->root().is_object() || document->root().is_array());
      if (!is_document) return std::vector<Document>();
      out.push_back(*std::move(document));
    }
    return out;
  };
  const auto as_json = [](std::string_view text) {
    Result<Document> document = ParseJson(text);
    return document.ok() ? std::optional(*std::move(document)) : std::nullopt;
  };
  if (auto documents = read(as_json); !documents.empty()) return documents;
  if (auto documents = read(DocumentOfKeys); !documents.empty()) return documents;
  return read(ReadYaml);
}

std::optional<InnerChanges> ValuesInside(const Value& before, const Value& after) {
  if (!before.is_string() || !after.is_string()) return std::nullopt;
  std::optional<Document> old = ReadYaml(before.AsString()), now = old ? ReadYaml(after.AsString()) : std::nullopt;
  auto changes = now ? NestedChanges(old->root(), now->root()) : std::nullopt;
  if (!changes) return std::nullopt;
  return InnerChanges{*std::move(changes), {*std::move(old), *std::move(now)}};
}

}  // namespace smp::explain
