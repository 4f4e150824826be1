#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"
#include "tablestore/tables/table_schema.h"

// tablestore/search-index.md sections 1 and 2, tablestore/tables.md section 4.
namespace dinette::tablestore::search_index_test {

using namespace test;
using api::FieldType::keyword;
using api::FieldType::long_;

constexpr std::string_view no_index = "OTSMetaNotMatch: search index [J] does not exist";

std::vector<std::string> listed(Server& server, std::optional<std::string_view> table) {
  std::vector<std::string> names;
  const auto response = server.ok<api::ListSearchIndexResponse>(
      "ListSearchIndex", api::ListSearchIndexRequest{.table_name = table});
  for (const auto& index : response.indices)
    names.push_back(index.table_name.value() + "." + index.index_name.value());
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("an instance without search indexes lists none") {
  Server server;
  server.create("T");
  CHECK(listed(server, {}).empty());
  CHECK(listed(server, "T").empty());
  CHECK(listed(server, "none").empty());
}

TEST_CASE("search indexes are created, listed, described and deleted") {
  Searched rows({{"n", long_}});
  Server& server = rows.server();
  server.create("U");
  CHECK(listed(server, {}) == Names{"T.I"});
  CHECK(listed(server, "U").empty());
  const api::DescribeSearchIndexRequest request{.table_name = "T", .index_name = "I"};
  const auto described = server.ok<api::DescribeSearchIndexResponse>("DescribeSearchIndex", request);
  CHECK(described.schema == schema_of({{"n", long_}}));
  CHECK(described.sync_stat->sync_phase == api::SyncPhase::incr);
  const auto now = std::chrono::nanoseconds(server.clock().now().time_since_epoch()).count();
  CHECK(described.sync_stat->current_sync_timestamp == now);
  CHECK(described.time_to_live == -1);
  CHECK(described.index_status->status == api::SearchIndexStatus::running);
  CHECK(described.metering_info->row_count == 0);
  CHECK(server.refusal("DescribeSearchIndex",
                       api::DescribeSearchIndexRequest{.table_name = "T", .index_name = "J"}) == no_index);
  server.ok<api::DeleteSearchIndexResponse>(
      "DeleteSearchIndex", api::DeleteSearchIndexRequest{.table_name = "T", .index_name = "I"});
  CHECK(listed(server, {}).empty());
  CHECK(rows.refusal(everything()) == "OTSMetaNotMatch: search index [I] does not exist");
  CHECK(server.refusal("DeleteSearchIndex",
                       api::DeleteSearchIndexRequest{.table_name = "none", .index_name = "I"}) ==
        "OTSParameterInvalid: table [none] does not exist");
}

TEST_CASE("a table with a search index is not deleted, and has a time to live that the index allows") {
  Searched rows({{"n", long_}});
  Server& server = rows.server();
  CHECK(server.refusal("DeleteTable", api::DeleteTableRequest{.table_name = "T"}) ==
        "OTSParameterInvalid: Table[T] who has at least one search index cannot be deleted");
  const auto update = [&](api::TableOptions options) {
    return server.refusal("UpdateTable",
                          api::UpdateTableRequest{.table_name = "T", .table_options = options});
  };
  CHECK(update({.time_to_live = 86'400}) == "OTSParameterInvalid: operation is denied as table TTL exists.");
  CHECK(update({.time_to_live = 86'400, .allow_update = false}) ==
        "OTSParameterInvalid: [table ttl] must be bigger than or equal search index ttl, but table ttl is "
        "86400 "
        "and search index ttl is [I:-1]");
  CHECK(update({.max_versions = 2}) ==
        "OTSParameterInvalid: max versions must be 1 in a table with search indexes");
  const auto expire = [&](std::int32_t seconds) {
    return server.refusal(
        "UpdateSearchIndex",
        api::UpdateSearchIndexRequest{.table_name = "T", .index_name = "I", .time_to_live = seconds});
  };
  CHECK(expire(86'400) ==
        "OTSParameterInvalid: a search index has no time to live while its table allows updates");
  CHECK(update({.allow_update = false}) == "200");
  for (const std::int32_t invalid : {0, -2})
    CHECK(expire(invalid) ==
          "OTSParameterInvalid: the time to live of a search index must be -1 or positive");
  CHECK(expire(86'400) == "200");
  CHECK(update({.time_to_live = 86'400, .allow_update = false}) == "200");
}

TEST_CASE("a table of several versions gets no search index") {
  Server server;
  server.create("T");
  const api::UpdateTableRequest update{.table_name = "T",
                                       .table_options = api::TableOptions{.max_versions = 2}};
  server.ok<api::UpdateTableResponse>("UpdateTable", update);
  const std::string schema = schema_of({{"n", long_}});
  CHECK(
      server.refusal("CreateSearchIndex",
                     api::CreateSearchIndexRequest{.table_name = "T", .index_name = "I", .schema = schema}) ==
      "OTSParameterInvalid: max versions must be 1 in a table with search indexes");
}

TEST_CASE("an index gets more fields, and changes its name with another one") {
  Searched rows({{"n", long_}});
  Server& server = rows.server();
  rows.put(1, {{.name = "n", .value = Value::integer(1)}, {.name = "m", .value = Value::integer(2)}});
  CHECK(rows.find(term("m", Value::integer(2))).starts_with("OTSParameterInvalid"));
  const std::string added = codec::encode_message(api::FieldSchema{.field_name = "m", .field_type = long_});
  server.ok<api::UpdateSearchIndexResponse>(
      "UpdateSearchIndex",
      api::UpdateSearchIndexRequest{.table_name = "T", .index_name = "I", .added_field_schemas = {added}});
  CHECK(rows.find(term("m", Value::integer(2))) == "1");
  CHECK(server.refusal("UpdateSearchIndex",
                       api::UpdateSearchIndexRequest{
                           .table_name = "T", .index_name = "I", .added_field_schemas = {added}}) ==
        "OTSParameterInvalid: field_name:m is there twice");
  const std::string schema = schema_of({{"n", keyword}});
  server.ok<api::CreateSearchIndexResponse>(
      "CreateSearchIndex",
      api::CreateSearchIndexRequest{
          .table_name = "T", .index_name = "J", .schema = schema, .source_index_name = "I"});
  server.ok<api::UpdateSearchIndexResponse>(
      "UpdateSearchIndex",
      api::UpdateSearchIndexRequest{.table_name = "T", .index_name = "I", .switch_index_name = "J"});
  const auto described = server.ok<api::DescribeSearchIndexResponse>(
      "DescribeSearchIndex", api::DescribeSearchIndexRequest{.table_name = "T", .index_name = "I"});
  CHECK(described.schema == schema);
  CHECK(described.brother_index_name == "J");
  CHECK_FALSE(
      server
          .ok<api::DescribeSearchIndexResponse>(
              "DescribeSearchIndex", api::DescribeSearchIndexRequest{.table_name = "T", .index_name = "J"})
          .brother_index_name);
}

TEST_CASE("weights of queries are kept and described until the indexes exchange their names") {
  Searched rows({{"n", long_}});
  Server& server = rows.server();
  const std::string schema = schema_of({{"n", long_}});
  const auto create = [&](std::string_view name) {
    server.ok<api::CreateSearchIndexResponse>(
        "CreateSearchIndex",
        api::CreateSearchIndexRequest{.table_name = "T", .index_name = name, .schema = schema});
  };
  create("J");
  using Weights = std::vector<api::QueryFlowWeight>;
  const auto weigh = [&](const Weights& weights) {
    return server.refusal(
        "UpdateSearchIndex",
        api::UpdateSearchIndexRequest{.table_name = "T", .index_name = "I", .query_flow_weight = weights});
  };
  const auto described = [&](std::string_view name) {
    std::string text;
    for (const auto& one : server
                               .ok<api::DescribeSearchIndexResponse>(
                                   "DescribeSearchIndex",
                                   api::DescribeSearchIndexRequest{.table_name = "T", .index_name = name})
                               .query_flow_weight)
      text += one.index_name.value() + "=" + std::to_string(one.weight.value()) + " ";
    return text;
  };
  CHECK(described("I").empty());
  CHECK(weigh({{"I", 80}, {"J", 20}}) == "200");
  CHECK(described("I") == "I=80 J=20 ");
  CHECK(described("J").empty());
  CHECK(weigh({{"I", 0}, {"J", 100}}) == "200");
  CHECK(described("I") == "I=0 J=100 ");
  CHECK(weigh({{"I", 100}}) == "OTSParameterInvalid: [query_flow_weight] must be of two search indexes");
  const std::string wrong =
      "OTSParameterInvalid: [query_flow_weight.weight] must not be negative, and the sum must be 100";
  CHECK(weigh({{"I", 80}, {"J", 30}}) == wrong);
  CHECK(weigh({{"I", -1}, {"J", 101}}) == wrong);
  CHECK(weigh({{"I", 80}, {"none", 20}}) == "OTSMetaNotMatch: search index [none] does not exist");
  CHECK(described("I") == "I=0 J=100 ");
  server.ok<api::UpdateSearchIndexResponse>(
      "UpdateSearchIndex",
      api::UpdateSearchIndexRequest{.table_name = "T", .index_name = "I", .switch_index_name = "J"});
  CHECK((described("I") + described("J")).empty());
  CHECK(weigh({{"I", 50}, {"J", 50}}) == "200");
  server.ok<api::DeleteSearchIndexResponse>(
      "DeleteSearchIndex", api::DeleteSearchIndexRequest{.table_name = "T", .index_name = "J"});
  CHECK(described("I").empty());
}

TEST_CASE("weights of queries are stored with a table, also of one that was stored without them") {
  const auto read = [](const TableMeta& meta) {
    const auto schema = TableSchema::decode(encode_table(meta));
    REQUIRE(schema);
    return static_cast<const TableSchema&>(*schema).meta();
  };
  TableMeta meta;
  meta.name = "T";
  meta.key = {{.name = "gid", .type = ValueType::integer}};
  meta.search_indexes.resize(2);
  const std::string before = encode_table(meta);
  CHECK(read(meta) == meta);
  meta.search_indexes[0].query_weights = {{"I", 80}, {"J", 20}};
  CHECK(read(meta) == meta);
  meta.sql_mappings.resize(1);
  CHECK(read(meta) == meta);
  meta.sql_mappings.clear();
  meta.search_indexes[0].query_weights.clear();
  CHECK(encode_table(meta) == before);
}

TEST_CASE("a schema is checked") {
  Server server;
  server.create("T");
  const auto create = [&](const std::vector<FieldText>& fields, std::string_view name = "I") {
    const std::string schema = schema_of(fields);
    return server.refusal("CreateSearchIndex", api::CreateSearchIndexRequest{
                                                   .table_name = "T", .index_name = name, .schema = schema});
  };
  CHECK(create({}) == "OTSParameterInvalid: [schema.field_schemas] must not be empty");
  CHECK(create({{"a"}, {"a"}}) == "OTSParameterInvalid: field_name:a is there twice");
  CHECK(create({{""}}) == "OTSParameterInvalid: a field of a search index must have a name and a type");
  const auto fuzzy = [&](std::int32_t least, std::int32_t most) {
    FieldText text{.name = "t", .type = api::FieldType::text, .analyzer = "fuzzy"};
    text.analyzer_parameter =
        codec::encode_message(api::FuzzyAnalyzerParameter{.min_chars = least, .max_chars = most});
    return create({text}, "fuzzy");
  };
  const std::string invalid = "OTSParameterInvalid: field_name:t has an invalid analyzer parameter";
  CHECK(fuzzy(0, 1) == invalid);
  CHECK(fuzzy(3, 2) == invalid);
  CHECK(fuzzy(1, 101) == invalid);
  CHECK(fuzzy(1, 100) == "200");
  FieldText deep{"f"};
  for (int i = 0; i < 5; ++i) deep = {"f", api::FieldType::nested, false, {deep}};
  CHECK(create({deep}, "deepest") == "200");
  deep = {"f", api::FieldType::nested, false, {deep}};
  CHECK(create({deep}) == "OTSParameterInvalid: fields of a search index may be inside each other 5 times");
  std::vector<FieldText> many;
  for (int i = 0; i < 1000; ++i) many.push_back({"a" + std::to_string(i)});
  CHECK(create(many, "largest") == "200");
  many.push_back({"b"});
  CHECK(create(many) ==
        "OTSParameterInvalid: the number of fields of a search index exceeds the limit: 1000");
  CHECK(create({{"a"}}, "#") == "OTSParameterInvalid: Invalid table name: '#'.");
  CHECK(create({{"a"}}) == "200");
  CHECK(create({{"a"}}) == "OTSObjectAlreadyExist: search index [I] already exists");
}

/// Returns the rows of all pages of a scan, or the error.
std::string scan(Server& server, api::ScanQuery query, std::string_view session = {}) {
  std::string all;
  std::string token;
  for (;;) {
    if (!token.empty()) query.token = token;
    const std::string body = codec::encode_message(query);
    api::ParallelScanRequest request{.table_name = "T", .index_name = "I", .scan_query = body};
    if (!session.empty()) request.session_id = session;
    const Reply reply = server.call("ParallelScan", request);
    if (reply.status != 200) return reply.refusal();
    const auto page = codec::decode_message<api::ParallelScanResponse>(reply.body).value();
    all += "[";
    for (const std::string& row : page.rows) all += text_of_rows(row) + ";";
    all += "]";
    if (!page.next_token) return all;
    token = *page.next_token;
  }
}

TEST_CASE("a scan returns all rows that a query finds, page by page") {
  Searched rows({{"n", long_}});
  Server& server = rows.server();
  for (std::int64_t i = 1; i <= 5; ++i) rows.put(i, {{.name = "n", .value = Value::integer(i % 2)}});
  CHECK(scan(server, {.limit = 2}) == "[1,a;2,a;][3,a;4,a;][5,a;]");
  const QueryText odd = term("n", Value::integer(1));
  CHECK(scan(server, {.query = odd.message(), .limit = 2}) == "[1,a;3,a;][5,a;]");
  const auto splits = server.ok<api::ComputeSplitsResponse>(
      "ComputeSplits",
      api::ComputeSplitsRequest{.table_name = "T",
                                .search_index_splits_options = api::SearchIndexSplitsOptions{"I"}});
  CHECK(splits.splits_size == 1);
  const std::string session = splits.session_id.value();
  CHECK(scan(server, {.limit = 5, .current_parallel_id = 0, .max_parallel = 1}, session) ==
        "[1,a;2,a;3,a;4,a;5,a;]");
  CHECK(scan(server, {}, "none").starts_with("OTSSessionExpired: ScanQuery'session is expired"));
  server.advance(std::chrono::seconds(61));
  CHECK(scan(server, {}, session) ==
        "OTSSessionExpired: ScanQuery'session is expired, please retry ComputeSplitsRequest and ScanQuery.");
}

TEST_CASE("a scan has one part, and reads what the index has") {
  Searched rows({{"n", long_}});
  Server& server = rows.server();
  CHECK(scan(server, {.max_parallel = 2}) ==
        "OTSParameterInvalid: [parallel_scan.max_parallel_id] must in (0 ,1], current max_parallel_id is 2");
  CHECK(scan(server, {.current_parallel_id = 101, .max_parallel = 1}) ==
        "OTSParameterInvalid: [parallel_scan.current_parallel_id] must in [0, max_parallel), "
        "current max_parallel is 1, current_parallel_id is 101");
  const std::string all = codec::encode_message(api::ScanQuery{.limit = 1});
  const auto columns = [&](api::ColumnReturnType type) {
    api::ParallelScanRequest request{.table_name = "T", .index_name = "I", .scan_query = all};
    request.columns_to_get = api::ColumnsToGet{type};
    return server.refusal("ParallelScan", request);
  };
  CHECK(columns(api::ColumnReturnType::all_from_index) == "200");
  CHECK(columns(api::ColumnReturnType::all) ==
        "OTSParameterInvalid: [parallel_scan.columns_to_get] must not be all columns of the table");
  CHECK(server.refusal("ComputeSplits", api::ComputeSplitsRequest{.table_name = "T"}) ==
        "OTSParameterInvalid: [search index splits options] must not be null");
  CHECK(server.refusal("ComputeSplits", api::ComputeSplitsRequest{.table_name = "T",
                                                                  .search_index_splits_options =
                                                                      api::SearchIndexSplitsOptions{"J"}}) ==
        no_index);
}

}  // namespace dinette::tablestore::search_index_test
