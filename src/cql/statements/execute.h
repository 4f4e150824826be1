#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cql/error.h"
#include "cql/frames/replies.h"
#include "cql/frames/requests.h"
#include "cql/grammar/ast.h"
#include "cql/schema/place.h"

/// SELECT, INSERT, UPDATE, DELETE, BATCH and TRUNCATE: from statements to results.
///
///     DINETTE_TRY(grammar::Statement statement, grammar::parse(text));
///     DINETTE_TRY(const auto plan, statements::prepare(place, keyspace, std::move(statement)));
///     DINETTE_TRY(statements::Outcome outcome, statements::execute(place, *plan, values, options));
namespace dinette::cql::statements {

/// Returns true of the statements that this layer carries out. All others change or choose a schema.
bool is_data_statement(const grammar::Statement& statement);

/// A statement that was checked against the tables of that moment. Immutable; threads share it.
class Plan {
 public:
  virtual ~Plan() = default;

  /// The bind markers, which of them are the partition key, and the columns of the result. Without an id.
  const frames::PreparedStatement& description() const { return description_; }
  const grammar::Statement& statement() const { return statement_; }

 protected:
  Plan(grammar::Statement statement, std::string_view keyspace)
      : statement_(std::move(statement)), keyspace_(keyspace) {}

  grammar::Statement statement_;
  std::string keyspace_;  ///< of the connection that prepared it
  frames::PreparedStatement description_{};
};

using PlanPointer = std::shared_ptr<const Plan>;

/// Checks everything that needs no values (docs/service-keyspaces/errors.md section 2, steps 5 and 6).
/// `keyspace`: that of the connection, or empty. Only for data statements.
Answer<PlanPointer> prepare(const Place& place, std::string_view keyspace, grammar::Statement statement);

/// What a request says besides the statement and its values.
struct Options {
  frames::Consistency consistency = frames::Consistency::local_quorum;
  std::optional<frames::Consistency> serial_consistency{};
  std::optional<std::int32_t> page_size{};
  std::optional<std::string_view> paging_state{};
  std::optional<std::int64_t> timestamp{};  ///< the driver's default, in microseconds since 1970
  /// The id of a plan whose description the client has; empty: it has none.
  std::string_view prepared{};
};

struct Void {
  std::vector<std::string> warnings{};
};

struct RowSet {
  frames::Metadata metadata{};  ///< complete, also for clients that want to skip it
  std::vector<std::vector<frames::Cell>> rows{};
  std::vector<std::string> warnings{};
};

using Outcome = std::variant<Void, RowSet>;

/// Brings named values into the order of the markers. Fails if one is missing.
Answer<std::vector<frames::Value>> arrange(const Plan& plan, const frames::Parameters& parameters);

/// Carries out a statement: with a plan of an older version of its table it is checked again first. `values`:
/// one per marker, views of the request. Fails with `unprepared`, and the id, if the client has a description
/// that is no longer right, or the statement no longer fits the tables.
Answer<Outcome> execute(const Place& place, const Plan& plan, std::span<const frames::Value> values,
                        const Options& options);

/// A statement of a BATCH frame.
struct BatchMember {
  PlanPointer plan;
  std::span<const frames::Value> values;
  std::string_view prepared{};  ///< as in Options
};

/// Carries out a BATCH frame. Page size and state do not matter.
Answer<Outcome> execute_batch(const Place& place, frames::Batch::Type type,
                              std::span<const BatchMember> members, const Options& options);

}  // namespace dinette::cql::statements
