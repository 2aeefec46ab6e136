#include "value/re2_pattern.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "value/re2_syntax.h"
#include "value/utf8.h"

namespace smp {

namespace {

constexpr size_t kMostSteps = 200'000;     // of a program
constexpr size_t kMostWork = 500'000'000;  // steps times bytes of the text

// One step of a thread. Steps are numbered; all but kMatch lead to `next`, kSplit also to `other`.
struct Step {
  enum class Kind : uint8_t { kRune, kSplit, kAssert, kMatch };
  Kind kind = Kind::kMatch;
  Re2Node::Assertion assertion = {};
  uint32_t next = 0, other = 0;
  const std::vector<CodeRange>* ranges = nullptr;  // of the tree
};

}  // namespace

struct Re2Pattern::Program {
  std::unique_ptr<Re2Node> tree;
  std::vector<Step> steps;
  uint32_t start = 0;
};

namespace {

// Translates the tree from its end to its beginning: a step knows what follows it.
class Compiler {
 public:
  explicit Compiler(std::vector<Step>& steps) : steps_(steps) { steps_.push_back({}); }

  bool is_too_large() const { return steps_.size() > kMostSteps; }

  // Returns the number of the first step of the node. The recursion is bounded by the parser.
  uint32_t Add(const Re2Node& node, uint32_t next) {
    if (is_too_large()) return next;
    switch (node.kind) {
      case Re2Node::Kind::kEmpty: return next;
      case Re2Node::Kind::kRunes: return Push({Step::Kind::kRune, {}, next, 0, &node.ranges});
      case Re2Node::Kind::kAssert: return Push({Step::Kind::kAssert, node.assertion, next});
      case Re2Node::Kind::kSequence:
        for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) next = Add(**child, next);
        return next;
      case Re2Node::Kind::kChoice: return AddChoice(node, next);
      case Re2Node::Kind::kRepeat: return AddRepeat(node, next);
    }
    return next;
  }

 private:
  uint32_t Push(const Step& step) {
    steps_.push_back(step);
    return static_cast<uint32_t>(steps_.size() - 1);
  }

  uint32_t Split(uint32_t next, uint32_t other) { return Push({Step::Kind::kSplit, {}, next, other}); }

  uint32_t AddChoice(const Re2Node& node, uint32_t next) {
    uint32_t out = Add(*node.children.back(), next);
    for (size_t i = node.children.size() - 1; i-- > 0;) out = Split(Add(*node.children[i], next), out);
    return out;
  }

  uint32_t AddRepeat(const Re2Node& node, uint32_t next) {
    const Re2Node& child = *node.children.front();
    uint32_t out = next;
    if (node.most == Re2Node::kNoLimit) {
      const uint32_t loop = Split(0, next);
      const uint32_t body = Add(child, loop);
      steps_[loop].next = body;
      out = loop;
    } else {
      for (int i = node.least; i < node.most; ++i) out = Split(Add(child, out), next);
    }
    for (int i = 0; i < node.least; ++i) out = Add(child, out);
    return out;
  }

  std::vector<Step>& steps_;
};

bool IsWord(char32_t c) { return c == '_' || (c < 0x80 && IsAlnum(static_cast<char>(c))); }

bool IsInRanges(char32_t c, const std::vector<CodeRange>& ranges) {
  const auto at = std::ranges::lower_bound(ranges, c, {}, &CodeRange::last);
  return at != ranges.end() && at->first <= c;
}

// A place between two characters of the text; -1: before the first or after the last.
struct Between {
  int64_t before = -1, after = -1;

  bool Meets(Re2Node::Assertion assertion) const {
    using A = Re2Node::Assertion;
    const bool at_word =
        (before >= 0 && IsWord(static_cast<char32_t>(before))) != (after >= 0 && IsWord(static_cast<char32_t>(after)));
    switch (assertion) {
      case A::kBeginText: return before < 0;
      case A::kEndText: return after < 0;
      case A::kBeginLine: return before < 0 || before == '\n';
      case A::kEndLine: return after < 0 || after == '\n';
      case A::kWordBoundary: return at_word;
      case A::kNoWordBoundary: return !at_word;
    }
    return false;
  }
};

// The threads that are alive at a place, each step once: Thompson's simulation, without captures.
class Threads {
 public:
  explicit Threads(const std::vector<Step>& steps) : steps_(steps), seen_(steps.size(), 0) {}

  void Clear() {
    at_.clear();
    ++round_;
  }
  const std::vector<uint32_t>& at() const { return at_; }
  uint64_t visited() const { return visited_; }
  // Adds the step as it is.
  void Keep(uint32_t step) { at_.push_back(step); }

  // Adds the step and what it leads to without a character. Returns true if that is the end of the pattern.
  bool Add(uint32_t step, const Between& place) {
    pending_.assign(1, step);
    while (!pending_.empty()) {
      const uint32_t number = pending_.back();
      pending_.pop_back();
      if (seen_[number] == round_) continue;
      seen_[number] = round_;
      ++visited_;
      const Step& at = steps_[number];
      if (at.kind == Step::Kind::kMatch) return true;
      if (at.kind == Step::Kind::kRune) at_.push_back(number);
      if (at.kind == Step::Kind::kSplit) pending_.insert(pending_.end(), {at.next, at.other});
      if (at.kind == Step::Kind::kAssert && place.Meets(at.assertion)) pending_.push_back(at.next);
    }
    return false;
  }

 private:
  const std::vector<Step>& steps_;
  std::vector<uint32_t> at_;
  std::vector<uint32_t> seen_;  // of each step: the round in which it was added
  std::vector<uint32_t> pending_;
  uint32_t round_ = 1;
  uint64_t visited_ = 0;
};

}  // namespace

Result<Re2Pattern> Re2Pattern::Parse(std::string_view pattern) {
  auto program = std::make_shared<Program>();
  SMP_ASSIGN(program->tree, ParseRe2(pattern));
  Compiler compiler(program->steps);
  program->start = compiler.Add(*program->tree, 0);
  if (compiler.is_too_large()) return Error::Refused("the pattern is too large");
  return Re2Pattern(std::move(program));
}

Result<bool> Re2Pattern::Matches(std::string_view text) const {
  uint64_t work = std::numeric_limits<uint64_t>::max();
  return Matches(text, work);
}

Result<bool> Re2Pattern::Matches(std::string_view text, uint64_t& work) const {
  const std::vector<Step>& steps = program_->steps;
  if (text.size() + 1 > kMostWork / steps.size()) return Error::Refused("the text is too long for the pattern");
  // Preparing it costs as much as some of the steps.
  const uint64_t limit = work - std::min<uint64_t>(work, steps.size());
  Threads now(steps), next(steps);
  const auto spend = [&] { work = limit - std::min(limit, now.visited()); };
  Between place;
  Rune rune = {0, 0, true};
  while (true) {
    text.remove_prefix(rune.size);
    if (!text.empty()) rune = FirstRune(text);
    place.after = text.empty() ? -1 : static_cast<int64_t>(rune.code);
    // The threads of the last character wait in `next` for what comes after it.
    now.Clear();
    bool matches = std::ranges::any_of(next.at(), [&](uint32_t step) { return now.Add(step, place); });
    matches = matches || now.Add(program_->start, place);
    spend();
    if (matches || text.empty()) return matches;
    if (work == 0) return Error::Refused("the patterns take too long");
    next.Clear();
    for (const uint32_t step : now.at()) {
      if (IsInRanges(rune.code, *steps[step].ranges)) next.Keep(steps[step].next);
    }
    place.before = static_cast<int64_t>(rune.code);
  }
}

}  // namespace smp
