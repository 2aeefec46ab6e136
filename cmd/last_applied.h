// What the subcommands of last-applied share.
#ifndef SMP_CMD_LAST_APPLIED_H_
#define SMP_CMD_LAST_APPLIED_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/record.h"
#include "apply/selection.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "cmd/object_printer.h"

namespace smp {

// "deployment.apps/web", as it may be printed.
std::string LabelOf(const ObjectRef& ref);

// kubectl's words for an object without the annotation.
Error NoRecord(const std::string& name);

Flag FieldManagerFlag();

// Prints what became of objects: a line each ("deployment.apps/web configured"), their names, or at the end the
// objects.
class DonePrinter {
 public:
  DonePrinter(ObjectFormat format, std::string_view suffix, Io& io)
      : format_(std::move(format)), suffix_(suffix), io_(io) {}

  void Done(const ObjectRef& ref, std::string_view word, const Document& object);
  void Failed(const Error& error);
  // The exit status. As kubectl, objects are printed only when all went well.
  int Finish();

  bool prints_lines() const { return format_.form == ObjectForm::kNotGiven; }
  std::string_view suffix() const { return suffix_; }
  Io& io() { return io_; }

 private:
  ObjectFormat format_;
  std::string suffix_;  // " (dry run)"
  Io& io_;
  bool failed_ = false;
  std::vector<Document> objects_;
};

}  // namespace smp

#endif  // SMP_CMD_LAST_APPLIED_H_
