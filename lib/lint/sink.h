// Sink: takes the findings of the rules about one object, and finds their places in the text.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lint/finding.h"
#include "lint/object.h"
#include "lint/source_file.h"
#include "value/path.h"

namespace smp::lint {

// What of a value is marked: its key, where it has one, or the value itself.
enum class Mark { kKey, kValue };

// What a rule says. `at`: the address of a value in the object's document; nullptr: of the object.
struct Said {
  std::string_view rule;
  const Value* at = nullptr;
  FieldPath path = {};
  Mark mark = Mark::kValue;
  std::string message = {};
  std::string advice = {};
  std::optional<SafeEdit> edit = {};
  std::optional<Severity> severity = {};  // nullopt: the rule's
};

class Sink {
 public:
  // REQUIRES: both outlive it. `index`: of the object.
  Sink(const SourceFile& file, const Object& object, size_t index) : file_(file), object_(object), index_(index) {}

  void Add(Said said);
  // The same about an entry of the tree, which need not have a value in the document.
  void AddAt(Said said, const edit::TextEntry& entry);
  void AddAtLine(Said said, int line);
  // Adds it instead of what the rule `other` said of the same place, if it said something.
  void AddInstead(Said said, std::string_view other);

  // Returns an edit that writes the scalar anew; nullopt if it is not alone in its text (an alias, a block scalar).
  // `json`: the value that the text then has.
  std::optional<SafeEdit> Rewritten(const edit::TextEntry& entry, std::string text, std::string json) const;
  std::optional<SafeEdit> Rewritten(const Value* scalar, std::string text, std::string json);
  std::optional<SafeEdit> Removed(const Value* value);

  const edit::TextNode* NodeOf(const Value* value) { return places().NodeOf(value); }
  const Object& object() const { return object_; }
  const SourceFile& file() const { return file_; }

  const std::vector<Finding>& findings() const { return findings_; }
  std::vector<Finding> Take() && { return std::move(findings_); }

 private:
  const ValuePlaces& places();
  Finding Started(const Said& said) const;
  void Finish(Finding finding, Said& said, Span span);
  Span SpanOf(const edit::TextEntry& entry, Mark mark) const;

  const SourceFile& file_;
  const Object& object_;
  const size_t index_;
  std::optional<ValuePlaces> places_;  // made when a finding wants it
  std::vector<Finding> findings_;
  // The findings of a rule at a line and column, as their indices: an object may have very many findings.
  std::map<std::tuple<const Rule*, int, int>, std::vector<size_t>> by_place_;
};

// Returns the pointer to the entry's value in its document.
JsonPointer PointerTo(const edit::TextEntry& entry);

}  // namespace smp::lint
