#include "admin/answer.h"

#include "dinette/base/log.h"

namespace dinette::admin {

base::Failure<Error> storage_failed() {
  return {Error{500, "InternalError", "Storage failed; the server's log has the reason."}};
}

base::Failure<Error> storage_failure(const kv::Error& error) {
  if (error.kind == kv::ErrorKind::unsupported)
    return {Error{501, "Unsupported", "The storage engine of this server cannot copy worlds."}};
  if (error.kind == kv::ErrorKind::exhausted) return conflict(error.message);
  base::log(base::LogLevel::error, "administration failed in storage", {{"reason", error.message}});
  return storage_failed();
}

}  // namespace dinette::admin
