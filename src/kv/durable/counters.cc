#include "kv/durable/counters.h"

#include <string>

#include "dinette/kv/write_batch.h"

namespace dinette::kv::durable {
namespace {

class CounterOperator final : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* current, const rocksdb::Slice& increments,
             std::string* sum, rocksdb::Logger*) const override {
    const Value before = current == nullptr ? Value() : Value(current->ToStringView());
    *sum = add_counters(before, increments.ToStringView()).view();
    return true;
  }
  /// Stored in the database, which refuses to open with an operator of another name.
  const char* Name() const override { return "dinette.counters"; }
};

}  // namespace

std::shared_ptr<rocksdb::MergeOperator> make_counter_operator() {
  return std::make_shared<CounterOperator>();
}

}  // namespace dinette::kv::durable
