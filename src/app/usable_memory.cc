#include "app/usable_memory.h"

#include <algorithm>
#include <fstream>

#include <unistd.h>

namespace dinette::app {

std::size_t usable_memory() {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const std::size_t machine = pages * static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE));
  std::size_t limit = machine;
  // Inside a container this is its own group. The file says "max" if there is no limit.
  std::ifstream group("/sys/fs/cgroup/memory.max");
  return group >> limit ? std::min(limit, machine) : machine;
}

}  // namespace dinette::app
