// pflag's rules as a table. What kubectl says to the same command lines is compared in tests/e2e/command_line.py.
#include "cmd/flags.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "cmd/flag_values.h"

namespace smp::cmd {
namespace {

using Words = std::vector<std::string>;

const std::vector<Flag> kFlags = {
    {.name = "filename", .letter = 'f', .kind = FlagKind::kList},
    {.name = "recursive", .letter = 'R', .kind = FlagKind::kSwitch},
    {.name = "namespace", .letter = 'n'},
    {.name = "as-group", .kind = FlagKind::kArray},
    {.name = "v", .letter = 'v', .kind = FlagKind::kNumber, .fallback = "0"},
    {.name = "dry-run",
     .placeholder = "none|client|server",
     .fallback = "none",
     .bare = "unchanged",
     .deprecated = {{"unchanged", "use --dry-run=client"}}},
    {.name = "output", .letter = 'o', .choices = {"json", "yaml"}},
    {.name = "show", .fallback = "changes", .choices = {"changes", "all"}},
};

// What was read, in one line; or the error.
std::string Read(const Words& arguments) {
  const Result<ParsedFlags> flags = ParseFlags(kFlags, arguments);
  if (!flags.ok()) return "error: " + flags.error().message;
  std::string out;
  for (const Flag& flag : kFlags) {
    if (!flags->Given(flag.name)) continue;
    const bool list = flag.kind == FlagKind::kList || flag.kind == FlagKind::kArray;
    out += StrCat(flag.name, "=", list ? Join(flags->List(flag.name), "|") : flags->Text(flag.name), " ");
  }
  return out + "[" + Join(flags->arguments(), " ") + "]";
}

struct Row {
  Words arguments;
  std::string read;
};

class ReadsAsPflag : public testing::TestWithParam<Row> {};

TEST_P(ReadsAsPflag, TheCommandLine) { EXPECT_EQ(Read(GetParam().arguments), GetParam().read); }

const Row kRows[] = {
    {{}, "[]"},
    {{"-n", "foo"}, "namespace=foo []"},
    {{"-nfoo"}, "namespace=foo []"},
    {{"-n=foo"}, "namespace=foo []"},
    {{"--namespace", "foo"}, "namespace=foo []"},
    {{"--namespace=foo"}, "namespace=foo []"},
    {{"--namespace="}, "namespace= []"},
    {{"--namespace=a=b"}, "namespace=a=b []"},
    {{"-n="}, "namespace== []"},
    {{"-n", ""}, "namespace= []"},
    {{"-n", "a", "-n", "b"}, "namespace=b []"},
    {{"-n", "--"}, "namespace=-- []"},
    {{"-n", "-R"}, "namespace=-R []"},
    {{"--namespace", "--recursive"}, "namespace=--recursive []"},
    {{"-f", "-h"}, "filename=-h []"},
    {{"-R"}, "recursive=true []"},
    {{"-Rf", "x"}, "filename=x recursive=true []"},
    {{"-Rfx"}, "filename=x recursive=true []"},
    {{"-Rf=x"}, "filename=x recursive=true []"},
    {{"-fR"}, "filename=R []"},
    {{"-R=false"}, "recursive=false []"},
    {{"--recursive=T", "--recursive=0"}, "recursive=false []"},
    {{"--recursive=TRUE"}, "recursive=true []"},
    {{"--recursive", "false"}, "recursive=true [false]"},
    {{"--dry-run"}, "dry-run=unchanged []"},
    {{"--dry-run", "server"}, "dry-run=unchanged [server]"},
    {{"--dry-run=server"}, "dry-run=server []"},
    {{"--dry_run=server"}, "dry-run=server []"},
    {{"-f", "a,b", "-f", "c"}, "filename=a|b|c []"},
    {{"-f", "\"a,b\",c"}, "filename=a,b|c []"},
    {{"-f", "a,"}, "filename=a| []"},
    {{"-f", ""}, "filename= []"},
    {{"-f", "-", "-f", "-"}, "filename=-|- []"},
    {{"--as-group=a,b", "--as-group", "c"}, "as-group=a,b|c []"},
    {{"-v6"}, "v=6 []"},
    {{"-v", "-1"}, "v=-1 []"},
    {{"--v=+7"}, "v=7 []"},
    {{"x", "-R", "y"}, "recursive=true [x y]"},
    {{"-"}, "[-]"},
    {{"--", "-R", "x"}, "[-R x]"},
    {{"-R", "--", "--"}, "recursive=true [--]"},
    {{""}, "[]"},
    {{"-o", "json"}, "output=json []"},
    {{"-o", ""}, "[]"},

    {{"-f"}, "error: flag needs an argument: 'f' in -f"},
    {{"-Rn"}, "error: flag needs an argument: 'n' in -n"},
    {{"--filename"}, "error: flag needs an argument: --filename"},
    {{"-Z"}, "error: unknown shorthand flag: 'Z' in -Z"},
    {{"-RZx"}, "error: unknown shorthand flag: 'Z' in -Zx"},
    {{"-R="}, "error: unknown shorthand flag: '=' in -="},
    {{"-="}, "error: unknown shorthand flag: '=' in -="},
    {{"--=x"}, "error: bad flag syntax: --=x"},
    {{"---"}, "error: bad flag syntax: ---"},
    {{"---x"}, "error: bad flag syntax: ---x"},
    {{"--bogus"}, "error: unknown flag: --bogus"},
    {{"--bogus=1"}, "error: unknown flag: --bogus"},
    {{"--filen", "x"}, "error: unknown flag: --filen\nDid you mean --filename?"},
    {{"--Recursive"}, "error: unknown flag: --Recursive\nDid you mean --recursive?"},
    {{"--recursive=maybe"},
     "error: invalid argument \"maybe\" for \"-R, --recursive\" flag: strconv.ParseBool: parsing \"maybe\": invalid "
     "syntax"},
    {{"-R=yes", "--bogus"},
     "error: invalid argument \"yes\" for \"-R, --recursive\" flag: strconv.ParseBool: parsing \"yes\": invalid "
     "syntax"},
    {{"-vx"}, "error: invalid argument \"x\" for \"-v, --v\" flag: strconv.ParseInt: parsing \"x\": invalid syntax"},
    {{"-v0x1"},
     "error: invalid argument \"0x1\" for \"-v, --v\" flag: strconv.ParseInt: parsing \"0x1\": invalid syntax"},
    {{"-v99999999999"},
     "error: invalid argument \"99999999999\" for \"-v, --v\" flag: strconv.ParseInt: parsing \"99999999999\": value "
     "out of range"},
    {{"-f", "a\"b"},
     "error: invalid argument \"a\\\"b\" for \"-f, --filename\" flag: parse error on line 1, column 2: bare \" in "
     "non-quoted-field"},
    {{"-o", "xml"},
     "error: unable to match a printer suitable for the output format \"xml\", allowed formats are: json,yaml"},
    {{"--show=x"}, "error: invalid argument \"x\" for \"--show\" flag: expected one of changes, all"},
};

INSTANTIATE_TEST_SUITE_P(Rows, ReadsAsPflag, testing::ValuesIn(kRows));

TEST(Flags, HaveFallbacks) {
  const Result<ParsedFlags> flags = ParseFlags(kFlags, {});
  ASSERT_TRUE(flags.ok());
  EXPECT_EQ(flags->Text("dry-run"), "none");
  EXPECT_EQ(flags->Number("v"), 0);
  EXPECT_FALSE(flags->On("recursive"));
  EXPECT_TRUE(flags->List("filename").empty());
}

TEST(Flags, SayWhatIsDeprecated) {
  EXPECT_EQ(ParseFlags(kFlags, {"--dry-run"})->warnings(), Words{"use --dry-run=client"});
  EXPECT_EQ(ParseFlags(kFlags, {"--dry-run=client"})->warnings(), Words{});
}

TEST(Flags, HintAtAValueThatStandsBehindABareFlag) {
  const std::string hint = ParseFlags(kFlags, {"--dry-run", "server"})->argument_hint();
  EXPECT_TRUE(hint.starts_with("Did you mean --dry-run=server?")) << hint;
  EXPECT_TRUE(ParseFlags(kFlags, {"-R", "f"})->argument_hint().starts_with("Did you mean --recursive=f?"));
  for (const Words& none : {Words{"--dry-run", "web.yaml"}, Words{"-R", "web.yaml"}, Words{"server"}}) {
    EXPECT_EQ(ParseFlags(kFlags, none)->argument_hint(), "") << Join(none, " ");
  }
}

TEST(Flags, TheCommandIsFoundBehindGlobalFlags) {
  const auto found = [](const Words& arguments) {
    const size_t at = FindCommandArgument(kFlags, arguments);
    return at == std::string::npos ? "" : arguments[at];
  };
  EXPECT_EQ(found({"apply", "-n", "x"}), "apply");
  EXPECT_EQ(found({"-n", "x", "apply"}), "apply");
  EXPECT_EQ(found({"-nx", "--namespace=x", "-R", "--recursive", "apply"}), "apply");
  EXPECT_EQ(found({"--unknown", "x", "apply"}), "apply");
  EXPECT_EQ(found({"--unknown=x", "apply"}), "apply");
  EXPECT_EQ(found({"-n", "apply"}), "");
  EXPECT_EQ(found({"--", "apply"}), "");
  EXPECT_EQ(found({}), "");
}

TEST(FlagValues, RecordsAreReadAsGoReadsCsv) {
  const auto read = [](const std::string& text) {
    const Result<Words> fields = ParseGoCsv(text);
    return fields.ok() ? Join(*fields, "|") : fields.error().message;
  };
  EXPECT_EQ(read("a,\"b \"\"c\"\"\",\"d,e\""), "a|b \"c\"|d,e");
  EXPECT_EQ(read(","), "|");
  EXPECT_EQ(read("a\nb"), "a");
  EXPECT_EQ(read("\n\na\r\nb"), "a");
  EXPECT_EQ(read("\"a\nb\",c"), "a\nb|c");
  EXPECT_EQ(read("\n"), "EOF");
  EXPECT_EQ(read("\"a\"b"), "parse error on line 1, column 3: extraneous or missing \" in quoted-field");
  EXPECT_EQ(read("x,\"ab"), "parse error on line 1, column 6: extraneous or missing \" in quoted-field");
  EXPECT_EQ(read("\"a\nb\"c"),
            "record on line 1; parse error on line 2, column 2: extraneous or missing \" in quoted-field");
}

}  // namespace
}  // namespace smp::cmd
