#include "yaml/parser.h"

namespace smp::yaml {

const Event& Parser::Next() {
  if (event_.type == Event::Type::kError && !problem_.empty()) return event_;
  event_ = Event();
  if (!ReadNext()) event_.type = Event::Type::kError;
  return event_;
}

Token Parser::Take() {
  const Token token = scanner_.Peek();
  scanner_.Skip();
  return token;
}

void Parser::TakeIndicator() {
  const Token& token = scanner_.Peek();
  event_.indicator_begin = token.begin;
  event_.indicator_end = token.end;
  scanner_.Skip();
}

bool Parser::Fail(std::string_view why, Mark mark) {
  problem_ = why;
  problem_mark_ = mark;
  return false;
}

// Fails with the scanner's problem if there is one, else with `why`.
bool Parser::Unexpected(std::string_view why) {
  const Token& token = scanner_.Peek();
  if (token.type == Type::kError) return Fail(scanner_.problem(), scanner_.problem_mark());
  return Fail(why, token.begin);
}

bool Parser::ReadNext() {
  switch (place_) {
    case Place::kStream: return ReadStream();
    case Place::kDocument: return open_.empty() ? ReadDocument() : ReadEntry();
    case Place::kDocumentEnd: break;
  }
  return ReadDocumentEnd();
}

// --- Documents

bool Parser::ReadStream() {
  while (!first_document_ && Is(Type::kDocumentEnd)) scanner_.Skip();
  event_.begin = event_.content = PeekBegin();
  if (Is(Type::kStreamEnd)) return event_.type = Event::Type::kStreamEnd, true;
  if (!ReadDirectives()) return false;
  event_.type = Event::Type::kDocumentStart;
  place_ = Place::kDocument;
  first_document_ = false;
  return true;
}

bool Parser::ReadDirectives() {
  tag_handles_.Clear();
  bool any = false;
  for (; Is(Type::kDirective); any = true) {
    const Token directive = Take();
    const std::string_view why = tag_handles_.AddDirective(directive.text);
    if (!why.empty()) return Fail(why, directive.begin);
  }
  if (Is(Type::kDocumentStart)) {
    event_.content = Take().end;
  } else if (any) {
    return Unexpected("a line with --- must follow a directive (%)");
  } else if (!first_document_) {
    return Unexpected("unexpected text after the end of the document; separate documents by ---");
  } else if (Is(Type::kDocumentEnd)) {
    return Unexpected("the document ends before it begins; remove the line with ...");
  }
  return true;
}

bool Parser::ReadDocument() {
  place_ = Place::kDocumentEnd;
  event_.begin = PeekBegin();
  if (IsAny(Type::kDirective, Type::kDocumentStart, Type::kDocumentEnd, Type::kStreamEnd)) {
    return ReadAbsent(Role::kRoot, PeekBegin());
  }
  if (!ReadNode(Role::kRoot, Context::kBlock)) return false;
  if (!open_.empty()) place_ = Place::kDocument;
  return true;
}

bool Parser::ReadDocumentEnd() {
  if (Is(Type::kError)) return Unexpected({});
  event_.type = Event::Type::kDocumentEnd;
  event_.begin = event_.content = event_.end = PeekBegin();
  if (Is(Type::kDocumentEnd)) event_.end = Take().end;
  place_ = Place::kStream;
  return true;
}

// --- Nodes

bool Parser::ReadNode(Role role, Context context) {
  event_.role = role;
  if (Is(Type::kAlias)) return ReadAlias();
  if (!ReadProperties()) return false;
  if (Is(Type::kScalar)) return ReadScalar();
  if (const std::optional<Form> form = FormOf(context)) return Open(*form);
  const bool has_properties = !event_.anchor.empty() || !event_.tag.empty();
  return has_properties && !Is(Type::kError) ? ReadAbsent(role, event_.properties_end) : Unexpected(MissingNode());
}

bool Parser::ReadAlias() {
  const Token token = Take();
  event_.type = Event::Type::kAlias;
  event_.begin = event_.properties_end = event_.content = token.begin;
  event_.end = token.end;
  event_.anchor = token.text;
  return true;
}

// Reads an anchor and a tag in any order, at most one of each.
bool Parser::ReadProperties() {
  event_.begin = event_.properties_end = PeekBegin();
  for (;;) {
    if (Is(Type::kAnchor) && event_.anchor.empty()) {
      const Token token = Take();
      event_.anchor = token.text;
      event_.properties_end = token.end;
    } else if (Is(Type::kTag) && event_.tag.empty()) {
      if (!TakeTag()) return false;
    } else {
      return true;
    }
  }
}

bool Parser::TakeTag() {
  const Token token = Take();
  event_.properties_end = token.end;
  const std::string_view why = tag_handles_.Expand(token.text, tag_);
  if (!why.empty()) return Fail(why, token.begin);
  event_.tag = arena_.Copy(tag_);
  return true;
}

bool Parser::ReadScalar() {
  const Token& token = scanner_.Peek();
  event_.type = Event::Type::kScalar;
  event_.style = token.style;
  event_.one_line = token.one_line;
  event_.content = token.begin;
  event_.end = token.end;
  event_.text = token.text;
  scanner_.Skip();
  return true;
}

// Makes an empty scalar that has no text except perhaps an anchor and a tag, e.g. the value in `a:`.
bool Parser::ReadAbsent(Role role, Mark mark) {
  if (Is(Type::kError)) return Unexpected({});
  event_.type = Event::Type::kScalar;
  event_.role = role;
  event_.absent = true;
  event_.content = event_.end = mark;
  if (event_.anchor.empty() && event_.tag.empty()) event_.begin = event_.properties_end = mark;
  return true;
}

// Returns the form of the collection that begins here; nullopt if none begins here.
std::optional<Parser::Form> Parser::FormOf(Context context) {
  const bool block = context != Context::kFlow;
  switch (scanner_.Peek().type) {
    case Type::kFlowSequence: return Form::kFlowSequence;
    case Type::kFlowMapping: return Form::kFlowMapping;
    case Type::kBlockSequence: return block ? std::optional(Form::kBlockSequence) : std::nullopt;
    case Type::kBlockMapping: return block ? std::optional(Form::kBlockMapping) : std::nullopt;
    case Type::kBlockEntry:
      return context == Context::kBlockOrIndentless ? std::optional(Form::kIndentless) : std::nullopt;
    default: return std::nullopt;
  }
}

bool Parser::Open(Form form) {
  const bool is_map = form == Form::kBlockMapping || form == Form::kFlowMapping || form == Form::kPair;
  const bool is_block = form == Form::kBlockSequence || form == Form::kIndentless || form == Form::kBlockMapping;
  event_.type = is_map ? Event::Type::kMappingStart : Event::Type::kSequenceStart;
  event_.style = is_block ? Style::kBlock : Style::kFlow;
  event_.is_pair = form == Form::kPair;
  event_.content = event_.end = PeekBegin();
  if (form == Form::kFlowSequence || form == Form::kFlowMapping) event_.end = scanner_.Peek().end;
  if (form != Form::kIndentless && form != Form::kPair) scanner_.Skip();
  open_.push_back({form});
  return true;
}

// Ends the innermost collection. `takes_token`: the collection has an end token, which is consumed.
bool Parser::Close(bool takes_token) {
  const Form form = open_.back().form;
  open_.pop_back();
  if (open_.empty()) place_ = Place::kDocumentEnd;
  const bool is_map = form == Form::kBlockMapping || form == Form::kFlowMapping || form == Form::kPair;
  event_.type = is_map ? Event::Type::kMappingEnd : Event::Type::kSequenceEnd;
  event_.style = form == Form::kFlowSequence || form == Form::kFlowMapping ? Style::kFlow : Style::kBlock;
  event_.is_pair = form == Form::kPair;
  event_.begin = event_.content = PeekBegin();
  event_.end = takes_token ? scanner_.Peek().end : event_.begin;
  if (takes_token) scanner_.Skip();
  return true;
}

std::string_view Parser::MissingNode() {
  if (IsAny(Type::kFlowEntry, Type::kFlowSequenceEnd, Type::kFlowMappingEnd)) {
    return "an item is missing before the comma or bracket, or the bracket was not opened";
  }
  const bool ends = IsAny(Type::kBlockEnd, Type::kDocumentStart, Type::kDocumentEnd, Type::kStreamEnd);
  if (ends && !open_.empty() && open_.back().form == Form::kFlowMapping) return "the { of a mapping is not closed by }";
  if (ends && !open_.empty() && open_.back().form == Form::kFlowSequence) return "the [ of a list is not closed by ]";
  return "a value is missing here, or the indentation is wrong";
}

// --- Entries of the innermost collection

bool Parser::ReadEntry() {
  Frame& frame = open_.back();
  const bool expects_entry = frame.expect == Expect::kEntry;
  switch (frame.form) {
    case Form::kBlockSequence:
    case Form::kIndentless: return ReadBlockItem();
    case Form::kBlockMapping: return expects_entry ? ReadBlockKey() : ReadBlockValue();
    case Form::kFlowSequence: return ReadFlowItem();
    case Form::kFlowMapping: return expects_entry ? ReadFlowKey() : ReadFlowValue(Type::kFlowMappingEnd);
    case Form::kPair: break;
  }
  if (!expects_entry) return ReadFlowValue(Type::kFlowSequenceEnd);
  return frame.has_entry ? Close(false) : ReadPairKey();
}

bool Parser::ReadBlockItem() {
  const bool indentless = open_.back().form == Form::kIndentless;
  if (Is(Type::kBlockEntry)) {
    TakeIndicator();
    const bool absent = IsAny(Type::kBlockEntry, Type::kBlockEnd) || (indentless && IsAny(Type::kKey, Type::kValue));
    return absent ? ReadAbsent(Role::kItem, event_.indicator_end) : ReadNode(Role::kItem, Context::kBlock);
  }
  if (Is(Type::kError)) return Unexpected({});
  if (!indentless && !Is(Type::kBlockEnd)) {
    return Unexpected("the line does not fit the list above it; each item begins with a dash (-) in the same column");
  }
  return Close(!indentless);
}

bool Parser::ReadBlockKey() {
  if (Is(Type::kBlockEnd)) return Close(true);
  if (!Is(Type::kKey)) return Unexpected("the line does not fit the mapping above it; fix the indentation");
  TakeIndicator();
  open_.back().expect = Expect::kValue;
  if (IsAny(Type::kKey, Type::kValue, Type::kBlockEnd)) return ReadAbsent(Role::kKey, event_.indicator_end);
  return ReadNode(Role::kKey, Context::kBlockOrIndentless);
}

bool Parser::ReadBlockValue() {
  open_.back().expect = Expect::kEntry;
  if (!Is(Type::kValue)) return ReadAbsent(Role::kValue, PeekBegin());
  TakeIndicator();
  if (IsAny(Type::kKey, Type::kValue, Type::kBlockEnd)) return ReadAbsent(Role::kValue, event_.indicator_end);
  return ReadNode(Role::kValue, Context::kBlockOrIndentless);
}

// Reads the comma before an entry, unless the entry is the first.
bool Parser::TakeComma(std::string_view why) {
  if (!open_.back().has_entry) return true;
  if (!Is(Type::kFlowEntry)) return Unexpected(why);
  event_.comma = Take().begin.offset;
  return true;
}

bool Parser::ReadFlowItem() {
  if (Is(Type::kFlowSequenceEnd)) return Close(true);
  if (!TakeComma("the [ of a list is not closed by ], or a comma is missing")) return false;
  if (Is(Type::kFlowSequenceEnd)) return Close(true);
  open_.back().has_entry = true;
  if (!Is(Type::kKey)) return ReadNode(Role::kItem, Context::kFlow);
  event_.role = Role::kItem;
  event_.begin = event_.properties_end = PeekBegin();
  return Open(Form::kPair);
}

// Like Go, drops the token after a `?` without a key.
bool Parser::ReadPairKey() {
  open_.back() = {Form::kPair, Expect::kValue, true};
  TakeIndicator();
  if (!IsAny(Type::kValue, Type::kFlowEntry, Type::kFlowSequenceEnd)) return ReadNode(Role::kKey, Context::kFlow);
  scanner_.Skip();
  return ReadAbsent(Role::kKey, event_.indicator_end);
}

bool Parser::ReadFlowKey() {
  if (Is(Type::kFlowMappingEnd)) return Close(true);
  if (!TakeComma("the { of a mapping is not closed by }, or a comma is missing")) return false;
  if (Is(Type::kFlowMappingEnd)) return Close(true);
  open_.back() = {Form::kFlowMapping, Is(Type::kKey) ? Expect::kValue : Expect::kNoValue, true};
  if (!Is(Type::kKey)) return ReadNode(Role::kKey, Context::kFlow);
  TakeIndicator();
  if (IsAny(Type::kValue, Type::kFlowEntry, Type::kFlowMappingEnd)) return ReadAbsent(Role::kKey, event_.indicator_end);
  return ReadNode(Role::kKey, Context::kFlow);
}

bool Parser::ReadFlowValue(Type end) {
  const bool none = open_.back().expect == Expect::kNoValue;
  open_.back().expect = Expect::kEntry;
  if (none || !Is(Type::kValue)) return ReadAbsent(Role::kValue, PeekBegin());
  TakeIndicator();
  if (IsAny(Type::kFlowEntry, end)) return ReadAbsent(Role::kValue, event_.indicator_end);
  return ReadNode(Role::kValue, Context::kFlow);
}

}  // namespace smp::yaml
