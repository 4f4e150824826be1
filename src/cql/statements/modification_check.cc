#include <algorithm>
#include <set>
#include <utility>

#include "cql/statements/modification.h"

namespace dinette::cql::statements {
namespace {

using grammar::Assignment;
using grammar::Conditions;
using schema::Column;
using schema::ColumnKind;
using OperationKind = Operation::Kind;

bool is_collection(const Column& column) {
  const Kind kind = column.type.kind;
  return kind == Kind::list || kind == Kind::set || kind == Kind::map;
}

class ModificationCheck {
 public:
  ModificationCheck(Checker& checker, system::OpenTable open) : checker_(checker) {
    out_.open = std::move(open);
  }

  Answer<Modification> run(const grammar::Insert& insert) {
    out_.kind = Modification::Kind::insert;
    if (table().has_counters()) {
      return invalid("INSERT statements are not allowed on counter tables, use UPDATE instead");
    }
    if (insert.json) {
      DINETTE_TRY(out_.json.emplace(),
                  Term::check(checker_, insert.json->text, {"[json]", {.kind = Kind::text}}));
      out_.json_unset = insert.json->unset_by_default;
    } else {
      DINETTE_CHECK(check_values(insert));
    }
    DINETTE_CHECK(check_conditions(insert.conditions));
    DINETTE_CHECK(check_using(insert.using_));
    return finish();
  }

  Answer<Modification> run(const grammar::Update& update) {
    out_.kind = Modification::Kind::update;
    DINETTE_CHECK(check_using(update.using_));
    for (const Assignment& assignment : update.assignments) DINETTE_CHECK(check_assignment(assignment));
    DINETTE_TRY(out_.where, check_where(checker_, update.where, WhereUse::update));
    DINETTE_CHECK(check_conditions(update.conditions));
    return finish();
  }

  Answer<Modification> run(const grammar::Delete& removal) {
    out_.kind = Modification::Kind::delete_;
    DINETTE_CHECK(check_using(removal.using_));
    for (const grammar::ColumnPart& part : removal.deletions) DINETTE_CHECK(check_deletion(part));
    DINETTE_TRY(out_.where, check_where(checker_, removal.where, WhereUse::delete_));
    DINETTE_CHECK(check_conditions(removal.conditions));
    return finish();
  }

 private:
  const schema::Table& table() const { return checker_.table(); }

  Answer<void> check_values(const grammar::Insert& insert) {
    if (insert.columns.size() != insert.values.size()) return invalid("Unmatched column names/values");
    std::set<std::string_view> names;
    std::vector<std::optional<Restriction>> keys(table().partition_key_size() + table().clustering_size());
    for (std::size_t i = 0; i < insert.columns.size(); ++i) {
      DINETTE_TRY(const Column* const column, checker_.column(insert.columns[i]));
      if (!names.insert(column->name).second) return invalid("The column names contains duplicates");
      DINETTE_TRY(Term value, Term::check(checker_, insert.values[i], {column->name, column->type}));
      if (column->in_key()) {
        const std::size_t place = checker_.place_of(*column);
        keys[place] = Restriction{.columns = {place}, .equal = std::move(value), .types = {column->type}};
      } else {
        add({.kind = OperationKind::set, .column = column, .value = std::move(value)});
      }
    }
    return take_keys(std::move(keys));
  }

  Answer<void> take_keys(std::vector<std::optional<Restriction>> keys) {
    const std::size_t partition = table().partition_key_size();
    std::string missing_partition;
    std::string missing_clustering;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::string& missing = i < partition ? missing_partition : missing_clustering;
      if (!keys[i]) missing.append(missing.empty() ? "" : ", ").append(table().columns[i].name);
    }
    if (!missing_partition.empty()) {
      return invalid("Some partition key parts are missing: " + missing_partition);
    }
    const bool any_clustering =
        std::ranges::any_of(keys.begin() + static_cast<std::ptrdiff_t>(partition), keys.end(),
                            [](const auto& key) { return key.has_value(); });
    const bool only_static = out_.operations.empty() && !out_.static_operations.empty() && !any_clustering;
    if (!missing_clustering.empty() && !only_static) {
      return invalid("Some clustering keys are missing: " + missing_clustering);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!keys[i]) continue;
      (i < partition ? out_.where.partition : out_.where.clustering).push_back(*std::move(keys[i]));
    }
    return {};
  }

