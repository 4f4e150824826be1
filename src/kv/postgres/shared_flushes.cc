#include "kv/postgres/shared_flushes.h"

#include <new>
#include <utility>

namespace dinette::kv::postgres {
namespace {

/// With fewer, the readers of a database that is far away wait for each other; with more, each flush has
/// fewer reads. On two processors that the database shares, one alone read 5 to 10 % more per second.
constexpr std::size_t most_under_way = 4;

}  // namespace

std::optional<Rows> SharedFlushes::read(Statement statement, const Parameters& parameters,
                                        Deadline deadline) {
  Reader reader{statement, parameters};
  std::unique_lock lock(mutex_);
  if (under_way_ < most_under_way) {
    ++under_way_;
  } else {
    reader.next = std::exchange(waiting_, &reader);
    reader.changed.wait(lock, [&reader] { return reader.state != Reader::State::waiting; });
    if (reader.state == Reader::State::ended) return std::move(reader.rows);
  }
  lead(lock, reader, deadline);
  return std::move(reader.rows);
}

void SharedFlushes::lead(std::unique_lock<std::mutex>& lock, Reader& first, Deadline deadline) {
  first.next = std::exchange(waiting_, nullptr);
  lock.unlock();
  execute(first, deadline);
  lock.lock();
  for (Reader* reader = first.next; reader != nullptr; reader = reader->next) {
    reader->state = Reader::State::ended;
    reader->changed.notify_one();
  }
  if (waiting_ == nullptr) {
    --under_way_;
    return;
  }
  Reader* const next = std::exchange(waiting_, waiting_->next);
  next->state = Reader::State::leads;
  next->changed.notify_one();
}

/// Whatever fails, the readers go on: each executes its own statement then.
void SharedFlushes::execute(Reader& first, Deadline deadline) {
  try {
    auto connection = pool_->lease(deadline);
    if (connection) flush(**connection, first, deadline);
  } catch (const std::bad_alloc&) {
  }
}

void SharedFlushes::flush(Connection& connection, Reader& first, Deadline deadline) {
  try {
    for (const Reader* reader = &first; reader != nullptr; reader = reader->next)
      connection.add(reader->statement, reader->parameters);
    auto rows = connection.flush(deadline);
    if (!rows) return;
    auto found = rows->begin();
    for (Reader* reader = &first; reader != nullptr; reader = reader->next)
      reader->rows = std::move(*found++);
  } catch (const std::bad_alloc&) {
    connection.give_up();  // it is not known what was sent
  }
}

}  // namespace dinette::kv::postgres
