#include <string>

#include <catch2/catch.hpp>

#include "tablestore/sql/mapped.h"

// tablestore/sql.md section 8.
namespace dinette::tablestore::sql_joins_test {

using namespace test;

/// Tables `A` and `B` with mappings: `A` has gid 1, 2, 3; `B` has age 1, 1, 2 and NULL.
class Joined : public Mapped {
 public:
  Joined() {
    for (const char* const name : {"A", "B"})
      run("create table " + std::string(name) +
          " (gid bigint, uid varchar(1024), age bigint, primary key(gid, uid))");
    for (std::int64_t gid = 1; gid <= 3; ++gid)
      left.put(key(gid, "a"), {{.name = "age", .value = Value::integer(gid * 10)}});
    const auto add = [&](std::int64_t gid, std::int64_t age) {
      right.put(key(gid, "b"), {{.name = "age", .value = Value::integer(age)}});
    };
    add(11, 1);
    add(12, 1);
    add(13, 2);
    right.put(key(14, "b"), {{.name = "other", .value = Value::integer(1)}});
  }

  Table left{server, "A"};
  Table right{server, "B"};
};

TEST_CASE_METHOD(Joined, "rows of two tables are joined") {
  CHECK(run("select A.gid, B.gid as b from A join B on A.gid = B.age") == "gid:1,b:1 | 1 11 | 1 12 | 2 13");
  CHECK(run("select x.gid, y.gid as b from A x inner join B y on x.gid = y.age and y.gid > 11") ==
        "gid:1,b:1 | 1 12 | 2 13");
  CHECK(run("select A.gid, B.gid as b from A left join B on A.gid = B.age order by b") ==
        "gid:1,b:1 | 3 NULL | 1 11 | 1 12 | 2 13");
  CHECK(run("select A.gid, B.gid as b from A right outer join B on A.gid = B.age order by b") ==
        "gid:1,b:1 | 1 11 | 1 12 | 2 13 | NULL 14");
  CHECK(run("select count(*) as n from A, B") == "n:1 | 12");
  CHECK(run("select count(*) as n from A cross join B") == "n:1 | 12");
  CHECK(run("select A.gid from A, B where A.gid < B.age") == "gid:1 | 1");
  CHECK(run("select A.gid from A left join B on A.gid > B.age group by A.gid having count(B.gid) > 2") ==
        "gid:1 | 3");
  CHECK(run("select A.gid, B.gid, C.gid from A join B on A.gid = B.age join A as C on C.gid = B.age + 1") ==
        "gid:1,gid:1,gid:1 | 1 11 2 | 1 12 2 | 2 13 3");
}

TEST_CASE_METHOD(Joined, "columns of USING are one") {
  CHECK(run("select * from A join A as C using (gid, uid) where gid = 2") ==
        "gid:1,uid:4,age:1,age:1 | 2 a 20 20");
  CHECK(run("select gid from A left join B using (gid)") == "gid:1 | 1 | 2 | 3");
  CHECK(run("select gid from A right join B using (gid)") == "gid:1 | 11 | 12 | 13 | 14");
  // They are the first ones of all.
  CHECK(run("select * from A join B using (age)") == "age:1,gid:1,uid:4,gid:1,uid:4");
  CHECK(run("select * from A right join B using (age) where age = 2") ==
        "age:1,gid:1,uid:4,gid:1,uid:4 | 2 13 b NULL NULL");
  CHECK(run("select B.* from A join B using (age)") == "gid:1,uid:4,age:1");
  CHECK(run("select * from A join B using (none)") == "OTSParameterInvalid: Unknown column 'none'");
}

TEST_CASE_METHOD(Joined, "names of columns and tables tell which one is meant") {
  CHECK(run("select gid from A join B on A.gid = B.age") == "OTSParameterInvalid: Column 'gid' is ambiguous");
  CHECK(run("select A.gid from A join A on 1 = 1") == "OTSParameterInvalid: Not unique table/alias: 'A'");
  CHECK(run("select A.gid from A join B on A.gid = C.gid join A C on 1 = 1") ==
        "OTSParameterInvalid: Unknown column 'C.gid'");
  CHECK(run("select A.gid from A left join B").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(run("select A.gid from A join B on count(*) > 1") ==
        "OTSParameterInvalid: Invalid use of an aggregate function");
}

TEST_CASE_METHOD(Joined, "all tables that were read are named") {
  const auto consumes = response("select A.gid from A join B on A.gid = B.age").consumes;
  REQUIRE(consumes.size() == 2);
  CHECK(consumes[0].table_name == "A");
  CHECK(consumes[1].table_name == "B");
}

TEST_CASE_METHOD(Joined, "queries take the place of tables and values") {
  CHECK(run("select d.n from (select age, count(*) as n from B group by age) d where d.age = 1") ==
        "n:1 | 2");
  CHECK(run("select A.gid, d.n from A join (select age, count(*) n from B group by age) as d on d.age = "
            "A.gid") == "gid:1,n:1 | 1 2 | 2 1");
  CHECK(run("select gid from (select gid from A)") ==
        "OTSParameterInvalid: Every derived table must have its own alias");
  CHECK(run("select gid from A where gid = (select max(age) from B)") == "gid:1 | 2");
  CHECK(run("select gid, (select count(*) from B where B.age = A.gid) as n from A") ==
        "gid:1,n:1 | 1 2 | 2 1 | 3 0");
  CHECK(run("select gid from A where (select 1 from B where age = 9) is null") == "gid:1 | 1 | 2 | 3");
  CHECK(run("select gid from A where gid = (select age from B)") ==
        "OTSParameterInvalid: Subquery returns more than 1 row");
  CHECK(run("select gid from A where gid = (select age, gid from B where gid = 11)") ==
        "OTSParameterInvalid: Operand should contain 1 column(s)");
}

TEST_CASE_METHOD(Joined, "conditions look into queries") {
  CHECK(run("select gid from A where gid in (select age from B)") == "gid:1 | 1 | 2");
  CHECK(run("select gid from A where gid not in (select age from B)") == "gid:1");
  CHECK(run("select gid from A where gid not in (select age from B where age is not null)") == "gid:1 | 3");
  CHECK(run("select gid from A where exists (select 1 from B where B.age = A.gid)") == "gid:1 | 1 | 2");
  CHECK(run("select gid from A where not exists (select 1 from B where B.age = A.gid)") == "gid:1 | 3");
  CHECK(run("select gid from A where exists (select * from B where age = A.gid and gid in "
            "(select C.gid + 10 + A.gid from A C))") == "gid:1 | 1 | 2");
  CHECK(run("select gid from A where gid in (select none from B)") ==
        "OTSParameterInvalid: Unknown column 'none'");
  CHECK(run("select gid from A where gid in (select age from none)") ==
        "OTSParameterInvalid: Unknown mapping table 'inst.none'");
}

TEST_CASE_METHOD(Joined, "a query that is looked in for each row is carried out and counted once") {
  // 1,024 rows look for themselves among 1,024.
  const std::string pairs = "(select x.gid * 10 + y.gid as n from T x, T y, T z, T u, T v) p";
  CHECK(run("select count(*) as n from " + pairs +
            " where n in (select x.gid * 10 + y.gid from T x, T y, T z, "
            "T u, T v)") == "n:1 | 1024");
  // Three times 1,048,576 pairs would be too many.
  CHECK(run("select count(*) as n from " + pairs +
            " where n not in (select 0 from T x, T y, T z, T u, T v) and "
            "n not in (select 1 from T x, T y, T z, T u, T v) and n not in (select 2 from T x, T y, T z, T "
            "u, T "
            "v)") == "n:1 | 1024");
  CHECK(run("select count(*) as n from T where 5 not in (select age from B)") == "n:1 | 0");
  CHECK(run("select count(*) as n from T where null in (select age from B)") == "n:1 | 0");
  CHECK(run("select count(*) as n from T where null not in (select age from B where age > 9)") == "n:1 | 4");
  // Values of another type are compared one by one.
  CHECK(run("select gid from A where gid + 0.0 in (select age from B)") == "gid:1 | 1 | 2");
  CHECK(run("select gid from A where concat(gid) in (select age from B)") == "gid:1 | 1 | 2");
  CHECK(run("select gid from A where gid in (select if(age = 1, '1', age) from B)") == "gid:1 | 1 | 2");
}

TEST_CASE_METHOD(Joined, "ANY and ALL are IN and NOT IN") {
  CHECK(run("select gid from A where gid = any (select age from B)") == "gid:1 | 1 | 2");
  CHECK(run("select gid from A where gid = some (select age from B)") == "gid:1 | 1 | 2");
  CHECK(run("select gid from A where gid <> all (select age from B where age > 0)") == "gid:1 | 3");
  CHECK(run("select gid from A where gid > any (select age from B)") ==
        "OTSUnsupportOperation: Operation not supported");
}

TEST_CASE_METHOD(Joined, "parentheses at the begin divide joins") {
  CHECK(run("select A.gid, B.gid as b from (A join B on A.gid = B.age) where B.gid > 11") ==
        "gid:1,b:1 | 1 12 | 2 13");
  CHECK(run("select count(*) as n from ((A cross join B) join A C on C.gid = A.gid)") == "n:1 | 12");
  for (const char* const from : {"A natural join B", "A straight_join B", "A natural left join B",
                                 "A left join (B join A C on 1 = 1) on 1 = 1"})
    CHECK(run("select count(*) from " + std::string(from)) ==
          "OTSUnsupportOperation: Operation not supported");
}

TEST_CASE_METHOD(Joined, "what statements join and read again is limited") {
  // Each use of an alias is a copy of its expression.
  std::string query = "select 1";
  for (int i = 0; i < 700; ++i) query += "+1";
  query += " as v from A order by v";
  for (int i = 0; i < 80; ++i) query += ",v";
  CHECK(
      run(query) ==
      "OTSParameterInvalid: The statement joins or reads too many rows, or handles too many texts: the limit "
      "is 2000000");
  const auto joined = [&](int tables) {
    std::string from = "A t1";
    for (int i = 2; i <= tables; ++i) from += ", A t" + std::to_string(i);
    return run("select 1 as v from " + from + " where 1 = 0");
  };
  CHECK(joined(62) == "OTSParameterInvalid: Too many tables; at most 61 can be used in a join");
  CHECK(joined(3) == "v:1");
  // What may be evaluated on rows that are joined counts as well.
  const auto summed = [&](const std::string& from) {
    std::string statement = "select 1 as v from " + from + " where 0 and 1";
    for (int i = 0; i < 900; ++i) statement += "+1";
    return run(statement);
  };
  const std::string few = "(select 1 as n from B, B b, B c) x";
  const std::string many =
      few + ", (select 1 as n from B, B b, B c) y, (select 1 as n from B, B b) z";  // 65,536
  const std::string too_much = "OTSParameterInvalid: The statement joins or reads too many rows";
  CHECK(summed(few) == "v:1");
  CHECK(summed(many).starts_with(too_much));
  CHECK(summed("(select x.n from " + many + ") t").starts_with(too_much));
  std::string deep = "select 1";
  for (int i = 0; i < 60; ++i) deep = "select (" + deep + ") as v";
  CHECK(run(deep) ==
        "OTSParameterInvalid: The statement is too long, or has too many expressions inside each other");
}

}  // namespace dinette::tablestore::sql_joins_test
