// Container image references: [REGISTRY/]REPOSITORY[:TAG][@DIGEST], by the grammar of the distribution project.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

struct ImageReference {
  std::string registry;  // the part before the first slash if it has a dot or colon or is "localhost"; else ""
  std::string repository;
  std::string tag;
  std::string digest;
};

// Error: parse, with the reason why the text is not an image reference.
Result<ImageReference> ParseImage(std::string_view text);
std::string ToString(const ImageReference& image);

bool IsTag(std::string_view text);
bool IsDigest(std::string_view text);

}  // namespace smp
