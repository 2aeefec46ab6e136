#include "schema/serial.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "schema/reading.h"
#include "schema/serial_names.h"
#include "value/json.h"

namespace smp {

namespace {

constexpr std::string_view kFormat = "smp-schema 8";
constexpr std::string_view kKindLetters = "*sinboaxqty";  // in the order of TypeKind
constexpr char kListLetter = 'l';

// References to types: ":NAME", "#N", or "" for kNoType. Numbers count only the types without a name of their own, so a
// new component does not change the lines of all other types.
using Labels = std::vector<std::string>;

// The flags of a field and of a type, for writing and reading: visit(letters, value), with one letter per value, in
// order. The first value is the default; its letter is "-" and is never written.
constexpr auto kFieldFlags = [](auto& field, auto visit) {
  visit("-sm", field.strategy.list);
  visit("-r", field.strategy.replace);
  visit("-t", field.strategy.retain_keys);
  visit("-SM", field.list_type);
  visit("-g", field.granular);
  visit("-n", field.nullable);
  visit("-z", field.omits_zero);
  visit("-bwu", field.duplicates);
};

constexpr auto kListFlags = [](auto& list, auto visit) { visit("-SM", list.list_type); };

constexpr auto kTypeFlags = [](auto& type, auto visit) {
  visit("-p", type.preserve_unknown);
  visit("-e", type.embedded);
  visit("-n", type.nullable);
  visit("-a", type.atomic);
  visit("-w", type.storage);
  visit("-m", type.rounds_to_milli);
};

// --- writing

void AppendNames(std::string& out, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (&name != &names.front()) out += ',';
    AppendName(out, name);
  }
}

void AppendKeys(std::string& out, std::string_view label, const std::vector<std::string>& keys) {
  if (keys.empty()) return;
  out += label;
  AppendNames(out, keys);
}

char KindLetter(TypeKind kind) { return kKindLetters[static_cast<size_t>(kind)]; }

template <class Item, class VisitFlags>
std::string FlagsOf(const Item& item, VisitFlags visit_flags) {
  std::string flags;
  visit_flags(item, [&flags](std::string_view letters, auto value) {
    if (const auto at = static_cast<size_t>(value); at > 0) flags += letters[at];
  });
  return flags;
}

void AppendWords(std::string& out, std::string_view label, const Value* words) {
  if (words == nullptr) return;
  out += label;
  AppendName(out, words->AsString());
}

void AppendField(std::string& out, const Field& field, const Labels& labels) {
  out += ' ';
  AppendName(out, field.name);
  out += ' ';
  out += field.is_list ? kListLetter : KindLetter(field.kind);
  out += labels[field.type];
  if (const std::string flags = FlagsOf(field, kFieldFlags); !flags.empty()) out.append(1, ' ').append(flags);
  AppendKeys(out, " k=", field.patch_keys);
  if (field.identity_keys != field.patch_keys) AppendKeys(out, " i=", field.identity_keys);
  AppendWords(out, " f=", field.fixed_words);
  if (field.default_value != nullptr) out.append(" =").append(WriteJson(*field.default_value));
  out += '\n';
}

void AppendUnion(std::string& out, const Union& one) {
  out += one.by_presence ? "O " : "U ";
  AppendName(out, one.discriminator);
  for (const auto& [field, value] : one.members) {
    out += ' ';
    AppendName(out, field);
    out += '=';
    AppendName(out, value);
  }
  out += '\n';
}

void AppendType(std::string& out, const Type& type, const Labels& labels) {
  out += 'T';
  out += KindLetter(type.kind);
  out += FlagsOf(type, kTypeFlags);
  if (type.has_additional || type.additional != kNoType) {
    out += type.has_additional ? " +" : " [";
    out += labels[type.additional];
  }
  if (!type.name.empty()) {
    out += " :";
    AppendName(out, type.name);
  }
  AppendWords(out, " f=", type.fixed_words);
  out += '\n';
  for (const Field& field : type.fields) AppendField(out, field, labels);
  for (const Union& one : type.unions) AppendUnion(out, one);
  for (const Field& list : type.merged_list) {
    out += StrCat("L ", FlagsOf(list, kListFlags));
    AppendKeys(out, " i=", list.identity_keys);
    out += '\n';
  }
}

void AppendGvk(std::string& out, const GroupVersionKind& gvk) {
  for (const std::string* part : {&gvk.group, &gvk.version, &gvk.kind}) {
    out += ' ';
    AppendName(out, *part);
  }
}

// Writes a reference as a separate word; an empty one as "-".
void AppendReference(std::string& out, const std::string& label) { out += label.empty() ? " -" : " " + label; }

void AppendResource(std::string& out, const Resource& resource, const Labels& labels) {
  out += 'R';
  AppendGvk(out, resource.gvk);
  out += ' ';
  AppendName(out, resource.plural);
  out += resource.namespaced ? " n" : " c";
  if (resource.strategic) out += 's';
  if (resource.dry_run) out += 'd';
  AppendReference(out, labels[resource.type]);
  AppendKeys(out, " ", resource.subresources);
  out += '\n';
}

void AppendKind(std::string& out, const GroupVersionKind& gvk, const std::string& label) {
  out += 'K';
  AppendGvk(out, gvk);
  AppendReference(out, label);
  out += '\n';
}

Labels LabelsOf(const Schema& schema) {
  Labels labels(1);
  std::unordered_set<std::string_view> names;
  size_t unnamed = 0;
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    const std::string_view name = schema.type(id).name;
    std::string& label = labels.emplace_back();
    if (!name.empty() && names.insert(name).second) {
      label = ':';
      AppendName(label, name);
    } else {
      label = StrCat('#', ++unnamed);
    }
  }
  return labels;
}

