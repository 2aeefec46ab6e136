// What differs inside two texts that are documents, such as the files in a ConfigMap: JSON, YAML, or lines of keys and
// values (.properties, .ini, .env).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "explain/nested_changes.h"
#include "value/document.h"
#include "value/value.h"

namespace smp::explain {

// A printer compares inside no more documents in one another.
inline constexpr size_t kMostDocuments = 3;

// A longer text is not read as a document for what is said in a few words.
inline constexpr size_t kLongestDocument = 65536;  // bytes

inline bool IsShortDocument(const Value& value) {
  return value.is_string() && value.AsString().size() <= kLongestDocument;
}

// What is said where nothing but the layout of JSON differs.
inline constexpr std::string_view kOnlyLayout = "the same JSON in another layout";
inline constexpr std::string_view kAlsoLayout = "and its layout";

struct InnerChanges {
  std::vector<NestedChange> changes;  // empty: the same JSON in another layout
  std::vector<Document> memory;       // that the changes point into, beside the texts
  bool layout = false;                // of JSON: the white space beside what is equal differs, too
};

// Returns the values that differ. nullopt if the texts are no documents of the same kind, or if the values do not tell of
// each line that differs: of comments, the order of keys, quotes and indentation. Only of JSON the layout means nothing.
std::optional<InnerChanges> ChangesInside(const Value& before, const Value& after);

// Returns the texts as documents, all as JSON, or as lines of keys and values, or as YAML that is a map or a list; empty if they are not all
// one of these, or too long.
std::vector<Document> ReadDocuments(const std::vector<const Value*>& texts);

// Likewise of two texts in YAML, whatever their comments and layout. nullopt if one is no YAML.
std::optional<InnerChanges> ValuesInside(const Value& before, const Value& after);

}  // namespace smp::explain
