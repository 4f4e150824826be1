#include "lambda/filters/record_filter.h"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

// docs/service/triggers.md section 4.
namespace dinette::lambda::record_filter_test {
namespace {

RecordFilter filter(StreamKind kind, std::string_view pattern) {
  const std::vector<std::string_view> patterns{pattern};
  return {FilterCriteria::read(patterns).value(), kind};
}

std::string kinesis_record(std::string_view data) {
  return R"({"kinesis":{"partitionKey":"p1","data":")" + base::base64_encode(data) +
         R"("},"eventName":"aws:kinesis:record"})";
}

}  // namespace

TEST_CASE("patterns see the data of a Kinesis record as the JSON that it is") {
  const RecordFilter open = filter(StreamKind::kinesis, R"({"data":{"state":["open"]}})");
  CHECK(open.admits(kinesis_record(R"({"state":"open","n":1})")));
  CHECK_FALSE(open.admits(kinesis_record(R"({"state":"closed"})")));
}

TEST_CASE("data that is no JSON object matches no pattern for data") {
  const RecordFilter any = filter(StreamKind::kinesis, R"({"data":{"state":[{"exists":true}]}})");
  for (const char* data : {"", "open", "5", "[1]", "{\"state\":"})
    CHECK_FALSE(any.admits(kinesis_record(data)));
}

TEST_CASE("what else is known of a Kinesis record is at the top level, too") {
  CHECK(filter(StreamKind::kinesis, R"({"partitionKey":["p1"]})").admits(kinesis_record("no JSON")));
  CHECK_FALSE(filter(StreamKind::kinesis, R"({"partitionKey":["p2"]})").admits(kinesis_record("no JSON")));
  CHECK(filter(StreamKind::kinesis, R"({"eventName":["aws:kinesis:record"]})").admits(kinesis_record("")));
}

TEST_CASE("a record of a table is matched as it is") {
  const RecordFilter inserts = filter(StreamKind::dynamodb, R"({"eventName":["INSERT"]})");
  CHECK(inserts.admits(R"({"eventName":"INSERT"})"));
  CHECK_FALSE(inserts.admits(R"({"eventName":"REMOVE"})"));
  CHECK_FALSE(inserts.admits("no JSON"));
}

TEST_CASE("without patterns every record is admitted") {
  const RecordFilter none(FilterCriteria::read({}).value(), StreamKind::kinesis);
  CHECK(none.admits("no JSON"));
}

}  // namespace dinette::lambda::record_filter_test
