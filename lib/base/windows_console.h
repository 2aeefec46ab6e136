// The standard streams where they are a console. Only for files of lib/base named *_windows.cc.
#pragma once

namespace smp {

// Makes std::cin, std::cout and std::cerr read from and write to the console, as far as they are one. C's streams would write single
// bytes, of which the console makes no characters beyond ASCII, and read zeros for such characters.
void UseConsole();

}  // namespace smp
