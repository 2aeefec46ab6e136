// The reference is current, and says all that --help says. Manual pages are held against groff in
// tests/cli/man_test.py.
#include "cmd/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/strings.h"
#include "base/user_programs.h"
#include "cmd/command.h"
#include "cmd/help.h"
#include "tests_dir.h"
#include "value/columns.h"

namespace smp::cmd {
namespace {

const std::string kReference = StrCat(kTestsDir, "/../cmd/reference.md");

TEST(Reference, IsCurrent) {
  if (EditorsWantCarriageReturns()) GTEST_SKIP() << "--windows-line-endings has another default";
  if (std::getenv("SMP_REWRITE") != nullptr) std::ofstream(kReference, std::ios::binary) << MarkdownReference();
  std::ifstream file(kReference, std::ios::binary);
  const std::string committed((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(committed, MarkdownReference()) << "write it anew: kubectl-smp __reference markdown > cmd/reference.md";
}

TEST(Reference, HasAPageForEachCommandWithItsFlags) {
  const auto pages = ManPages();
  EXPECT_EQ(pages.size(), Commands().size() + 1);
  for (const Command& command : Commands()) {
    std::string file = StrCat("kubectl-smp-", command.name, ".1");
    std::replace(file.begin(), file.end(), ' ', '-');
    const std::string& page = pages.at(file);
    for (const Flag& flag : command.flags) {
      std::string name = flag.name;
      for (size_t at = name.find('-'); at != name.npos; at = name.find('-', at + 2)) name.replace(at, 1, "\\-");
      EXPECT_NE(page.find("\\-\\-" + name), page.npos) << command.name << " --" << flag.name;
    }
  }
}

TEST(Help, HasExamplesThatCallTheProgram) {
  for (const Command& command : Commands()) {
    EXPECT_NE(command.examples.find("{program} " + command.name), std::string::npos) << command.name;
  }
}

// 120 columns; flags are as wide as their texts.
TEST(Help, HasDescriptionsThatFitOnAScreen) {
  for (const Command& command : Commands()) {
    for (const std::string_view line : Split(command.description, '\n')) EXPECT_LE(line.size(), 120U) << line;
  }
}

TEST(Help, FitsTheTerminalButForExamples) {
  for (const size_t width : {60, 80, 120}) {
    for (const Command& command : Commands()) {
      std::string help = HelpOf(command, "kubectl smp", width);
      const std::string examples = Examples(command, "kubectl smp");
      ASSERT_NE(help.find(examples), help.npos);
      help.erase(help.find(examples), examples.size());
      for (const std::string_view line : Split(help, '\n')) EXPECT_LE(Columns(line), width) << command.name << line;
    }
  }
}

TEST(Help, DescribesAFlagBesideItsNameOrBelow) {
  std::vector<Flag> flags = {Switch("a", "one two three"), Choice("b", {"first", "second", "third"}, "four")};
  flags[1].group = FlagGroup::kOutput;
  EXPECT_EQ(DescribeFlags(flags, 40),
            "Output:\n      --b=first|second|third\n             four\n\n"
            "Other:\n      --a  one two three\n");
  EXPECT_EQ(DescribeFlags({flags[1]}, 80), "Output:\n      --b=first|second|third\n                          four\n");
}

TEST(Help, HasEachFlagInAGroup) {
  for (const Command& command : Commands()) {
    for (const Flag& flag : command.flags) {
      const bool stands_alone = flag.name == "client" || flag.name == "windows-line-endings";
      EXPECT_EQ(flag.group == FlagGroup::kOther, stands_alone) << command.name << " --" << flag.name;
    }
  }
}

struct NameRow {
  std::string argv0, name;
};

TEST(ProgramName, IsThePluginsWhereKubectlStartedIt) {
  const NameRow rows[] = {{std::filesystem::absolute("bin/kubectl-smp").string(), "kubectl smp"},
                          {"kubectl-smp", "kubectl-smp"},
                          {"./kubectl-smp", "kubectl-smp"},
                          {"build/kubectl-smp", "kubectl-smp"},
                          {"/opt/smp", "smp"},
                          {"evil\x1b[2J", "evil\\x1b[2J"}};
  for (const auto& [argv0, name] : rows) EXPECT_EQ(ProgramName(argv0), name) << argv0;
}

int RunWith(const std::vector<std::string>& arguments, std::string& out, std::string& err) {
  std::istringstream in;
  std::ostringstream out_stream, err_stream;
  Io io{in, out_stream, err_stream};
  const int exit = RunProgram("kubectl smp", arguments, io);
  out = out_stream.str();
  err = err_stream.str();
  return exit;
}

TEST(HiddenCommands, AreNotListed) {
  std::string out, err;
  EXPECT_EQ(RunWith({"--help"}, out, err), 0);
  EXPECT_EQ(out.find("__"), out.npos);
}

TEST(HiddenCommands, Run) {
  std::string out, err;
  EXPECT_EQ(RunWith({"__complete", "app"}, out, err), 0);
  EXPECT_EQ(out, "apply\tcreate or update objects from manifests\n:4\n");
  EXPECT_EQ(RunWith({"__complete"}, out, err), 0);
  EXPECT_EQ(RunWith({"__reference", "markdown"}, out, err), 0);
  EXPECT_EQ(out, MarkdownReference());
  EXPECT_EQ(RunWith({"__reference"}, out, err), 1);
  EXPECT_EQ(RunWith({"__reference", "man", "/nonexistent"}, out, err), 1);
  EXPECT_NE(err.find("cannot write /nonexistent/kubectl-smp"), err.npos);
}

}  // namespace
}  // namespace smp::cmd
