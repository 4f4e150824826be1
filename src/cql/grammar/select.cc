#include <array>
#include <utility>

#include "cql/grammar/dml.h"
#include "cql/grammar/terms.h"

namespace dinette::cql::grammar {
namespace {

Answer<Selector> read_selector(Cursor& in);

Answer<FunctionSelector> read_function_selector(Cursor& in) {
  FunctionSelector call;
  if (in.at_symbol(".", 1)) {
    call.function.keyspace = in.take().text;
    in.take();
  }
  call.function.name = in.take().text;
  DINETTE_CHECK(in.expect_symbol("("));
  if (in.take_symbol(")")) return call;
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(call.arguments.emplace_back(), read_selector(in));
    return {};
  };
  DINETTE_CHECK(read_list(in, read));
  DINETTE_CHECK(in.expect_symbol(")"));
  return call;
}

Answer<Selector> read_cast(Cursor& in) {
  CastSelector cast;
  in.take();
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_TRY(cast.argument.emplace_back(), read_selector(in));
  DINETTE_CHECK(in.expect_word("as"));
  DINETTE_TRY(cast.type, read_type(in));
  DINETTE_CHECK(in.expect_symbol(")"));
  return Selector{std::move(cast)};
}

Answer<Selector> read_write_time(Cursor& in) {
  WriteTimeSelector out{.time_to_live = in.at_word("ttl")};
  in.take();
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_TRY(out.column, in.read_name());
  DINETTE_CHECK(in.expect_symbol(")"));
  return Selector{std::move(out)};
}

bool at_count_all(const Cursor& in) {
  return in.at_word("count") && in.at_symbol("(", 1) && in.at_symbol("*", 2) && in.at_symbol(")", 3);
}

bool at_function(const Cursor& in) {
  const auto is_name = [&](std::size_t at) { return in.at_name(at) || in.at_word("token", at); };
  return is_name(0) && (in.at_symbol("(", 1) || (in.at_symbol(".", 1) && is_name(2) && in.at_symbol("(", 3)));
}

Answer<Selector> read_selector_without_fields(Cursor& in) {
  if (at_count_all(in)) {
    for (int i = 0; i < 4; ++i) in.take();
    return Selector{CountAll{}};
  }
  if ((in.at_word("writetime") || in.at_word("ttl")) && in.at_symbol("(", 1)) return read_write_time(in);
  if (in.at_word("cast") && in.at_symbol("(", 1)) return read_cast(in);
  if (at_function(in)) {
    DINETTE_TRY(auto call, read_function_selector(in));
    return Selector{std::move(call)};
  }
  if (at_value(in)) {
    DINETTE_TRY(auto term, read_term(in));
    return Selector{TermSelector{std::move(term)}};
  }
  DINETTE_TRY(std::string column, in.read_name());
  return Selector{ColumnSelector{std::move(column)}};
}

Answer<Selector> read_selector(Cursor& in) {
  const Nesting nesting(in);
  DINETTE_CHECK(nesting.check());
  DINETTE_TRY(Selector selector, read_selector_without_fields(in));
  for (int depth = 0; in.take_symbol("."); ++depth) {
    if (depth == 64) return in.no_viable();
    FieldSelector field;
    DINETTE_TRY(field.field, in.read_name());
    field.of.push_back(std::move(selector));
    selector = Selector{std::move(field)};
  }
  return selector;
}

/// Returns true if JSON or DISTINCT is a keyword here, and not the name of a column.
bool at_modifier(const Cursor& in, std::string_view word) {
  if (!in.at_word(word)) return false;
  constexpr auto after_columns = std::to_array<std::string_view>({",", ".", "("});
  for (const std::string_view symbol : after_columns) {
    if (in.at_symbol(symbol, 1)) return false;
  }
  if (in.at_word("as", 1)) return in.at_word("from", 2) || in.at_symbol(",", 2) || in.at_word("as", 2);
  return !in.at_word("from", 1);
}

Answer<void> read_selections(Cursor& in, Select& out) {
  if (in.take_symbol("*")) return {};
  const auto read = [&]() -> Answer<void> {
    Selection selection;
    DINETTE_TRY(selection.selector, read_selector(in));
    if (in.take_word("as")) {
      DINETTE_TRY(selection.alias.emplace(), in.read_name());
    }
    out.selections.push_back(std::move(selection));
    return {};
  };
  return read_list(in, read);
}

Answer<void> read_order(Cursor& in, Select& out) {
  const auto read = [&]() -> Answer<void> {
    Ordering ordering;
    DINETTE_TRY(ordering.column, in.read_name());
    ordering.descending = in.take_word("desc");
    if (!ordering.descending) in.take_word("asc");
    out.order_by.push_back(std::move(ordering));
    return {};
  };
  return read_list(in, read);
}

Answer<void> read_groups(Cursor& in, Select& out) {
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(out.group_by.emplace_back(), in.read_name());
    return {};
  };
  return read_list(in, read);
}

}  // namespace

Answer<Select> read_select(Cursor& in) {
  Select out;
  DINETTE_CHECK(in.expect_word("select"));
  if (at_modifier(in, "json")) {
    out.json = true;
    in.take();
  }
  if (at_modifier(in, "distinct")) {
    out.distinct = true;
    in.take();
  }
  DINETTE_CHECK(read_selections(in, out));
  DINETTE_CHECK(in.expect_word("from"));
  DINETTE_TRY(out.table, in.read_qualified_name());
  if (in.take_word("where")) {
    DINETTE_TRY(out.where, read_where(in));
  }
  if (in.take_words("group", "by")) DINETTE_CHECK(read_groups(in, out));
  if (in.take_words("order", "by")) DINETTE_CHECK(read_order(in, out));
  if (in.take_words("per", "partition")) {
    DINETTE_CHECK(in.expect_word("limit"));
    DINETTE_TRY(out.per_partition_limit, read_number(in));
  }
  if (in.take_word("limit")) {
    DINETTE_TRY(out.limit, read_number(in));
  }
  out.allow_filtering = in.take_words("allow", "filtering");
  return out;
}

}  // namespace dinette::cql::grammar
