// As a shared library, an NSS module that ends whatever program loads it: what a newer glibc's modules do to a static
// one. As a static program (-DLOOK_UP), one that loads it, to prove that the trap works.
#define TRAPPED 86

#ifdef LOOK_UP
#include <netdb.h>
#include <stddef.h>

int main(void) {
  struct addrinfo* found;
  return getaddrinfo("nowhere.invalid", NULL, NULL, &found) == 0;
}
#else
__attribute__((constructor)) static void Trap(void) {
#ifdef __x86_64__
  __asm__ volatile("syscall" : : "a"(231 /* exit_group */), "D"(TRAPPED));
#elif defined(__aarch64__)
  register long status __asm__("x0") = TRAPPED;
  register long call __asm__("x8") = 94;  // exit_group
  __asm__ volatile("svc 0" : : "r"(status), "r"(call));
#else
#error "exit_group of this processor"
#endif
}
#endif
