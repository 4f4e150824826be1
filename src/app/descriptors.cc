#include "app/descriptors.h"

#include <algorithm>

#include <sys/resource.h>

namespace dinette::app {
namespace {

// The kernel's default maximum for any program (fs.nr_open).
constexpr rlim_t most_descriptors = 1 << 20;

}  // namespace

std::size_t raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  rlimit raised = limit;
  raised.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, most_descriptors));
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace dinette::app
