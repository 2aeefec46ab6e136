// InnerDocument against the readers of lib/value, and the laws of every edit: what the text says after an edit is what
// the edit makes of what it said before, and the bytes of what was not touched are as they were. On the texts in
// inputs/ and on random ones: SMP_SEED=N repeats a run, SMP_CASES=N is how many texts each test makes.
#include "edit/inner_document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>

#include "base/strings.h"
#include "differential/oracle.h"
#include "differential/random_text.h"
#include "edit/text_reader.h"
#include "edit/text_tree.h"
#include "tests_dir.h"
#include "value/base64.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

size_t Cases() { return CasesOr(20000); }

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// --- Reading

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A file of inputs/; its first lines say how they are written.
std::vector<std::string> Inputs(const char* file) {
  std::vector<std::string> out;
  const std::string text = ReadFile(std::filesystem::path(kTestsDir) / "differential/inputs" / file);
  constexpr std::pair<std::string_view, char> kSigns[] = {{"↵", '\n'}, {"⇥", '\t'}, {"␍", '\r'}, {"␠", ' '}};
  for (std::string_view line : Split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    std::string input;
    while (!line.empty()) {
      const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                      [&](const auto& known) { return line.starts_with(known.first); });
      if (line.starts_with("‹")) {
        uint8_t byte = 0;
        std::from_chars(line.data() + 3, line.data() + 5, byte, 16);
        input += static_cast<char>(byte);
        line.remove_prefix(8);
      } else if (sign != std::end(kSigns)) {
        input += sign->second;
        line.remove_prefix(sign->first.size());
      } else {
        input += line.front();
        line.remove_prefix(1);
      }
    }
    out.push_back(input);
  }
  return out;
}

// As Go resolves `<<`: later members win, merged or not, where ours lets explicit ones win.
Value AsGoMerges(const edit::TextNode* node, Arena& arena) {
  node = edit::Followed(node);
  if (!node->is_collection()) return node->value;
  std::vector<Value> items;
  std::vector<Member> members;
  const auto merge = [&](const edit::TextNode* value) {
    const Value merged = AsGoMerges(value, arena);
    const std::span<const Value> maps = merged.is_array() ? merged.Items() : std::span<const Value>(&merged, 1);
    for (auto map = maps.rbegin(); map != maps.rend(); ++map) {
      members.insert(members.end(), map->Members().begin(), map->Members().end());
    }
  };
  edit::ForEachEntry(node, [&](const edit::TextEntry* entry) {
    if (entry->is_merge) return merge(entry->value);
    const Value value = AsGoMerges(entry->value, arena);
    if (entry->key == nullptr) return items.push_back(value);
    members.push_back({entry->name, value});
  });
  return node->kind == edit::TextNode::Kind::kSequence ? arena.Array(items) : arena.Object(std::move(members));
}

// What ParseYaml refuses and we read: there it is another document, or Go refuses a tab in a blank line.
std::string_view ReasonToReadMore(std::string_view error) {
  constexpr std::string_view kReasons[] = {"more than one document", "may follow ---",
                                           "text after the end of the document", "tab in the indentation",
                                           "must follow a directive (%)"};
  const auto* reason =
      std::find_if(std::begin(kReasons), std::end(kReasons), [&](std::string_view r) { return Has(error, r); });
  return reason == std::end(kReasons) ? std::string_view() : *reason;
}

class Comparison {
 public:
  explicit Comparison(edit::DataFormat format) : format_(format) {}

  void Add(const std::string& text) {
    ++total_;
    const auto ours = format_ == edit::DataFormat::kJson ? edit::ReadJsonText(text) : edit::ReadYamlText(text);
    const Result<Document> theirs = Theirs(text);
    if (ours.ok() && theirs.ok()) return BothRead(text, **ours, *theirs);
    const bool scalar = theirs.ok() && theirs->root().is_scalar();
    if (!ours.ok() && (!theirs.ok() || scalar)) return void(++refused_);
    const std::string_view reason = ours.ok() ? ReasonToReadMore(theirs.error().message) : std::string_view();
    if (!reason.empty()) return void(++known_[std::string(reason)]);
    ++unexplained_;
    if (unexplained_ <= 5) {
      std::cout << "-----\n"
                << text << "\n----- as base64: " << EncodeBase64(text)
                << "\nours: " << (ours.ok() ? "read" : ToString(ours.error()))
                << "\ntheirs: " << (theirs.ok() ? WriteJson(theirs->root()) : ToString(theirs.error())) << "\n";
    }
  }

