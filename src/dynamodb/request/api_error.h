#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/kv/error.h"

#include "dynamodb/api/errors.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/expr/expression_error.h"

namespace dinette::dynamodb {

/// Why a request was throttled, as the answer lists it (docs/service/throttling.md section 4).
struct ThrottlingReason {
  std::string reason;    ///< such as TableReadProvisionedThroughputExceeded
  std::string resource;  ///< the ARN of the table or index
};

/// An answer of the service other than success: a code that the specs declare, and the sentence for it.
struct ApiError {
  api::ErrorCode code;
  std::string message;
  /// The stored item, with ConditionalCheckFailedException when it was asked for.
  std::optional<codec::ItemText> item = {};
  /// Write units that a write consumed though it was refused: for what is stored, and by no other error
  /// (docs/service/capacity.md section 3).
  double consumed = 0;
  /// True if the sentence is sent as `Message` where the error otherwise has it as `message`.
  bool capital_message = false;
  /// Of a TransactionCanceledException (cancellation.h): one per action, nullopt for one without fault.
  std::vector<std::optional<ApiError>> reasons = {};
  /// A transaction whose action meets this error answers with it, instead of naming it as the reason of a
  /// cancellation (docs/service/transactions.md section 5).
  bool of_request = false;
  /// No answer at all: others are in the way, and this thread may not wait for them (base::may_wait). The
  /// request is to be run again where that is allowed; what it has already done is in Context::progress.
  bool must_wait = false;
  /// Of an error that throttles a data operation.
  std::vector<ThrottlingReason> throttling = {};
};

template <class T>
using Answer = base::Result<T, ApiError>;

/// Returns a ValidationException with exactly this message.
[[gnu::cold]] base::Failure<ApiError> validation(std::string message);
/// The same after `One or more parameter values were invalid: `.
[[gnu::cold]] base::Failure<ApiError> invalid(std::string_view sentence);

/// Marks an error as one of the whole request (ApiError::of_request).
base::Failure<ApiError> of_request(base::Failure<ApiError> failure);

/// Returns a LimitExceededException with `Subscriber limit exceeded: ` and then the message.
[[gnu::cold]] base::Failure<ApiError> subscriber_limit(std::string_view sentence);

/// How an operation words errors that are not about a table or stored item: the current generation puts an
/// envelope around them on writes (docs/service/README.md, "Families inside E").
enum class Envelope : bool { none, around };

/// Returns a ValidationException, with the prefix `1 validation error detected: ` if the operation has it.
[[gnu::cold]] base::Failure<ApiError> validation(Envelope envelope, std::string_view message);
[[gnu::cold]] base::Failure<ApiError> validation(Envelope envelope, const expr::ExpressionError& error);
[[gnu::cold]] base::Failure<ApiError> validation(Envelope envelope, const codec::ValueProblem& problem);

/// Returns true for an answer that others were in the way or that throughput has run out: it may go well the
/// next time.
bool is_throttled(const ApiError& error);

/// The one bridge from the storage's vocabulary to the service's: contention is the client's to retry,
/// everything else an internal error, whose details go to the log and not to the client.
[[gnu::cold]] base::Failure<ApiError> storage_failure(const kv::Error& error);

}  // namespace dinette::dynamodb

/// As DINETTE_TRY, for a kv::Result in a function that answers a client.
#define DINETTE_STORED(declaration, ...) \
  DINETTE_STORED_(DINETTE_CONCAT(dinette_stored_, __LINE__), declaration, (__VA_ARGS__))
#define DINETTE_STORED_(holder, declaration, expression)         \
  auto holder = (expression);                                    \
  if (!holder.ok()) [[unlikely]]                                 \
    return ::dinette::dynamodb::storage_failure(holder.error()); \
  declaration = std::move(holder).value()
