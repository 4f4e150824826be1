#include "dynamodb/tasks/task.h"

#include <exception>
#include <utility>

#include "dinette/base/log.h"

namespace dinette::dynamodb {
namespace {

/// What is over in a moment, such as a lock that someone else holds, need not cost a second.
constexpr int tries_at_once = 3;

class TaskRunner {
 public:
  explicit TaskRunner(std::shared_ptr<Task> task) : task_(std::move(task)) {}

  base::Jobs::Next run(const std::stop_token& stop) {
    const kv::Result<base::Jobs::Next> next = attempt(stop);
    if (next) {
      failures_ = 0;
      return *next;
    }
    note_failure(next.error().message);
    return failures_ <= tries_at_once ? base::Jobs::at_once : base::Jobs::next_try;
  }

 private:
  kv::Result<base::Jobs::Next> attempt(const std::stop_token& stop) {
    try {
      if (!given_up_) return task_->step(stop);
      DINETTE_TRY(const bool ended, task_->fail(reason_));
      if (ended) return base::Jobs::done;
      given_up_ = false;
      return base::Jobs::Next(base::Jobs::at_once);
    } catch (const std::exception& error) {
      return base::Failure{kv::Error{kv::ErrorKind::corrupt, error.what()}};
    }
  }

  void note_failure(const std::string& reason) {
    if (++failures_ == 1) {
      base::log(base::LogLevel::warn, "background work failed and will be retried",
                {{"work", task_->name()}, {"reason", reason}});
    }
    if (failures_ % most_failures != 0 || given_up_) return;
    base::log(base::LogLevel::error, "background work keeps failing",
              {{"work", task_->name()}, {"reason", reason}});
    given_up_ = true;
    reason_ = reason;
  }

  const std::shared_ptr<Task> task_;
  int failures_ = 0;  ///< in a row
  bool given_up_ = false;
  std::string reason_;  ///< why, if given_up_
};

}  // namespace

void run_task(base::Jobs& jobs, Pace pace, const std::string& job, std::shared_ptr<Task> task) {
  const auto runner = std::make_shared<TaskRunner>(std::move(task));
  const base::Jobs::Step step = [runner](const std::stop_token& stop) { return runner->run(stop); };
  if (pace == Pace::slow)
    jobs.add_slow_unique(job, base::Jobs::at_once, step);
  else
    jobs.add_unique(job, base::Jobs::at_once, step);
}

}  // namespace dinette::dynamodb
