#include "explain/image_words.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "value/image_reference.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kLongestTag = 24;  // bytes
constexpr std::string_view kDefaultRegistry = "docker.io";

using TwoImages = std::pair<ImageReference, ImageReference>;

// Fills in the registry and the folder that are meant where none is named.
ImageReference InFull(ImageReference image) {
  if (image.registry.empty() || image.registry == "index.docker.io") image.registry = kDefaultRegistry;
  const bool bare = image.registry == kDefaultRegistry && image.repository.find('/') == std::string::npos;
  if (bare) image.repository = StrCat("library/", image.repository);
  return image;
}

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

// Returns true where a tool that builds fills in the parts: REGISTRY/app:VERSION.
bool IsTemplate(const ImageReference& image) {
  const bool all_upper =
      !image.tag.empty() && std::ranges::all_of(image.tag, [](char c) { return IsUpper(c) || c == '_'; });
  return all_upper || std::ranges::any_of(image.registry, IsUpper) || std::ranges::any_of(image.repository, IsUpper);
}

std::optional<TwoImages> ParseBoth(std::string_view before, std::string_view after) {
  if (!IsImage(before) || !IsImage(after)) return std::nullopt;
  auto old_image = ParseImage(before), new_image = ParseImage(after);
  return TwoImages(InFull(*std::move(old_image)), InFull(*std::move(new_image)));
}

std::string BaseName(const ImageReference& image) { return image.repository.substr(image.repository.rfind('/') + 1); }

// Returns "quay.io/project" of "quay.io/project/app:1".
std::string Folder(const ImageReference& image) {
  const size_t slash = image.repository.rfind('/');
  return StrCat(image.registry, slash == std::string::npos ? "" : "/",
                image.repository.substr(0, slash == std::string::npos ? 0 : slash));
}

// Returns how many bytes of a tag are worth showing: of the hash of a commit, as many as git shows.
size_t ShownOf(std::string_view tag) {
  constexpr size_t kHash = 20, kShortHash = 10;
  size_t begin = 0;
  for (size_t i = 0; i < tag.size(); ++i) {
    if (!IsDigit(tag[i]) && (tag[i] < 'a' || tag[i] > 'f')) begin = i + 1;
    if (i + 1 - begin >= kHash) return begin + kShortHash;
  }
  return kLongestTag;
}

std::string TagInWords(const ImageReference& image) {
  if (!image.tag.empty()) return CutEnd(image.tag, ShownOf(image.tag));
  return image.digest.empty() ? "latest" : "a digest";
}

std::string TagsInWords(const ImageReference& before, const ImageReference& after) {
  if (before.tag != after.tag) {
    const std::string old_tag = TagInWords(before), new_tag = TagInWords(after);
    return old_tag == new_tag ? "new tag" : StrCat(old_tag, " → ", new_tag);
  }
  return std::string(before.digest == after.digest ? "" : kNewDigest);
}

std::string PlaceInWords(const ImageReference& before, const ImageReference& after) {
  if (before.registry != after.registry) return StrCat("new registry ", after.registry);
  return before.repository == after.repository ? "" : StrCat("new repository ", after.repository);
}

std::string NameWithTag(const ImageReference& image) {
  const std::string tag = image.tag.empty() && image.digest.empty() ? "" : StrCat(":", TagInWords(image));
  return StrCat(BaseName(image), tag);
}

constexpr std::string_view kDigits = "0123456789";

// Takes a number of a version off the text; nullopt for a text that begins with none.
std::optional<int64_t> TakeNumber(std::string_view& text) {
  const size_t end = std::min(text.size(), text.find_first_not_of(kDigits));
  const bool is_date = end + 1 < text.size() && text[end] == '-' && kDigits.find(text[end + 1]) != kDigits.npos;
  const bool is_version = end == text.size() || text[end] == '.' || (text[end] == '-' && !is_date);
  constexpr size_t kMostDigits = 3;  // more are of a date or of a commit
  if (!is_version || end == 0 || end > kMostDigits) return std::nullopt;
  const auto out = ParseInt64(text.substr(0, end));
  text.remove_prefix(end);
  return out;
}

