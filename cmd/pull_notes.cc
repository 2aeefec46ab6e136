#include "cmd/pull_notes.h"

#include <algorithm>
#include <set>

#include "base/name_some.h"
#include "base/strings.h"
#include "smp/managed_fields.h"
#include "value/escape.h"

namespace smp::cmd {

namespace {

using Why = pull::NotTaken::Why;

constexpr size_t kNamed = 3;

// What of one kind was not taken, of all objects.
struct Untaken {
  std::vector<std::string> fields;  // "configmap/shop data.mode"
  std::vector<std::string> paths;   // "data.mode"
  std::set<std::string> managers;   // names

  bool one() const { return fields.size() == 1; }
};

Untaken All(const pull::PullFiles& files, Why why) {
  Untaken out;
  for (const auto& object : files.objects()) {
    for (const pull::NotTaken& one : object->choice.not_taken) {
      if (one.why != why) continue;
      out.paths.push_back(ToString(one.path));
      out.fields.push_back(StrCat(object->label, " ", out.paths.back()));
      for (const FieldManager& owner : one.owners) out.managers.insert(owner.name);
    }
  }
  return out;
}

std::string Names(const std::set<std::string>& names) { return NameSome({names.begin(), names.end()}, kNamed); }

std::string By(const std::set<std::string>& managers) {
  return managers.empty() ? "" : StrCat(" (set by ", Names(managers), ")");
}

std::string OnlyInLive(const Untaken& all) {
  return StrCat("only in live: ", NameSome(all.fields, kNamed), By(all.managers), "; --added takes ",
                all.one() ? "it" : "them");
}

std::string Unrecorded(const Untaken& all) {
  const std::string manager = all.managers.empty() ? "" : StrCat(" or --manager ", *all.managers.begin());
  return StrCat("no last-applied record tells whether live or the manifest was changed: ", NameSome(all.fields, kNamed),
                By(all.managers), "; --field ", all.one() ? all.paths.front() : "PATH", manager, " takes live's value");
}

std::string OfManifest(const Untaken& all) {
  return StrCat(
      "changed in the manifest since it was applied, or applied from another file: ", NameSome(all.fields, kNamed),
      "; --field ", all.one() ? all.paths.front() : "PATH", " takes live's value");
}

std::string RemovedByNobody(const Untaken& all) {
  return StrCat("removed from live, and managedFields do not record by whom: ", NameSome(all.fields, kNamed),
                "; without --manager, --field ", all.one() ? all.paths.front() : "PATH", " removes ",
                all.one() ? "it" : "them", " from the file");
}

// Returns the labels of objects of which pull would have said or taken something else if it knew the owners.
std::vector<std::string> Ownerless(const pull::PullFiles& files) {
  std::vector<std::string> out;
  const bool asked = files.wishes().added || !files.wishes().managers.empty();
  for (const auto& object : files.objects()) {
    const pull::Choice& choice = object->choice;
    if (!choice.owners_known && (asked || !choice.changes.empty() || !choice.left.empty()))
      out.push_back(object->label);
  }
  return out;
}

std::set<std::string> ManagersIn(const pull::PullFiles& files) {
  std::set<std::string> out;
  for (const auto& object : files.objects()) {
    const FieldOwners owners(object->prepared.live->root());
    for (const FieldManager& manager : owners.managers()) out.insert(manager.name);
  }
  return out;
}

// Returns a line for each --manager that nothing in live is of.
std::vector<std::string> UnknownManagers(const pull::PullFiles& files) {
  const std::set<std::string> known = files.wishes().managers.empty() ? std::set<std::string>() : ManagersIn(files);
  std::vector<std::string> out;
  for (const std::string& manager : files.wishes().managers) {
    if (known.contains(manager)) continue;
    out.push_back(StrCat("--manager ", manager, ": live has no such field manager",
                         known.empty() ? "" : StrCat("; it has ", Names(known))));
  }
  return out;
}

std::vector<std::string> Lines(const PullNotes& notes, const pull::PullFiles& files) {
  std::vector<std::string> out;
  if (!notes.missing.empty()) {
    out.push_back(StrCat("not in live: ", NameSome(notes.missing, kNamed), "; apply would create ",
                         notes.missing.size() == 1 ? "it" : "them"));
  }
  if (const auto labels = Ownerless(files); !labels.empty()) {
    out.push_back(
        StrCat("no managedFields in live's ", NameSome(labels, kNamed),
               ": who changed what is not known; --added takes only fields that --field names exactly, and --manager "
               "nothing; kubectl get -o yaml --show-managed-fields prints them"));
  }
  const Untaken added = All(files, Why::kOnlyInLive), unrecorded = All(files, Why::kUnrecorded),
                of_manifest = All(files, Why::kOfManifest), removed = All(files, Why::kRemovedByNobody);
  if (!added.fields.empty()) out.push_back(OnlyInLive(added));
  if (!unrecorded.fields.empty()) out.push_back(Unrecorded(unrecorded));
  if (!of_manifest.fields.empty()) out.push_back(OfManifest(of_manifest));
  if (!removed.fields.empty()) out.push_back(RemovedByNobody(removed));
  for (std::string& line : UnknownManagers(files)) out.push_back(std::move(line));
  return out;
}

bool IsNothing(const pull::PullFiles& files) {
  return !HasUnrecorded(files) && std::ranges::all_of(files.objects(), [](const auto& object) {
    return object->choice.changes.empty() && object->choice.left.empty();
  });
}

bool NamesNothing(const pull::PullFiles& files) {
  return files.wishes().named() &&
         std::ranges::all_of(files.objects(), [](const auto& object) { return object->choice.not_taken.empty(); });
}

}  // namespace

bool HasUnrecorded(const pull::PullFiles& files) {
  return std::ranges::any_of(files.objects(), [](const auto& object) {
    return std::ranges::any_of(object->choice.not_taken,
                               [](const pull::NotTaken& one) { return one.why == Why::kUnrecorded; });
  });
}

void TellNotes(const PullNotes& notes, const pull::PullFiles& files, Io& io) {
  if (notes.complete && IsNothing(files)) {
    Tell(io, NamesNothing(files) ? "nothing to pull: what --field and --manager name does not differ\n"
                                 : "nothing to pull\n");
  }
  for (const std::string& line : Lines(notes, files)) Tell(io, Visible(line, Newlines::kEscape) + "\n");
}

}  // namespace smp::cmd
