// kubectl-smp: see README.md for the map of the code.
#include <filesystem>
#include <iostream>

#include "cmd/command.h"

int main(int argc, char** argv) {
  const std::string path = argc > 0 ? argv[0] : "";
  const bool plugin = std::filesystem::path(path).filename().string().starts_with("kubectl-");
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  std::ios::sync_with_stdio(false);
  smp::Io io{std::cin, std::cout, std::cerr};
  return smp::RunProgram(plugin ? "kubectl smp" : path, arguments, io);
}
