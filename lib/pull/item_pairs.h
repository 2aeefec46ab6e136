// ItemPairs: which items of a list without keys became which of another one, so that what the file has of an item (its
// lines, comments and spelling) stays with it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "value/value.h"

namespace smp::pull {

// Returns for each item of `after` the position of the item of `before` that it is, or that it takes the place of; nullopt
// if it is new. Equal items are the same one, wherever they are. The others, between two that stay, keep their order, and
// are paired so that the pairs have most in common. Very many of them in a row are paired by their places alone, so that
// the time is bounded.
std::vector<std::optional<size_t>> PairItems(std::span<const Value> before, std::span<const Value> after);

}  // namespace smp::pull
