#include "cql/statements/where.h"

#include <algorithm>
#include <utility>

namespace dinette::cql::statements {
namespace {

using grammar::Operator;
using grammar::Relation;
using schema::Column;
using schema::ColumnKind;

bool is_slice(Operator comparison) {
  return comparison == Operator::less || comparison == Operator::less_or_equal ||
         comparison == Operator::greater || comparison == Operator::greater_or_equal;
}

std::string in_quotes(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

std::string name_of_use(WhereUse use) {
  return use == WhereUse::update ? "UPDATE" : "DELETE";
}

bool is_collection_kind(Kind kind) {
  return kind == Kind::list || kind == Kind::set || kind == Kind::map;
}

std::string joined_names(const std::vector<std::string>& names, std::string_view separator) {
  std::string out;
  for (const std::string& name : names) out.append(out.empty() ? "" : separator).append(name);
  return out;
}

/// Joins names with commas.
std::string list_of(const std::vector<std::string>& names) {
  return joined_names(names, ", ");
}

class WhereCheck {
 public:
  WhereCheck(Checker& checker, WhereUse use) : checker_(checker), table_(checker.table()), use_(use) {
    single_.resize(table_.columns.size());
  }

  Answer<Where> run(const std::vector<Relation>& relations) {
    for (const Relation& relation : relations) {
      ++number_;
      DINETTE_CHECK(add(relation));
    }
    DINETTE_CHECK(place_partition());
    DINETTE_CHECK(place_clustering());
    place_others();
    return std::move(where_);
  }

 private:
  Answer<void> add(const Relation& relation) {
    switch (relation.target) {
      case Relation::Target::token:
        return add_token(relation);
      case Relation::Target::tuple:
        return add_tuple(relation);
      case Relation::Target::element:
        return add_element(relation);
      case Relation::Target::column:
        return add_single(relation);
    }
    return {};
  }

  Answer<void> check_operator(const Relation& relation) const {
    switch (relation.comparison) {
      case Operator::not_equal:
        return invalid("Unsupported \"!=\" relation: " + grammar::to_text(relation));
      case Operator::is_not_null:
        return invalid("Unsupported restriction: " + grammar::to_text(relation));
      case Operator::like:
        return invalid("LIKE restriction is only supported on properly indexed columns. " +
                       grammar::to_text(relation) + " is not valid.");
      default:
        return {};
    }
  }

  /// Checks the arguments of token() in the order of Cassandra's TokenRelation.
  static Answer<void> check_token_columns(const std::vector<std::string>& columns,
                                          const std::vector<std::string>& keys) {
    const auto is_in = [](const std::vector<std::string>& names) {
      return [&names](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
    };
    if (!std::ranges::all_of(keys, is_in(columns))) {
      return invalid("The token() function must be applied to all partition key components or none of them");
    }
    if (std::set<std::string>(columns.begin(), columns.end()).size() != columns.size())
      return invalid("The token() function contains duplicate partition key components");
    if (!std::ranges::all_of(columns, is_in(keys)))
      return invalid("The token() function must contains only partition key components");
    if (columns == keys) return {};
    return invalid("The token function arguments must be in the partition key order: " + list_of(keys));
  }

  /// docs/service-keyspaces/dml.md section 4, tokens.
  Answer<void> add_token(const Relation& relation) {
    if (use_ != WhereUse::select) {
      return invalid("The token function cannot be used in WHERE clauses for " + name_of_use(use_) +
                     " statements");
    }
    DINETTE_CHECK(check_operator(relation));
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < table_.partition_key_size(); ++i) keys.push_back(table_.columns[i].name);
    for (const std::string& name : relation.columns) {
      DINETTE_CHECK(checker_.column(name));
    }
    DINETTE_CHECK(check_token_columns(relation.columns, keys));
    const Receiver receiver{"partition key token", {.kind = Kind::bigint}};
    DINETTE_TRY(Term term, Term::check(checker_, relation.operand.terms.front(), receiver));
    const bool equal = relation.comparison == Operator::equal;
    if (where_.has_token() && (token_equal_ || equal)) return token_conflict(keys);
    token_equal_ = equal;
    const bool lower =
        relation.comparison == Operator::greater || relation.comparison == Operator::greater_or_equal;
    const bool inclusive = equal || relation.comparison == Operator::greater_or_equal ||
                           relation.comparison == Operator::less_or_equal;
    const auto set = [&](std::optional<Bound>& bound, std::string_view which) -> Answer<void> {
      if (bound) {
        return invalid("More than one restriction was found for the " + std::string(which) + " bound on " +
                       list_of(keys));
      }
      bound = Bound{term, inclusive};
      return {};
    };
    if (equal || lower) DINETTE_CHECK(set(where_.token_lower, "start"));
    if (equal || !lower) DINETTE_CHECK(set(where_.token_upper, "end"));
    return {};
  }

  /// Of two relations on the token the earlier one decides.
  base::Failure<Error> token_conflict(const std::vector<std::string>& keys) const {
    if (token_equal_) {
      return invalid(list_of(keys) +
                     " cannot be restricted by more than one relation if it includes an Equal");
    }
    return invalid("Columns " + in_quotes(list_of(keys)) +
                   " cannot be restricted by both an equality and an inequality relation");
  }

  Answer<void> add_element(const Relation& relation) {
    DINETTE_CHECK(check_operator(relation));
    DINETTE_TRY(const Column* const column, checker_.column(relation.columns.front()));
    if (column->type.kind == Kind::list) {
      return invalid("Indexes on list entries (" + column->name +
                     "[index] = value) are not currently supported.");
    }
    if (column->type.kind != Kind::map) return invalid("Column " + column->name + " cannot be used as a map");
    if (!column->has_parts()) {
      return invalid("Map-entry equality predicates on frozen map column " + column->name +
                     " are not supported");
    }
    if (relation.comparison != Operator::equal)
      return invalid("Only EQ relations are supported on map entries");
    Filter filter{.kind = Filter::Kind::element};
    filter.restriction.columns = {checker_.place_of(*column)};
    DINETTE_TRY(filter.key.emplace(), Term::check(checker_, relation.key.front(),
                                                  {"key(" + column->name + ")", column->type.arguments[0]}));
    DINETTE_TRY(filter.value.emplace(),
                Term::check(checker_, relation.operand.terms.front(),
                            {"value(" + column->name + ")", column->type.arguments[1]}));
    return add_filter(std::move(filter));
  }

  Answer<void> add_contains(const Relation& relation, const Column& column) {
    const bool of_keys = relation.comparison == Operator::contains_key;
    if (of_keys && column.type.kind != Kind::map) {
      return invalid("Cannot use CONTAINS KEY on non-map column " + column.name);
    }
    if (!is_collection_kind(column.type.kind)) {
      return invalid("Cannot use CONTAINS on non-collection column " + column.name);
    }
    Filter filter{.kind = of_keys ? Filter::Kind::contains_key : Filter::Kind::contains};
    filter.restriction.columns = {checker_.place_of(column)};
    const Receiver receiver = of_keys ? Receiver{"key(" + column.name + ")", column.type.arguments.front()}
                                      : Receiver{"value(" + column.name + ")", column.type.arguments.back()};
    DINETTE_TRY(filter.value.emplace(), Term::check(checker_, relation.operand.terms.front(), receiver));
    return add_filter(std::move(filter));
  }

  Answer<void> add_filter(Filter filter) {
    where_.needs_filtering = true;
    where_.filters.push_back(std::move(filter));
    return {};
  }

  Answer<void> check_column_kind(const Relation& relation, const Column& column) const {
    if (is_slice(relation.comparison))
      DINETTE_CHECK(Checker::check_slice(column.type, "restrictions", "duration columns"));
    if (column.has_parts()) {
      if (column.type.kind == Kind::udt) {
        return invalid("Non-frozen UDT column '" + column.name + "' (" + to_text(column.type) +
                       ") cannot be restricted by any relation");
      }
      return invalid("Collection column '" + column.name + "' (" + to_text(column.type) +
                     ") cannot be restricted by a '" + std::string(grammar::to_text(relation.comparison)) +
                     "' relation");
    }
    DINETTE_CHECK(checker_.check_comparison(column.type, relation.comparison, column.name));
    if (relation.comparison == Operator::in && !is_equality(relation) && !column.in_key()) {
      return invalid("IN predicates on non-primary-key columns (" + column.name + ") is not yet supported");
    }
    return {};
  }

  Answer<void> add_single(const Relation& relation) {
    DINETTE_TRY(const Column* const column, checker_.column(relation.columns.front()));
    DINETTE_CHECK(check_operator(relation));
    if (relation.comparison == Operator::contains || relation.comparison == Operator::contains_key) {
      return add_contains(relation, *column);
    }
    DINETTE_CHECK(check_column_kind(relation, *column));
    DINETTE_TRY(Restriction restriction,
                restriction_of(relation, {column->name, column->type}, "in(" + column->name + ")"));
    restriction.columns = {checker_.place_of(*column)};
    restriction.types = {column->type};
    return merge(single_[checker_.place_of(*column)], std::move(restriction), column->name);
  }

  /// Returns a relation on one column in parentheses as one on the column; nothing if there are several, or
  /// a marker for the whole.
  static std::optional<Relation> without_parentheses(const Relation& relation) {
    if (relation.columns.size() != 1) return std::nullopt;
    Relation out = relation;
    out.target = Relation::Target::column;
    for (grammar::Term& term : out.operand.terms) {
      const auto* const tuple = std::get_if<grammar::TupleLiteral>(&term.value);
      if (tuple == nullptr || tuple->components.size() != 1) return std::nullopt;
      grammar::Term component = tuple->components.front();
      term = std::move(component);
    }
    return out;
  }

  Answer<void> add_tuple(const Relation& relation) {
    DINETTE_CHECK(check_operator(relation));
    Type tuple{.kind = Kind::tuple};
    std::vector<std::size_t> columns;
    std::vector<Receiver> receivers;
    for (const std::string& name : relation.columns) {
      DINETTE_TRY(const Column* const column, checker_.column(name));
      if (column->kind != ColumnKind::clustering) {
        return invalid(
            "Multi-column relations can only be applied to clustering columns but was applied to: " + name);
      }
      const std::size_t place = checker_.place_of(*column);
      if (std::ranges::find(columns, place) != columns.end()) {
        return invalid("Column " + in_quotes(name) +
                       " appeared twice in a relation: " + grammar::to_text(relation));
      }
      if (!columns.empty() && place != columns.back() + 1) {
        return invalid("Clustering columns must appear in the PRIMARY KEY order in multi-column relations: " +
                       grammar::to_text(relation));
      }
      columns.push_back(place);
      tuple.arguments.push_back(column->type);
      receivers.push_back({column->name, column->type});
    }
    if (relation.operand.is_list || !is_marker(relation.operand.terms.front())) {
      for (const grammar::Term& term : relation.operand.terms)
        DINETTE_CHECK(check_tuple_size(term, columns.size()));
    }
    const auto single = without_parentheses(relation);
    if (single && (relation.operand.is_list || !is_marker(relation.operand.terms.front())))
      return add_single(*single);
    const std::string name = "(" + joined_names(relation.columns, ",") + ")";
    const std::vector<Type> types = tuple.arguments;
    DINETTE_TRY(Restriction restriction,
                restriction_of(relation, {name, std::move(tuple)}, "in" + name, receivers));
    restriction.columns = std::move(columns);
    restriction.types = types;
    restriction.is_tuple = true;
    tuples_.push_back(std::move(restriction));
    return {};
  }

  static bool is_marker(const grammar::Term& term) {
    return std::holds_alternative<grammar::Marker>(term.value);
  }

  static Answer<void> check_tuple_size(const grammar::Term& term, std::size_t wanted) {
    const auto* const tuple = std::get_if<grammar::TupleLiteral>(&term.value);
    if (tuple == nullptr || tuple->components.size() == wanted) return {};
    return invalid("Expected " + std::to_string(wanted) + " elements in value tuple, but got " +
                   std::to_string(tuple->components.size()) + ": " + grammar::to_text(term));
  }

  /// Cassandra takes IN of one value for `=` (docs/service-keyspaces/dml.md section 4).
  bool is_equality(const Relation& relation) const {
    if (relation.comparison == Operator::equal) return true;
    return relation.comparison == Operator::in && relation.operand.is_list &&
           relation.operand.terms.size() == 1 && !checker_.strict();
  }

  /// A tuple of several columns is not one value: each component is what its column takes.
  Answer<Term> check_operand_term(const grammar::Term& term, const Receiver& receiver,
                                  std::span<const Receiver> columns) {
    const auto* const tuple = std::get_if<grammar::TupleLiteral>(&term.value);
    if (tuple == nullptr || columns.empty()) return Term::check(checker_, term, receiver);
    return Term::check_tuple_of_columns(checker_, *tuple, receiver, columns);
  }

  /// `columns`: of a tuple.
  Answer<Restriction> restriction_of(const Relation& relation, const Receiver& receiver,
                                     const std::string& list_name, std::span<const Receiver> columns = {}) {
    Restriction out{.number = number_};
    if (relation.comparison == Operator::in && !is_equality(relation)) {
      out.kind = Restriction::Kind::in;
      if (!relation.operand.is_list) {
        const auto& marker = std::get<grammar::Marker>(relation.operand.terms.front().value);
        const Type list{.kind = Kind::list, .frozen = false, .arguments = {receiver.type}};
        out.in.list = Term::marker_of_in(checker_, marker.index, {list_name, list});
        return out;
      }
      for (const grammar::Term& term : relation.operand.terms) {
        DINETTE_TRY(out.in.terms.emplace_back(), check_operand_term(term, receiver, columns));
      }
      return out;
    }
    DINETTE_TRY(Term term, check_operand_term(relation.operand.terms.front(), receiver, columns));
    switch (relation.comparison) {
      case Operator::less:
      case Operator::less_or_equal:
        out.kind = Restriction::Kind::slice;
        out.upper = Bound{std::move(term), relation.comparison == Operator::less_or_equal};
        break;
      case Operator::greater:
      case Operator::greater_or_equal:
        out.kind = Restriction::Kind::slice;
        out.lower = Bound{std::move(term), relation.comparison == Operator::greater_or_equal};
        break;
      default:
        out.equal = std::move(term);
    }
    return out;
  }

  /// What is wrong with two restrictions of a column, of which that of the first relation has the word. Two
  /// slices are only if they begin with other columns.
  static base::Failure<Error> conflict(const Restriction& one, const Restriction& other,
                                       const std::string& name) {
    const Restriction& first = one.number <= other.number ? one : other;
    const Restriction& second = &first == &one ? other : one;
    if (first.kind == Restriction::Kind::equal) {
      return invalid(name + " cannot be restricted by more than one relation if it includes an Equal");
    }
    if (first.kind == Restriction::Kind::in) {
      return invalid(name + " cannot be restricted by more than one relation if it includes a IN");
    }
    return invalid("Column " + in_quotes(name) +
                   (second.kind == Restriction::Kind::slice
                        ? " cannot be restricted by two inequalities not starting with the same column"
                        : " cannot be restricted by both an equality and an inequality relation"));
  }

  static Answer<void> merge(std::optional<Restriction>& into, Restriction restriction,
                            const std::string& name) {
    if (!into) {
      into = std::move(restriction);
      return {};
    }
    const bool slices =
        into->kind == Restriction::Kind::slice && restriction.kind == Restriction::Kind::slice;
    if (!slices || into->is_tuple != restriction.is_tuple) return conflict(*into, restriction, name);
    if (into->lower && restriction.lower) {
      return invalid("More than one restriction was found for the start bound on " + name);
    }
    if (into->upper && restriction.upper) {
      return invalid("More than one restriction was found for the end bound on " + name);
    }
    if (restriction.lower) into->lower = std::move(restriction.lower);
    if (restriction.upper) into->upper = std::move(restriction.upper);
    return {};
  }

  Answer<void> place_partition() {
    const std::size_t size = table_.partition_key_size();
    std::vector<std::string> missing;
    bool any = false;
    for (std::size_t i = 0; i < size; ++i) {
      any = any || single_[i];
      if (!single_[i]) missing.push_back(table_.columns[i].name);
      if (single_[i] && single_[i]->kind == Restriction::Kind::slice) {
        if (use_ != WhereUse::select) {
          return invalid(
              "Only EQ and IN relation are supported on the partition key (unless you use the token() "
              "function)");
        }
        sliced_partition_ = true;
      }
    }
    if (use_ != WhereUse::select && !missing.empty()) {
      return invalid("Some partition key parts are missing: " + list_of(missing));
    }
    if (where_.has_token() && any) {
      if (!missing.empty()) {
        return invalid(
            "The token() function must be applied to all partition key components or none of them");
      }
    }
    if (!any) return {};
    // Of partitions that are named the range of tokens leaves out some: see token_keys.
    if (!missing.empty() || sliced_partition_) {
      for (std::size_t i = 0; i < size; ++i) {
        if (single_[i]) filter_by(*std::move(single_[i]));
      }
      return {};
    }
    for (std::size_t i = 0; i < size; ++i) {
      where_.has_in |= single_[i]->kind == Restriction::Kind::in;
      where_.partition.push_back(*std::move(single_[i]));
    }
    return {};
  }

  void filter_by(Restriction restriction, bool in_order = false) {
    where_.needs_filtering = true;
    where_.filters.push_back({.restriction = std::move(restriction), .in_order = in_order});
  }

  /// The same with the slices that go with a restriction of clustering columns.
  void filter_by_all(Restriction restriction, bool in_order) {
    filter_by(std::move(restriction), in_order);
    for (Restriction& slice : std::exchange(more_slices_, {})) filter_by(std::move(slice), in_order);
  }

  /// Takes the restriction of a clustering column, and of those that a tuple restricts with it.
  Answer<std::optional<Restriction>> take_clustering(std::size_t column) {
    std::optional<Restriction> out;
    if (single_[column]) {
      out = *std::move(single_[column]);
      single_[column].reset();
    }
    for (Restriction& tuple : tuples_) {
      if (tuple.columns.empty() || std::ranges::find(tuple.columns, column) == tuple.columns.end()) continue;
      const bool differs = out && (out->columns != tuple.columns || out->is_tuple != tuple.is_tuple);
      if (tuple.columns.front() != column || differs) {
        const bool slices =
            out && out->kind == Restriction::Kind::slice && tuple.kind == Restriction::Kind::slice;
        if (slices && out->columns.front() == tuple.columns.front()) {
          more_slices_.push_back(std::move(tuple));
          tuple.columns.clear();
          continue;
        }
        return conflict(out ? *out : tuple, tuple, table_.columns[column].name);
      }
      Restriction taken = std::move(tuple);
      tuple.columns.clear();
      const std::string names = names_of(taken);
      DINETTE_CHECK(merge(out, std::move(taken), names));
    }
    return out;
  }

  std::string names_of(const Restriction& restriction) const {
    std::vector<std::string> names;
    for (const std::size_t column : restriction.columns) names.push_back(table_.columns[column].name);
    return names.size() == 1 ? names.front() : "(" + list_of(names) + ")";
  }

  /// Fails if a column of a tuple is restricted once more that is not its first one.
  Answer<void> check_rest_of_tuple(const Restriction& taken) const {
    for (std::size_t i = 1; i < taken.columns.size(); ++i) {
      const std::size_t column = taken.columns[i];
      const std::string& name = table_.columns[column].name;
      if (single_[column]) return conflict(taken, *single_[column], name);
      for (const Restriction& tuple : tuples_) {
        if (std::ranges::find(tuple.columns, column) != tuple.columns.end())
          return conflict(taken, tuple, name);
      }
    }
    return {};
  }

  Answer<void> place_clustering() {
    const std::size_t first = table_.partition_key_size();
    const std::size_t end = first + table_.clustering_size();
    std::optional<std::size_t> gap;    // the first column without a restriction
    std::optional<std::size_t> slice;  // that of a slice
    for (std::size_t column = first; column < end;) {
      DINETTE_TRY(std::optional<Restriction> restriction, take_clustering(column));
      if (!restriction) {
        if (!gap) gap = column;
        ++column;
        continue;
      }
      const std::size_t next = restriction->columns.back() + 1;
      DINETTE_CHECK(check_rest_of_tuple(*restriction));
      DINETTE_CHECK(place_one(*std::move(restriction), gap, slice));
      column = next;
    }
    return {};
  }

  Answer<void> place_one(Restriction restriction, std::optional<std::size_t> gap,
                         std::optional<std::size_t>& slice) {
    const std::string& name = table_.columns[restriction.columns.front()].name;
    if (use_ != WhereUse::select && where_.partition.empty()) return {};
    if (use_ == WhereUse::update && restriction.kind == Restriction::Kind::slice) {
      return invalid("Slice restrictions are not supported on the clustering columns in UPDATE statements");
    }
    if (gap || slice) {
      const std::string before = table_.columns[gap ? *gap : *slice].name;
      Error error{ErrorCode::invalid, gap ? "PRIMARY KEY column " + in_quotes(name) +
                                                " cannot be restricted as preceding column " +
                                                in_quotes(before) + " is not restricted"
                                          : "Clustering column " + in_quotes(name) +
                                                " cannot be restricted (preceding column " +
                                                in_quotes(before) + " is restricted by a non-EQ relation)"};
      if (use_ == WhereUse::update && gap) return invalid("Some clustering keys are missing: " + before);
      if (use_ != WhereUse::select) return base::Failure{std::move(error)};
      if (!where_.partition.empty() && !order_error_) order_error_ = std::move(error);
      filter_by_all(std::move(restriction), false);
      return {};
    }
    if (where_.partition.empty()) {
      if (restriction.kind == Restriction::Kind::slice) slice = restriction.columns.front();
      filter_by_all(std::move(restriction), true);
      return {};
    }
    if (restriction.kind == Restriction::Kind::slice) {
      slice = restriction.columns.front();
      where_.more_slices = std::exchange(more_slices_, {});
    }
    where_.has_in |= restriction.kind == Restriction::Kind::in;
    where_.clustering.push_back(std::move(restriction));
    return {};
  }

  void place_others() {
    for (std::size_t i = table_.partition_key_size() + table_.clustering_size(); i < single_.size(); ++i) {
      if (single_[i]) filter_by(*std::move(single_[i]));
    }
    where_.order_error = std::move(order_error_);
    for (const Filter& filter : where_.filters) {
      for (const std::size_t column : filter.restriction.columns) {
        if (!table_.columns[column].in_key()) where_.others.insert(table_.columns[column].name);
      }
    }
  }

  Checker& checker_;
  const schema::Table& table_;
  const WhereUse use_;
  std::size_t number_ = 0;                          ///< of the relation that is being checked
  std::vector<std::optional<Restriction>> single_;  ///< by the place of the column
  std::vector<Restriction> tuples_;
  std::vector<Restriction> more_slices_;  ///< of the restriction that is being placed: see Where
  bool sliced_partition_ = false;
  bool token_equal_ = false;  ///< a relation has said which token
  std::optional<Error> order_error_;
  Where where_;
};

}  // namespace

std::size_t Where::clustering_columns() const {
  return clustering.empty() ? 0 : clustering.back().columns.back() + 1 - clustering.front().columns.front();
}

bool Where::names_row(const schema::Table& table) const {
  const auto is_slice_of = [](const Restriction& one) { return one.kind == Restriction::Kind::slice; };
  return !partition.empty() && clustering_columns() == table.clustering_size() &&
         std::ranges::none_of(clustering, is_slice_of);
}

Answer<Where> check_where(Checker& checker, const std::vector<Relation>& relations, WhereUse use) {
  return WhereCheck(checker, use).run(relations);
}

base::Failure<Error> needs_filtering() {
  return invalid(
      "Cannot execute this query as it might involve data filtering and thus may have unpredictable "
      "performance. If you want to execute this query despite the performance unpredictability, use ALLOW "
      "FILTERING");
}

}  // namespace dinette::cql::statements
