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

}  // namespace dinette::aws
