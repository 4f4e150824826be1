#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/aws/sign_request.h"
#include "dinette/base/clock.h"
#include "dinette/http/client.h"
#include "dinette/tcp/stream.h"

#include "app/transfer/operations.h"

namespace dinette::app {

/// The operations of a running server. For one thread at a time.
class RemoteOperations final : public Operations {
 public:
  /// Returns who signs the next request. The error is a sentence for the user.
  using Identify = std::function<base::Result<aws::SigningIdentity, std::string>()>;

  /// `clock` must outlive the object.
  RemoteOperations(tcp::Remote server, aws::SigningIdentity identity, const base::Clock& clock);
  /// The same, for an identity that may change.
  RemoteOperations(tcp::Remote server, Identify identify, const base::Clock& clock);

  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override;

  /// Of AWS itself, no other service is called: there are only tables of DynamoDB to be made.
  base::Result<OperationReply, NoReply> call_service(const ServiceCall& call) override;

  /// The same as call() in a world: the name of a fork or "default". `explain`: ask how it was executed.
  base::Result<OperationReply, NoReply> call_in(std::string_view world, std::string_view operation,
                                                std::string_view request, bool explain = false);

  /// Returns a sentence for the user if the server does not answer within `patience`, whatever its answer.
  std::optional<std::string> why_absent(std::chrono::milliseconds patience) const;

  /// Calls a route of the administration. `token`: that of --admin-token; empty: none.
  base::Result<OperationReply, NoReply> administrate(std::string_view method, std::string_view target,
                                                     std::string_view body, std::string_view token);

 private:
  base::Result<OperationReply, NoReply> send(const http::ClientRequest& request);

  const tcp::Remote server_;
  const Identify identify_;
  const base::Clock& clock_;
};

}  // namespace dinette::app
