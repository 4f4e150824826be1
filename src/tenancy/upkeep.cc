#include "dinette/tenancy/upkeep.h"

#include <utility>

#include "dinette/base/log.h"

namespace dinette::tenancy {

std::string job_name(const store::Store& store, const std::string& name) {
  const std::string& name_space = store.name_space();
  return name_space.empty() ? name : name_space + ": " + name;
}

void run_upkeep(const store::Store& store, base::Jobs& jobs, const std::string& name, base::TimePoint due,
                UpkeepStep step, std::chrono::microseconds lasts) {
  const auto guarded = [name, step = std::move(step)](const std::stop_token& stop) -> base::Jobs::Next {
    const auto next = step(stop);
    if (next) return *next;
    base::log(base::LogLevel::warn, "background work failed and will be retried",
              {{"work", name}, {"reason", next.error().message}});
    return base::Jobs::next_try;
  };
  jobs.add_once(job_name(store, name), due, guarded, lasts);
}

}  // namespace dinette::tenancy
