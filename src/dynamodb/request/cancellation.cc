#include "dynamodb/request/cancellation.h"

#include <string>
#include <utility>

namespace dinette::dynamodb {

std::string_view short_code(api::ErrorCode code) {
  if (code == api::ErrorCode::validation_exception) return "ValidationError";
  constexpr std::string_view end = "Exception";
  std::string_view name = api::form_of(code).name;
  if (name.ends_with(end)) name.remove_suffix(end.size());
  return name;
}

base::Failure<ApiError> cancelled(std::vector<std::optional<ApiError>> reasons) {
  std::string codes;
  for (const std::optional<ApiError>& reason : reasons) {
    if (!codes.empty()) codes += ", ";
    codes += reason ? short_code(reason->code) : "None";
  }
  return base::Failure{ApiError{
      .code = api::ErrorCode::transaction_canceled_exception,
      .message =
          "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]",
      .reasons = std::move(reasons)}};
}

base::Failure<ApiError> cancelled(std::size_t actions, std::size_t index, ApiError reason) {
  std::vector<std::optional<ApiError>> reasons(actions);
  reasons[index] = std::move(reason);
  return cancelled(std::move(reasons));
}

}  // namespace dinette::dynamodb