  void Expect(size_t per_thousand) const {
    std::cout << total_ << " texts: " << equal_ << " equal, " << refused_ << " refused by both, " << misread_
              << " read differently, " << unexplained_ << " read by one only\n";
    for (const auto& [reason, count] : known_) std::cout << "  read by us only: " << count << " " << reason << "\n";
    EXPECT_EQ(misread_, 0U);
    EXPECT_LE(unexplained_ * 1000, total_ * per_thousand);
    EXPECT_GT(equal_ * 4, total_);
  }

 private:
  // What begins with `{` may be read as JSON, where 1.0 is no integer; behind a comment it is YAML.
  Result<Document> Theirs(const std::string& text) const {
    if (format_ == edit::DataFormat::kJson) return ParseJson(text);
    Result<Document> read = yaml::ParseYaml(Trim(text).starts_with('{') ? "#\n" + text : text);
    const bool nothing = !read.ok() && Has(read.error().message, "there is no document");
    return nothing ? Result<Document>(Document()) : read;
  }

  void BothRead(const std::string& text, const edit::TextTree& ours, const Document& theirs) {
    Arena arena;
    const std::string mine = WriteJson(AsGoMerges(ours.root(), arena));
    const std::string wanted = WriteJson(theirs.root());
    if (mine == wanted) return void(++equal_);
    // The reader passes over empty documents; here the first one counts.
    if (mine == "null" && ours.end < ours.text.size()) return void(++known_["an empty first document"]);
    // Kubernetes' YAMLReader, and so the reader of manifests, ends a document there; to YAML it is a text like any.
    if (Has("\n" + text, "\n---#")) return void(++known_["a line that begins with ---#"]);
    ++misread_;
    if (misread_ > 5) return;
    ADD_FAILURE() << text << "\nas base64: " << EncodeBase64(text) << "\nours:   " << mine << "\ntheirs: " << wanted;
  }

  edit::DataFormat format_;
  size_t total_ = 0, equal_ = 0, refused_ = 0, misread_ = 0, unexplained_ = 0;
  std::map<std::string, size_t> known_;
};

class InnerDocuments : public testing::Test {
 protected:
  const uint64_t seed_ = Seed();

  void SetUp() override { std::cout << "SMP_SEED=" << seed_ << "\n"; }
};

TEST_F(InnerDocuments, OwnYamlIsReadAsTheReaderReadsIt) {
  Comparison comparison(edit::DataFormat::kYaml);
  for (const std::string& text : Inputs("yaml.txt")) comparison.Add(text);
  comparison.Expect(0);
}

TEST_F(InnerDocuments, RandomYamlIsReadAsTheReaderReadsIt) {
  Comparison comparison(edit::DataFormat::kYaml);
  for (size_t i = 0; i < Cases(); ++i) {
    Dice dice(seed_ + i);
    comparison.Add(RandomYaml(dice));
  }
  comparison.Expect(8);
}

TEST_F(InnerDocuments, RandomJsonIsReadAsTheReaderReadsIt) {
  Comparison comparison(edit::DataFormat::kJson);
  for (const std::string& text : Inputs("json.txt")) comparison.Add(text);
  for (size_t i = 0; i < Cases(); ++i) {
    Dice dice(seed_ + i);
    comparison.Add(RandomJson(dice));
  }
  comparison.Expect(0);
}

// --- Editing

// RFC 6902 and RFC 7396 on values, said once more in another way: what an edit must make of the data.
using Tokens = std::vector<std::string>;

struct Operation {
  edit::EditKind kind = edit::EditKind::kTest;
  Tokens path = {};
  Tokens from = {};
  Value value = {};
};

