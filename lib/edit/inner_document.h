// InnerDocument: a JSON or YAML text in a string field of an object, edited in place. Whatever no edit touches is kept
// byte for byte: comments, key order, quoting, anchors, dates, block scalars, indentation, line ends, the spelling of
// numbers, and all documents after the first. Source: karmada's proposal "Structured configuration overrider"
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

// One operation of RFC 6902 (JSON Patch). `path` and `from` are JSON pointers (RFC 6901). The strings and `value` need
// to stay valid only until Apply returns.
struct Edit {
  EditKind kind = EditKind::kAdd;
  std::string_view path;
  std::string_view from = {};       // kMove, kCopy
  std::optional<Value> value = {};  // kAdd, kReplace, kTest
};

// Parse once, apply any number of edits, write once. Each step takes linear time in the text or in what it touches.
class InnerDocument {
 public:
  // Copies the text. Error: parse (with the line in the text) if it is invalid in that format, or its root is a scalar
  // other than null. Accepts an empty YAML document or a null, so that an edit can replace the whole document.
  static Result<InnerDocument> Parse(std::string_view text, DataFormat format);
  ~InnerDocument();
  InnerDocument(InnerDocument&&) noexcept;
  InnerDocument& operator=(InnerDocument&&) noexcept;

  // After an error the document is unchanged. Error: not-found (no such path), invalid-argument (pointer syntax, bad
  // index, wrong type of the parent), conflict (a kTest failed; the message has the expected and the actual value).
  Status Apply(const Edit& edit);

  // Merges as in RFC 7396: a null deletes a member. Error: invalid-argument, if the document or `patch` is not a map.
  Status Merge(const Value& patch);

  // Returns the current value at `path`, with aliases followed. Errors: not-found, invalid-argument, as for Apply.
  Result<Document> Find(std::string_view path) const;

  // Returns the kind of the value at `path`, without the cost of copying it. Errors as for Find.
  Result<Kind> KindAt(std::string_view path) const;

  // Returns the edited text, or the original bytes if nothing changed. It is parsed again to check that it has exactly
  // the edited values (proof.h). Error: parse or refused, if that check fails.
  Result<std::string> Write() const;

 private:
  struct State;
  explicit InnerDocument(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace smp::edit
