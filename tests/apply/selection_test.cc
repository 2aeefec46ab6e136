// The words that name objects on a command line, as kubectl's resource builder reads them.
#include "apply/selection.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace smp::apply {
namespace {

// "deploy/web svc/web", "all of deploy", or the error.
std::string Read(std::vector<std::string> words, const std::string& selector = "", bool all = false,
                 ObjectArguments::BareType bare = ObjectArguments::BareType::kRefuse) {
  const auto query = ParseObjectArguments({std::move(words), selector, all, bare});
  if (!query.ok()) return query.error().message;
  std::vector<std::string> out;
  for (const auto& [type, name] : query->names) out.push_back(StrCat(type, "/", name));
  for (const std::string& type : query->types) out.push_back("all of " + type);
  return Join(out, " ");
}

TEST(ObjectArguments, NameObjects) {
  EXPECT_EQ(Read({"deploy/web"}), "deploy/web");
  EXPECT_EQ(Read({"deploy/web", "svc/web"}), "deploy/web svc/web");
  EXPECT_EQ(Read({"deploy", "web", "api"}), "deploy/web deploy/api");
  EXPECT_EQ(Read({"deploy,svc", "web"}), "deploy/web svc/web");
  EXPECT_EQ(Read({"deploy"}, "app=web"), "all of deploy");
  EXPECT_EQ(Read({"deploy,svc,deploy"}, "", true), "all of deploy all of svc");
  EXPECT_EQ(Read({"deploy"}, "", false, ObjectArguments::BareType::kMeansAll), "all of deploy");
}

TEST(ObjectArguments, AreRefusedInKubectlsWords) {
  EXPECT_EQ(Read({"deploy/web/x"}), "arguments in resource/name form may not have more than one slash");
  EXPECT_EQ(Read({"/web"}), "arguments in resource/name form must have a single resource and name");
  EXPECT_EQ(Read({"deploy,svc/web"}), "arguments in resource/name form must have a single resource and name");
  EXPECT_TRUE(Read({"deploy", "deploy/web"}).starts_with("there is no need to specify a resource type"));
  EXPECT_EQ(Read({"deploy"}), "resource(s) were provided, but no name was specified");
  EXPECT_TRUE(Read({}).starts_with("You must provide one or more resources by argument or filename."));
  EXPECT_EQ(Read({"deploy", "web"}, "a=b"), "name cannot be provided when a selector is specified");
  EXPECT_EQ(Read({"deploy/web"}, "", true),
            "selectors and the all flag cannot be used when passing resource/name arguments");
  EXPECT_EQ(Read({}, "a=b"), "at least one resource must be specified to use a selector");
  EXPECT_EQ(Read({"deploy"}, "a=b", true), "setting 'all' parameter but found a non empty selector");
}

}  // namespace
}  // namespace smp::apply