std::optional<size_t> Index(const Value& list, const std::string& token, size_t places) {
  if (token == "-") return list.size();
  int64_t index = 0;
  const char* end = token.data() + token.size();
  if (token.empty() || std::from_chars(token.data(), end, index).ptr != end) return std::nullopt;
  if (index < 0) index += static_cast<int64_t>(places);
  if (index < 0 || static_cast<size_t>(index) >= places) return std::nullopt;
  return static_cast<size_t>(index);
}

std::optional<Value> Get(const Value& value, const Tokens& path) {
  const Value* at = &value;
  for (const std::string& token : path) {
    if (at->is_array()) {
      const std::optional<size_t> index = Index(*at, token, at->size());
      if (!index || *index == at->size()) return std::nullopt;
      at = &at->Items()[*index];
    } else {
      at = at->Find(token);
      if (at == nullptr) return std::nullopt;
    }
  }
  return *at;
}

// The value with that at `path` replaced, added (where it may be new), or removed (nothing).
enum class How { kAdd, kReplace, kRemove };
std::optional<Value> With(const Value& value, std::span<const std::string> path, const Value& changed, How how,
                          Arena& arena) {
  if (path.empty()) return changed;
  const std::string& token = path.front();
  const bool last = path.size() == 1;
  if (value.is_array()) {
    std::vector<Value> items(value.Items().begin(), value.Items().end());
    const bool inserts = last && how == How::kAdd;
    const std::optional<size_t> index = Index(value, token, items.size() + (inserts ? 1 : 0));
    if (!index || (!inserts && *index >= items.size())) return std::nullopt;
    const auto at = items.begin() + static_cast<std::ptrdiff_t>(*index);
    if (inserts) {
      items.insert(at, changed);
    } else if (last && how == How::kRemove) {
      items.erase(at);
    } else {
      const auto inner = With(*at, path.subspan(1), changed, how, arena);
      if (!inner) return std::nullopt;
      *at = *inner;
    }
    return arena.Array(items);
  }
  if (!value.is_object()) return std::nullopt;
  const Value* present = value.Find(token);
  if (present == nullptr && (!last || how != How::kAdd)) return std::nullopt;
  std::vector<Member> members;
  for (const Member& member : value.Members()) {
    if (member.name != token) members.push_back(member);
  }
  if (last && how == How::kRemove) return arena.Object(std::move(members));
  const auto inner = last ? std::optional(changed) : With(*present, path.subspan(1), changed, how, arena);
  if (!inner) return std::nullopt;
  members.push_back({arena.Copy(token), *inner});
  return arena.Object(std::move(members));
}

std::optional<Value> Expected(const Value& before, const Operation& operation, Arena& arena) {
  const Tokens& path = operation.path;
  switch (operation.kind) {
    case edit::EditKind::kAdd: return With(before, path, operation.value, How::kAdd, arena);
    case edit::EditKind::kReplace: return With(before, path, operation.value, How::kReplace, arena);
    case edit::EditKind::kRemove: return With(before, path, {}, How::kRemove, arena);
    case edit::EditKind::kTest: break;
    case edit::EditKind::kCopy:
    case edit::EditKind::kMove: {
      const std::optional<Value> source = Get(before, operation.from);
      if (!source || operation.kind == edit::EditKind::kCopy)
        return source ? With(before, path, *source, How::kAdd, arena) : source;
      if (operation.from == path) return before;
      if (path.size() > operation.from.size() &&
          std::equal(operation.from.begin(), operation.from.end(), path.begin())) {
        return std::nullopt;
      }
      const std::optional<Value> without = With(before, operation.from, {}, How::kRemove, arena);
      return With(*without, path, *source, How::kAdd, arena);
    }
  }
  return before;
}

std::string PointerOf(const Tokens& tokens) {
  std::string out;
  for (const std::string& token : tokens) {
    out += '/';
    for (const char c : token) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  }
  return out;
}

