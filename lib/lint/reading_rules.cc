#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "edit/scalar_text.h"
#include "lint/checks.h"
#include "schema/walk_path.h"
#include "value/equality.h"
#include "value/json.h"
#include "yaml/core_schema.h"

namespace smp::lint {

namespace {

using edit::TextEntry;
using edit::TextNode;

// Walks the text of an object beside its values.
class ReadingCheck {
 public:
  explicit ReadingCheck(Sink& sink)
      : sink_(sink),
        object_(sink.object()),
        is_json_(sink.file().Tree(object_.part)->format == edit::DataFormat::kJson) {}

  // `value`: nullptr if the document has none, because another entry of the same key has the last word. The recursion is
  // bounded by the parser's kMaxDepth.
  void Check(const TextNode* node, const Value* value, TypeId type, const Field* field) {
    const TypeId of_items = type;
    if (node->kind == TextNode::Kind::kMapping) CheckMapping(node, value, type);
    if (node->kind == TextNode::Kind::kSequence) {
      size_t i = 0;
      edit::ForEachEntry(node, [&](const TextEntry* entry) {
        const Value* item = value != nullptr && value->is_array() && i < value->size() ? &value->Items()[i] : nullptr;
        path_.push_back({.item = item == nullptr ? &kNull : item, .index = static_cast<int64_t>(i++), .list = field});
        CheckValue(entry, item, of_items, nullptr);
        path_.pop_back();
      });
    }
  }

 private:
  static inline const Value kNull;

  void CheckMapping(const TextNode* node, const Value* value, TypeId type) {
    std::map<std::string_view, const TextEntry*> first;
    edit::ForEachEntry(node, [&](const TextEntry* entry) {
      if (entry->is_merge) return;
      const Field* field = type == kNoType ? nullptr : Schema().Find(type, entry->name);
      path_.push_back({.name = entry->name});
      const auto [at, is_new] = first.try_emplace(entry->name, entry);
      if (!is_new) SayDuplicate(*std::exchange(at->second, entry), *entry);
      if (entry->spelling != entry->name) SayRenamed(*entry);
      const TypeId below = field != nullptr ? field->type : type == kNoType ? kNoType : Schema().type(type).additional;
      CheckValue(entry, value == nullptr ? nullptr : value->Find(entry->name), below, field);
      path_.pop_back();
    });
  }

  // Aliases are checked where their anchor is.
  void CheckValue(const TextEntry* entry, const Value* value, TypeId type, const Field* field) {
    const TextNode* node = entry->value;
    if (node->is_collection()) Check(node, value, type, field);
    if (node->kind == TextNode::Kind::kScalar) CheckScalar(*entry);
  }

  const smp::Schema& Schema() const { return *object_.kind->schema; }

  FieldPath Path() const { return ToFieldPath(path_); }

  void SayDuplicate(const TextEntry& before, const TextEntry& entry) {
    Arena arena;
    const bool same = edit::ValueOf(before.value, arena) == edit::ValueOf(entry.value, arena);
    const int line = sink_.file().At(sink_.file().SpanOf(object_.part, before.begin, before.end).begin).line;
    Said said = {.rule = "duplicate-key", .path = Path(), .mark = Mark::kKey};
    said.message = StrCat("the key ", WriteJson(Value::UnownedString(entry.name)), " is on line ", line, ", too, ",
                          same ? "with the same value" : "and kubectl keeps only this one");
    said.advice = "remove one of them";
    if (same && IsAloneOnItsLines(before)) {
      said.edit = SafeEdit{SafeEdit::Kind::kDropCopy, object_.part, PointerTo(before),
                           sink_.file().SpanOf(object_.part, before.begin, before.end)};
    }
    sink_.AddAt(std::move(said), entry);
  }

  // Returns true for an entry of a block mapping that another one follows.
  static bool IsAloneOnItsLines(const TextEntry& entry) {
    return entry.parent->style != TextNode::Style::kFlow && !entry.parent->is_pair && entry.next != nullptr;
  }

  void SayRenamed(const TextEntry& entry) {
    sink_.AddAt({.rule = "renamed-key",
                 .path = Path(),
                 .mark = Mark::kKey,
                 .message = StrCat("kubectl reads the key ", entry.spelling, " as ",
                                   WriteJson(Value::UnownedString(entry.name))),
                 .advice = StrCat("put it in quotes: \"", entry.spelling, "\"")},
                entry);
  }

  void CheckScalar(const TextEntry& entry) {
    const TextNode& node = *entry.value;
    const Value& value = node.value;
    if (is_json_ || node.style != TextNode::Style::kPlain || node.written.empty()) return;
    const std::string_view text = node.spelling;
    if (value.is_string() && value.AsString() != text) return;  // it has a tag
    const yaml::YamlScalar core = yaml::ResolveCore(text);
    const bool sexagesimal = value.is_string() && yaml::IsBase60(text);
    if (SameByNumber(core.value, value) && !sexagesimal) return;
    const FieldPath path = Path();
    const bool hides = object_.Hides(path);
    const std::string meant = edit::YamlScalarLine(value, edit::YamlPlace::kFlow);
    const std::string_view others = sexagesimal ? "YAML 1.1 tools" : "YAML 1.2 tools";
    Said said = {.rule = "yaml-versions", .path = path};
    said.message = hides ? StrCat("kubectl and ", others, " read this value differently")
                         : StrCat(text, " is ", InWords(value), " to kubectl, and ",
                                  sexagesimal ? "a number (base 60)" : InWords(core.value), " to ", others);
    said.advice = hides ? "write it so that all read the same" : StrCat("write ", meant);
    said.edit = sink_.Rewritten(entry, meant, WriteJson(value));
    sink_.AddAt(std::move(said), entry);
  }

  static std::string InWords(const Value& value) {
    return value.is_string() ? "text" : value.is_double() && !IsFinite(value) ? "infinity" : WriteJson(value);
  }

  static bool IsFinite(const Value& d) { return d.AsDouble() - d.AsDouble() == 0; }

  Sink& sink_;
  const Object& object_;
  const bool is_json_;
  std::vector<WalkStep> path_;
};

// What the reader of manifests found, for texts whose places are not known.
void SayWarnings(Sink& sink) {
  for (const ReadWarning& warning : sink.object().warnings) {
    const bool renamed = warning.kind == ReadWarning::Kind::kRenamedKey;
    sink.AddAtLine({.rule = renamed ? "renamed-key" : "duplicate-key", .message = warning.message},
                   warning.source.line);
  }
}

}  // namespace

void CheckReading(Sink& sink) {
  const Object& object = sink.object();
  if (object.node == nullptr) return SayWarnings(sink);
  ReadingCheck(sink).Check(edit::Followed(object.node), &object.root(),
                           object.has_type() ? object.kind->resource.type : kNoType, nullptr);
}

}  // namespace smp::lint
