#include "dinette/base/descriptors.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <sys/resource.h>

namespace dinette::base {
namespace {

// The kernel's default maximum for any program (fs.nr_open).
constexpr rlim_t most_descriptors = 1 << 20;

rlimit limit_of_open_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

}  // namespace

std::size_t raise_descriptor_limit() {
  const rlimit limit = limit_of_open_files();
  rlimit raised = limit;
  raised.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, most_descriptors));
  return ::setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

DescriptorUse descriptor_use() {
  DescriptorUse use{.open = 0, .limit = limit_of_open_files().rlim_cur};
  std::error_code error;
  for (std::filesystem::directory_iterator one("/proc/self/fd", error), end; !error && one != end;
       one.increment(error))
    ++use.open;
  if (error == std::errc::too_many_files_open) use.open = use.limit;
  return use;
}

}  // namespace dinette::base
