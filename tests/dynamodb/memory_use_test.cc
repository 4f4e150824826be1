#include <cstddef>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"
#include "support/failing_new.h"

// A program of its own with out_of_memory_test.cc: support/failing_new.cc counts what is allocated.
namespace test::memory_use_test {
namespace {

/// Bytes allocated by an update, which succeeds, of an item with the list `l` of 20,000 elements.
std::size_t allocated_by(const std::string& expression) {
  DynamoDb db;
  db.create_table(test::the_table);
  std::string elements = R"({"S":""})";
  for (int i = 1; i < 20'000; ++i) elements += R"(,{"S":""})";
  test::store_item(db, R"("l":{"L":[)" + elements + "]}");
  const std::string members = test::update(expression, R"(":e":{"L":[{"S":""}]})");
  const std::string body = test::about_one_item("UpdateItem", members);
  const std::size_t before = dinette::test::allocated_bytes;
  const Reply reply = db.call("UpdateItem", body);
  const std::size_t allocated = dinette::test::allocated_bytes - before;
  CHECK(reply.status == 200);
  return allocated;
}

std::string nested_list_append(int calls) {
  std::string expression = "l";
  for (int i = 0; i < calls; ++i) expression = "list_append(:e, if_not_exists(x, " + expression + "))";
  return "SET m = " + expression;
}

}  // namespace

TEST_CASE("nested calls of list_append copy a long list once") {
  CHECK(allocated_by(nested_list_append(80)) < allocated_by(nested_list_append(1)) * 3 / 2);
}

}  // namespace test::memory_use_test