// --- reading

std::optional<uint32_t> NumberFrom(std::string_view token) {
  uint32_t number = 0;
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<TypeKind> KindFrom(char letter) {
  const size_t at = kKindLetters.find(letter);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<TypeKind>(at);
}

// Removes and returns the text before the next `separator`, and removes the separator.
std::string_view Cut(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

// Sets the value for each letter of `flags`; `visit_flags` is kFieldFlags or kTypeFlags. False if a letter is unknown.
template <class Item, class VisitFlags>
bool ReadFlags(std::string_view flags, Item& item, VisitFlags visit_flags) {
  return std::all_of(flags.begin(), flags.end(), [&](char flag) {
    bool known = false;
    visit_flags(item, [&](std::string_view letters, auto& value) {
      for (size_t at = 1; at < letters.size(); ++at) {
        if (letters[at] != flag) continue;
        value = static_cast<std::remove_reference_t<decltype(value)>>(at);
        known = true;
      }
    });
    return known;
  });
}

// Reads the text line by line. The functions that read a line or a part of it return false if it is invalid.
class SchemaReader {
 public:
  explicit SchemaReader(std::string_view text) : text_(text), schema_(std::make_shared<Schema>()) {}

  Result<std::shared_ptr<const Schema>> Read() {
    if (text_.size() > kMaxSchemaBytes) return Error::Parse("the schema text is larger than 16 MiB");
    while (!text_.empty()) {
      const std::string_view line = Cut(text_, '\n');
      ++line_;
      if (!ReadLine(line)) return Damaged(StrCat("line ", line_, " is invalid"));
    }
    FinishType();
    for (const Reference& reference : references_) {
      if (!Resolve(reference)) return Damaged(StrCat("line ", reference.line, " names an unknown type"));
    }
    if (!HoldsWhatItPromised()) return Damaged("its content does not match its first line");
    return std::shared_ptr<const Schema>(std::move(schema_));
  }

 private:
  static constexpr size_t kAdditional = static_cast<size_t>(-1);

  // A line may refer to a type that is defined later.
  struct Reference {
    TypeId from;
    size_t field;  // index, or kAdditional
    std::string_view label;
    int line;
  };

  static Error Damaged(std::string_view how) { return Error::Parse(StrCat("the schema text is damaged: ", how)); }

  bool ReadLine(std::string_view line) {
    if (line.starts_with('#')) return true;
    if (!has_header_) return ReadHeader(line);
    if (line.empty()) return false;
    const char what = line.front();
    line.remove_prefix(1);
    if (what == ' ') return ReadField(line);
    if (what == 'U' || what == 'O') return Cut(line, ' ').empty() && ReadUnion(line, what == 'O');
    if (what == 'L') return Cut(line, ' ').empty() && ReadMergedList(line);
    FinishType();
    switch (what) {
      case 'V': return Cut(line, ' ').empty() && ReadRelease(line);
      case 'T': return ReadType(line);
      case 'R': return Cut(line, ' ').empty() && ReadResource(line);
      case 'K': return Cut(line, ' ').empty() && ReadKind(line);
      default: return false;
    }
  }

  bool ReadHeader(std::string_view line) {
    if (!line.starts_with(kFormat)) return false;
    line.remove_prefix(kFormat.size());
    if (!Cut(line, ' ').empty()) return false;
    for (uint32_t& count : counts_) {
      const std::optional<uint32_t> number = NumberFrom(Cut(line, ' '));
      if (!number.has_value()) return false;
      count = *number;
    }
    has_header_ = true;
    return line.empty();
  }

  bool ReadRelease(std::string_view line) {
    schema_->SetRelease(ParseRelease(line));
    return schema_->release().has_value();
  }

  bool ReadType(std::string_view line) {
    Type type;
    const TypeId id = static_cast<TypeId>(schema_->type_count());
    const std::string_view letters = Cut(line, ' ');
    const std::optional<TypeKind> kind = letters.empty() ? std::nullopt : KindFrom(letters.front());
    if (!kind.has_value()) return false;
    type.kind = *kind;
    if (!ReadFlags(letters.substr(1), type, kTypeFlags)) return false;
    if (line.starts_with('+') || line.starts_with('[')) {
      type.has_additional = line.front() == '+';
      references_.push_back({id, kAdditional, Cut(line, ' ').substr(1), line_});
    }
    if (line.starts_with(':') && !ReadName(Cut(line, ' ').substr(1), type.name)) return false;
    if (line.starts_with("f=") && !ReadWords(Cut(line, ' ').substr(2), type.fixed_words)) return false;
    const bool has_label = !type.name.empty() && named_.emplace(type.name, id).second;
    if (!has_label) unnamed_.push_back(id);
    open_type_ = schema_->Add(std::move(type));
    return line.empty();
  }

  bool ReadUnion(std::string_view line, bool by_presence) {
    if (open_type_ == kNoType) return false;
    Union& one = schema_->Mutable(open_type_).unions.emplace_back();
    one.by_presence = by_presence;
    if (!ReadName(Cut(line, ' '), one.discriminator)) return false;
    while (!line.empty()) {
      std::string_view word = Cut(line, ' ');
      auto& [field, value] = one.members.emplace_back();
      if (!ReadName(Cut(word, '='), field) || !ReadName(word, value)) return false;
    }
    return true;
  }

  bool ReadMergedList(std::string_view line) {
    if (open_type_ == kNoType) return false;
    Type& type = schema_->Mutable(open_type_);
    Field list;
    if (type.kind != TypeKind::kArray || !ReadFlags(Cut(line, ' '), list, kListFlags)) return false;
    const bool has_keys = line.starts_with("i=");
    if (has_keys && !ReadNames(Cut(line, ' ').substr(2), list.identity_keys)) return false;
    type.SetMergedList(list.list_type, std::move(list.identity_keys));
    return line.empty() && !type.merged_list.empty();
  }

  // Fields are collected separately, so that each type allocates exactly what it needs.
  void FinishType() {
    if (open_type_ == kNoType) return;
    Type& type = schema_->Mutable(open_type_);
    type.fields.assign(std::make_move_iterator(fields_.begin()), std::make_move_iterator(fields_.end()));
    ReadAs(type, type.storage);
    fields_.clear();
    open_type_ = kNoType;
  }

  bool ReadField(std::string_view line) {
    if (open_type_ == kNoType) return false;
    Field& field = fields_.emplace_back();
    if (!ReadName(Cut(line, ' '), field.name) || !ReadFieldKind(Cut(line, ' '), field)) return false;
    // Schema::Find needs sorted fields (binary search).
    if (fields_.size() > 1 && fields_[fields_.size() - 2].name >= field.name) return false;
    while (!line.empty() && line.front() != '=') {
      if (!ReadFieldWord(Cut(line, ' '), field)) return false;
    }
    if (field.identity_keys.empty()) field.identity_keys = field.patch_keys;
    return line.empty() || ReadDefault(line.substr(1), field);
  }

  bool ReadFieldKind(std::string_view word, Field& field) {
    if (word.empty()) return false;
    field.is_list = word.front() == kListLetter;
    const std::optional<TypeKind> kind = field.is_list ? TypeKind::kArray : KindFrom(word.front());
    if (!kind.has_value()) return false;
    field.kind = *kind;
    if (word.size() > 1) references_.push_back({open_type_, fields_.size() - 1, word.substr(1), line_});
    return true;
  }

  bool ReadFieldWord(std::string_view word, Field& field) {
    if (word.starts_with("f=")) return ReadWords(word.substr(2), field.fixed_words);
    if (word.starts_with("k=")) return ReadNames(word.substr(2), field.patch_keys);
    if (word.starts_with("i=")) return ReadNames(word.substr(2), field.identity_keys);
    return ReadFlags(word, field, kFieldFlags);
  }

  bool ReadWords(std::string_view word, const Value*& out) {
    std::string words;
    if (!ReadName(word, words)) return false;
    out = schema_->Own(Value::UnownedString(words));
    return true;
  }

  // Most defaults are the same few texts ({}, "", 0), so each text is parsed once.
  bool ReadDefault(std::string_view json, Field& field) {
    const auto [at, is_new] = defaults_.try_emplace(json, nullptr);
    if (is_new) {
      const Result<Document> parsed = ParseJson(json);
      if (!parsed.ok()) return false;
      at->second = schema_->Own(parsed->root());
    }
    field.default_value = at->second;
    return true;
  }

  static bool ReadScope(std::string_view word, Resource& resource) {
    const auto starts_with = [&word](char letter) {
      const bool does = word.starts_with(letter);
      word.remove_prefix(does ? 1 : 0);
      return does;
    };
    resource.namespaced = starts_with('n');
    if (!resource.namespaced && !starts_with('c')) return false;
    resource.strategic = starts_with('s');
    resource.dry_run = starts_with('d');
    return word.empty();
  }

  bool ReadResource(std::string_view line) {
    Resource resource;
    if (!ReadGvk(line, resource.gvk) || !ReadName(Cut(line, ' '), resource.plural)) return false;
    if (!ReadScope(Cut(line, ' '), resource)) return false;
    if (!ReadKnownType(Cut(line, ' '), resource.type)) return false;
    if (!line.empty() && !ReadNames(line, resource.subresources)) return false;
    schema_->AddResource(resource);
    return true;
  }

  bool ReadKind(std::string_view line) {
    GroupVersionKind gvk;
    TypeId type = kNoType;
    if (!ReadGvk(line, gvk) || !ReadKnownType(line, type)) return false;
    schema_->AddKind(gvk, type);
    return true;
  }

  static bool ReadGvk(std::string_view& line, GroupVersionKind& gvk) {
    for (std::string* part : {&gvk.group, &gvk.version, &gvk.kind}) {
      if (!ReadName(Cut(line, ' '), *part)) return false;
    }
    return true;
  }

  static bool ReadNames(std::string_view word, std::vector<std::string>& out) {
    for (const std::string_view part : Split(word, ',')) {
      if (!ReadName(part, out.emplace_back())) return false;
    }
    return true;
  }

  bool ReadKnownType(std::string_view label, TypeId& out) const {
    if (label != "-") out = TypeCalled(label);
    return label == "-" || out != kNoType;
  }

  // Returns kNoType if there is no such type.
  TypeId TypeCalled(std::string_view label) const {
    if (label.starts_with('#')) {
      const std::optional<uint32_t> number = NumberFrom(label.substr(1));
      return number.has_value() && *number >= 1 && *number <= unnamed_.size() ? unnamed_[*number - 1] : kNoType;
    }
    std::string name;
    if (!label.starts_with(':') || !ReadName(label.substr(1), name)) return kNoType;
    const auto at = named_.find(name);
    return at == named_.end() ? kNoType : at->second;
  }

  bool Resolve(const Reference& reference) {
    Type& from = schema_->Mutable(reference.from);
    TypeId& to = reference.field == kAdditional ? from.additional : from.fields[reference.field].type;
    to = TypeCalled(reference.label);
    for (Field& list : from.merged_list) list.type = from.additional;
    const bool means_any = reference.field == kAdditional && reference.label.empty();
    return to != kNoType || means_any;
  }

  bool HoldsWhatItPromised() const {
    return has_header_ && schema_->type_count() - 1 == counts_[0] && schema_->resources().size() == counts_[1] &&
           schema_->kinds().size() == counts_[2];
  }

  std::string_view text_;
  int line_ = 0;
  bool has_header_ = false;
  std::array<uint32_t, 3> counts_ = {};  // numbers of types, resources and kinds, from the header
  std::shared_ptr<Schema> schema_;
  std::unordered_map<std::string, TypeId> named_;
  std::vector<TypeId> unnamed_;  // #1, #2, …
  TypeId open_type_ = kNoType;   // the type whose fields are being read
  std::vector<Field> fields_;
  std::vector<Reference> references_;
  std::unordered_map<std::string_view, const Value*> defaults_;
};

}  // namespace

std::string SerializeType(const Type& type, const std::vector<std::string>& labels) {
  std::string out;
  AppendType(out, type, labels);
  return out;
}

std::string SerializeSchema(const Schema& schema) {
  std::string out =
      StrCat(kFormat, ' ', schema.type_count() - 1, ' ', schema.resources().size(), ' ', schema.kinds().size(), '\n');
  if (schema.release()) out.append("V ").append(ToString(*schema.release())).append("\n");
  const Labels labels = LabelsOf(schema);
  for (TypeId id = 1; id < schema.type_count(); ++id) AppendType(out, schema.type(id), labels);
  for (const auto& [gvk, resource] : schema.resources()) AppendResource(out, resource, labels);
  for (const auto& [gvk, type] : schema.kinds()) AppendKind(out, gvk, labels[type]);
  return out;
}

Result<std::shared_ptr<const Schema>> ParseSchema(std::string_view text) { return SchemaReader(text).Read(); }

}  // namespace smp
