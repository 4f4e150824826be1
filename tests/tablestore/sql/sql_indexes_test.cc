#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"
#include "tablestore/sql/mapped.h"

// tablestore/sql.md sections 2, 3 and 7.
namespace dinette::tablestore::sql_indexes_test {

using namespace test;

/// A table `T` with a mapping, the secondary index `by_age` and the search index `I`, each with a mapping.
class Indexed : public Mapped {
 public:
  Indexed() {
    server.ok<api::AddDefinedColumnResponse>(
        "AddDefinedColumn",
        api::AddDefinedColumnRequest{.table_name = "T",
                                     .columns = {{.name = "age", .type = api::DefinedColumnType::integer},
                                                 {.name = "name", .type = api::DefinedColumnType::string}}});
    server.ok<api::CreateIndexResponse>(
        "CreateIndex",
        api::CreateIndexRequest{.main_table_name = "T",
                                .index_meta = {.name = "by_age",
                                               .primary_key = {"age"},
                                               .defined_column = {"name"},
                                               .index_update_mode = api::IndexUpdateMode::async_index,
                                               .index_type = api::IndexType::global_index}});
    for (int gid = 1; gid <= 4; ++gid) table.erase(key(gid, "a"));
    fill(1, 30, "the quick brown fox", "[1, 5]", R"([{"k": "a", "n": 1}, {"k": "b", "n": 2}])");
    fill(2, 20, "the brown quick dog", "[7]", R"([{"k": "a", "n": 2}])");
    fill(3, 10, "a lazy cat", "[]", "[]");
    const std::string schema =
        schema_of({{.name = "gid", .type = api::FieldType::long_},
                   {.name = "age", .type = api::FieldType::long_},
                   {.name = "name", .type = api::FieldType::text},
                   {.name = "name_word", .type = api::FieldType::keyword, .source = "name"},
                   {.name = "list", .type = api::FieldType::long_, .is_array = true},
                   {.name = "inside",
                    .type = api::FieldType::nested,
                    .inner = {{.name = "k", .type = api::FieldType::keyword},
                              {.name = "n", .type = api::FieldType::long_}}}});
    server.ok<api::CreateSearchIndexResponse>(
        "CreateSearchIndex",
        api::CreateSearchIndexRequest{.table_name = "T", .index_name = "I", .schema = schema});
  }

