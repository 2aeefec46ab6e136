#include "cases/txtar.h"

#include <sstream>

namespace smp {

namespace {

std::optional<std::string> SectionName(const std::string& line) {
  if (line.size() < 7 || !line.starts_with("-- ") || !line.ends_with(" --")) return std::nullopt;
  return line.substr(3, line.size() - 6);
}

}  // namespace

std::optional<std::string> CaseFile::Find(std::string_view name) const {
  for (const auto& [section, text] : sections) {
    if (section == name) return text;
  }
  return std::nullopt;
}

void CaseFile::Set(std::string_view name, std::string text) {
  for (auto& [section, old] : sections) {
    if (section == name) old = std::move(text);
  }
}

CaseFile ParseCaseFile(const std::string& text) {
  CaseFile out;
  std::istringstream lines(text);
  std::string* at = &out.comment;
  for (std::string line; std::getline(lines, line);) {
    if (const auto name = SectionName(line)) {
      out.sections.emplace_back(*name, "");
      at = &out.sections.back().second;
    } else {
      *at += line + "\n";
    }
  }
  return out;
}

std::string PrintCaseFile(const CaseFile& file) {
  std::string out = file.comment;
  for (const auto& [name, text] : file.sections) {
    out += "-- " + name + " --\n" + text;
    if (!text.empty() && text.back() != '\n') out += "\n";
  }
  return out;
}

}  // namespace smp
