#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dinette/aws/auth_options.h"
#include "dinette/aws/authenticator.h"
#include "dinette/aws/error_form.h"
#include "dinette/aws/json.h"
#include "dinette/aws/output_shape.h"
#include "dinette/aws/rest_route.h"
#include "dinette/aws/smithy.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/face/face.h"
#include "dinette/http/message.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/observe/request_details.h"
#include "dinette/tenancy/tenants.h"

/// A service that speaks AWS JSON: POST to "/", the operation named by the header X-Amz-Target, members in a
/// JSON object. Everything but the operations is done here. The same operations are called in CBOR: with the
/// content types application/x-amz-cbor-1.0 and 1.1, and by Smithy RPC v2, whose paths name the operation.
///
/// Or a service that speaks REST-JSON: a method and a path name the operation, members are in the path, in
/// the query and in a JSON object, and the header x-amzn-ErrorType names an error.
namespace dinette::aws {

/// Sizes in bytes; all inclusive.
struct RequestLimits {
  std::size_t head;          ///< of the headers, and of the request line
  std::size_t body;          ///< unpacked
  std::size_t body_on_loop;  ///< answered on an event loop; longer ones only where they may wait
  std::size_t uncompressed;  ///< the largest response that is never compressed
};

/// Asks with `true` how an operation was executed. The response has the answer in a header of the same name,
/// if the operation gives one.
inline constexpr std::string_view explain_header = "X-Dinette-Explain";

/// With `off`, no fault rule sees the request.
inline constexpr std::string_view faults_header = "X-Dinette-Faults";

/// With `off`, the request is in no list of recent requests, and in no report.
inline constexpr std::string_view record_header = "X-Dinette-Record";

/// Names the error of a response of REST-JSON.
inline constexpr std::string_view error_type_header = "x-amzn-ErrorType";

/// Returns the value of that header; empty if there is none. A view into the response.
std::string_view error_type_of(const http::Response& response);

/// Returns the explanation in a response, one line of JSON; empty if there is none. A view into the response.
std::string_view explanation_of(const http::Response& response);

/// The properties of one service.
struct JsonProtocol {
  std::string_view
      signing_name;  ///< in credential scopes, such as "dynamodb"; the service's label in metrics
  std::string_view content_type;                ///< of responses, such as "application/x-amz-json-1.0"
  std::span<const std::string_view> served{};   ///< the X-Amz-Target of each operation, ascending
  std::span<const std::string_view> planned{};  ///< of operations that are not served yet, ascending
  CommonErrors errors;
  std::span<const ErrorForm> error_forms{};  ///< of all errors, each of which is counted separately
  RequestLimits limits;
  /// What the server serves, such as "DynamoDB and S3": for callers of something else.
  std::string_view services = {};
  // For CBOR.
  std::span<const SmithyService> smithy{};           ///< the services that the targets are of
  std::span<const OutputShape* const> outputs{};     ///< of each operation; none: all without a shape
  const OutputShape* error_output = nullptr;         ///< of the bodies of all errors
  std::span<const std::string_view> blob_members{};  ///< the only ones that are bytes; none: any may be
  // For REST-JSON.
  std::span<const RestRoute> routes{};  ///< to each operation; none: the service speaks AWS JSON
  std::string_view no_route = {};       ///< the message for requests that no route leads to
};

/// A request whose operation is known, whose body is a JSON object, and whose caller is authenticated and has
/// a world.
struct JsonRequest {
  std::size_t operation;  ///< position in JsonProtocol::served
  const Caller& caller;
  const RequestBody& body;
  std::string_view host;  ///< as the client called it, with port; may be empty
  /// True if it has the explain_header. A worker runs such a request, so that it runs once, from start to
  /// end.
  bool explain;
  bool spared;                                 ///< by fault rules
  tenancy::World& world;                       ///< that the caller sees
  std::string_view name_space;                 ///< of the caller's tables in it
  observe::RequestDetails* details = nullptr;  ///< to be filled, except for the world; null: not recorded
  /// The hit of a fault rule whose delay the request has had before this run; null: it has had none.
  const tenancy::FaultHit* delayed = nullptr;
};

struct Outcome {
  const ErrorForm* error = nullptr;  ///< null: success
  /// No response at all: the request has to wait for others, which this thread must not (base::may_wait). It
  /// is run again where it may, and after the `delay`, if there is one.
  bool must_wait = false;
  /// Closes the connection without the response (http::Response::drop).
  bool drop = false;
  /// A delay that a fault rule injects: before the request is run again if it must wait, else before the
  /// response is sent. Null: none.
  std::unique_ptr<tenancy::FaultHit> delay = {};
  /// The message of the error in the response, for the log; empty: not logged. Without contents of items,
  /// unless the log may show them (JsonServiceOptions::log_bodies). Used only at level info.
  std::string error_message = {};
};

/// The operations of a service. Called from several threads at once.
class JsonOperations {
 public:
  JsonOperations() = default;
  JsonOperations(const JsonOperations&) = delete;
  JsonOperations& operator=(const JsonOperations&) = delete;
  virtual ~JsonOperations() = default;

  /// Runs the request and writes the response's body as JSON, for a success or an error (append_error,
  /// append_rest_error). May leave http::Response::progress for its next run. Exceptions become internal
  /// errors.
  virtual Outcome run(const JsonRequest& request, http::Response& response) = 0;

  /// Answers GET and HEAD of "/": for the one service of a port that is asked.
  virtual void answer_health([[maybe_unused]] http::Response& response) const {}
};

/// Returns true if the X-Amz-Target of a request begins with `prefix`, such as "Kinesis_20131202.": for the
/// routes of services that share a port.
bool has_target_of(const http::Request& request, std::string_view prefix);

struct JsonServiceOptions {
  AuthOptions auth = {};
  /// Web origins that may call; see http::CorsOptions.
  std::string cors_origins = "local";
  /// True if log lines may show the bodies of requests and responses.
  bool log_bodies = false;
  /// Receive the answered requests; may be null. Must outlive the service.
  observe::RecentRequests* recent = nullptr;
  observe::Reports* reports = nullptr;
};

/// Answers HTTP requests: decides which web pages may call, unpacks bodies, finds operations, authenticates
/// callers, finds the world that each sees, gives every response its id and checksum, compresses it, counts
/// it, and logs one line per request at level info. The order of the checks is docs/service/wire.md
/// section 4. Thread-safe.
class JsonService final : public face::Face {
 public:
  /// The worlds of `tenants`, `operations`, `clock` and `ids` must outlive the object. Signatures are
  /// verified by `clock`, not by the clocks of worlds.
  JsonService(const JsonProtocol& protocol, JsonServiceOptions options, JsonOperations& operations,
              const tenancy::Tenants& tenants, const base::Clock& clock, base::Ids& ids);
  ~JsonService() override;

  /// Waits for other requests only if the request may. Throws only if there is not even memory for the error.
  void handle(const http::Request& request, http::Response& response) override;
  void refuse(const http::Request& request, http::Response& response) override;
  const observe::RequestCounters& requests() const override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::aws
