#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/sql/column_type.h"
#include "tablestore/sql/expression_parser.h"
#include "tablestore/sql/functions.h"
#include "tablestore/sql/statement.h"

namespace dinette::tablestore::sql {
namespace {

using std::string;
using std::string_view;

/// Words by which statements of MySQL begin that are not served.
constexpr std::array<string_view, 32> other_statements{
    "analyze",  "begin",     "call",    "check",   "commit",   "deallocate", "do",    "execute",
    "explain",  "flush",     "grant",   "handler", "kill",     "load",       "lock",  "optimize",
    "prepare",  "purge",     "release", "rename",  "repair",   "replace",    "reset", "revoke",
    "rollback", "savepoint", "set",     "start",   "truncate", "unlock",     "use",   "with"};

/// Reads one statement, from left to right.
class Parser final : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

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
    if (take("select")) {
      DINETTE_TRY(Select select, read_selection());
      return Statement(std::move(select));
    }
    if (take("insert")) return read_insert();
    if (take("update")) return read_update();
    if (take("delete")) return read_delete();
    if (take("alter")) return read_alter();
    return is_word() && std::ranges::find(other_statements, next().text) != other_statements.end()
               ? not_served()
               : error();
  }

  bool is_word() const { return next().kind == Token::Kind::word; }
  static base::Failure<ApiError> not_served() { return refuse::sql_not_served(); }

  Answer<Statement> read_show() {
    if (!take("index") && !take("indexes") && !take("keys")) {
      if (!take("tables")) return is_word() ? not_served() : error();
      if (is_word()) return not_served();
      return Statement(ShowTables());
    }
    if (!take("in")) DINETTE_CHECK(expect("from"));
    DINETTE_TRY(string table, name());
    return Statement(ShowIndex{std::move(table)});
  }

  Answer<Statement> read_describe() {
    DINETTE_TRY(string table, name());
    return Statement(Describe{std::move(table)});
  }

  Answer<Statement> read_create() {
    CreateMapping create;
    if (!take("table")) return is_word() ? not_served() : error();
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
    string attribute;
    while (is("engine") || is("engine_attribute")) DINETTE_CHECK(read_option(create, attribute));
    if (create.searches) DINETTE_CHECK(read_attribute(attribute, create));
    return Statement(std::move(create));
  }

  /// Those of a table have no effect: all reads are consistent. A comma between them may be missing.
  Answer<void> read_option(CreateMapping& create, string& attribute) {
    const bool is_engine = take("engine");
    if (!is_engine) DINETTE_CHECK(expect("engine_attribute"));
    take_sign("=");
    if (next().kind != Token::Kind::text) return error();
    const bool searches = base::equal_ignoring_case(next().text, "searchindex");
    if (is_engine && !searches && !base::equal_ignoring_case(next().text, "tablestore")) return error();
    if (is_engine) {
      create.searches = searches;
    } else {
      attribute = next().text;
    }
    skip();
    if (take_sign(",") && !is("engine") && !is("engine_attribute")) return error();
    return {};
  }

  static Answer<void> read_attribute(const string& attribute, CreateMapping& create) {
    create.index = text_member(attribute, "index_name");
    create.index_table = text_member(attribute, "table_name");
    if (create.index.empty() || create.index_table.empty()) return refuse::sql_bad_attribute();
    return {};
  }