  void add(Operation operation) {
    const bool is_static = operation.column->kind == ColumnKind::static_;
    (is_static ? out_.static_operations : out_.operations).push_back(std::move(operation));
  }

  base::Failure<Error> wrong_operation(const std::string& operation, const std::string& what,
                                       const Column& column) const {
    return invalid("Invalid operation (" + operation + ") for " + what + " column " + column.name);
  }

  std::string shown(const Assignment& assignment) const {
    const std::string& column = assignment.part.column;
    const std::string value = grammar::to_text(assignment.value);
    switch (assignment.kind) {
      case Assignment::Kind::add:
        return column + " = " + column + " + " + value;
      case Assignment::Kind::subtract:
        return column + " = " + column + " - " + value;
      case Assignment::Kind::prepend:
        return column + " = " + value + " + " + column;
      case Assignment::Kind::set:
        break;
    }
    if (!assignment.part.key.empty()) {
      return column + "[" + grammar::to_text(assignment.part.key.front()) + "] = " + value;
    }
    return column + " = " + value;
  }

  Answer<void> check_assignment(const Assignment& assignment) {
    DINETTE_TRY(const Column* const column, checker_.column(assignment.part.column));
    if (column->in_key()) return invalid("PRIMARY KEY part " + column->name + " found in SET part");
    if (!assignment.part.key.empty()) return check_element_assignment(assignment, *column);
    if (assignment.part.field) return check_field_assignment(assignment, *column);
    if (assignment.kind == Assignment::Kind::set) {
      if (column->type.kind == Kind::counter) {
        return invalid("Cannot set the value of counter column " + column->name +
                       " (counters can only be incremented/decremented, not set)");
      }
      DINETTE_TRY(Term value, Term::check(checker_, assignment.value, {column->name, column->type}));
      add({.kind = OperationKind::set, .column = column, .value = std::move(value)});
      return {};
    }
    return check_change(assignment, *column);
  }

  Answer<void> check_change(const Assignment& assignment, const Column& column) {
    const bool prepends = assignment.kind == Assignment::Kind::prepend;
    const bool subtracts = assignment.kind == Assignment::Kind::subtract;
    Type type = column.type;  // also of what a counter is changed by
    if (prepends && column.type.kind != Kind::list) {
      return wrong_operation(shown(assignment), "non list", column);
    } else if (!is_collection(column) && column.type.kind != Kind::counter) {
      // `x = x + 1` is meant for a counter.
      return wrong_operation(shown(assignment), "non counter", column);
    } else if (column.type.frozen) {
      return wrong_operation(shown(assignment), prepends ? "frozen list" : "frozen collection", column);
    } else if (subtracts && column.type.kind == Kind::map) {
      type = {.kind = Kind::set, .frozen = false, .arguments = {column.type.arguments.front()}};
    }
    DINETTE_TRY(Term value, Term::check(checker_, assignment.value, {column.name, std::move(type)}));
    const OperationKind kind = prepends    ? OperationKind::prepend
                               : subtracts ? OperationKind::subtract
                                           : OperationKind::add;
    add({.kind = kind, .column = &column, .value = std::move(value)});
    return {};
  }

  /// Returns the type of the key of an element.
  Answer<Receiver> element_key(const Column& column) const {
    if (column.type.kind == Kind::list) return Receiver{"idx(" + column.name + ")", {.kind = Kind::int_}};
    if (column.type.kind == Kind::set)
      return Receiver{"value(" + column.name + ")", column.type.arguments.front()};
    return Receiver{"key(" + column.name + ")", column.type.arguments.front()};
  }

