#include "yaml/read_yaml.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/parallel.h"
#include "base/strings.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/input.h"
#include "yaml/utf16.h"
#include "yaml/value_reader.h"

namespace smp::yaml {

namespace {

using Items = std::vector<Result<Document>>;

std::optional<Result<Document>> CheckAndRead(Chunk chunk, const std::string& source_name) {
  if (const std::optional<BadCharacter> bad = yaml::FindBadCharacter(chunk.text)) {
    return ErrorAt(source_name, chunk.first_line + LinesIn(chunk.text.substr(0, bad->place)), bad->why);
  }
  // Go ignores one byte order mark in each document; after a second one it drops characters unpredictably.
  if (chunk.text.starts_with(kByteOrderMark)) chunk.text.remove_prefix(kByteOrderMark.size());
  if (chunk.text.starts_with(kByteOrderMark)) {
    return ErrorAt(source_name, chunk.first_line, "a second byte order mark (U+FEFF) begins the document; remove it");
  }
  return ReadDocument(chunk, source_name);
}

// Returns the line of a Helm template that made the document unreadable; nullopt if something else did. A text in the
// document may have such lines, too: one is to blame only if the lines up to it cannot be read either.
std::optional<int> TemplateToBlame(const Chunk& chunk, const std::string& source_name, const Error& error) {
  const std::string_view read = FirstLines(chunk.text, error.source.line - chunk.first_line + 1);
  const std::optional<int> line = LastTemplateLine(read);
  if (!line) return std::nullopt;
  const auto before = CheckAndRead({FirstLines(read, *line + 1), chunk.first_line}, source_name);
  return before && !before->ok() ? line : std::nullopt;
}

Items ReadYamlChunk(const Chunk& chunk, const std::string& source_name) {
  std::optional<Result<Document>> document = CheckAndRead(chunk, source_name);
  if (!document) return {};
  if (document->ok()) return {*std::move(document)};
  if (const std::optional<int> line = TemplateToBlame(chunk, source_name, document->error())) {
    return {TemplateError({source_name, chunk.first_line + *line})};
  }
  return {std::move(*document).error()};
}

// Returns true for `{"` and `{}`, with optional white space between. REQUIRES: the text begins with `{`.
bool LooksLikeJson(std::string_view text) {
  const std::string_view after = Trim(text.substr(1));
  return after.starts_with('"') || after.starts_with('}');
}

// Reads a chunk that begins with `{` as JSON first. If that fails, it may still be YAML (`{a: 1}`, or a comment after
// the object). If that fails, too, returns the error of the JSON parser if the text looks like JSON, as kubectl does.
Items ReadChunk(const Chunk& chunk, const std::string& source_name) {
  const std::string_view trimmed = Trim(chunk.text);
  if (!trimmed.starts_with('{')) return ReadYamlChunk(chunk, source_name);
  Items values = ParseJsonValues(chunk.text, {source_name, true, chunk.first_line});
  if (values.back().ok()) return values;
  Items as_yaml = ReadYamlChunk(chunk, source_name);
  return LooksLikeJson(trimmed) && (as_yaml.empty() || !as_yaml.front().ok()) ? values : as_yaml;
}

// Reads the chunks in parallel. Returns their documents in order.
Items ReadAll(const std::vector<Result<Chunk>>& chunks, size_t bytes, const std::string& source_name) {
  std::vector<Items> read(chunks.size());
  ParallelFor(chunks.size(), ThreadsForText(bytes), [&](size_t i) {
    read[i] = chunks[i].ok() ? ReadChunk(*chunks[i], source_name) : Items{chunks[i].error()};
  });
  Items items;
  for (Items& of_chunk : read) std::move(of_chunk.begin(), of_chunk.end(), std::back_inserter(items));
  return items;
}

// Kubernetes' YAMLReader does not recognize a separator after a byte order mark, nor a second mark on the next line.
bool HasTwoByteOrderMarks(std::string_view text) {
  const size_t line_end = text.find('\n');
  return text.starts_with(kByteOrderMark) && text.substr(kByteOrderMark.size()).starts_with("---") &&
         line_end != text.npos && text.substr(line_end + 1).starts_with(kByteOrderMark);
}

Items ReadText(std::string_view text, const std::string& source_name) {
  if (text.size() > kMaxInputBytes) {
    return {ErrorAt(source_name, 0, StrCat("it is larger than ", kMaxInputBytes >> 20, " MiB"))};
  }
  // Decode UTF-16 (written by PowerShell's >) before splitting, as kubectl does (unicode.BOMOverride in cli-runtime).
  if (const std::optional<std::string> decoded = FromUtf16(text)) return ReadText(*decoded, source_name);
  if (HasTwoByteOrderMarks(text)) return {ErrorAt(source_name, 2, "a second byte order mark begins this line")};
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return ReadAll(SplitText(text, source_name), text.size(), source_name);
}

}  // namespace

YamlFile ParseYamlFile(std::string_view text, const std::string& source_name) {
  YamlFile file;
  for (Result<Document>& item : ReadText(text, source_name)) {
    const bool empty = item.ok() && item->root().is_null();
    if (!empty) file.items.push_back({std::move(item)});
  }
  return file;
}

Result<Document> ParseYaml(std::string_view text, const std::string& source_name) {
  Items items = ReadText(text, source_name);
  if (items.empty()) return ErrorAt(source_name, 0, "there is no document");
  if (items.size() > 1 && items.front().ok()) {
    return ErrorAt(source_name, items[1].ok() ? items[1]->LineOf(&items[1]->root()) : items[1].error().source.line,
                   "there is more than one document");
  }
  return std::move(items.front());
}

Result<Document> ParseFirstYaml(std::string_view text) {
  if (text.size() > kMaxInputBytes) return ErrorAt({}, 0, StrCat("it is larger than ", kMaxInputBytes >> 20, " MiB"));
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::optional<Result<Document>> document = ReadDocument({text}, {}, Rules::kYaml);
  return document ? *std::move(document) : Result<Document>(Document());
}

}  // namespace smp::yaml
