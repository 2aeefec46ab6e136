// Expands tags to their long form, using the handles that %TAG directives define. Also checks %YAML directives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp::yaml {

inline constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";  // what !! means

class TagHandles {
 public:
  // Forgets all directives, for the next document.
  void Clear() { *this = TagHandles(); }
  // Reads a directive. Returns why it is invalid; empty if it is valid. REQUIRES: `line` begins with %.
  std::string_view AddDirective(std::string_view line);

  // Sets `out` to the long form: `!!str` → tag:yaml.org,2002:str. Returns why the tag is invalid; empty if it is valid.
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
