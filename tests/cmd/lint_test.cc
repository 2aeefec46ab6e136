// The examples of lint's rules are what lint prints, and are in all places.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/reference.h"
#include "lint/rules.h"

namespace smp::cmd {
namespace {

using lint::Rule;

struct Ran {
  int exit;
  std::string out, err;
};

Ran RunWith(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{in, out, err};
  const int exit = RunProgram("kubectl smp", arguments, io);
  return {exit, out.str(), err.str()};
}

// A folder in which an example runs.
class LintRules : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    folder_ = std::filesystem::path(testing::TempDir()) / StrCat("lint-", getpid());
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static Ran RunExample(const Rule& rule) {
    for (const Rule::File& file : rule.files) std::ofstream(std::string(file.name)) << file.text;
    const std::string first(rule.files.front().name);
    std::vector<std::string> arguments = {"lint", first == "patch.yaml" ? "--patch" : "-f", first};
    if (!rule.flags.empty()) {
      for (const std::string_view flag : Split(rule.flags, ' ')) arguments.emplace_back(flag);
    }
    return RunWith(arguments);
  }

 private:
  std::filesystem::path before_, folder_;
};

// Returns the findings of a rule, without the name of the file.
std::string FindingsOf(const Rule& rule, std::string_view printed) {
  std::string out;
  const std::string file = StrCat(rule.files.front().name, ":"), ending = StrCat("[", rule.code, "]");
  for (const std::string_view line : Split(printed, '\n')) {
    if (line.starts_with(file) && line.ends_with(ending)) out += StrCat(line.substr(file.size()), "\n");
  }
  return out;
}

TEST_F(LintRules, ExamplesAreWhatIsPrinted) {
  for (const Rule& rule : lint::Rules()) {
    SCOPED_TRACE(rule.code);
    if (rule.code == "too-large") continue;  // it takes 262,144 bytes: tests/lint/lint_test.cc
    ASSERT_FALSE(rule.files.empty());
    const Ran ran = RunExample(rule);
    const std::string found = FindingsOf(rule, ran.out);
    EXPECT_EQ(found, Trim(rule.shows).empty() ? "" : StrCat(Trim(rule.shows), "\n")) << ran.out << ran.err;
    const bool is_error = found.find(": error: ") != found.npos;
    EXPECT_TRUE(!is_error || ran.exit == 1) << ran.exit;
    EXPECT_EQ(is_error, rule.severity == lint::Severity::kError);
    EXPECT_EQ(ran.err.find("error:"), ran.err.npos) << ran.err;
  }
}

TEST_F(LintRules, AreInAllPlaces) {
  const std::string printed = RunWith({"lint", "--rules"}).out, reference = MarkdownReference();
  const std::string page = ManPages().at("kubectl-smp-lint.1");
  std::set<std::string_view> codes;
  for (const Rule& rule : lint::Rules()) {
    EXPECT_TRUE(codes.insert(rule.code).second) << rule.code << " is there twice";
    EXPECT_GT(rule.meaning.size(), 20u) << rule.code;
    EXPECT_NE(StrCat("\n", printed).find(StrCat("\n", rule.code, " (")), std::string::npos) << rule.code;
    EXPECT_NE(reference.find(StrCat("`", rule.code, "`")), reference.npos) << rule.code;
    EXPECT_NE(page.find(StrCat(".B ", Join(Split(rule.code, '-'), "\\-"), "\n")), page.npos) << rule.code;
  }
}

TEST_F(LintRules, FlagsAreChecked) {
  const std::vector<std::string> bad[] = {
      {"lint"},
      {"lint", "-f", "none.yaml"},
      {"lint", "-f", "-", "--fix"},
      {"lint", "-f", "a.yaml", "--rule", "wrong-typ=off"},
      {"lint", "-f", "a.yaml", "--rule", "wrong-type=loud"},
      {"lint", "-f", "a.yaml", "--gvk", "v1/Pod"},
      {"lint", "--patch", "a.yaml"},
      {"lint", "--patch", "a.yaml", "--gvk", "v1/Nothing"},
      {"lint", "--patch", "a.yaml", "--gvk", "v1/Pod", "-f", "a.yaml"},
      {"lint", "-f", "a.yaml", "--kube-version", "new"},
      {"lint", "-f", "a.yaml", "--schema", "none"},
  };
  std::ofstream("a.yaml") << "spec: {}\n";
  for (const std::vector<std::string>& arguments : bad) {
    const Ran ran = RunWith(arguments);
    EXPECT_EQ(ran.exit, 2) << Join(arguments, " ") << "\n" << ran.out;
    EXPECT_NE(ran.err.find("error: "), ran.err.npos) << Join(arguments, " ");
    EXPECT_EQ(ran.out, "") << Join(arguments, " ");
  }
}

// A pipe such as `helm template | kubectl smp lint -f -` has nothing if its first command fails: that must not pass.
TEST_F(LintRules, NothingToCheckIsAnError) {
  std::ofstream("c.yaml") << "# a comment\n---\n";
  for (const char* file : {"-", "c.yaml"}) {
    const Ran ran = RunWith({"lint", "-f", file});
    EXPECT_EQ(ran.exit, 2) << file;
    EXPECT_EQ(ran.err, "error: no objects passed to lint\n");
  }
  std::ofstream("not.yaml") << "a: [\n";
  EXPECT_EQ(RunWith({"lint", "-f", "not.yaml"}).exit, 1) << "it has a finding";
}

// A text may change the direction in which a terminal shows the rest of the line.
TEST_F(LintRules, DiffOfFixesShowsInvisibleCharacters) {
  std::ofstream("b.yaml") << "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: c}\r\n"
                             "data: {a: 1, b: \"\xE2\x80\xAE\"}\r\n";
  const Ran ran = RunWith({"lint", "-f", "b.yaml", "--fix=diff"});
  EXPECT_NE(ran.out.find("\n+data: {a: \"1\", b: \"\\u202e\"}\n"), ran.out.npos) << ran.out;
}

TEST_F(LintRules, FixesDoNotFollowALinkOut) {
  const std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: 1}\n";
  const std::filesystem::path target = std::filesystem::current_path().string() + ".yaml";
  std::ofstream(target) << text;
  std::filesystem::create_symlink(target, "link.yaml");
  const Ran ran = RunWith({"lint", "-f", "link.yaml", "--fix"});
  EXPECT_EQ(ran.exit, 2) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("link.yaml is a link to "), ran.err.npos) << ran.err;
  std::ostringstream now;
  now << std::ifstream(target).rdbuf();
  EXPECT_EQ(now.str(), text);
  std::filesystem::remove(target);
}

