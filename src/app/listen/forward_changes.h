#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/lambda/delivery_log.h"
#include "dinette/lambda/function_places.h"

#include "app/transfer/operations.h"

namespace dinette::app {

/// What is forwarded, and where to. What is referred to must outlive the call.
struct ForwardSettings {
  Operations& tables;
  Operations& streams;  ///< AWS has them at an address of their own
  Patience patience;
  std::string table;
  lambda::FunctionPlace place;
  const base::Clock& clock;
  base::Ids& ids;
  std::function<void(const lambda::DeliveryRecord&)> show;  ///< called after each delivery
  std::function<void(const std::string&)> say;              ///< gets sentences for the user
};

/// Forwards the changes of a table, whose stream is `arn`, until a stop is requested: from now on, and when
/// the table gets another stream, because it is deleted and created again, all changes in that. Waits as long
/// as there is none. The error is a sentence for the user. For one thread.
base::Result<void, std::string> forward_changes(const ForwardSettings& settings, std::string arn,
                                                const std::stop_token& stop);

}  // namespace dinette::app
