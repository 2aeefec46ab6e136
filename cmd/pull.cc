#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
using pull::EditedText;
using pull::PulledFile;
using Changes = std::set<const Change*>;

// --- flags

Status CheckFlags(const ParsedFlags& flags) {
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
  pull::Wishes out = {flags.On("conflicts"), flags.On("added"), flags.On("secrets"), {}, flags.List("manager")};
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

// What is read of the input, and how many objects could not be.
struct Read {
  explicit Read(pull::Wishes wishes) : files(std::move(wishes)) {}

  pull::PullFiles files;
  size_t errors = 0;
};

Status AddObject(const apply::Manifest& manifest, apply::Prepared prepared, Read& read) {
  if (prepared.refusal) return *prepared.refusal;
  if (!prepared.live || !prepared.patch) return Ok();  // explain-diff says that it would be created
  const explain::ObjectReport report = Explained(manifest, prepared);
  return read.files.Add(manifest, std::move(prepared), report);
}

void AddObject(const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared, Read& read, Io& io) {
  Status added = prepared.ok() ? AddObject(*manifest, *std::move(prepared), read) : Status(prepared.error());
  if (added.ok()) return;
  ++read.errors;
  (void)Fail(io, kube::Brief(std::move(added).error()), kExitDiffError);
}

Status ReadOffline(const ParsedFlags& flags, Chosen chosen, Read& read, Io& io) {
  const std::string name_space = flags.Text("namespace");
  FoldCopies(flags, name_space, chosen, io);
  SMP_ASSIGN(const OfflineObjects live, OfflineObjects::Read(flags, "live"));
  SMP_ASSIGN(const OfflineObjects original, OfflineObjects::Read(flags, "original"));
  const apply::InputDefinitions definitions = apply::DefinitionsOf(chosen.manifests);
  const auto prepare = [&](const apply::Manifest& manifest) -> Result<apply::Prepared> {
    const auto there = live.Find(manifest, name_space, definitions);
    const auto applied = original.Find(manifest, name_space, definitions);
    if (!there.ok()) return there.error();
    if (!applied.ok()) return applied.error();
    return apply::PrepareOffline(manifest, {*there, *applied, name_space, {}, &definitions}, BuiltinSchema());
  };
  for (const Result<apply::Manifest>& manifest : chosen.manifests.items) {
    AddObject(manifest, manifest.ok() ? prepare(*manifest) : Result<apply::Prepared>(manifest.error()), read, io);
  }
  return Ok();
}

Status ReadLive(const ParsedFlags& flags, Chosen chosen, Read& read, Io& io) {
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  SMP_ASSIGN(const int parallel, ToParallel(flags));
  FoldCopies(flags, connection.config.name_space, chosen, io);
  const apply::InputDefinitions definitions = apply::DefinitionsOf(chosen.manifests);
  apply::Target target = connection.target();
  target.definitions = &definitions;
  LiveProgress progress(io);
  const apply::PlanningOptions options = {.parallel = parallel,
                                          .on_progress = [&](const auto& now) { progress.Show(now); }};
  return apply::PrepareAll(chosen.manifests, target, options,
                           [&](const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared) {
                             AddObject(manifest, std::move(prepared), read, io);
                           });
}

Status ReadObjects(const ParsedFlags& flags, Read& read, Io& io) {
  SMP_ASSIGN(apply::Manifests input, ReadInput(flags, OddKeys::kRefuse, io));
  SMP_ASSIGN(Chosen chosen, ChooseByLabels(std::move(input), flags));
  if (chosen.manifests.items.empty()) return Error::InvalidArgument("no objects passed to pull");
  return flags.Given("live") ? ReadOffline(flags, std::move(chosen), read, io)
                             : ReadLive(flags, std::move(chosen), read, io);
}

// --- showing

// Returns "deployment.apps/web spec.replicas: kubectl-edit (Update; last write 3d ago)".
std::string RemarkOn(const apply::Manifest& manifest, const Change& change) {
  const std::string owners = change.owners.empty() ? "removed from live; managedFields do not record by whom"
                                                   : Describe(change.owners, ProcessClock().WallTime());
  return Visible(StrCat(apply::Label(manifest.gvk, manifest.name), " ", ToString(change.path), ": ", owners),
                 Newlines::kEscape);
}

// Returns the remarks by change.
std::map<const Change*, std::string> RemarksOf(const PulledFile& file) {
  std::map<const Change*, std::string> out;
  for (const pull::PulledObject& object : file.objects) {
    for (const Change& change : object.choice.changes) out[&change] = RemarkOn(object.manifest, change);
  }
  return out;
}

enum class Remarks { kShow, kHide };

std::string DiffOf(const PulledFile& file, const EditedText& edited, Remarks remarks) {
  pull::DiffOf diff = {remarks == Remarks::kHide ? pull::NameForGit(file.name) : file.name, file.text, edited.text};
  const std::map<const Change*, std::string> texts = RemarksOf(file);
  for (const pull::Written& written : edited.written) {
    if (written.why.empty() && remarks == Remarks::kShow)
      diff.remarks.push_back({written.line, texts.at(written.change)});
  }
  if (pull::HasSecret(file.text)) {
    diff.shown_before = pull::MaskedLines(file.text);
    diff.shown_after = pull::MaskedLines(edited.text);
  }
  return pull::UnifiedDiff(diff);
}

// A file with its new text.
struct Pulled {
  const PulledFile* file;
  EditedText edited;

  bool changes() const { return edited.text != file->text; }
  size_t written() const {
    return static_cast<size_t>(std::ranges::count_if(edited.written, [](const auto& one) { return one.why.empty(); }));
  }
};

void TellLeft(const pull::PullFiles& files, const std::vector<Pulled>& pulled, Io& io) {
  const auto tell = [&](std::string_view object, const FieldPath& path, std::string_view why) {
    Tell(io, Visible(StrCat("left: ", object, " ", ToString(path), ": ", why), Newlines::kEscape) + "\n");
  };
  for (const pull::LeftOf& left : files.left()) tell(left.object, left.left.path, left.left.why);
  for (const Pulled& one : pulled) {
    std::map<const Change*, const apply::Manifest*> manifests;
    for (const pull::PulledObject& object : one.file->objects) {
      for (const Change& change : object.choice.changes) manifests[&change] = &object.manifest;
    }
    for (const pull::Written& written : one.edited.written) {
      const apply::Manifest& manifest = *manifests.at(written.change);
      if (!written.why.empty()) tell(apply::Label(manifest.gvk, manifest.name), written.change->path, written.why);
    }
  }
}

std::string Counted(size_t count, std::string_view what) { return StrCat(count, " ", what, count == 1 ? "" : "s"); }

std::string Summary(const std::vector<Pulled>& pulled) {
  size_t changes = 0, files = 0;
  for (const Pulled& one : pulled) {
    changes += one.written();
    files += one.changes() ? 1 : 0;
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
  char rest_of_file = 0;  // y or n
  bool quit = false;
};

// Returns true if the user takes the change.
bool AskFor(const PulledFile& file, const Change& change, Answers& answers, Io& io) {
  if (answers.quit) return false;
  if (answers.rest_of_file != 0) return answers.rest_of_file == 'y';
  const auto alone = pull::Edited(file, [&](const Change& other) { return &other == &change; });
  if (!alone.ok() || alone->text == file.text) return true;  // why it cannot be written is told at the end
  Print(io, DiffOf(file, *alone, Remarks::kShow));
  while (true) {
    io.out << std::flush;
    const std::optional<std::string> line = AskLine("Take this change [y,n,q,a,d,?]? ", io);
    const char answer = line && !line->empty() ? line->front() : line ? '?' : 'q';
    if (answer == 'a' || answer == 'd') answers.rest_of_file = answer == 'a' ? 'y' : 'n';
    if (answer == 'q') answers.quit = true;
    if (answer == 'y' || answer == 'a') return true;
    if (answer == 'n' || answer == 'd' || answer == 'q') return false;
    Tell(io, kHelp);
  }
}

Changes AskForAll(const pull::PullFiles& files, Io& io) {
  Changes out;
  Answers answers;
  for (const auto& [name, file] : files.files()) {
    answers.rest_of_file = 0;
    for (const pull::PulledObject& object : file.objects) {
      for (const Change& change : object.choice.changes) {
        if (AskFor(file, change, answers, io)) out.insert(&change);
      }
    }
  }
  return out;
}

// --- writing

// Error: refused, naming the files with changes that are not committed.
Status CheckCommitted(const std::vector<Pulled>& pulled) {
  std::vector<std::string> names;
  for (const Pulled& one : pulled) {
    if (one.changes()) names.push_back(one.file->name);
  }
  const std::vector<std::string> dirty = pull::Uncommitted(names);
  if (dirty.empty()) return Ok();
  return Error::Refused(StrCat("git has uncommitted changes of ", Join(dirty, ", "),
                               "; nothing was written; commit them first, or use --force"));
}

// Returns the number of files that could not be written.
size_t WriteFiles(const std::vector<Pulled>& pulled, Io& io) {
  size_t failed = 0;
  for (const Pulled& one : pulled) {
    if (!one.changes()) continue;
    const Status written = WriteIfUnchanged(one.file->name, one.file->text, one.edited.text);
    if (written.ok()) {
      Print(io,
            StrCat(Visible(one.file->name, Newlines::kEscape), ": ", Counted(one.written(), "change"), " written\n"));
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

// Returns true if the shown changes are to be written.
bool WantsToWrite(const ParsedFlags& flags, const std::vector<Pulled>& pulled, Io& io) {
  if (flags.On("write") || flags.On("interactive")) return true;
  if (!MayAsk(flags)) return false;
  io.out << std::flush;
  return Ask(StrCat("Write ", Summary(pulled), "?"), io) == Answer::kYes;
}

// Secrets in a patch would have to be masked, and then it could not be applied.
Status CheckPatch(const std::vector<Pulled>& pulled) {
  for (const Pulled& one : pulled) {
    if (one.changes() && pull::HasSecret(one.file->text)) {
      return Error::Refused(StrCat("-o patch would show values of the Secret in ", one.file->name, "; use --write"));
    }
  }
  return Ok();
}

// --- the command

Result<std::vector<Pulled>> EditAll(const pull::PullFiles& files, const std::function<bool(const Change&)>& takes) {
  std::vector<Pulled> out;
  for (const auto& [name, file] : files.files()) {
    SMP_ASSIGN(EditedText edited, pull::Edited(file, takes));
    out.push_back({&file, std::move(edited)});
  }
  return out;
}

Status Show(const ParsedFlags& flags, const std::vector<Pulled>& pulled, Io& io) {
  if (flags.On("interactive")) return Ok();  // each change was shown
  const bool as_patch = flags.Text("output") == "patch";
  if (as_patch) SMP_TRY(CheckPatch(pulled));
  for (const Pulled& one : pulled) {
    if (one.changes()) Print(io, DiffOf(*one.file, one.edited, as_patch ? Remarks::kHide : Remarks::kShow));
  }
  return Ok();
}

int ExitOf(const Read& read, const std::vector<Pulled>& pulled, bool all_written, size_t failed) {
  if (read.errors + failed > 0) return kExitDiffError;
  const bool some_left = !read.files.left().empty() || std::ranges::any_of(pulled, [](const Pulled& one) {
    return one.written() < one.edited.written.size();
  });
  return all_written && !some_left ? kExitOk : kExitDifferences;
}

Result<int> RunPull(const ParsedFlags& flags, Io& io) {
  SMP_TRY(CheckFlags(flags));
  if (flags.Given("new")) return PullNew(flags, io);
  SMP_ASSIGN(pull::Wishes wishes, ToWishes(flags));
  Read read(std::move(wishes));
  SMP_TRY(ReadObjects(flags, read, io));
  const bool asks = flags.On("interactive");
  const Changes taken = asks ? AskForAll(read.files, io) : Changes();
  SMP_ASSIGN(const std::vector<Pulled> pulled,
             EditAll(read.files, [&](const Change& change) { return !asks || taken.contains(&change); }));
  SMP_TRY(Show(flags, pulled, io));
  TellLeft(read.files, pulled, io);
  const bool any = std::ranges::any_of(pulled, &Pulled::changes);
  if (any && !WantsToWrite(flags, pulled, io)) {
    Tell(io,
         StrCat(Summary(pulled), " not written", flags.On("dry-run") ? " (dry run)" : "; --write writes them", "\n"));
    return ExitOf(read, pulled, false, 0);
  }
  if (any && !flags.On("force")) SMP_TRY(CheckCommitted(pulled));
  return ExitOf(read, pulled, true, WriteFiles(pulled, io));
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
  flags.push_back(Switch("force", "also write files with changes that are not committed to git"));
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
                           "spec.template.spec.containers[*].image, also without a record; may be repeated"});
  flags.push_back({.name = "manager",
                   .kind = FlagKind::kArray,
                   .placeholder = "NAME",
                   .help =
                       "only take what this field manager wrote, such as kubectl-edit, also without a record; may be "
                       "repeated"});
  for (Flag& flag : PaceFlags()) flags.push_back(std::move(flag));
  for (Flag& flag : OverrideStepFlagTable()) flags.push_back(std::move(flag));
  return Grouped(FlagGroup::kChanges, std::move(flags));
}

}  // namespace

Command PullCommand() {
  return {.name = "pull",
          .summary = "write changes of live objects into their manifest files",
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