constexpr std::string_view kNames[] = {"a", "new", "z",    "1",    "a b", "",     "a/b",
                                       "~", "<<",  "null", "k: v", "#",   "a\nb", "é"};
constexpr std::string_view kTexts[] = {
    "",
    "x",
    "yes",
    "No",
    "1",
    "0x10",
    "1e400",
    "2024-01-02",
    "a: b",
    "a #b",
    "- a",
    "a\nb\n",
    "a\nb",
    " a",
    "a ",
    "'",
    "\"",
    "\\",
    "[a]",
    "{a}",
    "*x",
    "&x",
    "!x",
    "%x",
    "@x",
    "`x",
    "? a",
    ":a",
    "a:",
    "null",
    "~",
    "<<",
    "=",
    "\n",
    "a\n\n",
    "\n a",
    "a\n  \nb",
    "\t",
    "a\tb",
    "\r\n",
    "a\r",
    "\x7f",
    "\x01",
    "\xC2\x85",
    "\xEF\xBB\xBF",
    "\xE2\x80\xA8x",
    "😀",
    "---",
    "...",
    "--- a",
    "1:30",
    "a, b",
    "a]",
    "#",
    "|",
    ">",
    "12e03",
    "+.5",
    "0o17",
    ".inf",
    "true",
    "long text that goes on and on and on and on and on and on and on and on and on and on"};

class Editor {
 public:
  explicit Editor(Dice& dice) : dice_(dice) {}

  Operation Random(const Value& root, Arena& arena) {
    constexpr edit::EditKind kKinds[] = {edit::EditKind::kAdd,     edit::EditKind::kAdd,     edit::EditKind::kRemove,
                                         edit::EditKind::kReplace, edit::EditKind::kReplace, edit::EditKind::kRemove,
                                         edit::EditKind::kMove,    edit::EditKind::kCopy};
    Operation operation;
    operation.kind = dice_.Pick(kKinds);
    operation.path =
        Place(root, operation.kind == edit::EditKind::kRemove || operation.kind == edit::EditKind::kReplace);
    if (operation.kind == edit::EditKind::kMove || operation.kind == edit::EditKind::kCopy)
      operation.from = Place(root, true);
    operation.value = NewValue(0, arena);
    if (operation.kind == edit::EditKind::kReplace && dice_.Chance(15)) {
      operation.value = Get(root, operation.path).value_or(operation.value);
    }
    return operation;
  }

 private:
  Tokens Place(const Value& root, bool present) {
    Tokens path;
    const Value* at = &root;
    while (!at->is_scalar() && !at->empty() && (path.empty() || dice_.Chance(75))) {
      const size_t index = dice_.Below(at->size());
      const bool negative = dice_.Chance(10);
      if (at->is_array()) {
        path.push_back(negative ? StrCat("-", at->size() - index) : std::to_string(index));
        at = &at->Items()[index];
      } else {
        path.emplace_back(at->Members()[index].name);
        at = &at->Members()[index].value;
      }
    }
    if (present) return path;
    if (at->is_object() && dice_.Chance(70)) path.emplace_back(dice_.Pick(kNames));
    if (at->is_array() && dice_.Chance(70))
      path.push_back(dice_.Chance(60) ? "-" : std::to_string(dice_.Below(at->size() + 2)));
    return path;
  }

  Value NewValue(int depth, Arena& arena) {
    const uint64_t kind = dice_.Below(depth < 3 ? 10 : 6);
    if (kind < 3) return arena.String(dice_.Pick(kTexts));
    if (kind == 3) return Value::Int(static_cast<int64_t>(dice_.Below(1000)) - 500);
    if (kind == 4) return dice_.Chance(50) ? Value::Bool(dice_.Chance(50)) : Value();
    if (kind == 5) return Value::Double(dice_.Chance(50) ? 1.5e-9 : 0.25);
    if (kind < 8) {
      std::vector<Value> items;
      for (uint64_t i = dice_.Below(4); i > 0; --i) items.push_back(NewValue(depth + 1, arena));
      return arena.Array(items);
    }
    std::vector<Member> members;
    for (uint64_t i = dice_.Below(4); i > 0; --i) {
      members.push_back({arena.Copy(dice_.Pick(kNames)), NewValue(depth + 1, arena)});
    }
    return arena.Object(std::move(members));
  }

