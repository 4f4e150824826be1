#include "support/refused_binds.h"

#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

namespace dinette::test {

std::function<int(const sockaddr& address)> refuse_bind;

}  // namespace dinette::test

// Takes the place of the C library's.
extern "C" int bind(int socket, const sockaddr* address, socklen_t size) noexcept {
  if (dinette::test::refuse_bind) {
    if (const int why = dinette::test::refuse_bind(*address); why != 0) {
      errno = why;
      return -1;
    }
  }
  return static_cast<int>(syscall(SYS_bind, socket, address, size));
}
