#include "karmada/field_overrider.h"

#include "base/strings.h"
#include "edit/inner_document.h"
#include "karmada/policy_reader.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::karmada {

namespace {

constexpr size_t kMaxShownTexts = size_t{8} << 20;  // bytes: text size times operations

enum class Encoding { kPlain, kBase64 };

struct InnerText {
  JsonPointer at;
  std::string text;
  Encoding encoding = Encoding::kPlain;
  bool secret = false;
};

// Differs from karmada, which edits the base64 of a Secret's data as if it were the text.
Result<InnerText> ReadText(const std::string& path, ObjectDraft& draft) {
  InnerText out;
  SMP_ASSIGN(out.at, ParseJsonPointer(path));
  SMP_ASSIGN(const Value value, draft.Get(out.at));
  if (!value.is_string()) {
    return Error::InvalidArgument(StrCat("it must be a string that contains the text, found ", KindName(value.kind())));
  }
  out.text = value.AsString();
  out.secret = IsSecret(draft.TextAt({"apiVersion"}), draft.TextAt({"kind"}));
  if (!out.secret || out.at.size() != 2 || out.at[0] != "data") return out;
  const auto decoded = DecodeBase64(out.text);
  if (!decoded) return Error::InvalidArgument("the data of a Secret must be valid base64");
  out.text = *decoded;
  out.encoding = Encoding::kBase64;
  return out;
}

// Returns the error with values removed from its message, for the text of a Secret.
Error WithoutValues(const Error& error) {
  switch (error.code) {
    case ErrorCode::kConflict: return Error::Conflict("the value differs (values of Secrets are not shown)");
    case ErrorCode::kParse: return Error::Parse("the text cannot be read (texts of Secrets are not shown)");
    default: return error;
  }
}

bool IsListAt(const edit::InnerDocument& document, std::string_view path) {
  const auto kind = document.KindAt(path);
  return kind.ok() && *kind == Kind::kArray;
}

// RFC 6901, section 4, has no negative indexes, but InnerDocument accepts them, like karmada's library does.
Status RefuseNegativeIndexes(std::string_view path, const edit::InnerDocument& document) {
  SMP_ASSIGN(const JsonPointer pointer, ParseJsonPointer(path));
  for (size_t i = 0; i < pointer.size(); ++i) {
    const std::string& token = pointer[i];
    if (token.size() < 2 || token[0] != '-' || !ParseListIndex(std::string_view(token).substr(1))) continue;
    const std::string above =
        smp::ToString(JsonPointer(pointer.begin(), pointer.begin() + static_cast<std::ptrdiff_t>(i)));
    if (IsListAt(document, above)) {
      return Error::InvalidArgument(
          StrCat(above.empty() ? "the document" : above, " is a list, and \"", token, "\" is not a list index"));
    }
  }
  return Ok();
}

std::optional<std::string> JsonAt(const edit::InnerDocument& document, std::string_view path) {
  const auto found = document.Find(path);
  return found.ok() ? std::optional(WriteJson(found->root())) : std::nullopt;
}

// Returns the value that an added value replaces; nullopt if there is none, as in an insertion into a list.
std::optional<std::string> Overwritten(const edit::InnerDocument& document, const std::string& path) {
  const size_t last = path.rfind('/');
  const bool inserts = last != path.npos && IsListAt(document, path.substr(0, last));
  return inserts ? std::nullopt : JsonAt(document, path);
}

// Returns the changes that the operation will make to values in the document.
std::vector<StepChange> TouchedValues(const PatchOperation& operation, const edit::InnerDocument& document) {
  const std::string& path = operation.path;
  const auto at = [&](const std::string& place) { return JsonAt(document, place); };
  const auto value = operation.value ? std::optional(WriteJson(*operation.value)) : std::nullopt;
  switch (operation.op) {
    case edit::EditKind::kTest: return {};
    case edit::EditKind::kAdd: return {{path, Overwritten(document, path), value}};
    case edit::EditKind::kReplace: return {{path, at(path), value}};
    case edit::EditKind::kRemove: return {{path, at(path), {}}};
    case edit::EditKind::kCopy: return {{path, Overwritten(document, path), at(operation.from)}};
    case edit::EditKind::kMove:
      return {{operation.from, at(operation.from), {}}, {path, Overwritten(document, path), at(operation.from)}};
  }
  return {};
}

class FieldEditor {
 public:
  FieldEditor(const FieldOverrider& overrider, OverrideRun& run) : overrider_(overrider), run_(run) {}

  Status Run() {
    const std::string what = StrCat("override ", overrider_.path);
    auto text = ReadText(overrider_.path, run_.draft);
    if (!text.ok()) return Failed(run_, overrider_.place, what, text.error());
    text_ = *std::move(text);
    if (overrider_.operations.empty() && !overrider_.merge_value && !overrider_.merge_raw_value) return Ok();
    auto document = edit::InnerDocument::Parse(TextToParse(), overrider_.format);
    if (!document.ok()) return Failed(run_, overrider_.place, what, Described(document.error()));
    if (run_.record == Record::kChanges) {
      detail_ = LargestText() <= kMaxShownTexts / (overrider_.operations.size() + 2) ? Detail::kTexts : Detail::kValues;
    }
    shown_ = text_.text;
    for (const PatchOperation& operation : overrider_.operations) SMP_TRY(Apply(operation, *document));
    SMP_TRY(Merge("mergeValue", overrider_.merge_value, *document));
    SMP_TRY(Merge("mergeRawValue", overrider_.merge_raw_value, *document));
    const auto written = document->Write();
    if (!written.ok()) return Failed(run_, overrider_.place, what, Hidden(written.error()));
    return Store(*written, what);
  }

