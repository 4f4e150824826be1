#include "dinette/dynamodb/service.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "dinette/base/compression.h"
#include "dinette/base/crc32.h"
#include "dinette/base/log.h"
#include "dinette/base/per_thread.h"
#include "dinette/base/waiting.h"
#include "dinette/http/content_coding.h"
#include "dinette/http/cors.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/parser_in_use.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/indexes/open_work.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/wire/authentication.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/error_body.h"
#include "dynamodb/wire/request_headers.h"

namespace dinette::dynamodb {
namespace {

/// First byte of all DynamoDB keys in the store; never changes.
constexpr std::uint8_t face_id = 1;

constexpr std::string_view json_type = "application/x-amz-json-1.0";
constexpr std::string_view plain_json_type = "application/json";

/// Only larger answers are compressed (docs/service/wire.md section 9).
constexpr std::size_t compression_bytes = 4096;

/// docs/service/wire.md section 2.
constexpr std::string_view exposed_headers =
    "x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,Date";

/// What DynamoDB Local answers to a request that is not signed, in its own words.
constexpr std::string_view local_health =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",)"
    R"("message":"Request must contain either a valid (registered) AWS access key ID or X.509 certificate."})";

constexpr std::string_view internal_error = "Internal server error";

// The parser's own limit, which is the one that every recursion over a request relies on.
static_assert(model::limits::json_levels == simdjson::DEFAULT_MAX_DEPTH);

/// An error that is answered without JSON (docs/service/wire.md section 4, steps 1 and 2).
struct BareError {
  int status;
  std::string_view name;  ///< For the log.
  std::string_view body;
};
constexpr BareError no_such_path{404, "UnknownOperationException", "<UnknownOperationException/>"};
constexpr BareError head_too_large{400, "RequestHeaderTooLarge", ""};
constexpr BareError body_too_large{413, "RequestEntityTooLarge", ""};

/// What the HTTP server calls a head that is over its own limit, which is above the service's.
constexpr int header_fields_too_large = 431;

using SteadyTime = std::chrono::steady_clock::time_point;

/// One request and its answer, with what goes into the log.
struct Call {
  Call(const http::Request& asked, http::Response& answer, base::RequestId its_id)
      : request(asked), headers(asked), reply(answer), id(its_id), body(asked.body) {}

  const http::Request& request;
  const wire::RequestHeaders headers;
  http::Response& reply;
  const base::RequestId id;
  /// For the log alone: without it nobody looks at the clock.
  const SteadyTime start = base::log_enabled(base::LogLevel::info) ? SteadyTime::clock::now() : SteadyTime();
  base::Decompressed unpacked;
  std::string_view body;  ///< Of the request; unpacked, if it came packed.
  std::string_view error = "-";
};

/// Requests that take long by their length alone, being read for up to a second, and much memory: outside of
/// the event loops, and only a few at a time.
using LongRequests = std::counting_semaphore<>;
constexpr std::ptrdiff_t long_requests_at_once = 4;

/// The turn of one of them; of another request, null.
class LongRequest {
 public:
  explicit LongRequest(LongRequests* all) : all_(all) {
    if (all_) all_->acquire();
  }
  ~LongRequest() {
    if (all_) all_->release();
  }
  LongRequest(const LongRequest&) = delete;
  LongRequest& operator=(const LongRequest&) = delete;