  Answer<void> check_element_assignment(const Assignment& assignment, const Column& column) {
    if (column.type.kind == Kind::set) {
      return invalid("Invalid element access syntax for set column " + column.name);
    }
    if (!is_collection(column)) return wrong_operation(shown(assignment), "non collection", column);
    if (column.type.frozen) return wrong_operation(shown(assignment), "frozen collection", column);
    DINETTE_TRY(const Receiver receiver, element_key(column));
    DINETTE_TRY(Term key, Term::check(checker_, assignment.part.key.front(), receiver));
    DINETTE_TRY(Term value, Term::check(checker_, assignment.value,
                                        {"value(" + column.name + ")", column.type.arguments.back()}));
    add({.kind = OperationKind::set_element,
         .column = &column,
         .value = std::move(value),
         .key = std::move(key)});
    return {};
  }

  Answer<std::uint16_t> field_of(const Column& column, const std::string& name) const {
    const auto found = std::ranges::find(column.type.fields, name);
    if (found == column.type.fields.end()) {
      return invalid("UDT column " + column.name + " does not have a field named " + name);
    }
    return static_cast<std::uint16_t>(found - column.type.fields.begin());
  }

  Answer<void> check_field_assignment(const Assignment& assignment, const Column& column) {
    const std::string& name = *assignment.part.field;
    const std::string text = column.name + "." + name + " = " + grammar::to_text(assignment.value);
    if (column.type.kind != Kind::udt) {
      return invalid("Invalid operation (" + text + ") for non-UDT column " + column.name);
    }
    if (column.type.frozen) {
      return invalid("Invalid operation (" + text + ") for frozen UDT column " + column.name);
    }
    DINETTE_TRY(const std::uint16_t field, field_of(column, name));
    DINETTE_TRY(Term value, Term::check(checker_, assignment.value,
                                        {column.name + "." + name, column.type.arguments[field]}));
    add({.kind = OperationKind::set_field, .column = &column, .value = std::move(value), .field = field});
    return {};
  }

  Answer<void> check_deletion(const grammar::ColumnPart& part) {
    DINETTE_TRY(const Column* const column, checker_.column(part.column));
    if (column->in_key()) {
      return invalid("Invalid identifier " + column->name +
                     " for deletion (should not be a PRIMARY KEY part)");
    }
    if (part.field) {
      if (column->type.kind != Kind::udt || column->type.frozen) {
        return invalid("Invalid deletion operation for " +
                       std::string(column->type.kind == Kind::udt ? "frozen" : "non-UDT") + " column " +
                       column->name);
      }
      DINETTE_TRY(const std::uint16_t field, field_of(*column, *part.field));
      add({.kind = OperationKind::erase_field, .column = column, .field = field});
      return {};
    }
    if (part.key.empty()) {
      add({.kind = OperationKind::erase, .column = column});
      return {};
    }
    if (!is_collection(*column)) {
      return invalid("Invalid deletion operation for non collection column " + column->name);
    }
    if (column->type.frozen) {
      return invalid("Invalid deletion operation for frozen collection column " + column->name);
    }
    DINETTE_TRY(const Receiver receiver, element_key(*column));
    DINETTE_TRY(Term key, Term::check(checker_, part.key.front(), receiver));
    add({.kind = OperationKind::erase_element, .column = column, .key = std::move(key)});
    return {};
  }

  Answer<void> check_conditions(const Conditions& conditions) {
    if (conditions.none()) return {};
    if (table().has_counters()) return invalid("Conditional updates are not supported on counter tables");
    out_.existence = conditions.existence;
    for (const grammar::Condition& condition : conditions.all) {
      DINETTE_TRY(out_.conditions.emplace_back(), check_condition(condition));
    }
    return {};
  }

