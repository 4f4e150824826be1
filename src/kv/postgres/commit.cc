#include "kv/postgres/commit.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "dinette/base/background.h"
#include "dinette/base/bytes.h"

#include "kv/postgres/calls.h"
#include "kv/postgres/counters.h"
#include "kv/postgres/keys.h"

namespace dinette::kv::postgres {
namespace {

/// A range may have many rows, of which each takes a few microseconds.
constexpr std::chrono::minutes erasing_time{30};

using Point = FoldedBatch::Point;
using End = CommitAttempt::End;

/// Keys cut into the arrays that statements take. Views the keys.
class PlaceArrays {
 public:
  void add(Place place) {
    parents_.push_back(std::move(place.parent));
    parts_.push_back(place.part);
  }
  bool empty() const { return parts_.empty(); }
  void append_to(Parameters& parameters) const {
    const std::vector<std::string_view> parents(parents_.begin(), parents_.end());
    parameters.byte_strings(parents).byte_strings(parts_);
  }

 private:
  std::vector<std::string> parents_;
  std::vector<std::string_view> parts_;
};

/// The statements of a commit, in their order.
class CommitFlush {
 public:
  CommitFlush(Pool& pool, Connection& connection, const CommitPlan& plan, const FoldedBatch& batch)
      : pool_(pool), connection_(connection), plan_(plan), batch_(batch), version_(pool.next_version()) {}

  /// Locks come first and the number last, so that numbers have the order of the commits of each key.
  void add_all();

  std::uint64_t version() const { return version_; }
  std::optional<std::size_t> verification() const { return verification_; }
  /// Returns which statement fails if this server does not do the background work any more.
  std::optional<std::size_t> fence() const { return fence_; }
  /// Returns which statement returned the number.
  std::optional<std::size_t> number() const { return number_; }

 private:
  void add(Statement statement, const Parameters& parameters) {
    connection_.add(statement, parameters);
    ++count_;
  }
  void add(std::string_view text) {
    connection_.add(text);
    ++count_;
  }
  Parameters of_world() const {
    Parameters parameters;
    parameters.number(plan_.world);
    return parameters;
  }

  void add_locks();
  void add_fence();
  void add_verification();
  void add_ranges();
  void add_erased();
  void add_branches();
  void add_writes();
  void add_appends();

  bool may_have_parts(std::string_view key) const {
    return plan_.plain_keys == nullptr || !plan_.plain_keys->contains(key);
  }