  Dice& dice_;
};

std::string Printed(const Operation& operation) {
  constexpr std::string_view kWords[] = {"add", "remove", "replace", "move", "copy", "test"};
  return StrCat(kWords[static_cast<size_t>(operation.kind)], " ", PointerOf(operation.path), " from ",
                PointerOf(operation.from), " value ", WriteJson(operation.value));
}

Result<std::unique_ptr<edit::TextTree>> ReadTree(std::string_view text, edit::DataFormat format) {
  return format == edit::DataFormat::kJson ? edit::ReadJsonText(text) : edit::ReadYamlText(text);
}

// 1.0 in YAML is the integer 1, and JSON says nothing of the difference.
std::string Canonical(const Value& value) {
  const auto again = ParseJson(WriteJson(value));
  return again.ok() ? WriteJson(again->root()) : "unreadable";
}

// What an edit must leave as it is: what stands before and behind the entry or, where it adds, the collection.
struct Untouched {
  std::string_view before;
  std::string_view behind;
};

class Laws {
 public:
  Laws(edit::DataFormat format, uint64_t seed) : format_(format), seed_(seed) {}

  void Check(const std::string& text, Dice& dice) {
    const auto tree = ReadTree(text, format_);
    if (!tree.ok()) return;
    ++texts_;
    Result<edit::InnerDocument> document = edit::InnerDocument::Parse(text, format_);
    EXPECT_EQ(*document->Write(), text);
    Arena arena;
    Value value = edit::ValueOf((*tree)->root(), arena);
    std::string log;
    for (uint64_t i = dice.Below(4) + 1; i > 0; --i) {
      const Operation operation = Editor(dice).Random(value, arena);
      log += Printed(operation) + "\n";
      value = Apply(*document, operation, value, arena, text, log);
    }
    const Result<std::string> written = document->Write();
    // The anchor of a merge key (&a <<: …) may get lost with that key. Nothing is written then. SMP_SEED=334641219
    const bool lost_anchor = !written.ok() && Has(text, " <<") && Has(written.error().message, "no anchor (&)");
    if (lost_anchor) return void(++refused_);
    ASSERT_TRUE(written.ok()) << text << "\n----- " << log << "-----\n" << written.error().message;
    CheckMeaning(text, *written, value, log);
    const bool same = Canonical(edit::ValueOf((*tree)->root(), arena)) == Canonical(value);
    same_ += same ? 1 : 0;
  }

  // One edit, and the bytes around it.
  void CheckBytes(const std::string& text, Dice& dice) {
    const auto tree = ReadTree(text, format_);
    if (!tree.ok() || !(*tree)->users.empty() || Has(text, "\xC2\x85") || Has(text, "\r")) return;
    Result<edit::InnerDocument> document = edit::InnerDocument::Parse(text, format_);
    Arena arena;
    const Value before = edit::ValueOf((*tree)->root(), arena);
    const Operation operation = Editor(dice).Random(before, arena);
    if (operation.kind == edit::EditKind::kMove || operation.kind == edit::EditKind::kCopy || operation.path.empty())
      return;
    const std::string log = Printed(operation);
    const Value after = Apply(*document, operation, before, arena, text, log);
    const Result<std::string> done = document->Write();
    ASSERT_TRUE(done.ok()) << text << "\n----- " << log << "-----\n" << done.error().message;
    const std::string& written = *done;
    if (Canonical(before) == Canonical(after)) {
      if (operation.kind == edit::EditKind::kReplace) {
        EXPECT_EQ(written, text) << log;
      }
      return;
    }
    const std::optional<Untouched> untouched = UntouchedBy(**tree, operation);
    if (!untouched) return;
    ++bytes_checked_;
    EXPECT_TRUE(written.starts_with(untouched->before) && written.ends_with(untouched->behind) &&
                written.size() >= untouched->before.size() + untouched->behind.size())
        << "seed " << seed_ << "\n"
        << text << "\n----- " << log << "\n"
        << written;
  }

