#include "tablestore/sql/search_conditions.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"

#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using std::string;
using std::string_view;
using FindKind = Expression::Kind;

bool is_comparison(FindKind kind) {
  return (kind >= FindKind::equal && kind <= FindKind::greater_equal) || kind == FindKind::like ||
         kind == FindKind::in || kind == FindKind::between || kind == FindKind::is_null;
}

bool is_extracted(const Expression& expression) {
  return expression.kind == FindKind::array_extract;
}

/// Returns the name of a field inside others as a statement writes it: one name with points, or two.
string whole_name(const Expression& column) {
  return column.qualifier.empty() ? column.column : column.qualifier + '.' + column.column;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
const search::Field* find_field(const std::vector<search::Field>& fields, string_view name) {
  for (const search::Field& field : fields) {
    if (base::equal_ignoring_case(field.name, name)) return &field;
    if (const search::Field* const inner = find_field(field.fields, name)) return inner;
  }
  return nullptr;
}

Answer<const search::Field*> field_of(const Expression& column, const search::IndexSchema& schema) {
  if (column.kind != FindKind::column) return refuse::sql_bad_search_condition();
  const search::Field* field = find_field(schema.fields(), whole_name(column));
  if (field == nullptr) field = find_field(schema.fields(), column.column);
  if (field == nullptr) return refuse::sql_unknown_column(whole_name(column));
  return field;
}

Answer<string> text_argument(const Expression& expression, std::size_t place) {
  if (place >= expression.inner.size() || expression.inner[place].kind != FindKind::literal)
    return refuse::sql_bad_search_condition();
  return text_of(expression.inner[place].value);
}

/// The message of a query, whose fields are numbered as in api-specs: MatchQuery, MatchPhraseQuery.
class MatchMessage {
 public:
  MatchMessage(string_view field, string_view text) {
    writer_.put(1, field);
    writer_.put(2, text);
  }

  /// The options of TEXT_MATCH: "or" with how many words must match, or "and".
  Answer<void> add_options(const Expression& expression) {
    DINETTE_TRY(const string combinator, text_argument(expression, 2));
    const bool all = base::equal_ignoring_case(combinator, "and");
    if (!all && !base::equal_ignoring_case(combinator, "or")) return refuse::sql_bad_search_condition();
    writer_.put(4, all ? api::QueryOperator::and_ : api::QueryOperator::or_);
    if (expression.inner.size() < 4) return {};
    DINETTE_TRY(const string least, text_argument(expression, 3));
    const auto number = whole_argument(string(least));
    writer_.put(3, static_cast<std::int32_t>(std::clamp<std::int64_t>(number.value_or(1), 0, 1'000'000)));
    return {};
  }

  Answer<search::Condition> condition(api::QueryType type, const search::IndexSchema& schema) const {
    return search::read_query({.type = type, .query = bytes_}, schema);
  }

 private:
  string bytes_;
  codec::FieldWriter writer_{bytes_};
};

Answer<search::Condition> match_condition(const Expression& expression, const search::IndexSchema& schema) {
  const bool is_phrase = expression.kind == FindKind::text_match_phrase;
  const std::size_t most = is_phrase ? 2 : 4;
  if (expression.inner.size() < 2 || expression.inner.size() > most)
    return refuse::sql_wrong_arguments(is_phrase ? "text_match_phrase" : "text_match");
  DINETTE_TRY(const search::Field* const field, field_of(expression.inner[0], schema));
  DINETTE_TRY(const string text, text_argument(expression, 1));
  MatchMessage message(field->name, text);
  if (expression.inner.size() > 2) DINETTE_CHECK(message.add_options(expression));
  return message.condition(is_phrase ? api::QueryType::match_phrase : api::QueryType::match, schema);
}

SqlValue value_in(const search::FieldValue& value) {
  return std::visit([](const auto& one) { return SqlValue(one); }, value);
}

/// Puts the one column of a condition, or an ARRAY_EXTRACT of it, in the only place of a row. Returns the
/// column, which is the same everywhere, or null if there is none.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
Answer<const search::Field*> make_of_one(Expression& expression, const search::IndexSchema& schema) {
  const bool extracts = is_extracted(expression);
  if (extracts && expression.inner.size() != 1) return refuse::sql_wrong_arguments("array_extract");
  if (extracts || expression.kind == FindKind::column) {
    DINETTE_TRY(const search::Field* const field,
                field_of(extracts ? expression.inner[0] : expression, schema));
    expression = Expression{.kind = FindKind::column};
    return field;
  }
  if (expression.query) return refuse::sql_bad_search_condition();
  const search::Field* only = nullptr;
  for (Expression& inner : expression.inner) {
    DINETTE_TRY(const search::Field* const field, make_of_one(inner, schema));
    if (field != nullptr && only != nullptr && field != only) return refuse::sql_bad_search_condition();
    if (field != nullptr) only = field;
  }
  return only;
}

/// One of the values must meet the condition; NULL is a field without values.
Answer<search::Condition> value_condition(const Expression& expression, const search::IndexSchema& schema,
                                          const Environment& environment) {
  Expression test = expression;
  DINETTE_TRY(const search::Field* const field, make_of_one(test, schema));
  if (field == nullptr || has_aggregate(test)) return refuse::sql_bad_search_condition();
  return search::Condition([field, environment, test = std::move(test)](const search::Document& document) {
    const auto holds = [&](SqlValue value) {
      const SqlRow row{std::move(value)};
      const SqlRow* const one = &row;
      return is_true(evaluate(test, SqlRows(&one, 1), environment));
    };
    const auto& values = document.values_of(field->name);
    if (values.empty()) return holds(SqlValue());
    return std::ranges::any_of(values,
                               [&](const search::FieldValue& value) { return holds(value_in(value)); });
  });
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<search::Condition> inner_condition(const Expression& expression, const search::IndexSchema& schema,
                                          const Environment& environment) {
  const FindKind kind = expression.kind;
  if (kind == FindKind::text_match || kind == FindKind::text_match_phrase)
    return match_condition(expression, schema);
  if (kind == FindKind::nested_query) return search_condition(expression, schema, environment);
  if (kind == FindKind::not_) {
    DINETTE_TRY(search::Condition inner, inner_condition(expression.inner[0], schema, environment));
    return search::Condition(
        [inner = std::move(inner)](const search::Document& document) { return !inner(document); });
  }
  if (kind != FindKind::and_ && kind != FindKind::or_)
    return value_condition(expression, schema, environment);
  DINETTE_TRY(search::Condition left, inner_condition(expression.inner[0], schema, environment));
  DINETTE_TRY(search::Condition right, inner_condition(expression.inner[1], schema, environment));
  const bool all = kind == FindKind::and_;
  return search::Condition(
      [all, left = std::move(left), right = std::move(right)](const search::Document& document) {
        return all ? left(document) && right(document) : left(document) || right(document);
      });
}

/// Looks at the documents of a path, which may be inside others.
// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
bool any_inside(const search::Document& document, const string& path, const search::Condition& condition) {
  for (const auto& [own, documents] : document.nested) {
    if (own == path && std::ranges::any_of(documents, condition)) return true;
    if (!path.starts_with(own + '.')) continue;
    for (const search::Document& inner : documents)
      if (any_inside(inner, path, condition)) return true;
  }
  return false;
}

/// All conditions are about one document inside the row's.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
Answer<search::Condition> nested_condition(const Expression& expression, const search::IndexSchema& schema,
                                           const Environment& environment) {
  if (expression.inner.size() != 1) return refuse::sql_wrong_arguments("nested_query");
  const Expression* const column = searched_column(expression.inner[0]);
  if (column == nullptr) return refuse::sql_bad_search_condition();
  DINETTE_TRY(const search::Field* const field, field_of(*column, schema));
  const std::size_t end = field->name.rfind('.');
  if (end == string::npos) return refuse::sql_bad_search_condition();
  DINETTE_TRY(search::Condition inner, inner_condition(expression.inner[0], schema, environment));
  return search::Condition(
      [path = field->name.substr(0, end), inner = std::move(inner)](const search::Document& document) {
        return any_inside(document, path, inner);
      });
}

}  // namespace

bool is_search_condition(const Expression& expression) {
  const FindKind kind = expression.kind;
  const bool is_function = kind == FindKind::text_match || kind == FindKind::text_match_phrase ||
                           kind == FindKind::nested_query || kind == FindKind::array_extract;
  return is_function || (is_comparison(kind) && std::ranges::any_of(expression.inner, is_extracted));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
const Expression* searched_column(const Expression& expression) {
  if (expression.kind == FindKind::column) return &expression;
  for (const Expression& inner : expression.inner)
    if (const Expression* const found = searched_column(inner)) return found;
  return nullptr;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<search::Condition> search_condition(const Expression& expression, const search::IndexSchema& schema,
                                           const Environment& environment) {
  switch (expression.kind) {
    case FindKind::text_match:
    case FindKind::text_match_phrase:
      return match_condition(expression, schema);
    case FindKind::nested_query:
      return nested_condition(expression, schema, environment);
    case FindKind::array_extract:
      return refuse::sql_bad_search_condition();
    default:
      return value_condition(expression, schema, environment);
  }
}

}  // namespace dinette::tablestore::sql
