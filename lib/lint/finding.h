// A finding: what a rule says of a place in a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lint/rules.h"
#include "value/json_pointer.h"

namespace smp::lint {

inline constexpr size_t kNone = static_cast<size_t>(-1);

// A part of a file's text. Empty if the place is not known exactly.
struct Span {
  size_t begin = 0, end = 0;

  bool empty() const { return begin == end; }
};

// A change of the text that cannot change what is stored, or without which the server refuses the object and of which the
// author cannot have meant another.
struct SafeEdit {
  enum class Kind {
    kRewrite,  // the scalar in `span` is written as `text`, which is the value `json`
    kRemove,   // the member or item goes
    kDropCopy  // the entry in `span` goes, which has the same key and value as one after it
  };
  Kind kind = Kind::kRewrite;
  size_t part = 0;  // of the file
  JsonPointer at;   // in the part's document
  Span span = {};   // in the file
  std::string text = {};
  std::string json = {};
};

struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::kError;
  size_t file = kNone;    // index of the file
  size_t object = kNone;  // index of the object
  int line = 0;           // from 1; 0: unknown
  int column = 0;         // in characters, from 1; 0: unknown
  Span span = {};         // what is marked in the text
  std::string path = {};
  std::string message = {};  // what is wrong, and why
  std::string advice = {};   // what to do; may be empty
  std::optional<SafeEdit> edit = {};
  bool fixed = false;
};

}  // namespace smp::lint
