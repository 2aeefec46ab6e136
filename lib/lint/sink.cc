#include "lint/sink.h"

#include <algorithm>
#include <utility>

namespace smp::lint {

namespace {

using edit::TextEntry;
using edit::TextNode;

size_t IndexOf(const TextEntry& item) {
  size_t index = 0;
  for (const TextEntry* at = item.parent->first; at != &item; at = at->next) ++index;
  return index;
}

// Returns true if another value would change with the node's text, or if its text is not one scalar on one line.
bool IsSharedOrLong(const edit::TextTree& tree, const TextNode& node) {
  if (node.kind != TextNode::Kind::kScalar || node.written.empty()) return true;
  const auto users = tree.users.find(&node);
  return users != tree.users.end() && !users->second.empty();
}

std::tuple<const Rule*, int, int> PlaceOf(const Finding& finding) {
  return {finding.rule, finding.line, finding.column};
}

}  // namespace

JsonPointer PointerTo(const TextEntry& entry) {
  JsonPointer out;
  for (const TextEntry* at = &entry; at != nullptr && at->parent != nullptr; at = at->parent->entry) {
    out.push_back(at->key != nullptr ? std::string(at->name) : std::to_string(IndexOf(*at)));
  }
  std::ranges::reverse(out);
  return out;
}

const ValuePlaces& Sink::places() {
  if (!places_) places_.emplace(object_);
  return *places_;
}

Finding Sink::Started(const Said& said) const {
  Finding out;
  out.rule = FindRule(said.rule);
  out.severity = said.severity.value_or(out.rule->severity);
  out.file = object_.file;
  out.object = index_;
  out.path = ToString(said.path);
  return out;
}

void Sink::Finish(Finding finding, Said& said, Span span) {
  finding.span = span;
  if (!span.empty()) {
    const LineColumn at = file_.At(span.begin);
    finding.line = at.line;
    finding.column = at.column;
  }
  finding.message = std::move(said.message);
  finding.advice = std::move(said.advice);
  finding.edit = std::move(said.edit);
  by_place_[PlaceOf(finding)].push_back(findings_.size());
  findings_.push_back(std::move(finding));
}

Span Sink::SpanOf(const TextEntry& entry, Mark mark) const {
  const TextNode* node = mark == Mark::kKey && entry.key != nullptr ? entry.key : entry.value;
  const size_t begin = node->after_properties > node->begin ? node->content : node->begin;
  // Of a collection, only its beginning is marked.
  const bool long_one = node->is_collection() || node->end <= begin;
  const size_t first = node->end <= begin ? entry.begin : begin;
  return file_.SpanOf(object_.part, first, long_one ? first + 1 : node->end);
}

void Sink::Add(Said said) {
  const Value* at = said.at == nullptr ? &object_.root() : said.at;
  Finding finding = Started(said);
  finding.line = object_.document.LineOf(at);
  if (object_.node == nullptr) return Finish(std::move(finding), said, {});
  if (const TextEntry* entry = places().EntryOf(at)) {
    return Finish(std::move(finding), said, SpanOf(*entry, said.mark));
  }
  const TextNode* node = places().NodeOf(at);
  const Span span = node == nullptr ? Span{} : file_.SpanOf(object_.part, node->content, node->content + 1);
  Finish(std::move(finding), said, span);
}

void Sink::AddAt(Said said, const TextEntry& entry) {
  Finding finding = Started(said);
  Finish(std::move(finding), said, SpanOf(entry, said.mark));
}

void Sink::AddAtLine(Said said, int line) {
  Finding finding = Started(said);
  finding.line = line;
  Finish(std::move(finding), said, {});
}

void Sink::AddInstead(Said said, std::string_view other) {
  Add(std::move(said));
  const Finding& added = findings_.back();
  const auto before = by_place_.find({FindRule(other), added.line, added.column});
  if (before == by_place_.end()) return;
  const size_t index = before->second.back();
  before->second.pop_back();
  if (before->second.empty()) by_place_.erase(before);
  std::vector<size_t>& same = by_place_.at(PlaceOf(added));
  same.back() = index;
  findings_[index] = std::move(findings_.back());
  findings_.pop_back();
}

std::optional<SafeEdit> Sink::Rewritten(const TextEntry& entry, std::string text, std::string json) const {
  if (IsSharedOrLong(*file_.Tree(object_.part), *entry.value)) return std::nullopt;
  const TextNode& node = *entry.value;
  const size_t begin = node.after_properties > node.begin ? node.content : node.begin;
  return SafeEdit{SafeEdit::Kind::kRewrite, object_.part,
                  PointerTo(entry),         file_.SpanOf(object_.part, begin, node.end),
                  std::move(text),          std::move(json)};
}

std::optional<SafeEdit> Sink::Rewritten(const Value* scalar, std::string text, std::string json) {
  const TextEntry* entry = places().EntryOf(scalar);
  return entry == nullptr ? std::nullopt : Rewritten(*entry, std::move(text), std::move(json));
}

std::optional<SafeEdit> Sink::Removed(const Value* value) {
  const TextEntry* entry = places().EntryOf(value);
  if (entry == nullptr) return std::nullopt;
  return SafeEdit{SafeEdit::Kind::kRemove, object_.part, PointerTo(*entry)};
}

}  // namespace smp::lint
