// InnerDocument: a JSON or YAML text in a string field of an object, edited in place. What no edit touches stays byte
// for byte: comments, key order, quoting, anchors, dates, block scalars, indentation, line ends, the spelling of
// numbers, and the documents after the first. Source: karmada's proposal "Structured configuration overrider"
// (docs/proposals/structured-configuration).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/value.h"

namespace smp::edit {

enum class DataFormat { kJson, kYaml };

enum class EditKind { kAdd, kRemove, kReplace, kMove, kCopy, kTest };

// One operation of RFC 6902; `path` and `from` are JSON pointers (RFC 6901). They and `value` need to live only until
// Apply returns.
struct Edit {
  EditKind kind = EditKind::kAdd;
  std::string_view path;
  std::string_view from = {};       // kMove, kCopy
  std::optional<Value> value = {};  // kAdd, kReplace, kTest
};

// One parse, any number of edits, one write; each step is linear in the text or in what it touches.
class InnerDocument {
 public:
  // Copies the text. Error: parse (with the line in the text), if it is not a document of that format or its root is a
  // scalar other than null. An empty (YAML) or null document is accepted: it can be replaced as a whole.
  static Result<InnerDocument> Parse(std::string_view text, DataFormat format);
  ~InnerDocument();
  InnerDocument(InnerDocument&&) noexcept;
  InnerDocument& operator=(InnerDocument&&) noexcept;

  // Atomic. Error: not-found (no such path), invalid-argument (pointer syntax, bad index, wrong type of the parent),
  // conflict (a failed test: wanted and found).
  Status Apply(const Edit& edit);

  // RFC 7396: maps merge, null deletes, lists and scalars replace. Error: invalid-argument, if either is not a map.
  Status Merge(const Value& patch);

  // Returns the current value at `path`, e.g. for --explain; follows an alias. Error: not-found, invalid-argument.
  Result<Document> Find(std::string_view path) const;

  // Returns the kind of the value at `path`, without the cost of copying it. Errors as for Find.
  Result<Kind> KindAt(std::string_view path) const;

  // Returns the text after the edits, proved to say what they ask for (proof.h); the original bytes if nothing changed.
  // Error: parse or refused, if the proof fails.
  Result<std::string> Write() const;

 private:
  struct State;
  explicit InnerDocument(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace smp::edit
