#include "smp/foretold_object.h"

#include <string_view>
#include <vector>

#include "smp/defaulting.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp {

namespace {

// The same place in live, in live as the server would store it, and in the outcome as it will be stored. nullptr: absent.
struct Sides {
  const Value* live;
  const Value* usual;
  const Value* after;

  bool are(Kind kind) const {
    return live != nullptr && usual != nullptr && after != nullptr && live->kind() == kind && usual->kind() == kind &&
           after->kind() == kind;
  }
};

// Returns `after`, with what does not change as live has it. nullptr: absent.
const Value* Settled(const Sides& at, Arena& arena);

Value SettledMap(const Sides& at, Arena& arena) {
  std::vector<Member> out;
  const auto add = [&](std::string_view name, const Value* after) {
    const Value* settled = Settled({at.live->Find(name), at.usual->Find(name), after}, arena);
    if (settled != nullptr) out.push_back({name, *settled});
  };
  for (const Member& member : at.after->Members()) add(member.name, &member.value);
  // What AsStored leaves out of both, such as a null, stays.
  for (const Member& member : at.live->Members()) {
    if (at.after->Find(member.name) == nullptr) add(member.name, nullptr);
  }
  return arena.Object(std::move(out));
}

Value SettledList(const Sides& at, Arena& arena) {
  std::vector<Value> out;
  for (size_t i = 0; i < at.after->size(); ++i) {
    out.push_back(*Settled({&at.live->Items()[i], &at.usual->Items()[i], &at.after->Items()[i]}, arena));
  }
  return arena.Array(out);
}

const Value* Settled(const Sides& at, Arena& arena) {
  if (SameOrBothAbsent(at.usual, at.after)) return at.live;
  if (at.are(Kind::kObject)) return arena.Keep(SettledMap(at, arena));
  const bool same_length =
      at.are(Kind::kArray) && at.live->size() == at.usual->size() && at.usual->size() == at.after->size();
  return same_length ? arena.Keep(SettledList(at, arena)) : at.after;
}

}  // namespace

Value ForetoldObject(const VerifiedPatch& patch, const Value& live, const Schema& schema, TypeId type, Arena& arena) {
  const Place place = PlaceOfObject(schema, type);
  const Value* after = arena.Keep(AsStored(patch.outcome.root(), &live, place, arena));
  const Value* usual = arena.Keep(AsStored(live, &live, place, arena));
  return *Settled({&live, usual, after}, arena);
}

Value StoredAnew(const Value& created, const Value& live, const Place& place, Arena& arena) {
  const auto is_headless = [](const Value& service) { return TextAt(service, {"spec", "clusterIP"}) == "None"; };
  const Value* families = live.FindPath({"spec", "ipFamilies"});
  const bool stays = live.StringOr("kind") == "Service" && live.StringOr("apiVersion") == "v1" && families != nullptr &&
                     TextAt(live, {"spec", "ipFamilyPolicy"}) == "SingleStack" && !is_headless(live) &&
                     !is_headless(created) && created.FindPath({"spec", "ipFamilies"}) == nullptr;
  return AsStored(stays ? WithAt(created, {"spec", "ipFamilies"}, *families, arena) : created, nullptr, place, arena);
}

Value WithoutServerFields(const Value& object, Arena& arena) {
  return WithoutAt(WithoutAt(object, {}, {"status"}, arena), {"metadata"}, kServerMetadata, arena);
}

}  // namespace smp