 private:
  // An empty text counts as an empty map if something is merged into it.
  std::string_view TextToParse() const {
    const bool merges_only = overrider_.operations.empty() && (overrider_.merge_value || overrider_.merge_raw_value);
    return merges_only && Trim(text_.text).empty() ? "{}" : std::string_view(text_.text);
  }

  // Returns how many bytes the text may have in the end. Operations that copy add to it, too, but seldom.
  size_t LargestText() const {
    size_t out = text_.text.size();
    for (const PatchOperation& operation : overrider_.operations) {
      out += operation.path.size() + (operation.value ? WriteJson(*operation.value).size() : 0);
    }
    return out;
  }

  Error Hidden(const Error& error) const { return text_.secret ? WithoutValues(error) : error; }

  Error Described(const Error& error) const {
    Error out = Hidden(error);
    const std::string_view format = overrider_.format == edit::DataFormat::kJson ? "JSON" : "YAML";
    const std::string line = error.source.line > 0 ? StrCat(" (line ", error.source.line, " of the text)") : "";
    out.message = StrCat("cannot edit the text as ", format, line, ": ", out.message);
    return out;
  }

  Status Edit(const PatchOperation& operation, edit::InnerDocument& document) const {
    if (overrider_.rules == PatchRules::kRfc6902) {
      SMP_TRY(RefuseNegativeIndexes(operation.path, document));
      SMP_TRY(RefuseNegativeIndexes(operation.from, document));
    }
    return document.Apply({operation.op, operation.path, operation.from, operation.value});
  }

  Status Apply(const PatchOperation& operation, edit::InnerDocument& document) {
    const bool two_places = operation.op == edit::EditKind::kMove || operation.op == edit::EditKind::kCopy;
    const std::string what = StrCat(EditKindName(operation.op), " ", two_places ? operation.from + " to " : "",
                                    operation.path.empty() ? "the document" : operation.path, " in ", overrider_.path);
    steps_.push_back(BeginStep(run_, operation.place, what));
    auto values = detail_ == Detail::kValues ? TouchedValues(operation, document) : std::vector<StepChange>();
    const Status done = Edit(operation, document);
    if (!done.ok()) return Failed(run_, operation.place, what, Hidden(done.error()));
    for (StepChange& change : values) RecordValue(std::move(change));
    return RecordText(document);
  }

  Status Merge(std::string_view name, const std::optional<Value>& value, edit::InnerDocument& document) {
    if (!value) return Ok();
    const PolicyPlace place = {overrider_.place.source, StrCat(overrider_.place.path, ".", name)};
    const std::string what = StrCat("merge ", name, " into ", overrider_.path);
    steps_.push_back(BeginStep(run_, place, what));
    std::vector<StepChange> values;
    for (const Member& member : detail_ == Detail::kValues ? value->Members() : std::span<const Member>()) {
      const std::string path = smp::ToString(JsonPointer{std::string(member.name)});
      values.push_back({path, JsonAt(document, path), {}});
    }
    const Status done = document.Merge(*value);
    if (!done.ok()) return Failed(run_, place, what, Hidden(done.error()));
    for (StepChange& change : values) {
      change.after = JsonAt(document, change.path);
      RecordValue(std::move(change));
    }
    return RecordText(document);
  }

  FieldPath Field() { return run_.draft.PathOf(text_.at); }

  bool HoldsSecret() { return karmada::HoldsSecret(run_, Field(), Value::UnownedString(text_.text)); }

  std::vector<StepChange>& Changes() { return run_.steps[static_cast<size_t>(steps_.back())].changes; }

  void RecordValue(StepChange change) {
    change.path = StrCat(ToString(Field()), " ", change.path.empty() ? "the document" : change.path);
    change.secret = HoldsSecret();
    Changes().push_back(std::move(change));
  }

  Status RecordText(const edit::InnerDocument& document) {
    if (detail_ != Detail::kTexts) return Ok();
    SMP_ASSIGN(std::string after, document.Write());
    Changes().push_back({ToString(Field()), shown_, after, HoldsSecret()});
    shown_ = std::move(after);
    return Ok();
  }

  Status Store(const std::string& written, const std::string& what) {
    if (written == text_.text) return Ok();  // do not encode again: keeps line ends in the base64
    const std::string value = text_.encoding == Encoding::kBase64 ? EncodeBase64(written) : written;
    return Checked(run_, overrider_.place, what,
                   run_.draft.Rewrite(text_.at, run_.draft.arena().String(value), steps_));
  }

  const FieldOverrider& overrider_;
  OverrideRun& run_;
  InnerText text_;
  // What to record of a step. kTexts stores the whole text per operation, so above kMaxShownTexts kValues is used.
  enum class Detail { kNothing, kTexts, kValues };
  Detail detail_ = Detail::kNothing;
  std::string shown_;  // the text after the previous step, for Detail::kTexts
  std::vector<int> steps_;
};

}  // namespace

Status ApplyField(const FieldOverrider& overrider, OverrideRun& run) { return FieldEditor(overrider, run).Run(); }

}  // namespace smp::karmada
