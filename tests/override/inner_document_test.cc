// What is edited, what is left as it is, and what is refused.
#include "override/inner_document.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "value/json.h"

namespace smp {
namespace {

// "replace /a 1", "remove /a", "move /from /to".
Status Apply(InnerDocument& document, std::string_view operation) {
  const std::vector<std::string_view> words = Split(operation, ' ');
  const std::string_view kind = words[0];
  Edit edit;
  edit.path = words.size() > 1 ? words[1] : std::string_view();
  if (kind == "merge") return document.Merge(ParseJson(operation.substr(6))->root());
  if (kind == "move" || kind == "copy") {
    edit.kind = kind == "move" ? EditKind::kMove : EditKind::kCopy;
    edit.from = words[1];
    edit.path = words[2];
    return document.Apply(edit);
  }
  if (kind == "remove") {
    edit.kind = EditKind::kRemove;
    return document.Apply(edit);
  }
  edit.kind = kind == "add" ? EditKind::kAdd : kind == "test" ? EditKind::kTest : EditKind::kReplace;
  const Result<Document> value = ParseJson(operation.substr(kind.size() + edit.path.size() + 2));
  if (!value) return value.error();
  edit.value = value->root();
  return document.Apply(edit);
}

// Operations are separated by " ; ".
std::string Edited(std::string_view text, DataFormat format, std::string_view operations) {
  Result<InnerDocument> document = InnerDocument::Parse(text, format);
  if (!document) return StrCat("parse, line ", document.error().source.line, ": ", document.error().message);
  while (!operations.empty()) {
    const size_t end = std::min(operations.find(" ; "), operations.size());
    const Status status = Apply(*document, operations.substr(0, end));
    if (!status) {
      return StrCat(ErrorCodeName(status.error().code), ", line ", status.error().source.line, ": ",
                    status.error().message);
    }
    operations.remove_prefix(std::min(end + 3, operations.size()));
  }
  return *document->Write();
}

std::string Yaml(std::string_view text, std::string_view operations) {
  return Edited(text, DataFormat::kYaml, operations);
}
std::string Json(std::string_view text, std::string_view operations) {
  return Edited(text, DataFormat::kJson, operations);
}

TEST(InnerYaml, KeepsWhatIsNotTouched) {
  constexpr std::string_view kText =
      "# Config\n"
      "\n"
      "database:   # the db\n"
      "  # where it is\n"
      "  host: 'localhost'\n"
      "  port: 0x0CEA  # default\n"
      "since: 2024-01-02\n"
      "ratio: 1.10\n";
  EXPECT_EQ(Yaml(kText, "replace /database/port 3307"),
            "# Config\n"
            "\n"
            "database:   # the db\n"
            "  # where it is\n"
            "  host: 'localhost'\n"
            "  port: 3307  # default\n"
            "since: 2024-01-02\n"
            "ratio: 1.10\n");
  EXPECT_EQ(Yaml(kText, "replace /database/host \"remote\""),
            "# Config\n"
            "\n"
            "database:   # the db\n"
            "  # where it is\n"
            "  host: 'remote'\n"
            "  port: 0x0CEA  # default\n"
            "since: 2024-01-02\n"
            "ratio: 1.10\n");
}

TEST(InnerYaml, AnEditThatChangesNothingChangesNoByte) {
  constexpr std::string_view kText =
      "a:   yes #c\r\nb: 0x10\nc: 1.0\nd: 2024-01-02\ne: ~\nf: {x: [ 1,2 ]}\ng: |+\n  x\n\n";
  EXPECT_EQ(Yaml(kText,
                 "replace /a true ; replace /b 16 ; add /c 1 ; replace /d \"2024-01-02\" ; replace /e null ; "
                 "replace /f {\"x\":[1,2]} ; replace /g \"x\\n\\n\" ; test /f/x/1 2 ; move /a /a ; merge "
                 "{\"f\":{\"x\":[1,2]}}"),
            kText);
}

TEST(InnerJson, KeepsTheLayout) {
  EXPECT_EQ(Json("{\n  \"a\": 1.0,\n  \"b\": [1, 2]\n}\n", "replace /b/0 5 ; add /c {\"d\":1}"),
            "{\n  \"a\": 1.0,\n  \"b\": [5, 2],\n  \"c\": {\"d\": 1}\n}\n");
  EXPECT_EQ(Json("{\"a\":1,\"b\":\"<\"}", "add /c \"<\" ; remove /a"), "{\"b\":\"<\",\"c\":\"<\"}");
}

}  // namespace
}  // namespace smp
