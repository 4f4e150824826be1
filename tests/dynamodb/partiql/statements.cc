#include "dynamodb/partiql/statements.h"

#include <catch2/catch.hpp>

namespace test {

std::string statement(std::string_view text, std::string_view members) {
  std::string body = R"({"Statement": )" + Json(text).dump();
  if (!members.empty()) body.append(", ").append(members);
  return body + "}";
}

Reply execute(DynamoDb& db, std::string_view text, std::string_view members) {
  return db.call("ExecuteStatement", statement(text, members));
}

Json executed(DynamoDb& db, std::string_view text, std::string_view members) {
  const Reply reply = execute(db, text, members);
  INFO(text << " " << members << " -> " << reply.body);
  REQUIRE(reply.status == 200);
  return reply.json();
}

Json selected(DynamoDb& db, std::string_view text, std::string_view members) {
  return executed(db, text, members).at("Items");
}

std::string parameters(std::string_view values) {
  return R"("Parameters": [)" + std::string(values) + "]";
}

void check_refused_statement(DynamoDb& db, std::string_view text, std::string_view message,
                             std::string_view members) {
  const Reply reply = execute(db, text, members);
  INFO(text.substr(0, 500) << " " << members << " -> " << reply.status);
  CHECK(reply.refusal() == message);
}

void check_refused_statements(DynamoDb& db, std::initializer_list<RefusedStatement> refusals) {
  for (const RefusedStatement& refusal : refusals) check_refused_statement(db, refusal.text, refusal.message);
}

std::string ill_formed(std::string_view problem) {
  return std::string(not_well_formed).append(problem);
}

Json capacity_of(DynamoDb& db, std::string_view text, std::string_view members) {
  std::string wishes = R"("ReturnConsumedCapacity": "INDEXES")";
  if (!members.empty()) wishes.append(", ").append(members);
  return executed(db, text, wishes).at("ConsumedCapacity");
}

std::vector<Json> pages_of_statement(DynamoDb& db, std::string_view text, std::string_view members) {
  std::vector<Json> pages = {executed(db, text, members)};
  while (pages.back().contains("NextToken")) {
    REQUIRE(pages.size() < 10'000);
    std::string next = R"("NextToken": )" + pages.back().at("NextToken").dump();
    if (!members.empty()) next.append(", ").append(members);
    pages.push_back(executed(db, text, next));
  }
  return pages;
}

}  // namespace test
