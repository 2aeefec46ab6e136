// What apply and explain-diff say of files that earlier runs of --force left because they were killed (apply/old_object.h), and when
// apply removes them.
#pragma once

#include <vector>

#include "apply/manifests.h"
#include "apply/old_object.h"
#include "apply/pipeline.h"
#include "apply/prune.h"
#include "cmd/connection.h"
#include "cmd/io.h"

namespace smp::cmd {

class LeftFiles {
 public:
  // Finds them. Call before the first object is read: a file that appears later is of another run.
  explicit LeftFiles(const Connection& connection);

  // Call with each result of an apply that is no dry run. `keeps`: fields are kept as live has them (--keep-live).
  void AddResult(const apply::ObjectResult& result, bool keeps);
  // Removes the files of objects that have been applied, and says for each other one what to do.
  void Settle(Io& io) const;

 private:
  std::string Advice(const std::string& path, const Result<kube::ObjectRef>& ref) const;

  const Connection& connection_;
  const std::vector<apply::LeftFile> files_;
  apply::Applied applied_;
};

}  // namespace smp::cmd
