#pragma once

#include <memory>

#include <rocksdb/merge_operator.h>

namespace dinette::kv::durable {

/// Returns how RocksDB executes WriteBatch::add: it keeps the increments, and adds them when it reads or
/// compacts.
std::shared_ptr<rocksdb::MergeOperator> make_counter_operator();

}  // namespace dinette::kv::durable
