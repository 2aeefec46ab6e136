#include "apply/copies.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "value/at.h"

namespace smp::apply {

namespace {

using Places = std::vector<size_t>;  // of one object, in Manifests::items

// One copy may leave out the namespace that the other states.
bool AreEqual(const Manifest& a, const Manifest& b) {
  Arena arena;
  return WithoutAt(a.document.root(), {"metadata"}, {"namespace"}, arena) ==
         WithoutAt(b.document.root(), {"metadata"}, {"namespace"}, arena);
}

// Returns "a.yaml:1, b.yaml:7", but not the first of them if `from` is 1.
std::string LinesOf(const Manifests& manifests, const Places& places, size_t from) {
  std::vector<std::string> lines;
  for (size_t i = from; i < places.size(); ++i) {
    lines.push_back(ToString(manifests.items[places[i]]->source()));
  }
  return NameSome(std::move(lines), kMostNamed);
}

Error Unequal(const Manifests& manifests, const Places& places) {
  const Manifest& first = *manifests.items[places.front()];
  Error error =
      Error::InvalidArgument(StrCat(Label(first.gvk, first.name), " is also in ", LinesOf(manifests, places, 1),
                                    ", with other content; remove all but one of them, or use "
                                    "--duplicates=last"));
  error.source = first.source();
  return error;
}

}  // namespace

Identity IdentityOf(const Manifest& manifest, const std::string& name_space) {
  return {manifest.gvk.group, manifest.gvk.kind, manifest.name_space.empty() ? name_space : manifest.name_space,
          manifest.name};
}

Folded FoldCopies(Manifests& manifests, const std::string& name_space, Copies copies) {
  std::map<Identity, Places> objects;
  for (size_t i = 0; i < manifests.items.size(); ++i) {
    if (manifests.items[i].ok()) objects[IdentityOf(*manifests.items[i], name_space)].push_back(i);
  }
  Folded out;
  std::vector<bool> goes(manifests.items.size());
  for (const auto& [identity, places] : objects) {
    if (places.size() < 2) continue;
    const Manifest& first = *manifests.items[places.front()];
    const bool equal = std::ranges::all_of(places, [&](size_t i) { return AreEqual(first, *manifests.items[i]); });
    const size_t stays = !equal && copies == Copies::kLast ? places.back() : places.front();
    for (const size_t i : places) {
      goes[i] = i != stays;
      if (equal && goes[i]) out.equal[identity].push_back(*manifests.items[i]);
    }
    if (equal || copies == Copies::kLast) {
      out.warnings.push_back(StrCat(Label(first.gvk, first.name), " is in ", LinesOf(manifests, places, 0),
                                    equal ? ", with the same content: one of them counts" : ": the last one counts"));
    } else {
      manifests.items[stays] = Unequal(manifests, places);
    }
  }
  std::vector<Result<Manifest>> kept;
  for (size_t i = 0; i < goes.size(); ++i) {
    if (!goes[i]) kept.push_back(std::move(manifests.items[i]));
  }
  manifests.items = std::move(kept);
  return out;
}

std::vector<std::string> CopiesLeftOut(const Manifests& chosen, const std::vector<Manifest>& left_out,
                                       const std::string& name_space) {
  std::map<Identity, std::vector<std::string>> places;
  for (const Manifest& manifest : left_out)
    places[IdentityOf(manifest, name_space)].push_back(ToString(manifest.source()));
  std::vector<std::string> warnings;
  for (const Result<Manifest>& manifest : chosen.items) {
    const auto at = manifest.ok() ? places.find(IdentityOf(*manifest, name_space)) : places.end();
    if (at == places.end()) continue;
    warnings.push_back(StrCat(ToString(manifest->source()), ": ", Label(manifest->gvk, manifest->name), " is also in ",
                              NameSome(at->second, kMostNamed), ", with labels that -l does not select"));
  }
  return warnings;
}

}  // namespace smp::apply
