#include "app/descriptors.h"

#include <algorithm>

#include <sys/resource.h>

namespace dinette::app {
namespace {

// The kernel's own default for the most that any program may have (fs.nr_open).
constexpr rlim_t kMostDescriptors = 1 << 20;

}  // namespace

std::size_t raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  rlimit raised = limit;
  raised.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, kMostDescriptors));
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace dinette::app
