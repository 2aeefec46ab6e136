// Scanner: YAML 1.1 text → tokens with marks, like the scanner of goyaml v2 (scannerc.go). It looks ahead only as far
// as a key without `?` can reach: one line, 1024 characters.
//
//   a: [1]   →   kBlockMapping, kKey, kScalar "a", kValue, kFlowSequence, kScalar "1", kFlowSequenceEnd, kBlockEnd
//
// kBlockMapping, kBlockSequence, kBlockEnd and the kKey of a key without `?` have a position in the text, but no bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "value/document.h"
#include "yaml/cursor.h"
#include "yaml/scalars.h"
#include "yaml/token.h"

namespace smp::yaml {

// A queue of tokens. A kKey can be inserted before a token once it turns out to be a key.
class TokenQueue {
 public:
  bool empty() const { return head_ == tokens_.size(); }
  const Token& front() const { return tokens_[head_]; }
  size_t first() const { return first_; }  // number of the front token; tokens are numbered from 0. next(): of the next
  size_t next() const { return first_ + tokens_.size() - head_; }

  Token& Append() { return tokens_.emplace_back(); }
  void Insert(size_t number, const Token& token);
  void Pop();

 private:
  std::vector<Token> tokens_;
  size_t head_ = 0;
  size_t first_ = 0;
};

class Scanner {
 public:
  // Starts at offset `begin`. `arena` stores scalar values that are not parts of the text. REQUIRES: a NUL byte follows
  // `text`, and `text` contains none.
  Scanner(std::string_view text, size_t begin, Arena& arena, BlankTabs tabs)
      : cursor_(text, begin), arena_(arena), tabs_(tabs), keys_(1) {}

  // Returns the next token; kError if there is a problem (see problem()).
  const Token& Peek() {
    if (!ready_) FetchMore();
    return problem_.empty() ? tokens_.front() : failed_;
  }
  // REQUIRES: Peek() was neither kError nor kStreamEnd.
  void Skip() {
    tokens_.Pop();
    ready_ = false;
  }

  std::string_view problem() const { return problem_; }
  Mark problem_mark() const { return problem_mark_; }

 private:
  using Type = Token::Type;

  // A token that may turn out to be a key without `?`. There is one for each level of brackets.
  struct Key {
    bool possible = false;
    bool required = false;  // in a block mapping, at the column of its keys
    size_t token = 0;
    Mark mark = {};
  };
  struct PendingKey {
    size_t token;
    size_t level;
  };

  bool InFlow() const { return keys_.size() > 1; }
  bool NextEndsWord() const { return EndsWord(cursor_.at() + 1); }
  bool Fail(std::string_view why, Mark mark);

  void FetchMore();
  bool NeedsMore();
  bool DropStale(Key& key);
  void SkipToToken();
  bool Fetch();
  bool FetchMarked();
  bool FetchSign(char c);

  bool Add(Type type, size_t size, std::string_view text = {});
  bool AddScalar(Style style, Mark begin, const ScannedScalar& scalar);
  bool RollIndent(const Mark& mark, Type type, size_t before_token);
  void UnrollIndent(int column);
  bool SaveKey();
  bool ForgetKey();

  bool FetchEnd();
  bool FetchDocumentLevel(Type type);
  bool FetchFlowStart(Type type);
  bool FetchFlowEnd(Type type);
  bool FetchFlowEntry();
  bool FetchBlockEntry();
  bool FetchKey();
  bool FetchValue();
  bool FetchImplicitKey(Key& key);
  bool FetchAnchor(Type type);
  bool FetchTag();
  bool FetchBlockScalar();
  bool FetchQuoted();
  bool FetchPlain();
  bool BeginsPlain(char c) const;

  Cursor cursor_;
  Arena& arena_;
  BlankTabs tabs_;
  std::string buffer_;
  TokenQueue tokens_;
  bool ready_ = false;  // no token will be inserted before the front token any more
  int indent_ = -1;
  std::vector<int> indents_;
  std::vector<Key> keys_;  // one for the block context (outside brackets) and one for each open bracket
  std::vector<PendingKey> pending_;
  size_t first_pending_ = 0;
  bool key_allowed_ = true;
  bool finished_ = false;  // kStreamEnd is among the tokens
  Token failed_;
  std::string_view problem_;
  Mark problem_mark_;
};

}  // namespace smp::yaml
