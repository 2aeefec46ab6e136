#include "yaml_cpp/reader.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "base/strings.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/tree_builder.h"
#include "value/utf8.h"
#include "yaml/input.h"
#include "yaml/utf16.h"
#include "yaml/yaml_scalar.h"
#include "yaml_cpp/lookahead.h"
#include "yaml_cpp/text.h"
#include "yaml_cpp/words.h"

namespace smp::yaml_cpp {

namespace {

constexpr std::string_view kBinaryTag = "tag:yaml.org,2002:binary";
constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";
constexpr std::string_view kWantMap = "the value of << must be a mapping or a list of mappings";
constexpr std::string_view kTab = "a tab stands in the indentation; use spaces";
constexpr std::string_view kSeparator = "---";

// Ends the parser from within a callback; never leaves this file.
struct Stop {
  std::string message;
  int line;
};

// What an alias of it adds to the document.
struct Cost {
  size_t nodes = 0;
  size_t bytes = 0;  // of strings
  size_t depth = 0;
};

struct Anchored {
  Value value;
  Cost cost;
};

// The error of one scalar ends the parser.
template <class T>
T OrStop(Result<T> result, int line) {
  if (!result) throw Stop{result.error().message, line};
  return *std::move(result);
}

// Events of yaml-cpp → TreeBuilder.
class Handler : public YAML::EventHandler {
 public:
  Handler(std::string_view text, const std::string& source_name, int first_line)
      : text_(text), source_name_(source_name), first_line_(first_line), builder_(Lines::kKeep) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    int line = Line(mark);
    Spend({1, 0, 0}, line);
    if (!open_.empty() && open_.back().is_map && !open_.back().at_name) {
      const Frame& map = open_.back();
      if (!map.is_flow && !HasColon(text_, map.name_place))
        throw Stop{"expected a colon behind the key", map.name_line};
      if (map.is_flow && IsGluedColon(text_, map.name_place, Place(mark))) {
        throw Stop{"put a space behind the colon, or quotes around the text", line};
      }
      // yaml-cpp marks an empty value where the next token stands; its key is nearer.
      line = map.name_line;
    } else if (!open_.empty() && open_.back().is_flow && IsEmptyFlowItem(text_, Place(mark))) {
      throw Stop{"an item is missing before the comma or bracket", line};
    } else if (open_.empty() && HasTag(text_, Place(mark))) {
      throw Stop{"a value is missing behind the tag", line};
    }
    if (anchor != 0) CheckPlace(mark, line);
    Scalar(yaml::YamlScalar{yaml::YamlScalar::Type::kNull, Value()}, "", anchor, mark, line);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    const int line = Line(mark);
    Spend({1, text.size(), 0}, line);
    CheckPlace(mark, line);
    last_scalar_ = mark;
    const bool plain = tag == "?" || (tag == "!" && IsPlain(text_, Place(mark)));
    if (text == "<<" && (plain || tag == kMergeTag) && ExpectsName()) {
      open_.back().merging = true;
      open_.back().at_name = false;
      open_.back().name_line = line;
      open_.back().name_place = Place(mark);
      return;
    }
    const std::string read = Read(tag, text, mark, line);
    Scalar(Resolve(tag, read, line), read, anchor, mark, line);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const int line = Line(mark);
    CheckPlace(mark, line);
    const auto at = anchors_.find(anchor);
    if (at == anchors_.end()) throw Stop{"an anchor contains an alias of itself", line};
    const Anchored& target = at->second;
    if (!open_.empty() && open_.back().merging && !target.value.is_object()) throw Stop{std::string(kWantMap), line};
    Spend(target.cost, line);
    CheckDepth(open_.size() + target.cost.depth, line);
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, target.cost.depth);
    if (ExpectsName()) {
      Name(OrStop(yaml::NameOfKey(target.value), line), mark, line);
    } else {
      Add(target.value, line);
    }
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    Open(mark, tag, anchor, false, style);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    Open(mark, tag, anchor, true, style);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapEnd() override { Close(); }

