#include "kv/durable/resident_copy.h"

#include <utility>

#include "dinette/base/log.h"

#include "kv/live_memory.h"

namespace dinette::kv::durable {
namespace {

/// What an allocation costs beyond its bytes, and what a node of a tree takes, about.
constexpr std::size_t buffer_overhead = 24;
constexpr std::size_t node_bytes = 1400;

std::string successor_of(std::string_view key) {
  return std::string(key) + '\0';
}

}  // namespace

void ResidentCopy::begin(std::unique_ptr<memory::NumberedEngine> engine, bool complete) {
  engine_.exchange(std::move(engine));
  is_filling_.store(!complete, std::memory_order_release);
  if (complete) end_filling();
}

void ResidentCopy::end_filling() {
  is_filling_.store(false, std::memory_order_release);
  is_complete_.store(true, std::memory_order_release);
  database_.end_reads();
}

void ResidentCopy::start_from(std::unique_ptr<memory::NumberedEngine> copy) {
  begin(std::move(copy), true);
}

void ResidentCopy::start_filling() {
  filled_to_.clear();
  begin(memory::make_numbered_engine(), false);
}

void ResidentCopy::apply(const WriteBatch& batch, CommitNumber number) {
  const auto engine = engine_.load();
  if (!engine) return;
  if (is_filling()) {
    engine->write_numbered(within_filled(batch, number), number);
  } else {
    engine->write_numbered(batch, number);
  }
  if (is_too_large()) give_up();
}

WriteBatch ResidentCopy::within_filled(const WriteBatch& batch, CommitNumber number) const {
  WriteBatch within;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const WriteBatch::Change change = batch[i];
    if (change.kind == WriteBatch::Kind::put_in_commit_order) {
      const std::string key = key_in_commit_order(change, number);
      if (key < filled_to_) within.put(key, *change.value);
    } else if (change.key < filled_to_) {
      // A range may go beyond what is filled: there is nothing yet that it would erase.
      within.append(change);
    }
  }
  return within;
}

Result<void> ResidentCopy::fill(const Reader& database, std::size_t bytes) {
  const auto engine = engine_.load();
  DINETTE_TRY(const auto cursor, database.cursor({filled_to_, {}}));
  DINETTE_TRY(bool found, cursor->first());
  WriteBatch batch;
  std::string filled_to = filled_to_;
  for (std::size_t taken = 0; found && taken < bytes; taken += cursor->value().size()) {
    if (!batch.empty()) {
      DINETTE_TRY(found, cursor->next());
      if (!found) break;
    }
    batch.put(cursor->key(), cursor->shared_value());
    filled_to = successor_of(cursor->key());
  }
  engine->write_numbered(batch, 0);
  filled_to_ = std::move(filled_to);
  if (!found) end_filling();
  if (is_too_large()) give_up();
  return {};
}

std::unique_ptr<memory::NumberedEngine> ResidentCopy::fork() const {
  if (!is_complete_.load(std::memory_order_acquire)) return nullptr;
  const auto engine = engine_.load();
  return engine ? engine->fork_numbered() : nullptr;
}

bool ResidentCopy::is_too_large() const {
  const auto buffers = static_cast<std::size_t>(live_memory.buffers.load(std::memory_order_relaxed));
  const auto bytes = static_cast<std::size_t>(live_memory.bytes.load(std::memory_order_relaxed));
  const auto nodes = static_cast<std::size_t>(live_memory.nodes.load(std::memory_order_relaxed));
  return bytes + buffers * buffer_overhead + nodes * node_bytes > most_bytes_;
}

void ResidentCopy::give_up() {
  database_.begin_reads();
  is_complete_.store(false, std::memory_order_release);
  is_filling_.store(false, std::memory_order_release);
  if (engine_.exchange(nullptr))
    base::log(base::LogLevel::info, "the data no longer fit into memory; the disk answers from now on");
}

}  // namespace dinette::kv::durable
