#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "dinette/base/result.h"
#include "dinette/kv/error.h"

namespace dinette::admin {

/// JSON whose members stay in the order in which they were added.
using Json = nlohmann::ordered_json;

struct Error {
  int status;
  std::string_view code;  ///< of static storage
  std::string message;    ///< a sentence for the user
};

template <class T>
using Result = base::Result<T, Error>;

/// A body that is not JSON.
struct Text {
  std::string body;
  std::string_view content_type;  ///< of static storage
};

struct Reply {
  Json body;
  int status = 200;
  std::optional<Text> text = {};  ///< instead of `body`
};

using Answer = Result<Reply>;

inline base::Failure<Error> bad_request(std::string message) {
  return {Error{400, "BadRequest", std::move(message)}};
}
inline base::Failure<Error> not_found(std::string message) {
  return {Error{404, "NotFound", std::move(message)}};
}
inline base::Failure<Error> conflict(std::string message) {
  return {Error{409, "Conflict", std::move(message)}};
}

/// Returns an internal error of storage, whose reason is in the log.
base::Failure<Error> storage_failed();

/// Bridges the errors of storage: an engine may be unable to fork, everything else is an internal error.
base::Failure<Error> storage_failure(const kv::Error& error);

}  // namespace dinette::admin

/// As DINETTE_TRY, for a kv::Result in a function that answers a request.
#define DINETTE_ADMIN_STORED_(holder, declaration, expression) \
  auto holder = (expression);                                  \
  if (!holder.ok()) [[unlikely]]                               \
    return ::dinette::admin::storage_failure(holder.error());  \
  declaration = std::move(holder).value()
#define DINETTE_ADMIN_STORED(declaration, ...) \
  DINETTE_ADMIN_STORED_(DINETTE_CONCAT(dinette_stored_, __LINE__), declaration, (__VA_ARGS__))
