// Fields that apply shall leave as live has them, whatever the manifest says (--keep-live). They are put into the object
// that the plan compares with live, so that the plan, its proof and its explanation find no difference there.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "smp/diff.h"
#include "smp/managed_fields.h"
#include "value/document.h"
#include "value/path.h"

namespace smp {

struct KeepPath {
  PathPattern pattern;
  std::string by;         // who asks for it: "--keep-live"
  std::string text = {};  // the path as it was written
};

// A field that the plan would have changed. Points into the three objects. nullptr: absent.
struct KeptField {
  FieldPath path;
  std::string by;
  const Value* original = nullptr;
  const Value* modified = nullptr;
  const Value* live = nullptr;
  std::vector<FieldManager> owners;  // in live
};

struct KeptLive {
  Document desired;
  std::vector<KeptField> fields;    // in the order of the paths
  std::vector<KeepPath> unmatched;  // name nothing in any of the three objects
};

// Returns `desired`, whose root is `input.modified`, with the values of live at `paths`: what live lacks is left out, and
// what the plan would delete is put in. A list item that live or the manifest lacks stays or goes as a whole, as the plan
// has it, unless a path names the item itself or something above it.
// Error: refused, for a field that identifies the object, and for a part of a list that is replaced as a whole.
//
// `how`: with kServerSide, `input.original` is what of live only we own (OwnedByUsAlone), and live's values at `paths` are left out but for
// this part: what others own stays as it is without us, and our apply would make it ours, too, and refuse the next one of its owner.
enum class KeepHow { kClientSide, kServerSide };
Result<KeptLive> KeepLive(const Document& desired, const DiffInput& input, const std::vector<KeepPath>& paths,
                          KeepHow how = KeepHow::kClientSide);

}  // namespace smp
