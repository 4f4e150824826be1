#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cql/statements/data_plan.h"
#include "cql/statements/selection.h"
#include "cql/statements/where.h"

namespace dinette::cql::statements {

/// A SELECT that was checked (docs/service-keyspaces/dml.md section 4).
class SelectPlan final : public DataPlan {
 public:
  static Answer<std::shared_ptr<const DataPlan>> make(const Place& place, std::string_view keyspace,
                                                      grammar::Statement statement);

  Answer<bool> is_current(const Place& place) const override { return statements::is_current(place, open_); }
  Answer<std::optional<Outcome>> run(const Place& place, std::span<const frames::Value> values,
                                     const Options& options) const override;
  Answer<void> check_levels(const Place& place, const Options& options) const override {
    return check_consistency(place, {}, options);
  }

  const schema::Table& table() const { return open_.table(); }
  const system::OpenTable& open() const { return open_; }
  const grammar::Select& select() const { return std::get<grammar::Select>(statement_.value); }
  const Where& where() const { return where_; }
  const SelectionCheck& selection() const { return selection_; }
  const std::optional<Term>& limit() const { return limit_; }
  const std::optional<Term>& per_partition_limit() const { return per_partition_limit_; }
  /// The columns of GROUP BY, as places in the table: the beginning of the primary key, without those that
  /// WHERE restricts to one value.
  const std::vector<std::size_t>& groups() const { return groups_; }
  bool descending() const { return descending_; }
  /// True if it reads one row by its key.
  bool is_point() const { return is_point_; }
  bool reads_rows() const { return reads_rows_; }
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  using DataPlan::DataPlan;

  Answer<void> check(const Place& place, Checker& checker);
  Answer<void> check_order(Checker& checker);
  Answer<void> check_groups(Checker& checker);
  Answer<void> check_distinct() const;
  Answer<void> check_filtering() const;
  /// Returns true if the clause restricts a column of a kind, other than the partition key.
  bool restricts(schema::ColumnKind kind) const;
  /// Returns true of a column of the key that is restricted to one value.
  bool is_fixed(std::size_t column) const;
  Answer<void> check_clauses(Checker& checker);
  void describe();

  system::OpenTable open_;
  Where where_;
  SelectionCheck selection_;
  std::optional<Term> limit_;
  std::optional<Term> per_partition_limit_;
  std::vector<std::size_t> groups_;
  bool descending_ = false;
  bool is_point_ = false;
  /// False if only static columns and the partition key are selected: then no row is read.
  bool reads_rows_ = true;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace dinette::cql::statements