  Pool& pool_;
  Connection& connection_;
  const CommitPlan& plan_;
  const FoldedBatch& batch_;
  const std::uint64_t version_;
  std::size_t count_ = 0;
  std::optional<std::size_t> fence_;
  std::optional<std::size_t> verification_;
  std::optional<std::size_t> number_;
};

void CommitFlush::add_all() {
  add_locks();
  add_fence();
  add_verification();
  add_ranges();
  add_erased();
  add_branches();
  add_writes();
  Parameters lane;
  lane.number(pool_.server()).small_number(connection_.lane).number(connection_.operation);
  add(Statement::use_lane, lane);
  add_appends();
  if (plan_.begun) add(text::commit);
}

void CommitFlush::add_locks() {
  const auto add_set = [this](const LockSet& locks, Deadline deadline) {
    postgres::add_locks(connection_, locks, deadline);
    ++count_;
  };
  const LockSet named = plan_.locks != nullptr ? *plan_.locks : LockSet();
  if (named.empty()) return add_set(LockSet::of_commit(plan_.world, !plan_.alone), pool_.patience());
  if (!plan_.alone) return add_set(named.with_commit(plan_.world), plan_.lock_deadline);
  add_set(named, plan_.lock_deadline);
  add_set(LockSet::of_commit(plan_.world, false), pool_.patience());
}

void CommitFlush::add_fence() {
  if (!pool_.coordinated() || !base::in_background()) return;
  Parameters server;
  server.number(pool_.server());
  add(Statement::hold_off_workers, {});
  fence_ = count_;
  add(Statement::check_worker, server);
}

void CommitFlush::add_verification() {
  if (!plan_.verification || plan_.verification->keys.empty()) return;
  PlaceArrays places;
  for (const std::string_view key : plan_.verification->keys) places.add(place_of(key));
  std::vector<std::int64_t> digests;
  for (const std::uint64_t digest : plan_.verification->digests)
    digests.push_back(static_cast<std::int64_t>(digest & ~std::uint64_t{1}));
  Parameters parameters = of_world();
  places.append_to(parameters);
  parameters.numbers(digests);
  verification_ = count_;
  add(Statement::verify, parameters);
}

void CommitFlush::add_ranges() {
  for (const Range& range : batch_.ranges) {
    const auto end = range.end.empty() ? std::optional<std::string_view>() : range.end;
    for (const Piece& piece : pieces_of(range.begin, end)) {
      Parameters parameters = of_world();
      parameters.bytes(piece.parent).bytes(piece.from).small_number(part_size);
      if (piece.to) parameters.bytes(*piece.to);
      add(piece.to ? Statement::erase_range : Statement::erase_range_to_end, parameters);
    }
  }
}

void CommitFlush::add_erased() {
  PlaceArrays whole;
  PlaceArrays parts;
  for (const auto& [key, point] : batch_.points) {
    if (point.kind == Point::Kind::erase) whole.add(place_of(key));
    if (point.kind == Point::Kind::put && may_have_parts(key)) parts.add(place_of(key));
  }
  const auto add_places = [&](Statement statement, const PlaceArrays& places) {
    if (places.empty()) return;
    Parameters parameters = of_world();
    places.append_to(parameters);
    add(statement, parameters);
  };
  add_places(Statement::erase, whole);
  add_places(Statement::erase_parts, parts);
}

void CommitFlush::add_branches() {
  PlaceArrays branches;
  const auto add_above = [&](std::string_view key) {
    for (Branch& branch : branches_of(key)) branches.add({std::move(branch.parent), branch.part});
  };
  for (const auto& [key, point] : batch_.points) {
    if (point.kind != Point::Kind::erase) add_above(key);
  }
  for (const FoldedBatch::Append& append : batch_.appends) add_above(append.prefix);
  if (branches.empty()) return;
  Parameters parameters = of_world();
  branches.append_to(parameters);
  add(Statement::make_branches, parameters);
}

void CommitFlush::add_writes() {
  PlaceArrays places;
  std::vector<std::int32_t> slots;
  std::vector<std::int64_t> increments;
  std::vector<std::string_view> values;
  const auto add_row = [&](std::string_view key, std::int32_t slot, std::uint64_t n, std::string_view value) {
    places.add(place_of(key));
    slots.push_back(slot);
    increments.push_back(static_cast<std::int64_t>(n));
    values.push_back(value);
  };
  for (const auto& [key, point] : batch_.points) {
    if (point.kind == Point::Kind::put) add_row(key, 0, 0, point.value.view());
    if (point.kind != Point::Kind::add) continue;
    for (std::size_t i = 0; i < point.increments.size(); ++i)
      add_row(key, counter_slot(i, connection_.lane + plan_.next_part), point.increments[i], {});
  }
  if (places.empty()) return;
  Parameters parameters = of_world();
  parameters.number(static_cast<std::int64_t>(version_));
  places.append_to(parameters);
  parameters.small_numbers(slots).numbers(increments).byte_strings(values);
  add(Statement::write, parameters);
}

void CommitFlush::add_appends() {
  if (batch_.appends.empty()) return;
  PlaceArrays places;
  std::vector<std::int32_t> indexes;
  std::vector<std::string_view> values;
  for (const FoldedBatch::Append& append : batch_.appends) {
    places.add(place_of(append.prefix));
    indexes.push_back(static_cast<std::int32_t>(append.index));
    values.push_back(append.value.view());
  }
  add(hold_fence(plan_.world), {});
  Parameters parameters = of_world();
  parameters.number(static_cast<std::int64_t>(version_));
  places.append_to(parameters);
  parameters.small_numbers(indexes).byte_strings(values);
  number_ = count_;
  add(Statement::append, parameters);
}

/// Is set in the operation of a lane that has been claimed, so that none follows. Claiming it twice does not
/// change what it says.
constexpr std::int64_t claimed_lane = std::int64_t{1} << 62;

/// Waits longer each time, so that commits that were in each other's way do not meet again.
void wait_before_attempt(int attempt) {
  constexpr int longest_shift = 6;
  thread_local std::minstd_rand random(std::random_device{}());
  const auto most = std::chrono::microseconds(1000) * (1 << std::min(attempt, longest_shift));
  std::this_thread::sleep_for(most * std::uniform_real_distribution<double>(0.1, 1)(random));
}

CommitAttempt failed(const SqlError& error) {
  return {End::failed, 0, kv_error(error)};
}

/// Returns the number of a commit that took place but whose answer was lost.
SqlResult<CommitNumber> number_of_commit(Connection& connection, const CommitPlan& plan,
                                         const FoldedBatch& batch, std::uint64_t version, Deadline deadline) {
  if (batch.appends.empty()) return plan.number;
  const Place place = place_of(batch.appends.front().prefix);
  std::string end(place.part);
  end.append(CommitPosition::encoded_size + 1, '\xFF');
  Parameters parameters;
  parameters.number(plan.world).number(static_cast<std::int64_t>(version)).bytes(place.parent);
  parameters.bytes(place.part).bytes(end);
  connection.add(Statement::last_appended, parameters);
  DINETTE_TRY(const std::vector<Rows> rows, connection.flush(deadline));
  // Another commit may have erased it since.
  if (rows.front().size() == 0) return base::Failure{SqlError{"40003", "the number of a commit is unknown"}};
  return CommitPosition::at_end_of(rows.front().bytes(0, 0)).number;
}

/// Finds out whether the commit took place whose connection ended before it answered, by claiming its lane: a
/// commit that has not ended is waited for, and one that comes later fails.
CommitAttempt resolve(Pool& pool, const Connection& lost, const CommitPlan& plan, const FoldedBatch& batch,
                      std::uint64_t version, const SqlError& reason) {
  const Deadline deadline = pool.patience();
  Parameters lane;
  lane.number(pool.server()).small_number(lost.lane).number(claimed_lane);
  do {
    auto connection = pool.lease(deadline);
    if (!connection) break;
    (*connection)->add(Statement::claim_lane, lane);
    const auto claimed = (*connection)->flush(deadline);
    if (!claimed) {
      wait_before_attempt(1);
      continue;
    }
    if (claimed->front().size() == 0) break;
    if ((claimed->front().int8(0, 0) & ~claimed_lane) != lost.operation)
      return {End::again, 0, kv_error(reason)};
    const auto number = number_of_commit(**connection, plan, batch, version, deadline);
    if (!number) return failed(number.error());
    return {End::committed, *number};
  } while (std::chrono::steady_clock::now() < deadline);
  Error unknown = kv_error(reason);
  unknown.message += "; it is not known whether the commit took place";
  return {End::failed, 0, std::move(unknown)};
}

CommitNumber number_in(const std::vector<Rows>& rows, const CommitFlush& flush, const CommitPlan& plan) {
  if (!flush.number()) return plan.number;
  return static_cast<CommitNumber>(rows[*flush.number()].int8(0, 0));
}

CommitAttempt after_error(Pool& pool, Connection& connection, const CommitPlan& plan,
                          const FoldedBatch& batch, const CommitFlush& flush, const SqlError& error) {
  const SqlTrouble trouble = trouble_of(error);
  if (trouble == SqlTrouble::lost) {
    connection.give_up();
    return resolve(pool, connection, plan, batch, flush.version(), error);
  }
  --connection.operation;
  if (trouble == SqlTrouble::away) connection.give_up();
  if (plan.begun) roll_back(connection);
  switch (trouble) {
    case SqlTrouble::check_failed:
      if (flush.fence() && error.statement == flush.fence())
        return {End::failed, 0, Error{ErrorKind::io, "another server does the background work now"}};
      if (error.statement == flush.verification()) return {End::changed, 0, kv_error(error)};
      connection.give_up();  // another process has claimed its lane
      return {End::again, 0, kv_error(error)};
    case SqlTrouble::conflict:
      return {End::conflict, 0, kv_error(error)};
    case SqlTrouble::overflow:
      return {End::overflow, 0, kv_error(error)};
    case SqlTrouble::unprepared:
    case SqlTrouble::away:
      return {End::again, 0, kv_error(error)};
    default:
      return failed(error);
  }
}

}  // namespace

CommitAttempt before_commit(Connection& connection, const SqlError& error) {
  const SqlTrouble trouble = trouble_of(error);
  if (trouble == SqlTrouble::lost || trouble == SqlTrouble::away) connection.give_up();
  roll_back(connection);
  if (may_repeat(error)) return {End::again, 0, kv_error(error)};
  return failed(error);
}

namespace {

/// Commits in one round trip.
CommitAttempt commit_at_once(Pool& pool, Connection& connection, const CommitPlan& plan,
                             const FoldedBatch& batch) {
  ++connection.operation;
  CommitFlush flush(pool, connection, plan, batch);
  flush.add_all();
  Deadline deadline = pool.patience() + pool.grace();
  if (!batch.ranges.empty()) deadline += erasing_time;
  if (plan.locks != nullptr) deadline = std::max(deadline, plan.lock_deadline + pool.grace());
  const auto rows = connection.flush(deadline);
  if (!rows) return after_error(pool, connection, plan, batch, flush, rows.error());
  if (connection.not_replicated())
    return {End::failed, 0, Error{ErrorKind::io, "the commit may be missing on the synchronous replica"}};
  return {End::committed, number_in(*rows, flush, plan)};
}

/// Begins a transaction, if none has begun, that is alone in its world, and returns its number.
SqlResult<CommitNumber> draw_number(Pool& pool, Connection& connection, const CommitPlan& plan) {
  if (!plan.begun) connection.add(text::begin);
  add_locks(connection, LockSet::of_commit(plan.world, false), pool.patience());
  connection.add(hold_fence(plan.world), {});
  connection.add(Statement::next_number, {});
  DINETTE_TRY(const std::vector<Rows> rows, connection.flush(pool.patience() + pool.grace()));
  return static_cast<CommitNumber>(rows.back().int8(0, 0));
}

}  // namespace

CommitAttempt commit_batch(Pool& pool, Connection& connection, CommitPlan plan, const WriteBatch& batch,
                           const FoldedBatch& folded) {
  if (pool.is_read_only()) {
    if (plan.begun) roll_back(connection);
    return {End::failed, 0, only_read()};
  }
  if (!folded.needs_number) return commit_at_once(pool, connection, plan, folded);
  const auto drawn = draw_number(pool, connection, plan);
  if (!drawn) return before_commit(connection, drawn.error());
  plan.begun = true;
  plan.alone = true;
  plan.number = *drawn;
  return commit_at_once(pool, connection, plan, fold(batch, *drawn));
}

bool must_be_alone(const FoldedBatch& batch, std::span<const Lock> locks) {
  const auto is_locked = [&](const Range& range) {
    return std::ranges::any_of(locks, [&](const Lock& lock) {
      return lock.mode == Lock::Mode::exclusive && !lock.name.empty() && range.begin.starts_with(lock.name) &&
             !range.end.empty() && range.end <= base::prefix_end(lock.name);
    });
  };
  const bool several = batch.points.size() + batch.appends.size() > 1;
  return !std::ranges::all_of(batch.ranges, is_locked) || (locks.empty() && batch.erases() && several);
}

bool prepare_next(CommitPlan& plan, const CommitAttempt& attempt, int attempts, Deadline deadline) {
  if (std::chrono::steady_clock::now() >= deadline) return false;
  switch (attempt.end) {
    case End::overflow:
      return ++plan.next_part < counter_parts;
    case End::conflict:
      plan.alone = true;
      break;
    case End::again:
      break;
    case End::committed:
    case End::changed:
    case End::failed:
      return false;
  }
  wait_before_attempt(attempts);
  return true;
}

void add_locks(Connection& connection, const LockSet& locks, Deadline deadline) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
  // 0 would be no limit, and locks that are free are acquired in any case.
  const auto timeout = std::clamp(left, milliseconds(1), milliseconds(std::chrono::hours(24)));
  Parameters parameters;
  parameters.numbers(locks.names()).flags(locks.shared()).text(std::to_string(timeout.count()));
  connection.add(Statement::lock_names, parameters);
}

void roll_back(Connection& connection) {
  if (!connection.usable()) return;
  connection.add(text::rollback);
  connection.flush_without_waiting();
}

}  // namespace dinette::kv::postgres
