#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dinette::aws {

/// How an error looks on the wire.
struct ErrorForm {
  std::string_view name;         ///< "ValidationException"
  std::string_view type;         ///< the name after its prefix, which clients read it from
  int status;                    ///< of HTTP
  std::string_view message_key;  ///< "message" or "Message"; empty if no message is sent
  std::string_view fault = {};   ///< of REST-JSON: whose it is, such as "User"; empty: not sent
};

/// The errors of a service that do not come from its operations. All are set and of static storage.
struct CommonErrors {
  const ErrorForm* access_denied;
  const ErrorForm* incomplete_signature;
  const ErrorForm* internal;
  const ErrorForm* invalid_signature;
  const ErrorForm* missing_token;
  const ErrorForm* serialization;
  const ErrorForm* unknown_operation;
  const ErrorForm* unrecognized_client;
  const ErrorForm* validation;  ///< also for a world that does not exist
};

/// A further member of an error's body.
struct ErrorMember {
  std::string_view name;
  std::string_view json;
};

/// Appends the body of an error in AWS JSON (docs/service/wire.md section 3). `message` may be any bytes, as
/// it may repeat headers: if it is not UTF-8, bytes beyond ASCII become question marks.
void append_error(std::string& out, const ErrorForm& form, std::string_view message,
                  std::span<const ErrorMember> members = {});

/// The same in REST-JSON, where a header has the name (JsonService).
void append_rest_error(std::string& out, const ErrorForm& form, std::string_view message);

}  // namespace dinette::aws
