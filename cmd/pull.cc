#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apply/copies.h"
#include "apply/pipeline.h"
#include "base/clock.h"
#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/exit_code.h"
#include "cmd/explained_object.h"
#include "cmd/input.h"
#include "cmd/live_progress.h"
#include "cmd/offline_objects.h"
#include "cmd/override_flags.h"
#include "cmd/prune.h"
#include "cmd/pull_new.h"
#include "cmd/pull_notes.h"
#include "cmd/question.h"
#include "cmd/write_file.h"
#include "kube/brief_message.h"
#include "pull/git.h"
#include "pull/masked_text.h"
#include "pull/pull_files.h"
#include "pull/unified_diff.h"
#include "schema/builtin.h"
#include "value/escape.h"
#include "value/json.h"

namespace smp::cmd {

namespace {

using pull::Change;
using pull::PulledFile;
using pull::PulledText;
using Changes = std::set<const Change*>;

// --- flags

Status CheckPullFlags(const ParsedFlags& flags) {
  if (flags.Given("kustomize")) {
    return Error::InvalidArgument(
        "-k cannot be used with pull: kustomize builds each object from several files, and live does not tell which of "
        "them a change belongs to; name the files with -f");
  }
  const bool files = !flags.List("filename").empty();
  if (flags.Given("new") == files) {
    return Error::InvalidArgument(files ? "--new is for objects that are in no file: name them instead of -f"
                                        : "must specify -f, or TYPE/NAME and --new");
  }
  if (files && !flags.arguments().empty()) {
    return Error::InvalidArgument(
        "objects of files are chosen with -l; an object by name is written with --new, and without -f");
  }
  if (flags.Text("output") == "patch") {
    for (const char* name : {"write", "interactive"}) {
      if (flags.On(name)) return Error::InvalidArgument(StrCat("-o patch cannot be used with --", name));
    }
    if (flags.On("secrets")) {
      return Error::InvalidArgument(
          "-o patch cannot be used with --secrets: a patch would have values of Secrets in it");
    }
  }
  if (flags.On("dry-run") && (flags.On("write") || flags.On("interactive"))) {
    return Error::InvalidArgument("--dry-run writes nothing; it cannot be used with --write or --interactive");
  }
  return flags.On("interactive") ? CheckCanAnswer(flags, "--interactive", "use --field to say what to take") : Ok();
}

Result<pull::Wishes> ToWishes(const ParsedFlags& flags) {
  pull::Wishes out = {flags.On("conflicts"), flags.On("added"), flags.On("secrets"), flags.On("force"), {},
                      flags.List("manager")};
  for (const std::string& text : flags.List("field")) {
    auto pattern = ParsePathPattern(text);
    if (!pattern.ok()) return Error::InvalidArgument(StrCat("--field: ", pattern.error().message));
    out.fields.push_back(*std::move(pattern));
  }
  return out;
}

// --- reading

explain::ObjectReport Explained(const apply::Manifest& manifest, const apply::Prepared& prepared) {
  const FieldOwners owners(prepared.live->root());
  const explain::KindOfObject kind = {prepared.schema.get(), prepared.resource.type};
  explain::ObjectReport report = explain::ReportChange(
      prepared.desired, *prepared.live, *prepared.patch, kind, {explain::Secrets::kShow, explain::Show::kLiveOnly},
      {.kept = prepared.kept, .adopted = prepared.adopted, .owners = &owners});
  AddPolicySources(manifest, report);
  return report;
}

// What is read of the input.
struct Read {
  Read(pull::Wishes wishes, bool offline)
      : planning{.may_switch = !offline, .guards_renames = false},  // as PrepareOffline plans
        files(std::move(wishes), [this](const apply::Manifest& edited, const pull::PulledObject& object) {
          return Replanned(edited, object);
        }) {}
  Read(const Read&) = delete;