  // Grows with what was handed out so far.
  const size_t& events() const { return events_; }
  // Set where the error is that a block of text must be indented deeper: where it begins.
  const std::optional<size_t>& shallow_block() const { return shallow_block_; }

  Document Finish() {
    // Only the last scalar can have swallowed the rest of the text.
    if (!IsClosed(text_, Place(last_scalar_)))
      throw Stop{"the quote that opens here is not closed", Line(last_scalar_)};
    if (!builder_.Top().is_scalar() && EndsWithTabLine(text_)) throw Stop{std::string(kTab), Line(last_scalar_) + 1};
    return std::move(builder_).Finish(source_name_);
  }

 private:
  struct Frame {
    bool is_map = false;
    bool is_flow = false;
    bool at_name = false;  // of a map: the next node is a name
    bool merging = false;  // of a map: the next node is the value of `<<`
    int line = 0;
    int column = -1;
    int name_line = 0;
    size_t name_place = 0;
    size_t count = 0;  // finished items or members
    size_t depth = 0;  // of the deepest child
    YAML::anchor_t anchor = 0;
    Cost spent_before;
  };

  static size_t Place(const YAML::Mark& mark) { return static_cast<size_t>(std::max(mark.pos, 0)); }
  int Line(const YAML::Mark& mark) const { return first_line_ + std::max(mark.line, 0); }
  bool ExpectsName() const { return !open_.empty() && open_.back().is_map && open_.back().at_name; }

  void Spend(const Cost& cost, int line) {
    ++events_;
    spent_.nodes += cost.nodes;
    spent_.bytes += cost.bytes;
    if (spent_.nodes > kMaxNodes || spent_.bytes > kMaxInputBytes) {
      throw Stop{"the document is too large after its aliases are expanded", line};
    }
  }

  static void CheckDepth(size_t depth, int line) {
    if (depth > kMaxDepth) throw Stop{StrCat("it is nested deeper than ", kMaxDepth, " levels"), line};
  }

  // What Go would refuse, or yaml-cpp would misread, where a node begins.
  void CheckPlace(const YAML::Mark& mark, int line) {
    if (const std::string_view why = ProblemOfProperties(text_, Place(mark)); !why.empty())
      throw Stop{std::string(why), line};
    if (!open_.empty() && open_.back().is_flow) {
      if (BeginsWithColon(text_, Place(mark))) throw Stop{"a text that begins with a colon must be quoted here", line};
      return;
    }
    if (IsBehindTab(text_, Place(mark)) || IsBelowTab(mark)) throw Stop{std::string(kTab), line};
  }

  bool IsBelowTab(const YAML::Mark& mark) {
    if (mark.line == line_below_tab_checked_) return false;
    line_below_tab_checked_ = mark.line;
    return IsBelowTabLine(text_, Place(mark));
  }

  // A value in its own line stands deeper than the block it belongs to; yaml-cpp does not ask that of quoted and flow
  // ones.
  void CheckIndentation(const YAML::Mark& mark, int line) const {
    if (ExpectsName() || mark.column > Column() || !IsFirstInLine(text_, Place(mark))) return;
    throw Stop{"the value must be indented deeper than its key or dash", line};
  }

  // The scalar's text; `text` is what yaml-cpp made of it.
  std::string Read(const std::string& tag, const std::string& text, const YAML::Mark& mark, int line) {
    // Behind a tag an empty text may mean that there is nothing, and what stands on the next line is something else.
    const bool absent = text.empty() && HasTag(text_, Place(mark)) && !IsInLineOfTag(text_, Place(mark));
    if (tag == "?" || absent) return text;
    if (const std::string_view why = ProblemOfBlockScalar(text_, Place(mark)); !why.empty()) {
      throw Stop{std::string(why), line};
    }
    // All that yaml-cpp took for it are blank lines before it.
    if (text.find_first_not_of('\n') == text.npos && IsShallowBlock(text_, Place(mark), Column())) {
      shallow_block_ = Place(mark);
      throw Stop{"the block of text must be indented deeper than its anchor or tag", line};
    }
    std::optional<QuotedText> quoted = ReadQuoted(text_, Place(mark));
    if (!quoted) return text;
    CheckIndentation(mark, line);
    if (!quoted->problem.empty()) throw Stop{std::string(quoted->problem), line};
    return std::move(quoted->text);
  }

