#include "cmd/write_file.h"

#include "base/read_file.h"
#include "base/replace_file.h"
#include "base/strings.h"
#include "value/json.h"

namespace smp::cmd {

Status WriteIfUnchanged(const std::string& file, std::string_view before, std::string_view after) {
  SMP_ASSIGN(const std::string now, ReadWholeFile(file, kMaxInputBytes, "the file"));
  if (now != before) {
    return Error::Refused(StrCat(file, " changed since it was read, and was not written; run the command again"));
  }
  return ReplaceFile(file, after);
}

}  // namespace smp::cmd
