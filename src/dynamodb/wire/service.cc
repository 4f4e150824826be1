#include "dinette/dynamodb/service.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <exception>
#include <semaphore>

#include <simdjson.h>

#include "dinette/base/crc32.h"
#include "dinette/base/gzip.h"
#include "dinette/base/log.h"
#include "dinette/base/per_thread.h"
#include "dinette/base/waiting.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/parser_in_use.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/ops/table_schema.h"
#include "dynamodb/wire/authentication.h"
#include "dynamodb/wire/content_coding.h"
#include "dynamodb/wire/cors.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/error_body.h"

namespace dinette::dynamodb {
namespace {

using ops::Answer;
using ops::ApiError;

/// First byte of all DynamoDB keys in the store; never changes.
constexpr std::uint8_t face_id = 1;

constexpr std::string_view json_type = "application/x-amz-json-1.0";
constexpr std::string_view plain_json_type = "application/json";

/// Smaller answers are sent as they are: compressing costs more than it saves. The service's own threshold is
/// not known.
constexpr std::size_t compression_bytes = 4096;

// The parser's own limit, which is the one that every recursion over a request relies on.
static_assert(model::limits::json_levels == simdjson::DEFAULT_MAX_DEPTH);

/// An error that is answered without JSON (facts: wire.md section 4, steps 1 and 2).
struct BareError {
  int status;
  std::string_view name;
};
constexpr BareError no_such_path{404, "UnknownOperationException"};
constexpr BareError too_large{413, "RequestEntityTooLargeException"};

using SteadyTime = std::chrono::steady_clock::time_point;

/// One request and its answer, with what goes into the log.
struct Call {
  Call(const net::HttpRequest& asked, net::HttpReply& answer, base::RequestId its_id)
      : request(asked), reply(answer), id(its_id), body(asked.body) {}

  const net::HttpRequest& request;
  net::HttpReply& reply;
  const base::RequestId id;
  /// For the log alone: without it nobody looks at the clock.
  const SteadyTime start = base::log_enabled(base::LogLevel::info) ? SteadyTime::clock::now() : SteadyTime();
  std::string unpacked;
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

base::Failure<ApiError> plain_error(api::ErrorCode code) {
  return base::Failure{ApiError{code, ""}};
}

std::uint64_t since(SteadyTime start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

}  // namespace

store::Face face() {
  return {face_id, &ops::TableSchema::decode, model::limits::item_collection_bytes};
}

class Service::Impl {
 public:
  Impl(ServiceOptions options, store::Store& store, base::Background& background, const base::Clock& clock,
       base::Ids& ids)
      : options_(std::move(options)),
        store_(store),
        background_(background),
        ids_(ids),
        settings_{options_.state_delay, options_.index_lag, options_.stale_reads},
        cors_(options_.cors_origins),
        authenticator_(options_.auth, clock) {}

  void handle(const net::HttpRequest& request, net::HttpReply& reply) {
    if (cors_.answer_preflight(request, reply)) return;
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
      refuse(call, {api::ErrorCode::internal_server_error, "Internal server error"});
      finish(call);
    }
  }

  void finish_refusal(std::string_view remote, net::HttpReply& reply) {
    const base::RequestId id = ids_.request_id();
    if (reply.status == too_large.status) write(too_large, reply);
    add_headers(text_of(id), reply);
    base::log(base::LogLevel::info, "request refused",
              {{"status", reply.status}, {"remote", remote}, {"id", text_of(id)}});
  }

 private:
  /// Facts: wire.md section 4.
  void answer(Call& call) {
    const net::HttpRequest& request = call.request;
    const bool root = request.path() == "/";
    if (root && request.method == "POST") return answer_operation(call);
    if (root && request.method == "GET") return answer_health(call.reply);
    refuse(call, no_such_path);
  }

  void answer_health(net::HttpReply& reply) const {
    reply.content_type = "text/plain";
    reply.body = "healthy: dynamodb." + options_.auth.default_region + ".amazonaws.com ";
  }

  /// A long request is answered where nobody else waits for it.
  void answer_operation(Call& call) {
    const bool packed = wire::is_gzip(call.request.header("Content-Encoding").value_or(""));
    const bool is_long = packed || call.body.size() > model::limits::loop_request_bytes;
    call.reply.must_wait = is_long && !call.request.may_wait;
    if (call.reply.must_wait) return;
    const LongRequest turn(is_long ? &long_requests_ : nullptr);
    if (packed && !unpack(call)) return refuse(call, too_large);
    call.reply.content_type = type_for(call.request);
    const Answer<void> answered = dispatch(call.request, call.body, call.reply);
    if (answered) return;
    call.reply.must_wait = answered.error().must_wait;
    if (!call.reply.must_wait) refuse(call, answered.error());
  }