  // Where the innermost open block begins.
  int Column() const { return open_.empty() || open_.back().is_flow ? -1 : open_.back().column; }

  yaml::YamlScalar Resolve(const std::string& tag, const std::string& text, int line) {
    if (tag == "!") return {yaml::YamlScalar::Type::kString, Value::UnownedString(text)};  // quoted
    if (tag == "?" || tag.empty()) return yaml::ResolvePlain(text);
    if (tag == kBinaryTag) {
      const std::optional<std::string> bytes = DecodeBase64(text);
      if (!bytes) throw Stop{"the value of !!binary is not valid base64", line};
      return {yaml::YamlScalar::Type::kString, builder_.arena().String(ReplaceInvalidUtf8(*bytes))};
    }
    return OrStop(yaml::ResolveTagged(tag, text), line);
  }

  void Scalar(const yaml::YamlScalar& scalar, std::string_view text, YAML::anchor_t anchor, const YAML::Mark& mark,
              int line) {
    if (ExpectsName()) {
      const std::string name = OrStop(yaml::NameOfKey(scalar), line);
      if (name != text) WarnRenamed(text, name, line);
      if (anchor != 0) Define(anchor, Own(scalar, line), {1, text.size(), 0});
      Name(name, mark, line);
      return;
    }
    const Value value = Own(scalar, line);
    if (anchor != 0) Define(anchor, value, {1, text.size(), 0});
    Add(value, line);
  }

  // The value as it is stored.
  Value Own(const yaml::YamlScalar& scalar, int line) {
    if (scalar.value.is_string()) return builder_.arena().String(scalar.value.AsString());
    return OrStop(yaml::JsonValueOf(scalar), line);
  }

  void Name(std::string_view name, const YAML::Mark& mark, int line) {
    Frame& map = open_.back();
    const std::string_view copy = builder_.arena().Copy(name);
    builder_.PushName(copy, line);
    map.name_line = line;
    map.name_place = Place(mark);
    map.at_name = false;
  }

  // A finished value that is no name.
  void Add(Value value, int line) {
    if (open_.empty() || !open_.back().is_map) {
      builder_.Push(value, line);
      if (!open_.empty()) ++open_.back().count;
      return;
    }
    if (open_.back().merging) {
      Merge(value, line);
    } else {
      builder_.Push(value, line);
      ++open_.back().count;
    }
    open_.back().merging = false;
    open_.back().at_name = true;
  }

  // `<<`: as in Go's yaml.v2 the members are set where `<<` stands, so that only later ones override them; of several
  // maps the first wins.
  void Merge(const Value& value, int line) {
    const std::span<const Value> maps = value.is_array() ? value.Items() : std::span<const Value>(&value, 1);
    for (auto map = maps.rbegin(); map != maps.rend(); ++map) {
      if (!map->is_object()) throw Stop{std::string(kWantMap), line};
      Spend({map->size(), 0, 0}, line);
      for (const Member& member : map->Members()) {
        builder_.PushName(member.name, 0);
        builder_.Push(member.value, line);
        ++open_.back().count;
      }
    }
  }

  void Define(YAML::anchor_t anchor, Value value, const Cost& cost) { anchors_[anchor] = {value, cost}; }

