#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cql/error.h"
#include "cql/frames/replies.h"
#include "cql/grammar/ast.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"
#include "cql/types/type.h"

namespace dinette::cql::statements {

/// What a term is compared with or assigned to, as messages name it.
struct Receiver {
  std::string name{};
  Type type{};
};

/// What checking a statement uses, and what it finds out about bind markers. Lives as long as the check.
class Checker {
 public:
  /// `markers`: the names that the statement gives to its markers, or "". `binds` gets a column for each, as
  /// the check comes to it; the statements of a batch share them. What is passed must outlive the checker.
  Checker(const Place& place, const schema::Table& table, const std::vector<std::string>& markers,
          std::vector<frames::ColumnSpec>& binds)
      : place_(place), table_(table), markers_(markers), binds_(binds) {
    binds_.resize(markers_.size());
  }

  const Place& place() const { return place_; }
  const schema::Table& table() const { return table_; }
  bool strict() const { return place_.strict(); }

  /// Notes what a bind marker is for. Other members name its column: "in(k)".
  void bind(std::size_t marker, std::string name, Type type);

  Answer<Type> resolve(const grammar::TypeName& type) const;
  /// Fails if there is no such column.
  Answer<const schema::Column*> column(std::string_view name) const;
  /// Fails of comparisons that the service does not have: of whole frozen collections and user types other
  /// than for equality (docs/service-keyspaces/types.md sections 5 and 6).
  Answer<void> check_comparison(const Type& type, grammar::Operator comparison, std::string_view name) const;
  /// Fails of slices of values that have durations, which have no order. `what`: "restrictions" or
  /// "conditions"; `durations`: what those are called that are nothing but durations.
  static Answer<void> check_slice(const Type& type, std::string_view what, std::string_view durations);
  /// Returns the place of a column in the table.
  std::size_t place_of(const schema::Column& column) const {
    return static_cast<std::size_t>(&column - table_.columns.data());
  }

 private:
  const Place& place_;
  const schema::Table& table_;
  const std::vector<std::string>& markers_;
  std::vector<frames::ColumnSpec>& binds_;
};

}  // namespace dinette::cql::statements
