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
  size_t number;  // among the objects of the document
  JsonPointer at;
  const Value* value;
  size_t first;
};

// The objects of a document by apiVersion, kind, namespace and name.
class ObjectIndex {
 public:
  explicit ObjectIndex(const Value& document) : places_(apply::ObjectsOf(document, arena_)) {
    for (const apply::ObjectPlace& place : places_) by_name_[NameOf(place.value)].push_back(&place);
  }

  // Returns where the document has the object as it was read: its number among those of the document.
  Result<size_t> Find(const apply::Manifest& manifest) const {
    const Value& read = manifest.document.root();
    const auto found =
        by_name_.find({read.StringOr("apiVersion"), read.StringOr("kind"), manifest.name_space, manifest.name});
    if (found != by_name_.end() && found->second.size() > 1) {
      return Error::Refused("the object is in the document more than once; leave one of them");
    }
    // The manifest that was planned may have been overridden; then the file says something else.
    const bool same = found != by_name_.end() && (manifest.overridden || found->second.front()->value == read);
    if (same) return static_cast<size_t>(found->second.front() - places_.data());
    return Error::Refused(
        "the object is not in the file as it was read: the file changed meanwhile; run the command again");
  }

  const apply::ObjectPlace& at(size_t number) const { return places_[number]; }

 private:
  using Name = std::array<std::string_view, 4>;

  static Name NameOf(const Value& object) {
    return {object.StringOr("apiVersion"), object.StringOr("kind"), TextAt(object, {"metadata", "namespace"}),
            TextAt(object, {"metadata", "name"})};
  }

  Arena arena_;
  const std::vector<apply::ObjectPlace> places_;
  std::map<Name, std::vector<const apply::ObjectPlace*>> by_name_;
};

constexpr std::string_view kMisread = "the edited text would not read as the change says; edit the file by hand";
constexpr int kMostTries = 100;  // to find out which changes cannot be written

// Writes changes into one document.
class DocumentWriter {
 public:
  DocumentWriter(const apply::TextPart& part, const std::string& source_name)
      : part_(part), whole_(apply::WithLastLineBreak(part.text)), source_name_(source_name) {}

  Result<EditedText> Write(const std::vector<const ObjectChanges*>& objects) {
    SMP_ASSIGN(read_, ReadPart());
    const ObjectIndex there(read_.root());
    for (const ObjectChanges* object : objects) Add(*object, there);
    out_.text = part_.text;
    std::vector<Written*> all;
    for (Written& written : out_.written) {
      if (written.why.empty()) all.push_back(&written);
    }
    SMP_TRY(WriteThose(all));
    return std::move(out_);
  }

 private:
  Result<Document> ReadPart() const {
    Result<Document> read = yaml::ParseYaml(whole_, source_name_);
    const bool several = !read.ok() && yaml::ParseYamlFile(part_.text, source_name_).items.size() > 1;
    if (!several) return read;
    Error error = Error::Refused("there are several JSON values without --- between them, which pull cannot edit");
    error.source = {source_name_, part_.first_line};
    return error;
  }

  void Add(const ObjectChanges& object, const ObjectIndex& there) {
    const Result<size_t> number = there.Find(*object.manifest);
    const size_t first = out_.written.size();
    for (const Change* change : object.changes) {
      out_.written.push_back({change, 0, number.ok() ? "" : number.error().message});
    }
    if (number.ok()) wanted_.push_back({&object, *number, there.at(*number).at, &there.at(*number).value, first});
  }

  // Writes as many of the changes as can be, beside those that are written already. If not all can, finds out which by
  // trying halves.
  Status WriteThose(std::span<Written*> changes) {
    for (Written* written : changes) written->why.clear();
    SMP_ASSIGN(const std::string why, TryAll());
    if (why.empty()) return Ok();
    std::vector<Written*> failed;
    for (Written* written : changes) {
      if (written->why.empty()) failed.push_back(written);
    }
    for (Written* written : failed) written->why = why;
    if (failed.size() < 2 || --tries_ < 0) return Ok();
    const std::span<Written*> all = failed;
    SMP_TRY(WriteThose(all.first(all.size() / 2)));
    return WriteThose(all.subspan(all.size() / 2));
  }

