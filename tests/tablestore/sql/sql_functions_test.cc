#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "tablestore/sql/budget.h"
#include "tablestore/sql/mapped.h"
#include "tablestore/sql/sql_value.h"

// tablestore/sql.md section 6. Expected values are those that MySQL 5.7 documents.
namespace dinette::tablestore::sql_functions_test {

using namespace test;

/// What a function returns: its type and value.
class Called : public Mapped {
 public:
  std::string value(const std::string& expression) { return run("select " + expression + " as v").substr(2); }
};

TEST_CASE_METHOD(Called, "functions of texts") {
  CHECK(value("concat('My', 'S', 'QL')") == "4 | MySQL");
  CHECK(value("concat('My', null, 'QL')") == "4 | NULL");
  CHECK(value("concat(14.3)") == "4 | 14.3");
  CHECK(value("concat(1e20, ' ', 100000.0, ' ', 1e-7)") == "4 | 1e20 100000 1e-7");
  CHECK(value("concat_ws(',', 'First', null, 'Last')") == "4 | First,Last");
  CHECK(value("length('text')") == "1 | 4");
  CHECK(value("length('d\xc3\xa9')") == "1 | 3");
  CHECK(value("char_length('d\xc3\xa9')") == "1 | 2");
  CHECK(value("upper('Hej')") == "4 | HEJ");
  CHECK(value("lower('QUADRATICALLY')") == "4 | quadratically");
  CHECK(value("substring('Quadratically', 5)") == "4 | ratically");
  CHECK(value("substring('foobarbar' from 4)") == "4 | barbar");
  CHECK(value("substring('Quadratically', 5, 6)") == "4 | ratica");
  CHECK(value("substring('Sakila', -3)") == "4 | ila");
  CHECK(value("substring('Sakila', -5, 3)") == "4 | aki");
  CHECK(value("substring('Sakila' from -4 for 2)") == "4 | ki");
  CHECK(value("substring('Sakila', 0)") == "4 | ");
  CHECK(value("left('foobarbar', 5)") == "4 | fooba");
  CHECK(value("right('foobarbar', 4)") == "4 | rbar");
  CHECK(value("trim('  bar   ')") == "4 | bar");
  CHECK(value("trim(leading 'x' from 'xxxbarxxx')") == "4 | barxxx");
  CHECK(value("trim(both 'x' from 'xxxbarxxx')") == "4 | bar");
  CHECK(value("trim(trailing 'xyz' from 'barxxyz')") == "4 | barx");
  CHECK(value("concat(ltrim('  a'), rtrim('b  '))") == "4 | ab");
  CHECK(value("replace('www.mysql.com', 'w', 'Ww')") == "4 | WwWwWw.mysql.com");
  CHECK(value("locate('bar', 'foobarbar')") == "1 | 4");
  CHECK(value("locate('bar', 'foobarbar', 5)") == "1 | 7");
  CHECK(value("instr('xbar', 'foobar')") == "1 | 0");
  CHECK(value("position('bar' in 'foobarbar')") == "1 | 4");
  CHECK(value("substring_index('www.mysql.com', '.', 2)") == "4 | www.mysql");
  CHECK(value("substring_index('www.mysql.com', '.', -2)") == "4 | mysql.com");
  CHECK(value("substring_index('aaa', 'aa', -1)") == "4 | a");
  CHECK(value("substring_index('aaa', 'aa', 1)") == "4 | ");
  CHECK(value("substring_index('a.b.c', '.', 3)") == "4 | a.b.c");
  CHECK(value("substring_index('a.b.c', '.', -3)") == "4 | a.b.c");
  CHECK(value("substring_index('a.b.c', '.', -1)") == "4 | c");
  CHECK(value("repeat('MySQL', 3)") == "4 | MySQLMySQLMySQL");
  CHECK(value("reverse('abc')") == "4 | cba");
  CHECK(value("lpad('hi', 5, 'xy')") == "4 | xyxhi");
  CHECK(value("lpad('hi', 1, 'xy')") == "4 | h");
  CHECK(value("rpad('hi', 5, '?')") == "4 | hi???");
  CHECK(value("ascii('dx')") == "1 | 100");
  CHECK(value("strcmp('text', 'text2')") == "1 | -1");
  CHECK(value("field('Bb', 'Aa', 'Bb', 'Cc')") == "1 | 2");
  CHECK(value("elt(2, 'Aa', 'Bb')") == "4 | Bb");
  CHECK(value("hex('abc')") == "4 | 616263");
  CHECK(value("hex(255)") == "4 | FF");
  CHECK(value("hex(2.5)") == "4 | 3");
}

TEST_CASE_METHOD(Called, "functions of numbers") {
  CHECK(value("abs(-32)") == "1 | 32");
  CHECK(value("abs(-9223372036854775808)") == "1 | NULL");
  CHECK(value("sign(-32)") == "1 | -1");
  CHECK(value("ceil(1.23)") == "3 | 2.000000");
  CHECK(value("ceiling(-1.23)") == "3 | -1.000000");
  CHECK(value("floor(-1.23)") == "3 | -2.000000");
  CHECK(value("floor(7)") == "1 | 7");
  CHECK(value("round(-1.23)") == "3 | -1.000000");
  CHECK(value("round(-1.58)") == "3 | -2.000000");
  CHECK(value("round(1.298, 1)") == "3 | 1.300000");
  CHECK(value("round(23.298, -1)") == "3 | 20.000000");
  CHECK(value("round(25e-1)") == "3 | 3.000000");
  CHECK(value("round(2.5)") == "3 | 3.000000");
  CHECK(value("round(-2.5)") == "3 | -3.000000");
  CHECK(value("round(1.005, 2)") == "3 | 1.010000");
  CHECK(value("round(25, -1)") == "1 | 30");
  CHECK(value("truncate(1.999, 1)") == "3 | 1.900000");
  CHECK(value("truncate(-1.999, 1)") == "3 | -1.900000");
  CHECK(value("truncate(122, -2)") == "1 | 100");
  CHECK(value("mod(234, 10)") == "1 | 4");
  CHECK(value("mod(1, 0)") == "1 | NULL");
  CHECK(value("pow(2, -2)") == "3 | 0.250000");
  CHECK(value("sqrt(20)") == "3 | 4.472136");
  CHECK(value("sqrt(-16)") == "3 | NULL");
  CHECK(value("ln(-2)") == "3 | NULL");
  CHECK(value("log(2, 65536)") == "3 | 16.000000");
  CHECK(value("log2(65536)") == "3 | 16.000000");
  CHECK(value("log10(100)") == "3 | 2.000000");
  CHECK(value("degrees(pi())") == "3 | 180.000000");
  CHECK(value("greatest(2, 0)") == "1 | 2");
  CHECK(value("least(34.0, 3.0, 5.0, 767.0)") == "3 | 3.000000");
  CHECK(value("greatest('B', 'A', 'C')") == "4 | C");
  CHECK(value("least(1, null)") == "1 | NULL");
}

TEST_CASE_METHOD(Called, "functions of dates") {
  const auto text = [&](const std::string& expression) { return value("concat(" + expression + ")"); };
  CHECK(value("year('1987-01-01')") == "1 | 1987");
  CHECK(value("month('2008-02-03')") == "1 | 2");
  CHECK(value("dayofmonth('2007-02-03')") == "1 | 3");
  CHECK(value("hour('10:05:03')") == "1 | 10");
  CHECK(value("hour('272:59:59')") == "1 | 272");
  CHECK(value("minute('2008-02-03 10:05:03')") == "1 | 5");
  CHECK(value("second('10:05:03')") == "1 | 3");
  CHECK(value("microsecond('2009-12-31 23:59:59.000010')") == "1 | 10");
  CHECK(value("quarter('2008-04-01')") == "1 | 2");
  CHECK(value("dayofweek('2007-02-03')") == "1 | 7");
  CHECK(value("weekday('2008-02-03 22:23:00')") == "1 | 6");
  CHECK(value("dayofyear('2007-02-03')") == "1 | 34");
  CHECK(value("dayname('2007-02-03')") == "4 | Saturday");
  CHECK(value("monthname('2008-02-03')") == "4 | February");
  CHECK(value("week('2008-02-20')") == "1 | 7");
  CHECK(value("week('2008-02-20', 1)") == "1 | 8");
  CHECK(value("week('2008-12-31', 1)") == "1 | 53");
  CHECK(value("week('2000-01-01', 2)") == "1 | 52");
  CHECK(value("weekofyear('2008-02-20')") == "1 | 8");
  CHECK(value("yearweek('1987-01-01')") == "1 | 198652");
  CHECK(text("last_day('2004-02-05')") == "4 | 2004-02-29");
  CHECK(value("last_day('2003-03-32')") == "7.2 | NULL");
  CHECK(value("to_days('2007-10-07')") == "1 | 733321");
  CHECK(text("from_days(730669)") == "4 | 2000-07-03");
  CHECK(value("time_to_sec('22:23:00')") == "1 | 80580");
  CHECK(text("sec_to_time(2378)") == "4 | 00:39:38");
  CHECK(value("datediff('2007-12-31 23:59:59', '2007-12-30')") == "1 | 1");
  CHECK(value("datediff('2010-11-30 23:59:59', '2010-12-31')") == "1 | -31");
  CHECK(value("timestampdiff(month, '2003-02-01', '2003-05-01')") == "1 | 3");
  CHECK(value("timestampdiff(YEAR, '2002-05-01', '2001-01-01')") == "1 | -1");
  CHECK(value("timestampdiff(minute, '2003-02-01', '2003-05-01 12:05:55')") == "1 | 128885");
  CHECK(value("extract(year from '2019-07-02')") == "1 | 2019");
  CHECK(value("extract(microsecond from '2003-01-02 10:30:00.000123')") == "1 | 123");
  CHECK(value("unix_timestamp('2015-11-13 10:20:19')") == "1 | 1447410019");
  CHECK(text("from_unixtime(1447430881)") == "4 | 2015-11-13 16:08:01");
  CHECK(value("from_unixtime(1447430881, '%Y %D %M %h:%i:%s %x')") == "4 | 2015 13th November 04:08:01 2015");
  CHECK(text("date '2026-01-31'") == "4 | 2026-01-31");
  CHECK(value("year(20260131)") == "1 | 2026");
  CHECK(value("year(260131)") == "1 | 2026");
  CHECK(value("year(991231081500)") == "1 | 1999");
  CHECK(text("timestamp('2026-01-31 08:15')") == "4 | 2026-01-31 08:15:00");
  CHECK(value("minute('10:30')") == "1 | 30");
  CHECK(value("minute('10:60')") == "1 | NULL");
  CHECK(text("time('999:00:00')") == "4 | 838:59:59");
}

TEST_CASE_METHOD(Called, "texts and numbers are read as times") {
  const auto time = [&](const std::string& read) { return value("concat(time(" + read + "))").substr(4); };
  CHECK(time("'101112'") == "10:11:12");
  CHECK(time("'10:11'") == "10:11:00");
  CHECK(time("'12'") == "00:00:12");
  CHECK(time("120000") == "12:00:00");
  CHECK(time("-1") == "-00:00:01");
  CHECK(time("'3:4:5'") == "03:04:05");
  CHECK(time("'1 02:03:04'") == "26:03:04");
  CHECK(time("'1 02'") == "26:00:00");
  CHECK(time("'-10:11:12.5'") == "-10:11:12.500000");
  CHECK(time("'900:00:00'") == "838:59:59");
  CHECK(time("9000000") == "838:59:59");
  CHECK(time("'999999999 00:00:00'") == "838:59:59");
  CHECK(time("'2026-01-31 08:15:00'") == "08:15:00");
  CHECK(time("20260131081500") == "08:15:00");
  CHECK(time("1260") == "NULL");
  CHECK(time("'x'") == "NULL");
  CHECK(time("'9999999999'") == "NULL");
}

TEST_CASE_METHOD(Called, "texts are read as dates") {
  const auto date = [&](const std::string& read) { return value("concat(date('" + read + "'))").substr(4); };
  CHECK(date("2020/01/02") == "2020-01-02");
  CHECK(date("20-1-2") == "2020-01-02");
  CHECK(date("70-1-2") == "1970-01-02");
  CHECK(date("2020-01-02x") == "2020-01-02");
  CHECK(date("2020.1.2 10@11") == "2020-01-02");
  CHECK(date("20200102") == "2020-01-02");
  CHECK(date("200102101112.5") == "2020-01-02");
  CHECK(date("2020-01") == "NULL");
  CHECK(date("2020-257-02") == "NULL");
  CHECK(date("2020-01-02 10:60") == "NULL");
  CHECK(value("hour('2020/01/02 10:11:12')") == "1 | 10");
  CHECK(value("from_unixtime(0) = '1970/1/1'") == "1 | 1");
}

TEST_CASE_METHOD(Called, "units of several parts are extracted and added") {
  const auto part = [&](const std::string& unit) {
    return value("extract(" + unit + " from '2003-07-02 10:30:05.000123')").substr(4);
  };
  CHECK(part("year_month") == "200307");
  CHECK(part("day_hour") == "210");
  CHECK(part("day_minute") == "21030");
  CHECK(part("day_second") == "2103005");
  CHECK(part("day_microsecond") == "2103005000123");
  CHECK(part("hour_minute") == "1030");
  CHECK(part("hour_second") == "103005");
  CHECK(part("hour_microsecond") == "103005000123");
  CHECK(part("minute_second") == "3005");
  CHECK(part("minute_microsecond") == "3005000123");
  CHECK(part("second_microsecond") == "5000123");
  CHECK(value("extract(hour_minute from '-10:30:00')") == "1 | -1030");
  CHECK(value("date_add('1992-12-31 23:59:59.000002', interval '1.999999' second_microsecond)") ==
        "4 | 1993-01-01 00:00:01.000001");
  CHECK(value("date_add('2020-01-01', interval '1.5' second_microsecond)") ==
        "4 | 2020-01-01 00:00:01.500000");
  CHECK(value("date_add('2020-01-01', interval '1 2:3:4.5' day_microsecond)") ==
        "4 | 2020-01-02 02:03:04.500000");
  CHECK(value("date_add('2020-01-01', interval '1:2:3' minute_second)") == "1 | NULL");
  const std::string error = "OTSParameterInvalid: You have an error in your SQL syntax near ";
  CHECK(run("select extract(none from '2020-01-01')") == error + "'none from '2020-01-01')'");
  CHECK(run("select '2020-01-01' + interval 1 none") == error + "'none'");
  CHECK(run("select timestampadd(day_hour, 1, '2020-01-01')") == error + "'day_hour, 1, '2020-01-01')'");
}

TEST_CASE_METHOD(Called, "intervals are added to dates") {
  CHECK(value("date_add('2018-05-01', interval 1 day)") == "4 | 2018-05-02");
  CHECK(value("date_sub('2018-05-01', interval 1 year)") == "4 | 2017-05-01");
  CHECK(value("date_add('2020-12-31 23:59:59', interval 1 second)") == "4 | 2021-01-01 00:00:00");
  CHECK(value("date_add('2018-12-31 23:59:59', interval 1 day)") == "4 | 2019-01-01 23:59:59");
  CHECK(value("date_add('2100-12-31 23:59:59', interval '1:1' minute_second)") == "4 | 2101-01-01 00:01:00");
  CHECK(value("date_sub('2025-01-01 00:00:00', interval '1 1:1:1' day_second)") == "4 | 2024-12-30 22:58:59");
  CHECK(value("date_add('1900-01-01 00:00:00', interval '-1 10' day_hour)") == "4 | 1899-12-30 14:00:00");
  CHECK(value("date_sub('1998-01-02', interval 31 day)") == "4 | 1997-12-02");
  CHECK(value("date_add('2009-01-30', interval 1 month)") == "4 | 2009-02-28");
  CHECK(value("'2018-12-31 23:59:59' + interval 1 second") == "4 | 2019-01-01 00:00:00");
  CHECK(value("adddate('2008-01-02', 31)") == "4 | 2008-02-02");
  CHECK(value("concat(date(from_unixtime(0)) - interval 1 day)") == "4 | 1969-12-31");
  CHECK(value("concat(timestampadd(minute, 1, '2003-01-02'))") == "4 | 2003-01-02 00:01:00");
  CHECK(value("date_add('9999-12-31', interval 1 day)") == "1 | NULL");
  CHECK(value("date_add('x', interval 1 day)") == "1 | NULL");
}

TEST_CASE_METHOD(Called, "dates have formats") {
  const auto format = [&](std::string_view date, std::string_view wanted) {
    return value("date_format('" + std::string(date) + "', '" + std::string(wanted) + "')");
  };
  CHECK(format("2009-10-04 22:23:00", "%W %M %Y") == "4 | Sunday October 2009");
  CHECK(format("2007-10-04 22:23:00", "%H:%i:%s") == "4 | 22:23:00");
  CHECK(format("1900-10-04 22:23:00", "%D %y %a %d %m %b %j") == "4 | 4th 00 Thu 04 10 Oct 277");
  CHECK(format("1997-10-04 22:23:00", "%H %k %I %r %T %S %w") == "4 | 22 22 10 10:23:00 PM 22:23:00 00 6");
  CHECK(format("1999-01-01", "%X %V") == "4 | 1998 52");
  CHECK(format("2026-01-31", "%Q %%") == "4 | Q %");
  CHECK(value("date_format('x', '%Y')") == "4 | NULL");
}

TEST_CASE_METHOD(Called, "what is now is what the clock of the server says") {
  CHECK(value("now() = current_timestamp") == "1 | 1");
  CHECK(value("date(now()) = curdate()") == "1 | 1");
  CHECK(value("unix_timestamp() = unix_timestamp(now())") == "1 | 1");
  CHECK(run("select now() as v").starts_with("v:7.1 | "));
  CHECK(value("microsecond(now())") == "1 | 0");
  CHECK(value("now(6) between now(3) and now(3) + interval 999 microsecond") == "1 | 1");
  CHECK(value("current_timestamp(0) = now()") == "1 | 1");
}

TEST_CASE_METHOD(Called, "values that are written may be computed") {
  CHECK(run("insert into T (gid, uid, age, name) values (7, 'n', unix_timestamp(), concat('a', 1))") == "ok");
  CHECK(run("select age = unix_timestamp() as v, name from T where gid = 7") == "v:1,name:4 | 1 a1");
  CHECK(run("update T set name = upper('b') where gid = 3 + 4 and uid = lower('N')") == "ok");
  CHECK(run("select name from T where gid = 7") == "name:4 | B");
  CHECK(run("insert into T (gid, uid) values ((select 8), 'n')") ==
        "OTSParameterInvalid: Values must be constants");
}

TEST_CASE_METHOD(Called, "functions that choose") {
  CHECK(value("if(1 > 2, 2, 3)") == "1 | 3");
  CHECK(value("if(null, 'yes', 'no')") == "4 | no");
  CHECK(value("ifnull(1, 0)") == "1 | 1");
  CHECK(value("ifnull(null, 10)") == "1 | 10");
  CHECK(value("nullif(1, 1)") == "1 | NULL");
  CHECK(value("nullif(1, 2)") == "1 | 1");
  CHECK(value("coalesce(null, 1)") == "1 | 1");
  CHECK(value("coalesce(null, null, null)") == "1 | NULL");
  CHECK(value("isnull(1 / 0)") == "1 | 1");
}

TEST_CASE_METHOD(Called, "values become other types") {
  CHECK(value("cast('12abc' as signed)") == "1 | 12");
  CHECK(value("cast(' +7' as signed)") == "1 | 7");
  CHECK(value("cast('1e3' as signed)") == "1 | 1");
  CHECK(value("cast('9223372036854775807' as signed)") == "1 | 9223372036854775807");
  CHECK(value("cast('99999999999999999999' as signed)") == "1 | 9223372036854775807");
  CHECK(value("cast('-99999999999999999999' as signed)") == "1 | -9223372036854775808");
  CHECK(value("cast(1.5 as signed)") == "1 | 2");
  CHECK(value("cast('1.9' as signed)") == "1 | 1");
  CHECK(value("convert(10, char)") == "4 | 10");
  CHECK(value("cast(12345 as char(3))") == "4 | 123");
  CHECK(value("cast('1.5x' as decimal(10, 2))") == "3 | 1.500000");
  CHECK(value("cast(1e20 as signed)") == "1 | 9223372036854775807");
  CHECK(value("cast(-1e20 as signed)") == "1 | -9223372036854775808");
  CHECK(value("cast(2.5 as decimal)") == "3 | 3.000000");
  CHECK(value("cast(-1.005 as decimal(5, 2))") == "3 | -1.010000");
  CHECK(value("cast(1234.5 as decimal(4, 2))") == "3 | 99.990000");
  CHECK(run("select cast(1 as decimal(2, 3))").starts_with("OTSParameterInvalid: You have an error"));
  CHECK(value("1e-400") == "3 | 0.000000");
  CHECK(run("select 1e400") == "OTSParameterInvalid: Illegal double '1e400' value found during parsing");
  CHECK(value("cast('2026-01-31' as date)") == "7.2 | 1769817600");
  CHECK(value("cast(null as signed)") == "1 | NULL");
  CHECK(run("select cast(1 as thing)") == "OTSParameterInvalid: Unknown column type 'thing'");
}

TEST_CASE_METHOD(Called, "functions of JSON") {
  CHECK(value("json_extract('[10, 20, [30, 40]]', '$[1]')") == "4 | 20");
  CHECK(value("json_extract('[10, 20, [30, 40]]', '$[1]', '$[0]')") == "4 | [20, 10]");
  CHECK(value("json_extract('[10, 20, [30, 40]]', '$[2][*]')") == "4 | [30, 40]");
  CHECK(value(R"(json_extract('{"id": 14, "name": "Aztalan"}', '$.name'))") == "4 | \"Aztalan\"");
  CHECK(value(R"(json_extract('{"bb":1,"a":[1,2]}', '$'))") == R"(4 | {"a": [1, 2], "bb": 1})");
  CHECK(value(R"(json_extract('{"a b": 1}', '$."a b"'))") == "4 | 1");
  CHECK(value(R"(json_extract('{"a": {"b": 1}}', '$.*.b'))") == "4 | [1]");
  CHECK(value(R"(json_unquote('"abc"'))") == "4 | abc");
  CHECK(value("json_unquote('[1, 2, 3]')") == "4 | [1, 2, 3]");
  CHECK(value("json_extract('{}', '$.none')") == "4 | NULL");
  CHECK(value("json_extract('no JSON', '$')") == "4 | NULL");
  CHECK(value("json_extract('[1]', 'no path')") == "4 | NULL");
  CHECK(value("json_valid('" + std::string(101, '[') + std::string(101, ']') + "')") == "1 | 0");
  table.put(key(5, "a"), {{.name = "name", .value = Value::string(R"({"a": {"b": "x"}})")}});
  CHECK(run("select name->'$.a.b' as v, name->>'$.a.b' as w from T where gid = 5") == "v:4,w:4 | \"x\" x");
  CHECK(run("select gid from T where name->>'$.a.b' = 'x'") == "gid:1 | 5");
}

TEST_CASE_METHOD(Called, "functions have their arguments") {
  CHECK(run("select left('a')") ==
        "OTSParameterInvalid: Incorrect parameter count in the call to function 'left'");
  CHECK(run("select now(1, 2, 3)") ==
        "OTSParameterInvalid: Incorrect parameter count in the call to function 'now'");
  CHECK(run("select none(1)") == "OTSParameterInvalid: Unknown function 'none'");
}

TEST_CASE_METHOD(Called, "texts that functions make have a limit") {
  CHECK(value("length(repeat('x', 1048576))") == "1 | 1048576");
  CHECK(value("repeat('x', 1048577)") == "4 | NULL");
  CHECK(value("space(9000000000)") == "4 | NULL");
  CHECK(value("lpad('x', 1048577, 'y')") == "4 | NULL");
  CHECK(value("length(replace(repeat('x', 4000), 'x', repeat('y', 4000)))") == "1 | NULL");
  CHECK(value("locate(repeat('x', 1025), 'x')") == "1 | NULL");
  CHECK(value("json_extract('1', concat('$', repeat('[0]', 341)))") == "4 | 1");
  CHECK(value("json_extract('1', concat('$', repeat('[0]', 342)))") == "4 | NULL");
}

/// Returns so many of a part, divided by a sign.
std::string many(int count, const std::string& part, std::string_view sign) {
  std::string all = part;
  for (int i = 1; i < count; ++i) all += std::string(sign) + part;
  return all;
}

TEST_CASE_METHOD(Called, "work on texts is limited", "[volume]") {
  const std::string too_much =
      "OTSParameterInvalid: The statement joins or reads too many rows, or handles too many texts: the limit "
      "is 2000000";
  // Each text is looked through for one that is long.
  const std::string replaced = "length(replace(repeat('y', 1048576), repeat('x', 1024), ''))";
  CHECK(run("select " + many(2, replaced, "+") + " as v") == "v:1 | 2097152");
  CHECK(run("select " + many(20, replaced, "+")) == too_much);
  // Each byte that a function looks at counts, of JSON several times, and what it makes.
  const std::string longest = "repeat('x', 1048576)";
  CHECK(run("select length(" + longest + ") as v") == "v:1 | 1048576");
  for (const char* const called : {"reverse(", "trim(", "hex(", "json_valid("})
    CHECK(run("select " + many(60, "(" + (called + longest) + ") is null)", "+")) == too_much);
  // Steps of a path find the same again and again.
  const std::string all = many(55, "length(" + longest + ")", "+");
  const std::string path = "concat('$[*]', repeat('[0]', 250))";
  const std::string extracted =
      "(json_extract(concat('[0', repeat(',0', 50000), ']'), " + path + ") is null)";
  CHECK(run("select " + all + " as v") == "v:1 | 57671680");
  CHECK(run("select " + extracted + " as v") == "v:1 | 0");
  CHECK(run("select " + all + "+" + extracted) == too_much);
  // A pattern that is tried at each place.
  sql::Budget budget;
  budget.spend(1'999'950);
  const std::string text(10'000, 'a');
  const std::string pattern = '%' + std::string(1000, 'a') + 'b';
  CHECK_FALSE(sql::is_like(text, pattern, '\\', &budget));
  CHECK(budget.is_spent());
  CHECK(sql::is_like(text, "%" + std::string(1000, 'a'), '\\', nullptr));
}

TEST_CASE_METHOD(Called, "values that are there at once are limited") {
  const std::string too_large =
      "OTSParameterInvalid: The rows and values of the statement exceed the limit: 67108864 bytes";
  const std::string longest = "repeat('x', 1048576)";
  CHECK(run("select concat_ws(''," + many(70, longest, ",") + ")") == too_large);
  CHECK(run("select " + many(70, longest, ",")) == too_large);
  CHECK(run("insert into T (gid, uid, name) values " + many(70, "(9, 'n', " + longest + ")", ",")) ==
        too_large);
}

}  // namespace dinette::tablestore::sql_functions_test
