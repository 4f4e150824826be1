#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

// What is read is tested in tests/tablestore/browse/browse_test.cc.
namespace dinette::admin::tablestore_test {
namespace {

using tablestore::RowAnswer;
using tablestore::RowQuestion;

ApiOptions answering(tablestore::Browsed<RowAnswer> answer, RowQuestion* asked = nullptr) {
  ApiOptions options;
  options.read_rows = [answer = std::move(answer), asked](tenancy::World&, const RowQuestion& question) {
    if (asked != nullptr) *asked = question;
    return answer;
  };
  return options;
}

}  // namespace

TEST_CASE("tables are listed by instance, with keys, options and indexes") {
  using tablestore::ColumnType;
  ApiOptions options;
  options.list_instances = [](tenancy::World&) {
    tablestore::ListedTable table{.name = "music",
                                  .key = {{"artist", ColumnType::string}, {"id", ColumnType::integer, true}},
                                  .defined_columns = {{"cover", ColumnType::binary}},
                                  .max_versions = 3,
                                  .max_version_offset = 86'400,
                                  .search_indexes = {"words"}};
    table.indexes = {
        {.name = "by_id", .key = {{"id", ColumnType::integer}}, .attributes = {"cover"}, .is_local = true}};
    return std::vector<tablestore::ListedInstance>{{"inst", {table}}};
  };
  Fixture f(options);
  CHECK(f.ok("GET", "/_dinette/tablestore/tables") == TestJson::parse(R"({"world": "default", "instances": [
      {"name": "inst", "tables": [{"name": "music",
        "key": [{"name": "artist", "type": "STRING"},
                {"name": "id", "type": "INTEGER", "autoIncrement": true}],
        "definedColumns": [{"name": "cover", "type": "BINARY"}],
        "timeToLive": -1, "maxVersions": 3, "maxVersionOffset": 86400, "hasStream": false,
        "indexes": [{"name": "by_id", "kind": "LOCAL", "key": [{"name": "id", "type": "INTEGER"}],
                     "attributes": ["cover"]}],
        "searchIndexes": ["words"]}]}]})"));
}

TEST_CASE("rows have the types, versions and values of their cells, numbers as texts") {
  const RowAnswer answer{
      .rows = {{.key = {{"id", std::int64_t{7}}},
                .cells = {{"a", 1'769'847'300'250, std::numeric_limits<std::int64_t>::max()},
                          {"a", 1, 0.1},
                          {"b", 2, true},
                          {"c", 3, std::string("text")},
                          {"d", 4, tablestore::BinaryValue{std::string("\0\xff", 2)}}}}},
      .next = "\xff"};
  Fixture f(answering(answer));
  CHECK(f.ok("GET", "/_dinette/tablestore/rows?instance=inst&table=T") ==
        TestJson::parse(R"({"world": "default", "next": "/w==",
      "rows": [{"key": [{"name": "id", "type": "INTEGER", "value": "7"}], "cells": [
        {"name": "a", "type": "INTEGER", "version": 1769847300250, "value": "9223372036854775807"},
        {"name": "a", "type": "DOUBLE", "version": 1, "value": "0.1"},
        {"name": "b", "type": "BOOLEAN", "version": 2, "value": "true"},
        {"name": "c", "type": "STRING", "version": 3, "value": "text"},
        {"name": "d", "type": "BINARY", "version": 4, "value": "AP8="}]}]})"));
}

TEST_CASE("a question is read from the query") {
  RowQuestion asked;
  Fixture f(answering(RowAnswer(), &asked));
  f.ok(
      "GET",
      "/_dinette/tablestore/rows?instance=inst&table=T&begin=%5B%22a%22%2C-7%5D&end=%5B%5D&direction=backward"
      "&maxVersions=2&from=5&until=9&limit=3&next=/w==");
  CHECK(asked.instance == "inst");
  CHECK(asked.table == "T");
  CHECK(asked.begin == std::vector<std::string>{"a", "-7"});
  CHECK(asked.end.empty());
  CHECK(asked.backward);
  CHECK(asked.max_versions == 2);
  CHECK(asked.time_range == std::pair<std::int64_t, std::int64_t>(5, 9));
  CHECK(asked.limit == 3);
  CHECK(asked.next == "\xff");
  f.ok("GET", "/_dinette/tablestore/rows?instance=inst&table=T");
  CHECK_FALSE(asked.backward);
  CHECK_FALSE(asked.max_versions);
  CHECK_FALSE(asked.time_range);
  CHECK(asked.limit == 20);
}

TEST_CASE("parameters that are wrong, and what the service refuses, are bad requests") {
  Fixture f(answering(base::Failure{tablestore::BrowseRefusal{404, "OTSObjectNotExist", "No such table."}}));
  const std::string start = "/_dinette/tablestore/rows?";
  for (const char* query :
       {"table=T", "instance=inst", "instance=&table=T", "instance=i&table=T&begin=a",
        "instance=i&table=T&begin=%7B%7D", "instance=i&table=T&end=%5B1.5%5D",
        "instance=i&table=T&end=%5B%5B1%5D%5D", "instance=i&table=T&direction=up",
        "instance=i&table=T&maxVersions=0", "instance=i&table=T&limit=101", "instance=i&table=T&from=-1",
        "instance=i&table=T&next=*", "instance=i&table=T&next=", "instance=i&table=T&world=none"}) {
    INFO(query);
    const Response response = f.send("GET", start + query);
    CHECK(response.status == 400);
    CHECK(response.message().find("OTSObjectNotExist") == std::string::npos);
  }
  const Response refused = f.send("GET", start + "instance=inst&table=T");
  CHECK(refused.status == 400);
  CHECK(refused.message() == "OTSObjectNotExist: No such table.");
  Fixture broken(answering(base::Failure{tablestore::BrowseRefusal{500, "OTSInternalServerError", "no"}}));
  CHECK(broken.send("GET", start + "instance=inst&table=T").status == 500);
}

TEST_CASE("an array that nests deep is no key") {
  Fixture f(answering(RowAnswer()));
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  CHECK(f.send("GET", "/_dinette/tablestore/rows?instance=inst&table=T&begin=" + deep).status == 400);
}

}  // namespace dinette::admin::tablestore_test
