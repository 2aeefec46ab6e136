#include "smp/comparable_answer.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "smp/service.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp {

namespace {

class Answer {
 public:
  explicit Answer(Arena& arena) : arena_(arena) {}

  Value Of(const Value& answer, const Value* live, const Value& read) {
    if (live == nullptr) new_uid_ = TextAt(answer, {"metadata", "uid"});
    const Value marked = Marked(answer, &read);
    std::vector<Member> metadata;
    Add(
        marked, [](std::string_view name) { return !IsServerMetadata(name); }, metadata);
    if (live != nullptr) Add(*live, IsServerMetadata, metadata);
    const Value out = WithAt(marked, {"metadata"}, arena_.Object(std::move(metadata)), arena_);
    return live == nullptr ? WithoutLastApplied(out) : out;
  }

 private:
  static void Add(const Value& object, bool (*wanted)(std::string_view), std::vector<Member>& out) {
    const Value* metadata = object.Find("metadata");
    if (metadata == nullptr || !metadata->is_object()) return;
    std::copy_if(metadata->Members().begin(), metadata->Members().end(), std::back_inserter(out),
                 [wanted](const Member& m) { return wanted(m.name); });
  }

  Value WithoutLastApplied(const Value& object) const {
    const Value out = WithoutAt(object, {"metadata", "annotations"}, {kLastAppliedAnnotation}, arena_);
    const Value* annotations = out.FindPath({"metadata", "annotations"});
    const bool none = annotations != nullptr && annotations->empty();
    return none ? WithoutAt(out, {"metadata"}, {"annotations"}, arena_) : out;
  }

  // The selector of a Job has its uid, which is another one each time.
  bool IsNewUid(const Value& value) const {
    return !new_uid_.empty() && value.is_string() && value.AsString() == new_uid_;
  }

  // `read`: nullptr where reading shows nothing. Recursion depth: that of `answer`.
  Value Marked(const Value& answer, const Value* read) const {
    if ((read != nullptr && IsChosenByServer(*read)) || IsNewUid(answer)) return ChosenByServer();
    if (answer.is_scalar()) return answer;
    if (read != nullptr && read->kind() != answer.kind()) read = nullptr;
    return answer.is_object() ? MarkedMap(answer, read) : MarkedList(answer, read);
  }

  Value MarkedMap(const Value& answer, const Value* read) const {
    std::vector<Member> members;
    for (const Member& m : answer.Members()) {
      members.push_back({m.name, Marked(m.value, read == nullptr ? nullptr : read->Find(m.name))});
    }
    return arena_.SortedObject(members);
  }

  Value MarkedList(const Value& answer, const Value* read) const {
    std::vector<Value> items;
    for (size_t i = 0; i < answer.size(); ++i) {
      const bool known = read != nullptr && i < read->size();
      items.push_back(Marked(answer.Items()[i], known ? &read->Items()[i] : nullptr));
    }
    return arena_.Array(items);
  }

  std::string_view new_uid_;
  Arena& arena_;
};

}  // namespace

Value ComparableAnswer(const Value& answer, const Value* live, const Value& read, Arena& arena) {
  return Answer(arena).Of(answer, live, read);
}

}  // namespace smp
