#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "override/text_reader.h"
#include "override/yaml_scanner.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/utf8.h"
#include "value/yaml_scalar.h"
#include "value/yaml_text.h"

namespace smp {

namespace {

using Type = YamlToken::Type;

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr std::string_view kWantMap = "the value of << must be a mapping or a list of mappings";

// What an alias of it adds to the document.
struct Cost {
  size_t nodes = 0;
  size_t bytes = 0;
  size_t depth = 0;
};

// Anchor and tag before a node.
struct Properties {
  std::optional<YamlToken> anchor;
  std::optional<YamlToken> tag;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool any() const { return anchor || tag; }
};

enum class Context { kBlock, kBlockOrIndentless, kFlow };
enum class Role { kRoot, kKey, kValue };

struct Frame {
  enum class Form { kBlockSequence, kIndentless, kBlockMapping, kFlowSequence, kFlowMapping, kPair };
  enum class Next { kEntry, kValue, kNoValue };

  Form form;
  TextNode* node;
  Next next = Next::kEntry;
  TextEntry* entry = nullptr;  // the last
  Cost spent_before = {};
  size_t depth = 0;  // of the deepest child
};

// The long form of a tag.
std::string LongTag(std::string_view tag) {
  if (tag.starts_with("!<")) return std::string(tag.substr(2, tag.size() - 3));
  return tag.starts_with("!!") ? StrCat(kTagPrefix, tag.substr(2)) : std::string(tag);
}

// yaml_parser_* of Go's parserc.go, with a stack of its own.
class YamlTextReader {
 public:
  explicit YamlTextReader(TextTree& tree)
      : tree_(tree), text_(tree.text), scanner_(tree.text, BeginOf(tree.text), tree.arena) {}

  Status Read() {
    SMP_TRY(ReadBeginning());
    if (IsAny({Type::kDirective, Type::kDocumentStart, Type::kDocumentEnd, Type::kEnd})) {
      tree_.root = EmptyNode(nullptr, PeekBegin());
    } else {
      SMP_TRY(ReadNode(nullptr, Role::kRoot, Context::kBlock));
    }
    while (!open_.empty()) SMP_TRY(ReadNext());
    if (!IsAny({Type::kDocumentStart, Type::kDocumentEnd, Type::kEnd})) {
      return Unexpected("there is text behind the end of the document; separate documents by ---");
    }
    tree_.end = PeekBegin();
    return CheckRoot();
  }

 private:
  static size_t BeginOf(std::string_view text) { return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; }

  Error ErrorAt(size_t at, std::string_view why) const {
    Error error = Error::Parse(StrCat("this is not valid YAML: ", why));
    error.source.line = LineAt(text_, at);
    return error;
  }

  bool Is(Type type) { return scanner_.Peek().type == type; }
  bool IsAny(std::initializer_list<Type> types) {
    return std::find(types.begin(), types.end(), scanner_.Peek().type) != types.end();
  }
  uint32_t PeekBegin() { return scanner_.Peek().begin; }
  YamlToken Take() {
    const YamlToken token = scanner_.Peek();
    scanner_.Skip();
    return token;
  }

  // The scanner's problem, if there is one, or else the parser's.
  Error Unexpected(std::string_view why) {
    const YamlToken& token = scanner_.Peek();
    if (token.type == Type::kError) return ErrorAt(scanner_.problem_place(), scanner_.problem());
    return ErrorAt(token.begin, why);
  }

  Status ReadBeginning() {
    tree_.begin = static_cast<uint32_t>(BeginOf(text_));
    bool directives = false;
    for (; Is(Type::kDirective); directives = true) {
      const YamlToken token = Take();
      const std::string_view written = Trim(token.text.substr(0, token.text.find(" #")));
      if (directives || !written.starts_with("%YAML") || Trim(written.substr(5)) != "1.1") {
        return ErrorAt(token.begin, "no directive (%) is supported but %YAML 1.1; remove the line");
      }
    }
    if (Is(Type::kDocumentStart)) {
      tree_.begin = Take().end;
    } else if (directives) {
      return Unexpected("--- must stand behind a directive (%)");
    } else if (Is(Type::kDocumentEnd)) {
      return Unexpected("the document ends before it begins; remove the line with ...");
    }
    return Ok();
  }