struct Version {
  int64_t major = 0;
  std::optional<int64_t> minor;
};

// Returns the first numbers of a tag such as "v15.4" or "16-alpine"; nullopt for others.
std::optional<Version> VersionOf(std::string_view tag) {
  if (tag.starts_with('v')) tag.remove_prefix(1);
  const auto major = TakeNumber(tag);
  if (!major) return std::nullopt;
  Version out = {*major, std::nullopt};
  if (!tag.starts_with('.')) return out;
  tag.remove_prefix(1);
  out.minor = TakeNumber(tag);
  return out;
}

// Returns true for no tag, one without a number, and one such as "v1.37-latest": projects let them name other images over time.
bool Moves(std::string_view tag) {
  constexpr std::string_view kWords[] = {"canary", "edge", "latest", "nightly", "snapshot"};
  if (tag.find_first_of(kDigits) == tag.npos) return true;
  const std::string last = ToLower(tag.substr(tag.find_last_of("-._") + 1));
  return std::ranges::find(kWords, last) != std::end(kWords) || tag.starts_with("latest");
}

// Returns true for "mysql-operator" and "community-operator", which share a word: versions of other programs say nothing.
bool MayBeRenamed(std::string_view one, std::string_view other) {
  const auto words = Split(one, '-');
  return std::ranges::any_of(Split(other, '-'),
                             [&](const auto& word) { return std::ranges::find(words, word) != words.end(); });
}

// Returns the year of "2020.02" and "v20190415-bdf772f"; nullopt for other tags.
std::optional<int64_t> YearOf(std::string_view tag) {
  constexpr size_t kYear = 4, kDay = 8;  // digits
  if (tag.starts_with('v')) tag.remove_prefix(1);
  const size_t digits = std::min(tag.size(), tag.find_first_not_of(kDigits));
  const bool is_year = digits == kYear && tag.substr(kYear).starts_with('.');
  const bool is_day = digits == kDay && tag.substr(kYear, 2) <= "12" && tag.substr(kYear + 2, 2) <= "31";
  return tag.starts_with("20") && (is_year || is_day) ? ParseInt64(tag.substr(0, kYear)) : std::nullopt;
}

// Of versions that are dates, the next year is a small step.
VersionStep StepBetweenYears(int64_t before, int64_t after) {
  return after > before + 1 || after < before ? VersionStep::kMajor : VersionStep::kSmall;
}

bool IsOlder(const Version& version, const Version& than) {
  return std::tie(version.major, version.minor) < std::tie(than.major, than.minor);
}

VersionStep StepBetween(const Version& before, const Version& after) {
  if (before.major != after.major) return VersionStep::kMajor;
  if (!before.minor || !after.minor) return VersionStep::kSmall;
  if (*after.minor < *before.minor) return VersionStep::kOlder;
  return *after.minor > *before.minor + 1 ? VersionStep::kSkipsMinor : VersionStep::kSmall;
}

}  // namespace

std::string ChangeOfImage(std::string_view before, std::string_view after, std::string_view known) {
  const auto images = ParseBoth(before, after);
  if (!images) return {};
  const auto& [old_image, new_image] = *images;
  const std::string name = BaseName(new_image);
  if (BaseName(old_image) != name) {
    return StrCat(NameWithTag(old_image), " → ", NameWithTag(new_image));
  }
  std::vector<std::string> parts = {TagsInWords(old_image, new_image), PlaceInWords(old_image, new_image)};
  std::erase(parts, "");
  if (parts.empty()) return {};
  const bool has_tags = !TagsInWords(old_image, new_image).empty();
  return StrCat(name == known ? "" : StrCat(name, has_tags ? " " : ": "), Join(parts, ", "));
}

std::string ChangeOfPlace(std::string_view before, std::string_view after) {
  const auto images = ParseBoth(before, after);
  if (!images) return {};
  const auto& [old_image, new_image] = *images;
  if (old_image.registry != new_image.registry) return StrCat(old_image.registry, " → ", new_image.registry);
  const std::string from = Folder(old_image), to = Folder(new_image);
  const bool moved = from != to && BaseName(old_image) == BaseName(new_image);
  return moved ? StrCat(from, " → ", to) : "";
}