  void Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool is_map,
            YAML::EmitterStyle::value style) {
    const int line = Line(mark);
    if (ExpectsName()) throw Stop{"a key must be a scalar, not a mapping or a list", line};
    CheckPlace(mark, line);
    if (style == YAML::EmitterStyle::Flow) CheckIndentation(mark, line);
    Spend({1, 0, 0}, line);
    CheckDepth(open_.size() + 1, line);
    Frame frame;
    frame.is_map = is_map;
    frame.is_flow = style == YAML::EmitterStyle::Flow;
    frame.at_name = is_map;
    frame.line = line;
    frame.column = mark.column;
    // The mark of a block with anchor or tag is theirs, and it begins in a line below.
    if ((anchor != 0 || tag != "?") && !frame.is_flow) {
      frame.column = static_cast<int>(ColumnBelow(text_, Place(mark)));
    }
    frame.anchor = anchor;
    frame.spent_before = spent_;
    open_.push_back(frame);
  }

  void Close() {
    const Frame frame = open_.back();
    open_.pop_back();
    if (frame.is_map) {
      builder_.EndObject(frame.count, frame.line);
    } else {
      builder_.EndArray(frame.count, frame.line);
    }
    const Value value = builder_.Pop();
    const Cost cost = {spent_.nodes - frame.spent_before.nodes + 1, spent_.bytes - frame.spent_before.bytes,
                       frame.depth + 1};
    if (frame.anchor != 0) Define(frame.anchor, value, cost);
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, cost.depth);
    Add(value, frame.line);
  }

  void WarnRenamed(std::string_view text, std::string_view name, int line) {
    builder_.Warn(ReadWarning::Kind::kRenamedKey, line,
                  StrCat("the key ", text, " on line ", line, " is read as \"", name, "\"; write \"", text,
                         "\" to keep it as written"));
  }

  std::string_view text_;
  const std::string& source_name_;
  int first_line_;
  TreeBuilder builder_;
  std::vector<Frame> open_;
  std::unordered_map<YAML::anchor_t, Anchored> anchors_;
  Cost spent_;
  size_t events_ = 0;
  YAML::Mark last_scalar_;
  int line_below_tab_checked_ = -1;
  std::optional<size_t> shallow_block_;
};

// One document between separators.
struct Chunk {
  std::string_view text;
  int first_line = 1;
};

Error ErrorAt(const std::string& source_name, int line, std::string_view why) {
  Error error = Error::Parse(StrCat("this is not valid YAML: ", why));
  error.source = {source_name, line};
  return error;
}

int LinesIn(std::string_view text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

std::optional<Error> CheckCharacters(const Chunk& chunk, const std::string& source_name) {
  const std::optional<BadCharacter> bad = FindBadCharacter(chunk.text);
  if (!bad) return std::nullopt;
  return ErrorAt(source_name, chunk.first_line + LinesIn(chunk.text.substr(0, bad->place)), bad->why);
}

// yaml-cpp's words, but for those that mislead.
std::string Explain(const YAML::Exception& failure, const Chunk& chunk) {
  if (dynamic_cast<const YAML::DeepRecursion*>(&failure) != nullptr) return "it is nested too deeply";
  if (IsIndentedByTab(chunk.text, failure.mark.line)) return std::string(kTab);
  return InPlainWords(failure.msg);
}

// Nothing: the chunk is empty or holds only comments.
using Parsed = std::optional<Result<Document>>;

// Where a block of text begins that must be indented deeper to be read (WithDeeperBlock): yaml-cpp counts the
// indentation of `- &x |` from the anchor. So that a hostile text gains nothing by it, only small texts are mended, and
// a few times.
using ShallowBlock = std::optional<size_t>;
constexpr int kMaxMends = 16;
constexpr size_t kMaxMended = 1UL << 20;

Parsed RunParser(LookaheadBuffer& buffer, Handler& handler, const Chunk& chunk, const std::string& source_name,
                 ShallowBlock& shallow_block) {
  try {
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(handler)) return std::nullopt;
    // As in lib/yaml: kubectl ignores what stands behind the end of a document, and so would not apply it.
    if (parser)
      return ErrorAt(source_name, chunk.first_line,
                     "there is text behind the end of the document; separate documents by ---");
    return handler.Finish();
  } catch (const Stop& stop) {
    shallow_block = handler.shallow_block();
    return ErrorAt(source_name, stop.line, stop.message);
  } catch (const YAML::Exception& failure) {
    if (chunk.text.size() <= kMaxMended) shallow_block = ShallowBlockAbove(chunk.text, failure.mark.line);
    return ErrorAt(source_name, chunk.first_line + std::max(failure.mark.line, 0), Explain(failure, chunk));
  } catch (const std::exception& failure) {
    return ErrorAt(source_name, chunk.first_line, failure.what());
  }
}

