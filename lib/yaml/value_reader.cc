#include "yaml/value_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "base/strings.h"
#include "value/json.h"
#include "value/tree_builder.h"
#include "yaml/expansion.h"
#include "yaml/input.h"
#include "yaml/parser.h"
#include "yaml/resolve.h"
#include "yaml/yaml_scalar.h"

namespace smp::yaml {

namespace {

constexpr std::string_view kWantMap = "the value of << must be a mapping or a list of mappings";
constexpr std::string_view kWantScalar = "a key must be a scalar, not a mapping or a list";

struct Anchored {
  bool complete = false;
  YamlScalar scalar = {};  // for scalars; its type decides how it is converted to a key
  Value value = {};        // the value that is stored
  Cost cost = {};
};

struct Frame {
  bool is_map = false;
  bool at_name = false;  // of a map: the next node is a key
  bool merging = false;  // of a map: the next node is the value of `<<`
  int line = 0;
  int name_line = 0;
  int lost = -1;     // of a map: the error of the last key (see Lose), else -1
  size_t count = 0;  // finished items or members
  size_t depth = 0;  // of the deepest child
  size_t anchor = 0;
  Cost before = {};                 // what was spent before this collection
  std::vector<Member> merged = {};  // of a map, for Rules::kYaml: members that `<<` merges
};

// Go refuses some values only when it converts the finished tree to JSON, so a later duplicate key may still replace
// them. Until then such a value is a NaN that contains the index of its error in lost_.
constexpr uint64_t kLostBits = 0x7FF8'0000'0000'0000;
Value LostValue(size_t error) { return Value::Double(std::bit_cast<double>(kLostBits | error)); }

// Returns the indexes of the errors of such values in `root`.
std::vector<size_t> FindLost(const Value& root) {
  std::vector<size_t> found;
  std::vector<const Value*> rest = {&root};
  std::unordered_set<const void*> seen;
  while (!rest.empty()) {
    const Value* value = rest.back();
    rest.pop_back();
    if (value->is_double() && std::isnan(value->AsDouble())) {
      found.push_back(std::bit_cast<uint64_t>(value->AsDouble()) & ~kLostBits);
    } else if (value->is_array() && seen.insert(value->Items().data()).second) {
      for (const Value& item : value->Items()) rest.push_back(&item);
    } else if (value->is_object() && seen.insert(value->Members().data()).second) {
      for (const Member& member : value->Members()) rest.push_back(&member.value);
    }
  }
  return found;
}

// Member functions that return a bool set error_ and return false if there is an error.
class ValueReader {
 public:
  ValueReader(const Chunk& chunk, const std::string& source_name, Rules rules)
      : source_name_(source_name),
        first_line_(chunk.first_line),
        rules_(rules),
        builder_(rules == Rules::kKubectl ? Lines::kKeep : Lines::kDrop, 2 * chunk.text.size() + 256),
        text_(Copy(chunk.text)),
        parser_(text_, 0, builder_.arena(), rules == Rules::kKubectl ? BlankTabs::kRefuse : BlankTabs::kAllow),
        expansion_(rules == Rules::kYaml) {}

  std::optional<Result<Document>> Read() {
    if (parser_.Next().type == Event::Type::kStreamEnd) return std::nullopt;
    if (!ReadNodes() || !CheckEnd() || !CheckLost()) return std::move(error_);
    return std::move(builder_).Finish(source_name_);
  }

 private:
  // Returns a copy of the text, of which the values are views.
  std::string_view Copy(std::string_view text) { return {builder_.arena().CopyWritable(text, 1), text.size()}; }

  int Line(Mark mark) const { return first_line_ + static_cast<int>(mark.line); }
  bool Fail(std::string_view why, int line) {
    if (!why.empty()) error_ = ErrorAt(source_name_, line, why);
    return why.empty();
  }
  bool FailToParse() { return Fail(parser_.problem(), Line(parser_.problem_mark())); }

  bool ReadNodes() {
    while (parser_.event().type != Event::Type::kDocumentEnd) {
      if (!OnEvent(parser_.event())) return false;
      parser_.Next();
    }
    return true;
  }

  bool OnEvent(const Event& event) {
    switch (event.type) {
      case Event::Type::kScalar: return OnScalar(event);
      case Event::Type::kAlias: return OnAlias(event);
      case Event::Type::kMappingStart:
      case Event::Type::kSequenceStart: return Open(event);
      case Event::Type::kMappingEnd:
      case Event::Type::kSequenceEnd: return Close();
      case Event::Type::kError: return FailToParse();
      default: return true;
    }
  }

  // Differs from kubectl: it ignores what follows the end of a document, and so would not apply it.
  bool CheckEnd() {
    const bool has_marker = parser_.event().end.offset > parser_.event().begin.offset;
    if (rules_ == Rules::kYaml && !CheckCharacters(parser_.event().begin)) return false;
    if (rules_ == Rules::kYaml && has_marker) return true;
    const Event& event = parser_.Next();
    if (event.type == Event::Type::kStreamEnd) return true;
    if (event.type == Event::Type::kError) return FailToParse();
    if (rules_ == Rules::kYaml) return true;
    return Fail("unexpected text after the end of the document; separate documents by ---", Line(event.begin));
  }