std::string ChangeOfTag(std::string_view before, std::string_view after) {
  const auto has_place_and_version = [](std::string_view image) {
    const size_t slash = image.rfind('/');
    return slash != image.npos && slash > 0 && image.find("://") == image.npos && image.find(':', slash) != image.npos;
  };
  if (!has_place_and_version(before) || !has_place_and_version(after)) return {};
  const auto images = ParseBoth(before, after);
  return images && BaseName(images->first) == BaseName(images->second) ? ChangeOfImage(before, after, "") : "";
}

bool IsImage(std::string_view text) {
  const auto image = ParseImage(text);
  return image.ok() && !IsTemplate(*image);
}

std::string RepositoryOf(std::string_view image) {
  if (!IsImage(image)) return {};
  const ImageReference full = InFull(*ParseImage(image));
  return StrCat(full.registry, "/", full.repository);
}

std::string NameOfImage(std::string_view image) {
  const auto parsed = ParseImage(image);
  return parsed.ok() ? NameWithTag(*parsed) : std::string(image);
}

std::string MovingImage(std::string_view image) {
  const auto parsed = ParseImage(image);
  if (!parsed.ok() || !parsed->digest.empty() || !Moves(parsed->tag)) return {};
  return StrCat(BaseName(*parsed), ":", TagInWords(*parsed));
}

ChangeOfVersion DescribeVersions(std::string_view before, std::string_view after) {
  const auto images = ParseBoth(before, after);
  if (!images) return {};
  const auto& [old_image, new_image] = *images;
  const auto from = VersionOf(old_image.tag), to = VersionOf(new_image.tag);
  const auto old_year = YearOf(old_image.tag), new_year = YearOf(new_image.tag);
  if ((!from || !to) && (!old_year || !new_year)) return {};
  const std::string old_name = BaseName(old_image), new_name = BaseName(new_image);
  const VersionStep step = from && to ? StepBetween(*from, *to) : StepBetweenYears(*old_year, *new_year);
  if (old_name != new_name && !MayBeRenamed(old_name, new_name)) return {};
  const std::string name_between = old_name == new_name ? "" : StrCat(new_name, " ");
  const bool is_older = old_name == new_name && from && to && IsOlder(*to, *from);
  if (step == VersionStep::kOlder && !is_older) return {};  // another program may have other versions
  return {step, StrCat(old_name, " ", TagInWords(old_image), " → ", name_between, TagInWords(new_image),
                       is_older && step != VersionStep::kOlder ? ", which is older" : "")};
}

VersionStep StepOfVersions(std::string_view before, std::string_view after) {
  const auto from = VersionOf(before), to = VersionOf(after);
  return from && to ? StepBetween(*from, *to) : VersionStep::kSmall;
}

std::string ChangeOfProgram(std::string_view before, std::string_view after) {
  const auto images = ParseBoth(before, after);
  if (!images) return {};
  const auto& [old_image, new_image] = *images;
  const auto has_version = [](const ImageReference& image) { return !image.tag.empty() || !image.digest.empty(); };
  if (!has_version(old_image) || !has_version(new_image)) return {};  // hardly images
  if (MayBeRenamed(BaseName(old_image), BaseName(new_image))) return {};
  return StrCat(NameWithTag(old_image), " → ", NameWithTag(new_image));
}

std::string ChangeFromMovingTag(std::string_view before, std::string_view after) {
  const auto images = ParseBoth(before, after);
  if (!images || MovingImage(before).empty() || !MovingImage(after).empty()) return {};
  const auto& [old_image, new_image] = *images;
  const bool same_program = BaseName(old_image) == BaseName(new_image);
  if (!same_program || !VersionOf(new_image.tag)) return {};
  return StrCat(BaseName(new_image), " ", TagInWords(old_image), " → ", TagInWords(new_image));
}

}  // namespace smp::explain
