#include "tablestore/api/sql_query.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"
#include "tablestore/rows/row_replies.h"
#include "tablestore/sql/change_rows.h"
#include "tablestore/sql/mappings.h"
#include "tablestore/sql/select.h"

// tablestore/sql.md sections 1 to 4
namespace dinette::tablestore::ops {
namespace {

/// Fills in the reply of each statement.
struct Execution {
  const Context& context;
  api::SQLQueryResponse& response;

  Answer<void> operator()(const sql::ShowTables&) const {
    response.type = api::SQLStatementType::show_table;
    DINETTE_TRY(const sql::Result result, sql::show_tables(context));
    response.rows = encode(result);
    return {};
  }
  /// The number of this kind of statement is not known.
  Answer<void> operator()(const sql::ShowIndex& statement) const {
    response.type = api::SQLStatementType::show_table;
    DINETTE_TRY(const sql::Result result, sql::show_index(context, statement));
    response.rows = encode(result);
    return {};
  }
  Answer<void> operator()(const sql::Describe& statement) const {
    response.type = api::SQLStatementType::describe_table;
    DINETTE_TRY(const sql::Result result, sql::describe(context, statement));
    response.rows = encode(result);
    return {};
  }
  Answer<void> operator()(const sql::CreateMapping& statement) const {
    response.type = api::SQLStatementType::create_table;
    return sql::create(context, statement);
  }
  Answer<void> operator()(const sql::DropMapping& statement) const {
    response.type = api::SQLStatementType::drop_table;
    return sql::drop(context, statement);
  }
  Answer<void> operator()(const sql::AlterMapping& statement) const {
    response.type = api::SQLStatementType::alter_table;
    return sql::alter(context, statement);
  }
  Answer<void> operator()(sql::Select& statement) const {
    response.type = api::SQLStatementType::select;
    DINETTE_TRY(const sql::Selected selected, sql::select(context, std::move(statement)));
    response.rows = encode(selected.result);
    for (const sql::TableRead& read : selected.reads)
      response.consumes.push_back(
          {.table_name = read.table,
           .consumed = read_units(read.bytes),
           .reserved_throughput = api::ReservedThroughput{{read.reserved.read, read.reserved.write}}});
    return {};
  }
  Answer<void> operator()(const sql::Insert& statement) const {
    response.type = api::SQLStatementType::insert;
    return take(statement.table, sql::insert(context, statement));
  }
  Answer<void> operator()(const sql::Update& statement) const {
    response.type = api::SQLStatementType::update;
    return take(statement.table, sql::update(context, statement));
  }
  Answer<void> operator()(const sql::Delete& statement) const {
    response.type = api::SQLStatementType::delete_;
    return take(statement.table, sql::erase(context, statement));
  }

 private:
  Answer<void> take(const std::string& table, Answer<sql::Changed> changed) const {
    DINETTE_CHECK(changed);
    response.affected_rows = changed->rows;
    response.consumes.push_back({.table_name = table,
                                 .consumed = api::ConsumedCapacity{{.read = 0, .write = changed->units}},
                                 .reserved_throughput = {}});
    return {};
  }
};

}  // namespace

Answer<api::SQLQueryResponse> sql_query(const Context& context, api::SQLQueryRequest&& request) {
  if (!base::may_wait()) return must_wait();
  if (request.version.value_or(api::SQLPayloadVersion::plain_buffer) != api::SQLPayloadVersion::flat_buffers)
    return refuse::sql_payload_not_served();
  DINETTE_TRY(sql::Statement statement, sql::parse(request.query));
  api::SQLQueryResponse response;
  response.version = api::SQLPayloadVersion::flat_buffers;
  DINETTE_CHECK(std::visit(Execution{context, response}, statement));
  return response;
}

}  // namespace dinette::tablestore::ops
