#include "explain/text_object.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/path_syntax.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/folded_items.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/new_object.h"
#include "explain/one_line.h"
#include "explain/own_name.h"
#include "explain/reading_order.h"
#include "explain/row_values.h"
#include "explain/style.h"
#include "explain/text_lines.h"
#include "explain/text_rows.h"
#include "smp/foretell.h"
#include "value/at.h"
#include "value/base64.h"
#include "value/document.h"
#include "value/escape.h"
#include "value/metadata.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

// Returns the index of the step that names the container that the field is in; nullopt if it is in none.
std::optional<size_t> ContainerStep(const FieldPath& path) {
  for (size_t i = 1; i < path.size(); ++i) {
    if (path[i].kind == PathStep::Kind::kKey && IsContainerList(path[i - 1].name)) return i;
  }
  return std::nullopt;
}

const PathStep& AnyContainer() {
  static const PathStep step = PathStep::Key({{"name", "‹container›"}});
  return step;
}

FieldPath WithAnyContainer(FieldPath path) {
  if (const auto step = ContainerStep(path)) path[*step] = AnyContainer();
  return path;
}

std::string FileBelow(const std::string& file, const std::string& directory) {
  if (directory.empty() || !file.starts_with(directory)) return file;
  const size_t end = directory.size();
  if (IsPathSeparator(directory.back())) return file.substr(end);
  return end < file.size() && IsPathSeparator(file[end]) ? file.substr(end + 1) : file;
}

}  // namespace

std::string OnlyContainer(const ObjectReport& object) {
  const FieldPath* first = nullptr;
  size_t step = 0;
  for (const ReportRow& row : object.rows) {
    const auto at = ContainerStep(row.path);
    if (!at) continue;
    if (*at + 1 == row.path.size()) return {};
    if (first == nullptr) {
      first = &row.path;
      step = *at;
    }
    const auto end = row.path.begin() + static_cast<std::ptrdiff_t>(*at) + 1;
    if (*at != step || !std::equal(row.path.begin(), end, first->begin())) return {};
  }
  return first == nullptr ? "" : ToString((*first)[step]);
}

std::string PlaceOf(const Source& source, const TextOptions& options) {
  if (source.file.empty()) return {};
  return ToString(Source{FileBelow(source.file, options.directory), source.line});
}

