#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/http/url.h"
#include "dinette/objects/object_store.h"

#include "lambda/functions/failure_document.h"

namespace dinette::lambda {

/// A bucket that gets documents about discarded records.
struct FailureBucket {
  std::string name;
};

/// A destination that Dinette does not serve, such as a queue of SQS.
struct OtherDestination {
  std::string arn;
};

using FailureDestination = std::variant<FailureBucket, http::Url, OtherDestination>;

/// Returns what a destination is: the ARN of a bucket, a URL, or something else.
FailureDestination read_destination(std::string_view text);

/// Sends the document about discarded records to a destination, once. Returns the document, with the payload
/// if the destination takes it; the error says, for people, why the destination does not have it.
struct SentDocument {
  std::string document;
  std::string problem;  ///< empty: none
};
SentDocument send_document(const DiscardedBatch& discarded, std::string_view event,
                           const FailureDestination& destination, objects::ObjectStore* objects,
                           base::Ids& ids);

}  // namespace dinette::lambda
