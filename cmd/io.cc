#include "cmd/io.h"

#include "value/redact.h"

namespace smp {

std::string Printable(std::string_view text, Newlines newlines) {
  return Visible(SecretRegistry::Instance().Scrub(text), newlines);
}

void Warn(std::ostream& err, std::string_view text) { err << "Warning: " << Printable(text) << "\n"; }

int Fail(Io& io, const Error& error, int exit) {
  Error shown = error;  // a name may not begin a line of its own, a message may have several
  shown.path = Visible(error.path, Newlines::kEscape);
  shown.source.file = Visible(error.source.file, Newlines::kEscape);
  io.err << "error: " << Printable(ToString(shown)) << "\n";
  return exit;
}

}  // namespace smp
