#pragma once

#include "dynamodb/request/gate.h"

namespace dinette::dynamodb {

/// A gate before another one: each member asks the next gate, if there is one. A request passes several
/// gates, such as faults and throttling, as a chain of these.
class GateLink : public Gate {
 public:
  /// `next` may be null; it must outlive the object.
  explicit GateLink(Gate* next) : next_(next) {}

  Answer<void> admit(const Context& context, std::string_view operation) override {
    return next_ ? next_->admit(context, operation) : Answer<void>();
  }
  bool admit_item(const Context& context, std::size_t position) override {
    return next_ == nullptr || next_->admit_item(context, position);
  }
  Answer<void> admit_throughput(const Context& context, const Throughput& throughput, double least) override {
    return next_ ? next_->admit_throughput(context, throughput, least) : Answer<void>();
  }
  Answer<void> admit_partition(const Context& context, const PartitionThroughput& partition,
                               double least) override {
    return next_ ? next_->admit_partition(context, partition, least) : Answer<void>();
  }
  void take(const Context& context, const PartitionThroughput& partition, double units) override {
    if (next_) next_->take(context, partition, units);
  }
  void charge(const Context& context, std::string_view table, const Charge& charge) override {
    if (next_) next_->charge(context, table, charge);
  }
  void before_change(const Context& context, const store::Table& table) override {
    if (next_) next_->before_change(context, table);
  }
  void after_deletion(const Context& context, const store::Table& table) override {
    if (next_) next_->after_deletion(context, table);
  }

 private:
  Gate* const next_;
};

}  // namespace dinette::dynamodb
