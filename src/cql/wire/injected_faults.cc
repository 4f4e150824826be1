#include "cql/wire/injected_faults.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dinette/cql/service.h"

#include "cql/grammar/parse.h"
#include "cql/schema/ddl.h"
#include "cql/wire/call_log.h"

namespace dinette::cql::wire {
namespace {

using grammar::QualifiedName;

/// Collects the tables that statements name.
class NamedTables {
 public:
  explicit NamedTables(std::string_view keyspace) : keyspace_(keyspace) {}

  void add(const grammar::Statement& statement) {
    std::visit([&](const auto& one) { add_tables(one); }, statement.value);
  }
  std::vector<tenancy::FaultTarget> take() && { return std::move(tables_); }

 private:
  template <class Statement>
  void add_tables(const Statement& statement) {
    if constexpr (requires { statement.table.keyspace; }) add_name(statement.table);
  }
  void add_tables(const grammar::Batch& batch) {
    for (const grammar::Modification& one : batch.statements)
      std::visit([&](const auto& modification) { add_name(modification.table); }, one);
  }
  void add_name(const QualifiedName& name) {
    const std::string_view keyspace = name.keyspace.empty() ? keyspace_ : std::string_view(name.keyspace);
    tables_.push_back({.table = std::string(keyspace) + "." + name.name});
  }

  std::string_view keyspace_;
  std::vector<tenancy::FaultTarget> tables_;
};

std::string usual_message(ErrorCode code) {
  switch (code) {
    case ErrorCode::write_timeout:
    case ErrorCode::read_timeout:
      return "Operation timed out - received only 0 responses.";
    case ErrorCode::unavailable:
      return "Cannot achieve consistency level";
    default:
      return "This fault was ordered with PUT /_dinette/faults.";
  }
}

}  // namespace

std::optional<tenancy::FaultHit> find_fault(const Place& place, Runner& runner,
                                            const frames::Request& request) {
  tenancy::Faults& faults = place.world.faults();
  if (!faults.any()) return std::nullopt;
  NamedTables tables(runner.keyspace());
  const auto statements = runner.statements_of(request);
  for (const grammar::Statement& one : statements) tables.add(one);
  if (!runner.operation()) return std::nullopt;
  const auto targets = std::move(tables).take();
  return faults.next({.operation = name_of(*runner.operation()), .targets = targets});
}

bool is_delayed(const Call& call) {
  return call.fault && call.fault->delay.count() > 0 && !call.delay_over;
}

Answer<void> end_of(const tenancy::FaultHit& hit) {
  const tenancy::FaultEffect& effect = hit.effect;
  if (effect.error.empty() && !effect.drop) return {};
  const ErrorCode code = error_code_of(effect.error).value_or(ErrorCode::server_error);
  return base::Failure<Error>(Error{code, effect.message.empty() ? usual_message(code) : effect.message});
}

}  // namespace dinette::cql::wire

namespace dinette::cql {

std::optional<std::string> prepare_fault(tenancy::FaultRule& rule) {
  if (!rule.operation.empty() && !is_operation(rule.operation))
    return "CQL has no operation '" + rule.operation + "'.";
  const std::string& error = rule.effect.error;
  if (!error.empty() && !wire::error_code_of(error)) return "CQL has no error '" + error + "'.";
  if (!rule.key.empty()) return "Rules for CQL have no key.";
  const bool partial = !rule.effect.unprocessed.empty() || rule.effect.unprocessed_share > 0;
  if (partial) return "Operations of CQL leave nothing unprocessed.";
  return std::nullopt;
}

bool is_operation(std::string_view name) {
  return wire::operation_of_name(name).has_value();
}

bool is_error(std::string_view name) {
  return wire::error_code_of(name).has_value();
}

}  // namespace dinette::cql