 private:
  LongRequests* all_;
};

std::string_view text_of(const base::RequestId& id) {
  return {id.data(), id.size()};
}

base::Failure<ApiError> failure(api::ErrorCode code, std::string message = "") {
  return base::Failure{ApiError{code, std::move(message)}};
}

/// The limits of wire.md section 4, step 2. Both together are the HTTP server's own.
bool has_large_head(const Call& call) {
  return std::max(call.headers.bytes, call.request.target.size()) > model::limits::head_bytes;
}

std::uint64_t since(SteadyTime start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

}  // namespace

store::Face face() {
  return {face_id, &TableSchema::decode, model::limits::item_collection_bytes};
}

store::WorldFace world_face() {
  return {face(), &resume_open_work};
}

class Service::Impl {
 public:
  Impl(ServiceOptions options, store::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
      : options_(std::move(options)),
        worlds_(worlds),
        ids_(ids),
        settings_{options_.state_delay, options_.index_state_delay, options_.index_lag, options_.stale_reads,
                  options_.partition_minimum},
        cors_({.origins = options_.cors_origins, .exposed_headers = std::string(exposed_headers)}),
        authenticator_(options_.auth, clock) {}

  void handle(const http::Request& request, http::Response& reply) {
    const base::WaitingScope waiting(request.may_wait);
    Call call(request, reply, ids_.request_id());
    try {
      answer(call);
      if (reply.must_wait) return;
      finish(call);
    } catch (const std::exception& error) {  // Bugs and exhausted memory end here.
      base::log(base::LogLevel::error, "a request failed unexpectedly",
                {{"reason", error.what()}, {"id", text_of(call.id)}});
      reply.clear();
      refuse(call, {api::ErrorCode::internal_server_error, std::string(internal_error)});
      finish(call);
    }
  }

  void finish_refusal(std::string_view remote, http::Response& reply) {
    const base::RequestId id = ids_.request_id();
    if (reply.status == body_too_large.status) write(body_too_large, reply);
    if (reply.status == header_fields_too_large) write(head_too_large, reply);
    add_headers(text_of(id), reply);
    base::log(base::LogLevel::info, "request refused",
              {{"status", reply.status}, {"remote", remote}, {"id", text_of(id)}});
  }

 private:
  bool may_call(const Call& call) const { return !call.headers.origin || cors_.allows(*call.headers.origin); }

  /// docs/service/wire.md section 4.
  void answer(Call& call) {
    const http::Request& request = call.request;
    if (!may_call(call)) return refuse_origin(call);
    if (has_large_head(call)) return refuse(call, head_too_large);
    if (request.method == "OPTIONS") return cors_.answer_preflight(request, call.reply);
    const bool root = request.path() == "/";
    if (root && request.method == "POST") return answer_operation(call);
    if (root && (request.method == "GET" || request.method == "HEAD")) return answer_health(call);
    refuse(call, no_such_path);
  }

  /// Comes before any other check, so that nothing runs for a page that may not call.
  void refuse_origin(Call& call) {
    const std::string origin(*call.headers.origin);
    if (!warned_of_origin_.test_and_set()) {
      base::log(base::LogLevel::warn, "a web page was refused; --cors says which origins may call",
                {{"origin", origin}});
    }
    refuse(call, {api::ErrorCode::access_denied_exception,
                  "Web pages of origin " + origin +
                      " may not call this server. Its option --cors says which may."});
    call.reply.status = 403;
  }

  void answer_health(Call& call) const {
    http::Response& reply = call.reply;
    if (options_.as_dynamodb_local) {
      reply.status = 400;
      reply.content_type = json_type;
      reply.body = local_health;
      return;
    }
    reply.content_type = "text/plain";
    reply.body = "healthy: dynamodb." + options_.auth.default_region + ".amazonaws.com ";
  }

  /// A long request is answered where nobody else waits for it.
  void answer_operation(Call& call) {
    const bool packed = !call.headers.content_encoding.empty();
    const bool is_long = packed || call.body.size() > model::limits::loop_request_bytes;
    call.reply.must_wait = is_long && !call.request.may_wait;
    if (call.reply.must_wait) return;
    const LongRequest turn(is_long ? &long_requests_ : nullptr);
    call.reply.content_type = type_for(call);
    const Answer<void> answered = dispatch(call);
    if (answered) return;
    call.reply.must_wait = answered.error().must_wait;
    if (!call.reply.must_wait) refuse(call, answered.error());
  }

  static std::string_view type_for(const Call& call) {
    const bool plain = call.headers.content_type.starts_with(plain_json_type);
    return plain ? plain_json_type : json_type;
  }

  static void refuse(Call& call, const ApiError& error) {
    const api::ErrorForm& form = api::form_of(error.code);
    call.error = form.name;
    call.reply.status = form.status;
    call.reply.content_type = type_for(call);
    call.reply.body.clear();
    wire::append_error(call.reply.body, error);
  }

  static void refuse(Call& call, const BareError& error) {
    call.error = error.name;
    write(error, call.reply);
  }

  static void write(const BareError& error, http::Response& reply) {
    reply.status = error.status;
    reply.content_type = {};
    reply.body = error.body;
  }

  /// The order of the checks before an operation's own: docs/service/wire.md section 4. A compressed body is
  /// unpacked only for an authenticated caller; its signature is that of the bytes sent.
  Answer<void> dispatch(Call& call) {
    const std::string_view target = call.headers.target.value_or("");
    const wire::Endpoint* endpoint = wire::find_endpoint(target);
    if (!endpoint) return unknown_operation(target);
    std::optional<wire::Caller> caller;
    if (!call.headers.content_encoding.empty()) {
      DINETTE_TRY(caller, authenticated(call.request));
      if (!unpack(call)) return failure(api::ErrorCode::internal_server_error, std::string(internal_error));
    }
    return serve(call, *endpoint, std::move(caller));
  }

  /// `caller`: nothing if it is not known yet.
  Answer<void> serve(Call& call, const wire::Endpoint& endpoint, std::optional<wire::Caller> caller) {
    codec::ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct RequestParser>());
    const std::string_view text = call.body.empty() ? std::string_view("{}") : call.body;
    codec::RequestBody parsed{.json = {}, .has_escapes = text.find('\\') != std::string_view::npos};
    const simdjson::error_code failed = in_use.parse(text, parsed.json);
    if (failed != simdjson::SUCCESS || !parsed.json.is_object())
      return failure(api::ErrorCode::serialization_exception);
    if (!caller) {
      DINETTE_TRY(caller, authenticated(call.request));
    }
    const std::shared_ptr<store::World> world = worlds_.pick(world_of(*caller));
    Context context{.store = world->store(face_id),
                    .jobs = world->jobs(),
                    .moment = world->clock().now(),
                    .expressions = expressions_,
                    .settings = settings_,
                    .account = caller->account,
                    .region = caller->region,
                    .host = call.headers.host,
                    .progress = call.reply.progress};
    context.gate = options_.gate;
    return endpoint.serve(*endpoint.operation, context, parsed, call.reply.body);
  }

