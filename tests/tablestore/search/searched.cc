#include "tablestore/search/searched.h"

#include "tablestore/codec/field_writer.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::test {
namespace {

std::vector<api::Query> messages_of(const std::vector<QueryText>& queries) {
  std::vector<api::Query> messages;
  for (const QueryText& query : queries) messages.push_back(query.message());
  return messages;
}

/// Keeps the bytes of inner fields as long as their messages.
std::string field_bytes(const FieldText& field);

api::FieldSchema field_message(const FieldText& field, std::vector<std::string>& held) {
  api::FieldSchema message{.field_name = field.name, .field_type = field.type};
  message.is_array = field.is_array;
  message.index = field.indexed;
  if (field.dimension != 0)
    message.vector_options = api::VectorOptions{.dimension = field.dimension, .metric_type = field.metric};
  if (!field.analyzer.empty()) message.analyzer = field.analyzer;
  if (!field.analyzer_parameter.empty()) message.analyzer_parameter = field.analyzer_parameter;
  if (!field.format.empty()) message.date_formats = {field.format};
  for (const std::string& format : field.more_formats) message.date_formats.push_back(format);
  message.sort_and_agg = field.sortable;
  message.enable_highlighting = field.highlighted;
  message.json_type = field.json_type;
  if (!field.source.empty()) {
    message.is_virtual_field = true;
    message.source_field_names = {field.source};
  }
  for (const FieldText& inner : field.inner) held.push_back(field_bytes(inner));
  for (const std::string& inner : held) message.field_schemas.push_back(inner);
  return message;
}

std::string field_bytes(const FieldText& field) {
  std::vector<std::string> held;
  return codec::encode_message(field_message(field, held));
}

}  // namespace

std::string variant(const Value& value) {
  std::string bytes;
  plainbuffer::append_variant(bytes, value);
  return bytes;
}

QueryText term(std::string_view field, const Value& value) {
  const std::string wanted = variant(value);
  return query_of(api::QueryType::term, api::TermQuery{.field_name = field, .term = wanted});
}

QueryText terms(std::string_view field, const std::vector<Value>& values) {
  std::vector<std::string> variants;
  for (const Value& value : values) variants.push_back(variant(value));
  api::TermsQuery query{.field_name = field};
  query.terms.assign(variants.begin(), variants.end());
  return query_of(api::QueryType::terms, query);
}

QueryText range(std::string_view field, const Value& from, bool with_from, const Value& to, bool with_to) {
  const std::string lower = variant(from);
  const std::string upper = variant(to);
  return query_of(api::QueryType::range, api::RangeQuery{.field_name = field,
                                                         .range_from = lower,
                                                         .range_to = upper,
                                                         .include_lower = with_from,
                                                         .include_upper = with_to});
}

QueryText match(std::string_view field, std::string_view text, api::MatchQuery more) {
  more.field_name = field;
  more.text = text;
  return query_of(api::QueryType::match, more);
}

QueryText nested(std::string_view path, const QueryText& inner) {
  return query_of(api::QueryType::nested, api::NestedQuery{.path = path, .query = inner.message()});
}

QueryText junction(const Junction& parts) {
  return query_of(api::QueryType::bool_, api::BoolQuery{.must_queries = messages_of(parts.must),
                                                        .must_not_queries = messages_of(parts.must_not),
                                                        .filter_queries = messages_of(parts.filter),
                                                        .should_queries = messages_of(parts.should),
                                                        .minimum_should_match = parts.least});
}

std::string schema_of(const std::vector<FieldText>& fields) {
  api::IndexSchema schema;
  std::vector<std::vector<std::string>> held(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    schema.field_schemas.push_back(field_message(fields[i], held[i]));
  return codec::encode_message(schema);
}

std::string sort_by(std::string_view field, api::SortOrder order, std::optional<Value> missing) {
  const std::string value = missing ? variant(*missing) : std::string();
  api::FieldSort sort{.field_name = field, .order = order};
  if (missing) sort.missing_value = value;
  return codec::encode_message(api::Sort{.sorter = {api::Sorter{.field_sort = sort}}});
}

Searched::Searched(const std::vector<FieldText>& fields, std::string_view index_sort) {
  std::string schema = schema_of(fields);
  constexpr std::uint32_t index_sort_number = 3;
  if (!index_sort.empty()) codec::FieldWriter(schema).put(index_sort_number, index_sort);
  api::CreateSearchIndexRequest request{.table_name = "T", .index_name = "I", .schema = schema};
  server_.ok<api::CreateSearchIndexResponse>("CreateSearchIndex", request);
}

Reply Searched::send(const QueryText& query, const SearchMore& more) {
  api::SearchQuery search{.offset = more.offset, .limit = more.limit, .query = query.message()};
  if (!more.sort.empty()) search.sort = more.sort;
  if (!more.token.empty()) search.token = more.token;
  if (!more.collapse.empty()) search.collapse = api::Collapse{more.collapse};
  if (!more.aggregations.empty()) search.aggs = codec::decode_message<api::Aggregations>(more.aggregations);
  if (!more.groupings.empty()) search.group_bys = codec::decode_message<api::GroupBys>(more.groupings);
  if (more.filter) search.filter = api::SearchFilter{more.filter->message()};
  search.highlight = more.highlight;
  search.track_total_count = more.track_total_count;
  search.get_total_count = more.get_total_count;
  const std::string body = codec::encode_message(search);
  api::SearchRequest request{.table_name = "T", .index_name = "I", .search_query = body};
  request.columns_to_get = api::ColumnsToGet{more.columns, more.names};
  return server_.call("Search", request);
}

std::optional<api::SearchResponse> Searched::response(const QueryText& query, const SearchMore& more) {
  const Reply reply = send(query, more);
  INFO(reply.refusal());
  REQUIRE(reply.status == 200);
  return codec::decode_message<api::SearchResponse>(reply.body);
}

std::string Searched::find(const QueryText& query, const SearchMore& more) {
  const Reply reply = send(query, more);
  if (reply.status != 200) return reply.refusal();
  const auto response = codec::decode_message<api::SearchResponse>(reply.body);
  REQUIRE(response);
  std::string found;
  for (const std::string& row : response->rows) {
    const auto read = plainbuffer::decode_row(row);
    REQUIRE(read);
    found += (found.empty() ? "" : " ") + std::to_string(read->key.front().value.as_integer());
  }
  return found;
}

std::string Searched::refusal(const QueryText& query, const SearchMore& more) {
  return send(query, more).refusal();
}

}  // namespace dinette::tablestore::test
