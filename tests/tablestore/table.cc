#include "tablestore/table.h"

#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::test {
namespace {

std::string text_of(const Value& value) {
  switch (value.type()) {
    case ValueType::integer:
      return std::to_string(value.as_integer());
    case ValueType::real:
      return std::to_string(value.as_real());
    case ValueType::boolean:
      return value.as_boolean() ? "true" : "false";
    default:
      return std::string(value.bytes());
  }
}

std::string text_of(const RowMessage& row) {
  std::string text;
  for (const KeyColumn& column : row.key) text += (text.empty() ? "" : ",") + text_of(column.value);
  for (const CellChange& cell : row.cells) text += " " + std::string(cell.name) + "=" + text_of(*cell.value);
  return text;
}

template <class Request>
void add_transaction(Request& request, const More& more) {
  if (!more.transaction.empty()) request.transaction_id = more.transaction;
}

template <class Request>
void add_reading(Request& request, const More& more) {
  request.columns_to_get = more.columns;
  request.max_versions = more.max_versions;
  if (!more.filter.empty()) request.filter = more.filter;
  add_transaction(request, more);
}

template <class Request>
void add_writing(Request& request, const More& more) {
  request.condition.row_existence = more.expectation;
  if (!more.filter.empty()) request.condition.column_condition = more.filter;
  add_transaction(request, more);
}

std::string wrapped(api::FilterType type, const std::string& filter) {
  return codec::encode_message(api::Filter{.type = type, .filter = filter});
}

}  // namespace

std::string row_bytes(const PrimaryKey& key, const std::vector<CellChange>& cells, bool deletes) {
  std::string bytes;
  plainbuffer::RowWriter(bytes).add(RowMessage{.key = key, .cells = cells, .deletes = deletes});
  return bytes;
}

PrimaryKey key(std::int64_t gid, std::string_view uid) {
  return {{"gid", Value::integer(gid)}, {"uid", Value::string(uid)}};
}

PrimaryKey least() {
  return {{"gid", Value::inf_min()}, {"uid", Value::inf_min()}};
}

PrimaryKey most() {
  return {{"gid", Value::inf_max()}, {"uid", Value::inf_max()}};
}

std::string text_of_rows(std::string_view bytes) {
  if (bytes.empty()) return "";
  std::string text;
  plainbuffer::RowReader reader(bytes);
  while (!reader.at_end()) {
    const auto row = reader.read();
    REQUIRE(row);
    text += (text.empty() ? "" : "; ") + text_of(*row);
  }
  return text;
}

std::string column_filter(api::ComparatorType comparator, std::string_view column, const Value& value,
                          bool fails_if_missing, bool latest_only) {
  std::string variant;
  plainbuffer::append_variant(variant, value);
  const api::SingleColumnValueFilter filter{.comparator = comparator,
                                            .column_name = column,
                                            .column_value = variant,
                                            .filter_if_missing = fails_if_missing,
                                            .latest_version_only = latest_only};
  return wrapped(api::FilterType::single_column_value, codec::encode_message(filter));
}

std::string composite_filter(api::LogicalOperator combinator, const std::vector<std::string>& filters) {
  api::CompositeColumnValueFilter composite{.combinator = combinator};
  for (const std::string& filter : filters)
    composite.sub_filters.push_back(codec::decode_message<api::Filter>(filter).value());
  return wrapped(api::FilterType::composite_column_value, codec::encode_message(composite));
}

std::string pagination_filter(std::int32_t offset, std::int32_t limit) {
  const api::ColumnPaginationFilter page{.offset = offset, .limit = limit};
  return wrapped(api::FilterType::column_pagination, codec::encode_message(page));
}

std::string Table::put(const PrimaryKey& key, const std::vector<CellChange>& cells, const More& more) {
  const std::string row = row_bytes(key, cells);
  api::PutRowRequest request{.table_name = name_, .row = row};
  add_writing(request, more);
  return server_.refusal("PutRow", request);
}

std::string Table::update(const PrimaryKey& key, const std::vector<CellChange>& cells, const More& more) {
  const std::string row = row_bytes(key, cells);
  api::UpdateRowRequest request{.table_name = name_, .row_change = row};
  add_writing(request, more);
  return server_.refusal("UpdateRow", request);
}

std::string Table::erase(const PrimaryKey& key, const More& more) {
  const std::string row = row_bytes(key, {}, true);
  api::DeleteRowRequest request{.table_name = name_, .primary_key = row};
  add_writing(request, more);
  return server_.refusal("DeleteRow", request);
}

std::string Table::get(const PrimaryKey& key, const More& more) {
  const std::string row = row_bytes(key);
  api::GetRowRequest request{.table_name = name_, .primary_key = row};
  add_reading(request, more);
  const Reply reply = server_.call("GetRow", request);
  if (reply.status != 200) return reply.refusal();
  return text_of_rows(codec::decode_message<api::GetRowResponse>(reply.body).value().row);
}

std::string Table::range(const PrimaryKey& from, const PrimaryKey& to, const More& more,
                         api::Direction direction) {
  const std::string begin = row_bytes(from);
  const std::string end = row_bytes(to);
  api::GetRangeRequest request{.table_name = name_, .direction = direction};
  request.inclusive_start_primary_key = begin;
  request.exclusive_end_primary_key = end;
  request.limit = more.limit;
  add_reading(request, more);
  const Reply reply = server_.call("GetRange", request);
  if (reply.status != 200) return reply.refusal();
  const auto page = codec::decode_message<api::GetRangeResponse>(reply.body).value();
  std::string text = text_of_rows(page.rows);
  if (page.next_start_primary_key) text += " > " + text_of_rows(*page.next_start_primary_key);
  return text;
}

std::string Table::start(std::int64_t gid) {
  const std::string partition = row_bytes({{"gid", Value::integer(gid)}});
  const api::StartLocalTransactionRequest request{.table_name = name_, .key = partition};
  const Reply reply = server_.call("StartLocalTransaction", request);
  if (reply.status != 200) return reply.refusal();
  return codec::decode_message<api::StartLocalTransactionResponse>(reply.body).value().transaction_id;
}

std::string Table::commit(std::string_view transaction) {
  return server_.refusal("CommitTransaction", api::CommitTransactionRequest{.transaction_id = transaction});
}

std::string Table::abort(std::string_view transaction) {
  return server_.refusal("AbortTransaction", api::AbortTransactionRequest{.transaction_id = transaction});
}

}  // namespace dinette::tablestore::test
