#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/one_item.h"

// A request costs by its length, too: what is long, or may be when unpacked, is not answered on an event
// loop.
namespace test::long_requests_test {
namespace {

/// A PutItem of exactly so many bytes.
std::string put_of(std::size_t bytes) {
  const std::string front = R"({"TableName":"Tab","Item":{"pk":{"S":"a"},"t":{"S":")";
  const std::string back = R"("}}})";
  return front + std::string(bytes - front.size() - back.size(), 'x') + back;
}

}  // namespace

TEST_CASE("a long request is not answered on an event loop, and does nothing there", "[own engine]") {
  DynamoDb db;
  db.create_table(test::the_table);
  constexpr std::size_t limit = dinette::dynamodb::model::limits::loop_request_bytes;
  CHECK_FALSE(db.call_on_loop("PutItem", put_of(limit + 1)));
  CHECK(db.get(test::the_table, test::key_a).is_null());
  CHECK(db.call("PutItem", put_of(limit + 1)).status == 200);

  const auto shorter = db.call_on_loop("PutItem", put_of(limit));
  REQUIRE(shorter);
  CHECK(shorter->status == 200);
}

TEST_CASE("a packed request is not unpacked on an event loop") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string packed = dinette::base::compress(dinette::base::Compression::gzip, put_of(1'000));
  const Headers gzip = {{"Content-Encoding", "gzip"}};
  CHECK_FALSE(db.call_on_loop("PutItem", packed, gzip));
  CHECK(db.get(test::the_table, test::key_a).is_null());
  CHECK(db.call("PutItem", packed, gzip).status == 200);
  CHECK_FALSE(db.get(test::the_table, test::key_a).is_null());
}

}  // namespace test::long_requests_test
