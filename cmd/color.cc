#include "cmd/color.h"

#include <string>

#include "base/environment.h"
#include "base/terminal.h"

namespace smp::cmd {

namespace {

bool Wanted() {
  if (!Environment("NO_COLOR").empty() || Environment("TERM") == "dumb") return false;
  if (Environment("CLICOLOR_FORCE", "0") != "0") return true;
  return IsTerminal(StandardStream::kOutput) && !IsDumbTerminal() && Environment("CLICOLOR") != "0";
}

}  // namespace

Flag ColorFlag() {
  return In(
      FlagGroup::kOutput,
      Choice("color", {"auto", "always", "never"},
             "color the formats for people; auto: if standard output is a terminal, unless NO_COLOR, CLICOLOR=0 or "
             "TERM=dumb is in the environment; CLICOLOR_FORCE=1 colors other outputs, too",
             "auto"));
}

explain::Color ToColor(const ParsedFlags& flags) {
  const std::string color = flags.Text("color");
  if (color == "auto") return ColorByDefault();
  return color == "always" ? explain::Color::kYes : explain::Color::kNo;
}

explain::Color ColorByDefault() { return Wanted() ? explain::Color::kYes : explain::Color::kNo; }

}  // namespace smp::cmd