// Not in what a fix changes, nor in the lines around it.
TEST_F(LintRules, DiffOfFixesShowsNoSecrets) {
  const std::string values = "stringData:\n  password: hunter2\n  pin: 04455667\n  other: hunter3\n";
  for (const std::string_view kind : {"Secret", "\"Sec\\u0072et\""}) {
    std::ofstream("s.yaml") << "apiVersion: v1\nkind: " << kind << "\nmetadata: {name: s}\n" << values;
    const Ran ran = RunWith({"lint", "-f", "s.yaml", "--fix=diff"});
    EXPECT_NE(ran.out.find("\n+  pin: ***\n"), ran.out.npos) << ran.out;
    EXPECT_EQ(ran.out.find("hunter"), ran.out.npos) << ran.out;
    EXPECT_EQ(ran.out.find("04455667"), ran.out.npos) << ran.out;
  }
  std::ofstream("l.yaml") << "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: "
                             "{name: s}\n  stringData: {a: hunter2, pin: 04455667}\n- apiVersion: v1\n  kind: "
                             "ConfigMap\n  metadata: {name: c}\n  data: {a: 1}\n";
  const Ran ran = RunWith({"lint", "-f", "l.yaml", "--fix=diff"});
  EXPECT_NE(ran.out.find("\n+  data: {a: \"1\"}\n"), ran.out.npos) << ran.out;
  EXPECT_EQ(ran.out.find("hunter"), ran.out.npos) << ran.out;
  EXPECT_EQ(ran.out.find("04455667"), ran.out.npos) << ran.out;
}

}  // namespace
}  // namespace smp::cmd