  /// Returns false if the body is not what its coding says, or too large (docs/service/wire.md section 9).
  static bool unpack(Call& call) {
    const auto format = http::coding_named(call.headers.content_encoding);
    if (!format) return false;
    auto content = base::decompress(*format, call.body, model::limits::request_bytes);
    if (!content) return false;
    call.unpacked = std::move(content).value();
    call.body = call.unpacked.view();
    return true;
  }

  Answer<wire::Caller> authenticated(const http::Request& request) const {
    auto caller = authenticator_.authenticate(request);
    if (!caller) return failure(wire::error_named(caller.error().code), caller.error().message);
    return std::move(caller).value();
  }

  /// The type is the service's, which has no words for operations that are to be served one day.
  base::Failure<ApiError> unknown_operation(std::string_view target) {
    const auto planned = wire::find_planned(target);
    if (!planned) return failure(api::ErrorCode::unknown_operation_exception);
    if (!warned_of_planned_[*planned].test_and_set())
      base::log(base::LogLevel::warn, "Dinette does not serve this operation yet", {{"target", target}});
    const std::string name(target.substr(target.find('.') + 1));
    return failure(api::ErrorCode::unknown_operation_exception, "Dinette does not serve " + name + " yet");
  }

  /// The name of the world that the caller sees.
  std::string world_of(const wire::Caller& caller) const {
    std::string name;
    if (options_.isolate_account) name += caller.account;
    if (options_.isolate_region) name += "/" + caller.region;
    return name;
  }

  void finish(Call& call) const {
    log(call);
    http::Response& reply = call.reply;
    if (reply.body.size() > compression_bytes) http::compress_for(call.headers.accept_encoding, reply);
    add_headers(text_of(call.id), reply);
    if (call.headers.origin) cors_.add_headers(*call.headers.origin, reply);
  }

  /// What every answer carries (docs/service/wire.md section 2).
  static void add_headers(std::string_view id, http::Response& reply) {
    reply.add_header("x-amzn-RequestId", id);
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), base::crc32(reply.body)).ptr;
    reply.add_header("x-amz-crc32",
                     std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }

  void log(const Call& call) const {
    if (!base::log_enabled(base::LogLevel::info)) return;
    const std::string_view id = text_of(call.id);
    base::log(base::LogLevel::info, "request",
              {{"target", call.headers.target.value_or("-")},
               {"status", call.reply.status},
               {"error", call.error},
               {"microseconds", since(call.start)},
               {"request_bytes", call.body.size()},
               {"reply_bytes", call.reply.body.size()},
               {"remote", call.request.remote},
               {"id", id}});
    if (!options_.log_items) return;
    base::log(base::LogLevel::info, "bodies",
              {{"id", id}, {"request", call.body}, {"reply", call.reply.body}});
  }

  ServiceOptions options_;
  store::Worlds& worlds_;
  base::Ids& ids_;
  Settings settings_;
  expr::Cache expressions_;
  http::Cors cors_;
  wire::Authenticator authenticator_;
  LongRequests long_requests_{long_requests_at_once};
  /// Warnings that are logged once per process.
  std::atomic_flag warned_of_origin_;
  std::vector<std::atomic_flag> warned_of_planned_ =
      std::vector<std::atomic_flag>(wire::planned_targets().size());
};

Service::Service(ServiceOptions options, store::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
    : impl_(std::make_unique<Impl>(std::move(options), worlds, clock, ids)) {}

Service::~Service() = default;

void Service::handle(const http::Request& request, http::Response& reply) {
  impl_->handle(request, reply);
}

void Service::finish_refusal(std::string_view remote, http::Response& reply) {
  impl_->finish_refusal(remote, reply);
}

}  // namespace dinette::dynamodb
