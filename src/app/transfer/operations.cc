#include "app/transfer/operations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "dinette/base/function_ref.h"
#include "dinette/dynamodb/item_files/answers.h"

namespace dinette::app {
namespace {

using std::chrono::milliseconds;

constexpr int first_success = 200;
constexpr int last_success = 299;
constexpr int not_found_status = 404;
constexpr int first_status_of_server = 500;
constexpr int not_implemented_status = 501;

constexpr milliseconds first_wait{50};
constexpr milliseconds longest_wait{5000};
constexpr unsigned doublings = 7;

constexpr std::array<std::string_view, 5> overload_types{
    "LimitExceededException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
    "ThrottlingException", "TransactionConflictException"};

bool is_success(int status) {
  return status >= first_success && status <= last_success;
}

/// Returns true for what servers answer to an operation that they do not have. DynamoDB Local takes a request
/// without a target for one that is not signed; others answer with a page, or with 404 and no type.
bool is_not_served(int status, std::string_view type, std::string_view body) {
  if (type.starts_with("UnknownOperation") || type.starts_with("MissingAuthenticationToken")) return true;
  if (status == not_implemented_status) return true;
  if (status >= first_status_of_server || !type.empty()) return false;
  return status == not_found_status || body.starts_with('<');
}

bool may_pass(int status, const CallError& error) {
  if (error.not_served) return false;
  return status >= first_status_of_server ||
         std::ranges::find(overload_types, error.type) != overload_types.end();
}

CallError error_of(std::string_view operation, const OperationReply& reply) {
  auto error = dynamodb::item_files::read_error(reply.body);
  if (!reply.error_type.empty()) error.type = reply.error_type;
  std::string message = std::string(operation) + " failed: ";
  message += error.type.empty() ? "status " + std::to_string(reply.status) : error.type;
  if (!error.message.empty()) message += ": " + error.message;
  return {error.type, std::move(message), is_not_served(reply.status, error.type, reply.body)};
}

using PossibleReply = base::Result<OperationReply, NoReply>;

/// Calls an operation of this name until it succeeds, or another try is of no use.
base::Result<std::string, CallError> try_patiently(std::string_view operation,
                                                   base::FunctionRef<PossibleReply()> call,
                                                   const Patience& patience) {
  for (unsigned tries = 1;; ++tries) {
    if (patience.interrupted()) return base::Failure{CallError{"", "interrupted"}};
    auto reply = call();
    if (reply && is_success(reply->status)) return std::move(reply->body);
    CallError error = reply ? error_of(operation, *reply) : CallError{"", reply.error().message};
    const bool passing = reply ? may_pass(reply->status, error) : reply.error().passing;
    if (!passing || tries == most_tries) return base::Failure{std::move(error)};
    wait_before_retry(patience, tries - 1);
  }
}

}  // namespace

base::Result<OperationReply, NoReply> Operations::call_service(const ServiceCall& call) {
  return base::Failure{NoReply{call.operation + " cannot be called here: there is only DynamoDB"}};
}

Patience patience_until(std::function<bool()> interrupted) {
  return {std::move(interrupted), [](milliseconds time) { std::this_thread::sleep_for(time); }};
}

void wait_before_retry(const Patience& patience, unsigned tries) {
  patience.wait(std::min(first_wait * (1U << std::min(tries, doublings)), longest_wait));
}

base::Result<std::string, CallError> call_patiently(Operations& operations, std::string_view operation,
                                                    std::string_view request, const Patience& patience) {
  return try_patiently(
      operation, [&] { return operations.call(operation, request); }, patience);
}

base::Result<std::string, CallError> call_patiently(Operations& operations, const ServiceCall& call,
                                                    const Patience& patience) {
  return try_patiently(
      call.operation, [&] { return operations.call_service(call); }, patience);
}

}  // namespace dinette::app
