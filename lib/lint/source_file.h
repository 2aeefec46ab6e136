// SourceFile: a text of the input, and the trees of its documents, in which places are found.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apply/manifest_text.h"
#include "edit/text_tree.h"
#include "lint/finding.h"

namespace smp::lint {

struct LineColumn {
  int line = 0, column = 0;
};

class SourceFile {
 public:
  SourceFile(std::string name, std::string text);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  const std::vector<apply::TextPart>& parts() const { return parts_; }

  // Returns nullptr if the part is not one JSON or YAML document that the editor could change.
  const edit::TextTree* Tree(size_t part) const { return trees_[part].get(); }

  // Returns a part of a tree as a part of the file.
  Span SpanOf(size_t part, size_t begin, size_t end) const;

  LineColumn At(size_t offset) const;
  // Returns the line, from 1, without its end.
  std::string_view Line(int line) const;
  size_t OffsetOfLine(int line) const;
  int LineCount() const { return static_cast<int>(lines_.size()); }

 private:
  static constexpr size_t kStride = 256;

  size_t CharactersBefore(size_t offset) const;

  const std::string name_;
  const std::string text_;
  std::vector<apply::TextPart> parts_;
  std::vector<std::unique_ptr<edit::TextTree>> trees_;  // of each part
  std::vector<size_t> lines_;                           // offsets of their beginnings
  std::vector<size_t> characters_;                      // before each kStride bytes, as a line may be very long
};

}  // namespace smp::lint
