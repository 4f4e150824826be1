#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>

#include "dinette/kv/coordinator.h"

#include "kv/postgres/calls.h"

namespace dinette::kv::postgres {

/// The servers of one database agree by a few rows of it (FORMAT.md), which one thread of each looks at every
/// few milliseconds, and writes now and then to stay one of them. What they say is done on a second thread,
/// because it may take longer than a server may be silent.
class PostgresCoordinator final : public Coordinator {
 public:
  explicit PostgresCoordinator(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {}
  ~PostgresCoordinator() override { leave(); }

  Result<void> join(Member& member) override;
  void leave() override;
  Result<void> announce(std::uint64_t engine) override;
  Result<void> take_work() override;
  void leave_work(std::uint64_t engine) override;
  std::size_t servers() const override;

 private:
  using Moment = std::chrono::steady_clock::time_point;
  using LeftWork = std::map<std::uint64_t, std::int64_t>;  ///< how often it was left, by engine

  /// What the rows say.
  struct Agreed {
    std::int64_t change = 0;
    std::int64_t number = 0;  ///< of the newest commit in commit order
    std::int64_t servers = 1;
    Moment works_until{};  ///< this server; in the past if it does not do the work
    bool wanted = false;   ///< by another
    LeftWork left = {};    ///< empty unless this server does the work
  };

  // On the thread that looks.
  void look_again_and_again(const std::stop_token& stop);
  Result<void> look();
  Result<void> look_at_work(Agreed& agreed, bool is_free, Moment now);
  Result<void> leave_work_now();

  // On the thread that does what they say.
  void follow(const std::stop_token& stop);
  bool has_news() const;
  bool may_work() const;
  void follow_change();
  Result<std::optional<std::set<std::uint64_t>>> engines_changed(std::int64_t seen,
                                                                 std::int64_t change) const;
  void follow_work();
  void begin_work();
  void end_work();
  void find_left_work();

  Parameters this_server() const;
  Result<std::vector<Rows>> execute(Statement statement, Parameters parameters = {}) const;
  Result<void> keep_member(std::int64_t seen) const;

  const std::shared_ptr<Pool> pool_;
  Member* member_ = nullptr;  ///< null before join()
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  Agreed agreed_;                      ///< guarded by mutex_
  std::int64_t seen_ = 0;              ///< the change that the member knows; guarded by mutex_
  std::int64_t told_number_ = 0;       ///< guarded by mutex_
  LeftWork found_;                     ///< guarded by mutex_
  bool works_ = false;                 ///< the member does the work; guarded by mutex_
  std::set<std::uint64_t> leaving_;    ///< engines; guarded by mutex_
  std::set<std::uint64_t> left_once_;  ///< engines; guarded by mutex_
  Moment kept_at_{};                   ///< of the thread that looks
  bool failing_ = false;               ///< of the thread that looks
  std::jthread looker_;
  std::jthread follower_;
};

}  // namespace dinette::kv::postgres
