#include "cmd/object_selection.h"

#include <utility>

#include "cmd/input.h"
#include "kube/resource_mapper.h"

namespace smp::cmd {

namespace {

bool NamesFiles(const ParsedFlags& flags) {
  return !flags.List("filename").empty() || !flags.Text("kustomize").empty();
}

Result<ChosenObjects> ChooseByFiles(const ParsedFlags& flags, const apply::ObjectArguments& arguments,
                                    const Connection& connection, Io& io) {
  if (!arguments.words.empty()) {
    return Error::InvalidArgument(
        "when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well");
  }
  if (arguments.all || !arguments.selector.empty()) {
    return Error::InvalidArgument("--selector and --all select objects of a type; they cannot be used with -f or -k");
  }
  SMP_ASSIGN(const apply::Manifests manifests, ReadInput(flags, OddKeys::kWarn, io));
  if (manifests.items.empty()) return Error::InvalidArgument("no objects passed to last-applied");
  return ChosenObjects{apply::SelectManifests(manifests.items, connection.target())};
}

}  // namespace

std::vector<Flag> ObjectSelectionFlags() {
  std::vector<Flag> flags = InputFlagTable();
  flags.push_back({.name = "selector",
                   .letter = 'l',
                   .placeholder = "LABELS",
                   .help = "select objects of the type by label, e.g. app=web,tier!=db"});
  flags.push_back(Switch("all", "select all objects of the type in the namespace"));
  return Grouped(FlagGroup::kInput, std::move(flags));
}

Result<ChosenObjects> ChooseObjects(const ParsedFlags& flags, std::vector<std::string> words,
                                    apply::ObjectArguments::BareType bare_type, const Connection& connection, Io& io) {
  const apply::ObjectArguments arguments = {std::move(words), flags.Text("selector"), flags.On("all"), bare_type};
  if (NamesFiles(flags)) return ChooseByFiles(flags, arguments, connection, io);
  SMP_ASSIGN(const apply::ObjectQuery query, apply::ParseObjectArguments(arguments));
  kube::ResourceMapper mapper(connection.client.get());
  ChosenObjects out;
  out.by = query.names.empty() ? ChosenBy::kSelector : ChosenBy::kName;
  SMP_ASSIGN(out.objects, apply::SelectObjects(arguments, mapper, connection.target()));
  return out;
}

}  // namespace smp::cmd