  bool CheckCharacters(Mark end) {
    const std::optional<BadCharacter> bad = FindBadCharacter(text_);
    return !bad || bad->place > end.offset || Fail(bad->why, first_line_ + LinesIn(text_.substr(0, bad->place)));
  }

  bool CheckLost() {
    if (lost_.empty()) return true;
    const std::vector<size_t> found = FindLost(builder_.Top());
    if (found.empty()) return true;
    error_ = lost_[*std::min_element(found.begin(), found.end())];
    return false;
  }

  bool ExpectsName() const { return !open_.empty() && open_.back().is_map && open_.back().at_name; }
  bool IsMerging() const { return !open_.empty() && open_.back().is_map && open_.back().merging; }

  size_t Lose(std::string_view why, int line) {
    lost_.push_back(ErrorAt(source_name_, line, why));
    return lost_.size() - 1;
  }

  // --- Anchors, numbered from 1; 0: no anchor

  size_t Define(const Event& event) {
    if (event.anchor.empty()) return 0;
    anchored_.emplace_back();
    anchors_[event.anchor] = anchored_.size();
    return anchored_.size();
  }

  void Complete(size_t anchor, const YamlScalar& scalar, Value value, const Cost& cost) {
    if (anchor != 0) anchored_[anchor - 1] = {true, scalar, value, cost};
  }

  // --- Scalars and aliases

  bool OnScalar(const Event& event) {
    // The mark of an absent value is that of the next token, so use the line of its key.
    const bool at_key = event.absent && event.role == Role::kValue && event.anchor.empty() && event.tag.empty();
    const int line = at_key ? open_.back().name_line : Line(event.begin);
    const bool is_merge = event.role == Role::kKey && IsMergeKey(event);
    if (!Fail(expansion_.Spend(1, event.text.size(), is_merge ? 0 : 1), line)) return false;
    const size_t anchor = Define(event);
    const Cost cost = {1, event.text.size(), 0, 1};
    if (is_merge) {
      const YamlScalar scalar = {YamlScalar::Type::kString, Value::UnownedString(event.text)};
      Complete(anchor, scalar, scalar.value, cost);
      return BeginMerge(line);
    }
    Result<YamlScalar> scalar = Resolve(event, builder_.arena());
    if (!scalar) return Fail(scalar.error().message, line);
    const bool is_key = event.role == Role::kKey;
    const Value value = is_key && anchor == 0 ? Value() : Stored(*scalar, line);
    Complete(anchor, *scalar, value, cost);
    return is_key ? OnKey(*scalar, event.text, line) : Add(value, line);
  }

  Value Stored(const YamlScalar& scalar, int line) {
    if (!scalar.value.is_double()) return scalar.value;
    const Result<Value> value = JsonValueOf(scalar);
    return value ? *value : LostValue(Lose(value.error().message, line));
  }

  bool OnKey(const YamlScalar& scalar, std::string_view written, int line) {
    if (scalar.type == YamlScalar::Type::kString) return Name(scalar.value.AsString(), line);
    const Result<std::string> name = NameOfKey(scalar);
    if (!name) return NameOfLost(name.error().message, line);
    if (*name != written) WarnRenamed(written, *name, line);
    return Name(builder_.arena().Copy(*name), line);
  }

  bool Name(std::string_view name, int line) {
    Frame& map = open_.back();
    builder_.PushName(name, line);
    map.name_line = line;
    map.at_name = false;
    return true;
  }

  // Uses a name that no key in a text can have, so that no duplicate replaces the error.
  bool NameOfLost(std::string_view why, int line) {
    const size_t error = Lose(why, line);
    open_.back().lost = static_cast<int>(error);
    Name(builder_.arena().Copy(StrCat("\xFF", error)), 0);
    open_.back().name_line = line;
    return true;
  }

  bool OnAlias(const Event& event) {
    const int line = Line(event.begin);
    const auto at = anchors_.find(event.anchor);
    if (at == anchors_.end()) {
      return Fail("no anchor (&) of that name precedes this alias (*); put text that begins with * in quotes", line);
    }
    const Anchored& target = anchored_[at->second - 1];
    if (!target.complete) return Fail("an anchor contains an alias of itself", line);
    if (IsMerging() && !target.value.is_object()) return Fail(kWantMap, line);
    if (!Fail(expansion_.SpendAlias(target.cost), line)) return false;
    if (!CheckDepth(open_.size() + target.cost.depth, line)) return false;
    if (!ExpectsName()) {
      if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, target.cost.depth);
      return Add(target.value, line);
    }
    if (target.value.is_array() || target.value.is_object()) return Fail(kWantScalar, line);
    const bool by_value = rules_ == Rules::kYaml && target.scalar.type != YamlScalar::Type::kUnsigned;
    const Result<std::string> name = by_value ? NameOfKey(target.value) : NameOfKey(target.scalar);
    return name ? Name(builder_.arena().Copy(*name), line) : NameOfLost(name.error().message, line);
  }

