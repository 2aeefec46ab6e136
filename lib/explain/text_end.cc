#include "explain/text_end.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/changed_objects.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/object_names.h"
#include "explain/style.h"
#include "explain/text_managers.h"
#include "explain/text_rows.h"
#include "explain/worry_lines.h"
#include "smp/managed_fields.h"

namespace smp::explain {

namespace {

// Says that this was a preview, and that objects with errors do not keep apply from the others.
std::string WhatFollows(const Report& report) {
  if (report.here) return {};
  const auto errors = std::count_if(report.objects.begin(), report.objects.end(),
                                    [](const ObjectReport& object) { return object.error.has_value(); });
  const bool others = static_cast<size_t>(errors) < report.objects.size();
  const bool asked = report.asked == Asked::kServer;
  const std::string_view yet = asked ? "; nothing is stored yet" : "; nothing is sent yet";
  const bool named = report.context && !report.context->name.empty();
  const std::string name = named ? StrCat(asked ? " in " : " to ", report.context->name) : "";
  return StrCat(report.context ? StrCat(yet, name) : "",
                errors > 0 && others ? StrCat("; apply would leave ", errors, " out, send the others, and fail") : "");
}

std::vector<WorryLine> WorriesOfAll(const ShownList& all, WorryLength length) {
  std::vector<WorriesOfObject> worries;
  for (const ShownObject& shown : all) worries.push_back({shown.object, &shown.told->about.worries});
  return WorryLines(worries, length);
}

// Puts the last `count` of the worries that may be told in short in one line. `text`: the text in it.
std::vector<WorryLine> Folded(std::vector<WorryLine> lines, size_t count, std::string WorryLine::*text) {
  std::vector<std::string> folded;
  for (size_t i = lines.size(); i-- > 0 && folded.size() < count;) {
    if (lines[i].in_short.empty()) continue;
    folded.push_back(std::move(lines[i].*text));
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::ranges::reverse(folded);
  if (!folded.empty()) lines.push_back({.text = StrCat("also (--wide): ", Join(folded, "; ")), .is_rest = true});
  return lines;
}

// The worries of which each object has a line of its own.
using Apart = std::set<Worry>;

Apart ApartWhereSeveral(const std::vector<WorryLine>& lines) {
  Apart out;
  for (const WorryLine& line : lines) out.insert(line.worry);
  return out;
}

// Says what to look at first, worst first.
std::string Worries(const Report& report, const ShownList& all, const std::vector<WorryLine>& lines, const Apart& apart,
                    const TextOptions& options) {
  const auto differs = [](const ShownObject& shown) { return shown.object->differs(); };
  std::string out;
  for (const WorryLine& line : lines) {
    const bool is_apart = apart.contains(line.worry) && !line.items.empty();
    const std::string first = is_apart ? StrCat(WordsOf(line.worry), ":") : line.text;
    std::string printed = PrintWrapped(StrCat(IsGrave(line) ? "! " : "", first), 2, options);
    for (const std::string& item : is_apart ? line.items : std::vector<std::string>()) {
      printed += PrintWrapped(item, 4, options);
    }
    out += As(IsGrave(line) ? Role::kError : Role::kWarning, printed);
    out += PrintWrapped(line.way_out, 4, options);
  }
  if (!out.empty()) return StrCat(As(Role::kHeading, StrCat(kLookAtThis, ":")), "\n", out);
  const bool looked = report.context && !report.here && std::ranges::any_of(all, differs);
  return looked ? PrintWrapped(StrCat(kLookAtThis, ": nothing was found"), 0, options) : "";
}

// Says which changes undo none that others made, if that is known of each object that changes.
std::string FromTheManifests(const Report& report, const ShownList& all) {
  const auto is_old = [](const ShownObject& shown) { return !shown.object->applied_since.empty(); };
  const auto changes = [](const ShownObject& shown) { return shown.object->action == Action::kChange; };
  const auto undoes = [](const ShownObject& shown) {
    const FoundWorries& worries = shown.told->about.worries;
    const auto is_changed = [](const UnreadSetting& setting) { return !setting.changed_by.empty(); };
    return worries.contains(Worry::kUndoes) || worries.contains(Worry::kTakesOver) ||
           worries.contains(Worry::kRemovesTouched) || std::ranges::any_of(shown.object->unread, is_changed);
  };
  const auto is_known = [&](const ShownObject& shown) {
    return !changes(shown) || undoes(shown) || !shown.object->appliers.empty();
  };
  if (report.here || std::ranges::none_of(all, changes) || !std::ranges::all_of(all, is_known)) return {};
  if (std::ranges::any_of(all, is_old)) return {};
  std::set<std::string_view> bring_back;
  for (const ShownObject& shown : all) {
    if (changes(shown)) bring_back.merge(std::set(shown.told->about.may_bring_back));
  }
  std::string from = "come from the manifests";
  if (!bring_back.empty()) {
    from += StrCat(", or bring back ", Join(bring_back, " or "),
                   " in the cluster: server-side apply keeps no record of that");
  }
  const std::string_view aside = CountIgnored(report).empty() ? "" : " (ignored fields aside)";
  if (std::ranges::any_of(all, undoes)) {
    const bool others = std::ranges::any_of(
        all, [&](const ShownObject& shown) { return changes(shown) && shown.told->about.brings_changes; });
    return others ? StrCat("all other changes ", from, aside) : "";
  }
  if (!bring_back.empty()) return StrCat("all changes ", from, aside);
  const bool creates =
      std::ranges::any_of(all, [](const ShownObject& shown) { return shown.object->action == Action::kCreate; });
  return StrCat("all changes ", from, "; no change made in the cluster is undone",
                creates ? " in existing objects" : "", aside);
}

// Returns "replicas: 3, limits memory".
std::string FieldsOfOthers(const ObjectReport& object) {
  constexpr size_t kMostFields = 2;
  std::vector<std::string> fields;
  for (const FieldsOfManager& of_manager : object.of_others) {
    if (IsController(of_manager.manager)) continue;
    for (size_t i = 0; i < of_manager.paths.size(); ++i) {
      fields.push_back(FieldOfOthersInWords(of_manager.paths[i], of_manager.values[i]));
    }
  }
  return NameSome(std::move(fields), kMostFields);
}

// Returns a line about what others set in unchanged objects; "".
std::string OthersInUnchanged(const ShownList& all, const TextOptions& options) {
  std::vector<std::string> names;
  for (const ShownObject& shown : all) {
    const std::string fields = IsQuiet(shown) ? FieldsOfOthers(*shown.object) : "";
    if (!fields.empty()) names.push_back(StrCat(NamesIn({shown.object}, Kinds::kShow, 1), " (", fields, ")"));
  }
  if (names.empty() || options.unchanged) return {};
  return StrCat("others set fields of unchanged objects, which stay as they are (--show=all): ",
                NameSome(std::move(names), kNamed));
}

}  // namespace

std::string PrintCount(const Report& report, const TextOptions& options) {
  return As(Role::kHeading, PrintWrapped(StrCat(CountObjects(report), WhatFollows(report)), 0, options));
}

namespace {

constexpr std::ptrdiff_t kScreen = 38;                // lines; with a prompt, a usual terminal
constexpr Worry kFirstLesser = Worry::kMissingToday;  // what changes says more than this worry and those after it
constexpr std::ptrdiff_t kTolerated = 2;              // more, as the first lines say least, before more is left out

std::ptrdiff_t LinesIn(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

WorryLength LengthFor(Brevity brevity) {
  return brevity < Brevity::kBriefWorries    ? WorryLength::kAll
         : brevity < Brevity::kNamesOfFields ? WorryLength::kBrief
         : brevity < Brevity::kFewPods       ? WorryLength::kNumbers
                                             : WorryLength::kShort;
}

// Puts what the longer lines say of a worry in the place of what the shorter ones say.
std::vector<WorryLine> WithLonger(const std::vector<WorryLine>& lines, const std::vector<WorryLine>& longer,
                                  Worry worry) {
  std::vector<WorryLine> out;
  bool told = false;
  for (const WorryLine& line : lines) {
    const bool is_it = !line.is_rest && line.worry == worry;
    if (!is_it) out.push_back(line);
    if (!is_it || std::exchange(told, true)) continue;
    std::ranges::copy_if(longer, std::back_inserter(out), [&](const WorryLine& other) { return other.worry == worry; });
  }
  return out;
}

constexpr Brevity kBrevities[] = {Brevity::kAllNames,          Brevity::kSomeNames, Brevity::kOneLineAKind,
                                  Brevity::kTwoFieldsOfOthers, Brevity::kTwoFields, Brevity::kBriefWorries,
                                  Brevity::kPodsTogether,      Brevity::kNumbers,   Brevity::kOneLine,
                                  Brevity::kNamesOfFields,     Brevity::kCounts,    Brevity::kFewPods};

// What a screen says of the changes and of the worries. `worries`: the text of `lines`.
struct Screen {
  std::string changes, worries;
  std::vector<WorryLine> lines;
};

// Says more of these worries, in this order, as long as `most` lines allow.
void SayMore(const std::vector<Worry>& order, const Report& report, const ShownList& all, Brevity brevity,
             std::ptrdiff_t most, const TextOptions& options, Screen& screen) {
  for (const WorryLength length : {WorryLength::kAll, WorryLength::kBrief, WorryLength::kNumbers}) {
    if (length >= LengthFor(brevity)) break;
    const std::vector<WorryLine> longer = WorriesOfAll(all, length);
    for (const Worry worry : order) {
      const std::vector<WorryLine> tried = WithLonger(screen.lines, longer, worry);
      std::string text = Worries(report, all, tried, {}, options);
      const bool says_more = text.size() > screen.worries.size();
      if (!says_more || LinesIn(screen.changes) + LinesIn(text) > most) continue;
      screen.lines = tried;
      screen.worries = std::move(text);
    }
  }
}

// Gives each object a line of its own, of those worries where that fits.
void SayApart(const Report& report, const ShownList& all, std::ptrdiff_t most, const TextOptions& options,
              Screen& screen) {
  Apart apart;
  for (const WorryLine& line : screen.lines) {
    apart.insert(line.worry);
    std::string text = Worries(report, all, screen.lines, apart, options);
    const bool fits = LinesIn(screen.changes) + LinesIn(text) <= most;
    if (fits) screen.worries = std::move(text);
    if (!fits) apart.erase(line.worry);
  }
}

// Says more with the lines that are left: first of what others set, then of the worst worries, then of what changes, then of the rest.
std::string FillScreen(const Report& report, const ShownList& all, Screen screen, Brevity brevity, std::ptrdiff_t most,
                       const TextOptions& options) {
  std::vector<Worry> first = {Worry::kKeeps, Worry::kKeptByRefusal}, last;
  for (const WorryLine& line : screen.lines) {
    if (!line.is_rest) (line.worry < kFirstLesser ? first : last).push_back(line.worry);
  }
  SayMore(first, report, all, brevity, most, options, screen);
  for (const Brevity less : kBrevities) {
    if (less >= brevity) break;
    std::string text = ChangedObjects(all, less, options);
    if (LinesIn(text) + LinesIn(screen.worries) > most) continue;
    screen.changes = std::move(text);
    break;
  }
  SayMore(last, report, all, brevity, most, options, screen);
  SayApart(report, all, most, options, screen);
  return screen.changes + screen.worries;
}

// Tells the lesser worries in one line.
std::vector<WorryLine> WithLesserFolded(const std::vector<WorryLine>& lines) {
  const auto is_lesser = [](const WorryLine& line) { return line.worry >= kFirstLesser && !line.in_short.empty(); };
  const auto count = static_cast<size_t>(std::ranges::count_if(lines, is_lesser));
  return Folded(lines, count, &WorryLine::in_short);
}

// Returns what changes and the worries, as long as `most` lines allow; the least dangerous worries are folded last.
std::string ChangesAndWorries(const Report& report, const ShownList& all, std::ptrdiff_t most,
                              const TextOptions& options) {
  std::string changes, worries;
  std::vector<WorryLine> lines;
  std::optional<WorryLength> worded;  // several brevities have the same
  for (const Brevity brevity : kBrevities) {
    if (worded != LengthFor(brevity)) {
      worded = LengthFor(brevity);
      lines = WorriesOfAll(all, *worded);
      worries = Worries(report, all, lines, {}, options);
    }
    changes = ChangedObjects(all, brevity, options);
    if (options.wide) return changes + Worries(report, all, lines, ApartWhereSeveral(lines), options);
    if (LinesIn(changes) + LinesIn(worries) <= most) {
      return FillScreen(report, all, {changes, worries, lines}, brevity, most, options);
    }
    if (brevity != Brevity::kBriefWorries) continue;
    // The next brevity leaves out what changes in which object.
    const std::vector<WorryLine> fewer = WithLesserFolded(lines);
    const std::string in_short = Worries(report, all, fewer, {}, options);
    if (LinesIn(changes) + LinesIn(in_short) <= most) {
      return FillScreen(report, all, {changes, in_short, fewer}, brevity, most, options);
    }
  }
  for (const auto& [text, limit] :
       {std::pair(&WorryLine::in_short, most), {&WorryLine::in_fewest, most + kTolerated}}) {
    for (size_t folded = 2; folded <= lines.size() && LinesIn(changes) + LinesIn(worries) > limit; ++folded) {
      worries = Worries(report, all, Folded(lines, folded, text), {}, options);
    }
  }
  return changes + worries;
}

}  // namespace

namespace {

std::string PrintEnd(const Report& report, const ShownList& all, LeftLength left, const TextOptions& options) {
  const std::string last = PrintWrapped(FromTheManifests(report, all), 0, options) +
                           As(Role::kDim, PrintWrapped(OthersInUnchanged(all, options), 0, options)) +
                           As(Role::kDim, PrintWrapped(LeftObjects(report, left), 0, options)) +
                           As(Role::kDim, PrintWrapped(NotAsked(report), 0, options));
  const std::string_view name_space = NamespaceToSay(report);
  const bool others = std::ranges::any_of(
      all, [](const ShownObject& shown) { return shown.object->differs() && shown.object->name_space.empty(); });
  const std::string_view but = others ? ", but for kinds without one:" : ":";
  const std::string first =
      name_space.empty() ? "" : PrintWrapped(StrCat("all in namespace ", name_space, but), 0, options);
  const std::ptrdiff_t most = kScreen - LinesIn(first) - LinesIn(last) - LinesIn(PrintCount(report, options));
  return first + ChangesAndWorries(report, all, most, options) + last;
}

}  // namespace

std::string PrintEnd(const Report& report, const ShownList& all, const TextOptions& options) {
  std::string out = PrintEnd(report, all, LeftLength::kAll, options);
  const bool fits = LinesIn(out) + LinesIn(PrintCount(report, options)) <= kScreen + kTolerated;
  const bool is_longer = LeftObjects(report) != LeftObjects(report, LeftLength::kBrief);
  return fits || options.wide || !is_longer ? out : PrintEnd(report, all, LeftLength::kBrief, options);
}

std::string LastAppliedOfOthers(const ShownList& all) {
  ShownList objects;
  for (const ShownObject& shown : all) {
    if (shown.object->action == Action::kChange && !shown.told->about.says_who_applied) objects.push_back(shown);
  }
  return objects.empty() ? "" : LastApplied(ReportsOf(objects));
}

}  // namespace smp::explain