  // Writes the changes that have no reason not to be written. Returns why they cannot be, all together; "" if they were,
  // without those that can be written in no case.
  Result<std::string> TryAll() {
    // A change that fails may have been made in part: once more without it.
    for (bool again = true; again;) {
      Result<std::unique_ptr<edit::TextTree>> tree = apply::TreeOf(whole_);
      if (!tree.ok()) return std::move(tree).error();
      edit::DraftDocument draft(*std::move(tree));
      Arena arena;
      arena.Retain(read_);
      DocumentEdit edit(draft, read_.root(), arena);
      again = false;
      for (const Wanted& wanted : wanted_) {
        again |= !edit.Apply(wanted.at, *wanted.value, wanted.object->kind, ChangesOf(wanted));
      }
      if (!again) return Prove(draft, edit.wanted());
    }
    return std::string();
  }

  std::span<Written> ChangesOf(const Wanted& wanted) {
    return std::span(out_.written).subspan(wanted.first, wanted.object->changes.size());
  }

  // Sets the text, if the ordinary reader reads in it exactly what is wanted, and the objects that it reads prove to be what
  // live is.
  std::string Prove(edit::DraftDocument& draft, const Value& wanted) {
    const bool as_before = edit::IsAsInText(draft.root);
    std::string text = as_before ? std::string(part_.text) : EndedAsThePart(edit::WriteText(draft));
    const Result<Document> again = yaml::ParseYaml(apply::WithLastLineBreak(text));
    if (!again.ok() || again->root() != wanted) return std::string(kMisread);
    if (std::string why = ProveObjects(text); !why.empty()) return why;
    out_.text = std::move(text);
    return "";
  }

  // Takes the last line break away again, if the part had none. Not one of several, which a block scalar may end with.
  std::string EndedAsThePart(std::string text) const {
    if (part_.text.ends_with('\n') || !text.ends_with('\n')) return text;
    const size_t size = text.size() - (text.ends_with("\r\n") ? 2 : 1);
    if (size > 0 && text[size - 1] != '\n') text.resize(size);
    return text;
  }

  std::string ProveObjects(std::string_view text) {
    const apply::Manifests manifests = apply::ParseManifests(text, source_name_);
    for (const Wanted& wanted : wanted_) {
      if (!wanted.object->prove) continue;
      if (wanted.number >= manifests.items.size()) return std::string(kMisread);
      const Result<apply::Manifest>& manifest = manifests.items[wanted.number];
      if (!manifest.ok()) return manifest.error().message;
      std::vector<const Change*> written;
      for (const Written& change : ChangesOf(wanted)) {
        if (change.why.empty()) written.push_back(change.change);
      }
      if (written.empty()) continue;
      if (std::string why = wanted.object->prove(*manifest, written); !why.empty()) return why;
    }
    return "";
  }

  const apply::TextPart& part_;
  const std::string whole_;  // the part's text, with its last line break
  const std::string& source_name_;
  Document read_;
  std::vector<Wanted> wanted_;
  EditedText out_;
  int tries_ = kMostTries;
};

// Lines of the file, not of the part.
void SetLines(const apply::TextPart& part, EditedText& edited) {
  for (Written& written : edited.written) written.line = part.first_line + std::max(written.line, 1) - 1;
}

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
    SMP_ASSIGN(EditedText edited, DocumentWriter(parts[part], source_name).Write(in_part));
    SetLines(parts[part], edited);
    out.text.append(text, at, parts[part].begin - at).append(edited.text);
    at = parts[part].begin + parts[part].text.size();
    std::move(edited.written.begin(), edited.written.end(), std::back_inserter(out.written));
  }
  out.text.append(text, at);
  SMP_TRY(ProveOthers(text, out.text, source_name));
  return out;
}

}  // namespace smp::pull
