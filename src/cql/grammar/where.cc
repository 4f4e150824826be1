#include <array>
#include <optional>
#include <utility>

#include "cql/grammar/dml.h"
#include "cql/grammar/terms.h"

namespace dinette::cql::grammar {
namespace {

struct Comparison {
  std::string_view symbol;
  Operator comparison;
};

constexpr auto comparisons = std::to_array<Comparison>({{"=", Operator::equal},
                                                        {"<", Operator::less},
                                                        {"<=", Operator::less_or_equal},
                                                        {">", Operator::greater},
                                                        {">=", Operator::greater_or_equal},
                                                        {"!=", Operator::not_equal}});

Answer<Operator> read_comparison(Cursor& in) {
  for (const auto& [symbol, comparison] : comparisons) {
    if (in.take_symbol(symbol)) return comparison;
  }
  return in.no_viable();
}

/// Reads a tuple or a marker, with which columns in parentheses are compared: no other term is.
Answer<Term> read_tuple_or_marker(Cursor& in) {
  const bool tuple = in.at_symbol("(") && !at_type_hint(in);
  if (tuple || in.at_symbol("?") || in.at_symbol(":")) return read_term(in);
  return in.no_viable();
}

/// Reads what follows IN after columns in parentheses: a marker, or a list of tuples or of markers, not of
/// both.
Answer<Operand> read_tuples(Cursor& in) {
  Operand out;
  if (!in.at_symbol("(")) {
    DINETTE_TRY(out.terms.emplace_back(), read_tuple_or_marker(in));
    return out;
  }
  out.is_list = true;
  in.take();
  if (in.take_symbol(")")) return out;
  const bool tuples = in.at_symbol("(");
  const auto read = [&]() -> Answer<void> {
    if (in.at_symbol("(") != tuples) return in.no_viable();
    DINETTE_TRY(out.terms.emplace_back(), read_tuple_or_marker(in));
    return {};
  };
  DINETTE_CHECK(read_list(in, read));
  DINETTE_CHECK(in.expect_symbol(")"));
  return out;
}

/// Reads what follows IN.
Answer<Operand> read_in_operand(Cursor& in) {
  Operand out;
  if (!in.at_symbol("(")) {
    DINETTE_TRY(out.terms.emplace_back(), read_term(in));
    if (std::holds_alternative<Marker>(out.terms.front().value)) return out;
    return in.no_viable();
  }
  out.is_list = true;
  in.take();
  if (in.take_symbol(")")) return out;
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(out.terms.emplace_back(), read_term(in));
    return {};
  };
  DINETTE_CHECK(read_list(in, read));
  DINETTE_CHECK(in.expect_symbol(")"));
  return out;
}

Answer<void> read_names(Cursor& in, std::vector<std::string>& out) {
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(out.emplace_back(), in.read_name());
    return {};
  };
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_CHECK(read_list(in, read));
  return in.expect_symbol(")");
}

/// Reads a comparison and its term, or IN and what follows it.
Answer<void> read_comparison_or_in(Cursor& in, Operator& comparison, Operand& operand) {
  if (in.take_word("in")) {
    comparison = Operator::in;
    DINETTE_TRY(operand, read_in_operand(in));
    return {};
  }
  DINETTE_TRY(comparison, read_comparison(in));
  DINETTE_TRY(operand.terms.emplace_back(), read_term(in));
  return {};
}

Answer<void> read_term_of(Cursor& in, Relation& relation, Operator comparison) {
  relation.comparison = comparison;
  DINETTE_TRY(relation.operand.terms.emplace_back(), read_term(in));
  return {};
}

Answer<void> read_single(Cursor& in, Relation& relation) {
  DINETTE_TRY(relation.columns.emplace_back(), in.read_name());
  if (in.take_symbol("[")) {
    relation.target = Relation::Target::element;
    DINETTE_TRY(relation.key.emplace_back(), read_term(in));
    DINETTE_CHECK(in.expect_symbol("]"));
    DINETTE_TRY(relation.comparison, read_comparison(in));
    return read_term_of(in, relation, relation.comparison);
  }
  if (in.take_word("contains")) {
    return read_term_of(in, relation, in.take_word("key") ? Operator::contains_key : Operator::contains);
  }
  if (in.take_word("like")) return read_term_of(in, relation, Operator::like);
  if (in.take_word("is")) {
    DINETTE_CHECK(in.expect_word("not"));
    DINETTE_CHECK(in.expect_word("null"));
    relation.comparison = Operator::is_not_null;
    return {};
  }
  return read_comparison_or_in(in, relation.comparison, relation.operand);
}

Answer<void> read_tuple_relation(Cursor& in, Relation& relation) {
  if (in.take_word("in")) {
    relation.comparison = Operator::in;
    DINETTE_TRY(relation.operand, read_tuples(in));
    return {};
  }
  DINETTE_TRY(relation.comparison, read_comparison(in));
  DINETTE_TRY(relation.operand.terms.emplace_back(), read_tuple_or_marker(in));
  return {};
}

/// Returns true if columns in parentheses come next, and not a relation in them.
bool at_tuple(const Cursor& in) {
  return in.at_symbol("(") && in.at_name(1) && (in.at_symbol(",", 2) || in.at_symbol(")", 2));
}

Answer<Relation> read_relation(Cursor& in) {
  const Nesting nesting(in);
  DINETTE_CHECK(nesting.check());
  Relation relation;
  if (in.take_word("token")) {
    relation.target = Relation::Target::token;
    DINETTE_CHECK(read_names(in, relation.columns));
    DINETTE_TRY(relation.comparison, read_comparison(in));
    DINETTE_CHECK(read_term_of(in, relation, relation.comparison));
    return relation;
  }
  if (at_tuple(in)) {
    relation.target = Relation::Target::tuple;
    DINETTE_CHECK(read_names(in, relation.columns));
    DINETTE_CHECK(read_tuple_relation(in, relation));
    return relation;
  }
  if (in.take_symbol("(")) {
    DINETTE_TRY(relation, read_relation(in));
    DINETTE_CHECK(in.expect_symbol(")"));
    return relation;
  }
  DINETTE_CHECK(read_single(in, relation));
  return relation;
}

}  // namespace

Answer<std::vector<Relation>> read_where(Cursor& in) {
  std::vector<Relation> relations;
  do {
    DINETTE_TRY(relations.emplace_back(), read_relation(in));
  } while (in.take_word("and"));
  return relations;
}

Answer<ColumnPart> read_column_part(Cursor& in) {
  ColumnPart part;
  DINETTE_TRY(part.column, in.read_name());
  if (in.take_symbol("[")) {
    DINETTE_TRY(part.key.emplace_back(), read_term(in));
    DINETTE_CHECK(in.expect_symbol("]"));
  } else if (in.take_symbol(".")) {
    DINETTE_TRY(part.field.emplace(), in.read_name());
  }
  return part;
}

Answer<Conditions> read_conditions(Cursor& in) {
  Conditions out;
  if (!in.take_word("if")) return out;
  const bool exists = in.at_word("exists") &&
                      (in.token(1).kind != TokenKind::symbol || in.at_symbol(";", 1)) && !in.at_word("in", 1);
  if (exists) {
    in.take();
    out.existence = Conditions::Existence::exists;
    return out;
  }
  do {
    Condition condition;
    DINETTE_TRY(condition.part, read_column_part(in));
    DINETTE_CHECK(read_comparison_or_in(in, condition.comparison, condition.operand));
    out.all.push_back(std::move(condition));
  } while (in.take_word("and"));
  return out;
}

}  // namespace dinette::cql::grammar
