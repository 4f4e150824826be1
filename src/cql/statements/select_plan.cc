#include "cql/statements/select_plan.h"

#include <algorithm>
#include <utility>

#include "cql/types/token.h"

namespace dinette::cql::statements {
namespace {

using schema::ColumnKind;

std::vector<const Term*> partition_terms(const Where& where) {
  std::vector<const Term*> terms;
  for (const Restriction& restriction : where.partition) {
    terms.push_back(restriction.equal ? &*restriction.equal : nullptr);
  }
  return terms;
}

/// A text that differs for statements that differ in what they read.
std::string shape_of(const grammar::Select& select) {
  std::string text = select.table.keyspace + "." + select.table.name + (select.distinct ? " distinct" : "");
  for (const grammar::Relation& relation : select.where) text += " and " + grammar::to_text(relation);
  for (const grammar::Ordering& order : select.order_by) text += order.descending ? " desc" : " asc";
  return text;
}

}  // namespace

Answer<std::shared_ptr<const DataPlan>> SelectPlan::make(const Place& place, std::string_view keyspace,
                                                         grammar::Statement statement) {
  std::shared_ptr<SelectPlan> plan(new SelectPlan(std::move(statement), keyspace));
  DINETTE_TRY(plan->open_, open_table(place, keyspace, plan->select().table));
  Checker checker(place, plan->table(), plan->statement_.markers, plan->description_.binds);
  DINETTE_CHECK(plan->check(place, checker));
  plan->description_.key_binds = key_binds(partition_terms(plan->where_));
  plan->describe();
  return std::shared_ptr<const DataPlan>(std::move(plan));
}

Answer<void> SelectPlan::check(const Place& place, Checker& checker) {
  DINETTE_TRY(selection_, check_selection(checker, select().selections));
  DINETTE_TRY(where_, check_where(checker, select().where, WhereUse::select));
  const auto is_in = [](const grammar::Relation& one) { return one.comparison == grammar::Operator::in; };
  if (place.strict() && where_.has_token() && std::ranges::any_of(select().where, is_in))
    return invalid("TOKEN is not supported with IN");
  DINETTE_CHECK(check_clauses(checker));
  if (select().distinct) DINETTE_CHECK(check_distinct());
  const auto needs_row = [&](std::size_t column) {
    const ColumnKind kind = table().columns[column].kind;
    return kind == ColumnKind::clustering || kind == ColumnKind::regular;
  };
  const auto is_static = [&](std::size_t column) {
    return table().columns[column].kind == ColumnKind::static_;
  };
  const bool statics = std::ranges::any_of(selection_.used, is_static);
  if (statics && !std::ranges::any_of(selection_.used, needs_row) && restricts(ColumnKind::clustering) &&
      !select().selections.empty()) {
    return invalid("Cannot restrict clustering columns when selecting only static columns");
  }
  reads_rows_ = !select().distinct;
  DINETTE_CHECK(check_filtering());
  DINETTE_CHECK(check_order(checker));
  is_point_ = open_.virtual_table == nullptr && where_.is_point(table());
  fingerprint_ = static_cast<std::uint64_t>(murmur3_token(shape_of(select())));
  return {};
}

Answer<void> SelectPlan::check_clauses(Checker& checker) {
  const Receiver limit{"[limit]", {.kind = Kind::int_}};
  DINETTE_CHECK(check_groups(checker));
  if (select().per_partition_limit) {
    if (checker.strict()) return invalid("PER PARTITION LIMIT is not supported");
    if (select().distinct) return invalid("PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries");
    if (selection_.aggregates > 0 && groups_.empty()) {
      return invalid("PER PARTITION LIMIT is not allowed with aggregate queries.");
    }
    DINETTE_TRY(per_partition_limit_.emplace(),
                Term::check(checker, *select().per_partition_limit, {"[per_partition_limit]", limit.type}));
  }
  if (select().limit) {
    DINETTE_TRY(limit_.emplace(), Term::check(checker, *select().limit, limit));
  }
  return {};
}

Answer<void> SelectPlan::check_distinct() const {
  for (const std::size_t column : selection_.used) {
    const schema::Column& one = table().columns[column];
    if (one.kind == ColumnKind::partition_key || one.kind == ColumnKind::static_) continue;
    return invalid(
        "SELECT DISTINCT queries must only request partition key columns and/or static columns (not " +
        one.name + ")");
  }
  for (std::size_t i = 0; i < table().partition_key_size(); ++i) {
    if (std::ranges::find(selection_.used, i) != selection_.used.end()) continue;
    return invalid("SELECT DISTINCT queries must request all the partition key columns (missing " +
                   table().columns[i].name + ")");
  }
  if (!restricts(ColumnKind::clustering) && !restricts(ColumnKind::regular)) return {};
  return invalid(
      "SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static columns.");
}

bool SelectPlan::restricts(ColumnKind kind) const {
  if (kind == ColumnKind::clustering && !where_.clustering.empty()) return true;
  const auto is_of_kind = [&](std::size_t column) { return table().columns[column].kind == kind; };
  return std::ranges::any_of(where_.filters, [&](const Filter& filter) {
    return std::ranges::any_of(filter.restriction.columns, is_of_kind);
  });
}

Answer<void> SelectPlan::check_filtering() const {
  if (select().allow_filtering) return {};
  if (where_.order_error) return base::Failure{Error(*where_.order_error)};
  if (!where_.needs_filtering) return {};
  const auto slices_partition = [&](const Filter& filter) {
    return filter.kind == Filter::Kind::restriction && filter.restriction.kind == Restriction::Kind::slice &&
           table().columns[filter.restriction.columns.front()].kind == ColumnKind::partition_key;
  };
  if (std::ranges::any_of(where_.filters, slices_partition)) {
    return invalid(
        "Only EQ and IN relation are supported on the partition key (unless you use the token() function)");
  }
  return needs_filtering();
}

Answer<void> SelectPlan::check_order(Checker& checker) {
  if (select().order_by.empty()) return {};
  if (where_.partition.empty()) {
    return invalid("ORDER BY is only supported when the partition key is restricted by an EQ or an IN.");
  }
  std::optional<bool> reversed;
  std::size_t expected = table().partition_key_size();
  for (const grammar::Ordering& order : select().order_by) {
    DINETTE_TRY(const schema::Column* const column, checker.column(order.column));
    if (column->kind != ColumnKind::clustering) {
      return invalid(
          "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got " +
          column->name);
    }
    const std::size_t place = checker.place_of(*column);
    // Columns that are restricted to one value may be left out.
    while (expected < place && is_fixed(expected)) ++expected;
    if (place != expected) {
      return invalid(
          "Order by currently only support the ordering of columns following their declared order in the "
          "PRIMARY "
          "KEY");
    }
    ++expected;
    const bool reverses = order.descending != (column->order == store::Order::descending);
    if (reversed && *reversed != reverses) return invalid("Unsupported order by relation");
    reversed = reverses;
  }
  descending_ = reversed.value_or(false);
  return {};
}

/// GROUP BY, which the service does not have and Cassandra 3.11 does.
Answer<void> SelectPlan::check_groups(Checker& checker) {
  if (select().group_by.empty()) return {};
  if (checker.strict()) return invalid("GROUP BY is not supported");
  std::size_t expected = 0;
  for (const std::string& name : select().group_by) {
    DINETTE_TRY(const schema::Column* const column, checker.column(name));
    if (!column->in_key()) {
      return invalid("Group by is currently only supported on the columns of the PRIMARY KEY, got " + name);
    }
    const std::size_t place = checker.place_of(*column);
    while (expected < place && is_fixed(expected)) ++expected;
    if (place != expected) {
      return invalid(
          "Group by currently only support groups of columns following their declared order in the PRIMARY "
          "KEY");
    }
    if (select().distinct && column->kind == ColumnKind::clustering)
      return invalid("Grouping on clustering columns is not allowed for SELECT DISTINCT queries");
    groups_.push_back(place);
    ++expected;
  }
  while (expected < table().partition_key_size() && is_fixed(expected)) ++expected;
  if (expected >= table().partition_key_size()) return {};
  return invalid("Group by is not supported on only a part of the partition key");
}

bool SelectPlan::is_fixed(std::size_t column) const {
  const auto fixes = [&](const Restriction& restriction) {
    return restriction.kind == Restriction::Kind::equal &&
           std::ranges::find(restriction.columns, column) != restriction.columns.end();
  };
  return std::ranges::any_of(where_.clustering, fixes) || std::ranges::any_of(where_.partition, fixes);
}

void SelectPlan::describe() {
  std::vector<frames::ColumnSpec> columns;
  if (select().json) {
    columns.push_back({table().keyspace, table().name, "[json]", {.kind = Kind::text}});
  } else {
    for (const Selected& column : selection_.columns) {
      columns.push_back({table().keyspace, table().name, column.name, column.type});
    }
  }
  description_.result = frames::Metadata::of(std::move(columns));
}

}  // namespace dinette::cql::statements
