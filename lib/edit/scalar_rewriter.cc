#include "edit/scalar_rewriter.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/line_diff.h"
#include "base/strings.h"
#include "edit/block_scalar.h"
#include "edit/folded_text.h"
#include "edit/scalar_text.h"
#include "yaml/read_yaml.h"

namespace smp::edit {

namespace {

using Style = TextNode::Style;

std::string_view WithoutFinalBreaks(std::string_view text) { return text.substr(0, text.find_last_not_of('\n') + 1); }

std::string_view WithoutBlanks(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

// --- Block scalars

// `|2-`: the style and the indicators, in their order.
struct Header {
  char style = '|';
  char digit = '\0';
  char chomping = '\0';
  bool chomps_first = false;

  static Header Of(std::string_view text) {
    Header out = {text.front()};
    for (const char c : text.substr(1)) {
      if (c == '+' || c == '-') {
        out.chomping = c;
        out.chomps_first = out.digit == '\0';
      } else {
        out.digit = c;
      }
    }
    return out;
  }

  std::string ToText() const {
    std::string indicators;
    if (chomping != '\0') indicators += chomping;
    if (digit != '\0') indicators.insert(chomps_first ? indicators.size() : 0, 1, digit);
    return StrCat(style, indicators);
  }
};

class BlockRewriter {
 public:
  BlockRewriter(const TextTree& tree, const TextLines& lines, const TextNode* old, TextChanges& changes)
      : tree_(tree), lines_(lines), old_(old), changes_(changes) {
    header_text_ = BlockHeader(lines.text(), old);
    header_ = Header::Of(header_text_);
    FindLines();
  }

  RewrittenAs Rewrite(std::string_view text) {
    std::optional<BlockScalar> block = AsBlockScalar(text);
    const size_t column = lines_.Column(old_->entry->begin);
    if (!block || body_ == 0 || indent_ <= column) return RewrittenAs::kNothing;
    if (block->needs_indicator && header_.digit == '\0') {
      if (indent_ - column > kDeepestIndicator) return RewrittenAs::kNothing;
      header_.digit = static_cast<char>('0' + indent_ - column);
    }
    RewriteBody(BodyOf(*block, text));
    RewriteEnd(*block);
    const std::string header = header_.ToText();
    if (header != header_text_) changes_.Replace(old_->content, old_->content + header_text_.size(), header);
    return header_.chomping == '+' ? RewrittenAs::kKeepingBlock : RewrittenAs::kBlock;
  }

 private:
  // Finds the lines of the block, and the blank ones after it up to the next text.
  void FindLines() {
    const size_t size = lines_.text().size();
    size_t line = lines_.Next(old_->content);
    for (; line < size && (line <= old_->end || lines_.IsBlank(line)); line = lines_.Next(line))
      begins_.push_back(line);
    begins_.push_back(line);
    if (header_.digit != '\0') {
      indent_ = lines_.Column(old_->entry->begin) + static_cast<size_t>(header_.digit - '0');
    } else {
      const auto first =
          std::find_if(begins_.begin(), begins_.end() - 1, [&](size_t at) { return !lines_.IsBlank(at); });
      indent_ = first == begins_.end() - 1 ? 0 : lines_.text().find_first_not_of(' ', *first) - *first;
    }
    for (size_t i = 0; i + 1 < begins_.size(); ++i) {
      if (!OldLine(i).empty() && begins_[i] <= old_->end) body_ = i + 1;
    }
  }

  // Returns a line without its indentation: "" for a blank one that is no deeper.
  std::string_view OldLine(size_t i) const {
    const std::string_view line = lines_.Between(begins_[i], lines_.End(begins_[i]));
    return line.substr(std::min(indent_, line.size()));
  }

  std::vector<std::string> BodyOf(const BlockScalar& block, std::string_view text) {
    if (old_->style == Style::kFolded) {
      std::vector<std::string_view> written;
      for (size_t i = 0; i < body_; ++i) written.push_back(OldLine(i));
      const auto folded =
          Refolded(Grouped(written), WithoutFinalBreaks(old_->value.AsString()), WithoutFinalBreaks(text));
      if (folded) return Ungrouped(*folded);
      header_.style = '|';
    }
    return {block.lines.begin(), block.lines.end()};
  }

  // Lines that both texts have stay as they are, also with blanks at the end.
  void RewriteBody(const std::vector<std::string>& lines) {
    std::vector<std::string_view> before;
    for (size_t i = 0; i < body_; ++i) before.push_back(OldLine(i));
    for (const LineEdit& edit : DiffLines(before, {lines.begin(), lines.end()})) {
      if (edit.kind == LineEdit::Kind::kRemove) changes_.Remove(begins_[edit.before], begins_[edit.before + 1]);
      if (edit.kind == LineEdit::Kind::kAdd) changes_.Insert(begins_[edit.before], Line(lines[edit.after]));
    }
  }

  std::string Line(std::string_view line) const {
    return StrCat(line.empty() ? "" : Spaces(indent_), line, tree_.line_end);
  }

  // Makes the header and the blank lines after the text say how many line ends it has.
  void RewriteEnd(const BlockScalar& block) {
    const size_t blank = begins_.size() - 1 - body_;
    if (block.final_breaks >= 2) {
      header_.chomping = '+';
      const size_t wanted = block.final_breaks - 1;
      for (size_t i = blank; i < wanted; ++i) changes_.Insert(begins_.back(), tree_.line_end);
      if (blank > wanted) changes_.Remove(begins_[body_ + wanted], begins_.back());
    } else if (block.final_breaks == 1) {
      if (header_.chomping == '-' || blank > 0) header_.chomping = '\0';
    } else {
      header_.chomping = '-';
    }
  }

  const TextTree& tree_;
  const TextLines& lines_;
  const TextNode* old_;
  TextChanges& changes_;
  std::string_view header_text_;
  Header header_;
  std::vector<size_t> begins_;  // of the lines after the header, and where the next text begins
  size_t indent_ = 0;
  size_t body_ = 0;  // the number of lines up to the last one with text
};

// --- Plain and quoted scalars

std::string_view QuoteOf(const TextNode* node) {
  if (node->style == Style::kDoubleQuoted) return "\"";
  return node->style == Style::kSingleQuoted ? "'" : "";
}

class QuotedRewriter {
 public:
  QuotedRewriter(const TextTree& tree, const TextLines& lines, const TextNode* old, TextChanges& changes)
      : tree_(tree), lines_(lines), old_(old), quote_(QuoteOf(old)), changes_(changes) {}

  RewrittenAs Rewrite(std::string_view text) {
    std::optional<std::string> written = Written(text);
    if (!written || !ReadsAs(*written, text)) return RewrittenAs::kNothing;
    changes_.Replace(old_->content, old_->end, *written);
    return RewrittenAs::kQuoted;
  }

 private:
  // Returns nullopt if the text cannot be broken as the old one is.
  std::optional<std::string> Written(std::string_view text) const {
    const size_t begin = old_->content + quote_.size(), end = old_->end - quote_.size();
    std::vector<std::string_view> pieces;
    for (size_t at = begin; at < end; at = lines_.Next(at)) {
      pieces.push_back(WithoutBlanks(lines_.Between(at, std::min(lines_.End(at), end))));
      if (pieces.back().ends_with('\\')) return std::nullopt;  // an escaped line end
    }
    if (pieces.size() < 2) return std::nullopt;
    const auto before = Escaped(old_->value.AsString()), now = Escaped(text);
    const auto folded = before && now ? Refolded(Grouped(pieces), *before, *now) : std::nullopt;
    if (!folded) return std::nullopt;
    const size_t second = lines_.Next(old_->content);
    const size_t indent = lines_.text().find_first_not_of(' ', second) - second;
    std::string out(quote_);
    const std::vector<std::string> lines = Ungrouped(*folded);
    for (size_t i = 0; i < lines.size(); ++i) {
      out += StrCat(i == 0 ? "" : tree_.line_end, i == 0 || lines[i].empty() ? "" : Spaces(indent), lines[i]);
    }
    return out.append(quote_);
  }

  // Returns the lines of the text as they are in these quotes; nullopt if they cannot be.
  std::optional<std::string> Escaped(std::string_view text) const {
    std::vector<std::string> lines;
    for (const std::string_view line : Split(text, '\n')) {
      if (old_->style != Style::kDoubleQuoted && !IsAllPrintable(line)) return std::nullopt;
      lines.emplace_back(line);
      if (quote_.empty() || line.empty()) continue;
      const Quotes quotes = old_->style == Style::kDoubleQuoted ? Quotes::kDouble : Quotes::kSingle;
      const std::string quoted = YamlScalarLine(Value::UnownedString(line), YamlPlace::kBlock, quotes);
      lines.back() = quoted.substr(1, quoted.size() - 2);
    }
    return Join(lines, "\n");
  }

  bool ReadsAs(std::string_view written, std::string_view text) const {
    const std::string line = StrCat(Spaces(lines_.Column(old_->entry->begin)), "a: ", written, "\n");
    const Result<Document> read = yaml::ParseFirstYaml(line);
    const Value* value = read.ok() && read->root().is_object() ? read->root().Find("a") : nullptr;
    return value != nullptr && *value == Value::UnownedString(text);
  }

  const TextTree& tree_;
  const TextLines& lines_;
  const TextNode* old_;
  std::string_view quote_;
  TextChanges& changes_;
};

}  // namespace

std::string_view BlockHeader(std::string_view text, const TextNode* scalar) {
  const std::string_view rest = text.substr(scalar->content);
  return rest.substr(0, rest.find_first_not_of("|>+-0123456789"));
}

RewrittenAs RewriteLines(const TextTree& tree, const TextLines& lines, const TextNode* old, std::string_view text,
                         TextChanges& changes) {
  const bool is_text = old->kind == TextNode::Kind::kScalar && old->value.is_string();
  if (!is_text || old->entry == nullptr) return RewrittenAs::kNothing;
  const bool is_block = old->style == Style::kLiteral || old->style == Style::kFolded;
  if (is_block) return BlockRewriter(tree, lines, old, changes).Rewrite(text);
  const bool has_properties = old->begin < old->content;
  if (has_properties || !lines.HasLineEnd(old->content, old->end)) return RewrittenAs::kNothing;
  return QuotedRewriter(tree, lines, old, changes).Rewrite(text);
}

}  // namespace smp::edit
