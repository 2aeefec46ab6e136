#include "explain/changed_hosts.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/changed_in_live.h"
#include "explain/inner_changes.h"
#include "explain/pod_facts.h"
#include "explain/row_values.h"
#include "value/at.h"

namespace smp::explain {

namespace {

bool IsPort(std::string_view text) {
  constexpr size_t kMostDigits = 5;
  return !text.empty() && text.size() <= kMostDigits &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool IsOfHostName(unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '.'; }

bool IsHostName(std::string_view text) {
  return std::ranges::all_of(text, IsOfHostName) && !text.empty() &&
         std::islower(static_cast<unsigned char>(text.front())) != 0;
}

// Returns "db" of "postgres://me@db:5432/shop" and of "db:5432"; "" of other texts, and of several lines.
std::string_view HostOf(const Value* value) {
  if (value == nullptr || !value->is_string() || value->AsString().find('\n') != std::string_view::npos) return {};
  std::string_view text = value->AsString();
  const size_t scheme = text.find("://");
  const size_t colon = text.rfind(':');
  if (scheme == text.npos) {
    const bool is_host = colon != text.npos && IsPort(text.substr(colon + 1)) && IsHostName(text.substr(0, colon));
    return is_host ? text.substr(0, colon) : std::string_view();
  }
  constexpr std::string_view kOfBuckets[] = {"file", "gs", "oci", "s3", "s3a"};
  if (std::ranges::find(kOfBuckets, text.substr(0, scheme)) != std::end(kOfBuckets)) return {};
  text.remove_prefix(scheme + 3);
  text = text.substr(0, text.find_first_of("/?,"));
  text.remove_prefix(text.rfind('@') + 1);
  return text.substr(0, text.rfind(':'));
}

// The hosts of Services, and where they are named: "args", "DB_URL".
using HostsOfPods = std::map<std::string, std::string, std::less<>>;

void AddHostsIn(std::string_view text, const std::string& where, HostsOfPods& out) {
  constexpr std::string_view kService = ".svc", kDomain = ".cluster.local";
  for (size_t at = text.find(kService); at != text.npos; at = text.find(kService, at + 1)) {
    size_t begin = at, end = at + kService.size();
    while (begin > 0 && IsOfHostName(text[begin - 1])) --begin;
    if (text.substr(end).starts_with(kDomain)) end += kDomain.size();
    const bool ends = end == text.size() || !IsOfHostName(text[end]);
    const bool is_path = begin > 0 && text[begin - 1] == '/' && (begin == 1 || text[begin - 2] != '/');
    if (ends && !is_path) out.emplace(text.substr(begin, end - begin), where);
  }
}

HostsOfPods HostsOf(const Value& object) {
  HostsOfPods out;
  const Value* pod = object.is_object() ? PodSpecOf(object) : nullptr;
  if (pod == nullptr) return out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(*pod, {list})) {
      for (const std::string_view field : {"command", "args"}) {
        for (const std::string& text : TextsAt(container, {field})) AddHostsIn(text, std::string(field), out);
      }
      for (const Value& variable : ItemsAt(container, {"env"})) {
        AddHostsIn(TextAt(variable, {"value"}), std::string(TextAt(variable, {"name"})), out);
      }
    }
  }
  return out;
}

void AddHostsInside(const ReportRow& row, std::vector<ChangedHost>& out) {
  const Value *before = ValueBefore(row), *after = ValueAfter(row);
  if (before == nullptr || after == nullptr || !IsShortDocument(*before) || !IsShortDocument(*after)) return;
  const auto inside = ChangesInside(*before, *after);
  if (!inside) return;
  std::optional<ChangedInLive> in_live;  // of most texts, no host changes
  for (const NestedChange& change : inside->changes) {
    const std::string_view old = HostOf(change.before), now = HostOf(change.after);
    if (old.empty() || now.empty() || old == now) continue;
    if (!in_live) {
      in_live.emplace(row.original, *before);
      in_live->NoteMoves(inside->changes);
    }
    out.push_back({.before = std::string(old),
                   .after = std::string(now),
                   .field = StrCat(FieldInWords(row.path), " ", ToString(change.path)),
                   .row = &row,
                   .is_undone = in_live->Has(change.path)});
  }
}

}  // namespace

std::vector<ChangedHost> ChangedHosts(const ObjectReport& object) {
  std::vector<ChangedHost> out;
  for (const ReportRow& row : object.rows) {
    const bool is_setting = row.path.size() > 1 && (row.path[0].name == "data" || row.path.back().name == "value");
    if (row.op != RowOp::kSet || !is_setting || row.masked) continue;
    const std::string_view before = HostOf(ValueBefore(row)), after = HostOf(ValueAfter(row));
    if (before.empty() || after.empty()) {
      AddHostsInside(row, out);
    } else if (before != after) {
      out.push_back({std::string(before), std::string(after), FieldInWords(row.path), &row});
    }
  }
  return out;
}

std::pair<std::string, std::string> ServiceOf(std::string_view host, const std::string& name_space) {
  constexpr std::string_view kService = ".svc", kDomain = ".svc.cluster.local";
  if (!IsHostName(host) || host == "localhost") return {};
  if (host.find('.') == host.npos) return {name_space, std::string(host)};
  const std::string_view suffix = host.ends_with(kDomain) ? kDomain : host.ends_with(kService) ? kService : "";
  const std::string_view name = host.substr(0, host.size() - suffix.size());
  const size_t dot = name.find('.');
  const bool is_service = !suffix.empty() && dot != name.npos && name.find('.', dot + 1) == name.npos;
  if (!is_service) return {};
  return {std::string(name.substr(dot + 1)), std::string(name.substr(0, dot))};
}

std::vector<NamedObject> NamedServices(const ObjectReport& object) {
  std::vector<NamedObject> out;
  for (const ChangedHost& host : ChangedHosts(object)) {
    auto [name_space, name] = ServiceOf(host.after, object.name_space);
    if (name.empty()) continue;
    out.push_back({"Service", std::move(name_space), std::move(name), StrCat(host.field, " ", host.after)});
  }
  return out;
}

std::vector<NamedObject> ServicesOfNewPods(const Value& before, const Value& after,
                                           const std::vector<NamedObject>& known) {
  std::vector<NamedObject> out;
  const HostsOfPods were = HostsOf(before);
  for (const auto& [host, where] : HostsOf(after)) {
    auto [name_space, name] = ServiceOf(host, "");
    const bool is_known = were.contains(host) || std::ranges::any_of(known, [&](const NamedObject& one) {
                            return one.kind == "Service" && one.name == name && one.name_space == name_space;
                          });
    if (!name.empty() && !is_known)
      out.push_back({"Service", std::move(name_space), std::move(name), StrCat(where, " ", host)});
  }
  return out;
}

}  // namespace smp::explain