  Result<explain::ObjectReport> Replanned(const apply::Manifest& edited, const pull::PulledObject& object) const {
    SMP_ASSIGN(const apply::Manifest manifest, overrides.Apply(edited));
    SMP_ASSIGN(const apply::Prepared prepared, apply::PrepareEdited(manifest, object.prepared, planning));
    explain::ObjectReport report = Explained(manifest, prepared);
    report.keep_alive.insert(report.keep_alive.end(), {prepared.desired, *prepared.live});
    if (prepared.original) report.keep_alive.push_back(*prepared.original);
    return report;
  }

  Overrides overrides;
  const apply::Planning planning;
  pull::PullFiles files;
  PullNotes notes;
  size_t errors = 0;  // objects and files that could not be read, edited or written
};

Status AddObject(const apply::Manifest& manifest, const std::vector<apply::Manifest>& copies, apply::Prepared prepared,
                 Read& read) {
  if (prepared.refusal) return *prepared.refusal;
  if (!prepared.live || !prepared.patch) {
    read.notes.missing.push_back(apply::Label(manifest.gvk, manifest.name));
    return Ok();
  }
  explain::ObjectReport report = Explained(manifest, prepared);
  return read.files.Add(manifest, copies, std::move(prepared), std::move(report));
}

void AddObject(const Result<apply::Manifest>& manifest, const Chosen& chosen, const std::string& name_space,
               Result<apply::Prepared> prepared, Read& read, Io& io) {
  Status added = prepared.ok() ? Ok() : Status(prepared.error());
  if (prepared.ok()) {
    const auto copies = chosen.copies.find(apply::IdentityOf(*manifest, name_space));
    added = AddObject(*manifest, copies == chosen.copies.end() ? std::vector<apply::Manifest>() : copies->second,
                      *std::move(prepared), read);
  }
  if (added.ok()) return;
  ++read.errors;
  read.notes.complete = false;
  (void)Fail(io, kube::Brief(std::move(added).error()), kExitDiffError);
}

Status ReadOffline(const ParsedFlags& flags, Chosen chosen, Read& read, Io& io) {
  const std::string name_space = flags.Text("namespace");
  FoldCopies(flags, name_space, chosen, io);
  SMP_ASSIGN(const OfflineObjects live, OfflineObjects::Read(flags, "live"));
  SMP_ASSIGN(const OfflineObjects original, OfflineObjects::Read(flags, "original"));
  apply::InputDefinitions definitions = apply::DefinitionsOf(chosen.manifests);
  apply::AddUnknownKinds(chosen.manifests, *BuiltinSchema(), definitions);
  const auto prepare = [&](const apply::Manifest& manifest) -> Result<apply::Prepared> {
    const auto there = live.Find(manifest, name_space, definitions);
    const auto applied = original.Find(manifest, name_space, definitions);
    if (!there.ok()) return there.error();
    if (!applied.ok()) return applied.error();
    return apply::PrepareOffline(manifest, {*there, *applied, name_space, read.planning, &definitions},
                                 BuiltinSchema());
  };
  for (const Result<apply::Manifest>& manifest : chosen.manifests.items) {
    AddObject(manifest, chosen, name_space,
              manifest.ok() ? prepare(*manifest) : Result<apply::Prepared>(manifest.error()), read, io);
  }
  return Ok();
}

Status ReadLive(const ParsedFlags& flags, Chosen chosen, Read& read, Io& io) {
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  SMP_ASSIGN(const int parallel, ToParallel(flags));
  const std::string& name_space = connection.config.name_space;
  FoldCopies(flags, name_space, chosen, io);
  const apply::InputDefinitions definitions = apply::DefinitionsOf(chosen.manifests);
  apply::Target target = connection.target();
  target.definitions = &definitions;
  target.planning = read.planning;
  LiveProgress progress(io);
  const apply::PlanningOptions options = {.parallel = parallel,
                                          .on_progress = [&](const auto& now) { progress.Show(now); }};
  return apply::PrepareAll(chosen.manifests, target, options,
                           [&](const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared) {
                             AddObject(manifest, chosen, name_space, std::move(prepared), read, io);
                           });
}

Status ReadObjects(const ParsedFlags& flags, Read& read, Io& io) {
  const OddKeys odd_keys = flags.Text("validate") == "warn" ? OddKeys::kWarn : OddKeys::kRefuse;
  SMP_ASSIGN(apply::Manifests input, ReadInput(flags, odd_keys, io, &read.overrides));
  SMP_ASSIGN(Chosen chosen, ChooseByLabels(std::move(input), flags));
  if (chosen.manifests.items.empty()) return Error::InvalidArgument("no objects passed to pull");
  return flags.Given("live") ? ReadOffline(flags, std::move(chosen), read, io)
                             : ReadLive(flags, std::move(chosen), read, io);
}

// --- showing

std::string OwnersOf(const pull::PulledObject& object, const Change& change) {
  if (!object.choice.owners_known) {
    return change.value ? "changed in live, which has no managedFields to tell by whom" : "removed from live";
  }
  if (!change.owners.empty()) return Describe(change.owners, ProcessClock().WallTime());
  return change.value ? "changed in live; managedFields name nobody"
                      : "removed from live; managedFields do not record by whom";
}

// Returns "deployment.apps/web spec.replicas: kubectl-edit (Update; last write 3d ago)".
std::string RemarkOn(const pull::PulledObject& object, const Change& change) {
  FieldPath former = change.path;
  if (change.instead_of) former.back() = *change.instead_of;
  const std::string from = change.instead_of ? StrCat(ToString(former), " is now ") : "";
  return Visible(StrCat(object.label, " ", from, ToString(change.path), ": ", OwnersOf(object, change)),
                 Newlines::kEscape);
}

// Returns the remarks by change.
std::map<const Change*, std::string> RemarksOf(const PulledFile& file) {
  std::map<const Change*, std::string> out;
  for (const pull::PulledManifest& manifest : file.manifests) {
    for (const Change& change : manifest.object->choice.changes) out[&change] = RemarkOn(*manifest.object, change);
  }
  return out;
}

enum class Remarks { kShow, kHide };
enum class Masking { kMask, kShow };

std::string DiffOf(const PulledText& text, Remarks remarks, Masking masking) {
  const PulledFile& file = *text.file;
  pull::DiffOf diff = {remarks == Remarks::kHide ? pull::NameForGit(file.name) : file.name, file.text,
                       text.edited.text};
  const std::map<const Change*, std::string> texts = RemarksOf(file);
  for (const pull::Written& written : text.edited.written) {
    if (written.why.empty() && remarks == Remarks::kShow)
      diff.remarks.push_back({written.line, texts.at(written.change)});
  }
  if (masking == Masking::kMask && pull::HasSecret(file.text)) {
    diff.shown_before = pull::MaskedLines(file.text);
    diff.shown_after = pull::MaskedLines(text.edited.text);
  }
  const std::string lines = pull::UnifiedDiff(diff);
  return remarks == Remarks::kShow ? pull::VisibleDiff(lines) : lines;  // git apply wants it as it is
}

using Objects = std::map<const Change*, const pull::PulledObject*>;

Objects ObjectsByChange(const pull::PullFiles& files) {
  Objects out;
  for (const auto& object : files.objects()) {
    for (const Change& change : object->choice.changes) out[&change] = object.get();
  }
  return out;
}

// Fields that are left for the same reason.
struct LeftTogether {
  std::string why;
  std::vector<std::string> fields;  // "ConfigMap default/app data.a", each once: there may be copies of a manifest
};

// In the order in which the reasons come first.
std::vector<LeftTogether> AllLeft(const pull::PullFiles& files, const std::vector<PulledText>& texts) {
  std::vector<LeftTogether> out;
  std::map<std::string, size_t> places;
  std::set<std::string> told;
  const auto add = [&](std::string_view object, const FieldPath& path, const std::string& why) {
    const auto [at, is_new] = places.emplace(why, out.size());
    if (is_new) out.push_back({why});
    std::string field = StrCat(object, " ", ToString(path));
    if (told.insert(StrCat(field, ": ", why)).second) out[at->second].fields.push_back(std::move(field));
  };
  for (const auto& object : files.objects()) {
    for (const pull::Left& left : object->choice.left) add(object->label, left.path, left.why);
  }
  const Objects objects = ObjectsByChange(files);
  for (const PulledText& text : texts) {
    for (const pull::Written& written : text.edited.written) {
      if (!written.why.empty()) add(objects.at(written.change)->label, written.change->path, written.why);
    }
  }
  return out;
}

// A reason of many fields, such as that a program wrote their file, is said once.
void TellLeft(const pull::PullFiles& files, const std::vector<PulledText>& texts, Io& io) {
  constexpr size_t kMany = 3;
  const auto visible = [](std::string_view line) { return Visible(line, Newlines::kEscape) + "\n"; };
  for (const LeftTogether& left : AllLeft(files, texts)) {
    const bool once = left.fields.size() >= kMany;
    if (once) Tell(io, visible(StrCat("left, ", left.fields.size(), " fields: ", left.why)));
    for (const std::string& field : left.fields) {
      Tell(io, visible(once ? StrCat("  ", field) : StrCat("left: ", field, ": ", left.why)));
    }
  }
}

void TellErrors(const std::vector<PulledText>& texts, Read& read, Io& io) {
  for (const PulledText& text : texts) {
    if (!text.error) continue;
    ++read.errors;
    Error error = *text.error;
    error.message += "; nothing was written into this file";
    if (error.source.file.empty()) error.source.file = text.file->name;
    (void)Fail(io, error, kExitDiffError);
  }
}

std::string Summary(const std::vector<PulledText>& texts) {
  size_t changes = 0, files = 0;
  for (const PulledText& text : texts) {
    changes += text.written();
    files += text.changes() ? 1 : 0;
  }
  return StrCat(Counted(changes, "change"), " in ", Counted(files, "file"));
}

// --- choosing hunk by hunk

constexpr std::string_view kHelp =
    "y - take this change\n"
    "n - leave it\n"
    "q - quit; leave this change and all that follow\n"
    "a - take this change and all that follow in the file\n"
    "d - leave this change and all that follow in the file\n"
    "? - print help\n";

// What was answered for the rest of the file, or of all files.
struct Answers {
  std::map<const PulledFile*, bool> rest_of_file;
  std::map<std::pair<const pull::PulledObject*, size_t>, bool> groups;  // changes that belong together
  std::optional<bool> rest;
};

// Asks until there is an answer.
bool Ask(const PulledFile& file, Answers& answers, Io& io) {
  while (true) {
    io.out << std::flush;
    const std::optional<std::string> line = AskLine("Take this change [y,n,q,a,d,?]? ", io);
    const char answer = line && !line->empty() ? line->front() : line ? '?' : 'q';
    if (answer == 'a' || answer == 'd') answers.rest_of_file[&file] = answer == 'a';
    if (answer == 'q') answers.rest = false;
    if (answer == 'y' || answer == 'a') return true;
    if (answer == 'n' || answer == 'd' || answer == 'q') return false;
    Tell(io, kHelp);
  }
}

// Returns true if the user takes the change.
bool AskFor(const Read& read, const pull::PulledObject& object, const Change& change, Answers& answers, Io& io) {
  if (answers.rest) return *answers.rest;
  const auto group = answers.groups.find({&object, change.group});
  if (change.group != 0 && group != answers.groups.end()) return group->second;
  const auto belongs = [&](const Change& other) {
    const auto& all = object.choice.changes;
    const bool is_own = !all.empty() && &other >= &all.front() && &other <= &all.back();
    return &other == &change || (change.group != 0 && is_own && other.group == change.group);
  };
  const std::vector<PulledText> alone = pull::EditAll(read.files, belongs);
  const auto first = std::ranges::find_if(alone, &PulledText::changes);
  if (first == alone.end()) return true;  // why it cannot be written is told at the end
  const auto rest = answers.rest_of_file.find(first->file);
  if (rest != answers.rest_of_file.end()) return rest->second;
  for (const PulledText& text : alone) {
    if (text.changes()) Print(io, DiffOf(text, Remarks::kShow, Masking::kMask));
  }
  const bool takes = Ask(*first->file, answers, io);
  if (change.group != 0) answers.groups[{&object, change.group}] = takes;
  return takes;
}

Changes AskForAll(const Read& read, Io& io) {
  Changes out;
  Answers answers;
  for (const auto& object : read.files.objects()) {
    for (const Change& change : object->choice.changes) {
      if (AskFor(read, *object, change, answers, io)) out.insert(&change);
    }
  }
  return out;
}

// --- writing

// Error: refused, naming the files with changes that are not committed, or a link to a file outside of the repository.
Status CheckCommitted(const std::vector<PulledText>& texts) {
  std::vector<std::string> names;
  for (const PulledText& text : texts) {
    if (text.changes()) names.push_back(text.file->name);
  }
  for (const std::string& name : names) {
    const Status within = pull::CheckLeadsNotOut(name);
    if (!within.ok()) return Error::Refused(StrCat(within.error().message, "; nothing was written; use --force"));
  }
  SMP_ASSIGN(const std::vector<std::string> dirty, pull::Uncommitted(names));
  if (dirty.empty()) return Ok();
  return Error::Refused(StrCat("git has uncommitted changes of ", Join(dirty, ", "),
                               "; nothing was written; commit them first, or use --force"));
}

// Returns the number of files that could not be written.
size_t WriteFiles(const std::vector<PulledText>& texts, Io& io) {
  size_t failed = 0;
  for (const PulledText& text : texts) {
    if (!text.changes()) continue;
    const Status written = WriteIfUnchanged(text.file->name, text.file->text, text.edited.text);
    if (written.ok()) {
      Print(io,
            StrCat(Visible(text.file->name, Newlines::kEscape), ": ", Counted(text.written(), "change"), " written\n"));
    } else {
      ++failed;
      (void)Fail(io, written.error(), kExitDiffError);
    }
  }
  return failed;
}

bool MayAsk(const ParsedFlags& flags) {
  return !flags.On("dry-run") && flags.Text("output") != "patch" && ErrorsGoToTerminal() &&
         CheckCanAnswer(flags, "", "").ok();
}

// Returns true if the shown changes are to be written. Error: refused, before a question whose answer would be refused.
Result<bool> WantsToWrite(const ParsedFlags& flags, const std::vector<PulledText>& texts, Io& io) {
  const bool wants = flags.On("write") || flags.On("interactive");
  if (!wants && !MayAsk(flags)) return false;
  if (!flags.On("force")) SMP_TRY(CheckCommitted(texts));
  if (wants) return true;
  io.out << std::flush;
  return cmd::Ask(StrCat("Write ", Summary(texts), "?"), io) == Answer::kYes;
}

// --- the command

void ShowDiff(const std::vector<PulledText>& texts, Io& io) {
  for (const PulledText& text : texts) {
    if (text.changes()) Print(io, DiffOf(text, Remarks::kShow, Masking::kMask));
  }
}

// Prints a patch for git apply. A file is left out if its patch would show a value of a Secret: masked it could not be applied.
// Returns how many are.
size_t ShowPatch(const std::vector<PulledText>& texts, Io& io) {
  size_t left = 0;
  for (const PulledText& text : texts) {
    if (!text.changes()) continue;
    const std::string patch = DiffOf(text, Remarks::kHide, Masking::kShow);
    if (patch == DiffOf(text, Remarks::kHide, Masking::kMask)) {
      Print(io, patch);
      continue;
    }
    ++left;
    Tell(io, Visible(StrCat("left: ", text.file->name, ": its patch would show lines of a Secret; use --write"),
                     Newlines::kEscape) +
                 "\n");
  }
  return left;
}

// What happened to the changes.
struct Done {
  bool written = false;
  size_t declined = 0;  // with --interactive
  size_t left_out = 0;  // files of a patch
};

int ExitOf(const Read& read, const std::vector<PulledText>& texts, const Done& done) {
  if (read.errors > 0) return kExitDiffError;
  const auto has_left = [](const auto& object) { return !object->choice.left.empty(); };
  const bool some_left =
      std::ranges::any_of(read.files.objects(), has_left) || HasUnrecorded(read.files) ||
      std::ranges::any_of(texts, [](const PulledText& text) { return text.written() < text.edited.written.size(); });
  const bool all = done.written && done.declined + done.left_out == 0 && !some_left;
  return all ? kExitOk : kExitDifferences;
}

size_t CountChanges(const pull::PullFiles& files) {
  size_t out = 0;
  for (const auto& object : files.objects()) out += object->choice.changes.size();
  return out;
}

Result<Changes> AskFirst(const ParsedFlags& flags, const Read& read, Io& io) {
  if (!flags.On("force")) {
    SMP_TRY(CheckCommitted(pull::EditAll(read.files, [](const Change&) { return true; })));
  }
  return AskForAll(read, io);
}

Result<int> RunPull(const ParsedFlags& flags, Io& io) {
  SMP_TRY(CheckPullFlags(flags));
  if (flags.Given("new")) return PullNew(flags, io);
  SMP_ASSIGN(pull::Wishes wishes, ToWishes(flags));
  Read read(std::move(wishes), flags.Given("live"));
  SMP_TRY(ReadObjects(flags, read, io));
  const bool asks = flags.On("interactive"), as_patch = flags.Text("output") == "patch";
  SMP_ASSIGN(const Changes taken, asks ? AskFirst(flags, read, io) : Result<Changes>(Changes()));
  const std::vector<PulledText> texts =
      pull::EditAll(read.files, [&](const Change& change) { return !asks || taken.contains(&change); });
  Done done = {.declined = asks ? CountChanges(read.files) - taken.size() : 0};
  if (as_patch) done.left_out = ShowPatch(texts, io);
  if (!as_patch && !asks) ShowDiff(texts, io);  // else each change was shown
  TellErrors(texts, read, io);
  TellLeft(read.files, texts, io);
  TellNotes(read.notes, read.files, io);
  const bool any = std::ranges::any_of(texts, &PulledText::changes);
  if (!any) {
    done.written = true;
    return ExitOf(read, texts, done);
  }
  SMP_ASSIGN(done.written, WantsToWrite(flags, texts, io));
  if (done.written) {
    read.errors += WriteFiles(texts, io);
  } else if (!as_patch) {
    Tell(io,
         StrCat(Summary(texts), " not written", flags.On("dry-run") ? " (dry run)" : "; --write writes them", "\n"));
  }
  return ExitOf(read, texts, done);
}

std::vector<Flag> PullFlags() {
  std::vector<Flag> flags = InputFlagTable();
  flags.push_back({.name = "selector",
                   .letter = 'l',
                   .placeholder = "LABELS",
                   .help = "only the objects with these labels, e.g. app=web,tier!=db",
                   .group = FlagGroup::kInput});
  flags.push_back(DocumentFlag("live",
                               "take changes from the objects in this file instead of the live objects, without "
                               "contacting a cluster"));
  flags.push_back(
      DocumentFlag("original", "with --live: last-applied objects, instead of the annotations of the live objects"));
  flags.push_back(OutputFlag({"diff", "patch"},
                             "diff: what changes in the files, with the owner and age of each change; patch: for git "
                             "apply, and nothing is written",
                             "diff"));
  flags.push_back(In(FlagGroup::kOutput, Switch("dry-run", "show the changes, but neither ask nor write")));
  flags.push_back(Switch("write", "write the files without a question"));
  flags.push_back(Switch("interactive", "ask for each change if it is to be written, as git add -p does"));
  flags.push_back(
      Switch("force",
             "also write files with changes that are not committed to git, and files that a program wrote: a "
             "generator, Helm or kustomize"));
  flags.push_back({.name = "new",
                   .placeholder = "DIR",
                   .help = "write manifests of the objects TYPE/NAME, which are in no file, into this folder: what was "
                           "last applied, else live without what the server sets",
                   .hint = Hint::kFolder});
  flags.push_back(Switch("conflicts", "also take what the manifest changed, too, since it was last applied"));
  flags.push_back(Switch("added", "also take fields that only live has and that other field managers set"));
  flags.push_back(Switch("secrets", "also take values of Secrets, which are never shown"));
  flags.push_back({.name = "field",
                   .kind = FlagKind::kArray,
                   .placeholder = "PATH",
                   .help = "only take this field, such as spec.replicas or "
                           "spec.template.spec.containers[*].image, also without a record, and if only live has it (as "
                           "with --added); may be repeated"});
  flags.push_back(
      {.name = "manager",
       .kind = FlagKind::kArray,
       .placeholder = "NAME",
       .help = "only take what this field manager wrote, such as kubectl-edit, also without a record, and if only "
               "live has it (as with --added); may be repeated"});
  flags.push_back(
      Choice("validate", {"strict", "warn"},
             "how to treat duplicate keys, and keys that YAML reads as another text: strict: an error; warn: "
             "print a warning",
             "strict"));
  flags.push_back(DuplicatesFlag());
  for (Flag& flag : PaceFlags()) flags.push_back(std::move(flag));
  for (Flag& flag : OverrideStepFlagTable()) flags.push_back(std::move(flag));
  return Grouped(FlagGroup::kChanges, std::move(flags));
}

}  // namespace

Command PullCommand() {
  return {.summary = "write changes of live objects into their manifest files",
          .description =
              "Write changes of live objects into their manifest files.\n"
              "\n"
              "What somebody changed in live since the last apply (drift) gets into the files that -f names: comments, "
              "order, quotes\n"
              "and all other lines stay. Defaults, the status and what the server normalised are never written. "
              "Nothing is written to\n"
              "the cluster.\n"
              "\n"
              "What the manifest changed, too, is shown and left, and so are values of Secrets, fields that an "
              "autoscaler or another\n"
              "subresource wrote, and objects that Helm, kustomize or a generator wrote. Without a last-applied record "
              "nothing is\n"
              "drift: name fields with --field, or field managers with --manager.\n"
              "\n"
              "The changes are shown as a diff of the files. On a terminal, pull then asks; otherwise it writes only "
              "with --write.\n"
              "\n"
              "Exit status: 0 nothing to pull, or all written; 1 changes shown and not written, or left; 2 errors.",
          .usage = "pull (-f FILE | TYPE/NAME --new DIR) [flags]",
          .examples =
              "  # show what changed in live since the last apply, and ask\n"
              "  {program} pull -f web.yaml\n\n"
              "  # write it, in all files of a folder\n"
              "  {program} pull -R -f manifests/ --write\n\n"
              "  # only the images, also where they conflict\n"
              "  {program} pull -f web.yaml --field 'spec.template.spec.containers[*].image' --conflicts\n\n"
              "  # also what somebody added with kubectl edit\n"
              "  {program} pull -f web.yaml --added --manager kubectl-edit\n\n"
              "  # a patch for git\n"
              "  {program} pull -f web.yaml -o patch | git apply\n\n"
              "  # without a cluster\n"
              "  {program} pull -f web.yaml --live live.yaml\n",
          .flags = PullFlags(),
          .run = RunPull,
          .usage_error = kExitDiffError,
          .takes_arguments = true,
          .argument_hint = Hint::kObject};
}

}  // namespace smp::cmd
