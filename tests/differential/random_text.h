// Random texts for the differential tests of values: YAML and JSON from grammars whose words are the nasty ones,
// changed manifests, and random values to be written. What a Dice made is decided by its seed.
#pragma once

#include <random>
#include <string>

#include "value/document.h"

namespace smp {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t n) { return random_() % n; }
  bool Chance(int percent) { return Below(100) < static_cast<uint64_t>(percent); }
  template <class Range>
  const auto& Pick(const Range& range) {
    return std::data(range)[Below(std::size(range))];
  }

 private:
  std::mt19937_64 random_;
};

// One document; most are valid, some are not.
std::string RandomYaml(Dice& dice);
// One value; most are valid, some are not.
std::string RandomJson(Dice& dice);
// The text with a few characters, words or lines changed, added, removed, doubled, moved, or indented otherwise.
std::string Mutated(std::string text, Dice& dice);
// Any kinds, any strings (invalid UTF-8 too), any finite numbers.
Value RandomValue(Dice& dice, int depth, Arena& arena);

}  // namespace smp
