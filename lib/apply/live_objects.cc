#include "apply/live_objects.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/parallel.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int64_t kShortestPage = 100, kLongestPage = 500;  // items; 500 as in client-go and kubectl

bool MayBeListed(const GroupVersionKind& gvk) {
  const bool secret = gvk.group.empty() && gvk.kind == "Secret";
  return !secret && !kube::IsDefinition(gvk);
}

Error Absent(const kube::ObjectRef& ref) {
  return Error::NotFound(StrCat(ref.plural, " \"", ref.name, "\" not found"));
}

}  // namespace

void LiveObjects::ReadAhead(const std::vector<kube::ObjectRef>& wanted, int parallel) {
  std::map<std::string, std::vector<const kube::ObjectRef*>> groups;
  for (const kube::ObjectRef& ref : wanted) {
    if (MayBeListed(ref.gvk) && kube::CheckPathSegments(ref).ok())
      groups[kube::ObjectPath(kube::CollectionOf(ref))].push_back(&ref);
  }
  std::erase_if(groups, [](const auto& group) { return group.second.size() < kFewest; });
  std::vector<std::pair<kube::ObjectRef, Collection*>> lists;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [path, refs] : groups) {
      Collection& collection = collections_[path] = {};
      for (const kube::ObjectRef* ref : refs) collection.wanted.emplace(ref->name, true);
      lists.emplace_back(kube::CollectionOf(*refs.front()), &collection);
    }
  }
  ParallelFor(lists.size(), parallel, [&](size_t i) { Read(lists[i].first, *lists[i].second); });
}

void LiveObjects::Read(const kube::ObjectRef& collection, Collection& into) {
  into.read_at_ms = clock_.NowMs();
  kube::PageRequest request;
  request.limit = std::clamp(2 * static_cast<int64_t>(into.wanted.size()), kShortestPage, kLongestPage);
  for (;;) {
    const Result<Document> page = client_.ListPage(collection, request);
    if (!page.ok()) return;  // e.g. forbidden, or the token expired (410): a GET will report an error that matters
    const Value* items = page->root().Find("items");
    if (items == nullptr || !items->is_array()) return;
    for (const Value& item : items->Items()) {
      const std::string_view name = TextAt(item, {"metadata", "name"});
      if (into.wanted.contains(name)) into.objects.emplace(name, std::pair(*page, &item));
    }
    request.continue_token = TextAt(page->root(), {"metadata", "continue"});
    if (request.continue_token.empty()) {
      into.complete = true;
      return;
    }
    const auto missing = static_cast<int64_t>(into.wanted.size() - into.objects.size());
    if (IntAt(page->root(), {"metadata", "remainingItemCount"}) > kMostForeign * missing) return;
  }
}

void LiveObjects::GuessAhead(const std::vector<kube::ObjectRef>& supposed) {
  if (supposed.empty()) return;
  guessed_at_ms_ = clock_.NowMs();
  try {
    answers_ = std::async(std::launch::async, [this, supposed] { return client_.GetAll(supposed); }).share();
  } catch (const std::system_error&) {
    return;  // no thread: the objects are read one by one
  }
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < supposed.size(); ++i) guesses_.emplace(kube::ObjectPath(supposed[i]), i);
}

std::optional<LiveObjects::Listed> LiveObjects::Take(const kube::ObjectRef& ref) {
  std::unique_lock lock(mutex_);
  const auto guess = guesses_.extract(kube::ObjectPath(ref));
  lock.unlock();
  if (!guess) return TakeListed(ref);
  Result<Document> live = answers_.get()[guess.mapped()];
  const int64_t age_ms = clock_.NowMs() - guessed_at_ms_;
  // A GET of its own is repeated where that may help, and its error is told.
  const bool failed = !live.ok() && live.error().code != ErrorCode::kNotFound;
  if (failed || age_ms > kUsableMs) return std::nullopt;
  return Listed{std::move(live), age_ms > kFreshMs};
}

std::optional<LiveObjects::Listed> LiveObjects::TakeListed(const kube::ObjectRef& ref) {
  const std::lock_guard lock(mutex_);
  const auto collection = collections_.find(kube::ObjectPath(kube::CollectionOf(ref)));
  if (collection == collections_.end()) return std::nullopt;
  Collection& from = collection->second;
  const auto wanted = from.wanted.find(ref.name);
  if (wanted == from.wanted.end() || !std::exchange(wanted->second, false)) return std::nullopt;
  const int64_t age_ms = clock_.NowMs() - from.read_at_ms;
  if (age_ms > kUsableMs) return std::nullopt;
  const auto object = from.objects.find(ref.name);
  if (object != from.objects.end()) {
    const auto [page, item] = std::move(from.objects.extract(object).mapped());
    return Listed{kube::ItemOf(page, *item, ref.gvk), age_ms > kFreshMs};
  }
  if (!from.complete) return std::nullopt;
  return Listed{Absent(ref), age_ms > kFreshMs};
}

}  // namespace smp::apply
