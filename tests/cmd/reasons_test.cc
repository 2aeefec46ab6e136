// explain-diff prints the examples of its reasons.
#include "explain/reasons.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/reference.h"
#include "explain/message.h"
#include "value/columns.h"
#include "value/document.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::cmd {
namespace {

using explain::ReasonExample;

class Reasons : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / StrCat("reasons-", getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const ReasonExample& example, std::string_view fields,
                    std::string_view managed_fields = {}) {
    const std::string path = (folder_ / name).string();
    const Document document = *yaml::ParseYaml(std::string(fields), name);
    const Document managed = *yaml::ParseYaml(managed_fields.empty() ? "[]" : std::string(managed_fields), name);
    Arena arena;
    std::vector<Member> metadata = {{"name", Value::UnownedString("x")}};
    std::vector<Member> members = {{"apiVersion", Value::UnownedString(example.api_version)},
                                   {"kind", Value::UnownedString(example.kind)}};
    for (const Member& member : document.root().Members()) {
      if (member.name != "metadata") members.push_back(member);
    }
    if (const Value* given = document.root().Find("metadata")) {
      metadata.insert(metadata.end(), given->Members().begin(), given->Members().end());
    }
    if (!managed_fields.empty()) metadata.push_back({"managedFields", managed.root()});
    members.push_back({"metadata", arena.Object(std::move(metadata))});
    std::ofstream(path) << WriteJson(arena.Object(std::move(members)));
    return path;
  }

  static std::string Run(const std::vector<std::string>& arguments) {
    std::istringstream in;
    std::ostringstream out, err;
    Io io{in, out, err};
    RunProgram("kubectl smp", arguments, io);
    return out.str() + err.str();
  }

  std::filesystem::path folder_;
};

TEST_F(Reasons, AreAllThereWithAnExample) {
  std::vector<Reason> reasons;
  for (const ReasonExample& example : explain::ReasonExamples()) reasons.push_back(example.reason);
  std::vector<Reason> all;
  for (int i = static_cast<int>(Reason::kInSync) + 1; i <= static_cast<int>(Reason::kServer); ++i) {
    all.push_back(static_cast<Reason>(i));
  }
  EXPECT_EQ(reasons, all) << "of one that no row has, say so in reasons.h";
}

TEST_F(Reasons, ExamplesAreWhatIsPrinted) {
  for (const ReasonExample& example : explain::ReasonExamples()) {
    std::vector<std::string> arguments = {
        "explain-diff", "--wide",
        "-f",           Write("manifest.yaml", example, example.manifest),
        "--live",       Write("live.yaml", example, example.live, example.managed_fields),
        "--original",   Write("applied.yaml", example, example.applied)};
    if (!example.flags.empty()) arguments.emplace_back(example.flags);
    const std::string text = Run(arguments);
    const std::vector<std::string_view> lines = Split(text, '\n');
    const std::string row = StrCat("  ", example.row, "  ");
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                            [&](std::string_view line) {
                              const size_t reason = line.find_first_not_of(' ', row.size());
                              return line.starts_with(row) && reason != line.npos &&
                                     line.substr(reason, line.find(", line", reason) - reason) ==
                                         ReasonName(example.reason);
                            }))
        << ReasonName(example.reason) << ":\n"
        << text;
  }
}

TEST_F(Reasons, AreInAllPlaces) {
  const std::string printed = Run({"explain-diff", "--reasons"});
  const std::string reference = MarkdownReference();
  const std::string page = ManPages().at("kubectl-smp-explain-diff.1");
  for (const ReasonExample& example : explain::ReasonExamples()) {
    const std::string name(ReasonName(example.reason));
    EXPECT_NE(printed.find(StrCat(name, ": ", explain::MeaningOf(example.reason).substr(0, 30))), printed.npos) << name;
    EXPECT_NE(printed.find(StrCat("    ", example.row, "\n")), printed.npos) << name;
    EXPECT_NE(reference.find(StrCat("\n", example.row, "\n")), reference.npos) << name;
    EXPECT_NE(page.find(std::string(explain::MeaningOf(example.reason).substr(0, 8))), page.npos) << name;
  }
  for (const std::string_view line : Split(printed, '\n')) EXPECT_LE(Columns(line), 80u) << line;
}

}  // namespace
}  // namespace smp::cmd
