#include "cmd/reference.h"

#include <algorithm>
#include <fstream>

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/exit_code.h"
#include "cmd/global_flags.h"
#include "cmd/version.h"

namespace smp::cmd {

namespace {

constexpr char kProgram[] = "kubectl smp";

std::string WithBackslashes(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string MarkdownFlags(const std::vector<Flag>& flags) {
  std::string out;
  for (const auto& [group, members] : ByGroup(flags)) {
    out += StrCat(out.empty() ? "" : "\n", "| ", HeadingOf(group), " | |\n|---|---|\n");
    for (const Flag& flag : members) {
      // An unescaped "|" would end the table cell, even within code.
      const std::string synopsis = WithBackslashes(Trim(FlagSynopsis(flag)), "|");
      out += StrCat("| `", synopsis, "` | ", WithBackslashes(FlagHelp(flag), "*_<|"), " |\n");
    }
  }
  return out;
}

std::string MarkdownTerms(const Command& command) {
  if (command.terms.empty()) return {};
  std::string out = StrCat("\n", command.terms_title, ", each with an example (`", command.terms_flag, "`):\n");
  for (const Term& term : command.terms) {
    out += StrCat("\n- `", term.name, "`: ", WithBackslashes(term.meaning, "*_<"), "\n\n```\n",
                  Join(term.example, "\n"), "\n```\n");
  }
  return out;
}

std::string MarkdownCommand(const Command& command) {
  return StrCat("\n## ", kProgram, " ", command.name, "\n\n", WithBackslashes(command.description, "*_<"), "\n\n```\n",
                kProgram, " ", command.usage, "\n```\n\nExamples:\n\n```\n", Examples(command, kProgram), "```\n\n",
                MarkdownFlags(command.flags), MarkdownTerms(command));
}

// Escapes `text` for man(7), so that hyphens of commands and flags stay ASCII when the page is formatted.
std::string Roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      const bool request = (c == '.' || c == '\'') && (out.empty() || out.back() == '\n');
      if (request) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string Paragraphs(std::string_view text) {
  std::string out = Roff(text);
  for (size_t at = out.find("\n\n"); at != out.npos; at = out.find("\n\n", at)) out.replace(at, 2, "\n.PP\n");
  return out + "\n";
}

std::string ManFlags(const std::vector<Flag>& flags) {
  std::string out;
  for (const auto& [group, members] : ByGroup(flags)) {
    out += StrCat(".SS ", Roff(HeadingOf(group)), "\n");
    for (const Flag& flag : members) {
      out += StrCat(".TP\n.B ", Roff(Trim(FlagSynopsis(flag))), "\n", Roff(FlagHelp(flag)), "\n");
    }
  }
  return out;
}

std::string ManTerms(const Command& command) {
  if (command.terms.empty()) return {};
  std::string out = StrCat(".SH ", command.terms_title, "\n");
  for (const Term& term : command.terms) {
    std::string example = Roff(Join(term.example, "\n"));
    for (size_t at = example.find("→"); at != example.npos; at = example.find("→", at)) {
      example.replace(at, std::string_view("→").size(), "\\(->");  // pages are ASCII
    }
    out += StrCat(".TP\n.B ", Roff(term.name), "\n", Roff(term.meaning), "\n.nf\n", example, "\n.fi\n");
  }
  return out;
}

std::string ManName(std::string command) {
  std::replace(command.begin(), command.end(), ' ', '-');
  return StrCat("kubectl-smp-", command);
}

// The first lines of every page. No date, so that the same sources give the same page.
std::string ManHead(const std::string& page, std::string_view summary) {
  std::string title = page;
  std::transform(title.begin(), title.end(), title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return StrCat(".TH ", Roff(title), " 1 \"\" \"kubectl\\-smp ", ClientVersion(), "\" \"User Commands\"\n.SH NAME\n",
                Roff(page), " \\- ", Roff(summary), "\n");
}

std::string ManCommand(const Command& command) {
  return StrCat(ManHead(ManName(command.name), command.summary), ".SH SYNOPSIS\n.nf\n", kProgram, " ",
                Roff(command.usage), "\n.fi\n.SH DESCRIPTION\n", Paragraphs(command.description),
                ".SH OPTIONS\nGlobal options are described in\n.BR kubectl\\-smp (1).\n", ManFlags(command.flags),
                ManTerms(command), ".SH EXAMPLES\n.nf\n", Roff(Examples(command, kProgram)),
                ".fi\n.SH SEE ALSO\n.BR kubectl\\-smp (1)\n");
}

std::string ManProgram() {
  std::string commands;
  std::vector<std::string> pages;
  for (const Command& command : Commands()) {
    commands += StrCat(".TP\n.B ", Roff(command.name), "\n", Roff(command.summary), "\n");
    pages.push_back(StrCat(".BR ", Roff(ManName(command.name)), " (1)"));
  }
  return StrCat(ManHead("kubectl-smp", kTagline), ".SH SYNOPSIS\n.nf\n", kProgram,
                " COMMAND [flags]\n.fi\n.SH DESCRIPTION\n", Paragraphs(kAbout), ".SH COMMANDS\n", commands,
                ".SH OPTIONS\nThese options can be passed to any command, before or after its name.\n",
                ManFlags(GlobalFlagTable()), ".SH SEE ALSO\n", Join(pages, ",\n"), "\n");
}

Status WriteManPages(const std::string& folder) {
  for (const auto& [name, text] : ManPages()) {
    const std::string path = StrCat(folder, "/", name);
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) return Error::InvalidArgument(StrCat("cannot write ", path));
  }
  return Ok();
}

}  // namespace

std::string MarkdownReference() {
  std::string out =
      StrCat("# ", kProgram, ": all commands and flags\n\nGenerated by `kubectl-smp __reference markdown` ",
             "from the same tables as `--help`.\n\n", kAbout, "\n");
  for (const Command& command : Commands()) out += MarkdownCommand(command);
  return StrCat(out, "\n## Global flags\n\nThey can be passed before or after the command's name.\n\n",
                MarkdownFlags(GlobalFlagTable()));
}

std::map<std::string, std::string> ManPages() {
  std::map<std::string, std::string> pages = {{"kubectl-smp.1", ManProgram()}};
  for (const Command& command : Commands()) pages[ManName(command.name) + ".1"] = ManCommand(command);
  return pages;
}

int RunReference(const std::vector<std::string>& arguments, Io& io) {
  if (arguments == std::vector<std::string>{"markdown"}) {
    io.out << MarkdownReference() << std::flush;
    return kExitOk;
  }
  const bool man = arguments.size() == 2 && arguments[0] == "man";
  if (!man) return Fail(io, Error::InvalidArgument("usage: __reference markdown, or __reference man DIR"), kExitFailed);
  const Status written = WriteManPages(arguments[1]);
  return written.ok() ? kExitOk : Fail(io, written.error(), kExitFailed);
}

}  // namespace smp::cmd