  void Report() const {
    std::cout << texts_ << " texts, " << applied_ << " edits done, " << refused_ << " refused, " << same_
              << " texts without a change, " << bytes_checked_ << " compared by bytes\n";
  }
  size_t applied() const { return applied_; }
  size_t bytes_checked() const { return bytes_checked_; }

 private:
  Value Apply(edit::InnerDocument& document, const Operation& operation, const Value& before, Arena& arena,
              const std::string& text, const std::string& log) {
    const std::string path = PointerOf(operation.path);
    const std::string from = PointerOf(operation.from);
    const Status status = document.Apply({operation.kind, path, from, operation.value});
    std::optional<Value> expected = Expected(before, operation, arena);
    const bool root = operation.path.empty();
    if (expected && root &&
        (operation.kind == edit::EditKind::kRemove || (expected->is_scalar() && !expected->is_null()))) {
      expected.reset();
    }
    (status.ok() ? applied_ : refused_) += 1;
    EXPECT_EQ(status.ok(), expected.has_value())
        << "seed " << seed_ << "\n"
        << text << "\n----- " << log << (status.ok() ? "" : status.error().message);
    return status.ok() && expected ? *expected : before;
  }

  void CheckMeaning(const std::string& text, const std::string& written, const Value& value, const std::string& log) {
    const auto again = ReadTree(written, format_);
    ASSERT_TRUE(again.ok()) << "seed " << seed_ << "\n"
                            << text << "\n----- " << log << "-----\n"
                            << written << "\n"
                            << again.error().message << " line " << again.error().source.line;
    Arena arena;
    ASSERT_EQ(Canonical(edit::ValueOf((*again)->root(), arena)), Canonical(value))
        << "seed " << seed_ << "\n"
        << text << "\n----- " << log << "-----\n"
        << written;
    ASSERT_EQ(written.substr((*again)->end), text.substr((*ReadTree(text, format_))->end)) << "the other documents";
  }

  static std::vector<const edit::TextEntry*> EntriesOf(const edit::TextNode* node) {
    std::vector<const edit::TextEntry*> out;
    edit::ForEachEntry(node, [&](const edit::TextEntry* entry) { out.push_back(entry); });
    return out;
  }

  // The member that counts, unless `<<` brings it in.
  static const edit::TextEntry* OwnMember(const edit::TextNode* mapping, std::string_view name) {
    for (const edit::TextEntry* entry : edit::EffectiveMembers(mapping)) {
      if (entry->name == name && entry->parent == mapping) return entry;
    }
    return nullptr;
  }

  static std::optional<Untouched> UntouchedBy(const edit::TextTree& tree, const Operation& operation) {
    const edit::TextNode* node = tree.root();
    const edit::TextEntry* entry = nullptr;
    const std::string_view text = tree.text;
    for (size_t i = 0; i < operation.path.size(); ++i) {
      const std::string& token = operation.path[i];
      const bool last = i + 1 == operation.path.size();
      const bool list = node->kind == edit::TextNode::Kind::kSequence;
      if (last && operation.kind == edit::EditKind::kAdd && (list || OwnMember(node, token) == nullptr)) {
        return Around(text, WithCommentsAbove(text, node->begin), WithCommentsBelow(text, node->end));
      }
      if (list) {
        const std::vector<const edit::TextEntry*> items = EntriesOf(node);
        const size_t size = items.size();
        entry = items[*Index(Value::UnownedArray({static_cast<const Value*>(nullptr), size}), token, size)];
      } else {
        entry = OwnMember(node, token);
        // What `<<` brings in is written anew.
        if (entry == nullptr) return std::nullopt;
      }
      node = entry->value;
    }
    const edit::TextNode* parent = entry->parent;
    bool emptied = parent->entry != nullptr;
    edit::ForEachEntry(parent,
                       [&](const edit::TextEntry* other) { emptied &= other->name == entry->name || other->is_merge; });
    if (parent->kind == edit::TextNode::Kind::kSequence)
      emptied = parent->entry != nullptr && parent->first == parent->last;
    if (operation.kind == edit::EditKind::kRemove) {
      const size_t begin = emptied ? parent->entry->slot : parent->begin;
      return Around(text, WithCommentsAbove(text, begin), WithCommentsBelow(text, parent->end));
    }
    const bool no_colon = entry->key != nullptr && entry->slot == entry->key->end;
    const size_t end =
        node->is_collection() ? WithCommentsBelow(text, entry->end) : WithBlankLinesBelow(text, entry->end);
    return Around(text, no_colon ? entry->begin : entry->slot, end);
  }

