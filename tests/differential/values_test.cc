// JSON and YAML in and out against Go's own code (sigs.k8s.io/yaml, apimachinery's json): on the texts in inputs/ and
// on random ones. Seeds are fresh each run and printed; SMP_SEED=N repeats one, SMP_CASES=N is how many texts each
// random test makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "base/strings.h"
#include "differential/oracle.h"
#include "differential/random_text.h"
#include "tests_dir.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/read_yaml.h"
#include "yaml/write_yaml.h"
#include "yaml_cpp/reader.h"

namespace smp {
namespace {

namespace fs = std::filesystem;

size_t Cases() { return CasesOr(10000); }

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// ‹FF› → the byte.
void ReplaceBytes(std::string& text) {
  constexpr std::string_view kOpen = "‹", kClose = "›";
  for (size_t at = text.find(kOpen); at != std::string::npos; at = text.find(kOpen, at + 1)) {
    const size_t digits = at + kOpen.size();
    uint8_t byte = 0;
    std::from_chars(text.data() + digits, text.data() + digits + 2, byte, 16);
    text.replace(at, kOpen.size() + 2 + kClose.size(), 1, static_cast<char>(byte));
  }
}

// The texts of a file of inputs/; its first lines say how they are written.
std::vector<std::string> Inputs(const char* file) {
  std::vector<std::string> out;
  const std::string text = ReadFile(fs::path(kTestsDir) / "differential/inputs" / file);
  for (const std::string_view line : Split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    std::string input(line);
    ReplaceAll(input, "↵", "\n");
    ReplaceAll(input, "⇥", "\t");
    ReplaceAll(input, "␍", "\r");
    ReplaceAll(input, "␠", " ");
    ReplaceBytes(input);
    out.push_back(input);
  }
  return out;
}

// The manifests of the end-to-end tests.
std::vector<std::string> Manifests() {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(kTestsDir) / "e2e")) {
    if (entry.path().extension() == ".yaml") out.push_back(ReadFile(entry.path()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The documents of a file, as Kubernetes' YAMLReader splits it, to which kubectl gives the text after the mark.
std::vector<std::string> Documents(const std::string& file) {
  std::vector<std::string> out(1);
  for (size_t at = 0; at < file.size();) {
    const size_t end = std::min(file.find('\n', at), file.size() - 1) + 1;
    const std::string_view line = std::string_view(file).substr(at, end - at);
    const size_t mark = at == 0 && line.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    if (line.substr(mark).starts_with("---")) {
      out.emplace_back();
    } else {
      out.back() += line;
    }
    at = end;
  }
  return out;
}

std::string Request(std::string_view op, std::string_view text) {
  return StrCat(R"({"op":")", op, R"(","bytes":")", EncodeBase64(text), R"("})");
}

std::vector<OracleAnswer> AskAbout(std::string_view op, const std::vector<std::string>& texts) {
  std::vector<std::string> requests;
  for (const std::string& text : texts) requests.push_back(Request(op, text));
  return AskOracle(requests);
}

// Our value is read once more, as Go's answer is: -0.0 is written as -0, and that is the integer 0.
std::string Print(const Document& ours) {
  const auto again = ParseJson(WriteJson(ours.root()));
  return again.ok() ? WriteJson(again->root()) : "unreadable: " + ToString(again.error());
}
std::string Print(const Result<Document>& ours) {
  return ours.ok() ? Print(*ours) : "refused: " + ToString(ours.error());
}
std::string Print(const OracleAnswer& go) {
  return go.value != nullptr ? WriteJson(*go.value) : "refused: " + go.error;
}

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Where two keys of different types become one text (`1e3:` and `1000:`, `yes:` and "true":), Go takes one of them at
// random.
bool GoAnswersAtRandom(const std::string& text) {
  const auto answers = AskAbout("yaml", std::vector<std::string>(60, text));
  return std::any_of(answers.begin(), answers.end(),
                     [&](const OracleAnswer& a) { return Print(a) != Print(answers[0]); });
}

// True if Go reads the same from the text before `end`: the document ends there, or before.
bool GoReadsNoFurtherThan(size_t end, const std::string& text, const OracleAnswer& go) {
  return end < text.size() && Print(AskAbout("yaml", {text.substr(0, end)})[0]) == Print(go);
}

// `{"a": b}0x` looks like JSON, and gets the error of the JSON parser, at b.
bool IsTextAfterJson(const std::string& text, const std::string& error, const OracleAnswer& go) {
  return Has(error, "this is not valid JSON") && GoReadsNoFurtherThan(text.rfind('}') + 1, text, go);
}

// What we refuse and Go reads, on purpose or because yaml-cpp would misread it.
std::string_view ReasonToRefuse(const std::string& text, const std::string& error, const OracleAnswer& go) {
  if (!go.value->is_object()) return "no object, which kubectl refuses one step later";
  if (Has("\n" + text, "\n...") || IsTextAfterJson(text, error, go)) {
    return "text behind the end of a document, which kubectl leaves out";
  }
  struct Row {
    std::string_view error, reason;
  };
  static constexpr Row kRows[] = {
      {"behind the end of the document", "text behind the end of a document, which kubectl leaves out"},
      {"more than one document", "text behind the end of a document, which kubectl leaves out"},
      {"U+2028", "unescaped U+2028 and U+2029, which yaml-cpp takes for text"},
      {"indentation indicator", "anchor or tag before |2, which yaml-cpp counts from the wrong column"},
      {"deeper than its anchor or tag", "block of text not deeper than its anchor, which yaml-cpp takes for empty"},
      {"end of a folded text", "blank lines at the end of > or >+, which yaml-cpp misreads"},
      {"space behind the tag", "a tag glued to what follows, which Go takes for a part of the tag"},
      {"name of an anchor", "an anchor glued to its value"},
      {"put a space behind the colon", "{a:, b}, where Go takes the colon for a part of the name"},
      {"begins with a colon", "{:a}, where Go sees an empty name"},
      {"no infinity and no NaN", ".inf that a duplicate key or its place as a key would hide"},
      {"beyond 64 bits cannot be a key", "such a key that a duplicate would hide"},
  };
  for (const Row& row : kRows) {
    if (Has(error, row.error)) return row.reason;
  }
  return {};
}

// What we read and Go refuses.
std::string_view ReasonToAccept(const std::string& error) {
  if (Has(error, "cannot start any token") || Has(error, "tab character"))
    return "tabs in lines that hold nothing else";
  return {};
}

size_t FirstControl(const std::string& text) {
  const auto is_control = [](unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
  };
  return std::find_if(text.begin(), text.end(), is_control) - text.begin();
}

// The offset of the line break before a line that begins with %, behind the first line.
size_t FirstDirective(const std::string& text) { return std::min(text.find("\n%"), text.size()); }

// True if the text ends within a character.
bool EndsWithinCharacter(const std::string& text, const OracleAnswer& go) {
  for (size_t bytes = 1; bytes < 4 && bytes < text.size(); ++bytes) {
    if (GoReadsNoFurtherThan(text.size() - bytes, text, go)) return true;
  }
  return false;
}

// What the reader in lib/yaml refuses and Go reads, on purpose.
std::string_view PurposeToRefuse(const std::string& text, const std::string& error, const OracleAnswer& go) {
  struct Row {
    std::string_view error, reason;
  };
  static constexpr Row kRows[] = {
      {"there is no document", "no document"},
      {"text after the end of the document", "text after the end of a document, which kubectl leaves out"},
      {"more than one document", "text after the end of a document, which kubectl leaves out"},
      {"this is a Helm template", "{{ … }} behind what kubectl takes for a whole document"},
      {"a second byte order mark", "a second byte order mark, after which Go leaves out characters at random"},
      {"no infinity and no NaN", ".nan in a value that a duplicate key hides"},
  };
  for (const Row& row : kRows) {
    if (Has(error, row.error)) return row.reason;
  }
  const bool after_end =
      Has("\n" + text, "\n...") || (Has(error, "a key must be a scalar") && !go.value->is_object()) ||
      (Has(error, "control characters are not allowed") && GoReadsNoFurtherThan(FirstControl(text), text, go)) ||
      IsTextAfterJson(text, error, go) ||
      (Has(error, "must follow a directive") && GoReadsNoFurtherThan(FirstDirective(text), text, go));
  if (Has(error, "it is not UTF-8 text") && EndsWithinCharacter(text, go)) {
    return "text that ends within a character, which Go leaves out";
  }
  return after_end ? kRows[1].reason : std::string_view();
}

// What it reads and Go refuses.
std::string_view PurposeToAccept(const std::string& error) {
  return Has(error, "unsupported map key of type") ? "a null key in a value that a duplicate key hides" : "";
}

// A reader that is compared with Go's, and the reasons why it may refuse or accept a text that Go does not.
struct Reader {
  Result<Document> (*read)(const std::string& text);
  std::string_view (*reason_to_refuse)(const std::string& text, const std::string& error, const OracleAnswer& go);
  std::string_view (*reason_to_accept)(const std::string& error);
};
constexpr Reader kYaml = {[](const std::string& text) { return yaml::ParseYaml(text); }, PurposeToRefuse,
                          PurposeToAccept};
constexpr Reader kYamlOfValue = {[](const std::string& text) { return yaml_cpp::ParseYaml(text); }, ReasonToRefuse,
                                 ReasonToAccept};
constexpr Reader kJson = {[](const std::string& text) { return ParseJson(text); }, ReasonToRefuse, ReasonToAccept};

// Compares how texts were read, and counts.
class Comparison {
 public:
  explicit Comparison(const Reader& reader) : reader_(reader) {}

  void Add(const std::string& text, const OracleAnswer& go) {
    const Result<Document> ours = reader_.read(text);
    ++total_;
    if (ours.ok() && go.value != nullptr) return BothRead(text, ours, go);
    if (!ours.ok() && go.value == nullptr) return void(++refused_);
    const std::string_view reason =
        ours.ok() ? reader_.reason_to_accept(go.error) : reader_.reason_to_refuse(text, ours.error().message, go);
    if (!reason.empty()) return void(++known_[ours.ok() ? "only Go refuses" : "only we refuse"][std::string(reason)]);
    ++unexplained_;
    if (unexplained_ <= 3) Show(text, ours, go);
  }

  // Allows for `per_thousand` texts that only one of both reads for no reason on the lists; data that differs is never
  // allowed.
  void Expect(size_t per_thousand) const {
    std::cout << *this;
    EXPECT_EQ(misread_, 0U) << "read by both, as different data";
    EXPECT_LE(unexplained_ * 1000, total_ * per_thousand)
        << unexplained_ << " texts were read by one and refused by the other";
  }

  size_t equal() const { return equal_; }

 private:
  void BothRead(const std::string& text, const Result<Document>& ours, const OracleAnswer& go) {
    if (Print(ours) == Print(go)) return void(++equal_);
    if (GoAnswersAtRandom(text)) return void(++random_);
    ++misread_;
    ADD_FAILURE() << "read differently";
    Show(text, ours, go);
  }

  static void Show(const std::string& text, const Result<Document>& ours, const OracleAnswer& go) {
    std::cout << "-----\n"
              << text << "\n----- as base64: " << EncodeBase64(text) << "\nours: " << Print(ours)
              << "\nGo:   " << Print(go) << "\n";
  }

  friend std::ostream& operator<<(std::ostream& out, const Comparison& c) {
    out << c.total_ << " texts: " << c.equal_ << " equal, " << c.refused_ << " refused by both, " << c.misread_
        << " read differently, " << c.unexplained_ << " read by one only, " << c.random_ << " without a right answer\n";
    for (const auto& [side, reasons] : c.known_) {
      for (const auto& [reason, count] : reasons) out << "  " << side << ": " << count << " " << reason << "\n";
    }
    return out;
  }

  const Reader& reader_;
  size_t total_ = 0, equal_ = 0, refused_ = 0, misread_ = 0, unexplained_ = 0, random_ = 0;
  std::map<std::string, std::map<std::string, size_t>> known_;
};

// kubectl drops a byte order mark before anything else.
std::vector<std::string> WithoutMarks(std::vector<std::string> texts) {
  for (std::string& text : texts) {
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  }
  return texts;
}

// kubectl reads as JSON what begins with `{` and is JSON, everything else as YAML.
Comparison CompareYaml(const Reader& reader, const std::vector<std::string>& texts) {
  const auto as_yaml = AskAbout("yaml", WithoutMarks(texts));
  const auto as_json = AskAbout("json", texts);
  Comparison out(reader);
  for (size_t i = 0; i < texts.size(); ++i) {
    const bool is_json = Trim(texts[i]).starts_with('{') && as_json[i].value != nullptr;
    out.Add(texts[i], is_json ? as_json[i] : as_yaml[i]);
  }
  return out;
}

Comparison CompareJson(const std::vector<std::string>& texts) {
  const auto answers = AskAbout("json", texts);
  Comparison out(kJson);
  for (size_t i = 0; i < texts.size(); ++i) out.Add(texts[i], answers[i]);
  return out;
}

// Go reads what we write to the same data.
void ExpectGoReads(std::string_view op, const std::vector<std::string>& written, const std::vector<Document>& values) {
  const auto answers = AskAbout(op, written);
  for (size_t i = 0; i < answers.size(); ++i) {
    ASSERT_EQ(Print(answers[i]), Print(values[i])) << written[i];
  }
  std::cout << answers.size() << " values written as " << op << " and read by Go\n";
}

void ExpectGoReadsWhatWeWrite(const std::vector<Document>& values) {
  std::vector<std::string> json, yaml;
  for (const Document& value : values) {
    json.push_back(WriteJson(value.root()));
    yaml.push_back(yaml::WriteYaml(value.root()));
  }
  ExpectGoReads("json", json, values);
  ExpectGoReads("yaml", yaml, values);
}

class Values : public testing::Test {
 protected:
  const uint64_t seed_ = Seed();

  void SetUp() override { std::cout << "SMP_SEED=" << seed_ << "\n"; }

  template <class Make>
  std::vector<std::string> Texts(Make make) const {
    std::vector<std::string> out;
    for (size_t i = 0; i < Cases(); ++i) {
      Dice dice(seed_ + i);
      for (std::string& text : Documents(make(dice))) out.push_back(std::move(text));
    }
    return out;
  }
};

TEST_F(Values, OwnTextsAreReadAsGoReadsThem) {
  const auto yaml = Inputs("yaml.txt");
  const auto json = Inputs("json.txt");
  EXPECT_GE(yaml.size() + json.size(), 700U);
  CompareYaml(kYamlOfValue, yaml).Expect(0);
  CompareYaml(kYaml, yaml).Expect(0);
  CompareJson(json).Expect(0);
}

TEST_F(Values, GoReadsOwnValuesAsTheyWereWritten) {
  std::vector<Document> values;
  for (const std::string& text : Inputs("json.txt")) {
    if (const auto value = ParseJson(text); value.ok()) values.push_back(*value);
  }
  for (const std::string& text : Inputs("yaml.txt")) {
    if (const auto value = yaml_cpp::ParseYaml(text); value.ok()) values.push_back(*value);
  }
  EXPECT_GE(values.size(), 500U);
  ExpectGoReadsWhatWeWrite(values);
}

TEST_F(Values, RandomYamlIsReadAsGoReadsIt) {
  const auto texts = Texts([](Dice& dice) { return RandomYaml(dice); });
  CompareYaml(kYamlOfValue, texts).Expect(8);
  const Comparison out = CompareYaml(kYaml, texts);
  out.Expect(0);
  EXPECT_GT(out.equal() * 4, Cases());
}

TEST_F(Values, ChangedManifestsAreReadAsGoReadsThem) {
  const auto manifests = Manifests();
  ASSERT_GE(manifests.size(), 30U);
  const auto texts = Texts([&](Dice& dice) { return Mutated(dice.Pick(manifests), dice); });
  CompareYaml(kYamlOfValue, texts).Expect(2);
  const Comparison out = CompareYaml(kYaml, texts);
  out.Expect(0);
  EXPECT_GT(out.equal() * 4, Cases());
}

TEST_F(Values, RandomJsonIsReadAsGoReadsIt) {
  const Comparison out = CompareJson(Texts([](Dice& dice) { return RandomJson(dice); }));
  out.Expect(0);
  EXPECT_GT(out.equal() * 4, Cases());
}

TEST_F(Values, GoReadsRandomValuesAsTheyWereWritten) {
  std::vector<Document> values;
  for (size_t i = 0; i < Cases(); ++i) {
    Dice dice(seed_ + i);
    Arena arena;
    // By way of our JSON, so that invalid UTF-8 is replaced, and names that are equal then are one.
    const auto value = ParseJson(WriteJson(RandomValue(dice, 0, arena)));
    ASSERT_TRUE(value.ok()) << ToString(value.error());
    values.push_back(*value);
  }
  ExpectGoReadsWhatWeWrite(values);
}

}  // namespace
}  // namespace smp
