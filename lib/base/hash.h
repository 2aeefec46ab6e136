// Hash values with a random key of this process, so that nobody can choose texts or numbers that collide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace smp {

size_t HashNumber(uint64_t number);
size_t HashText(std::string_view text);

struct TextHash {
  size_t operator()(std::string_view text) const { return HashText(text); }
};

struct NumberHash {
  size_t operator()(uint64_t number) const { return HashNumber(number); }
};

// Maps and sets whose keys come from manifests, servers or users.
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash>;
template <class Value>
using ViewMap = std::unordered_map<std::string_view, Value, TextHash>;
using ViewSet = std::unordered_set<std::string_view, TextHash>;

}  // namespace smp
