#include "kube/brief_message.h"

#include <gtest/gtest.h>

#include <random>

#include "value/utf8.h"

namespace smp::kube {
namespace {

TEST(BriefMessage, LeavesWhatIsShort) {
  for (const char* text :
       {"", "Error from server (Forbidden): no", "data: Forbidden: field is immutable when `immutable` is set",
        "spec.ports[0].port: Invalid value: 99999999: must be between 1 and 65535, inclusive",
        R"(The Service "svc" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.78"]: may not change once set)",
        R"(metadata.name: Invalid value: "A{": a lowercase RFC 1123 subdomain must consist of '-' or '.')",
        "a.yaml:1: two\n* lines: of it"}) {
    EXPECT_EQ(BriefMessage(text), text);
  }
}

// As servers before 1.34 print values.
TEST(BriefMessage, ReadsGoValues) {
  EXPECT_EQ(BriefMessage(R"(spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"b"}, )"
                         R"(MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable)"),
            R"(spec.selector: Invalid value: {MatchLabels:{"app":"b"}}: field is immutable)");
  EXPECT_EQ(BriefMessage(
                R"(spec.x: Invalid value: core.Probe{A:(*int32)(nil), B:interface {}(nil), C:(*v1.X)(0xc000a0b0c0), )"
                R"(D:[]string{"a", "b: c}"}, E:5, F:0, G:"", H:true, I:time.Time{wall:0x0}}: is wrong)"),
            R"(spec.x: Invalid value: {C:…, D:{"a", "b: c}"}, E:5, H:true}: is wrong)");
  EXPECT_EQ(BriefMessage("spec.volumes[0]: Invalid value: []core.Volume(nil): is wrong"),
            "spec.volumes[0]: Invalid value: nil: is wrong");
}

TEST(BriefMessage, CutsLongValuesAndKeepsFieldAndCause) {
  std::string json = R"({"labels":{"job-name":"job"},"Spec":{"Volumes":null)";
  for (int i = 0; i < 200; ++i) json += R"(,"Field)" + std::to_string(i) + R"(":null)";
  json += "}}";
  EXPECT_EQ(
      BriefMessage("The Job \"job\" is invalid: spec.template: Invalid value: " + json + ": field is immutable"),
      "The Job \"job\" is invalid: spec.template: Invalid value: " + json.substr(0, 100) + "…: field is immutable");
  EXPECT_EQ(BriefMessage("unable to decode: Object 'Kind' is missing in '" + json + "'"),
            "unable to decode: Object 'Kind' is missing in '" + json.substr(0, 100) + "…'");
  EXPECT_EQ(BriefMessage("* a: Invalid value: " + json + ": first\n* b: Invalid value: \"" + std::string(500, 'x') +
                         "\": second"),
            "* a: Invalid value: " + json.substr(0, 100) + "…: first\n* b: Invalid value: \"" + std::string(99, 'x') +
                "…: second");
}

TEST(BriefMessage, LosesWhatADecoderQuotes) {
  EXPECT_EQ(
      BriefMessage(
          "Deployment in version \"v1\" cannot be handled as a Deployment: v1.Deployment.Spec: "
          "v1.DeploymentSpec.Replicas: "
          "readUint32: unexpected character: \xEF\xBF\xBD, error found in #10 byte of ...|eplicas\":\"x\"}|..., bigger "
          "context ...|{\"metadata\":{\"managedFields\":[]}}|..."),
      "Deployment in version \"v1\" cannot be handled as a Deployment: v1.Deployment.Spec: v1.DeploymentSpec.Replicas: "
      "readUint32: unexpected character: \xEF\xBF\xBD");
}

TEST(BriefMessage, KeepsOnlyTheChangedLinesOfADifference) {
  EXPECT_EQ(
      BriefMessage("The Pod \"pod\" is invalid: spec: Forbidden: pod updates may not change fields other than `a`\n"
                   "@@ -13,7 +13,7 @@\n    \"Env\": [\n     {\n      \"Name\": \"A\",\n-     \"Value\": \"1\",\n"
                   "+     \"Value\": \"2\",\n      \"ValueFrom\": null\n     }\n    ],\n"),
      "The Pod \"pod\" is invalid: spec: Forbidden: pod updates may not change fields other than `a`\n"
      "  - \"Value\": \"1\",\n  + \"Value\": \"2\",");
  EXPECT_EQ(BriefMessage("* spec: Forbidden: no\n  core.PodSpec{\n  \tVolumes: nil,\n- \tNodeName: "
                         "\"a\",\n+\xC2\xA0\tNodeName: \"b\",\n"
                         "  \t... // 3 identical fields\n  }\n* spec.x: Required value"),
            "* spec: Forbidden: no\n  - NodeName: \"a\",\n  + NodeName: \"b\",\n* spec.x: Required value");
}

// Messages of webhooks may have any text.
TEST(BriefMessage, StaysSmallAndValidForAnyText) {
  constexpr const char* kParts[] = {
      "Invalid value: ", "{\"", "}", "v1.X{", "(*T)(nil)", "\"", "\\", ": ",  "\n", " {\"", "'{\"", "@@ ", "- ",
      "\xC2\xA0",        "ä",   "(", "[",     "]",         ", ", "a",  "nil", "x:"};
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (size_t n = random() % 60; n > 0; --n) text += kParts[random() % std::size(kParts)];
    const std::string brief = BriefMessage(text);
    EXPECT_TRUE(IsValidUtf8(brief)) << text;
    EXPECT_LE(brief.size(), 2 * text.size() + 10) << text;
  }
  for (const char* part : {"Invalid value: {", "'{\"", " {\"a", "Invalid value: (", "Invalid value: v1.X{"}) {
    std::string text;
    while (text.size() < 2'000'000) text += part;
    EXPECT_LT(BriefMessage(text).size(), 10'000u);
  }
}

}  // namespace
}  // namespace smp::kube
