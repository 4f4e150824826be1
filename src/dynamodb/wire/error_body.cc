#include "dynamodb/wire/error_body.h"

#include <array>

#include "dinette/aws/json_writer.h"

#include "dynamodb/request/cancellation.h"

namespace dinette::dynamodb::wire {
namespace {

/// docs/service/transactions.md section 5.
std::string reasons_of(const ApiError& error) {
  std::string text;
  aws::JsonWriter json(text);
  json.begin_array();
  for (const std::optional<ApiError>& reason : error.reasons) {
    json.begin_object();
    json.key("Code");
    json.string(reason ? short_code(reason->code) : "None");
    if (reason) {
      json.key("Message");
      json.string(reason->message);
    }
    if (reason && reason->item) {
      json.key("Item");
      json.raw(*reason->item->json);
    }
    json.end_object();
  }
  json.end_array();
  return text;
}

/// docs/service/throttling.md section 4.
std::string throttling_of(const ApiError& error) {
  std::string text;
  aws::JsonWriter json(text);
  json.begin_array();
  for (const ThrottlingReason& reason : error.throttling) {
    json.begin_object();
    json.key("reason");
    json.string(reason.reason);
    json.key("resource");
    json.string(reason.resource);
    json.end_object();
  }
  json.end_array();
  return text;
}

}  // namespace

void append_error(std::string& out, const ApiError& error) {
  aws::ErrorForm form = api::form_of(error.code);
  if (error.capital_message) form.message_key = "Message";
  if (!error.reasons.empty()) {
    const std::string reasons = reasons_of(error);
    const aws::ErrorMember member{"CancellationReasons", reasons};
    return aws::append_error(out, form, error.message, {&member, 1});
  }
  if (!error.throttling.empty()) {
    const std::string reasons = throttling_of(error);
    const bool small = error.code == api::ErrorCode::throttling_exception;
    const aws::ErrorMember member{small ? "throttlingReasons" : "ThrottlingReasons", reasons};
    return aws::append_error(out, form, error.message, {&member, 1});
  }
  if (!error.item) return aws::append_error(out, form, error.message);
  const aws::ErrorMember item{"Item", *error.item->json};
  aws::append_error(out, form, error.message, {&item, 1});
}

}  // namespace dinette::dynamodb::wire
