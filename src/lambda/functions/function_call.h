#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "dinette/http/client.h"
#include "dinette/lambda/function_places.h"

/// Calls functions (docs/service/triggers.md section 7).
namespace dinette::lambda {

/// The longest answer of a function, in bytes; longer ones are a failure of it.
inline constexpr std::size_t most_answer_bytes = 6'291'556;

/// How long a function may take.
inline constexpr std::chrono::seconds longest_call{900};

/// What a call has led to.
struct FunctionAnswer {
  enum class Kind : std::uint8_t {
    answered,
    failed,       ///< the function ran, or may have run, and failed
    unavailable,  ///< it did not run, or a stop was requested
  };
  Kind kind = Kind::answered;
  int status = 200;                 ///< of HTTP, as failure documents have it
  std::string version = "$LATEST";  ///< that ran
  std::string body = {};            ///< what it answered, also if it failed; JSON
  std::string reason = {};          ///< why it was not answered, for people
};

/// Calls a function with an event, and waits for its answer. Blocks; returns soon after a stop is requested.
FunctionAnswer call_function(const FunctionPlace& place, std::string_view event,
                             std::chrono::milliseconds timeout, const std::stop_token& stop);

/// Returns what a response means. `is_invoke`: is_invoke_url().
FunctionAnswer answer_of(http::ClientResponse response, bool is_invoke);

/// Returns what it means that there is no response.
FunctionAnswer answer_of(http::ClientError error, std::chrono::milliseconds timeout);

/// Returns true if an answer looks like that of a function that failed: programs used in place of Lambda do
/// not always say so otherwise.
bool looks_failed(std::string_view body);

/// Returns the error that the body of a failed call describes, such as "TypeError: x is undefined"; empty if
/// it describes none.
std::string error_in(std::string_view body);

}  // namespace dinette::lambda
