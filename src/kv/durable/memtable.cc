#include "kv/durable/memtable.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace dinette::kv::durable {
namespace {

std::unique_ptr<rocksdb::MemTableRep> make_entries(rocksdb::MemTableRepFactory&& kind,
                                                   const rocksdb::MemTableRep::KeyComparator& order,
                                                   rocksdb::Allocator* allocator) {
  return std::unique_ptr<rocksdb::MemTableRep>(kind.CreateMemTableRep(order, allocator, nullptr, nullptr));
}

/// Becomes a skip list or a vector with its first entry. RocksDB writes from one thread at a time, and reads
/// from any.
class Memtable final : public rocksdb::MemTableRep {
 public:
  Memtable(const KeyComparator& order, rocksdb::Allocator* allocator,
           std::shared_ptr<const std::atomic<bool>> is_read)
      : MemTableRep(allocator),
        order_(order),
        is_read_(std::move(is_read)),
        no_entries_(make_entries(rocksdb::VectorRepFactory(), order, allocator)) {}

  rocksdb::KeyHandle Allocate(std::size_t size, char** bytes) override {
    if (!kept_) choose_kind();
    return kept_->Allocate(size, bytes);
  }
  void Insert(rocksdb::KeyHandle handle) override { kept_->Insert(handle); }
  bool InsertKey(rocksdb::KeyHandle handle) override { return kept_->InsertKey(handle); }
  void MarkReadOnly() override { entries().MarkReadOnly(); }

  bool Contains(const char* key) const override { return entries().Contains(key); }
  void Get(const rocksdb::LookupKey& key, void* argument, bool (*next)(void*, const char*)) override {
    entries().Get(key, argument, next);
  }
  std::uint64_t ApproximateNumEntries(const rocksdb::Slice& begin, const rocksdb::Slice& end) override {
    return entries().ApproximateNumEntries(begin, end);
  }
  std::size_t ApproximateMemoryUsage() override { return entries().ApproximateMemoryUsage(); }
  Iterator* GetIterator(rocksdb::Arena* arena) override { return entries().GetIterator(arena); }

 private:
  void choose_kind() {
    kept_ = *is_read_ ? make_entries(rocksdb::SkipListFactory(), order_, allocator_)
                      : make_entries(rocksdb::VectorRepFactory(), order_, allocator_);
    entries_.store(kept_.get(), std::memory_order_release);
  }
  MemTableRep& entries() const { return *entries_.load(std::memory_order_acquire); }

  const KeyComparator& order_;
  const std::shared_ptr<const std::atomic<bool>> is_read_;
  const std::unique_ptr<MemTableRep> no_entries_;  ///< is read until there are some
  std::unique_ptr<MemTableRep> kept_;              ///< of the thread that writes
  std::atomic<MemTableRep*> entries_{no_entries_.get()};
};

class MemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  explicit MemtableFactory(std::shared_ptr<const std::atomic<bool>> is_read) : is_read_(std::move(is_read)) {}

  using MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator& order,
                                          rocksdb::Allocator* allocator, const rocksdb::SliceTransform*,
                                          rocksdb::Logger*) override {
    return new Memtable(order, allocator, is_read_);
  }
  const char* Name() const override { return "DinetteMemtableFactory"; }

 private:
  const std::shared_ptr<const std::atomic<bool>> is_read_;
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory(
    std::shared_ptr<const std::atomic<bool>> is_read) {
  return std::make_shared<MemtableFactory>(std::move(is_read));
}

}  // namespace dinette::kv::durable
