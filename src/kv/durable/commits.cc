#include "kv/durable/commits.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <rocksdb/write_batch.h>

#include "dinette/base/bytes.h"
#include "dinette/base/log.h"
#include "dinette/base/waiting.h"

#include "kv/durable/status.h"

namespace dinette::kv::durable {
namespace {

constexpr std::string_view reserved_key = "reserved commit numbers";
/// Commit numbers are reserved in blocks, so that a commit need not store its own. After a crash the rest of
/// a block is not used.
constexpr CommitNumber block = 1'000'000;

/// More batches than these are not written together: the first one would wait too long.
constexpr std::size_t most_together = 256;

/// Writing a batch takes a few microseconds unless the disk has to have it. Looking again so often is cheaper
/// than to sleep and be woken; a thread that was interrupted while it writes gets the processor meanwhile.
constexpr int looks = 50;

/// Greater than every key.
const std::string beyond_keys(max_key_size + 1, '\xff');

rocksdb::Status append(const WriteBatch::Change& change, CommitNumber number,
                       rocksdb::ColumnFamilyHandle* entries, rocksdb::WriteBatch& to) {
  switch (change.kind) {
    case WriteBatch::Kind::put:
      return to.Put(entries, change.key, change.value->view());
    case WriteBatch::Kind::put_in_commit_order:
      return to.Put(entries, key_in_commit_order(change, number), change.value->view());
    case WriteBatch::Kind::erase:
      return to.Delete(entries, change.key);
    case WriteBatch::Kind::erase_range:
      if (!change.end.empty() && change.key >= change.end) return {};
      return to.DeleteRange(entries, change.key,
                            change.end.empty() ? rocksdb::Slice(beyond_keys) : rocksdb::Slice(change.end));
    case WriteBatch::Kind::add:
      return to.Merge(entries, change.key, change.end);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Commits>> Commits::open(std::shared_ptr<const Database> database,
                                               ResidentCopy& resident, bool sync) {
  std::string stored;
  const auto status = database->db().Get(rocksdb::ReadOptions(), database->notes(), reserved_key, &stored);
  std::unique_ptr<Commits> commits(new Commits(std::move(database), resident, sync));
  if (status.IsNotFound()) return commits;
  DINETTE_CHECK(checked(status));
  if (stored.size() != sizeof(CommitNumber))
    return base::Failure{Error{ErrorKind::corrupt, "the reserved commit numbers cannot be read"}};
  commits->last_ = commits->reserved_ = base::load_big_endian<CommitNumber>(stored.data());
  return commits;
}

Result<CommitNumber> Commits::commit(const WriteBatch& batch) {
  if (batch.empty()) return CommitNumber{0};
  Waiting self{batch, base::may_wait()};
  if (sync_ && !self.may_wait)
    return base::Failure{Error{ErrorKind::would_block, "a commit waits for the disk"}};
  {
    const std::lock_guard guard(mutex_);
    queue_.push_back(&self);
    if (queue_.front() == &self) self.turn = Turn::leads;
  }
  if (await_turn(self) == Turn::leads) lead(next_group());
  DINETTE_CHECK(self.result);
  return self.number;
}

Commits::Turn Commits::await_turn(Waiting& self) {
  for (int i = 0; i < looks && !sync_ && self.turn == Turn::waits; ++i) std::this_thread::yield();
  if (const Turn turn = self.turn; turn != Turn::waits) return turn;
  std::unique_lock guard(mutex_);
  self.sleeps = true;
  self.changed.wait(guard, [&] { return self.turn != Turn::waits; });
  return self.turn;
}

/// One that does not sleep may be gone as soon as it has its turn.
void Commits::give_turn(Waiting& one, Turn turn) {
  const bool sleeps = one.sleeps;
  one.turn = turn;
  if (sleeps) one.changed.notify_one();
}

void Commits::lead(const Group& group) {
  try {
    finish(group, write(group));
  } catch (...) {
    finish(group, base::Failure{Error{ErrorKind::io, "a commit has ended with an exception"}});
    throw;
  }
}

/// Returns the first of the queue and those behind it that are written with it. Those that may wait are kept
/// apart from those that may not, whose write fails instead of being slowed down.
Commits::Group Commits::next_group() {
  const std::lock_guard guard(mutex_);
  Group group;
  for (Waiting* one : queue_) {
    if (group.size() == most_together || one->may_wait != queue_.front()->may_wait) break;
    group.push_back(one);
  }
  return group;
}

Result<void> Commits::write(const Group& group) {
  const bool may_wait = group.front()->may_wait;
  std::unique_lock order(order_, std::defer_lock);
  if (may_wait) {
    order.lock();
  } else if (!order.try_lock()) {
    return base::Failure{Error{ErrorKind::would_block, "the database is being copied"}};
  }
  for (Waiting* one : group) {
    if (one->batch.in_commit_order()) one->number = ++last_;
  }
  rocksdb::WriteBatch batch;
  const CommitNumber reserved = reserve(batch);
  for (const Waiting* one : group) {
    for (std::size_t i = 0; i < one->batch.size(); ++i)
      DINETTE_CHECK(checked(append(one->batch[i], one->number, database_->entries(), batch)));
  }
  rocksdb::WriteOptions options;
  options.sync = sync_;
  options.no_slowdown = !may_wait;
  const auto written = checked(database_->db().Write(options, &batch));
  if (!written) {
    if (written.error().kind != ErrorKind::would_block) say_failed(written.error());
    return written;
  }
  reserved_ = reserved;
  for (const Waiting* one : group) resident_.apply(one->batch, one->number);
  return {};
}

std::size_t Commits::unfinished() const {
  const std::lock_guard guard(mutex_);
  return queue_.size();
}

/// The log first: who learns of it by the health of the server finds it there.
void Commits::say_failed(const Error& error) {
  if (std::exchange(has_failed_, true)) return;
  base::log(base::LogLevel::error, write_failed_text, {{"reason", error.message}});
  database_->note_failure(error.message);
}

/// Returns up to which number commits may be numbered once `batch` is written, to which it adds that if need
/// be.
CommitNumber Commits::reserve(rocksdb::WriteBatch& batch) const {
  if (last_ <= reserved_) return reserved_;
  const CommitNumber reserved = last_ + block;
  std::string bytes;
  base::append_big_endian(bytes, reserved);
  batch.Put(database_->notes(), reserved_key, bytes);
  return reserved;
}

void Commits::finish(const Group& group, const Result<void>& result) {
  const std::lock_guard guard(mutex_);
  for (Waiting* one : group) {
    queue_.pop_front();
    one->result = result;
    give_turn(*one, Turn::done);
  }
  if (!queue_.empty()) give_turn(*queue_.front(), Turn::leads);
}

}  // namespace dinette::kv::durable
