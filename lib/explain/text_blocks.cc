#include "explain/text_blocks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/own_name.h"
#include "explain/style.h"
#include "explain/text_managers.h"
#include "explain/text_rows.h"

namespace smp::explain {

namespace {

// Returns true if it says enough to be worth a block for several objects.
bool CanShare(const ObjectReport& object) { return object.action != Action::kUnchanged && !object.kind.empty(); }

}  // namespace

size_t Bodies::Add(const ObjectReport& object, const AboutRows& about, const TextOptions& options) {
  const std::string container = OnlyContainer(object);
  const Keys keys = KeysOf(object, about, container, options);
  const std::optional<Same> same = CanShare(object) ? FindSame(keys) : std::nullopt;
  if (!same) {
    bodies_.push_back({PrintBody(object, {}, options), "", container});
    equal_[keys.equal] = by_name_[keys.by_name] = bodies_.size() - 1;
    return bodies_.size() - 1;
  }
  Share(bodies_[same->body], object, container, same->names, options);
  return same->body;
}

// Nothing is cut or folded: changes that only begin alike are not the same.
Bodies::Keys Bodies::KeysOf(const ObjectReport& object, const AboutRows& about, std::string_view container,
                            TextOptions options) {
  options.wide = true;
  LeftOut left_out = {.lines = true, .container = !container.empty()};
  const std::string head = StrCat(ActionName(object.action), about.says_who_applied ? "!" : ".");
  const std::string equal = PrintBody(object, left_out, options);
  const std::string key = StrCat(head, Sha256(equal));
  if (object.name.empty() || equal.find(object.name) == equal.npos) return {key, key};
  left_out.name = true;
  return {key, StrCat(head, Sha256(PrintBody(object, left_out, options)))};
}

std::optional<Bodies::Same> Bodies::FindSame(const Keys& keys) const {
  const auto equal = equal_.find(keys.equal), by_name = by_name_.find(keys.by_name);
  if (equal != equal_.end() && bodies_[equal->second].names != Body::Names::kLeftOut) {
    return Same{equal->second, Body::Names::kAny};
  }
  if (by_name != by_name_.end() && bodies_[by_name->second].names != Body::Names::kAny) {
    return Same{by_name->second, Body::Names::kLeftOut};
  }
  return std::nullopt;
}

void Bodies::Share(Body& body, const ObjectReport& object, const std::string& container, Body::Names names,
                   const TextOptions& options) {
  const bool other_container = body.container != container && !body.container.empty();
  if (body.alone.empty() && !other_container) return;
  body = {
      "",
      PrintBody(object, {.lines = true, .container = other_container, .name = names == Body::Names::kLeftOut}, options),
      other_container ? "" : body.container, names};
}

namespace {

// Objects of one action with the same changes, as indices of bodies say.
std::vector<ShownList> Blocks(const ShownList& objects) {
  std::vector<ShownList> out;
  std::map<size_t, size_t> places;
  for (const ShownObject& shown : objects) {
    const auto [at, is_new] = places.try_emplace(shown.told->body, out.size());
    if (is_new) out.emplace_back();
    out[at->second].push_back(shown);
  }
  return out;
}

// Returns "3 Deployments: will change, the same 2 changes in default/a, default/b and 1 more" and a newline.
std::string SharedHead(const ShownList& objects, const Body& body, const TextOptions& options) {
  const ObjectReport& first = *objects.front().object;
  const AboutRows& about = objects.front().told->about;
  const bool refused = first.action == Action::kError;  // its changes are not all told
  const std::string same = about.changes == 0 || refused ? ""
                           : about.changes == 1          ? ", the same change"
                                                         : StrCat(", the same ", about.changes, " changes");
  const bool one_kind = OneKind(ReportsOf(objects));
  return As(Role::kHeading,
            PrintWrapped(StrCat(refused ? "! " : "", NumberAndKind(ReportsOf(objects)), ": ", about.action, same,
                                refused ? ": " : " in ",
                                refused ? NamesByKind(ReportsOf(objects), objects.size())
                                        : NamesIn(ReportsOf(objects), one_kind ? Kinds::kHide : Kinds::kShow, kNamed),
                                body.has_placeholder() ? StrCat("; ", kOwnName, ": its own name") : ""),
                         0, options));
}

// --- remarks that several objects have

using Counts = std::map<std::string, ShownList>;

Counts ObjectsByRemark(const ShownList& objects) {
  Counts out;
  for (const ShownObject& shown : objects) {
    for (const std::string& remark : Remarks(*shown.object)) out[remark].push_back(shown);
  }
  return out;
}

// Returns the lines about remarks that more than one object has.
std::string PrintShared(const Counts& remarks, const TextOptions& options) {
  std::string out;
  for (const auto& [remark, objects] : remarks) {
    if (objects.size() < 2) continue;
    out += As(Role::kWarning, PrintWrapped(StrCat(remark, " (", objects.size(),
                                                  " objects: ", NamesIn(ReportsOf(objects), Kinds::kShow, kNamed), ")"),
                                           0, options));
  }
  return out.empty() ? "" : out + "\n";
}

std::string PrintBlock(const ShownList& objects, const Bodies& bodies, const Counts& remarks,
                       const TextOptions& options) {
  const Told& told = *objects.front().told;
  const Body& body = bodies[told.body];
  const bool alone = objects.size() == 1;
  std::string out =
      alone ? PrintHead(*objects.front().object, told.about.action, options) : SharedHead(objects, body, options);
  for (const ShownObject& shown : objects) {
    for (const std::string& remark : Remarks(*shown.object)) {
      if (remarks.at(remark).size() > 1) continue;
      out += As(Role::kWarning,
                PrintWrapped(StrCat(alone ? "" : StrCat(NameOf(*shown.object), ": "), remark), 2, options));
    }
  }
  out += StrCat(alone ? body.alone : body.shared, PrintFieldsOfOthers(ReportsOf(objects), options));
  return told.about.says_who_applied ? StrCat(out, PrintWrapped(LastApplied(ReportsOf(objects)), 2, options)) : out;
}

}  // namespace

std::string PrintBlocks(const ShownList& objects, const Bodies& bodies, const TextOptions& options) {
  const Counts remarks = ObjectsByRemark(objects);
  std::string out = PrintShared(remarks, options);
  bool bare = false;
  for (const ShownList& block : Blocks(objects)) {
    const std::string text = PrintBlock(block, bodies, remarks, options);
    const bool only_head = std::count(text.begin(), text.end(), '\n') == 1;
    if (bare && only_head) out.pop_back();
    out += text + "\n";
    bare = only_head;
  }
  return out;
}

}  // namespace smp::explain
