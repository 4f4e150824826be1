#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <utility>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/sql/column_type.h"
#include "tablestore/sql/statement.h"
#include "tablestore/sql/tokens.h"

namespace dinette::tablestore::sql {
namespace {

using std::string;
using std::string_view;
using Kind = Expression::Kind;

/// Words that begin parts of a statement: without quotes they are no names of columns.
constexpr std::array<string_view, 14> reserved{"and",   "as",  "by", "distinct", "from",   "group", "having",
                                               "limit", "not", "or", "order",    "select", "where", "is"};

/// Reads one statement, from left to right.
class Parser {
 public:
  Parser(string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  Answer<Statement> read() {
    DINETTE_TRY(Statement statement, read_statement());
    if (next().kind != Token::Kind::end) return error();
    return statement;
  }

 private:
  Answer<Statement> read_statement() {
    if (take("show")) return read_show();
    if (take("describe") || take("desc")) return read_describe();
    if (take("create")) return read_create();
    if (take("drop")) return read_drop();
    if (take("select")) return read_select();
    if (take("insert")) return read_insert();
    if (take("update")) return read_update();
    if (take("delete")) return read_delete();
    if (take("alter")) return read_alter();
    return error();
  }

  const Token& next() const { return tokens_[at_]; }
  bool is(string_view word) const { return next().kind == Token::Kind::word && next().text == word; }
  bool is_sign(string_view sign) const { return next().kind == Token::Kind::sign && next().text == sign; }
  bool take(string_view word) {
    if (!is(word)) return false;
    ++at_;
    return true;
  }
  bool take_sign(string_view sign) {
    if (!is_sign(sign)) return false;
    ++at_;
    return true;
  }
  base::Failure<ApiError> error() const { return syntax_error(text_.substr(next().begin)); }
  Answer<void> expect(string_view word) {
    if (!take(word)) return error();
    return {};
  }
  Answer<void> expect_sign(string_view sign) {
    if (!take_sign(sign)) return error();
    return {};
  }

  /// Names of tables and columns are as they were written.
  Answer<string> name() {
    const Token& token = next();
    if (token.kind == Token::Kind::word) return string(tokens_[at_++].written);
    if (token.kind == Token::Kind::name) return tokens_[at_++].text;
    return error();
  }

  Answer<Statement> read_show() {
    for (const string_view other : {"index", "indexes", "keys"})
      if (is(other)) return refuse::sql_not_served();
    DINETTE_CHECK(expect("tables"));
    return Statement(ShowTables());
  }

  Answer<Statement> read_describe() {
    DINETTE_TRY(string table, name());
    return Statement(Describe{std::move(table)});
  }

  Answer<Statement> read_create() {
    CreateMapping create;
    DINETTE_CHECK(expect("table"));
    if (take("if")) {
      DINETTE_CHECK(expect("not"));
      DINETTE_CHECK(expect("exists"));
      create.if_absent = true;
    }
    DINETTE_TRY(create.table, name());
    DINETTE_CHECK(expect_sign("("));
    do {
      DINETTE_CHECK(read_definition(create.columns));
    } while (take_sign(","));
    DINETTE_CHECK(expect_sign(")"));
    if (is("engine") || is("engine_attribute")) DINETTE_CHECK(read_options());
    return Statement(std::move(create));
  }

  /// Reads the options of a mapping, which have no effect: all reads are consistent.
  Answer<void> read_options() {
    do {
      const bool is_engine = take("engine");
      if (!is_engine) DINETTE_CHECK(expect("engine_attribute"));
      take_sign("=");
      if (next().kind != Token::Kind::text) return error();
      if (is_engine && base::equal_ignoring_case(next().text, "searchindex")) return refuse::sql_not_served();
      if (is_engine && !base::equal_ignoring_case(next().text, "tablestore")) return error();
      ++at_;
    } while (take_sign(","));
    return {};
  }

  /// Other changes are not served.
  Answer<Statement> read_alter() {
    AlterMapping alter;
    DINETTE_CHECK(expect("table"));
    DINETTE_TRY(alter.table, name());
    const bool drops = is("drop");
    if (!is("add") && !drops) return refuse::sql_not_served();
    ++at_;
    take("column");
    DINETTE_TRY(string column, name());
    if (drops) {
      alter.dropped = std::move(column);
    } else {
      SqlColumn& added = alter.added.emplace();
      added.name = std::move(column);
      DINETTE_CHECK(read_type(added));
    }
    return Statement(std::move(alter));
  }

  Answer<void> read_definition(std::vector<SqlColumn>& columns) {
    if (take("primary")) return read_key(columns);
    SqlColumn column;
    DINETTE_TRY(column.name, name());
    DINETTE_CHECK(read_type(column));
    for (;;) {
      if (take("not")) {
        DINETTE_CHECK(expect("null"));
        column.is_nullable = false;
      } else if (take("primary")) {
        DINETTE_CHECK(expect("key"));
        column.key_place = 1;
      } else if (take("default")) {
        DINETTE_CHECK(read_operand());
      } else if (!take("null")) {
        break;
      }
    }
    columns.push_back(std::move(column));
    return {};
  }

  Answer<void> read_type(SqlColumn& column) {
    DINETTE_TRY(const string word, name());
    string length;
    if (take_sign("(")) {
      if (next().kind != Token::Kind::whole) return error();
      length = tokens_[at_++].text;
      DINETTE_CHECK(expect_sign(")"));
    }
    DINETTE_TRY(column.type, column_type_of(word, length));
    return {};
  }

  /// The order of the key is that of this list.
  Answer<void> read_key(std::vector<SqlColumn>& columns) {
    DINETTE_CHECK(expect("key"));
    DINETTE_CHECK(expect_sign("("));
    std::uint8_t place = 0;
    do {
      DINETTE_TRY(const string column, name());
      const auto found = std::ranges::find_if(
          columns, [&](const SqlColumn& known) { return base::equal_ignoring_case(known.name, column); });
      if (found == columns.end()) return refuse::sql_unknown_column(column);
      found->key_place = ++place;
    } while (take_sign(","));
    return expect_sign(")");
  }

  Answer<Statement> read_drop() {
    DropMapping drop;
    DINETTE_CHECK(expect("mapping"));
    DINETTE_CHECK(expect("table"));
    if (take("if")) {
      DINETTE_CHECK(expect("exists"));
      drop.if_present = true;
    }
    DINETTE_TRY(drop.table, name());
    return Statement(std::move(drop));
  }

  /// Rows from assignments and queries are not inserted.
  Answer<Statement> read_insert() {
    Insert insert;
    if (take("ignore")) insert.present = Insert::Present::kept;
    take("into");
    DINETTE_TRY(insert.table, name());
    if (is("set") || is("select")) return refuse::sql_not_served();
    if (take_sign("(")) {
      do {
        DINETTE_TRY(string column, name());
        insert.columns.push_back(std::move(column));
      } while (take_sign(","));
      DINETTE_CHECK(expect_sign(")"));
    }
    if (is("select")) return refuse::sql_not_served();
    if (!take("value")) DINETTE_CHECK(expect("values"));
    do {
      DINETTE_CHECK(read_inserted(insert));
    } while (take_sign(","));
    if (take("on")) DINETTE_CHECK(read_on_duplicate(insert));
    return Statement(std::move(insert));
  }

  Answer<void> read_inserted(Insert& insert) {
    DINETTE_CHECK(expect_sign("("));
    auto& row = insert.rows.emplace_back();
    do {
      DINETTE_TRY(Expression value, read_expression());
      row.push_back(std::move(value));
    } while (take_sign(","));
    return expect_sign(")");
  }

  Answer<void> read_on_duplicate(Insert& insert) {
    for (const string_view word : {"duplicate", "key", "update"}) DINETTE_CHECK(expect(word));
    insert.present = Insert::Present::updated;
    std::vector<Assignment> assignments;
    return read_assignments(assignments);
  }

  Answer<void> read_assignments(std::vector<Assignment>& assignments) {
    do {
      Assignment assignment;
      DINETTE_TRY(assignment.column, name());
      DINETTE_CHECK(expect_sign("="));
      DINETTE_TRY(assignment.value, read_expression());
      assignments.push_back(std::move(assignment));
    } while (take_sign(","));
    return {};
  }

  Answer<Statement> read_update() {
    Update update;
    DINETTE_TRY(update.table, name());
    DINETTE_CHECK(expect("set"));
    DINETTE_CHECK(read_assignments(update.assignments));
    DINETTE_CHECK(read_end_of_change(update));
    return Statement(std::move(update));
  }

  Answer<Statement> read_delete() {
    Delete erase;
    DINETTE_CHECK(expect("from"));
    DINETTE_TRY(erase.table, name());
    DINETTE_CHECK(read_end_of_change(erase));
    return Statement(std::move(erase));
  }

  Answer<void> read_end_of_change(Change& change) {
    if (take("where")) {
      DINETTE_TRY(change.where, read_expression());
    }
    Select ignored;
    change.has_order = take("order");
    if (change.has_order) DINETTE_CHECK(read_order(ignored));
    change.has_limit = take("limit");
    return change.has_limit ? read_limit(ignored) : Answer<void>();
  }

  Answer<Statement> read_select() {
    Select select;
    select.is_distinct = take("distinct");
    do {
      DINETTE_CHECK(read_item(select));
    } while (take_sign(","));
    DINETTE_CHECK(expect("from"));
    DINETTE_TRY(select.table, name());
    if (take("where")) {
      DINETTE_TRY(select.where, read_expression());
    }
    if (take("group")) {
      DINETTE_CHECK(expect("by"));
      do {
        DINETTE_TRY(Expression group, read_expression());
        select.groups.push_back(std::move(group));
      } while (take_sign(","));
    }
    if (take("having")) {
      DINETTE_TRY(select.having, read_expression());
    }
    if (take("order")) DINETTE_CHECK(read_order(select));
    if (take("limit")) DINETTE_CHECK(read_limit(select));
    return Statement(std::move(select));
  }

  Answer<void> read_item(Select& select) {
    if (take_sign("*")) {
      select.all_columns = true;
      return {};
    }
    const std::size_t begin = next().begin;
    SelectItem item;
    DINETTE_TRY(item.expression, read_expression());
    item.name = item.expression.kind == Kind::column
                    ? item.expression.column
                    : string(text_.substr(begin, tokens_[at_ - 1].end - begin));
    if (take("as") || next().kind == Token::Kind::name || (next().kind == Token::Kind::word && !is("from"))) {
      DINETTE_TRY(item.name, name());
    }
    select.items.push_back(std::move(item));
    return {};
  }

  Answer<void> read_order(Select& select) {
    DINETTE_CHECK(expect("by"));
    do {
      OrderItem item;
      DINETTE_TRY(item.expression, read_expression());
      item.descending = take("desc");
      if (!item.descending) take("asc");
      select.order.push_back(std::move(item));
    } while (take_sign(","));
    return {};
  }

  Answer<std::uint64_t> read_count() {
    std::uint64_t count = 0;
    const string& digits = next().text;
    if (next().kind != Token::Kind::whole) return error();
    if (std::from_chars(digits.data(), digits.data() + digits.size(), count).ec != std::errc())
      return error();
    ++at_;
    return count;
  }

  Answer<void> read_limit(Select& select) {
    DINETTE_TRY(select.limit, read_count());
    if (take_sign(",")) {
      select.offset = *select.limit;
      DINETTE_TRY(select.limit, read_count());
    } else if (take("offset")) {
      DINETTE_TRY(select.offset, read_count());
    }
    return {};
  }

  // Expressions: what binds least is read first.

  // NOLINTNEXTLINE(misc-no-recursion): limited
  Answer<Expression> read_expression() {
    if (depth_ == limits::sql_depth) return refuse::sql_too_deep();
    ++depth_;
    DINETTE_TRY(Expression left, read_and());
    while (take("or")) {
      DINETTE_TRY(Expression right, read_and());
      left = of_two(Kind::or_, std::move(left), std::move(right));
    }
    --depth_;
    return left;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_and() {
    DINETTE_TRY(Expression left, read_not());
    while (take("and")) {
      DINETTE_TRY(Expression right, read_not());
      left = of_two(Kind::and_, std::move(left), std::move(right));
    }
    return left;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_not() {
    bool inverts = false;
    while (take("not")) inverts = !inverts;
    DINETTE_TRY(Expression inner, read_comparison());
    return inverts ? of_one(Kind::not_, std::move(inner)) : std::move(inner);
  }

  static std::optional<Kind> comparison_of(string_view sign) {
    if (sign == "=") return Kind::equal;
    if (sign == "<>" || sign == "!=") return Kind::not_equal;
    if (sign == "<") return Kind::less;
    if (sign == "<=") return Kind::less_equal;
    if (sign == ">") return Kind::greater;
    if (sign == ">=") return Kind::greater_equal;
    return std::nullopt;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_comparison() {
    DINETTE_TRY(Expression left, read_sum());
    for (;;) {
      const auto kind = next().kind == Token::Kind::sign ? comparison_of(next().text) : std::nullopt;
      if (kind) {
        ++at_;
        DINETTE_TRY(Expression right, read_sum());
        left = of_two(*kind, std::move(left), std::move(right));
        continue;
      }
      if (take("is")) {
        const bool inverts = take("not");
        DINETTE_CHECK(expect("null"));
        left = of_one(Kind::is_null, std::move(left));
        if (inverts) left = of_one(Kind::not_, std::move(left));
        continue;
      }
      const bool inverts = take("not");
      if (!is("in") && !is("between") && !is("like")) {
        if (inverts) return error();
        return left;
      }
      DINETTE_TRY(left, read_list(std::move(left)));
      if (inverts) left = of_one(Kind::not_, std::move(left));
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_list(Expression left) {
    if (take("like")) {
      DINETTE_TRY(Expression pattern, read_sum());
      if (const auto* const text = std::get_if<string>(&pattern.value);
          text != nullptr && text->size() > limits::sql_pattern_bytes)
        return refuse::sql_pattern_too_long(static_cast<std::int64_t>(limits::sql_pattern_bytes));
      return of_two(Kind::like, std::move(left), std::move(pattern));
    }
    if (take("between")) {
      DINETTE_TRY(Expression low, read_sum());
      DINETTE_CHECK(expect("and"));
      DINETTE_TRY(Expression high, read_sum());
      Expression between = of_two(Kind::between, std::move(left), std::move(low));
      between.inner.push_back(std::move(high));
      return between;
    }
    DINETTE_CHECK(expect("in"));
    DINETTE_CHECK(expect_sign("("));
    Expression in = of_one(Kind::in, std::move(left));
    do {
      DINETTE_TRY(Expression one, read_expression());
      in.inner.push_back(std::move(one));
    } while (take_sign(","));
    DINETTE_CHECK(expect_sign(")"));
    return in;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_sum() {
    DINETTE_TRY(Expression left, read_product());
    while (is_sign("+") || is_sign("-")) {
      const Kind kind = tokens_[at_++].text == "+" ? Kind::add : Kind::subtract;
      DINETTE_TRY(Expression right, read_product());
      left = of_two(kind, std::move(left), std::move(right));
    }
    return left;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_product() {
    DINETTE_TRY(Expression left, read_operand());
    while (is_sign("*") || is_sign("/") || is_sign("%")) {
      const string& sign = tokens_[at_++].text;
      const Kind kind = sign == "*" ? Kind::multiply : sign == "/" ? Kind::divide : Kind::modulo;
      DINETTE_TRY(Expression right, read_operand());
      left = of_two(kind, std::move(left), std::move(right));
    }
    return left;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_operand() {
    bool negates = false;
    while (is_sign("-") || is_sign("+")) negates ^= tokens_[at_++].text == "-";
    if (negates && is_least_negated(next())) {
      ++at_;
      return literal(std::numeric_limits<std::int64_t>::min());
    }
    DINETTE_TRY(Expression operand, read_primary());
    return negates ? of_one(Kind::negate, std::move(operand)) : std::move(operand);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_primary() {
    if (take_sign("(")) {
      DINETTE_TRY(Expression inner, read_expression());
      DINETTE_CHECK(expect_sign(")"));
      return inner;
    }
    const Token& token = next();
    switch (token.kind) {
      case Token::Kind::text:
        ++at_;
        return literal(token.text);
      case Token::Kind::bytes:
        ++at_;
        return literal(Bytes{token.text});
      case Token::Kind::whole:
      case Token::Kind::real:
        ++at_;
        return number(token);
      case Token::Kind::word:
      case Token::Kind::name:
        return read_word();
      default:
        return error();
    }
  }

  static Expression literal(SqlValue value) { return {.kind = Kind::literal, .value = std::move(value)}; }

  /// Returns true for the digits of the least integer, which without their sign are too large for one.
  static bool is_least_negated(const Token& token) {
    std::uint64_t magnitude = 0;
    const char* const end = token.text.data() + token.text.size();
    return token.kind == Token::Kind::whole &&
           std::from_chars(token.text.data(), end, magnitude).ec == std::errc() &&
           magnitude == std::uint64_t{1} << 63;
  }

  /// An integer that is too large is a number of type DOUBLE.
  static Expression number(const Token& token) {
    const char* const end = token.text.data() + token.text.size();
    std::int64_t whole = 0;
    if (token.kind == Token::Kind::whole && std::from_chars(token.text.data(), end, whole).ec == std::errc())
      return literal(whole);
    double real = 0;
    std::from_chars(token.text.data(), end, real);
    return literal(real);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_word() {
    if (take("true")) return literal(true);
    if (take("false")) return literal(false);
    if (take("null")) return literal(SqlValue());
    const bool is_call = next().kind == Token::Kind::word && tokens_[at_ + 1].text == "(" &&
                         tokens_[at_ + 1].kind == Token::Kind::sign;
    if (is_call) return function_of(next().text) ? read_function() : read_aggregate();
    if (next().kind == Token::Kind::word && std::ranges::find(reserved, next().text) != reserved.end())
      return error();
    Expression column{.kind = Kind::column};
    DINETTE_TRY(column.column, name());
    if (take_sign(".")) {
      DINETTE_TRY(column.column, name());  // the first name is that of the table
    }
    return column;
  }

  struct Function {
    string_view name;
    Kind kind;
    std::size_t arguments;
  };
  static const Function* function_of(string_view name) {
    static constexpr std::array<Function, 3> functions{{{"date", Kind::date, 1},
                                                        {"from_unixtime", Kind::from_unixtime, 1},
                                                        {"timediff", Kind::timediff, 2}}};
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_function() {
    const Function& function = *function_of(tokens_[at_++].text);
    Expression call{.kind = function.kind};
    DINETTE_CHECK(expect_sign("("));
    do {
      DINETTE_TRY(Expression argument, read_expression());
      call.inner.push_back(std::move(argument));
    } while (take_sign(","));
    DINETTE_CHECK(expect_sign(")"));
    if (call.inner.size() != function.arguments) return refuse::sql_wrong_arguments(function.name);
    return call;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<Expression> read_aggregate() {
    const string function = tokens_[at_++].text;
    Expression aggregate;
    if (function == "count") {
      aggregate.kind = Kind::count;
    } else if (function == "sum") {
      aggregate.kind = Kind::sum;
    } else if (function == "avg") {
      aggregate.kind = Kind::avg;
    } else if (function == "min") {
      aggregate.kind = Kind::min;
    } else if (function == "max") {
      aggregate.kind = Kind::max;
    } else {
      return refuse::sql_unknown_function(function);
    }
    DINETTE_CHECK(expect_sign("("));
    if (aggregate.kind == Kind::count && take_sign("*")) {
      DINETTE_CHECK(expect_sign(")"));
      return aggregate;
    }
    aggregate.is_distinct = take("distinct");
    DINETTE_TRY(Expression inner, read_expression());
    if (has_aggregate(inner)) return refuse::sql_aggregate_inside();
    aggregate.inner.push_back(std::move(inner));
    DINETTE_CHECK(expect_sign(")"));
    return aggregate;
  }

  static Expression of_one(Kind kind, Expression inner) {
    Expression outer{.kind = kind};
    outer.inner.push_back(std::move(inner));
    return outer;
  }
  static Expression of_two(Kind kind, Expression left, Expression right) {
    Expression outer{.kind = kind};
    outer.inner.push_back(std::move(left));
    outer.inner.push_back(std::move(right));
    return outer;
  }

  const string_view text_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Answer<Statement> parse(string_view text) {
  DINETTE_TRY(std::vector<Token> tokens, read_tokens(text));
  return Parser(text, std::move(tokens)).read();
}

}  // namespace dinette::tablestore::sql
