#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "base/strings.h"
#include "edit/text_reader.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/expansion.h"
#include "yaml/input.h"
#include "yaml/parser.h"
#include "yaml/resolve.h"
#include "yaml/yaml_scalar.h"

namespace smp::edit {

namespace {

using yaml::Cost;
using yaml::Event;
using yaml::Role;

constexpr std::string_view kWantMap = "the value of << must be a mapping or a list of mappings";

struct Frame {
  TextNode* node;
  TextEntry* entry = nullptr;  // the last entry so far
  Cost spent_before = {};
  size_t depth = 0;  // of the deepest child
};

bool HasProperties(const Event& event) { return !event.anchor.empty() || !event.tag.empty(); }
bool HasIndicator(const Event& event) { return event.indicator_end.offset > event.indicator_begin.offset; }

// Events → TextTree.
class YamlTextReader {
 public:
  explicit YamlTextReader(TextTree& tree)
      : tree_(tree), text_(tree.text), parser_(tree.text, BeginOf(tree.text), tree.arena, yaml::BlankTabs::kAllow) {}

  Status Read() {
    const Event& start = parser_.Next();
    tree_.begin = static_cast<uint32_t>(BeginOf(text_));
    if (start.type == Event::Type::kStreamEnd) {
      tree_.document.value = EmptyNode(nullptr, start.begin.offset);
      tree_.end = start.begin.offset;
      return CheckRoot();
    }
    const bool has_marker = start.content.offset > start.begin.offset;
    if (has_marker) tree_.begin = start.content.offset;
    while (parser_.event().type != Event::Type::kDocumentEnd) {
      SMP_TRY(OnEvent(parser_.event()));
      parser_.Next();
    }
    tree_.end = parser_.event().begin.offset;
    SMP_TRY(CheckEnd(parser_.event()));
    return CheckRoot();
  }

 private:
  static size_t BeginOf(std::string_view text) { return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; }

  Error ErrorAt(size_t at, std::string_view why) const {
    Error error = Error::Parse(StrCat("this is not valid YAML: ", why));
    error.source.line = LineAt(text_, at);
    return error;
  }

  Error ParserError() const { return ErrorAt(parser_.problem_mark().offset, parser_.problem()); }

  Status OnEvent(const Event& event) {
    switch (event.type) {
      case Event::Type::kScalar: return ReadScalar(event);
      case Event::Type::kAlias: return ReadAlias(event);
      case Event::Type::kMappingStart: return Open(event, TextNode::Kind::kMapping);
      case Event::Type::kSequenceStart: return Open(event, TextNode::Kind::kSequence);
      case Event::Type::kMappingEnd:
      case Event::Type::kSequenceEnd: return Close(event);
      case Event::Type::kError: return ParserError();
      default: return Ok();
    }
  }

  // If the document has no end marker, an error in the text after it is an error of the document.
  Status CheckEnd(const Event& end) {
    if (end.end.offset > end.begin.offset || parser_.Next().type != Event::Type::kError) return Ok();
    return ParserError();
  }

  Status CheckRoot() const {
    const std::optional<yaml::BadCharacter> bad = yaml::FindBadCharacter(text_);
    if (bad && bad->place <= tree_.end) return ErrorAt(bad->place, bad->why);
    for (const std::string_view separator : {"\xE2\x80\xA8", "\xE2\x80\xA9"}) {
      const size_t place = text_.find(separator);
      if (place < tree_.end) {
        return ErrorAt(place, "U+2028 and U+2029 end a line in YAML 1.1; write \\u2028 or \\u2029 in double quotes");
      }
    }
    const TextNode* root = tree_.root();
    if (root->is_collection() || root->value.is_null()) return Ok();
    Error error = Error::Parse(StrCat("the document must be a map or a list, found ",
                                      root->value.is_string() ? "text" : KindName(root->value.kind())));
    error.source.line = LineAt(text_, root->begin);
    return error;
  }

  Status Spend(const Cost& cost, size_t at) {
    tree_.expanded_nodes += cost.nodes;
    tree_.expanded_bytes += cost.bytes;
    if (tree_.expanded_nodes <= kMaxTextNodes && tree_.expanded_bytes <= kMaxInputBytes) return Ok();
    return ErrorAt(at, "the document is too large after its aliases are expanded");
  }

  Status CheckDepth(size_t depth, size_t at) const {
    if (depth <= static_cast<size_t>(kMaxDepth)) return Ok();
    return ErrorAt(at, StrCat("it is nested deeper than ", kMaxDepth, " levels"));
  }

  // --- Entries and nodes

