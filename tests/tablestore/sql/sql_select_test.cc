#include <string>

#include <catch2/catch.hpp>

#include "tablestore/sql/mapped.h"

// tablestore/sql.md section 5. Expected values are those that MySQL 5.7 documents.
namespace dinette::tablestore::sql_select_test {

using namespace test;

/// What an expression of the row with `gid` 1 is.
class Computed : public Mapped {
 public:
  std::string value(const std::string& expression) {
    return run("select " + expression + " as v from T where gid = 1").substr(2);
  }
};

TEST_CASE_METHOD(Computed, "conditions may be NULL") {
  CHECK(value("1 <=> 1") == "1 | 1");
  CHECK(value("null <=> null") == "1 | 1");
  CHECK(value("1 <=> null") == "1 | 0");
  CHECK(value("1 is true") == "1 | 1");
  CHECK(value("0 is false") == "1 | 1");
  CHECK(value("null is unknown") == "1 | 1");
  CHECK(value("null is true") == "1 | 0");
  CHECK(value("null is not true") == "1 | 1");
  CHECK(value("1 xor 1") == "1 | 0");
  CHECK(value("1 xor 0") == "1 | 1");
  CHECK(value("1 xor null") == "1 | NULL");
  CHECK(value("not null") == "1 | NULL");
  CHECK(value("!0") == "1 | 1");
  CHECK(value("1 && 0 || 1") == "1 | 1");
  CHECK(value("null in (1, 2)") == "1 | NULL");
  CHECK(value("3 in (1, null)") == "1 | NULL");
  CHECK(value("3 in (1 + 1, age - 7)") == "1 | 1");
  CHECK(value("3 not in (1, 2)") == "1 | 1");
  CHECK(value("2 between 1 and 3") == "1 | 1");
  CHECK(value("2 not between null and 1") == "1 | 1");
}

TEST_CASE_METHOD(Computed, "numbers are calculated with by precedence") {
  CHECK(value("5 div 2") == "1 | 2");
  CHECK(value("-5 div 2") == "1 | -2");
  CHECK(value("5.9 div 2") == "1 | 2");
  CHECK(value("5 div 0") == "1 | NULL");
  CHECK(value("29 mod 9") == "1 | 2");
  CHECK(value("true + 1") == "1 | 2");
  CHECK(value("-9223372036854775808 div -1") == "1 | NULL");
  CHECK(value("-9223372036854775808 mod -1") == "1 | 0");
  CHECK(value("-(-9223372036854775808)") == "1 | NULL");
  CHECK(value("-5 mod 3") == "1 | -2");
  CHECK(value("34.5 mod 3") == "3 | 1.500000");
  CHECK(value("29 | 15") == "1 | 31");
  CHECK(value("29 & 15") == "1 | 13");
  CHECK(value("11 ^ 3") == "1 | 8");
  CHECK(value("~0") == "1 | -1");
  CHECK(value("1 + 2 * 3 ^ 1") == "1 | 5");
  CHECK(value("- - 2") == "1 | 2");
  CHECK(value("1 | 2 = 3") == "1 | 1");
  CHECK(value("'3 apples' + 1") == "3 | 4.000000");
  CHECK(value("'+3' + 1") == "3 | 4.000000");
}

TEST_CASE_METHOD(Computed, "CASE chooses a result") {
  CHECK(value("case 1 when 1 then 'one' when 2 then 'two' else 'more' end") == "4 | one");
  CHECK(value("case when 1 > 0 then 'true' else 'false' end") == "4 | true");
  CHECK(value("case 3 when 1 then 1 end") == "1 | NULL");
  CHECK(value("case null when null then 1 else 2 end") == "1 | 2");
  CHECK(value("case when age = 10 then age else 0.5 end") == "1 | 10");
  CHECK(run("select case when gid < 3 then gid else 'many' end as v from T") == "v:4 | 1 | 2 | many | many");
  CHECK(run("select case gid end from T").starts_with("OTSParameterInvalid: You have an error"));
}

TEST_CASE_METHOD(Computed, "patterns have a sign that escapes") {
  CHECK(value("'David!' like 'David_'") == "1 | 1");
  CHECK(value("'David_' like 'David\\_'") == "1 | 1");
  CHECK(value("'David!' like 'David\\_'") == "1 | 0");
  CHECK(value("'David_' like 'David|_' escape '|'") == "1 | 1");
  CHECK(value("'David!' like 'David|_' escape '|'") == "1 | 0");
  CHECK(value("'50%' like '50|%' escape '|'") == "1 | 1");
  CHECK(value("'500' like '50|%' escape '|'") == "1 | 0");
  CHECK(value("10 like '1%'") == "1 | 1");
  CHECK(value("null like 'a'") == "1 | NULL");
}

TEST_CASE_METHOD(Computed, "tables have aliases") {
  CHECK(run("select t.gid, t.age a from T as t where t.age = 20") == "gid:1,a:1 | 2 20");
  CHECK(run("select x.gid from T x order by x.gid desc limit 1") == "gid:1 | 4");
  CHECK(run("select x.* from T x where x.gid = 4") ==
        "gid:1,uid:4,age:1,grade:3,name:4,ok:2,raw:5 | 4 a NULL NULL NULL true \x01z");
  CHECK(run("select y.gid from T x") == "OTSParameterInvalid: Unknown column 'y.gid'");
  CHECK(run("select y.* from T x") == "OTSParameterInvalid: Unknown column 'y.*'");
  CHECK(run("select gid, T.* from T where gid = 4").starts_with("gid:1,gid:1,uid:4"));
}

TEST_CASE_METHOD(Computed, "groups and orders are of expressions, places and aliases") {
  CHECK(run("select age div 20 as d, count(*) from T where age is not null group by age div 20") ==
        "d:1,count(*):1 | 0 2 | 1 1");
  CHECK(run("select age div 20 as d, count(*) n from T where age is not null group by d order by n") ==
        "d:1,n:1 | 1 1 | 0 2");
  CHECK(run("select age, count(*) from T group by 1 order by 2 desc, age") ==
        "age:1,count(*):1 | 10 2 | NULL 1 | 20 1");
  CHECK(run("select gid from T order by -gid") == "gid:1 | 4 | 3 | 2 | 1");
  CHECK(run("select -gid as gid from T order by gid") == "gid:1 | -4 | -3 | -2 | -1");
  CHECK(run("select age from T group by age having sum(gid) + 1 > 4") == "age:1 | NULL | 10");
  CHECK(run("select age from T group by age order by max(gid) desc") == "age:1 | NULL | 10 | 20");
  CHECK(run("select gid from T group by count(*)") ==
        "OTSParameterInvalid: Invalid use of an aggregate function");
  CHECK(run("select max(gid) - min(gid) as v, sum(age) / count(age) as w from T") == "v:1,w:3 | 3 13.333333");
}

TEST_CASE_METHOD(Computed, "rows and values may be distinct") {
  CHECK(run("select distinct age from T") == "age:1 | 10 | 20 | NULL");
  CHECK(run("select distinctrow age from T where age > 0") == "age:1 | 10 | 20");
  CHECK(run("select all age from T where age = 10") == "age:1 | 10 | 10");
  CHECK(run("select count(distinct age), sum(distinct age), count(distinct age, name) from T") ==
        "count(distinct age):1,sum(distinct age):3,count(distinct age, name):1 | 2 30.000000 3");
  CHECK(run("select sum(age, gid) from T").starts_with("OTSParameterInvalid: You have an error"));
}

TEST_CASE_METHOD(Computed, "HAVING without groups and aggregates is about rows") {
  CHECK(run("select gid as g from T having g > 2") == "g:1 | 3 | 4");
  CHECK(run("select count(*) as n from T having n > 9") == "n:1");
  CHECK(run("select 1 as v from T having count(*) > 3") == "v:1 | 1");
}

TEST_CASE_METHOD(Computed, "HAVING looks at groups and the result before the table") {
  CHECK(run("select -gid as gid from T having gid < -3") == "gid:1 | -4");
  CHECK(run("select -gid as gid from T having T.gid > 3") == "gid:1 | -4");
  CHECK(run("select -age as age from T group by T.age having age = 10") == "age:1 | -10");
  CHECK(run("select age as a, max(gid) as uid from T group by age having uid > 3") == "a:1,uid:1 | NULL 4");
  CHECK(run("select -gid as gid from T having sum(gid) > 0") == "gid:1 | -1");
}

TEST_CASE_METHOD(Computed, "items of rows that are not returned are not evaluated") {
  // Each of the rows but the one that is returned would be too much work.
  std::string items = "gid";
  for (int i = 0; i < 55; ++i) items += ", length(repeat('x', 1048576))";
  const auto begin = [&](const std::string& rest) { return run("select " + items + rest); };
  const std::string error = "OTSParameterInvalid: ";
  CHECK(begin(" from T").starts_with(error));
  for (const char* const rest : {" from T limit 1", " from T order by gid limit 1", " from T limit 1, 1",
                                 " from T order by gid desc limit 1 offset 2"}) {
    CAPTURE(rest);
    CHECK_FALSE(begin(rest).starts_with(error));
  }
  CHECK(run("select gid from T limit 0") == "gid:1");
  CHECK(run("select gid from T limit 2, 18446744073709551615") == "gid:1 | 3 | 4");
  CHECK(run("select distinct age from T limit 1, 1") == "age:1 | 20");
}

TEST_CASE_METHOD(Computed, "texts, numbers and comments are those of MySQL") {
  CHECK(value("'a' 'b'   'c'") == "4 | abc");
  CHECK(value("0x4142") == "5 | AB");
  CHECK(value("0x141 = X'0141'") == "1 | 1");
  CHECK(value("1 # one\n + 1") == "1 | 2");
  CHECK(run("select 0x4g").starts_with("OTSParameterInvalid: You have an error"));
}

TEST_CASE_METHOD(Computed, "statements that are not served say so") {
  for (const char* const statement :
       {"show tables like 'T'", "show databases", "explain select 1", "begin", "set a = 1", "use x",
        "truncate table T", "replace into T (gid, uid) values (1, 'a')", "with x as (select 1) select 1",
        "create view v as select 1", "drop view v", "alter view v", "commit", "select 1 union select 2"}) {
    CAPTURE(statement);
    CHECK(run(statement) == "OTSUnsupportOperation: Operation not supported");
  }
  CHECK(run("selekt 1") == "OTSParameterInvalid: You have an error in your SQL syntax near 'selekt 1'");
}

TEST_CASE_METHOD(Computed, "a query needs no table") {
  CHECK(run("select 1 + 1 as v from dual") == "v:1 | 2");
  CHECK(run("select 1 as v from dual where 1 = 0") == "v:1");
  CHECK(run("select 1 + 1 as v") == "v:1 | 2");
  CHECK(run("select 1 as v where 1 = 0") == "v:1");
  CHECK(run("select *") == "OTSParameterInvalid: Unknown column '*'");
  CHECK(response("select 1").consumes.empty());
}

}  // namespace dinette::tablestore::sql_select_test
