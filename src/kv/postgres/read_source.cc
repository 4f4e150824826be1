#include "kv/postgres/read_source.h"

#include <chrono>
#include <utility>

#include "dinette/base/waiting.h"

#include "kv/postgres/pending_reads.h"

namespace dinette::kv::postgres {
namespace {

/// Begins a transaction that sees the present, once no commit holds the fence. The lock is needed for that
/// moment only. If no server writes, no commit holds it: a role that may only read could not lock it.
void add_snapshot(Connection& connection, std::int64_t world, bool no_server_writes) {
  connection.add(text::begin_snapshot);
  if (no_server_writes) return connection.add(text::look);
  connection.add(text::savepoint);
  connection.add(wait_at_fence(world));
  connection.add(text::look);
  connection.add(text::release_fence);
}

/// The same without the fence, and the first read in it.
void add_first_read(Connection& connection, const Call& read) {
  connection.add(text::begin_snapshot);
  connection.add(read.statement, read.parameters);
}

}  // namespace

Result<void> require_waiting() {
  if (base::may_wait()) return {};
  return base::Failure{Error{ErrorKind::would_block, "this waits for the database"}};
}

Result<Rows> LatestSource::read(Statement statement, const Parameters& parameters) const {
  if (auto rows = take_pending(statement, parameters)) return *std::move(rows);
  if (!base::may_wait()) begin_pending(pool_, statement, parameters);
  DINETTE_CHECK(require_waiting());
  const Deadline deadline = pool_->patience();
  if (auto rows = flushes_.read(statement, parameters, deadline)) return *std::move(rows);
  while (true) {
    auto connection = pool_->lease(deadline);
    if (!connection) return base::Failure{kv_error(connection.error())};
    (*connection)->add(statement, parameters);
    auto rows = (*connection)->flush(deadline);
    if (rows) return std::move(rows->front());
    if (!may_repeat(rows.error()) || std::chrono::steady_clock::now() >= deadline)
      return base::Failure{kv_error(rows.error())};
  }
}

Result<std::shared_ptr<const SnapshotSource>> SnapshotSource::take(std::shared_ptr<Pool> pool,
                                                                   std::int64_t world) {
  auto source = take_at_first_read(std::move(pool), world);
  const std::lock_guard lock(source->mutex_);
  DINETTE_CHECK(source->begin(nullptr));
  return source;
}

std::shared_ptr<const SnapshotSource> SnapshotSource::take_at_first_read(std::shared_ptr<Pool> pool,
                                                                         std::int64_t world) {
  return std::shared_ptr<const SnapshotSource>(new SnapshotSource(std::move(pool), world));
}

SnapshotSource::~SnapshotSource() {
  if (ended_ || !connection_ || !(*connection_)->usable()) return;
  (*connection_)->add(text::rollback);
  (*connection_)->flush_without_waiting();
}

Result<std::optional<Rows>> SnapshotSource::begin(const Call* first) const {
  DINETTE_CHECK(require_waiting());
  const Deadline deadline = pool_->patience();
  while (true) {
    auto connection = pool_->lease(deadline);
    if (!connection) return base::Failure{kv_error(connection.error())};
    if (first == nullptr)
      add_snapshot(**connection, world_, pool_->is_read_only());
    else
      add_first_read(**connection, *first);
    auto rows = (*connection)->flush(deadline);
    if (rows) {
      connection_.emplace(std::move(connection).value());
      return first != nullptr ? std::optional(std::move(rows->back())) : std::nullopt;
    }
    (*connection)->give_up();  // a transaction may be open
    if (!may_repeat(rows.error()) || std::chrono::steady_clock::now() >= deadline)
      return base::Failure{kv_error(rows.error())};
  }
}

Result<Rows> SnapshotSource::read(Statement statement, const Parameters& parameters) const {
  DINETTE_CHECK(require_waiting());
  const std::lock_guard lock(mutex_);
  if (!connection_) {
    const Call first{statement, parameters};
    DINETTE_TRY(auto found, begin(&first));
    return *std::move(found);
  }
  (*connection_)->add(statement, parameters);
  auto rows = (*connection_)->flush(pool_->patience());
  if (!rows) return base::Failure{kv_error(rows.error())};
  return std::move(rows->front());
}

Result<void> SnapshotSource::execute(std::string_view text, Deadline deadline) const {
  const std::lock_guard lock(mutex_);
  (*connection_)->add(text);
  const auto done = (*connection_)->flush(deadline);
  if (!done) return base::Failure{kv_error(done.error())};
  return {};
}

Result<void> SnapshotSource::commit(Deadline deadline) const {
  DINETTE_CHECK(execute(text::commit, deadline));
  const std::lock_guard lock(mutex_);
  ended_ = true;
  return {};
}

Result<Rows> TransactionSource::read(Statement statement, const Parameters& parameters) const {
  if (connection_ == nullptr)
    return base::Failure{Error{ErrorKind::unsupported, "the transaction has ended"}};
  DINETTE_CHECK(require_waiting());
  connection_->add(statement, parameters);
  auto rows = connection_->flush(deadline_);
  if (rows) return std::move(rows->front());
  if (!failure_) failure_ = rows.error();
  return base::Failure{kv_error(rows.error())};
}

}  // namespace dinette::kv::postgres
