// fieldOverrider and the alternative designs: operations on a text of JSON or YAML within a field.
#include "base/strings.h"
#include "override/inner_document.h"
#include "override/override_run.h"
#include "override/policy_reader.h"
#include "value/base64.h"

namespace smp {

namespace {

enum class Encoding { kPlain, kBase64 };

struct InnerText {
  JsonPointer at;
  std::string text;
  Encoding encoding = Encoding::kPlain;
  bool secret = false;
};

std::string_view TextAt(ObjectDraft& draft, const char* name) {
  const auto value = draft.Get({name});
  return value.ok() && value->is_string() ? value->AsString() : std::string_view();
}

bool IsSecretObject(ObjectDraft& draft) {
  return TextAt(draft, "kind") == "Secret" && TextAt(draft, "apiVersion").find('/') == std::string_view::npos;
}

// Differs from karmada, which takes the base64 of a Secret's data for the text.
Result<InnerText> ReadText(const std::string& path, ObjectDraft& draft) {
  InnerText out;
  SMP_ASSIGN(out.at, ParseJsonPointer(path));
  SMP_ASSIGN(const Value value, draft.Get(out.at));
  if (!value.is_string()) {
    return Error::InvalidArgument(StrCat("it must be a string that holds the text, found ", KindName(value.kind())));
  }
  out.text = value.AsString();
  out.secret = IsSecretObject(draft);
  if (!out.secret || out.at.size() != 2 || out.at[0] != "data") return out;
  const auto decoded = DecodeBase64(out.text);
  if (!decoded) return Error::InvalidArgument("it is no base64, which the data of a Secret must be");
  out.text = *decoded;
  out.encoding = Encoding::kBase64;
  return out;
}

// What went wrong in the text of a Secret, without what it says.
Error WithoutValues(const Error& error) {
  switch (error.code) {
    case ErrorCode::kConflict: return Error::Conflict("the value is another one (values of Secrets are not shown)");
    case ErrorCode::kParse: return Error::Parse("the text cannot be read (texts of Secrets are not shown)");
    default: return error;
  }
}

// RFC 6901 section 4 has no negative indexes, which the document takes, as karmada's library does.
Status RefuseNegativeIndexes(std::string_view path, const InnerDocument& document) {
  SMP_ASSIGN(const JsonPointer pointer, ParseJsonPointer(path));
  for (size_t i = 0; i < pointer.size(); ++i) {
    const std::string& token = pointer[i];
    if (token.size() < 2 || token[0] != '-' || !ParseListIndex(std::string_view(token).substr(1))) continue;
    const std::string above = ToString(JsonPointer(pointer.begin(), pointer.begin() + static_cast<std::ptrdiff_t>(i)));
    const auto list = document.Find(above);
    if (list.ok() && list->root().is_array()) {
      return Error::InvalidArgument(
          StrCat(above.empty() ? "the document" : above, " is a list, and \"", token, "\" is no index of one"));
    }
  }
  return Ok();
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
    auto document = InnerDocument::Parse(TextToParse(), overrider_.format);
    if (!document.ok()) return Failed(run_, overrider_.place, what, Described(document.error()));
    shown_ = text_.text;
    for (const PatchOperation& operation : overrider_.operations) SMP_TRY(Apply(operation, *document));
    SMP_TRY(Merge("mergeValue", overrider_.merge_value, *document));
    SMP_TRY(Merge("mergeRawValue", overrider_.merge_raw_value, *document));
    const auto written = document->Write();
    if (!written.ok()) return Failed(run_, overrider_.place, what, Hidden(written.error()));
    return Store(*written, what);
  }

 private:
  // An empty text counts as an empty map for what is merged into it.
  std::string_view TextToParse() const {
    const bool merges_only = overrider_.operations.empty() && (overrider_.merge_value || overrider_.merge_raw_value);
    return merges_only && Trim(text_.text).empty() ? "{}" : std::string_view(text_.text);
  }

  Error Hidden(const Error& error) const { return text_.secret ? WithoutValues(error) : error; }

  Error Described(const Error& error) const {
    Error out = Hidden(error);
    const std::string_view format = overrider_.format == DataFormat::kJson ? "JSON" : "YAML";
    const std::string line = error.source.line > 0 ? StrCat(", line ", error.source.line, " of the text") : "";
    out.message = StrCat("the text is no ", format, " that can be edited", line, ": ", out.message);
    return out;
  }

  Status Edit(const PatchOperation& operation, InnerDocument& document) const {
    if (overrider_.rules == PatchRules::kRfc6902) {
      SMP_TRY(RefuseNegativeIndexes(operation.path, document));
      SMP_TRY(RefuseNegativeIndexes(operation.from, document));
    }
    return document.Apply({operation.op, operation.path, operation.from, operation.value});
  }

  Status Apply(const PatchOperation& operation, InnerDocument& document) {
    const bool two_places = operation.op == EditKind::kMove || operation.op == EditKind::kCopy;
    const std::string what = StrCat(EditKindName(operation.op), " ", two_places ? operation.from + " to " : "",
                                    operation.path.empty() ? "the document" : operation.path, " in ", overrider_.path);
    steps_.push_back(BeginStep(run_, operation.place, what));
    const Status done = Edit(operation, document);
    if (!done.ok()) return Failed(run_, operation.place, what, Hidden(done.error()));
    return RecordChange(document);
  }

  Status Merge(std::string_view name, const std::optional<Value>& value, InnerDocument& document) {
    if (!value) return Ok();
    const PolicyPlace place = {overrider_.place.source, StrCat(overrider_.place.path, ".", name)};
    const std::string what = StrCat("merge ", name, " into ", overrider_.path);
    steps_.push_back(BeginStep(run_, place, what));
    const Status done = document.Merge(*value);
    if (!done.ok()) return Failed(run_, place, what, Hidden(done.error()));
    return RecordChange(document);
  }

  Status RecordChange(const InnerDocument& document) {
    if (run_.record != Record::kChanges) return Ok();
    SMP_ASSIGN(std::string after, document.Write());
    StepChange change = {ToString(run_.draft.PathOf(text_.at)), shown_, after};
    run_.steps[static_cast<size_t>(steps_.back())].changes.push_back(std::move(change));
    shown_ = std::move(after);
    return Ok();
  }

  Status Store(const std::string& written, const std::string& what) {
    if (written == text_.text) return Ok();  // base64 keeps its line ends, too
    const std::string value = text_.encoding == Encoding::kBase64 ? EncodeBase64(written) : written;
    const Status done = run_.draft.Rewrite(text_.at, run_.draft.arena().String(value), steps_);
    return done.ok() ? Ok() : Status(Failed(run_, overrider_.place, what, done.error()));
  }

  const FieldOverrider& overrider_;
  OverrideRun& run_;
  InnerText text_;
  std::string shown_;  // the text after the step before, for Record::kChanges
  std::vector<int> steps_;
};

}  // namespace

Status ApplyField(const FieldOverrider& overrider, OverrideRun& run) { return FieldEditor(overrider, run).Run(); }

}  // namespace smp