  Status CheckRoot() const {
    if (const std::optional<BadCharacter> bad = FindBadCharacter(text_.substr(0, tree_.end))) {
      return ErrorAt(bad->place, bad->why);
    }
    const TextNode* root = tree_.root;
    if (root->is_collection() || root->value.is_null()) return Ok();
    Error error = Error::Parse(StrCat("the document is no map and no list but one ",
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

  TextNode* Begin(TextEntry* entry, TextNode::Kind kind, uint32_t begin) {
    TextNode* node = NewNode(tree_, kind);
    node->in_text = true;
    node->entry = entry;
    node->begin = node->content = node->end = begin;
    return node;
  }

  TextNode* EmptyNode(TextEntry* entry, uint32_t place) { return Begin(entry, TextNode::Kind::kScalar, place); }

  Status ReadNode(TextEntry* entry, Role role, Context context) {
    if (Is(Type::kAlias)) return ReadAlias(entry, role);
    SMP_ASSIGN(const Properties properties, ReadProperties());
    if (Is(Type::kScalar)) return ReadScalar(entry, role, properties);
    const std::optional<Frame::Form> form = FormOf(context);
    if (form) return Open(entry, role, properties, *form);
    if (properties.any()) return ReadAbsent(entry, role, properties);
    return Unexpected(MissingNode());
  }

  std::string_view MissingNode() {
    if (IsAny({Type::kFlowEntry, Type::kFlowSequenceEnd, Type::kFlowMappingEnd})) {
      return "an item is missing before the comma or bracket, or the bracket closes nothing";
    }
    return "a value is missing here, or the indentation is wrong";
  }

  // Of the collection that begins here.
  std::optional<Frame::Form> FormOf(Context context) {
    const bool block = context != Context::kFlow;
    switch (scanner_.Peek().type) {
      case Type::kFlowSequence: return Frame::Form::kFlowSequence;
      case Type::kFlowMapping: return Frame::Form::kFlowMapping;
      case Type::kBlockSequence: return block ? std::optional(Frame::Form::kBlockSequence) : std::nullopt;
      case Type::kBlockMapping: return block ? std::optional(Frame::Form::kBlockMapping) : std::nullopt;
      case Type::kBlockEntry:
        return context == Context::kBlockOrIndentless ? std::optional(Frame::Form::kIndentless) : std::nullopt;
      default: return std::nullopt;
    }
  }

  Result<Properties> ReadProperties() {
    Properties properties;
    properties.begin = PeekBegin();
    for (;;) {
      if (Is(Type::kAnchor) && !properties.anchor) {
        properties.anchor = Take();
        properties.end = properties.anchor->end;
      } else if (Is(Type::kTag) && !properties.tag) {
        properties.tag = Take();
        properties.end = properties.tag->end;
      } else {
        return properties;
      }
    }
  }

  void Describe(TextNode* node, const Properties& properties) {
    if (!properties.any()) return;
    node->begin = properties.begin;
    node->behind_properties = properties.end;
    if (!properties.anchor) return;
    node->anchored = true;
    tree_.anchored.push_back(node);
    anchors_[properties.anchor->text] = node;
  }

  Status ReadAlias(TextEntry* entry, Role role) {
    const YamlToken token = Take();
    const auto at = anchors_.find(token.text);
    if (at == anchors_.end()) {
      return ErrorAt(
          token.begin,
          "no anchor (&) of that name stands before this alias (*); put a text that begins with * in quotes");
    }
    const auto cost = costs_.find(at->second);
    if (cost == costs_.end()) return ErrorAt(token.begin, "an anchor contains an alias of itself");
    SMP_TRY(Spend(cost->second, token.begin));
    SMP_TRY(CheckDepth(open_.size() + cost->second.depth, token.begin));
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, cost->second.depth);
    TextNode* node = Begin(entry, TextNode::Kind::kAlias, token.begin);
    node->end = token.end;
    node->target = at->second;
    tree_.users[node->target].push_back(node);
    return Finish(node, role);
  }

  Status ReadScalar(TextEntry* entry, Role role, const Properties& properties) {
    const YamlToken token = Take();
    TextNode* node = Begin(entry, TextNode::Kind::kScalar, token.begin);
    node->end = token.end;
    node->style = token.style;
    node->spelling = token.text;
    if (token.one_line && !properties.tag) node->written = text_.substr(token.begin, token.end - token.begin);
    Describe(node, properties);
    return FinishScalar(node, role, properties);
  }

  // An anchor or tag with nothing behind it.
  Status ReadAbsent(TextEntry* entry, Role role, const Properties& properties) {
    TextNode* node = EmptyNode(entry, properties.end);
    Describe(node, properties);
    return FinishScalar(node, role, properties);
  }

  Status FinishScalar(TextNode* node, Role role, const Properties& properties) {
    const Cost cost = {1, node->spelling.size(), 0};
    SMP_TRY(Spend(cost, node->begin));
    if (node->anchored) costs_[node] = cost;
    if (role == Role::kKey && IsMergeKey(node, properties)) {
      node->value = Value::UnownedString(node->spelling);
      node->written = {};  // a copy of it as a key would merge
      node->entry->is_merge = true;
      node->entry->name = node->entry->spelling = node->spelling;
      node->entry->parent->merges = true;
      return Finish(node, role);
    }
    Result<YamlScalar> scalar = Resolve(node, properties);
    if (!scalar) return ErrorAt(node->begin, scalar.error().message);
    if (role == Role::kKey) {
      SMP_TRY(Name(node, NameOfKey(*scalar)));
      if (node->anchored) SMP_TRY(JsonValueOf(*scalar));
      node->value = scalar->value;
    } else {
      Result<Value> value = JsonValueOf(*scalar);
      if (!value) return ErrorAt(node->begin, value.error().message);
      node->value = *value;
    }
    return Finish(node, role);
  }

  static bool IsMergeKey(const TextNode* node, const Properties& properties) {
    if (node->spelling != "<<") return false;
    const std::string_view tag = properties.tag ? properties.tag->text : std::string_view();
    if (tag == "!!merge" || tag == "!<tag:yaml.org,2002:merge>") return true;
    return node->style == TextNode::Style::kPlain && (tag.empty() || tag == "!");
  }

  Result<YamlScalar> Resolve(const TextNode* node, const Properties& properties) {
    const std::string_view text = node->spelling;
    const bool plain = node->style == TextNode::Style::kPlain;
    if (!properties.tag)
      return plain ? ResolvePlain(text) : YamlScalar{YamlScalar::Type::kString, Value::UnownedString(text)};
    if (properties.tag->text == "!") return YamlScalar{YamlScalar::Type::kString, Value::UnownedString(text)};
    const std::string tag = LongTag(properties.tag->text);
    if (tag != StrCat(kTagPrefix, "binary")) return ResolveTagged(tag, text);
    const std::optional<std::string> bytes = DecodeBase64(text);
    if (!bytes) return Error::Parse("the value of !!binary is not valid base64");
    return YamlScalar{YamlScalar::Type::kString, tree_.arena.String(ReplaceInvalidUtf8(*bytes))};
  }

  Status Name(const TextNode* key, Result<std::string> name) {
    if (!name) return ErrorAt(key->begin, name.error().message);
    key->entry->spelling = Followed(key)->spelling;
    key->entry->name = *name == key->entry->spelling ? key->entry->spelling : tree_.arena.Copy(*name);
    return Ok();
  }

  // A node is complete.
  Status Finish(TextNode* node, Role role) {
    TextEntry* entry = node->entry;
    if (role == Role::kRoot) {
      tree_.root = node;
      return Ok();
    }
    if (role == Role::kKey) {
      entry->key = node;
      entry->read_key = node;
      entry->slot = entry->end = node->end;
      return node->kind == TextNode::Kind::kAlias ? NameOfAlias(node) : Ok();
    }
    entry->value = node;
    entry->read_value = node;
    entry->end = node->end;
    return entry->is_merge ? CheckMerge(entry) : Ok();
  }

  Status NameOfAlias(const TextNode* key) {
    const TextNode* target = Followed(key);
    if (target->is_collection()) return ErrorAt(key->begin, "a key must be a scalar, not a mapping or a list");
    return Name(key, NameOfKey(target->value));
  }

  Status CheckMerge(const TextEntry* entry) {
    const TextNode* value = entry->value;
    if (value->kind == TextNode::Kind::kSequence) {
      Status status = Ok();
      value->items->list.ForEach([&](const TextEntry* item) {
        if (status.ok()) status = CheckMerged(item->value);
      });
      return status;
    }
    return CheckMerged(value);
  }

  Status CheckMerged(const TextNode* value) {
    const TextNode* mapping = Followed(value);
    if (mapping->kind != TextNode::Kind::kMapping) return ErrorAt(value->begin, kWantMap);
    return Spend({mapping->items->list.size(), 0, 0}, value->begin);
  }

  Status Open(TextEntry* entry, Role role, const Properties& properties, Frame::Form form) {
    const uint32_t begin = PeekBegin();
    if (role == Role::kKey) return ErrorAt(begin, "a key must be a scalar, not a mapping or a list");
    if (form != Frame::Form::kIndentless) scanner_.Skip();
    const bool is_map = form == Frame::Form::kBlockMapping || form == Frame::Form::kFlowMapping;
    SMP_ASSIGN(TextNode * node,
               OpenNode(entry, is_map ? TextNode::Kind::kMapping : TextNode::Kind::kSequence, begin, form));
    Describe(node, properties);
    return Ok();
  }

  Result<TextNode*> OpenNode(TextEntry* entry, TextNode::Kind kind, uint32_t begin, Frame::Form form) {
    SMP_TRY(Spend({1, 0, 0}, begin));
    SMP_TRY(CheckDepth(open_.size() + 1, begin));
    TextNode* node = Begin(entry, kind, begin);
    const bool block =
        form == Frame::Form::kBlockSequence || form == Frame::Form::kBlockMapping || form == Frame::Form::kIndentless;
    node->style = block ? TextNode::Style::kBlock : TextNode::Style::kFlow;
    Frame frame{form, node};
    frame.spent_before = {tree_.expanded_nodes, tree_.expanded_bytes, 0};
    open_.push_back(frame);
    return node;
  }

  Status Close(uint32_t end) {
    const Frame frame = open_.back();
    open_.pop_back();
    frame.node->end = end;
    const Cost cost = {tree_.expanded_nodes - frame.spent_before.nodes + 1,
                       tree_.expanded_bytes - frame.spent_before.bytes, frame.depth + 1};
    if (frame.node->anchored) costs_[frame.node] = cost;
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, cost.depth);
    return Finish(frame.node, frame.node->entry == nullptr ? Role::kRoot : Role::kValue);
  }

  Status CloseBlock() {
    const TextEntry* last = open_.back().entry;
    return Close(last == nullptr ? open_.back().node->begin : last->end);
  }

  TextEntry* AddEntry(uint32_t begin) {
    Frame& frame = open_.back();
    TextEntry* entry = NewEntry(tree_, frame.node);
    entry->in_text = true;
    entry->begin = entry->slot = entry->end = begin;
    frame.node->items->list.Append(entry);
    frame.entry = entry;
    return entry;
  }

  Status Absent(TextEntry* entry) { return Finish(EmptyNode(entry, entry->slot), Role::kValue); }

  Status ReadNext() {
    switch (open_.back().form) {
      case Frame::Form::kBlockSequence:
      case Frame::Form::kIndentless: return ReadBlockItem();
      case Frame::Form::kBlockMapping:
        return open_.back().next == Frame::Next::kEntry ? ReadBlockKey() : ReadBlockValue();
      case Frame::Form::kFlowSequence: return ReadFlowItem();
      case Frame::Form::kFlowMapping:
        return open_.back().next == Frame::Next::kEntry ? ReadFlowKey() : ReadFlowValue(Type::kFlowMappingEnd);
      case Frame::Form::kPair:
        return open_.back().next == Frame::Next::kEntry ? CloseBlock() : ReadFlowValue(Type::kFlowSequenceEnd);
    }
    return Ok();
  }

  Status ReadBlockItem() {
    const bool indentless = open_.back().form == Frame::Form::kIndentless;
    if (Is(Type::kBlockEntry)) {
      const YamlToken dash = Take();
      TextEntry* entry = AddEntry(dash.begin);
      entry->slot = dash.end;
      const bool absent = indentless ? IsAny({Type::kBlockEntry, Type::kKey, Type::kValue, Type::kBlockEnd})
                                     : IsAny({Type::kBlockEntry, Type::kBlockEnd});
      return absent ? Absent(entry) : ReadNode(entry, Role::kValue, Context::kBlock);
    }
    if (!indentless) {
      if (!Is(Type::kBlockEnd)) {
        return Unexpected("the line does not fit the list above it; each item begins with a dash (-) in its column");
      }
      scanner_.Skip();
    }
    return CloseBlock();
  }

  Status ReadBlockKey() {
    if (Is(Type::kBlockEnd)) {
      scanner_.Skip();
      return CloseBlock();
    }
    if (!Is(Type::kKey)) return Unexpected("the line does not fit the mapping above it; mend the indentation");
    return ReadKey({Type::kKey, Type::kValue, Type::kBlockEnd}, Context::kBlockOrIndentless);
  }

  // Behind the sign of a key, which may be none.
  Status ReadKey(std::initializer_list<Type> absent, Context context) {
    const YamlToken sign = Take();
    TextEntry* entry = AddEntry(sign.begin);
    open_.back().next = Frame::Next::kValue;
    if (IsAny(absent)) return ErrorAt(sign.begin, "a key is missing or null");
    return ReadNode(entry, Role::kKey, context);
  }

  Status ReadBlockValue() {
    Frame& frame = open_.back();
    frame.next = Frame::Next::kEntry;
    TextEntry* entry = frame.entry;
    if (!Is(Type::kValue)) return Absent(entry);
    entry->slot = entry->end = Take().end;
    if (IsAny({Type::kKey, Type::kValue, Type::kBlockEnd})) return Absent(entry);
    return ReadNode(entry, Role::kValue, Context::kBlockOrIndentless);
  }

  // The comma before an entry that is not the first.
  Status ReadComma(std::string_view why) {
    TextEntry* last = open_.back().entry;
    if (last == nullptr) return Ok();
    if (!Is(Type::kFlowEntry)) return Unexpected(why);
    last->comma = Take().begin;
    return Ok();
  }

  Status CloseFlow() { return Close(Take().end); }

  Status ReadFlowKey() {
    if (Is(Type::kFlowMappingEnd)) return CloseFlow();
    SMP_TRY(ReadComma("the { of a mapping is not closed by }, or a comma is missing"));
    if (Is(Type::kFlowMappingEnd)) return CloseFlow();
    if (Is(Type::kKey)) return ReadKey({Type::kValue, Type::kFlowEntry, Type::kFlowMappingEnd}, Context::kFlow);
    TextEntry* entry = AddEntry(PeekBegin());
    open_.back().next = Frame::Next::kNoValue;
    return ReadNode(entry, Role::kKey, Context::kFlow);
  }

  Status ReadFlowValue(Type end) {
    Frame& frame = open_.back();
    TextEntry* entry = frame.entry;
    const bool none = frame.next == Frame::Next::kNoValue;
    frame.next = Frame::Next::kEntry;
    if (none || !Is(Type::kValue)) return Absent(entry);
    entry->slot = entry->end = Take().end;
    if (IsAny({Type::kFlowEntry, end})) return Absent(entry);
    return ReadNode(entry, Role::kValue, Context::kFlow);
  }

  Status ReadFlowItem() {
    if (Is(Type::kFlowSequenceEnd)) return CloseFlow();
    SMP_TRY(ReadComma("the [ of a list is not closed by ], or a comma is missing"));
    if (Is(Type::kFlowSequenceEnd)) return CloseFlow();
    TextEntry* entry = AddEntry(PeekBegin());
    if (!Is(Type::kKey)) return ReadNode(entry, Role::kValue, Context::kFlow);
    SMP_ASSIGN(TextNode * pair, OpenNode(entry, TextNode::Kind::kMapping, PeekBegin(), Frame::Form::kPair));
    pair->is_pair = true;
    return ReadKey({Type::kValue, Type::kFlowEntry, Type::kFlowSequenceEnd}, Context::kFlow);
  }

  TextTree& tree_;
  std::string_view text_;
  YamlScanner scanner_;
  std::vector<Frame> open_;
  std::unordered_map<std::string_view, TextNode*> anchors_;
  std::unordered_map<const TextNode*, Cost> costs_;  // of anchored nodes that are complete
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
  tree->read_root = tree->root;
  return tree;
}

}  // namespace smp