  /// Other changes are not served.
  Answer<Statement> read_alter() {
    AlterMapping alter;
    if (!take("table")) return is_word() ? not_served() : error();
    DINETTE_TRY(alter.table, name());
    const bool drops = is("drop");
    if (!is("add") && !drops) return refuse::sql_not_served();
    skip();
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
      length = next().text;
      skip();
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
    if (!take("mapping")) return is_word() ? not_served() : error();
    DINETTE_CHECK(expect("table"));
    if (take("if")) {
      DINETTE_CHECK(expect("exists"));
      drop.if_present = true;
    }
    do {
      DINETTE_TRY(string table, name());
      drop.tables.push_back(std::move(table));
    } while (take_sign(","));
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

  Answer<std::shared_ptr<const Select>> read_query() override {
    DINETTE_CHECK(enter());
    DINETTE_CHECK(expect("select"));
    DINETTE_TRY(Select select, read_selection());
    leave();
    return std::shared_ptr<const Select>(std::make_shared<Select>(std::move(select)));
  }

  /// Reads what follows SELECT. Without a table there are no conditions.
  // NOLINTNEXTLINE(misc-no-recursion): limited
  Answer<Select> read_selection() {
    Select select;
    select.is_distinct = take("distinct") || take("distinctrow");
    if (!select.is_distinct) take("all");
    do {
      DINETTE_CHECK(read_item(select));
    } while (take_sign(","));
    if (take("from") && !take("dual")) DINETTE_CHECK(read_tables(select));
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
    if (is("union") || is("except") || is("intersect")) return not_served();
    return select;
  }

  Answer<void> read_item(Select& select) {
    SelectItem item;
    const bool is_name = next().kind == Token::Kind::word || next().kind == Token::Kind::name;
    if (take_sign("*")) {
      item.is_all = true;
    } else if (is_name && is_sign(".", 1) && is_sign("*", 2)) {
      item.is_all = true;
      DINETTE_TRY(item.all_of, name());
      skip();
      skip();
    } else {
      DINETTE_CHECK(read_named(item));
    }
    select.items.push_back(std::move(item));
    return {};
  }

  Answer<void> read_named(SelectItem& item) {
    const std::size_t begin = next().begin;
    DINETTE_TRY(item.expression, read_expression());
    item.name =
        item.expression.kind == Expression::Kind::column ? item.expression.column : string(text_since(begin));
    const bool has_as = take("as");
    if (has_as && next().kind == Token::Kind::text) {
      item.name = next().text;
      skip();
    } else if (has_as || has_alias()) {
      DINETTE_TRY(item.name, name());
    }
    return {};
  }

  /// Returns true if a name without AS follows.
  bool has_alias() const {
    return next().kind == Token::Kind::name ||
           (next().kind == Token::Kind::word && !is_reserved(next().text));
  }

  // NOLINTNEXTLINE(misc-no-recursion): limited
  Answer<void> read_tables(Select& select) {
    DINETTE_CHECK(read_first(select));
    for (;;) {
      if (take_sign(",")) {
        DINETTE_TRY(FromItem item, read_table());
        select.from.push_back(std::move(item));
        continue;
      }
      DINETTE_TRY(const auto join, read_join());
      if (!join) return {};
      DINETTE_TRY(FromItem item, read_table());
      item.join = *join;
      DINETTE_CHECK(read_join_condition(item));
      select.from.push_back(std::move(item));
    }
  }

  /// Joins are carried out from left to right, as those in parentheses at the begin are. Elsewhere
  /// parentheses change what they return: not served.
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> read_first(Select& select) {
    if (!is_sign("(") || next(1).text == "select") {
      DINETTE_TRY(FromItem first, read_table());
      select.from.push_back(std::move(first));
      return {};
    }
    DINETTE_CHECK(enter());
    skip();
    DINETTE_CHECK(read_tables(select));
    leave();
    return expect_sign(")");
  }

  /// Reads the words of a join; nothing if there are none.
  Answer<std::optional<FromItem::Join>> read_join() {
    using Join = FromItem::Join;
    std::optional<Join> join;
    if (take("left")) join = Join::left;
    if (!join && take("right")) join = Join::right;
    if (join) {
      take("outer");
      DINETTE_CHECK(expect("join"));
      return join;
    }
    if (take("inner") || take("cross")) {
      DINETTE_CHECK(expect("join"));
      return std::optional(Join::inner);
    }
    if (take("join")) return std::optional(Join::inner);
    if (is("natural") || is("straight_join")) return not_served();
    return join;
  }

  Answer<void> read_join_condition(FromItem& item) {
    if (take("on")) {
      DINETTE_TRY(item.condition, read_expression());
    } else if (take("using")) {
      DINETTE_CHECK(expect_sign("("));
      do {
        DINETTE_TRY(string column, name());
        item.common.push_back(std::move(column));
      } while (take_sign(","));
      DINETTE_CHECK(expect_sign(")"));
    } else if (item.join != FromItem::Join::inner) {
      return error();
    }
    return {};
  }

  // NOLINTNEXTLINE(misc-no-recursion): limited
  Answer<FromItem> read_table() {
    FromItem item;
    if (take_sign("(")) {
      if (!is_query()) return not_served();
      DINETTE_TRY(item.query, read_query());
      DINETTE_CHECK(expect_sign(")"));
    } else {
      DINETTE_TRY(item.table, name());
    }
    const bool has_as = take("as");
    if (has_as || has_alias()) {
      DINETTE_TRY(item.alias, name());
    }
    if (item.query && item.alias.empty()) return refuse::sql_no_alias();
    while (take("use") || take("force") || take("ignore")) DINETTE_CHECK(read_hint(item));
    return item;
  }

  /// Reads `INDEX (names)`: rows are the same by all indexes.
  Answer<void> read_hint(FromItem& item) {
    if (!take("key")) DINETTE_CHECK(expect("index"));
    DINETTE_CHECK(expect_sign("("));
    if (take_sign(")")) return {};
    do {
      DINETTE_TRY(string index, name());
      item.indexes.push_back(std::move(index));
    } while (take_sign(","));
    return expect_sign(")");
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
    skip();
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
};

}  // namespace

Answer<Statement> parse(string_view text) {
  DINETTE_TRY(std::vector<Token> tokens, read_tokens(text));
  return Parser(text, std::move(tokens)).read();
}

}  // namespace dinette::tablestore::sql
