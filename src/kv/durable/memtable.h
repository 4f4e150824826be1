#pragma once

#include <atomic>
#include <memory>

#include <rocksdb/memtablerep.h>

namespace dinette::kv::durable {

/// Makes the memtables of a database, in which it has what is not in files yet. While `is_read`, they are in
/// order, which is most of what a write costs. Otherwise entries are only appended, and put in order when
/// they go into a file: a read of such a memtable is correct, but copies and sorts all of it. A memtable is
/// of the kind that is right when its first entry comes.
std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory(
    std::shared_ptr<const std::atomic<bool>> is_read);

}  // namespace dinette::kv::durable
