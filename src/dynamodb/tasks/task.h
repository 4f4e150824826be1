#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "dinette/base/jobs.h"
#include "dinette/kv/error.h"

namespace dinette::dynamodb {

/// Work of many steps that outlives a request: an export, an import, the filling of an index. It finds out
/// from what is stored how far it has come, and so continues after a restart.
class Task {
 public:
  virtual ~Task() = default;

  /// Returns what the log calls it, such as `export arn:...`.
  virtual std::string name() const = 0;

  /// Does a few milliseconds' worth of work. Returns when to continue; Jobs::done at the end.
  virtual kv::Result<base::Jobs::Next> step(const std::stop_token& stop) = 0;

  /// Ends the work because its steps keep failing: makes `reason` known to clients. Returns false if the
  /// service knows no such end; then it is retried for ever.
  virtual kv::Result<bool> fail(const std::string& reason) = 0;
};

/// How long steps take: slow ones wait for networks, or compress a lot (Jobs::add_slow).
enum class Pace : bool { quick, slow };

/// How often a step may fail in a row: for about a minute of real time.
inline constexpr int most_failures = 60;

/// Has a task done by a job of that name, which is the task's alone in its world, unless one does it already.
/// A step that fails, or throws, is retried: a few times at once, then each second of real time. After
/// `most_failures` the task fails.
void run_task(base::Jobs& jobs, Pace pace, const std::string& job, std::shared_ptr<Task> task);

}  // namespace dinette::dynamodb
