// Lint: mistakes in manifests, found before any request.
//
//   Linter linter({});
//   for (const auto& [name, text] : texts) linter.Add(name, text);
//   SMP_TRY(linter.Check({}, {1, 36}));
//   const Report report = std::move(linter).Finish();
//
//   texts → SourceFile (trees with places) + objects (values)     source_file.h, object.h
//   kinds → the schema of each object                             kinds.h
//   rules → findings, each at a value                             checks.h, input_rules.h, live_rules.h; rules.txt
//   comments, flags → which of them count                         suppression.h
//   safe edits → new texts, proved                                fixes.h
//   report → text, JSON, SARIF, annotations                       print.h
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apply/prepare.h"
#include "base/result.h"
#include "lint/checks.h"
#include "lint/finding.h"
#include "lint/kinds.h"
#include "lint/object.h"
#include "lint/sink.h"
#include "lint/source_file.h"

namespace smp::lint {

struct Options {
  std::string name_space = {};  // of objects that state none
  // Severities instead of the rules' own, by code; nullopt: the rule is off.
  std::map<std::string, std::optional<Severity>, std::less<>> severities = {};
};

struct Report {
  std::deque<SourceFile> files;  // in input order
  std::deque<Object> objects;
  std::vector<Finding> findings;          // by file and place
  std::vector<Finding> suppressed;        // by comments
  size_t Count(Severity severity) const;  // of findings that were not fixed
};

class Linter {
 public:
  explicit Linter(Options options) : options_(std::move(options)) {}

  // Adds a text of the input.
  void Add(std::string name, std::string text);
  const std::deque<Object>& objects() const { return report_.objects; }

  // Runs the rules that need no live objects. `release`: of Kubernetes, that the manifests are for. Errors: those of
  // Kinds::Find.
  Status Check(const Schemas& schemas, const Release& release);

  // Runs the rules about a strategic merge patch of an object of this kind: about each document that was added. Errors: those of
  // Kinds::Find; schema, if nobody knows the kind.
  Status CheckAsPatch(const Schemas& schemas, const Release& release, const GroupVersionKind& gvk);

  // Returns the objects, as their indices in objects(), in which no error was found, which can be compared with live.
  std::vector<size_t> WithoutErrors() const;
  // Adds what is found in an object that would be applied like this. REQUIRES: Check was before it.
  void CheckLive(size_t object, const apply::Prepared& prepared);

  // Leaves out what comments suppress, and puts the findings in order.
  Report Finish() &&;

 private:
  void AddObjects(size_t file);
  void AddError(size_t file, const Error& error);
  void AddObject(size_t file, apply::ReadObject read);
  void FindNodes(size_t file, size_t first_object);
  Status FindKinds(const Schemas& schemas);
  void CheckObject(Sink& sink, const Release& release);
  void CheckPart(Sink& sink, const Checking& checking);

  const Options options_;
  Report report_;
  std::deque<Sink> sinks_;       // of the objects, in the same order
  std::vector<Finding> unread_;  // about texts that have no objects
  Validator validator_;
  std::unique_ptr<Kinds> kinds_;  // owns definitions that the objects' kinds point into
};

}  // namespace smp::lint