  Answer<ConditionCheck> check_condition(const grammar::Condition& condition) {
    DINETTE_TRY(const Column* const column, checker_.column(condition.part.column));
    if (column->in_key()) {
      return invalid("PRIMARY KEY column '" + column->name + "' cannot have IF conditions");
    }
    ConditionCheck out{.column = column,
                       .place = checker_.place_of(*column),
                       .comparison = condition.comparison,
                       .type = column->type};
    std::string name = column->name;
    if (!condition.part.key.empty()) {
      if (!is_collection(*column)) {
        return invalid("Invalid element access syntax for non-collection column " + name);
      }
      if (column->type.kind == Kind::set)
        return invalid("Invalid element access syntax for set column " + name);
      DINETTE_TRY(const Receiver receiver, element_key(*column));
      DINETTE_TRY(out.key.emplace(), Term::check(checker_, condition.part.key.front(), receiver));
      name = "value(" + name + ")";
      out.type = column->type.arguments.back();
    } else if (condition.part.field) {
      if (column->type.kind != Kind::udt) {
        return invalid("Cannot refer to field " + *condition.part.field + " of non-UDT column " + name);
      }
      DINETTE_TRY(const std::uint16_t field, field_of(*column, *condition.part.field));
      out.field = field;
      name += "." + *condition.part.field;
      out.type = column->type.arguments[field];
    }
    DINETTE_CHECK(check_operand(condition, {name, out.type}, out));
    return out;
  }

  Answer<void> check_operand(const grammar::Condition& condition, const Receiver& receiver,
                             ConditionCheck& out) {
    const auto& operand = condition.operand;
    DINETTE_CHECK(checker_.check_comparison(receiver.type, condition.comparison, out.column->name));
    if (condition.comparison != grammar::Operator::in) {
      if (condition.comparison != grammar::Operator::equal &&
          condition.comparison != grammar::Operator::not_equal) {
        DINETTE_CHECK(Checker::check_slice(receiver.type, "conditions", "durations"));
      }
      DINETTE_TRY(out.value.emplace(), Term::check(checker_, operand.terms.front(), receiver));
      return {};
    }
    if (!operand.is_list) {
      const auto& marker = std::get<grammar::Marker>(operand.terms.front().value);
      const Type list{.kind = Kind::list, .arguments = {receiver.type}};
      out.in.list = Term::marker_of_in(checker_, marker.index, {"in(" + receiver.name + ")", list});
      return {};
    }
    for (const grammar::Term& term : operand.terms) {
      DINETTE_TRY(out.in.terms.emplace_back(), Term::check(checker_, term, receiver));
    }
    return {};
  }

  Answer<void> check_using(const grammar::Using& given) {
    DINETTE_TRY(out_.attributes, check_attributes(checker_, given));
    if (out_.attributes.timestamp && checker_.strict() && !table().options.client_side_timestamps) {
      return invalid("Client-side timestamps are not enabled for table " + table().full_name() + ".");
    }
    if (out_.attributes.time_to_live && checker_.strict() && !table().options.time_to_live) {
      return invalid("TTL is not yet supported.");
    }
    if (!table().has_counters()) return {};
    if (out_.attributes.timestamp) return invalid("Cannot provide custom timestamp for counter updates");
    if (out_.attributes.time_to_live) return invalid("Cannot provide custom TTL for counter updates");
    return {};
  }

  Answer<Modification> finish() {
    if (out_.is_conditional() && out_.attributes.timestamp) {
      return invalid("Cannot provide custom timestamp for conditional updates");
    }
    if (out_.kind != Modification::Kind::insert) DINETTE_CHECK(check_rows());
    if (checker_.strict()) DINETTE_CHECK(check_served());
    return std::move(out_);
  }

  base::Failure<Error> missing_clustering(std::size_t restricted) const {
    std::string missing;
    for (std::size_t i = restricted; i < table().clustering_size(); ++i) {
      missing.append(missing.empty() ? "" : ", ")
          .append(table().columns[table().partition_key_size() + i].name);
    }
    return invalid("Some clustering keys are missing: " + missing);
  }

  static base::Failure<Error> others_restricted(const std::set<std::string>& columns) {
    std::string names;
    for (const std::string& name : columns) names.append(names.empty() ? "" : ", ").append(name);
    return invalid("Non PRIMARY KEY columns found in where clause: " + names + " ");
  }