  void fill(std::int64_t gid, std::int64_t age, std::string_view name, std::string_view list,
            std::string_view inside) {
    table.put(key(gid, "a"), {{.name = "age", .value = Value::integer(age)},
                              {.name = "name", .value = Value::string(name)},
                              {.name = "list", .value = Value::string(list)},
                              {.name = "inside", .value = Value::string(inside)}});
  }
  std::string map_search(std::string_view columns =
                             "gid bigint, age bigint, name mediumtext, list mediumtext, inside mediumtext") {
    return run("create table S (" + std::string(columns) +
               ") ENGINE='searchindex' ENGINE_ATTRIBUTE='{\"index_name\":\"I\", \"table_name\":\"T\"}'");
  }
  /// Returns the `gid` of the rows of the search index that meet a condition: " | 1 | 2".
  std::string found(const std::string& condition) {
    const std::string rows = run("select gid from S where " + condition + " order by gid");
    return rows.starts_with("gid:1") ? rows.substr(5) : rows;
  }
};

TEST_CASE_METHOD(Indexed, "a secondary index is mapped by its name") {
  const std::string columns = "age bigint, gid bigint, uid varchar(1024), name mediumtext, ";
  CHECK(run("create table by_age (" + columns + "primary key(age, gid, uid))") == "ok");
  CHECK(run("show tables") == "Tables_in_inst:4 | T | by_age");
  CHECK(run("select * from by_age") ==
        "age:1,gid:1,uid:4,name:4 | 10 3 a a lazy cat | 20 2 a the brown quick dog "
        "| 30 1 a the quick brown fox");
  CHECK(run("describe by_age")
            .starts_with("Field:4,Type:4,Null:4,Key:4,Default:4,Extra:4 | age bigint(20) NO PRI"));
  CHECK(response("select age from by_age").consumes.at(0).table_name == "by_age");
  CHECK(run("insert into by_age values (1, 1, 'a', 'x')") ==
        "OTSUnsupportOperation: Operation not supported");
  CHECK(run("create table by_age (" + columns + "primary key(age, gid, uid))") ==
        "OTSParameterInvalid: Table 'inst.by_age' already exists");
  CHECK(run("alter table by_age drop column name") == "ok");
  CHECK(run("select * from by_age limit 1") == "age:1,gid:1,uid:4 | 10 3 a");
  CHECK(run("alter table by_age add column grade double") == "OTSParameterInvalid: Unknown column 'grade'");
  CHECK(run("drop mapping table by_age") == "ok");
  CHECK(run("select * from by_age") == "OTSParameterInvalid: Unknown mapping table 'inst.by_age'");
  CHECK(run("create table by_age (age bigint primary key)") ==
        "OTSParameterInvalid: The primary key of the mapping table does not fit that of the table: 'gid'");
  CHECK(run("create table by_age (" + columns + "grade double, primary key(age, gid, uid))") ==
        "OTSParameterInvalid: Unknown column 'grade'");
}

TEST_CASE_METHOD(Indexed, "a mapping goes with its index") {
  REQUIRE(run("create table by_age (age bigint, gid bigint, uid varchar(9), primary key(age, gid, uid))") ==
          "ok");
  REQUIRE(map_search() == "ok");
  server.ok<api::DropIndexResponse>("DropIndex",
                                    api::DropIndexRequest{.main_table_name = "T", .index_name = "by_age"});
  server.ok<api::DeleteSearchIndexResponse>(
      "DeleteSearchIndex", api::DeleteSearchIndexRequest{.table_name = "T", .index_name = "I"});
  CHECK(run("show tables") == "Tables_in_inst:4 | T");
  CHECK(run("select * from S") == "OTSParameterInvalid: Unknown mapping table 'inst.S'");
  CHECK(run("drop mapping table if exists S, by_age, T") == "ok");
  CHECK(run("show tables") == "Tables_in_inst:4");
}

TEST_CASE_METHOD(Indexed, "a search index is mapped by any name") {
  CHECK(map_search() == "ok");
  CHECK(run("show tables") == "Tables_in_inst:4 | S | T");
  CHECK(run("select gid, AGE, list from S") == "gid:1,AGE:1,list:4 | 1 30 [1, 5] | 2 20 [7] | 3 10 []");
  CHECK(run("desc S").find("name mediumtext YES") != std::string::npos);
  CHECK(map_search() == "OTSParameterInvalid: Table 'inst.S' already exists");
  CHECK(run("alter table S add column name_word mediumtext") == "ok");
  CHECK(run("select name_word from S where gid = 3") == "name_word:4 | a lazy cat");
  CHECK(run("drop mapping table S") == "ok");
  CHECK(map_search("none bigint") == "OTSParameterInvalid: Unknown column 'none'");
  CHECK(map_search("age double") == "OTSParameterInvalid: Incorrect value for column 'age'");
  CHECK(run("create table S (gid bigint) ENGINE='searchindex', "
            "ENGINE_ATTRIBUTE='{\"index_name\":\"J\", \"table_name\":\"T\"}'")
            .starts_with("OTS"));
  CHECK(run("create table S (gid bigint) ENGINE='searchindex', ENGINE_ATTRIBUTE='{}'") ==
        "OTSParameterInvalid: The ENGINE_ATTRIBUTE of a search index names index_name and table_name");
}

TEST_CASE_METHOD(Indexed, "words of texts are looked for") {
  map_search();
  CHECK(found("text_match(name, 'quick cat')") == " | 1 | 2 | 3");
  CHECK(found("TEXT_MATCH(name, 'quick fox', 'and')") == " | 1");
  CHECK(found("text_match(name, 'quick brown fox', 'or', '2')") == " | 1 | 2");
  CHECK(found("text_match_phrase(name, 'quick brown')") == " | 1");
  CHECK(found("not text_match(name, 'quick') and age < 20") == " | 3");
  CHECK(run("select text_match(name, 'fox') as f from S where gid = 1") == "f:2 | true");
  CHECK(found("text_match(name)") ==
        "OTSParameterInvalid: Incorrect parameter count in the call to function 'text_match'");
  CHECK(found("text_match(none, 'x')") == "OTSParameterInvalid: Unknown column 'none'");
  CHECK(found("text_match(name, age)") == "OTSParameterInvalid: Incorrect condition of a search index");
  // A mapping of the table has its search index.
  CHECK(run("select gid from T where text_match(name, 'fox')") == "gid:1 | 1");
}

TEST_CASE_METHOD(Indexed, "elements of arrays are compared") {
  map_search();
  CHECK(found("array_extract(list) = 5") == " | 1");
  CHECK(found("array_extract(list) > 4") == " | 1 | 2");
  CHECK(found("array_extract(list) in (1, 7)") == " | 1 | 2");
  CHECK(found("array_extract(list) between 6 and 8") == " | 2");
  CHECK(found("array_extract(list) is null") == " | 3");
  CHECK(found("array_extract(list) < unix_timestamp()") == " | 1 | 2");
  CHECK(found("array_extract(list) = (select 5)") ==
        "OTSParameterInvalid: Incorrect condition of a search index");
  CHECK(found("array_extract(list)") == "OTSParameterInvalid: Incorrect condition of a search index");
}

TEST_CASE_METHOD(Indexed, "conditions of a nested query are about one object") {
  map_search();
  CHECK(found("nested_query(`inside.k` = 'a' and `inside.n` = 2)") == " | 2");
  CHECK(found("nested_query(inside.k = 'b' or inside.n = 2)") == " | 1 | 2");
  CHECK(found("nested_query(`inside.k` = 'a') and nested_query(`inside.n` = 2)") == " | 1 | 2");
  CHECK(found("nested_query(not `inside.k` = 'a')") == " | 1");
  CHECK(found("nested_query(age = 1)") == "OTSParameterInvalid: Incorrect condition of a search index");
}

TEST_CASE_METHOD(Indexed, "search functions need a search index") {
  server.ok<api::DeleteSearchIndexResponse>(
      "DeleteSearchIndex", api::DeleteSearchIndexRequest{.table_name = "T", .index_name = "I"});
  CHECK(run("select gid from T where text_match(name, 'fox')") ==
        "OTSParameterInvalid: Column 'name' is in no search index");
}

TEST_CASE_METHOD(Indexed, "statements name indexes, which makes no difference") {
  CHECK(run("select gid from T use index (I)") == "gid:1 | 1 | 2 | 3");
  CHECK(run("select gid from T use index ()") == "gid:1 | 1 | 2 | 3");
  CHECK(run("select gid from T x force index (by_age, primary) where gid = 1") == "gid:1 | 1");
  CHECK(run("select gid from T use index (none)") ==
        "OTSParameterInvalid: Key 'none' doesn't exist in table 'T'");
  CHECK(run("select /*+ anything */ gid from T limit 1") == "gid:1 | 1");
}

TEST_CASE_METHOD(Indexed, "SHOW INDEX has a row per column") {
  const std::string columns =
      "Table:4,Non_unique:1,Key_name:4,Seq_in_index:1,Column_name:4,Is_defined_column:4,Search_type:4,"
      "Collation:4,Cardinality:1,Sub_part:1,Packed:4,Null:4,Index_type:4,Comment:4,Index_comment:4,Visible:4,"
      "Expression:4";
  const std::string end = "   YES NULL";
  const std::string all = run("show index in T");
  CHECK(all.starts_with(columns + " | T 0 PRIMARY 1 gid NULL  A 0 NULL NULL     YES NULL"));
  CHECK(all.find(" | T 1 by_age 1 age YES  A 0 NULL NULL YES GlobalIndex" + end) != std::string::npos);
  CHECK(all.find(" | T 1 by_age 4 name YES  A 0 NULL NULL YES GlobalIndex" + end) != std::string::npos);
  CHECK(all.find(" | T 1 I 1 gid NO LONG A 0 NULL NULL YES SearchIndex" + end) != std::string::npos);
  map_search();
  const std::string one = run("SHOW KEYS FROM S");
  CHECK(one.starts_with(columns + " | S 1 I 1 gid NO LONG A"));
  CHECK(one.find("by_age") == std::string::npos);
}

}  // namespace dinette::tablestore::sql_indexes_test