  bool CheckDepth(size_t depth, int line) {
    if (depth <= static_cast<size_t>(kMaxDepth)) return true;
    return Fail(StrCat("it is nested deeper than ", kMaxDepth, " levels"), line);
  }

  // --- Collections

  bool Open(const Event& event) {
    const int line = Line(event.begin);
    if (event.role == Role::kKey) return Fail(kWantScalar, line);
    Frame frame;
    frame.is_map = frame.at_name = event.type == Event::Type::kMappingStart;
    frame.line = line;
    frame.anchor = Define(event);
    frame.before = expansion_.spent();
    // Go decodes the items of a list of merged maps, but not the list itself, so the list does not count.
    const bool is_list_of_merge = IsMerging() && !frame.is_map;
    if (!Fail(expansion_.Spend(1, 0, is_list_of_merge ? 0 : 1), line)) return false;
    if (!CheckDepth(open_.size() + 1, line)) return false;
    open_.push_back(frame);
    return true;
  }

  bool Close() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    if (frame.is_map) {
      builder_.EndObject(frame.count, frame.line);
    } else {
      builder_.EndArray(frame.count, frame.line);
    }
    const Value value = WithMerged(std::move(frame.merged), builder_.Pop());
    const Cost& spent = expansion_.spent();
    Complete(frame.anchor, {YamlScalar::Type::kString, value}, value,
             {spent.nodes - frame.before.nodes, spent.bytes - frame.before.bytes, frame.depth + 1,
              spent.decodes - frame.before.decodes});
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, frame.depth + 1);
    return Add(value, frame.line);
  }

  // Adds merged members to a map. The members that the map has itself win.
  Value WithMerged(std::vector<Member> merged, Value map) {
    if (merged.empty()) return map;
    merged.insert(merged.end(), map.Members().begin(), map.Members().end());
    return builder_.arena().Object(std::move(merged));
  }

  // Adds a finished value, which is not a key, to the innermost collection.
  bool Add(Value value, int line) {
    if (open_.empty()) return builder_.Push(value, line), true;
    Frame& frame = open_.back();
    frame.at_name = frame.is_map;
    if (frame.merging) {
      frame.merging = false;
      return Merge(value, line);
    }
    if (frame.lost >= 0) value = LostValue(static_cast<size_t>(std::exchange(frame.lost, -1)));
    builder_.Push(value, line);
    ++frame.count;
    return true;
  }

  bool BeginMerge(int line) {
    open_.back().merging = true;
    open_.back().at_name = false;
    open_.back().name_line = line;
    return true;
  }

  // Merges maps; of several, the first wins. As in Go, merged members override explicit ones before `<<`, not after it.
  bool Merge(const Value& value, int line) {
    const std::span<const Value> maps = value.is_array() ? value.Items() : std::span<const Value>(&value, 1);
    for (auto map = maps.rbegin(); map != maps.rend(); ++map) {
      if (!map->is_object()) return Fail(kWantMap, line);
      if (!Fail(expansion_.Spend(map->size(), 0, 0), line)) return false;
      if (rules_ == Rules::kYaml) {
        std::vector<Member>& merged = open_.back().merged;
        merged.insert(merged.end(), map->Members().begin(), map->Members().end());
        continue;
      }
      for (const Member& member : map->Members()) {
        builder_.PushName(member.name, 0);
        builder_.Push(member.value, line);
      }
      open_.back().count += map->size();
    }
    return true;
  }

  void WarnRenamed(std::string_view written, std::string_view name, int line) {
    builder_.Warn(ReadWarning::Kind::kRenamedKey, line,
                  StrCat("the key ", written, " on line ", line, " is read as \"", name, "\"; write \"", written,
                         "\" to keep it as written"));
  }

  const std::string& source_name_;
  int first_line_;
  Rules rules_;
  TreeBuilder builder_;
  std::string_view text_;
  Parser parser_;
  Expansion expansion_;
  std::vector<Frame> open_;
  ViewMap<size_t> anchors_;  // number of the last anchor of each name
  std::vector<Anchored> anchored_;
  std::vector<Error> lost_;
  Error error_;
};

}  // namespace

Error ErrorAt(const std::string& source_name, int line, std::string_view why) {
  Error error = Error::Parse(StrCat("this is not valid YAML: ", why));
  error.source = {source_name, line};
  return error;
}

std::optional<Result<Document>> ReadDocument(const Chunk& chunk, const std::string& source_name, Rules rules) {
  return ValueReader(chunk, source_name, rules).Read();
}

}  // namespace smp::yaml
