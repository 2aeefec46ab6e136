// Prints a report for people: what was refused, then one block per object that changes, with a line for each change, and
// last the names of these objects. Everything from files and servers is escaped. Errors are only counted; the caller
// prints them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "explain/report.h"
#include "explain/style.h"

namespace smp::explain {

struct TextOptions {
  size_t width = 80;       // columns
  bool wide = false;       // cut and fold nothing
  size_t most_lines = 40;  // of one value that changes; what differs beyond them is counted
  bool unchanged = false;  // also list the objects that do not change
  bool legend = false;     // explain the reasons that occur
  Color color = Color::kNo;
  std::string directory = {};  // names of files below it are shown relative to it
};

// Prints a report object by object. Of the rows of an object only their lines are kept, so that the caller can free them,
// with the documents that they point into (ForgetRows), before it explains the next object.
class TextPrinter {
 public:
  explicit TextPrinter(TextOptions options);
  ~TextPrinter();

  // Adds the next object of the report.
  void Add(const ObjectReport& object);

  // Returns the text. REQUIRES: the objects of the report begin with those that were added, in this order. Adds the
  // others.
  std::string Print(const Report& report);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

std::string PrintText(const Report& report, const TextOptions& options = {});

}  // namespace smp::explain
