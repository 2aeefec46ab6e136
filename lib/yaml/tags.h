// Tags in their long form, and the directives (%YAML, %TAG) that say what their handles mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp::yaml {

inline constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";  // what !! means

class TagHandles {
 public:
  // Of the next document there are none.
  void Clear() { *this = TagHandles(); }
  // `line` begins with %. Returns why it cannot be read; empty if it can.
  std::string_view AddDirective(std::string_view line);

  // `!!str` → tag:yaml.org,2002:str in `out`. Returns why the tag cannot be read; empty if it can.
  std::string_view Expand(std::string_view tag, std::string& out) const;

 private:
  struct Handle {
    std::string name;
    std::string prefix;
  };

  std::string_view AddVersion(std::string_view value);
  std::string_view AddHandle(std::string_view value);
  const Handle* Find(std::string_view name) const;

  bool has_version_ = false;
  std::vector<Handle> handles_;
};

}  // namespace smp::yaml
