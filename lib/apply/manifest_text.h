// The parts of a file with manifests: its documents as they are in the text, and where each of them has its objects.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "edit/text_tree.h"
#include "value/document.h"
#include "value/json_pointer.h"

namespace smp::apply {

// The text of one document, or of several JSON values.
struct TextPart {
  size_t begin = 0;  // offset in the file
  std::string_view text;
  int first_line = 1;
};

// Returns the parts of the file, split as the reader of manifests splits it. Parts that are not documents are left out.
std::vector<TextPart> PartsOf(std::string_view text);

// Returns the index of the part with this line of the file: the last one that begins at or before it. 0 if there is none.
size_t PartAt(const std::vector<TextPart>& parts, int line);

// Returns the text with a line break at its end, as kubectl reads it: a block scalar that ends with the file ends with one, too. The
// line break is like the first one. UTF-16 is left as it is.
std::string WithLastLineBreak(std::string_view text);

// Reads a part as what it is, JSON or YAML. Error: parse.
Result<std::unique_ptr<edit::TextTree>> TreeOf(std::string_view part);

struct ObjectPlace {
  JsonPointer at;
  Value value;
};

// Returns the objects of a document: those of a list, or the document itself. Their values are in the document or in the arena.
std::vector<ObjectPlace> ObjectsOf(const Value& document, Arena& arena);

}  // namespace smp::apply
