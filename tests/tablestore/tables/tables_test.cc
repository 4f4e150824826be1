#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/table.h"

// tablestore/tables.md sections 1 to 7, tablestore/names-limits.md sections 1 and 2.
namespace dinette::tablestore::tables_test {

using test::Server;
using test::table_of;

using KeyColumns = std::vector<api::PrimaryKeySchema>;

api::PrimaryKeySchema column(std::string name, api::PrimaryKeyType type = api::PrimaryKeyType::string) {
  return {.name = std::move(name), .type = type};
}

api::PrimaryKeySchema automatic(std::string name, api::PrimaryKeyType type = api::PrimaryKeyType::integer) {
  return {.name = std::move(name), .type = type, .option = api::PrimaryKeyOption::auto_increment};
}

api::DescribeTableResponse describe(Server& server, std::string_view table) {
  return server.ok<api::DescribeTableResponse>("DescribeTable",
                                               api::DescribeTableRequest{.table_name = table});
}

std::vector<std::string> list(Server& server) {
  return server.ok<api::ListTableResponse>("ListTable", api::ListTableRequest()).table_names;
}

/// Returns what CreateTable says of a table that is changed so.
std::string refused(const std::function<void(api::CreateTableRequest&)>& change) {
  Server server;
  api::CreateTableRequest request = table_of("T");
  change(request);
  return server.refusal("CreateTable", request);
}

std::string refused_key(KeyColumns key) {
  return refused([&](auto& request) { request.table_meta.primary_key = std::move(key); });
}

std::string refused_options(std::optional<api::TableOptions> options) {
  return refused([&](auto& request) { request.table_options = options; });
}

TEST_CASE("a table is described as it was created") {
  Server server;
  api::CreateTableRequest request = table_of("T1");
  request.table_meta.primary_key = {column("b", api::PrimaryKeyType::binary), automatic("n"), column("a")};
  request.table_meta.defined_column = {{.name = "z", .type = api::DefinedColumnType::double_},
                                       {.name = "y", .type = api::DefinedColumnType::boolean},
                                       {.name = "x", .type = api::DefinedColumnType::blob}};
  request.reserved_throughput.capacity_unit = {.read = 2, .write = 1};
  request.table_options = api::TableOptions{
      .time_to_live = 86'400, .max_versions = 3, .deviation_cell_version_in_sec = 7, .allow_update = false};
  server.ok<api::CreateTableResponse>("CreateTable", request);

  const auto table = describe(server, "T1");
  CHECK(table.table_meta.table_name == "T1");
  REQUIRE(table.table_meta.primary_key.size() == 3);
  CHECK(table.table_meta.primary_key[0].type == api::PrimaryKeyType::binary);
  CHECK_FALSE(table.table_meta.primary_key[0].option);
  CHECK(table.table_meta.primary_key[1].option == api::PrimaryKeyOption::auto_increment);
  CHECK(table.table_meta.primary_key[2].name == "a");
  REQUIRE(table.table_meta.defined_column.size() == 3);
  CHECK(table.table_meta.defined_column[0].name == "z");
  CHECK(table.table_meta.defined_column[0].type == api::DefinedColumnType::double_);
  CHECK(table.table_meta.defined_column[2].type == api::DefinedColumnType::blob);
  CHECK(table.reserved_throughput_details.capacity_unit.read == 2);
  CHECK(table.reserved_throughput_details.capacity_unit.write == 1);
  CHECK(table.reserved_throughput_details.last_increase_time == 1'795'220'211);
  CHECK_FALSE(table.reserved_throughput_details.last_decrease_time);
  CHECK(table.table_options.time_to_live == 86'400);
  CHECK(table.table_options.max_versions == 3);
  CHECK(table.table_options.deviation_cell_version_in_sec == 7);
  CHECK(table.table_options.allow_update == false);
  CHECK(table.table_status == api::TableStatus::active);
  REQUIRE(table.stream_details);
  CHECK_FALSE(table.stream_details->enable_stream);
  CHECK_FALSE(table.sse_details);
  CHECK(table.shard_splits.empty());
  CHECK(table.creation_time == 1'795'220'211'000'000);
}

TEST_CASE("options that are not given have defaults") {
  Server server;
  server.create("T");
  const auto options = describe(server, "T").table_options;
  CHECK(options.deviation_cell_version_in_sec == 86'400);
  CHECK(options.allow_update == true);
  CHECK(options.update_full_row == false);
}

TEST_CASE("tables are listed by name") {
  Server server;
  CHECK(list(server).empty());
  for (const char* name : {"b", "A", "_c"}) server.create(name);
  CHECK(list(server) == std::vector<std::string>{"A", "_c", "b"});
}

TEST_CASE("a name is taken, whatever the key") {
  Server server;
  server.create("T");
  api::CreateTableRequest again = table_of("T");
  again.table_meta.primary_key = {column("other")};
  const auto reply = server.call("CreateTable", again);
  CHECK(reply.status == 409);
  CHECK(reply.refusal() == "OTSObjectAlreadyExist: Requested table already exists.");
  CHECK(describe(server, "T").table_meta.primary_key.size() == 2);
}

TEST_CASE("a deleted table is gone, and its name is free") {
  Server server;
  server.create("T");
  server.ok<api::DeleteTableResponse>("DeleteTable", api::DeleteTableRequest{.table_name = "T"});
  CHECK(list(server).empty());
  server.create("T", {column("other")});
  CHECK(describe(server, "T").table_meta.primary_key.size() == 1);
}

TEST_CASE("a table that is created again has none of the rows that it had") {
  Server server;
  test::Table table(server);
  CHECK(table.put(test::key(1, "a"), {{.name = "c", .value = Value::integer(1)}}) == "200");
  server.ok<api::DeleteTableResponse>("DeleteTable", api::DeleteTableRequest{.table_name = "T"});
  server.create("T");
  CHECK(table.range(test::least(), test::most()).empty());
}

/// A table `T` with the index `I` on its defined column `d`.
api::CreateTableRequest indexed_table() {
  api::CreateTableRequest request = table_of("T");
  request.table_meta.defined_column = {{.name = "d", .type = api::DefinedColumnType::integer}};
  request.index_metas = {{.name = "I", .primary_key = {"d"}}};
  return request;
}

TEST_CASE("an index is described as it was created, and as a table with its key") {
  // tablestore/indexes.md section 3, tablestore/tables.md section 4.
  Server server;
  api::CreateTableRequest request = indexed_table();
  for (const char* const name : {"e", "f"})
    request.table_meta.defined_column.push_back({.name = name, .type = api::DefinedColumnType::string});
  request.index_metas[0].defined_column = {"e"};
  request.stream_spec = api::StreamSpecification{.enable_stream = true, .expiration_time = 24};
  server.ok<api::CreateTableResponse>("CreateTable", request);
  const auto indexes = describe(server, "T").index_metas;
  REQUIRE(indexes.size() == 1);
  CHECK(indexes[0].name == "I");
  CHECK(indexes[0].primary_key == std::vector<std::string>{"d"});
  CHECK(indexes[0].index_update_mode == api::IndexUpdateMode::async_index);
  CHECK(indexes[0].index_type == api::IndexType::global_index);
  CHECK(indexes[0].index_sync_phase == api::IndexSyncPhase::incr);
  const auto table = describe(server, "I");
  REQUIRE(table.table_meta.defined_column.size() == 1);  // those that it has
  CHECK(table.table_meta.defined_column[0].name == "e");
  REQUIRE(table.stream_details);
  CHECK_FALSE(table.stream_details->enable_stream);
  CHECK(describe(server, "T").stream_details->enable_stream);
  const auto& columns = table.table_meta.primary_key;
  REQUIRE(columns.size() == 3);
  CHECK(columns[0].name == "d");
  CHECK(columns[0].type == api::PrimaryKeyType::integer);
  CHECK(columns[2].name == "uid");
  CHECK(server.refusal("CreateTable", table_of("I")) ==
        "OTSObjectAlreadyExist: Requested table already exists.");
}

TEST_CASE("indexes of a new table are checked, and count as tables") {
  // tablestore/indexes.md section 3, tablestore/names-limits.md section 2.
  const auto with_index = [](api::IndexMeta index) {
    api::CreateTableRequest request = indexed_table();
    request.index_metas = {std::move(index)};
    return request;
  };
  Server server;
  const std::string key_range =
      "OTSParameterInvalid: The number of primary key columns must be in range: [1, 4] in index.";
  CHECK(server.refusal("CreateTable", with_index({.name = "I"})) == key_range);
  CHECK(server.refusal("CreateTable", with_index({.name = "I", .primary_key = {"d", "d", "d", "d", "d"}})) ==
        key_range);
  CHECK(server.refusal("CreateTable", with_index({.name = "I",
                                                  .primary_key = {"d"},
                                                  .defined_column = std::vector<std::string>(33, "d")})) ==
        "OTSParameterInvalid: The number of attribute columns must be in range: [0, 32] in index.");
  api::CreateTableRequest many = indexed_table();
  many.index_metas.clear();
  for (int i = 0; i < 6; ++i)
    many.index_metas.push_back({.name = "I" + std::to_string(i), .primary_key = {"d"}});
  CHECK(server.refusal("CreateTable", many) ==
        "OTSParameterInvalid: Number of index per table exceeds the quota:5.");
  server.ok<api::CreateTableResponse>("CreateTable", indexed_table());
  for (int i = 2; i < 63; ++i) server.create("t" + std::to_string(i));
  const std::string full = "OTSQuotaExhausted: Number of tables exceeds the quota:64.";
  api::CreateTableRequest two_more = indexed_table();
  two_more.table_meta.table_name = "U";
  two_more.index_metas[0].name = "J";
  CHECK(server.refusal("CreateTable", two_more) == full);
  server.create("t63");
  CHECK(server.refusal("CreateTable", table_of("one_more")) == full);
  const api::CreateIndexRequest index{.main_table_name = "T",
                                      .index_meta = {.name = "J", .primary_key = {"d"}}};
  CHECK(server.refusal("CreateIndex", index) == full);
}

TEST_CASE("tables cannot be loaded and unloaded") {
  Server server;
  for (const char* const operation : {"LoadTable", "UnloadTable"})
    CHECK(
        server.refusal(operation, api::DeleteTableRequest{.table_name = "T"}).find("OTSUnsupportOperation") !=
        std::string::npos);
}

TEST_CASE("operations on tables say of a missing one that it does not exist") {
  Server server;
  const std::string gone = "OTSObjectNotExist: Requested table does not exist.";
  CHECK(server.refusal("DescribeTable", api::DescribeTableRequest{.table_name = "T"}) == gone);
  CHECK(server.refusal("DeleteTable", api::DeleteTableRequest{.table_name = "T"}) == gone);
  CHECK(server.refusal("UpdateTable", api::UpdateTableRequest{.table_name = "T"}) == gone);
  CHECK(server.refusal("DescribeTable", api::DescribeTableRequest{.table_name = "t#"}) ==
        "OTSParameterInvalid: Invalid table name: 't#'.");
  CHECK(server.refusal("DeleteTable", api::DeleteTableRequest{.table_name = ""}) ==
        "OTSParameterInvalid: Invalid table name: ''.");
}

TEST_CASE("a key has one to four columns, each once") {
  const std::string range =
      "OTSParameterInvalid: The number of primary key columns must be in range: [1, 4].";
  CHECK(refused_key({}) == range);
  CHECK(refused_key({column("a"), column("b"), column("c"), column("d"), column("e")}) == range);
  CHECK(refused_key(KeyColumns(1000, column("a"))) == range);
  CHECK(refused_key({column("a"), column("b"), column("c"), column("d")}) == "200");
  CHECK(refused_key({column("PK0"), column("PK1"), column("PK0")}) ==
        "OTSParameterInvalid: Duplicated primary key name: 'PK0'.");
  CHECK(refused_key({column("#a")}) == "OTSParameterInvalid: Invalid column name: '#a'.");
}

TEST_CASE("one column of a key may be numbered by the service, but not the first") {
  CHECK(refused_key({column("a"), automatic("b")}) == "200");
  CHECK(refused_key({automatic("a"), column("b")}) ==
        "OTSParameterInvalid: first primary key can't be AUTO_INCREMENT.");
  CHECK(refused_key({column("a"), automatic("b"), automatic("c")}) ==
        "OTSParameterInvalid: AUTO_INCREMENT primary key count must <= 1.");
  CHECK(refused_key({column("a"), automatic("b", api::PrimaryKeyType::string)}) ==
        "OTSParameterInvalid: AUTO_INCREMENT primary key must be integer.");
}

TEST_CASE("options of a new table are checked") {
  CHECK(refused_options(std::nullopt) ==
        "OTSParameterInvalid: Time-to-live is missing while creating table.");
  CHECK(refused_options(api::TableOptions{.time_to_live = -1}) ==
        "OTSParameterInvalid: MaxVersions is missing while creating table.");
  for (const int seconds : {0, -2}) {
    CHECK(refused_options(api::TableOptions{.time_to_live = seconds, .max_versions = 1}) ==
          "OTSParameterInvalid: TimeToLive cannot be 0 or less than -1.");
  }
  CHECK(refused_options(api::TableOptions{.time_to_live = 1, .max_versions = 1}) == "200");
  for (const int versions : {0, -1}) {
    CHECK(refused_options(api::TableOptions{.time_to_live = -1, .max_versions = versions}) ==
          "OTSParameterInvalid: The maximum versions cannot be less than or equal to 0.");
  }
  const auto with_deviation = [](std::int64_t seconds) {
    return refused_options(
        api::TableOptions{.time_to_live = -1, .max_versions = 1, .deviation_cell_version_in_sec = seconds});
  };
  const std::string range =
      "OTSParameterInvalid: The maximum deviation must be in range [0, INT64_MAX/1000000].";
  CHECK(with_deviation(-1) == range);
  CHECK(with_deviation(0) == "200");
  CHECK(with_deviation(9'223'372'036'854) == "200");
  CHECK(with_deviation(9'223'372'036'855) == range);
}

TEST_CASE("a new table says how many units it reserves") {
  const auto with_units = [](api::CapacityUnit units) {
    return refused([&](auto& request) { request.reserved_throughput.capacity_unit = units; });
  };
  const std::string both =
      "OTSParameterInvalid: Both read and write capacity unit are required to create table.";
  CHECK(with_units({.read = 1}) == both);
  CHECK(with_units({.write = 1}) == both);
  CHECK(with_units({.read = -1, .write = 1}) ==
        "OTSParameterInvalid: The value of read capacity unit can not be less than 0.");
  CHECK(with_units({.read = 1, .write = -1}) ==
        "OTSParameterInvalid: The value of write capacity unit can not be less then 0.");
}

TEST_CASE("of several errors the first in the service's order wins") {
  CHECK(refused([](auto& request) {
          request.table_meta.table_name = "0";
          request.table_meta.primary_key.clear();
        }) == "OTSParameterInvalid: Invalid table name: '0'.");
  CHECK(refused([](auto& request) {
          request.table_meta.primary_key.clear();
          request.table_options.reset();
        }) == "OTSParameterInvalid: The number of primary key columns must be in range: [1, 4].");
}

TEST_CASE("an instance has at most 64 tables") {
  Server server;
  for (int i = 0; i < 64; ++i) server.create("t" + std::to_string(i));
  const auto reply = server.call("CreateTable", table_of("one_more"));
  CHECK(reply.status == 403);
  CHECK(reply.refusal() == "OTSQuotaExhausted: Number of tables exceeds the quota:64.");
  CHECK(server.refusal("CreateTable", table_of("t0")) ==
        "OTSObjectAlreadyExist: Requested table already exists.");
}

TEST_CASE("points between the first partitions are described as keys") {
  Server server;
  api::CreateTableRequest request = table_of("T");
  std::vector<std::string> variants(4);
  plainbuffer::append_variant(variants[0], Value::inf_min());
  plainbuffer::append_variant(variants[1], Value::integer(10));
  plainbuffer::append_variant(variants[2], Value::integer(20));
  plainbuffer::append_variant(variants[3], Value::inf_max());
  for (std::size_t i = 0; i < 3; ++i)
    request.partitions.push_back({.begin = variants[i], .end = variants[i + 1]});
  server.ok<api::CreateTableResponse>("CreateTable", request);
  const auto splits = describe(server, "T").shard_splits;
  REQUIRE(splits.size() == 2);
  const auto point = plainbuffer::decode_row(splits[1]);
  REQUIRE(point);
  CHECK(point->key == PrimaryKey{{"gid", Value::integer(20)}});

  request.table_meta.table_name = "W";
  request.partitions.resize(10, {.begin = variants[1], .end = variants[2]});
  CHECK(server.refusal("CreateTable", request) == "200");
  request.table_meta.table_name = "U";
  request.partitions.resize(11, {.begin = variants[0], .end = variants[3]});
  CHECK(server.refusal("CreateTable", request) ==
        "OTSParameterInvalid: The count of partitions cannot be greater than 10");
}

TEST_CASE("encryption is kept and described, without effect") {
  Server server;
  api::CreateTableRequest request = table_of("T");
  request.sse_spec = api::SSESpecification{
      .enable = true, .key_type = api::SSEKeyType::byok, .key_id = "id", .role_arn = "role"};
  server.ok<api::CreateTableResponse>("CreateTable", request);
  const auto details = describe(server, "T").sse_details;
  REQUIRE(details);
  CHECK(details->enable);
  CHECK(details->key_type == api::SSEKeyType::byok);
  CHECK(details->key_id == "id");
  CHECK(details->role_arn == "role");
  request.table_meta.table_name = "U";
  request.sse_spec->role_arn.reset();
  CHECK(server.call("CreateTable", request).status == 400);
}

TEST_CASE("UpdateTable changes what it names, and answers with all") {
  Server server;
  api::CreateTableRequest request = table_of("T");
  request.reserved_throughput.capacity_unit = {.read = 10, .write = 20};
  server.ok<api::CreateTableResponse>("CreateTable", request);
  server.advance(std::chrono::seconds(60));
  api::UpdateTableRequest update{.table_name = "T"};
  update.reserved_throughput = api::ReservedThroughput{.capacity_unit = {.read = 100}};
  const auto raised = server.ok<api::UpdateTableResponse>("UpdateTable", update);
  CHECK(raised.reserved_throughput_details.capacity_unit.read == 100);
  CHECK(raised.reserved_throughput_details.capacity_unit.write == 20);
  CHECK(raised.reserved_throughput_details.last_increase_time == 1'795'220'271);
  CHECK_FALSE(raised.reserved_throughput_details.last_decrease_time);
  CHECK(raised.table_options.max_versions == 1);
  REQUIRE(raised.stream_details);

  server.advance(std::chrono::seconds(60));
  update.reserved_throughput->capacity_unit = {.write = 5};
  update.table_options = api::TableOptions{.max_versions = 9};
  const auto lowered = server.ok<api::UpdateTableResponse>("UpdateTable", update);
  CHECK(lowered.reserved_throughput_details.capacity_unit.write == 5);
  CHECK(lowered.reserved_throughput_details.last_increase_time == 1'795'220'271);
  CHECK(lowered.reserved_throughput_details.last_decrease_time == 1'795'220'331);
  CHECK(lowered.table_options.max_versions == 9);
  CHECK(lowered.table_options.time_to_live == -1);
  CHECK(describe(server, "T").table_options.max_versions == 9);

  api::UpdateTableRequest allow{.table_name = "T"};
  for (const bool allowed : {false, true}) {
    allow.table_options = api::TableOptions{.allow_update = allowed};
    CHECK(server.ok<api::UpdateTableResponse>("UpdateTable", allow).table_options.allow_update == allowed);
  }
}

TEST_CASE("UpdateTable refuses what it cannot change") {
  Server server;
  server.create("T");
  const auto refused_update = [&](const std::function<void(api::UpdateTableRequest&)>& change) {
    api::UpdateTableRequest update{.table_name = "T"};
    change(update);
    return server.refusal("UpdateTable", update);
  };
  const std::string nothing = "OTSParameterInvalid: No parameter is specified in table options.";
  CHECK(refused_update([](auto&) {}) == nothing);
  CHECK(refused_update([](auto& update) { update.table_options.emplace(); }) == nothing);
  CHECK(refused_update([](auto& update) {
          update.table_options = api::TableOptions{.max_versions = 2, .update_full_row = false};
        }) == "OTSParameterInvalid: TableOptions can not contain updateFullRow");
  CHECK(refused_update([](auto& update) { update.reserved_throughput.emplace(); }) ==
        "OTSParameterInvalid: Invalid Capacity Unit for UpdateTable: Either read(-1) or write(-1) should be "
        "non-negative.");
  CHECK(refused_update([](auto& update) { update.table_options = api::TableOptions{.time_to_live = 0}; }) ==
        "OTSParameterInvalid: TimeToLive cannot be 0 or less than -1.");
  CHECK(describe(server, "T").table_options.max_versions == 1);
}

TEST_CASE("defined columns are added and removed") {
  Server server;
  server.create("T");
  api::AddDefinedColumnRequest add{.table_name = "T"};
  add.columns = {{.name = "a", .type = api::DefinedColumnType::integer},
                 {.name = "b", .type = api::DefinedColumnType::string}};
  server.ok<api::AddDefinedColumnResponse>("AddDefinedColumn", add);
  CHECK(describe(server, "T").table_meta.defined_column.size() == 2);
  CHECK(server.refusal("AddDefinedColumn", add) ==
        "OTSParameterInvalid: Duplicated defined column name: 'a'.");
  add.columns = {{.name = "gid", .type = api::DefinedColumnType::integer}};
  CHECK(server.refusal("AddDefinedColumn", add) ==
        "OTSParameterInvalid: Duplicated attribute column name with primary key column: 'gid'.");
  api::DeleteDefinedColumnRequest remove{.table_name = "T", .columns = {"a"}};
  server.ok<api::DeleteDefinedColumnResponse>("DeleteDefinedColumn", remove);
  const auto left = describe(server, "T").table_meta.defined_column;
  REQUIRE(left.size() == 1);
  CHECK(left[0].name == "b");
  CHECK(server.refusal("DeleteDefinedColumn", remove) == "OTSParameterInvalid: Column does not exist:a.");
}

TEST_CASE("a table has at most 32 defined columns") {
  const auto with_columns = [](int count) {
    return refused([&](auto& request) {
      for (int i = 0; i < count; ++i)
        request.table_meta.defined_column.push_back(
            {.name = "c" + std::to_string(i), .type = api::DefinedColumnType::integer});
    });
  };
  CHECK(with_columns(32) == "200");
  // Those that are added later count too, and an index may have them all.
  Server server;
  server.create("T");
  std::vector<std::string> names;
  for (int i = 0; i < 33; ++i) names.push_back("c" + std::to_string(i));
  for (int i = 0; i < 33; ++i) {
    const api::AddDefinedColumnRequest add{
        .table_name = "T",
        .columns = {{.name = names[static_cast<std::size_t>(i)], .type = api::DefinedColumnType::integer}}};
    CHECK(server.refusal("AddDefinedColumn", add) ==
          (i < 32 ? "200" : "OTSParameterInvalid: The number of defined columns must be in range: [0, 32]."));
  }
  names.pop_back();
  const api::CreateIndexRequest index{
      .main_table_name = "T", .index_meta = {.name = "I", .primary_key = {"uid"}, .defined_column = names}};
  CHECK(server.refusal("CreateIndex", index) == "200");
  CHECK(with_columns(33) == "OTSParameterInvalid: The number of defined columns must be in range: [0, 32].");
}

}  // namespace dinette::tablestore::tables_test
