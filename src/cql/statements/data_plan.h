#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "cql/frames/consistency.h"
#include "cql/statements/execute.h"
#include "cql/statements/term.h"
#include "cql/system/open_table.h"

/// What the plans of all statements have in common.
namespace dinette::cql::statements {

/// A plan that can be run.
class DataPlan : public Plan {
 public:
  using Plan::Plan;

  /// Returns false if a table has changed since the statement was checked.
  virtual Answer<bool> is_current(const Place& place) const = 0;
  /// Nothing if a table has changed.
  virtual Answer<std::optional<Outcome>> run(const Place& place, std::span<const frames::Value> values,
                                             const Options& options) const = 0;
  /// Checks the consistency levels of a request.
  virtual Answer<void> check_levels(const Place& place, const Options& options) const = 0;
  std::string_view keyspace() const { return keyspace_; }
};

/// Opens the table that a statement names in the keyspace of a connection.
Answer<system::OpenTable> open_table(const Place& place, std::string_view keyspace,
                                     const grammar::QualifiedName& name);
/// Returns true if the table is still the one that was opened.
Answer<bool> is_current(const Place& place, const system::OpenTable& table);

/// Checks the levels of a request against what they are for (docs/service-keyspaces/consistency.md).
Answer<void> check_consistency(const Place& place, const frames::LevelUse& use, const Options& options);

/// Fills in the positions of the partition key among the binds: if each column has exactly one marker.
std::vector<std::uint16_t> key_binds(std::span<const Term* const> key);

CallContext call_context(const Place& place);

}  // namespace dinette::cql::statements
