// Shared by the subcommands of last-applied, which work on the last-applied annotation (the "record") of objects.
#pragma once

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

namespace smp::cmd {

// Returns kubectl's error for the object `name` that has no last-applied annotation.
Error NoRecord(const std::string& name);

// Returns an error refused for an object that is applied server-side, and so has no annotation to change.
Status CheckHasRecord(const apply::Selected& selected);

// Returns the error with the object's name before its path.
Error About(const kube::ObjectRef& ref, Error error);

// Prints results in the format of -o: one line ("deployment.apps/web configured") or name per object, or all objects
// together at the end.
class DonePrinter {
 public:
  DonePrinter(ObjectFormat format, std::string_view suffix, Io& io)
      : format_(std::move(format)), suffix_(suffix), io_(io) {}

  void Done(const kube::ObjectRef& ref, std::string_view word, const Document& object);
  void Failed(const Error& error);
  // Returns the exit status. As in kubectl, objects are printed only if everything succeeded.
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

}  // namespace smp::cmd
