#include "cmd/io.h"

#include "value/redact.h"

namespace smp {

std::string Printable(std::string_view text, Newlines newlines) {
  return Visible(SecretRegistry::Instance().Scrub(text), newlines);
}

void Warn(std::ostream& err, std::string_view text) { err << "Warning: " << Printable(text) << "\n"; }

int Fail(Io& io, const Error& error, int exit) {
  io.err << "error: " << Printable(ToString(error)) << "\n";
  return exit;
}

}  // namespace smp
