#include "dynamodb/batch.h"

namespace test {

Json with_pk(std::string_view pk) {
  return {{"pk", {{"S", pk}}}};
}

Json numbered_keys(int count) {
  Json keys = Json::array();
  for (int i = 1; i <= count; ++i) keys.push_back(with_pk(std::to_string(i)));
  return keys;
}

Json put_request(Json item) {
  return {{"PutRequest", {{"Item", std::move(item)}}}};
}

Json delete_request(Json key) {
  return {{"DeleteRequest", {{"Key", std::move(key)}}}};
}

Json numbered_puts(int count) {
  Json puts = Json::array();
  for (int i = 1; i <= count; ++i) puts.push_back(put_request(with_pk(std::to_string(i))));
  return puts;
}

Json batch(Json request_items, const Json& wishes) {
  Json request = {{"RequestItems", std::move(request_items)}};
  request.update(wishes);
  return request;
}

std::string arn_of(std::string_view table) {
  return "arn:aws:dynamodb:us-east-1:000000000000:table/" + std::string(table);
}

}  // namespace test
