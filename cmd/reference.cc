#include "cmd/reference.h"

#include <algorithm>
#include <fstream>

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/exit_code.h"
#include "cmd/global_flags.h"
#include "cmd/version.h"

namespace smp {

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
  std::string out = "| flag | |\n|---|---|\n";
  for (const Flag& flag : flags) {
    // In a table a bar ends the cell, even in code.
    const std::string synopsis = WithBackslashes(Trim(FlagSynopsis(flag)), "|");
    out += StrCat("| `", synopsis, "` | ", WithBackslashes(FlagHelp(flag), "*_<|"), " |\n");
  }
  return out;
}

std::string MarkdownCommand(const Command& command) {
  return StrCat("\n## ", kProgram, " ", command.name, "\n\n", WithBackslashes(command.description, "*_<"), "\n\n```\n",
                kProgram, " ", command.usage, "\n```\n\nExamples:\n\n```\n", Examples(command, kProgram), "```\n\n",
                MarkdownFlags(command.flags));
}

// Escapes `text` for man(7). Hyphens that users type must not become typographic ones.
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
  for (const Flag& flag : flags) {
    out += StrCat(".TP\n.B ", Roff(Trim(FlagSynopsis(flag))), "\n", Roff(FlagHelp(flag)), "\n");
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
                ".SH OPTIONS\nThe options that all commands have are in\n.BR kubectl\\-smp (1).\n",
                ManFlags(command.flags), ".SH EXAMPLES\n.nf\n", Roff(Examples(command, kProgram)),
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
                ".SH OPTIONS\nAll commands have these, before or after the command's name.\n",
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
  std::string out = StrCat("# ", kProgram, ": all commands and flags\n\nWritten by `kubectl-smp __reference markdown` ",
                           "from the tables that `--help` is printed from.\n\n", kAbout, "\n");
  for (const Command& command : Commands()) out += MarkdownCommand(command);
  return StrCat(out, "\n## Flags of all commands\n\nThey stand before or after the command's name.\n\n",
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

}  // namespace smp
