#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dinette/deliveries/delivery.h"
#include "dinette/dynamodb/service.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Carries out the changes of one replica in another one: the later version of an item wins, so a change that
/// comes twice is carried out once. What it was made with must outlive it.
class ReplicationTarget final : public deliveries::Target {
 public:
  static constexpr deliveries::BatchRule batches{.records = 100, .bytes = 4 << 20};

  /// `of_group`: the record of a replica of the group.
  ReplicationTarget(tenancy::World& world, std::string region, api::TableRecord of_group, Upkeep upkeep)
      : world_(world), region_(std::move(region)), of_group_(std::move(of_group)), upkeep_(upkeep) {}

  deliveries::Verdict deliver(const deliveries::Batch& batch, const std::stop_token& stop) override;

  /// The changes that were carried out, and that were not because the item had a later version.
  std::int64_t applied() const { return applied_; }
  std::int64_t outdated() const { return outdated_; }

 private:
  /// Carries out changes of different items by one commit. Returns false if there is no replica in the
  /// region.
  Answer<bool> apply(std::span<const deliveries::Record> records);

  tenancy::World& world_;
  const std::string region_;
  const api::TableRecord of_group_;
  const Upkeep upkeep_;
  std::int64_t applied_ = 0;
  std::int64_t outdated_ = 0;
};

}  // namespace dinette::dynamodb
