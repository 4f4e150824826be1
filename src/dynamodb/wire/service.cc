#include "dinette/dynamodb/service.h"

#include <array>
#include <charconv>
#include <chrono>
#include <exception>

#include <simdjson.h>

#include "dinette/base/crc32.h"
#include "dinette/base/gzip.h"
#include "dinette/base/log.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/parser_trim.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/ops/table_schema.h"
#include "dynamodb/wire/authentication.h"
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

base::Failure<ApiError> plain_error(api::ErrorCode code) {
  return base::Failure{ApiError{code, ""}};
}

std::uint64_t since(std::chrono::steady_clock::time_point start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

}  // namespace

store::Face face() {
  return {face_id, &ops::TableSchema::decode};
}

class Service::Impl {
 public:
  Impl(ServiceOptions options, store::Store& store, const base::Clock& clock, base::Ids& ids)
      : options_(std::move(options)),
        store_(store),
        ids_(ids),
        settings_{options_.state_delay},
        cors_(options_.cors_origins),
        authenticator_(options_.auth, clock) {}

  void handle(const net::HttpRequest& request, net::HttpReply& reply) {
    if (cors_.answer_preflight(request, reply)) return;
    const bool root = request.path() == "/";
    if (root && request.method == "POST")
      answer(request, reply);
    else if (root && request.method == "GET")
      answer_health(reply);
    else
      answer_no_such_path(reply);
    cors_.add_headers(request, reply);
  }

 private:
  void answer_health(net::HttpReply& reply) const {
    reply.content_type = "text/plain";
    reply.body = "healthy: dynamodb." + options_.auth.default_region + ".amazonaws.com ";
  }

  static void answer_no_such_path(net::HttpReply& reply) {
    reply.status = 404;
    reply.body = "<UnknownOperationException/>";
  }

  static void answer_too_large(net::HttpReply& reply) {
    reply.status = 413;
    reply.body = "<RequestEntityTooLargeException/>";
  }

  void answer(const net::HttpRequest& request, net::HttpReply& reply) {
    const auto start = std::chrono::steady_clock::now();
    const base::RequestId id = ids_.request_id();
    const std::string_view id_text(id.data(), id.size());
    std::string unpacked;
    std::string_view body = request.body;
    if (request.header("Content-Encoding") == "gzip") {
      auto content = base::gzip_decompress(request.body, model::limits::request_bytes);
      if (!content && content.error() == base::GzipError::too_large) return answer_too_large(reply);
      // What cannot be unpacked is judged as it stands, as text that is no JSON.
      if (content) body = unpacked = std::move(content).value();
    }
    const Answer<void> answered = answer_body(request, body, reply.body);
    if (!answered) {
      reply.body.clear();
      reply.status = api::form_of(answered.error().code).status;
      wire::append_error(reply.body, answered.error());
    }
    log(request, body, reply, id_text, answered, start);
    finish(request, reply, id_text);
  }

  /// Bugs and exhausted memory end here.
  Answer<void> answer_body(const net::HttpRequest& request, std::string_view body, std::string& out) {
    try {
      return dispatch(request, body, out);
    } catch (const std::exception& error) {
      base::log(base::LogLevel::error, "a request failed unexpectedly", {{"reason", error.what()}});
      return base::Failure{ApiError{api::ErrorCode::internal_server_error, "Internal server error"}};
    }
  }

  /// The order of the checks before an operation's own: facts, wire.md section 4.
  Answer<void> dispatch(const net::HttpRequest& request, std::string_view body, std::string& out) {
    const wire::Endpoint* endpoint = wire::find_endpoint(request.header("X-Amz-Target").value_or(""));
    if (!endpoint) return plain_error(api::ErrorCode::unknown_operation_exception);
    thread_local simdjson::dom::parser parser;
    const codec::ParserTrim trim(parser);
    codec::JsonElement json;
    const std::string_view text = body.empty() ? std::string_view("{}") : body;
    const bool parsed =
        parser.parse(text.data(), text.size()).get(json) == simdjson::SUCCESS && json.is_object();
    if (!parsed) return plain_error(api::ErrorCode::serialization_exception);
    const auto caller = authenticator_.authenticate(request);
    if (!caller) {
      return base::Failure{ApiError{wire::error_named(caller.error().code), caller.error().message}};
    }
    const std::string name_space = name_space_of(*caller);
    ops::Context context{store_,
                         expressions_,
                         settings_,
                         caller->account,
                         caller->region,
                         name_space,
                         request.header("Host").value_or("localhost")};
    return endpoint->serve(*endpoint->operation, context, json, out);
  }

  std::string name_space_of(const Caller& caller) const {
    std::string name_space;
    if (options_.isolate_account) name_space += caller.account;
    if (options_.isolate_region) name_space += "/" + caller.region;
    return name_space;
  }

  static void finish(const net::HttpRequest& request, net::HttpReply& reply, std::string_view id) {
    const bool plain = request.header("Content-Type").value_or("").starts_with(plain_json_type);
    reply.content_type = plain ? plain_json_type : json_type;
    const bool compress =
        reply.body.size() >= compression_bytes &&
        request.header("Accept-Encoding").value_or("").find("gzip") != std::string_view::npos;
    if (compress) {
      reply.body = base::gzip_compress(reply.body);
      reply.add_header("Content-Encoding", "gzip");
    }
    reply.add_header("x-amzn-RequestId", id);
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), base::crc32(reply.body)).ptr;
    reply.add_header("x-amz-crc32",
                     std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }

  void log(const net::HttpRequest& request, std::string_view body, const net::HttpReply& reply,
           std::string_view id, const Answer<void>& answered,
           std::chrono::steady_clock::time_point start) const {
    if (!base::log_enabled(base::LogLevel::info)) return;
    const std::string_view error =
        answered ? std::string_view("-") : api::form_of(answered.error().code).name;
    const std::string_view target = request.header("X-Amz-Target").value_or("-");
    base::log(base::LogLevel::info, "request",
              {{"target", target},
               {"status", reply.status},
               {"error", error},
               {"microseconds", since(start)},
               {"request_bytes", body.size()},
               {"reply_bytes", reply.body.size()},
               {"remote", request.remote},
               {"id", id}});
    if (!options_.log_items) return;
    base::log(base::LogLevel::info, "bodies", {{"id", id}, {"request", body}, {"reply", reply.body}});
  }

  ServiceOptions options_;
  store::Store& store_;
  base::Ids& ids_;
  ops::Settings settings_;
  expr::Cache expressions_;
  wire::Cors cors_;
  Authenticator authenticator_;
};

Service::Service(ServiceOptions options, store::Store& store, const base::Clock& clock, base::Ids& ids)
    : impl_(std::make_unique<Impl>(std::move(options), store, clock, ids)) {}

Service::~Service() = default;

void Service::handle(const net::HttpRequest& request, net::HttpReply& reply) {
  impl_->handle(request, reply);
}

}  // namespace dinette::dynamodb
