// InnerDocument: a JSON or YAML text held in a string field of an object, edited in place. What no edit touches stays
// as it is written, byte for byte: comments, key order, quoting, anchors, dates, block scalars, indentation, line
// ends, the spelling of numbers, and the documents after the first.
// Source: karmada's proposal "Structured configuration overrider" (docs/proposals/structured-configuration).
#ifndef SMP_OVERRIDE_INNER_DOCUMENT_H_
#define SMP_OVERRIDE_INNER_DOCUMENT_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

enum class DataFormat { kJson, kYaml };

enum class EditKind { kAdd, kRemove, kReplace, kMove, kCopy, kTest };

// One operation of RFC 6902; `path` and `from` are JSON pointers (RFC 6901). Both and `value` must outlive Apply only.
struct Edit {
  EditKind kind = EditKind::kAdd;
  std::string_view path;
  std::string_view from = {};       // kMove, kCopy
  std::optional<Value> value = {};  // kAdd, kReplace, kTest
};

// One parse, any number of edits, one write; each step is linear in the text or in what it touches.
class InnerDocument {
 public:
  // Copies the text. Error: parse (with the line within the text), when it is no document of that format or its root
  // is no map or list. One that is empty (YAML) or null is accepted: the whole of it can be replaced.
  static Result<InnerDocument> Parse(std::string_view text, DataFormat format);
  ~InnerDocument();
  InnerDocument(InnerDocument&&) noexcept;
  InnerDocument& operator=(InnerDocument&&) noexcept;

  // All or nothing. Error: not-found (no such path), invalid-argument (pointer syntax, bad index, wrong type of the
  // parent), conflict (a failed test: wanted and found).
  Status Apply(const Edit& edit);

  // RFC 7396: maps merge, null deletes, lists and scalars replace. Error: invalid-argument, when either is no map.
  Status Merge(const Value& patch);

  // What the text says at `path` now, e.g. for --explain; an alias is followed. Error: not-found, invalid-argument.
  Result<Document> Find(std::string_view path) const;

  // What is there, at no cost of its size. Errors as Find's.
  Result<Kind> KindAt(std::string_view path) const;

  // The text after the edits; without a change the bytes that were read.
  Result<std::string> Write() const;

 private:
  struct State;
  explicit InnerDocument(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace smp

#endif  // SMP_OVERRIDE_INNER_DOCUMENT_H_