Parsed ParseText(const Chunk& chunk, const std::string& source_name, ShallowBlock& shallow_block) {
  Handler handler(chunk.text, source_name, chunk.first_line);
  LookaheadBuffer buffer(chunk.text, handler.events());
  Parsed document = RunParser(buffer, handler, chunk, source_name, shallow_block);
  if (!buffer.exceeded()) return document;
  return ErrorAt(source_name, chunk.first_line + LinesIn(chunk.text.substr(0, buffer.place())),
                 StrCat("a list in [ ], a mapping in { } or a scalar is too long; it may have ", kMaxLookahead >> 20,
                        " MiB, and ", kMaxLookaheadSigns >> 20, " million brackets, commas, colons and quotes"));
}

// A text that stands less deep than its anchor (but deeper than the dash) is moved to the right, which changes nothing
// of its meaning, and all is read again.
Parsed ParseMending(std::string text, int first_line, const std::string& source_name) {
  for (int mends = 0;; ++mends) {
    ShallowBlock shallow_block;
    Parsed document = ParseText({text, first_line}, source_name, shallow_block);
    if (!shallow_block || mends == kMaxMends || text.size() > kMaxMended) return document;
    text = WithDeeperBlock(text, *shallow_block);
  }
}

Parsed ParseChunk(const Chunk& written, const std::string& source_name) {
  if (std::optional<Error> bad = CheckCharacters(written, source_name)) return *std::move(bad);
  std::string text = WithPlainLineEnds(written.text);
  std::string_view why = ProblemOfBeginning(text);
  if (!why.empty()) return ErrorAt(source_name, written.first_line, why);
  return ParseMending(std::move(text), written.first_line, source_name);
}

using Items = std::vector<Result<Document>>;

Items ParseYamlChunk(const Chunk& chunk, const std::string& source_name) {
  Parsed document = ParseChunk(chunk, source_name);
  if (!document) return {};
  if (document->ok()) return {*std::move(document)};
  return {std::move(*document).error()};
}

// `{"` or `{}` with white space between.
bool LooksLikeJson(std::string_view text) {
  const std::string_view behind = Trim(text.substr(1));
  return behind.starts_with('"') || behind.starts_with('}');
}

// JSON where it is JSON. What begins with `{` and is not may still be YAML (`{a: 1}`, a comment behind the object); if
// it is neither, the words of the JSON parser help more, as kubectl found too, unless it never looked like JSON.
Items ParseAnyChunk(const Chunk& chunk, const std::string& source_name) {
  if (!Trim(chunk.text).starts_with('{')) return ParseYamlChunk(chunk, source_name);
  Items values = ParseJsonValues(chunk.text, {source_name, true, chunk.first_line});
  if (values.back().ok()) return values;
  Items as_yaml = ParseYamlChunk(chunk, source_name);
  if (LooksLikeJson(Trim(chunk.text)) && (as_yaml.empty() || !as_yaml.front().ok())) return values;
  return as_yaml;
}

// Splits where a line begins with `---`, before anything is parsed, as Kubernetes' YAMLReader does: so a broken
// document cannot hide the others.
class Splitter {
 public:
  Splitter(std::string_view text, const std::string& source_name) : rest_(text), source_name_(source_name) {}