  /// Checks that the clause names the rows that the statement changes.
  Answer<void> check_rows() {
    const Where& where = out_.where;
    const std::string statement = out_.kind == Modification::Kind::update ? "UPDATE" : "DELETE";
    const std::size_t restricted = where.clustering_columns();
    const bool slice = std::ranges::any_of(
        where.clustering, [](const Restriction& one) { return one.kind == Restriction::Kind::slice; });
    const bool changes_static = !out_.static_operations.empty() ||
                                std::ranges::any_of(out_.conditions, [](const ConditionCheck& one) {
                                  return one.column->kind == ColumnKind::static_;
                                });
    const bool changes_rows =
        !out_.operations.empty() || std::ranges::any_of(out_.conditions, [](const ConditionCheck& one) {
          return one.column->kind != ColumnKind::static_;
        });
    const bool only_static = changes_static && !changes_rows;
    if (only_static && restricted > 0) {
      return invalid("Invalid restrictions on clustering columns since the " + statement +
                     " statement modifies only static columns");
    }
    const bool names_rows = only_static || (restricted == table().clustering_size() && !slice);
    if (out_.kind == Modification::Kind::update && !names_rows) return missing_clustering(restricted);
    if (!where.others.empty()) return others_restricted(where.others);
    if (out_.is_conditional() && where.has_in) {
      const bool partition = std::ranges::any_of(
          where.partition, [](const Restriction& one) { return one.kind == Restriction::Kind::in; });
      return invalid("IN on the " + std::string(partition ? "partition key" : "clustering key columns") +
                     " is not supported with conditional " +
                     (statement == "UPDATE" ? "updates" : "deletions"));
    }
    if (names_rows) return {};
    if (!out_.operations.empty()) {
      return invalid(
          slice ? "Range deletions are not supported for specific columns"
                : "DELETE statements must restrict all PRIMARY KEY columns with equality relations in "
                  "order to delete non static columns");
    }
    if (out_.is_conditional()) {
      return invalid(
          "DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to use "
          "IF "
          "condition on non static columns");
    }
    return {};
  }

  /// What the service does not serve.
  Answer<void> check_served() const {
    if (out_.where.has_in) {
      return invalid("IN is not supported in " +
                     std::string(out_.kind == Modification::Kind::update ? "UPDATE" : "DELETE") +
                     " statements");
    }
    return check_column_count(out_);
  }

  Checker& checker_;
  Modification out_;
};

}  // namespace

bool Modification::only_static() const {
  const bool tests_rows = std::ranges::any_of(
      conditions, [](const ConditionCheck& one) { return one.column->kind != ColumnKind::static_; });
  const bool tests_static = !conditions.empty() && !tests_rows;
  if (where.clustering_columns() == table().clustering_size() && table().clustering_size() > 0) return false;
  return operations.empty() && !tests_rows && (!static_operations.empty() || tests_static) &&
         where.clustering.empty() && table().clustering_size() > 0;
}

// docs/service-keyspaces/dml.md section 2.
Answer<void> check_column_count(const Modification& statement) {
  const std::size_t most = statement.table().options.time_to_live ? 166 : 225;
  const std::size_t count = statement.operations.size();
  if (count <= most) return {};
  return invalid("Number of columns " + std::to_string(count) + " exceeds the maximum of " +
                 std::to_string(most) + " in a single INSERT or UPDATE.");
}

const grammar::QualifiedName& table_of(const grammar::Modification& statement) {
  return std::visit([](const auto& one) -> const grammar::QualifiedName& { return one.table; }, statement);
}

Answer<Attributes> check_attributes(Checker& checker, const grammar::Using& given) {
  Attributes out;
  if (given.timestamp) {
    DINETTE_TRY(out.timestamp.emplace(),
                Term::check(checker, *given.timestamp, {"[timestamp]", {.kind = Kind::bigint}}));
  }
  if (given.time_to_live) {
    DINETTE_TRY(out.time_to_live.emplace(),
                Term::check(checker, *given.time_to_live, {"[ttl]", {.kind = Kind::int_}}));
  }
  return out;
}

Answer<Modification> check_modification(Checker& checker, system::OpenTable open,
                                        const grammar::Modification& statement) {
  ModificationCheck check(checker, std::move(open));
  return std::visit([&](const auto& one) { return check.run(one); }, statement);
}

}  // namespace dinette::cql::statements
