#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/message.h"

#include "tablestore/request/api_error.h"
#include "tablestore/wire/key_ring.h"

/// The form of replies (tablestore/wire.md sections 5 and 6).
namespace dinette::tablestore::wire {

/// Returns an id of a request that arrived at a time: its first 16 digits are that, in microseconds.
std::string make_request_id(base::TimePoint arrival, base::Ids& ids);

/// Puts an error in place of what the response has.
void write_error(const ApiError& error, http::Response& response);

/// The same for an operation that there is not, which alone is answered in XML.
void write_unknown_operation(const ApiError& error, std::string_view id, http::Response& response);

/// The headers that every reply has. `signer` may be none: then it is not signed.
struct ReplyHeaders {
  std::string_view path;
  std::string_view access_key;
  const std::optional<Signer>& signer;
  std::string_view id;
  base::TimePoint now;
};
void add_headers(const ReplyHeaders& what, http::Response& response);

}  // namespace dinette::tablestore::wire