  static size_t WithCommentsAbove(std::string_view text, size_t at) {
    for (;;) {
      const size_t line = at == 0 ? 0 : text.find_last_of("\r\n", at - 1) + 1;
      if (line == 0 || !Trim(text.substr(line, at - line)).empty()) return at;
      const size_t above = line < 2 ? 0 : text.find_last_of("\r\n", line - 2) + 1;
      std::string_view comment = Trim(text.substr(above, line - above));
      if (comment.starts_with("\xEF\xBB\xBF")) comment.remove_prefix(3);
      if (!comment.starts_with('#')) return at;
      at = above;
    }
  }

  static size_t WithCommentsBelow(std::string_view text, size_t at) {
    for (;;) {
      const size_t line_end = text.find('\n', at);
      if (line_end == std::string_view::npos) return at;
      const size_t below = std::min(text.find('\n', line_end + 1), text.size());
      const std::string_view line = Trim(text.substr(line_end + 1, below - line_end - 1));
      if (!line.empty() && !line.starts_with('#')) return at;
      at = line_end + 1;
    }
  }

  // They become a part of a text that ends in several line ends (`|+`).
  static size_t WithBlankLinesBelow(std::string_view text, size_t at) {
    for (;;) {
      const size_t line_end = text.find('\n', at);
      if (line_end == std::string_view::npos) return at;
      const size_t below = std::min(text.find('\n', line_end + 1), text.size());
      if (!Trim(text.substr(line_end + 1, below - line_end - 1)).empty()) return at;
      at = line_end + 1;
    }
  }

  // Up to the colon or space before, and from the end of the line; at the end of the text line ends may come and go.
  static Untouched Around(std::string_view text, size_t begin, size_t end) {
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == ':')) --begin;
    end = std::min(text.find_first_of("\r\n", end), text.size());
    return {text.substr(0, begin), Trim(text.substr(end)).empty() ? std::string_view() : text.substr(end)};
  }

  edit::DataFormat format_;
  uint64_t seed_;
  size_t texts_ = 0, applied_ = 0, refused_ = 0, same_ = 0, bytes_checked_ = 0;
};

TEST_F(InnerDocuments, AnEditOfYamlMeansWhatItSays) {
  Laws laws(edit::DataFormat::kYaml, seed_);
  for (size_t i = 0; i < Cases() && !HasFailure(); ++i) {
    Dice dice(seed_ + i);
    laws.Check(RandomYaml(dice), dice);
  }
  laws.Report();
  EXPECT_GT(laws.applied() * 4, Cases());
}

TEST_F(InnerDocuments, AnEditOfJsonMeansWhatItSays) {
  Laws laws(edit::DataFormat::kJson, seed_);
  for (size_t i = 0; i < Cases() && !HasFailure(); ++i) {
    Dice dice(seed_ + i);
    laws.Check(RandomJson(dice), dice);
  }
  laws.Report();
  EXPECT_GT(laws.applied() * 10, Cases());
}

TEST_F(InnerDocuments, AnEditOfYamlLeavesTheBytesAroundIt) {
  Laws laws(edit::DataFormat::kYaml, seed_);
  for (size_t i = 0; i < Cases() && !HasFailure(); ++i) {
    Dice dice(seed_ + i);
    laws.CheckBytes(RandomYaml(dice), dice);
  }
  laws.Report();
  EXPECT_GT(laws.bytes_checked() * 20, Cases());
}

}  // namespace
}  // namespace smp
