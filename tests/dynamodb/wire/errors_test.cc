#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "dynamodb/wire/error_body.h"
#include "support/faulty_engine.h"
#include "support/tables.h"

// docs/service/wire.md section 3.
namespace test::errors_test {

namespace api = dinette::dynamodb::api;
namespace wire = dinette::dynamodb::wire;

namespace {

Json body_of(const dinette::dynamodb::ApiError& error) {
  std::string text;
  wire::append_error(text, error);
  return Json::parse(text);
}

const std::string service = "com.amazon.coral.service#";
const std::string model = "com.amazonaws.dynamodb.v20120810#";

}  // namespace

TEST_CASE("errors carry the type with its name space and the message") {
  DynamoDb db;
  CHECK(db.call("DescribeTable", R"({"TableName":"Music"})").json() ==
        Json{{"__type", model + "ResourceNotFoundException"},
             {"message", "Requested resource not found: Table: Music not found"}});
  CHECK(db.call("DescribeTable", R"({"TableName":"ab"})").json().at("__type") ==
        "com.amazon.coral.validate#ValidationException");
  CHECK(db.call("PutItem", R"({"TableName":5})").json() ==
        Json{{"__type", service + "SerializationException"},
             {"Message", "NUMBER_VALUE cannot be converted to String"}});
  CHECK(db.call("NoSuch", "{}").json() == Json{{"__type", service + "UnknownOperationException"}});
}

TEST_CASE("name spaces and message keys of the errors that are not the model's own") {
  struct Row {
    api::ErrorCode code;
    std::string type;
    const char* key;
  };
  const Row rows[] = {
      {api::ErrorCode::validation_exception, "com.amazon.coral.validate#ValidationException", "message"},
      {api::ErrorCode::serialization_exception, service + "SerializationException", "Message"},
      {api::ErrorCode::access_denied_exception, service + "AccessDeniedException", "Message"},
      {api::ErrorCode::missing_authentication_token_exception,
       service + "MissingAuthenticationTokenException", "message"},
      {api::ErrorCode::incomplete_signature_exception, service + "IncompleteSignatureException", "message"},
      {api::ErrorCode::invalid_signature_exception, service + "InvalidSignatureException", "message"},
      {api::ErrorCode::unrecognized_client_exception, service + "UnrecognizedClientException", "message"},
      {api::ErrorCode::expired_token_exception, service + "ExpiredTokenException", "message"},
      {api::ErrorCode::throttling_exception, "com.amazon.coral.availability#ThrottlingException", "message"},
      {api::ErrorCode::request_limit_exceeded, model + "RequestLimitExceeded", "message"},
      {api::ErrorCode::internal_server_error, model + "InternalServerError", "message"},
      {api::ErrorCode::transaction_canceled_exception, model + "TransactionCanceledException", "Message"},
      {api::ErrorCode::transaction_in_progress_exception, model + "TransactionInProgressException",
       "Message"},
      {api::ErrorCode::idempotent_parameter_mismatch_exception,
       model + "IdempotentParameterMismatchException", "Message"},
  };
  for (const Row& row : rows) {
    CHECK(body_of({row.code, "words"}) == Json{{"__type", row.type}, {row.key, "words"}});
  }
}

TEST_CASE("every other declared error is the model's own, with a small m in message") {
  const std::set<std::string> others = {"UnknownOperationException", "InternalFailure"};
  const std::set<std::string> capital = {"TransactionCanceledException", "TransactionInProgressException",
                                         "IdempotentParameterMismatchException"};
  for (const dinette::aws::ErrorForm& form : api::error_forms) {
    INFO(form.name);
    CHECK(std::string(form.type).ends_with("#" + std::string(form.name)));
    CHECK(form.status == (form.name.starts_with("Internal")   ? 500
                          : form.name == "ServiceUnavailable" ? 503
                                                              : 400));
    if (!form.type.starts_with(model) || capital.contains(std::string(form.name))) continue;
    CHECK(form.message_key == "message");
  }
}

TEST_CASE("a failed condition carries the item when it was asked for") {
  DynamoDb db;
  db.create_table("Music");
  db.put("Music", {{"pk", {{"S", "a"}}}, {"n", {{"N", "1"}}}});
  Json request = {{"TableName", "Music"},
                  {"Key", {{"pk", {{"S", "a"}}}}},
                  {"ConditionExpression", "attribute_not_exists(pk)"},
                  {"ReturnValuesOnConditionCheckFailure", "ALL_OLD"}};
  const Json expected = {{"__type", model + "ConditionalCheckFailedException"},
                         {"message", "The conditional request failed"}};
  const Reply with_item = db.call("DeleteItem", request);
  CHECK(with_item.status == 400);
  CHECK(with_item.json() == with(expected, {{"Item", {{"pk", {{"S", "a"}}}, {"n", {{"N", "1"}}}}}}));
  request.erase("ReturnValuesOnConditionCheckFailure");
  CHECK(db.call("DeleteItem", request).json() == expected);
}

TEST_CASE(
    "a storage that fails is an internal error, one that is too busy a throttle; no details go to the "
    "client") {
  using dinette::kv::ErrorKind;
  using dinette::test::EngineCall;
  auto engine = std::make_unique<dinette::test::FaultyEngine>(dinette::kv::make_memory_engine());
  auto& plan = engine->plan();
  DynamoDb db({}, std::move(engine));
  db.create_table("Music");
  const Json request = {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "a"}}}}}};
  plan.fail(EngineCall::commit, 1, ErrorKind::io);
  const Reply failed = db.call("PutItem", request);
  CHECK(failed.status == 500);
  CHECK(failed.json() ==
        Json{{"__type", model + "InternalServerError"}, {"message", "Internal server error"}});
  plan.fail(EngineCall::commit, 1, ErrorKind::timed_out);
  const Reply busy = db.call("PutItem", request);
  CHECK(busy.status == 400);
  CHECK(busy.json() == Json{{"__type", "com.amazon.coral.availability#ThrottlingException"},
                            {"message", "Rate of requests exceeds the allowed throughput."}});
  CHECK(db.get("Music", {{"pk", {{"S", "a"}}}}).is_null());
  db.ok("PutItem", request);
}

TEST_CASE("messages are escaped as JSON wants it") {
  DynamoDb db;
  const std::string name = "a\"\\\n\x01\xC3\xA9";
  CHECK(db.call("DescribeTable", Json{{"TableName", name}}).message() ==
        enveloped(
            "Value '" + name +
            "' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: "
            "[a-zA-Z0-9_.-]+"));
}

}  // namespace test::errors_test