  // An error: the separator before the chunk is malformed. The chunk itself is read by the next call.
  std::optional<Result<Chunk>> Next() {
    if (bad_separator_) return *std::exchange(bad_separator_, std::nullopt);
    if (rest_.empty()) return std::nullopt;
    Chunk chunk{rest_, line_};
    size_t size = 0;
    while (size < rest_.size()) {
      const size_t end = std::min(rest_.find('\n', size), rest_.size() - 1) + 1;
      const std::string_view written = rest_.substr(size, end - size);
      if (written.starts_with(kSeparator)) {
        CheckSeparator(Trim(written.substr(kSeparator.size())), line_ + LinesIn(rest_.substr(0, size)));
        chunk.text = rest_.substr(0, size);
        size = end;
        break;
      }
      size = end;
    }
    line_ += LinesIn(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return chunk;
  }

 private:
  void CheckSeparator(std::string_view behind, int line) {
    if (behind.empty() || behind.starts_with('#')) return;
    bad_separator_ = ErrorAt(source_name_, line, "only a comment may stand behind --- in its line");
  }

  std::string_view rest_;
  const std::string& source_name_;
  int line_ = 1;
  std::optional<Error> bad_separator_;
};

// An error stands for a malformed separator.
std::vector<Result<Chunk>> SplitText(std::string_view text, const std::string& source_name) {
  std::vector<Result<Chunk>> chunks;
  Splitter splitter(text, source_name);
  while (std::optional<Result<Chunk>> chunk = splitter.Next()) chunks.push_back(*std::move(chunk));
  return chunks;
}

// A thread takes about as long to start as this takes to read.
constexpr size_t kTextForThread = 16UL << 10;

int ThreadsFor(size_t bytes) {
  return static_cast<int>(std::min<size_t>(bytes / kTextForThread, std::thread::hardware_concurrency()));
}

// Many chunks at once; what they hold comes out in order.
Items ParseAll(const std::vector<Result<Chunk>>& chunks, size_t bytes, const std::string& source_name) {
  std::vector<Items> parsed(chunks.size());
  ParallelFor(chunks.size(), ThreadsFor(bytes), [&](size_t i) {
    parsed[i] = chunks[i].ok() ? ParseAnyChunk(*chunks[i], source_name) : Items{chunks[i].error()};
  });
  Items items;
  for (Items& of_chunk : parsed) std::move(of_chunk.begin(), of_chunk.end(), std::back_inserter(items));
  return items;
}

// A separator behind a byte order mark is none to Kubernetes' YAMLReader, so that a second mark is a part of the text
// there; yaml-cpp skips it.
bool HasTwoByteOrderMarks(std::string_view text) {
  const size_t line_end = text.find('\n');
  return text.starts_with(kByteOrderMark) && text.substr(kByteOrderMark.size()).starts_with("---") &&
         line_end != text.npos && text.substr(line_end + 1).starts_with(kByteOrderMark);
}

Items ParseChunks(std::string_view text, const std::string& source_name) {
  if (text.size() > kMaxInputBytes) {
    return {ErrorAt(source_name, 0, StrCat("it is larger than ", kMaxInputBytes >> 20, " MiB"))};
  }
  // Before the text is split, as in kubectl (unicode.BOMOverride in cli-runtime): PowerShell's > writes UTF-16.
  if (const std::optional<std::string> decoded = yaml::FromUtf16(text)) return ParseChunks(*decoded, source_name);
  if (HasTwoByteOrderMarks(text)) return {ErrorAt(source_name, 2, "a second byte order mark begins this line")};
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return ParseAll(SplitText(text, source_name), text.size(), source_name);
}

}  // namespace

YamlFile ParseYamlFile(std::string_view text, const std::string& source_name) {
  YamlFile file;
  for (Result<Document>& item : ParseChunks(text, source_name)) {
    const bool empty = item.ok() && item->root().is_null();
    if (!empty) file.items.push_back({std::move(item)});
  }
  return file;
}

Result<Document> ParseYaml(std::string_view text, const std::string& source_name) {
  Items items = ParseChunks(text, source_name);
  if (items.empty()) return ErrorAt(source_name, 0, "there is no document");
  if (items.size() > 1 && items.front().ok()) {
    return ErrorAt(source_name, items[1].ok() ? items[1]->LineOf(&items[1]->root()) : items[1].error().source.line,
                   "there is more than one document");
  }
  return std::move(items.front());
}

}  // namespace smp::yaml_cpp