namespace {

std::string MaskedValues(const ReportRow& row) {
  std::vector<std::string> values;
  for (const std::string* masked : {&row.masked_live, &row.masked_outcome}) {
    if (!masked->empty()) values.push_back(*masked);
  }
  return Join(values, " → ");
}

// Returns "1200 bytes, sha256 6b86b273ff34" for base64.
std::string SizeAndDigest(std::string_view base64) {
  const auto bytes = DecodeBase64(base64);
  if (!bytes) return "invalid base64";
  return StrCat(Counted(bytes->size(), "byte"), ", sha256 ", Sha256Hex(*bytes).substr(0, 12));
}

// Of binary data, which nobody can read.
std::string BinaryValues(const ReportRow& row) {
  std::vector<std::string> values;
  for (const Value* value : {ValueBefore(row), ValueAfter(row)}) {
    if (value != nullptr && value->is_string()) values.push_back(SizeAndDigest(value->AsString()));
  }
  return Join(values, " → ");
}

bool IsBinary(const FieldPath& path) { return path.size() == 2 && path[0].name == "binaryData"; }

// Returns "value from policy.yaml:3: OverridePolicy p, instead of web.yaml:7"; "" if it is from the object's own file.
std::string Origin(const ReportRow& row, const ObjectReport& object, const TextOptions& options) {
  const bool elsewhere = row.source.line > 0 && row.source.file != object.source.file;
  if (row.policy.empty() && !elsewhere) return {};
  std::vector<std::string> parts;
  if (row.source.line > 0) parts.push_back(PlaceOf(row.source, options));
  if (!row.policy.empty()) parts.push_back(row.policy);
  const std::string overridden = row.overridden.line > 0 ? PlaceOf(row.overridden, options) : "";
  return StrCat("value from ", Join(parts, ": "), overridden.empty() ? "" : StrCat(", instead of ", overridden));
}

std::string ReasonOf(const ReportRow& row) {
  return As(IsSurprise(row.reason) ? Role::kWarning : Role::kDim, ReasonName(row.reason));
}

std::string Tail(const ReportRow& row, const ObjectReport& object, const LeftOut& left_out) {
  const bool here = !left_out.lines && row.source.line > 0 && row.source.file == object.source.file;
  return StrCat(ReasonOf(row), here ? As(Role::kDim, StrCat(", line ", row.source.line)) : "");
}

std::string Note(const ReportRow& row, const ObjectReport& object, const LeftOut& left_out,
                 const TextOptions& options) {
  std::vector<std::string> parts;
  if (!IsPlain(row.message) && row.op != RowOp::kMove) parts.push_back(row.message);
  if (row.reason == Reason::kConflict && row.original != nullptr && row.original->is_scalar() && !row.masked &&
      !IsTextBlock(row.original)) {
    parts.push_back(StrCat("last applied: ", OneLine(*row.original)));
  }
  std::string origin = left_out.lines ? "" : Origin(row, object, options);
  if (!origin.empty()) parts.push_back(std::move(origin));
  return Join(parts, "; ");
}

// Returns the path with all keys of a new list item, also those that the manifest leaves to the server's default: a port
// 53 may be beside another with the protocol UDP.
FieldPath WithDefaultKeys(FieldPath path, const ReportRow& row) {
  const bool is_item = !path.empty() && path.back().kind == PathStep::Kind::kKey;
  if (is_item && Sign(row) == '+' && row.outcome != nullptr && path.back().keys.size() < row.keys.size()) {
    path.back() = KeyStep(*row.outcome, row.keys);
  }
  return path;
}

// Returns the value without what the path says: the keys of an item. nullptr if nothing else is in it.
const Value* BesidesPath(const Value* value, const FieldPath& path, Arena& arena) {
  if (value == nullptr || path.empty()) return value;
  const PathStep& last = path.back();
  if (last.kind == PathStep::Kind::kElement) return nullptr;
  if (last.kind != PathStep::Kind::kKey || !value->is_object()) return value;
  std::vector<std::string_view> names;
  for (const auto& [name, text] : last.keys) names.push_back(name);
  const Value rest = WithoutAt(*value, {}, names, arena);
  return rest.empty() ? nullptr : arena.Keep(rest);
}

constexpr std::string_view kDigest = "@sha256:";
constexpr size_t kShortDigest = 12;

// Cuts the digests of two images, of which so much tells them apart: with it, an image fits into no line.
void ShortenDigests(TextRow& row, Arena& arena) {
  if (row.path.empty() || row.path.back().name != "image") return;
  const auto digest_of = [](const Value* image) {
    if (image == nullptr || !image->is_string()) return std::string_view();
    const std::string_view text = image->AsString();
    const size_t at = text.find(kDigest);
    return at == text.npos ? std::string_view() : text.substr(at + kDigest.size());
  };
  const std::string_view before = digest_of(row.before), after = digest_of(row.after);
  if (before != after && before.substr(0, kShortDigest) == after.substr(0, kShortDigest)) return;
  for (const Value** image : {&row.before, &row.after}) {
    const size_t cut = std::max(digest_of(*image).size(), kShortDigest) - kShortDigest;
    if (cut == 0) continue;
    std::string text((*image)->AsString());
    text.resize(text.size() - cut);
    *image = arena.Keep(arena.String(text + "…"));
  }
}

void LeaveOutName(TextRow& row, std::string_view name, Arena& arena) {
  row.path = WithoutOwnName(std::move(row.path), name);
  for (const Value** value : {&row.before, &row.after, &row.stored, &row.applied}) {
    *value = WithoutOwnName(*value, name, arena);
  }
}

}  // namespace

TextRow ToTextRow(const ReportRow& row, const ObjectReport& object, const LeftOut& left_out, const TextOptions& options,
                  Arena& arena) {
  TextRow out;
  out.path = WithDefaultKeys(left_out.container ? WithAnyContainer(row.path) : row.path, row);
  out.sign = Sign(row);
  out.tail = Tail(row, object, left_out);
  out.note = Note(row, object, left_out, options);
  if (row.op == RowOp::kMove) {
    out.cell = MovesOf(row.order);
  } else if (row.masked) {
    out.cell = MaskedValues(row);
  } else if (IsBinary(row.path)) {
    out.cell = BinaryValues(row);
  } else {
    out.before = VariableInWords(BesidesPath(ValueBefore(row), out.path, arena), out.path, arena);
    out.after = VariableInWords(BesidesPath(ValueAfter(row), out.path, arena), out.path, arena);
    out.stored = row.op == RowOp::kSet ? BesidesPath(row.outcome, out.path, arena) : nullptr;
    const bool both_changed = row.reason == Reason::kConflict || row.reason == Reason::kAtomic;
    if (!options.wide) ShortenDigests(out, arena);
    out.applied = both_changed ? BesidesPath(row.original, out.path, arena) : nullptr;
  }
  if (left_out.name) LeaveOutName(out, object.name, arena);
  return out;
}

