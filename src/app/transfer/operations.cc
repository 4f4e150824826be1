#include "app/transfer/operations.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "dinette/dynamodb/item_files/answers.h"

namespace dinette::app {
namespace {

using std::chrono::milliseconds;

constexpr int success_status = 200;
constexpr int first_status_of_server = 500;

constexpr milliseconds first_wait{50};
constexpr milliseconds longest_wait{5000};
constexpr unsigned doublings = 7;

constexpr std::array<std::string_view, 5> overload_types{
    "LimitExceededException", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
    "ThrottlingException", "TransactionConflictException"};

bool may_pass(int status, std::string_view type) {
  return status >= first_status_of_server || std::ranges::find(overload_types, type) != overload_types.end();
}

CallError error_of(std::string_view operation, const OperationReply& reply) {
  const auto error = dynamodb::item_files::read_error(reply.body);
  std::string message = std::string(operation) + " failed: ";
  message += error.type.empty() ? "status " + std::to_string(reply.status) : error.type;
  if (!error.message.empty()) message += ": " + error.message;
  return {error.type, std::move(message)};
}

}  // namespace

Patience patience_until(std::function<bool()> interrupted) {
  return {std::move(interrupted), [](milliseconds time) { std::this_thread::sleep_for(time); }};
}

void wait_before_retry(const Patience& patience, unsigned tries) {
  patience.wait(std::min(first_wait * (1U << std::min(tries, doublings)), longest_wait));
}

base::Result<std::string, CallError> call_patiently(Operations& operations, std::string_view operation,
                                                    std::string_view request, const Patience& patience) {
  for (unsigned tries = 1;; ++tries) {
    if (patience.interrupted()) return base::Failure{CallError{"", "interrupted"}};
    auto reply = operations.call(operation, request);
    if (reply && reply->status == success_status) return std::move(reply->body);
    CallError error = reply ? error_of(operation, *reply) : CallError{"", reply.error().message};
    const bool passing = reply ? may_pass(reply->status, error.type) : reply.error().passing;
    if (!passing || tries == most_tries) return base::Failure{std::move(error)};
    wait_before_retry(patience, tries - 1);
  }
}

}  // namespace dinette::app
