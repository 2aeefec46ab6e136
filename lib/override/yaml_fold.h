// What texts of several lines say in YAML: blocks (`|`, `>`) and plain texts.
#ifndef SMP_OVERRIDE_YAML_FOLD_H_
#define SMP_OVERRIDE_YAML_FOLD_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace smp {

struct BlockText {
  std::string text;
  size_t end = 0;                 // behind the last line that counts, without its line end
  size_t next = 0;                // where the next token may begin
  size_t next_line = 0;           // the beginning of the line that `next` is in
  size_t lines = 0;               // line ends up to there
  std::string_view problem = {};  // empty: none
  size_t problem_place = 0;
};
// The block whose `|` or `>` stands at `at`, in a collection that is indented by `indent` (-1: none).
BlockText ReadBlockText(std::string_view text, size_t at, int indent);

// The lines of a plain text as one: a line end is a space, several are all but the first.
std::string FoldPlain(std::string_view text);

}  // namespace smp

#endif  // SMP_OVERRIDE_YAML_FOLD_H_