namespace {

std::string LinesBetween(size_t first, size_t last) {
  return first == last ? StrCat(", line ", first) : StrCat(", lines ", first, " to ", last);
}

// Returns "added, lines 31 to 48".
std::string TailOfMany(RowPointers rows, const ObjectReport& object, const LeftOut& left_out) {
  const auto line_of = [](const ReportRow* row) { return row->source.line; };
  const auto first = std::ranges::min(rows, {}, line_of), last = std::ranges::max(rows, {}, line_of);
  const bool here = !left_out.lines && line_of(first) > 0 && first->source.file == object.source.file;
  return StrCat(ReasonOf(*first), here ? As(Role::kDim, LinesBetween(line_of(first), line_of(last))) : "");
}

// Returns one row for items that are alike.
TextRow FoldedItems(RowPointers rows, const ObjectReport& object, const LeftOut& left_out) {
  const ReportRow& first = *rows.front();
  FieldPath list(first.path.begin(), first.path.end() - 1);
  TextRow out = {.path = left_out.container ? WithAnyContainer(std::move(list)) : std::move(list), .sign = Sign(first)};
  out.some_of = StrCat(rows.size(), " items of ");
  out.cell = ItemsInWords(rows);
  out.tail = TailOfMany(rows, object, left_out);
  if (!left_out.name) return out;
  out.path = WithoutOwnName(std::move(out.path), object.name);
  out.cell = WithoutOwnName(out.cell, object.name);
  return out;
}

std::vector<TextRow> ToTextRows(RowPointers rows, const ObjectReport& object, const LeftOut& left_out,
                                const TextOptions& options, Arena& arena) {
  std::vector<TextRow> out;
  while (!rows.empty()) {
    const size_t alike = options.wide ? 0 : CountItemsAlike(rows);
    out.push_back(alike > 0 ? FoldedItems(rows.first(alike), object, left_out)
                            : ToTextRow(*rows.front(), object, left_out, options, arena));
    rows = rows.subspan(std::max<size_t>(alike, 1));
  }
  return out;
}

}  // namespace

// --- below the rows

namespace {

constexpr size_t kLongestError = 400;  // bytes

std::string_view NameOfPatch(std::string_view type) {
  if (type == "apply") return "server-side apply";
  return type == "strategic" ? "strategic merge patch" : type == "merge" ? "JSON merge patch" : "JSON patch";
}

// Returns where and why an object was refused or could not be read, a line for each line of the error's message.
std::string PrintError(const ObjectReport& object, const LeftOut& left_out, const TextOptions& options) {
  const Error& error = *object.error;
  std::string_view message = error.message;
  if (message.starts_with(kForetold)) message.remove_prefix(kForetold.size());
  std::string path = error.path;
  const std::string container = left_out.container ? OnlyContainer(object) : "";
  if (const size_t at = path.find(container); !container.empty() && at != path.npos) {
    path.replace(at, container.size(), ToString(AnyContainer()));
  }
  const bool elsewhere = error.source.line > 0 && error.source.line != object.source.line;
  std::string text = StrCat(elsewhere ? StrCat(PlaceOf(error.source, options), ": ") : "",
                            path.empty() ? "" : StrCat(path, ": "), message);
  if (text.size() > kLongestError && !options.wide) text = StrCat(CutEnd(text, kLongestError), " (see the error)");
  std::string out;
  for (const std::string_view line : Split(text, '\n')) out += PrintWrapped(line, 2, options);
  return out + PrintWrapped(object.way_out, 2, options);
}

// The changes of a refused object will not happen: they are only named.
std::string PrintRefused(const ObjectReport& object, const TextOptions& options) {
  const std::string fields = ChangedFields(object);
  return PrintWrapped(fields.empty() ? "" : StrCat("not applied: ", fields, "; --wide shows all values"), 2, options);
}

}  // namespace

std::string PatchNote(const ObjectReport& object) {
  if (!object.patch || object.patch->why.empty()) return {};
  return StrCat("will be sent as a ", NameOfPatch(object.patch->type), ": ", object.patch->why);
}

std::string PrintHead(const ObjectReport& object, std::string_view action, const TextOptions& options) {
  const std::string place = PlaceOf(object.source, options);
  const bool failed = object.action == Action::kError;
  const std::string head =
      StrCat(failed ? "! " : "", NameOf(object), ": ", action, place.empty() ? "" : StrCat(" (", place, ")"));
  return As(failed ? Role::kError : Role::kHeading, PrintWrapped(head, 0, options));
}

std::string PrintBody(const ObjectReport& object, const LeftOut& left_out, const TextOptions& options) {
  const bool is_new = object.action == Action::kCreate;
  std::string out = is_new         ? PrintManifest(object, left_out.name ? object.name : "", 2, options)
                    : object.error ? PrintError(object, left_out, options)
                                   : "";
  if (object.error && !options.wide) return out + PrintRefused(object, options);
  // Another encoding of the same changes concerns only who looks for it.
  const bool tells_patch = options.wide || (object.patch && object.patch->type == "apply");
  Arena arena;  // holds the values of items
  std::vector<const ReportRow*> rows;
  for (const ReportRow* row : InReadingOrder(object.rows)) {
    const bool record = IsLastAppliedAnnotation(row->path);  // its message says it shorter
    if (record) out += PrintWrapped(row->message, 2, options);
    if (!record && !(is_new && IsPartOfManifest(*row))) rows.push_back(row);
  }
  return StrCat(out, PrintWrapped(tells_patch ? PatchNote(object) : "", 2, options),
                PrintRows(ToTextRows(rows, object, left_out, options, arena), 2, options));
}

}  // namespace smp::explain
