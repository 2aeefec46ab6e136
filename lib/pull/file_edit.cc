#include "pull/file_edit.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include "apply/manifest_text.h"
#include "base/strings.h"
#include "edit/draft.h"
#include "edit/text_writer.h"
#include "pull/object_edit.h"
#include "value/at.h"
#include "yaml/read_yaml.h"

namespace smp::pull {

namespace {

// An object of a document, where it is there, and where its changes begin in EditedText::written.
struct Wanted {
  const ObjectChanges* object;
  JsonPointer at;
};

Error Changed(const apply::Manifest& manifest, std::string_view how) {
  Error error = Error::Refused(StrCat(apply::Label(manifest.gvk, manifest.name), " ", how));
  error.source = manifest.source();
  return error;
}

// The objects of a document by apiVersion, kind, namespace and name.
class ObjectIndex {
 public:
  explicit ObjectIndex(const Value& document) : places_(apply::ObjectsOf(document)) {
    for (const apply::ObjectPlace& place : places_) by_name_[NameOf(*place.value)].push_back(&place);
  }

  // Returns where the document has the object as it was read.
  Result<JsonPointer> Find(const apply::Manifest& manifest) const {
    const Value& read = manifest.document.root();
    const auto found =
        by_name_.find({read.StringOr("apiVersion"), read.StringOr("kind"), manifest.name_space, manifest.name});
    if (found != by_name_.end() && found->second.size() > 1) {
      return Changed(manifest, "is in the document more than once; leave one of them");
    }
    // The manifest that was planned may have been overridden; then the file says something else.
    const bool same = found != by_name_.end() && (manifest.overridden || *found->second.front()->value == read);
    if (same) return found->second.front()->at;
    return Changed(manifest, "is not in the file as it was read: the file changed meanwhile; run the command again");
  }

 private:
  using Name = std::array<std::string_view, 4>;

  static Name NameOf(const Value& object) {
    return {object.StringOr("apiVersion"), object.StringOr("kind"), TextAt(object, {"metadata", "namespace"}),
            TextAt(object, {"metadata", "name"})};
  }

  const std::vector<apply::ObjectPlace> places_;
  std::map<Name, std::vector<const apply::ObjectPlace*>> by_name_;
};

// Writes changes into one document.
class DocumentWriter {
 public:
  explicit DocumentWriter(const apply::TextPart& part) : part_(part) {}

  Result<EditedText> Write(const std::vector<const ObjectChanges*>& objects) {
    SMP_ASSIGN(read_, yaml::ParseYaml(part_.text));
    const ObjectIndex objects_there(read_.root());
    EditedText out;
    for (const ObjectChanges* object : objects) {
      SMP_ASSIGN(JsonPointer at, objects_there.Find(*object->manifest));
      wanted_.push_back({object, std::move(at)});
      for (const Change* change : object->changes) out.written.push_back({change});
    }
    // A change that fails may have been made in part: once more without it.
    for (bool again = true; again;) {
      SMP_ASSIGN(again, Try(out));
    }
    return out;
  }

 private:
  // Returns true if a change failed that was not known to.
  Result<bool> Try(EditedText& out) {
    Result<std::unique_ptr<edit::TextTree>> tree = apply::TreeOf(part_.text);
    if (!tree.ok()) return std::move(tree).error();
    edit::DraftDocument draft(*std::move(tree));
    Arena arena;
    arena.Retain(read_);
    DocumentEdit edit(draft, read_.root(), arena);
    bool failed = false;
    size_t next = 0;
    for (const Wanted& wanted : wanted_) {
      for (size_t i = 0; i < wanted.object->changes.size(); ++i) {
        failed |= !Apply(edit, wanted.at, out.written[next++], arena);
      }
    }
    if (failed) return true;
    return Proved(draft, edit.wanted(), out);
  }

  // Returns false if the change failed just now.
  bool Apply(DocumentEdit& edit, const JsonPointer& object, Written& written, Arena& arena) {
    if (!written.why.empty()) return true;
    const Result<int> line = edit.Apply(object, *written.change, arena);
    if (line.ok()) {
      written.line = part_.first_line + std::max(*line, 1) - 1;
    } else {
      written.why = line.error().message;
    }
    return line.ok();
  }

  // Sets the text, if the ordinary reader reads in it exactly what is wanted. Else says so of all changes.
  bool Proved(edit::DraftDocument& draft, const Value& wanted, EditedText& out) {
    const bool as_before = edit::IsAsInText(draft.root);
    out.text = as_before ? std::string(part_.text) : edit::WriteText(draft);
    const Result<Document> again = yaml::ParseYaml(out.text);
    if (again.ok() && again->root() == wanted) return false;
    out.text = part_.text;
    for (Written& written : out.written) {
      if (written.why.empty()) written.why = "the edited text would not read as the change says; edit the file by hand";
    }
    return false;
  }

  const apply::TextPart& part_;
  Document read_;
  std::vector<Wanted> wanted_;
};

// The documents that were not edited must read as before. Those that were are proved.
Status ProveOthers(std::string_view before, std::string_view after, const std::string& source_name) {
  const yaml::YamlFile old_file = yaml::ParseYamlFile(before, source_name);
  const yaml::YamlFile new_file = yaml::ParseYamlFile(after, source_name);
  if (old_file.items.size() == new_file.items.size()) return Ok();
  return Error::Refused("the edited text would have another number of documents; nothing was written");
}

}  // namespace

Result<EditedText> EditFileText(std::string_view text, const std::string& source_name,
                                std::span<const ObjectChanges> objects) {
  const std::vector<apply::TextPart> parts = apply::PartsOf(text);
  if (parts.empty()) return Error::Refused(StrCat(source_name, " has no document; the file changed meanwhile"));
  std::map<size_t, std::vector<const ObjectChanges*>> by_part;
  for (const ObjectChanges& object : objects) {
    by_part[apply::PartAt(parts, object.manifest->source().line)].push_back(&object);
  }
  EditedText out;
  size_t at = 0;
  for (const auto& [part, in_part] : by_part) {
    SMP_ASSIGN(EditedText edited, DocumentWriter(parts[part]).Write(in_part));
    out.text.append(text, at, parts[part].begin - at).append(edited.text);
    at = parts[part].begin + parts[part].text.size();
    std::move(edited.written.begin(), edited.written.end(), std::back_inserter(out.written));
  }
  out.text.append(text, at);
  SMP_TRY(ProveOthers(text, out.text, source_name));
  return out;
}

}  // namespace smp::pull
