#include "explain/text.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/about_rows.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/shown_object.h"
#include "explain/style.h"
#include "explain/text_blocks.h"
#include "explain/text_end.h"
#include "explain/text_rows.h"
#include "value/escape.h"

namespace smp::explain {

namespace {

constexpr std::string_view kArrow = "~ live → after apply";

// Says what the signs mean, and that nothing was written.
std::string Signs(const Report& report) {
  return StrCat(report.asked == Asked::kServer ? "preview, nothing is stored" : "preview, nothing is sent", ": ",
                kArrow, ", + added, - removed, ! trouble");
}

std::string Head(const Report& report, bool moves, const TextOptions& options) {
  if (!report.context) return {};
  if (!report.here) {
    return As(Role::kDim,
              StrCat(PrintWrapped(ContextWords(*report.context), 0, options), PrintWrapped(Signs(report), 0, options),
                     PrintWrapped(moves ? "> moved within its list" : "", 2, options))) +
           "\n";
  }
  return As(Role::kDim,
            ComparedPlaces(report) + "lines lead from there to here: ~ there → here, + only here, - only there") +
         "\n\n";
}

// An object without a kind could not be read; the caller prints its error.
ShownList ShownObjects(const ShownList& objects, const TextOptions& options) {
  ShownList out;
  for (const ShownObject& shown : objects) {
    if (!shown.object->kind.empty() && (options.unchanged || !IsQuiet(shown))) out.push_back(shown);
  }
  std::ranges::stable_sort(out, {}, WeightOf);
  return out;
}

std::string MeaningLine(Reason reason) { return StrCat(ReasonName(reason), ": ", MeaningOf(reason)); }

std::string Legend(const std::set<Reason>& reasons, const TextOptions& options) {
  std::string out;
  for (const Reason reason : reasons) {
    out += PrintWrapped(MeaningLine(reason), 2, options);
  }
  return out.empty() ? "" : StrCat(As(Role::kHeading, "reasons:"), "\n", out, "\n");
}

}  // namespace

class TextPrinter::Impl {
 public:
  explicit Impl(TextOptions options) : options_(std::move(options)) {}

  void Add(const ObjectReport& object) {
    AboutRows about = DescribeRows(object);
    const size_t body = bodies_.Add(object, about, options_);
    told_.push_back({std::move(about), body});
    for (const ReportRow& row : object.rows) {
      if (object.action != Action::kCreate) reasons_.insert(row.reason);
      moves_ |= row.op == RowOp::kMove;
      owned_plainly_ |= row.reason == Reason::kOwned && IsPlain(row.message);
    }
  }

  std::string Print(const Report& report) {
    for (size_t i = told_.size(); i < report.objects.size(); ++i) Add(report.objects[i]);
    ShownList all;
    for (size_t i = 0; i < report.objects.size(); ++i) all.push_back({&report.objects[i], &told_[i]});
    std::string out = Head(report, moves_, options_) + PrintBlocks(ShownObjects(all, options_), bodies_, options_);
    if (options_.legend && !report.here) out += Legend(reasons_, options_);
    if (!options_.legend && owned_plainly_)
      out += As(Role::kDim, PrintWrapped(MeaningLine(Reason::kOwned), 0, options_));
    for (const std::string& line : {OnlyInLive(report), LastAppliedOfOthers(all), NotCompared(report)}) {
      out += As(Role::kDim, PrintWrapped(line, 0, options_));
    }
    const std::string end = PrintEnd(report, all, options_);
    if (!end.empty() && !out.empty() && !out.ends_with("\n\n")) out += "\n";
    out += end + PrintCount(report, options_);
    return WithoutWorkflowCommands(Rendered(out, options_.color));
  }

 private:
  TextOptions options_;
  Bodies bodies_;
  std::vector<Told> told_;      // of each object
  bool owned_plainly_ = false;  // a row has this reason, which does not explain itself, without a sentence
  bool moves_ = false;          // a row moves items
  std::set<Reason> reasons_;    // of all rows but those of new objects
};

TextPrinter::TextPrinter(TextOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
TextPrinter::~TextPrinter() = default;

void TextPrinter::Add(const ObjectReport& object) { impl_->Add(object); }
std::string TextPrinter::Print(const Report& report) { return impl_->Print(report); }

std::string PrintText(const Report& report, const TextOptions& options) { return TextPrinter(options).Print(report); }

}  // namespace smp::explain
