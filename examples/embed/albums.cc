// A DynamoDB in this process, whose clock moves when the program says so.

#include <chrono>
#include <iostream>
#include <string>

#include <dinette/embedded.h>

std::string call(dinette::Embedded& dynamodb, const char* operation, const char* json) {
  const dinette::EmbeddedReply reply = dynamodb.call(operation, json);
  std::cout << operation << " " << reply.status << "\n";
  return reply.json;
}

int main() {
  dinette::Embedded dynamodb;
  call(dynamodb, "CreateTable", R"({
    "TableName": "Albums",
    "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST"})");
  call(dynamodb, "UpdateTimeToLive", R"({
    "TableName": "Albums",
    "TimeToLiveSpecification": {"AttributeName": "until", "Enabled": true}})");

  dynamodb.set_time(std::chrono::sys_days(std::chrono::year(2030) / 1 / 1));
  call(dynamodb, "PutItem", R"({
    "TableName": "Albums",
    "Item": {"artist": {"S": "Nina Simone"}, "until": {"N": "1893456060"}}})");

  dynamodb.advance(std::chrono::hours(25));  // the item's time to live is over
  std::cout << call(dynamodb, "Scan", R"({"TableName": "Albums"})") << "\n";

  const auto port = dynamodb.serve();  // for SDKs: http://127.0.0.1:*port
  std::cout << (port ? "served" : port.error()) << "\n";
  return port ? 0 : 1;
}