  // Returns the entry of the node, nullptr for the root. Creates an entry unless the node is the value of a key.
  TextEntry* EntryOf(const Event& event) {
    if (event.role == Role::kRoot) return nullptr;
    Frame& frame = open_.back();
    if (event.role == Role::kValue) {
      if (HasIndicator(event)) frame.entry->slot = frame.entry->end = event.indicator_end.offset;
      return frame.entry;
    }
    TakeComma(event);
    const bool indicated = HasIndicator(event);
    TextEntry* entry = NewEntry(tree_, frame.node);
    entry->begin = entry->slot = entry->end = indicated ? event.indicator_begin.offset : event.begin.offset;
    if (indicated && event.role == Role::kItem) entry->slot = event.indicator_end.offset;
    frame.entry = entry;
    return entry;
  }

  // Stores the offset of the comma after the last entry.
  void TakeComma(const Event& event) {
    if (event.comma != Event::kNone) open_.back().entry->comma = event.comma;
  }

  TextNode* Begin(TextEntry* entry, TextNode::Kind kind, uint32_t begin) {
    TextNode* node = NewNode(tree_, kind);
    node->entry = entry;
    node->begin = node->content = node->end = begin;
    return node;
  }

  TextNode* EmptyNode(TextEntry* entry, uint32_t place) { return Begin(entry, TextNode::Kind::kScalar, place); }

  void Describe(TextNode* node, const Event& event) {
    node->style = event.style;
    if (!HasProperties(event)) return;
    node->begin = event.begin.offset;
    node->after_properties = event.properties_end.offset;
    if (event.anchor.empty()) return;
    node->anchored = true;
    tree_.anchored.push_back(node);
    anchors_[event.anchor] = node;
  }

  Status ReadAlias(const Event& event) {
    const uint32_t begin = event.content.offset;
    const auto at = anchors_.find(event.anchor);
    if (at == anchors_.end()) {
      return ErrorAt(begin,
                     "no anchor (&) of that name precedes this alias (*); put text that begins with * in quotes");
    }
    const auto cost = costs_.find(at->second);
    if (cost == costs_.end()) return ErrorAt(begin, "an anchor contains an alias of itself");
    SMP_TRY(Spend(cost->second, begin));
    SMP_TRY(CheckDepth(open_.size() + cost->second.depth, begin));
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, cost->second.depth);
    TextNode* node = Begin(EntryOf(event), TextNode::Kind::kAlias, begin);
    node->end = event.end.offset;
    node->target = at->second;
    tree_.users[node->target].push_back(node);
    return Finish(node, event.role);
  }

  Status ReadScalar(const Event& event) {
    TextEntry* entry = EntryOf(event);
    if (event.absent && !HasProperties(event)) return ReadAbsent(entry, event);
    TextNode* node = Begin(entry, TextNode::Kind::kScalar, event.content.offset);
    node->end = event.end.offset;
    node->spelling = event.text;
    const bool one_line = event.one_line && event.tag.empty() && !event.absent;
    if (one_line) node->written = text_.substr(node->begin, node->end - node->begin);
    // Readers disagree: one that splits documents first ignores the mark, as all do if this becomes the first line.
    if (event.content.column == 0 && text_.substr(node->begin).starts_with(kByteOrderMark)) {
      return ErrorAt(node->begin, "there is a byte order mark (U+FEFF) inside the text; remove it");
    }
    Describe(node, event);
    return FinishScalar(node, event);
  }

  Status ReadAbsent(TextEntry* entry, const Event& event) {
    if (event.role == Role::kKey) return ErrorAt(entry->begin, "a key is missing or null");
    return Finish(EmptyNode(entry, entry == nullptr ? event.content.offset : entry->slot), event.role);
  }

  Status FinishScalar(TextNode* node, const Event& event) {
    const Cost cost = {1, node->spelling.size(), 0};
    SMP_TRY(Spend(cost, node->begin));
    if (node->anchored) costs_[node] = cost;
    const bool is_key = event.role == Role::kKey;
    if (is_key && yaml::IsMergeKey(event)) return FinishMergeKey(node);
    Result<yaml::YamlScalar> scalar = yaml::Resolve(event, tree_.arena);
    if (!scalar) return ErrorAt(node->begin, scalar.error().message);
    if (is_key) SMP_TRY(Name(node, yaml::NameOfKey(*scalar)));
    Result<Value> value = yaml::JsonValueOf(*scalar);
    if (!value && (!is_key || node->anchored)) return ErrorAt(node->begin, value.error().message);
    node->value = is_key ? scalar->value : *value;
    if (scalar->type == yaml::YamlScalar::Type::kUnsigned) beyond_64_bits_.insert(node);
    return Finish(node, event.role);
  }

