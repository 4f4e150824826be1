#include "kv/postgres/pending_reads.h"

#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/per_thread.h"
#include "dinette/base/waiting.h"

namespace dinette::kv::postgres {
namespace {

using OfPools = std::map<const Pool*, std::shared_ptr<LoopReads>>;

bool reads(const base::Pending& pending, Statement statement, const Parameters& parameters) {
  const auto* const read = dynamic_cast<const PendingRead*>(&pending);
  return read != nullptr && read->call().statement == statement && read->call().parameters == parameters;
}

}  // namespace

void PendingRead::when_due(std::function<void()> resume) {
  if (ended_) return resume();
  resume_ = std::move(resume);
}

void PendingRead::end(std::optional<Rows> rows) {
  rows_ = std::move(rows);
  ended_ = true;
  if (!resume_) return;
  try {
    std::exchange(resume_, nullptr)();
  } catch (const std::exception& error) {  // the others of its flush go on
    base::log(base::LogLevel::error, "a request cannot go on", {{"reason", error.what()}});
  }
}

std::shared_ptr<LoopReads> LoopReads::of_this_thread(const std::shared_ptr<Pool>& pool) {
  base::EventLoop* const loop = base::event_loop();
  if (loop == nullptr) return nullptr;
  auto& of_pool = base::per_thread<OfPools>()[pool.get()];
  if (!of_pool) of_pool = std::make_shared<LoopReads>(pool, *loop);
  return of_pool;
}

LoopReads::~LoopReads() {
  watch_.reset();  // before the connection closes its socket
}

std::shared_ptr<PendingRead> LoopReads::begin(const Call& call) {
  if (!connection_ && !connect()) return nullptr;
  auto read = std::make_shared<PendingRead>(call);
  if (next_.empty()) {
    loop_.later([self = weak_from_this()] {
      if (const auto reads = self.lock()) reads->flush();
    });
  }
  next_.push_back(read);
  return read;
}

bool LoopReads::connect() {
  auto idle = pool_->lease_idle();
  if (!idle) return false;
  connection_.emplace(*std::move(idle));
  try {
    watch_ = loop_.watch((*connection_)->socket());
  } catch (const std::exception& error) {
    base::log(base::LogLevel::warn, "the database's socket cannot be watched", {{"reason", error.what()}});
    connection_.reset();
  }
  return connection_.has_value();
}

void LoopReads::flush() {
  if (next_.empty()) return;
  try {
    send();
  } catch (const std::bad_alloc&) {
    fail();
  }
}

void LoopReads::send() {
  Connection& connection = **connection_;
  for (const auto& read : next_) connection.add(read->call().statement, read->call().parameters);
  connection.begin_flush();
  under_way_.push_back({{}, pool_->patience()});
  under_way_.back().reads.swap(next_);
  if (!connection.usable()) return fail();
  if (under_way_.size() == 1 || connection.has_unsent()) wait();
}

void LoopReads::wait() {
  watch_->wait((*connection_)->has_unsent(), under_way_.front().deadline,
               [this](bool in_time) { ready(in_time); });
}

void LoopReads::ready(bool in_time) {
  const auto self = shared_from_this();
  if (!in_time) return fail();
  try {
    receive();
  } catch (const std::bad_alloc&) {
    fail();
  }
}

void LoopReads::receive() {
  Connection& connection = **connection_;
  connection.move_bytes();
  while (!under_way_.empty()) {
    auto flushed = connection.take_flush();
    if (!flushed) return wait();
    if (!*flushed) return fail();
    const Flush flush = std::move(under_way_.front());
    under_way_.pop_front();
    auto rows = std::move(*flushed)->begin();
    for (const auto& read : flush.reads) read->end(std::move(*rows++));
  }
}

/// It is not known what state the connection is in.
void LoopReads::fail() {
  watch_.reset();
  (*connection_)->give_up();
  connection_.reset();
  for (const Flush& flush : under_way_) {
    for (const auto& read : flush.reads) read->end(std::nullopt);
  }
  under_way_.clear();
  for (const auto& read : next_) read->end(std::nullopt);
  next_.clear();
}

std::optional<Rows> take_pending(Statement statement, const Parameters& parameters) {
  base::PendingWork* const work = base::pending_work();
  if (work == nullptr) return std::nullopt;
  const auto found = std::ranges::find_if(
      work->begun(), [&](const auto& one) { return reads(*one, statement, parameters); });
  if (found == work->begun().end()) return std::nullopt;
  const auto read = std::static_pointer_cast<PendingRead>(*found);
  if (base::may_wait()) work->begun().erase(found);
  return read->rows();
}

void begin_pending(const std::shared_ptr<Pool>& pool, Statement statement, const Parameters& parameters) {
  base::PendingWork* const work = base::pending_work();
  if (work == nullptr) return;
  const auto same = [&](const auto& one) { return reads(*one, statement, parameters); };
  if (std::ranges::any_of(work->begun(), same)) return;
  const auto loop_reads = LoopReads::of_this_thread(pool);
  if (loop_reads == nullptr) return;
  if (auto read = loop_reads->begin({statement, parameters})) work->add(std::move(read));
}

}  // namespace dinette::kv::postgres
