#pragma once

#include <memory>

#include "cql/statements/data_plan.h"

namespace dinette::cql::statements {

/// TRUNCATE, which only Cassandra has (docs/service-keyspaces/grammar.md section 2).
class TruncatePlan final : public DataPlan {
 public:
  static Answer<std::shared_ptr<const DataPlan>> make(const Place& place, std::string_view keyspace,
                                                      grammar::Statement statement);

  Answer<bool> is_current(const Place& place) const override { return statements::is_current(place, open_); }
  Answer<std::optional<Outcome>> run(const Place& place, std::span<const frames::Value> values,
                                     const Options& options) const override;
  Answer<void> check_levels(const Place& place, const Options& options) const override {
    return check_consistency(place, {.is_write = true}, options);
  }

 private:
  using DataPlan::DataPlan;
  system::OpenTable open_;
};

}  // namespace dinette::cql::statements