  Status FinishMergeKey(TextNode* node) {
    node->value = Value::UnownedString(node->spelling);
    node->written = {};  // never copy it: another key `<<` would merge, too
    node->entry->is_merge = true;
    node->entry->name = node->entry->spelling = node->spelling;
    node->entry->parent->merges = true;
    return Finish(node, Role::kKey);
  }

  Status Name(const TextNode* key, Result<std::string> name) {
    if (!name) return ErrorAt(key->begin, name.error().message);
    key->entry->spelling = Followed(key)->spelling;
    key->entry->name = *name == key->entry->spelling ? key->entry->spelling : tree_.arena.Copy(*name);
    return Ok();
  }

  // Called when a node is complete.
  Status Finish(TextNode* node, Role role) {
    TextEntry* entry = node->entry;
    if (role == Role::kRoot) {
      tree_.document.value = node;
      return Ok();
    }
    if (role == Role::kKey) {
      entry->key = node;
      entry->slot = entry->end = node->end;
      return node->kind == TextNode::Kind::kAlias ? NameOfAlias(node) : Ok();
    }
    entry->value = node;
    entry->end = node->end;
    return entry->is_merge ? CheckMerge(entry) : Ok();
  }

  Status NameOfAlias(const TextNode* key) {
    const TextNode* target = Followed(key);
    if (target->is_collection()) return ErrorAt(key->begin, "a key must be a scalar, not a mapping or a list");
    const bool fits = !beyond_64_bits_.contains(target);
    return Name(key, fits ? yaml::NameOfKey(target->value)
                          : yaml::NameOfKey(yaml::YamlScalar{yaml::YamlScalar::Type::kUnsigned, target->value}));
  }

  Status CheckMerge(const TextEntry* entry) {
    const TextNode* value = entry->value;
    if (value->kind == TextNode::Kind::kSequence) {
      for (const TextEntry* item = value->first; item != nullptr; item = item->next) SMP_TRY(CheckMerged(item->value));
      return Ok();
    }
    return CheckMerged(value);
  }

  Status CheckMerged(const TextNode* value) {
    const TextNode* mapping = Followed(value);
    if (mapping->kind != TextNode::Kind::kMapping) return ErrorAt(value->begin, kWantMap);
    size_t size = 0;
    ForEachEntry(mapping, [&](const TextEntry*) { ++size; });
    return Spend({size, 0, 0}, value->begin);
  }

  // --- Collections

  Status Open(const Event& event, TextNode::Kind kind) {
    const uint32_t begin = event.content.offset;
    if (event.role == Role::kKey) return ErrorAt(begin, "a key must be a scalar, not a mapping or a list");
    SMP_TRY(Spend({1, 0, 0}, begin));
    SMP_TRY(CheckDepth(open_.size() + 1, begin));
    TextNode* node = Begin(EntryOf(event), kind, begin);
    node->is_pair = event.is_pair;
    Describe(node, event);
    Frame frame{node};
    frame.spent_before = {tree_.expanded_nodes, tree_.expanded_bytes, 0};
    open_.push_back(frame);
    return Ok();
  }

  // A block collection, and a pair without brackets, ends where its last entry ends.
  Status Close(const Event& event) {
    TakeComma(event);
    const Frame frame = open_.back();
    open_.pop_back();
    const bool has_bracket = event.style == yaml::Style::kFlow;
    frame.node->end = has_bracket ? event.end.offset : frame.entry == nullptr ? frame.node->begin : frame.entry->end;
    const Cost cost = {tree_.expanded_nodes - frame.spent_before.nodes + 1,
                       tree_.expanded_bytes - frame.spent_before.bytes, frame.depth + 1};
    if (frame.node->anchored) costs_[frame.node] = cost;
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, cost.depth);
    return Finish(frame.node, frame.node->entry == nullptr ? Role::kRoot : Role::kValue);
  }

  TextTree& tree_;
  std::string_view text_;
  yaml::Parser parser_;
  std::vector<Frame> open_;
  ViewMap<TextNode*> anchors_;
  std::unordered_map<const TextNode*, Cost> costs_;     // of complete nodes with an anchor
  std::unordered_set<const TextNode*> beyond_64_bits_;  // scalars that no alias can make a key
};

}  // namespace

Result<std::unique_ptr<TextTree>> ReadYamlText(std::string_view text) {
  auto tree = std::make_unique<TextTree>();
  tree->format = DataFormat::kYaml;
  if (text.size() > kMaxInputBytes) return Error::Parse(StrCat("it is larger than ", kMaxInputBytes >> 20, " MiB"));
  tree->text = text;
  const size_t line_end = std::min(text.find_first_of("\r\n"), text.size());
  if (text.substr(line_end).starts_with("\r\n")) tree->line_end = "\r\n";
  SMP_TRY(YamlTextReader(*tree).Read());
  return tree;
}

}  // namespace smp::edit
