#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/aws/request_id.h"
#include "dinette/base/compression.h"
#include "dinette/http/message.h"
#include "dinette/observe/request_details.h"

#include "aws/cbor_call.h"
#include "aws/request_headers.h"
#include "aws/rest_call.h"

namespace dinette::aws {

/// Which recorders get a request.
struct Recorded {
  bool keeping = false;    ///< recent requests are kept
  bool by_recent = false;  ///< ... with all details
  bool by_reports = false;
};

/// One request and its response, with what goes into the log.
struct Call {
  using SteadyTime = std::chrono::steady_clock::time_point;

  Call(const http::Request& asked, http::Response& answer, RequestId its_id, Recorded recorded)
      : request(asked),
        headers(asked),
        response(answer),
        id(its_id),
        recorded_by(headers.record == "off" ? Recorded() : recorded),
        target(headers.target),
        body(asked.body) {}

  const http::Request& request;
  const RequestHeaders headers;
  http::Response& response;
  const RequestId id;
  const SteadyTime start = SteadyTime::clock::now();
  const Recorded recorded_by;
  observe::RequestDetails* details = nullptr;  ///< null: it is neither recorded nor logged
  std::string_view type = {};                  ///< the response's; empty: not known yet
  std::unique_ptr<CborCall> cbor = {};         ///< null: it speaks JSON
  std::unique_ptr<RestCall> rest = {};         ///< null: it is not of REST-JSON
  std::optional<std::string_view> target;      ///< X-Amz-Target, or what the path says instead
  base::Decompressed unpacked;
  std::string_view body;  ///< of the request; unpacked, if it was compressed
  const bool explain = headers.explain == "true";
  std::optional<std::size_t> operation;    ///< its position in JsonProtocol::served
  std::string_view error = {};             ///< empty: success
  std::string error_message = {};          ///< for the log
  std::optional<std::size_t> error_index;  ///< of its counter
  SteadyTime::duration duration = {};      ///< known at the end
};

// Both bodies for the log and lists, which are as JSON there.

inline std::string_view request_text(const Call& call) {
  if (call.cbor) return call.cbor->request();
  return call.rest && !call.rest->input().empty() ? call.rest->input() : call.body;
}

inline std::string_view reply_text(const Call& call) {
  return call.cbor && !call.cbor->reply().empty() ? call.cbor->reply() : call.response.body;
}

/// Returns the operation's name in a target such as "DynamoDB_20120810.GetItem".
inline std::string_view name_in(std::string_view target) {
  return target.substr(target.find('.') + 1);
}

}  // namespace dinette::aws