  static std::string_view type_for(const net::HttpRequest& request) {
    const bool plain = request.header("Content-Type").value_or("").starts_with(plain_json_type);
    return plain ? plain_json_type : json_type;
  }

  /// False if the body would be too large. What cannot be unpacked stays as it is, to be judged as text that
  /// is no JSON.
  static bool unpack(Call& call) {
    auto content = base::gzip_decompress(call.body, model::limits::request_bytes);
    if (!content) return content.error() != base::GzipError::too_large;
    call.unpacked = std::move(content).value();
    call.body = call.unpacked;
    return true;
  }

  static void refuse(Call& call, const ApiError& error) {
    const api::ErrorForm& form = api::form_of(error.code);
    call.error = form.name;
    call.reply.status = form.status;
    call.reply.content_type = type_for(call.request);
    call.reply.body.clear();
    wire::append_error(call.reply.body, error);
  }

  static void refuse(Call& call, const BareError& error) {
    call.error = error.name;
    write(error, call.reply);
  }

  static void write(const BareError& error, net::HttpReply& reply) {
    reply.status = error.status;
    reply.content_type = {};
    reply.body.assign("<").append(error.name).append("/>");
  }

  /// The order of the checks before an operation's own: facts, wire.md section 4.
  Answer<void> dispatch(const net::HttpRequest& request, std::string_view body, net::HttpReply& reply) {
    const std::string_view target = request.header("X-Amz-Target").value_or("");
    const wire::Endpoint* endpoint = wire::find_endpoint(target);
    if (!endpoint) return unknown_operation(target);
    codec::ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct RequestParser>());
    const std::string_view text = body.empty() ? std::string_view("{}") : body;
    codec::RequestBody parsed{.json = {}, .has_escapes = text.find('\\') != std::string_view::npos};
    const simdjson::error_code failure = in_use.parse(text, parsed.json);
    if (failure != simdjson::SUCCESS || !parsed.json.is_object())
      return plain_error(api::ErrorCode::serialization_exception);
    const auto caller = authenticator_.authenticate(request);
    if (!caller) {
      return base::Failure{ApiError{wire::error_named(caller.error().code), caller.error().message}};
    }
    const std::string name_space = name_space_of(*caller);
    ops::Context context{store_,          background_,    expressions_, settings_,
                         caller->account, caller->region, name_space,   request.header("Host").value_or(""),
                         reply.progress};
    return endpoint->serve(*endpoint->operation, context, parsed, reply.body);
  }

  /// The answer is the service's, which has no words for operations that we are to serve one day.
  static base::Failure<ApiError> unknown_operation(std::string_view target) {
    if (wire::is_planned(target)) {
      base::log(base::LogLevel::warn, "Dinette does not serve this operation yet", {{"target", target}});
    }
    return plain_error(api::ErrorCode::unknown_operation_exception);
  }

  std::string name_space_of(const wire::Caller& caller) const {
    std::string name_space;
    if (options_.isolate_account) name_space += caller.account;
    if (options_.isolate_region) name_space += "/" + caller.region;
    return name_space;
  }

  void finish(Call& call) const {
    log(call);
    net::HttpReply& reply = call.reply;
    const bool compress = reply.body.size() >= compression_bytes &&
                          wire::accepts_gzip(call.request.header("Accept-Encoding").value_or(""));
    if (compress) {
      reply.body = base::gzip_compress(reply.body);
      reply.add_header("Content-Encoding", "gzip");
    }
    add_headers(text_of(call.id), reply);
    cors_.add_headers(call.request, reply);
  }

  /// What every answer carries (facts: wire.md section 2).
  static void add_headers(std::string_view id, net::HttpReply& reply) {
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
              {{"target", call.request.header("X-Amz-Target").value_or("-")},
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
  store::Store& store_;
  base::Background& background_;
  base::Ids& ids_;
  ops::Settings settings_;
  expr::Cache expressions_;
  wire::Cors cors_;
  wire::Authenticator authenticator_;
  LongRequests long_requests_{long_requests_at_once};
};

Service::Service(ServiceOptions options, store::Store& store, base::Background& background,
                 const base::Clock& clock, base::Ids& ids)
    : impl_(std::make_unique<Impl>(std::move(options), store, background, clock, ids)) {}

Service::~Service() = default;

void Service::handle(const net::HttpRequest& request, net::HttpReply& reply) {
  impl_->handle(request, reply);
}

void Service::finish_refusal(std::string_view remote, net::HttpReply& reply) {
  impl_->finish_refusal(remote, reply);
}

}  // namespace dinette::dynamodb
