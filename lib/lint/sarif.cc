#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/path_syntax.h"
#include "base/strings.h"
#include "lint/print.h"

namespace smp::lint {

namespace {

// Writes a report as SARIF 2.1.0 (OASIS), which code scanning reads.
class SarifPrinter {
 public:
  explicit SarifPrinter(const Report& report) : report_(report) {}

  Document Print(std::string_view version) {
    const Value driver =
        arena_.Object({{"name", Text("kubectl smp lint")}, {"version", Text(version)}, {"rules", RuleValues()}});
    const Value run = arena_.Object({{"tool", arena_.Object({{"driver", driver}})},
                                     {"columnKind", Text("unicodeCodePoints")},
                                     {"results", Results()}});
    const Value root = arena_.Object({{"$schema", Text("https://json.schemastore.org/sarif-2.1.0.json")},
                                      {"version", Text("2.1.0")},
                                      {"runs", arena_.Array(std::vector<Value>{run})}});
    return Document(std::move(arena_), root);
  }

 private:
  Value Text(std::string_view text) { return arena_.String(text); }
  Value Message(std::string_view text) { return arena_.Object({{"text", Text(text)}}); }

  Value Level(Severity severity) {
    return Text(severity == Severity::kInfo ? std::string_view("note") : SeverityName(severity));
  }

  Value RuleValues() {
    std::vector<Value> out;
    for (const Rule& rule : Rules()) {
      const std::string_view first = rule.meaning.substr(0, rule.meaning.find(". "));
      out.push_back(arena_.Object({{"id", Text(rule.code)},
                                   {"shortDescription", Message(first)},
                                   {"fullDescription", Message(rule.meaning)},
                                   {"help", Message(Join(LinesOfExample(rule), "\n"))},
                                   {"defaultConfiguration", arena_.Object({{"level", Level(rule.severity)}})}}));
    }
    return arena_.Array(out);
  }

  Value Results() {
    std::vector<Value> out;
    for (const Finding& finding : report_.findings) {
      if (!finding.fixed) out.push_back(Result(finding, false));
    }
    for (const Finding& finding : report_.suppressed) out.push_back(Result(finding, true));
    return arena_.Array(out);
  }

  Value Result(const Finding& finding, bool suppressed) {
    const std::string text = StrCat(finding.message, finding.advice.empty() ? "" : StrCat("; ", finding.advice));
    std::vector<Member> out = {{"ruleId", Text(finding.rule->code)},
                               {"ruleIndex", Value::Int(finding.rule - Rules().data())},
                               {"level", Level(finding.severity)},
                               {"message", Message(text)},
                               {"locations", arena_.Array(std::vector<Value>{Location(finding)})}};
    if (suppressed) {
      const Value in_source = arena_.Object({{"kind", Text("inSource")}});
      out.push_back({"suppressions", arena_.Array(std::vector<Value>{in_source})});
    }
    return arena_.Object(std::move(out));
  }

  Value Location(const Finding& finding) {
    const SourceFile& file = report_.files[finding.file];
    std::vector<Member> physical = {{"artifactLocation", arena_.Object({{"uri", Text(UriOf(file.name()))}})}};
    if (finding.line > 0) physical.push_back({"region", Region(file, finding)});
    std::vector<Member> out = {{"physicalLocation", arena_.Object(std::move(physical))}};
    if (!finding.path.empty()) {
      const Value logical = arena_.Object({{"fullyQualifiedName", Text(finding.path)}});
      out.push_back({"logicalLocations", arena_.Array(std::vector<Value>{logical})});
    }
    return arena_.Object(std::move(out));
  }

  // A relative path is a relative reference, in which a few characters would mean something else.
  static std::string UriOf(std::string_view name) {
    std::string out;
    for (const char c : name) {
      const bool plain = IsAlnum(c) || std::string_view("/._-~:").find(c) != std::string_view::npos ||
                         static_cast<unsigned char>(c) >= 0x80;
      constexpr std::string_view kHex = "0123456789ABCDEF";
      if (IsPathSeparator(c))
        out += '/';
      else if (plain)
        out += c;
      else
        out.append(1, '%').append(1, kHex[static_cast<unsigned char>(c) >> 4U]).append(1, kHex[c & 15]);
    }
    return out;
  }

  Value Region(const SourceFile& file, const Finding& finding) {
    std::vector<Member> out = {{"startLine", Value::Int(finding.line)}};
    if (finding.column > 0) {
      const LineColumn end = file.At(finding.span.end);
      out.push_back({"startColumn", Value::Int(finding.column)});
      out.push_back({"endLine", Value::Int(end.line)});
      out.push_back({"endColumn", Value::Int(end.column)});
    }
    return arena_.Object(std::move(out));
  }

  const Report& report_;
  Arena arena_;
};

}  // namespace

Document ToSarif(const Report& report, std::string_view version) { return SarifPrinter(report).Print(version); }

}  // namespace smp::lint
