#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/sql/mapped.h"

// tablestore/sql.md sections 1 to 5.
namespace dinette::tablestore::sql_test {

using namespace test;

TEST_CASE_METHOD(Mapped, "SQL sees tables with a mapping") {
  CHECK(run("show tables") == "Tables_in_inst:4 | T");
  CHECK(run("SHOW TABLES;") == "Tables_in_inst:4 | T");
  CHECK(run("describe T")
            .starts_with("Field:4,Type:4,Null:4,Key:4,Default:4,Extra:4 | gid bigint(20) NO PRI NULL  "
                         "| uid varchar(1024) NO PRI NULL  | age bigint(20) YES  NULL "));
  CHECK(run("desc `T`").find("name mediumtext YES") != std::string::npos);
  CHECK(run("create table T (gid bigint)") == "OTSParameterInvalid: Table 'inst.T' already exists");
  CHECK(run("create table if not exists T (gid bigint not null)") == "ok");
  CHECK(run("drop mapping table T") == "ok");
  CHECK(run("show tables") == "Tables_in_inst:4");
  CHECK(run("select * from T") == "OTSParameterInvalid: Unknown mapping table 'inst.T'");
  CHECK(run("drop mapping table T") == "OTSParameterInvalid: Unknown mapping table 'inst.T'");
  CHECK(run("drop mapping table if exists T") == "ok");
}

TEST_CASE_METHOD(Mapped, "the key of a mapping is that of the table") {
  run("drop mapping table T");
  CHECK(run("create table T (gid varchar(1024), uid varchar(1024), primary key(gid, uid))") ==
        "OTSParameterInvalid: The primary key of the mapping table does not fit that of the table: 'gid'");
  CHECK(run("create table T (gid bigint, uid varchar(9), primary key(uid, gid))")
            .starts_with("OTSParameterInvalid"));
  CHECK(run("create table T (gid bigint, primary key(gid))") ==
        "OTSParameterInvalid: The primary key of the mapping table does not fit that of the table: 'uid'");
  CHECK(run("create table T (gid date)") == "OTSParameterInvalid: Unknown column type 'date'");
  CHECK(run("create table none (gid bigint)") == "OTSParameterInvalid: Table 'inst.none' doesn't exist");
  CHECK(run("create table T (gid bigint, uid varchar(9), uid double, primary key(gid, uid))") ==
        "OTSParameterInvalid: Duplicate column name 'uid'");
  CHECK(run("create table T (gid BIGINT NOT NULL DEFAULT 0, uid VARCHAR(1024), primary key(gid, uid));") ==
        "ok");
}

TEST_CASE_METHOD(Mapped, "the options of a mapping are those of a table") {
  run("drop mapping table T");
  const std::string mapping = "create table T (gid bigint, uid varchar(1024), primary key(gid, uid)) ";
  CHECK(run(mapping + "ENGINE='searchindex'") ==
        "OTSParameterInvalid: The ENGINE_ATTRIBUTE of a search index names index_name and table_name");
  CHECK(run(mapping + "engine='other'").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(run(mapping + "ENGINE='tablestore',").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(run(mapping + "ENGINE='tablestore', ENGINE_ATTRIBUTE='{\"consistency\":\"strong\"}'") == "ok");
}

TEST_CASE_METHOD(Mapped, "comments are as spaces") {
  CHECK(run("select /* one */ age from T -- and no other\n where gid = 2 --") == "age:1 | 20");
  CHECK(run("select /* age from T") ==
        "OTSParameterInvalid: You have an error in your SQL syntax near '/* age from T'");
}

TEST_CASE_METHOD(Mapped, "a table without a mapping has no columns to change") {
  run("drop mapping table T");
  CHECK(run("alter table T add column extra bigint(20)") ==
        "OTSUnsupportOperation: Unsupported operation: 'Unsupported alter non-mapping table'.");
  CHECK(run("alter table none add column extra bigint(20)") ==
        "OTSParameterInvalid: Unknown mapping table 'inst.none'");
}

TEST_CASE_METHOD(Mapped, "a mapping gets and loses columns") {
  CHECK(run("select extra from T") == "OTSParameterInvalid: Unknown column 'extra'");
  CHECK(response("alter table T add column extra mediumtext").type == api::SQLStatementType::alter_table);
  CHECK(run("select extra from T where gid = 1") == "extra:4 | NULL");
  CHECK(run("alter table T add column Extra bigint") == "OTSParameterInvalid: Duplicate column name 'Extra'");
  CHECK(run("ALTER TABLE T DROP COLUMN extra;") == "ok");
  CHECK(run("alter table T drop column extra") == "OTSParameterInvalid: Unknown column 'extra'");
  CHECK(run("alter table T drop column gid") ==
        "OTSParameterInvalid: The primary key of the mapping table does not fit that of the table: 'gid'");
  CHECK(run("alter table none add column x bigint") ==
        "OTSParameterInvalid: Unknown mapping table 'inst.none'");
}

TEST_CASE_METHOD(Mapped, "names of columns are the same in any case") {
  Table cased(server, "C");
  server.ok<api::AddDefinedColumnResponse>(
      "AddDefinedColumn",
      api::AddDefinedColumnRequest{.table_name = "C",
                                   .columns = {{.name = "Age", .type = api::DefinedColumnType::integer}}});
  CHECK(run("create table C (GID bigint, Uid varchar(1024), AGE bigint, Note mediumtext, "
            "primary key(gid, UID))") == "ok");
  CHECK(run("insert into C (gid, uid, age, NOTE) values (1, 'a', 5, 'x')") == "ok");
  CHECK(cased.get(key(1, "a")) == "1,a Age=5 Note=x");
  CHECK(run("select GID, aGe from C where AGE = 5 order by NOTE") == "GID:1,aGe:1 | 1 5");
  CHECK(run("select age as n, count(*) from C group by N") == "n:1,count(*):1 | 5 1");
  CHECK(run("update C set age = AGE + 1, note = null where Gid = 1 and UID = 'a'") == "ok");
  CHECK(cased.get(key(1, "a")) == "1,a Age=6");
  CHECK(run("delete from C where GID = 1 and uid = 'a'") == "ok");
  CHECK(cased.get(key(1, "a")).empty());
  CHECK(run("drop mapping table C") == "ok");
  CHECK(run("create table C (gid bigint, uid varchar(9), x bigint, X bigint, primary key(gid, uid))")
            .starts_with("OTSParameterInvalid: Duplicate column name"));
}

TEST_CASE_METHOD(Mapped, "rows are selected by conditions") {
  CHECK(run("select gid from T") == "gid:1 | 1 | 2 | 3 | 4");
  CHECK(run("select gid, name from T where grade > 5.0") == "gid:1,name:4 | 1 x | 3 xy");
  CHECK(run("select gid from T where age = 10 and not name = 'x'") == "gid:1 | 3");
  CHECK(run("select gid from T where age = 20 or grade >= 9.5") == "gid:1 | 2 | 3");
  CHECK(run("select gid from T where age in (20, 30)") == "gid:1 | 2");
  CHECK(run("select gid from T where grade between 4.5 and 5.5") == "gid:1 | 1 | 2");
  CHECK(run("select gid from T where name like 'x%'") == "gid:1 | 1 | 3");
  CHECK(run("select gid from T where name not like '_'") == "gid:1 | 3");
  CHECK(run("select gid from T where age is null") == "gid:1 | 4");
  CHECK(run("select gid from T where age is not null and gid <> 2") == "gid:1 | 1 | 3");
  CHECK(run("select gid from T where ok = true") == "gid:1 | 4");
  CHECK(run("select gid from T where raw = X'017A'") == "gid:1 | 4");
  CHECK(run("select gid from T where gid * 2 + 1 = 7") == "gid:1 | 3");
  CHECK(run("select `gid`, T.age from `T` where gid=4") == "gid:1,age:1 | 4 NULL");
}

TEST_CASE_METHOD(Mapped, "columns have types and names") {
  CHECK(run("select * from T where gid = 4") ==
        "gid:1,uid:4,age:1,grade:3,name:4,ok:2,raw:5 | 4 a NULL NULL NULL true \x01z");
  CHECK(run("select age + 1, grade * 2 as twice, 'it''s' word, -age from T where gid = 1") ==
        "age + 1:1,twice:3,word:4,-age:1 | 11 11.000000 it's -10");
  CHECK(run("select age / 4, age % 4, age / 0 from T where gid = 1") ==
        "age / 4:3,age % 4:1,age / 0:1 | 2.500000 2 NULL");
}

TEST_CASE_METHOD(Mapped, "rows are ordered, and some of them returned") {
  CHECK(run("select gid from T order by grade limit 1") == "gid:1 | 4");
  CHECK(run("select gid from T order by grade desc limit 2") == "gid:1 | 3 | 1");
  CHECK(run("select gid from T order by age desc, gid desc") == "gid:1 | 2 | 3 | 1 | 4");
  CHECK(run("select gid g from T order by g desc limit 1, 2") == "g:1 | 3 | 2");
  CHECK(run("select gid from T order by 1 desc limit 1 offset 1") == "gid:1 | 3");
  CHECK(run("select distinct age from T where age is not null") == "age:1 | 10 | 20");
  CHECK(run("select gid from T limit 0") == "gid:1");
}

TEST_CASE_METHOD(Mapped, "rows are summed up, alone and in groups") {
  CHECK(run("select count(*) from T") == "count(*):1 | 4");
  CHECK(run("select sum(age) from T") == "sum(age):3 | 40.000000");
  CHECK(run("select count(age), count(distinct age), min(name), max(grade), avg(grade) from T") ==
        "count(age):1,count(distinct age):1,min(name):4,max(grade):3,avg(grade):3 | 3 2 x 9.500000 6.500000");
  CHECK(run("select age, avg(grade) from T where age is not null group by age order by age") ==
        "age:1,avg(grade):3 | 10 7.500000 | 20 4.500000");
  CHECK(run("select age, count(*) as n from T group by age having n > 1") == "age:1,n:1 | 10 2");
  CHECK(run("select count(*), sum(age) from T where gid > 100") == "count(*):1,sum(age):3 | 0 NULL");
  CHECK(run("select count(*) as count from T where ok = true") == "count:1 | 1");
}

TEST_CASE_METHOD(Mapped, "dates and times have types of their own") {
  // tablestore/sql.md sections 3 and 4: microseconds, seconds of the day, nanoseconds.
  CHECK(run("select from_unixtime(gid * 1.5) as at from T where gid = 1") == "at:7.1 | 1500000");
  CHECK(run("select date(from_unixtime(86400 * 2 + gid)) as day from T where gid = 1") == "day:7.2 | 172800");
  CHECK(run("select date('2026-01-31T08:15:00') as day from T where gid = 1") == "day:7.2 | 1769817600");
  CHECK(run("select timediff('2026-01-02 00:00:00', '2026-01-01 23:59:58.5') as t from T where gid = 1") ==
        "t:7.3 | 1500000000");
  CHECK(run("select timediff('01:00:00', '-01:30:00') as t from T where gid = 1") == "t:7.3 | 9000000000000");
  CHECK(run("select timediff('2026-01-02 00:00:00', '2020-01-01 00:00:00') as t from T where gid = 1") ==
        "t:7.3 | 3020399000000000");  // 838:59:59
}

TEST_CASE_METHOD(Mapped, "what is no date or time is NULL") {
  for (const char* const expression :
       {"date('2026-02-30')", "date('x')", "date(null)", "date('2026-01-31 24:00:00')", "date('10:00:00')"})
    CHECK(run("select " + std::string(expression) + " as d from T where gid = 1") == "d:7.2 | NULL");
  for (const char* const seconds : {"-1", "null", "253402300800"})
    CHECK(run("select from_unixtime(" + std::string(seconds) + ") as d from T where gid = 1") ==
          "d:7.1 | NULL");
  CHECK(run("select timediff('2026-01-01', '10:00:00') as d from T where gid = 1") == "d:7.3 | NULL");
  CHECK(run("select date() from T").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(run("select date(1, 2) from T") ==
        "OTSParameterInvalid: Incorrect parameter count in the call to function 'date'");
}

TEST_CASE_METHOD(Mapped, "dates and times are compared, ordered and counted with") {
  CHECK(run("select gid from T where from_unixtime(gid) > '1970-01-01 00:00:02'") == "gid:1 | 3 | 4");
  CHECK(run("select gid from T where date(from_unixtime(gid * 86400)) = '1970-01-04'") == "gid:1 | 3");
  CHECK(run("select gid from T order by from_unixtime(gid) desc limit 1") == "gid:1 | 4");
  CHECK(run("select max(from_unixtime(gid)) as m from T") == "m:7.1 | 4000000");
  CHECK(run("select from_unixtime(gid) + 0 as n from T where gid = 1") == "n:3 | 19700101000001.000000");
  CHECK(run("select count(*) from T where from_unixtime(gid) = 'x'") == "count(*):1 | 0");
}

TEST_CASE_METHOD(Mapped, "the reply names the statement, and what it has read") {
  const auto selected = response("select * from T where gid = 1");
  CHECK(selected.type == api::SQLStatementType::select);
  CHECK(selected.version == api::SQLPayloadVersion::flat_buffers);
  REQUIRE(selected.consumes.size() == 1);
  CHECK(selected.consumes[0].table_name == "T");
  CHECK(selected.consumes[0].consumed->capacity_unit.read == 1);
  CHECK(selected.consumes[0].reserved_throughput->capacity_unit.read == 0);
  CHECK(response("show tables").type == api::SQLStatementType::show_table);
  CHECK(response("describe T").type == api::SQLStatementType::describe_table);
  const auto dropped = response("drop mapping table T");
  CHECK(dropped.type == api::SQLStatementType::drop_table);
  CHECK_FALSE(dropped.rows);
}

TEST_CASE_METHOD(Mapped, "statements that are wrong or not served are refused") {
  CHECK(run("select from T") == "OTSParameterInvalid: You have an error in your SQL syntax near 'from T'");
  CHECK(run("select * from T where") == "OTSParameterInvalid: You have an error in your SQL syntax near ''");
  CHECK(run("select 'a from T").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(run("select X'0g' from T").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(run("select # from T").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(run("select none from T") == "OTSParameterInvalid: Unknown column 'none'");
  CHECK(run("select gid from T order by 2") == "OTSParameterInvalid: Unknown column '2'");
  CHECK(run("select sleep(gid) from T") == "OTSParameterInvalid: Unknown function 'sleep'");
  CHECK(run("select gid from T where count(*) > 1") ==
        "OTSParameterInvalid: Invalid use of an aggregate function");
  CHECK(run("select sum(count(*)) from T") == "OTSParameterInvalid: Invalid use of an aggregate function");
  for (const char* const query : {"insert into T select * from T", "insert into T set gid = 1",
                                  "alter table T rename to U", "select gid from T union select gid from T"})
    CHECK(run(query) == "OTSUnsupportOperation: Operation not supported");
  const std::string deep = "select " + std::string(100, '(') + "1" + std::string(100, ')') + " from T";
  const std::string too_deep =
      "OTSParameterInvalid: The statement is too long, or has too many expressions inside each other";
  CHECK(run(deep) == too_deep);
  const auto signs = [&](std::size_t count) {
    return run("select " + std::string(count, '~') + "(" + std::string(count, '~') + "1) as v");
  };
  CHECK(signs(20) == "v:1 | 1");
  CHECK(signs(30) == too_deep);
  std::string wide = "select 1";
  for (int i = 0; i < 2000; ++i) wide += "+1";
  CHECK(run(wide + " from T") == too_deep);
  CHECK(server.refusal("SQLQuery", api::SQLQueryRequest{.query = "show tables"}) ==
        "OTSParameterInvalid: Dinette returns results of SQL as FlatBuffers alone");
}

TEST_CASE_METHOD(Mapped, "statements and patterns have a length") {
  const auto sum = [](int terms) {
    std::string query = "select 1";
    for (int i = 1; i < terms; ++i) query += "+1";
    return query + " as n from T where gid = 1";
  };
  CHECK(run(sum(995)) == "n:1 | 995");
  CHECK(run(sum(996)) ==
        "OTSParameterInvalid: The statement is too long, or has too many expressions inside each other");
  const std::string longest(1024, '%');
  CHECK(run("select gid from T where name like '" + longest + "'") == "gid:1 | 1 | 2 | 3");
  CHECK(run("select gid from T where name like '" + longest + "%'") ==
        "OTSParameterInvalid: The pattern of LIKE exceeds the limit: 1024");
  // One that is a value is NULL.
  const std::string longer(1025, '%');
  table.put(key(5, "a"), {{.name = "name", .value = Value::string(longest)}});
  table.put(key(6, "a"), {{.name = "name", .value = Value::string(longer)}});
  CHECK(run("select gid from T where 'q' like name") == "gid:1 | 5");
  CHECK(run("select gid from T where ('q' like name) is null") == "gid:1 | 4 | 6");
}

// tablestore/sql.md section 4.

constexpr std::string_view not_of_one_row =
    "OTSParameterInvalid: Non-transactional tables currently support atomic batch inserts within a single "
    "partition key, and single-row updates or deletes specified by the full primary key without any "
    "attribute "
    "column conditions.";

/// A table `T` of which nothing is there yet; statements that write.
class Written : public Mapped {
 public:
  Written() {
    for (int gid = 1; gid <= 4; ++gid) table.erase(key(gid, "a"));
  }

  /// Returns the type of the statement and how many rows it has changed: "7: 1"; an error as "code: message".
  std::string write(std::string_view query) {
    const Reply reply = server.call(
        "SQLQuery", api::SQLQueryRequest{.query = query, .version = api::SQLPayloadVersion::flat_buffers});
    if (reply.status != 200) return reply.refusal();
    const auto response = codec::decode_message<api::SQLQueryResponse>(reply.body).value();
    CHECK_FALSE(response.rows);
    CHECK(response.consumes.at(0).consumed->capacity_unit.write.value() > 0);
    return std::to_string(static_cast<int>(response.type.value())) + ": " +
           std::to_string(response.affected_rows.value());
  }
};

TEST_CASE_METHOD(Written, "an INSERT writes a row with values of all types") {
  CHECK(write("INSERT INTO T VALUES (1, 'a', 10, 2.5, 'x', true, X'DEADBEEF')") == "7: 1");
  CHECK(run("select * from T") ==
        "gid:1,uid:4,age:1,grade:3,name:4,ok:2,raw:5 | 1 a 10 2.500000 x true \xde\xad\xbe\xef");
  CHECK(write("insert into T values (2, 'a', null, 3, NULL, null, null)") == "7: 1");
  CHECK(table.get(key(2, "a")) == "2,a grade=3.000000");
  CHECK(write("insert T (uid, gid, name) value ('a', 3, 'y');") == "7: 1");
  CHECK(table.get(key(3, "a")) == "3,a name=y");
}

TEST_CASE_METHOD(Written, "the rows of an INSERT are written all or none") {
  CHECK(write("insert into T (gid, uid) values (1, 'a'), (1, 'b'), (1, 'c')") == "7: 3");
  CHECK(write("insert into T (gid, uid) values (1, 'd'), (1, 'b')") ==
        "OTSParameterInvalid: Duplicate entry for key 'PRIMARY'");
  CHECK(write("insert into T (gid, uid) values (2, 'd'), (2, 'd')") ==
        "OTSParameterInvalid: Duplicate entry for key 'PRIMARY'");
  CHECK(run("select uid from T") == "uid:4 | a | b | c");
  const auto many = [](int rows) {
    std::string query = "insert into T (gid, uid) values (9, 'r0')";
    for (int i = 1; i < rows; ++i) query += ", (9, 'r" + std::to_string(i) + "')";
    return query;
  };
  CHECK(write(many(201)) == "OTSParameterInvalid: The number of rows exceeds the limit: 200");
  CHECK(write(many(200)) == "7: 200");
}

TEST_CASE_METHOD(Written, "an INSERT is about one partition key, and new rows") {
  CHECK(write("insert into T (gid, uid) values (1, 'a'), (2, 'a')") ==
        "OTSUnsupportOperation: `insert into` on different partition keys is not supported");
  CHECK(write("insert ignore into T (gid, uid) values (1, 'a'), (2, 'a')") ==
        "OTSUnsupportOperation: `insert ignore` on different partition keys is not supported");
  CHECK(write("insert into T (gid, uid) values (1, 'a'), (2, 'a') on duplicate key update age = 1") ==
        "OTSUnsupportOperation: `insert ... on duplicate key update` on different partition keys is not "
        "supported");
  const std::string off =
      "OTSParameterInvalid: Try to call method using explicit transaction on explicit-transaction-disabled "
      "table.";
  CHECK(write("insert ignore into T (gid, uid) values (1, 'a')") == off);
  CHECK(write("insert into T (gid, uid) values (1, 'a') on duplicate key update age = 1") == off);
  CHECK(run("select * from T").find('|') == std::string::npos);
}

TEST_CASE_METHOD(Written, "values that do not fit are refused") {
  CHECK(write("insert into T (gid, uid) values (9223372036854775807, 'a')") ==
        "OTSParameterInvalid: The input parameter is invalid.");
  CHECK(write("insert into T (gid, uid) values (9223372036854775806, 'a')") == "7: 1");
  CHECK(write("insert into T (gid, uid) values (1)") ==
        "OTSParameterInvalid: Column count doesn't match value count at row 1");
  CHECK(write("insert into T (gid, uid) values (1, 'a'), (1, 'b', 2)") ==
        "OTSParameterInvalid: Column count doesn't match value count at row 2");
  CHECK(write("insert into T (gid, uid) values (1, null)") ==
        "OTSParameterInvalid: Column 'uid' cannot be null");
  CHECK(write("insert into T (gid) values (1)") == "OTSParameterInvalid: Column 'uid' cannot be null");
  CHECK(write("insert into T (gid, uid, age) values (1, 'a', 'x')") ==
        "OTSParameterInvalid: Incorrect value for column 'age'");
  CHECK(write("insert into T (gid, uid, name) values (1, 'a', 5)") ==
        "OTSParameterInvalid: Incorrect value for column 'name'");
  CHECK(write("insert into T (gid, uid, none) values (1, 'a', 5)") ==
        "OTSParameterInvalid: Unknown column 'none'");
  CHECK(write("insert into T (gid, gid) values (1, 1)") ==
        "OTSParameterInvalid: Duplicate column name 'gid'");
  CHECK(write("insert into T (gid, uid, age) values (1, 'a', gid)") ==
        "OTSParameterInvalid: Values must be constants");
  CHECK(write("insert into none values (1)") == "OTSParameterInvalid: Unknown mapping table 'inst.none'");
}

TEST_CASE_METHOD(Written, "the least integer can be written") {
  CHECK(write("insert into T (gid, uid, age) values (-9223372036854775808, 'a', - 9223372036854775808)") ==
        "7: 1");
  CHECK(run("select gid, age from T where gid = -9223372036854775808") ==
        "gid:1,age:1 | -9223372036854775808 -9223372036854775808");
  CHECK(run("select 9223372036854775808 as n, -5 as m from T") == "n:3,m:1 | 9223372036854775808.000000 -5");
}

TEST_CASE_METHOD(Written, "a column that is NOT NULL gets no NULL") {
  run("drop mapping table T");
  run("create table T (gid bigint, uid varchar(1024), age bigint not null, primary key(gid, uid))");
  const std::string no_null = "OTSParameterInvalid: Column 'age' cannot be null";
  CHECK(write("insert into T values (1, 'a', null)") == no_null);
  CHECK(write("insert into T values (1, 'a', 5)") == "7: 1");
  CHECK(write("update T set age = null where gid = 1 and uid = 'a'") == no_null);
  CHECK(table.get(key(1, "a")) == "1,a age=5");
}

TEST_CASE_METHOD(Written, "statements do not write to a partition that a transaction holds") {
  // tablestore/transactions.md section 2.
  CHECK(write("insert into T (gid, uid) values (1, 'a')") == "7: 1");
  const std::string id = table.start(1);
  const std::string locked = "OTSRowOperationConflict: Data is being modified by the other request.";
  CHECK(write("insert into T (gid, uid) values (1, 'b')") == locked);
  CHECK(write("update T set age = 1 where gid = 1 and uid = 'a'") == locked);
  CHECK(write("delete from T where gid = 1 and uid = 'a'") == locked);
  CHECK(write("insert into T (gid, uid) values (2, 'a')") == "7: 1");
  CHECK(table.commit(id) == "200");
  CHECK(write("delete from T where gid = 1 and uid = 'a'") == "9: 1");
}

TEST_CASE_METHOD(Written, "an UPDATE changes the row of a key") {
  write("insert into T (gid, uid, age, name) values (1, 'a', 10, 'x')");
  CHECK(write("UPDATE T SET age = 20, name = NULL, grade = 1.5 WHERE uid = 'a' AND gid = 1") == "8: 1");
  CHECK(table.get(key(1, "a")) == "1,a age=20 grade=1.500000");
  CHECK(write("update T set age = age + 5 where gid = 1 and uid = 'a'") == "8: 1");
  CHECK(write("update T set age = age - 1 where 1 = gid and 'a' = uid") == "8: 1");
  CHECK(table.get(key(1, "a")) == "1,a age=24 grade=1.500000");
  CHECK(write("update T set age = 1 where gid = 2 and uid = 'a'") == "8: 0");
  CHECK(table.get(key(2, "a")).empty());
}

TEST_CASE_METHOD(Written, "assignments are constants, or add to integers") {
  write("insert into T (gid, uid, age, name, grade, ok) values (1, 'a', 10, 'x', 1.5, true)");
  const auto set = [&](const std::string& assignment) {
    return write("update T set " + assignment + " where gid = 1 and uid = 'a'");
  };
  const std::string other =
      "OTSUnsupportOperation: point update only supports constant and self-increment assignments";
  const std::string real = "OTSUnsupportOperation: point update only supports integer type self increment";
  CHECK(set("name = name + 1") == other);
  CHECK(set("age = age * 2") == other);
  CHECK(set("age = gid + 1") == other);
  CHECK(set("grade = grade + 1") == real);
  CHECK(set("ok = ok + 1") == real);
  CHECK(set("age = age + 1.5") == real);
  CHECK(set("uid = 'b'") == "OTSUnsupportOperation: update of primary key column 'uid' is not supported");
  CHECK(set("none = 1") == "OTSParameterInvalid: Unknown column 'none'");
  CHECK(table.get(key(1, "a")) == "1,a age=10 grade=1.500000 name=x ok=true");
}

TEST_CASE_METHOD(Written, "a DELETE removes the row of a key") {
  write("insert into T (gid, uid, age) values (1, 'a', 1), (1, 'b', 2)");
  CHECK(write("DELETE FROM T WHERE gid = 1 AND uid = 'a'") == "9: 1");
  CHECK(write("delete from T where gid = 1 and uid = 'a'") == "9: 0");
  CHECK(run("select uid from T") == "uid:4 | b");
}

TEST_CASE_METHOD(Written, "changes are of one row, by its whole key") {
  for (const char* const where :
       {"", " where gid = 1", " where gid > 1 and uid = 'a'", " where gid in (1) and uid = 'a'",
        " where gid = 1 or uid = 'a'", " where gid between 1 and 2 and uid = 'a'",
        " where gid != 1 and uid = 'a'", " where gid = 1 and uid like 'a'", " where gid = 1 and uid is null",
        " where gid = 1 and uid = 'a' and age = 1", " where gid = 1 and uid = 'a' and gid = 1",
        " where not gid = 1 and uid = 'a'", " where gid = age and uid = 'a'",
        " where gid = 1 and uid = uid"}) {
    CAPTURE(where);
    CHECK(write(std::string("update T set age = 1") + where) == not_of_one_row);
    CHECK(write(std::string("delete from T") + where) == not_of_one_row);
  }
  CHECK(write("update T set age = 1 where gid = 1 and uid = 'a' limit 1") ==
        "OTSUnsupportOperation: limit in update statement is not supported");
  CHECK(write("delete from T where gid = 1 and uid = 'a' limit 1") ==
        "OTSUnsupportOperation: limit in delete statement is not supported");
  CHECK(write("update T set age = 1 where gid = 1 and uid = 'a' order by age") ==
        "OTSUnsupportOperation: order by in update statement is not supported");
}

TEST_CASE_METHOD(Written, "a mapping for writes has few constraints") {
  CHECK(run("drop mapping table T") == "ok");
  for (const char* const columns : {"gid bigint auto_increment, uid varchar(1024), primary key(gid, uid)",
                                    "gid bigint, uid varchar(1024), unique key (uid), primary key(gid, uid)",
                                    "gid bigint, uid varchar(1024), check (gid > 1), primary key(gid, uid)",
                                    "gid bigint comment 'x', uid varchar(1024), primary key(gid, uid)"}) {
    CAPTURE(columns);
    CHECK(run("create table if not exists T (" + std::string(columns) + ")")
              .starts_with("OTSParameterInvalid: "));
  }
  CHECK(run("create table if not exists T (gid bigint not null default 0, uid varchar(1024), age bigint "
            "default 0, "
            "primary key(gid, uid))") == "ok");
}

TEST_CASE("a key of a mapping is no MEDIUMBLOB") {
  Server server;
  server.create("B", {{.name = "id", .type = api::PrimaryKeyType::binary}});
  const auto create = [&](std::string_view type) {
    const std::string query = "create table B (id " + std::string(type) + " primary key)";
    return server.refusal(
        "SQLQuery", api::SQLQueryRequest{.query = query, .version = api::SQLPayloadVersion::flat_buffers});
  };
  CHECK(create("mediumblob") ==
        "OTSParameterInvalid: The primary key of the mapping table does not fit that of the table: 'id'");
  CHECK(create("varbinary(1024)") == "200");
}

}  // namespace dinette::tablestore::sql_test
