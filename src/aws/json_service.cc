#include "dinette/aws/json_service.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dinette/aws/request_id.h"
#include "dinette/base/compression.h"
#include "dinette/base/crc32.h"
#include "dinette/base/log.h"
#include "dinette/base/pending.h"
#include "dinette/base/per_thread.h"
#include "dinette/base/waiting.h"
#include "dinette/http/content_coding.h"
#include "dinette/http/local_host.h"
#include "dinette/http/page_access.h"
#include "dinette/http/trace_parent.h"

#include "aws/call.h"
#include "aws/call_log.h"
#include "aws/long_requests.h"
#include "aws/query_protocol.h"

namespace dinette::aws {
namespace {

/// Without its version, which is the service's.
constexpr std::string_view amz_json_type = "application/x-amz-json-";
constexpr std::string_view plain_json_type = "application/json";

/// docs/service/wire.md section 2.
constexpr std::string_view exposed_headers =
    "x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,Date";

constexpr std::string_view internal_error = "Internal server error";

/// An error that is answered without JSON (docs/service/wire.md section 4, steps 1 and 2).
struct BareError {
  int status;
  std::string_view name;  ///< for the log
  std::string_view body;
};
constexpr BareError no_such_path{404, "UnknownOperationException", "<UnknownOperationException/>"};
constexpr BareError head_too_large{400, "RequestHeaderTooLarge", ""};
constexpr BareError body_too_large{413, "RequestEntityTooLarge", ""};
constexpr BareError refused_page{403, "AccessDeniedException", ""};
/// Without any answer: the connection is closed.
constexpr BareError dropped{0, "dropped", ""};
/// Whatever is none of these, and has no ErrorForm that the service named.
constexpr BareError other_error{500, "other", ""};
constexpr std::array bare_errors = {&no_such_path, &head_too_large, &body_too_large,
                                    &refused_page, &dropped,        &other_error};

/// The HTTP server's status for a head over its own limit, which is above the service's.
constexpr int header_fields_too_large = 431;

/// Why a request ends before its operation runs.
struct Refusal {
  const ErrorForm* form;
  std::string message = {};
};

using CallerPointer = std::shared_ptr<const Caller>;

/// The delay of a request that a fault rule has hit.
struct Delay final : http::Deferral {
  Delay(std::shared_ptr<tenancy::World> picked, tenancy::FaultHit its_hit)
      : world(std::move(picked)), hit(std::move(its_hit)) {}

  void when_due(std::function<void()> resume) override {
    world->faults().resume_after_delay(hit, std::move(resume));
  }

  const std::shared_ptr<tenancy::World> world;  ///< that of the request
  const tenancy::FaultHit hit;
};

/// Returns the errors of the service, and then `bare_errors`.
std::vector<observe::RequestCounters::Error> counted_errors(std::span<const ErrorForm> forms) {
  std::vector<observe::RequestCounters::Error> errors;
  for (const ErrorForm& form : forms) errors.push_back({form.name, form.status});
  for (const BareError* error : bare_errors) errors.push_back({error->name, error->status});
  return errors;
}

/// Returns a metric of https://www.w3.org/TR/server-timing/, in milliseconds.
std::string server_timing(Call::SteadyTime::duration duration) {
  return "total;dur=" + std::to_string(std::chrono::duration<double, std::milli>(duration).count());
}

/// Returns the value of a header that the response has, if it has it.
std::string_view header_of(const http::Response& response, std::string_view name) {
  const std::string start = std::string(name) + ": ";
  const std::size_t found = response.headers.find(start);
  if (found == std::string::npos) return {};
  const std::string_view rest = std::string_view(response.headers).substr(found + start.size());
  return rest.substr(0, rest.find('\r'));
}

using Positions = std::unordered_map<std::string_view, std::size_t>;

Positions positions_of(std::span<const std::string_view> targets) {
  Positions positions;
  for (std::size_t i = 0; i < targets.size(); ++i) positions.emplace(targets[i], i);
  return positions;
}

std::optional<std::size_t> find(const Positions& positions, std::string_view target) {
  const auto found = positions.find(target);
  return found == positions.end() ? std::nullopt : std::optional(found->second);
}

void write(const BareError& error, http::Response& response) {
  response.status = error.status;
  response.content_type = {};
  response.body = error.body;
}

/// Adds what every response has (docs/service/wire.md section 2).
void add_headers(std::string_view id, http::Response& response) {
  std::array<char, 10> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), base::crc32(response.body)).ptr;
  response.add_header("x-amzn-RequestId", id);
  response.add_header("x-amz-crc32", {digits.data(), end});
}

}  // namespace

class JsonService::Impl {
 public:
  Impl(const JsonProtocol& protocol, JsonServiceOptions options, JsonOperations& operations,
       const tenancy::Tenants& tenants, const base::Clock& clock, base::Ids& ids)
      : protocol_(protocol),
        log_(protocol, counted_errors(protocol.error_forms), options, clock),
        operations_(operations),
        tenants_(tenants),
        ids_(ids),
        pages_({.cors = {.origins = std::move(options.cors_origins),
                         .exposed_headers = std::string(exposed_headers)}}),
        authenticator_(protocol.signing_name, std::move(options.auth), clock) {}

  void handle(const http::Request& request, http::Response& response) {
    const base::WaitingScope waiting(request.may_wait);
    Call call(request, response, make_request_id(ids_), log_.recorded());
    try {
      CallLog::take_details(call);
      answer(call);
      if (response.must_wait) return;
      finish(call);
    } catch (const std::exception& error) {  // Bugs and exhausted memory end here.
      base::log(base::LogLevel::error, "a request failed unexpectedly",
                {{"reason", error.what()},
                 {"id", text_of(call.id)},
                 {"trace", http::trace_id_of(request).value_or("-")}});
      response.clear();
      refuse(call, {protocol_.errors.internal, std::string(internal_error)});
      finish(call);
    }
  }

  void refuse(const http::Request& request, http::Response& response) {
    const RequestId id = make_request_id(ids_);
    const std::string why = response.body.substr(0, response.body.find('\n'));
    if (response.status == body_too_large.status) write(body_too_large, response);
    if (response.status == header_fields_too_large) write(head_too_large, response);
    add_headers(text_of(id), response);
    base::log(base::LogLevel::info, "request refused",
              {{"status", response.status},
               {"error_message", why},
               {"remote", request.remote},
               {"id", text_of(id)}});
  }

  const observe::RequestCounters& requests() const { return log_.counters(); }

 private:
  /// The limits of docs/service/wire.md section 4, step 2. Both together are the HTTP server's own.
  bool has_large_head(const Call& call) const {
    return std::max(call.headers.bytes, call.request.target.size()) > protocol_.limits.head;
  }

  /// docs/service/wire.md section 4.
  void answer(Call& call) {
    const http::Request& request = call.request;
    if (!pages_.admits(call.headers.origin, call.headers.host)) return refuse_origin(call);
    if (has_large_head(call)) return refuse(call, head_too_large);
    if (request.method == "OPTIONS") return pages_.answer_preflight(request, call.response);
    if (!protocol_.routes.empty()) return answer_rest(call);
    const bool root = request.path() == "/";
    if (root && request.method == "POST") return answer_operation(call);
    if (request.method == "POST" && is_smithy_request(request)) return answer_smithy(call);
    if (root && (request.method == "GET" || request.method == "HEAD"))
      return operations_.answer_health(call.response);
    refuse(call, no_such_path);
  }

  /// Comes before any other check, so that nothing runs for a page that may not call.
  void refuse_origin(Call& call) {
    const std::string origin(*call.headers.origin);
    if (!warned_of_origin_.test_and_set()) {
      base::log(base::LogLevel::warn, "a web page was refused; --cors says which origins may call",
                {{"origin", origin}});
    }
    refuse(call, {protocol_.errors.access_denied,
                  "Web pages of origin " + origin +
                      " may not call this server. Its option --cors says which may."});
    call.response.status = refused_page.status;
    set_error(call, refused_page);
  }

  /// Answers long requests, and those to explain, on threads where no other request waits for them.
  void answer_operation(Call& call) {
    const bool packed = !call.headers.content_encoding.empty();
    const bool is_long = packed || call.body.size() > protocol_.limits.body_on_loop;
    call.response.must_wait = (is_long || call.explain) && !call.request.may_wait;
    if (call.response.must_wait) return;
    const LongRequests::Permit permit(is_long ? &long_requests_ : nullptr);
    call.response.content_type = type_of(call);
    if (call.cbor && !call.cbor->wrong_headers().empty()) [[unlikely]]
      return refuse(call, {protocol_.errors.unknown_operation, std::string(call.cbor->wrong_headers())});
    if (!call.target) [[unlikely]] {
      if (const auto action = query_action(call.headers.content_type, call.body))
        return refuse_query(call, *action);
    }
    if (const auto refused = dispatch(call)) refuse(call, *refused);
  }

  /// Whatever its content type says.
  void answer_smithy(Call& call) {
    call.type = type_of_cbor(call);
    answer_operation(call);
  }

  /// Only the reads of REST-JSON tell anything; no page can sign as a program that is no browser.
  bool may_be_rebound(const Call& call) const {
    if (!pages_.may_be_rebound(call.request)) return false;
    return !call.headers.authorization || http::is_of_browser(call.request);
  }

  void answer_rest(Call& call) {
    call.type = protocol_.content_type;
    if (may_be_rebound(call))
      return refuse(call, {protocol_.errors.access_denied, pages_.why_rebound(call.request)});
    call.rest = RestCall::of(call.request, protocol_.routes);
    if (!call.rest)
      return refuse(call, {protocol_.errors.unknown_operation, std::string(protocol_.no_route)});
    call.target = protocol_.served[call.rest->operation()];
    answer_operation(call);
  }

  /// Refuses a call of another service of AWS in a form that its client can read.
  void refuse_query(Call& call, const std::string& action) {
    set_error(call, *protocol_.errors.unknown_operation);
    call.response.content_type = query_content_type;
    const std::string message = "Dinette serves " + std::string(protocol_.services) + " only, and not " +
                                action + "." + std::string(advice_for_action(action));
    call.response.body = query_error("InvalidAction", message, text_of(call.id));
    call.error_message = message;
    if (!warned_of_query_.test_and_set()) {
      base::log(base::LogLevel::warn, "a call of another AWS service was refused",
                {{"action", action}, {"remote", call.request.remote}});
    }
  }

  std::string_view type_of(Call& call) const {
    if (call.type.empty()) {
      const bool is_usual = call.headers.content_type.starts_with(amz_json_type);
      call.type = is_usual ? protocol_.content_type : other_type_of(call);
    }
    return call.type;
  }

  /// Finds out whether the call is in CBOR.
  [[gnu::cold]] std::string_view other_type_of(Call& call) const {
    const std::string_view sent = call.headers.content_type;
    return sent.starts_with(plain_json_type) ? plain_json_type : type_of_cbor(call);
  }

  std::string_view type_of_cbor(Call& call) const {
    call.cbor = CborCall::of(call.request, call.headers.content_type, protocol_.smithy);
    if (!call.cbor) return protocol_.content_type;
    if (call.cbor->is_smithy()) call.target = call.cbor->target_in_path();
    return call.cbor->content_type();
  }

  void refuse(Call& call, const Refusal& refusal) const {
    set_error(call, *refusal.form);
    call.error_message = refusal.message;
    call.response.deferral.reset();
    call.response.body.clear();
    if (protocol_.routes.empty())
      append_error(call.response.body, *refusal.form, refusal.message);
    else
      append_rest_error(call.response.body, *refusal.form, refusal.message);
  }

  void refuse(Call& call, const BareError& error) const {
    set_error(call, error);
    write(error, call.response);
  }

  void set_error(Call& call, const BareError& error) const {
    call.error = error.name;
    const auto found = std::ranges::find(bare_errors, &error);
    call.error_index = protocol_.error_forms.size() + static_cast<std::size_t>(found - bare_errors.begin());
  }

  void set_error(Call& call, const ErrorForm& form) const {
    const auto& forms = protocol_.error_forms;
    const auto found = std::ranges::find(forms, &form, [](const ErrorForm& one) { return &one; });
    if (found == forms.end()) set_error(call, other_error);
    if (found != forms.end()) call.error_index = static_cast<std::size_t>(found - forms.begin());
    call.error = form.name;
    call.response.status = form.status;
    call.response.content_type = type_of(call);
  }

  /// The order of the checks before an operation's own: docs/service/wire.md section 4. A compressed body is
  /// unpacked only for an authenticated caller; its signature covers the bytes sent.
  std::optional<Refusal> dispatch(Call& call) {
    const std::string_view target = call.target.value_or("");
    const auto operation = find(served_, target);
    if (!operation) return unknown_operation(target);
    call.operation = operation;
    CallerPointer caller;
    if (!call.headers.content_encoding.empty()) {
      if (auto refused = authenticate(call, caller)) return refused;
      if (!unpack(call)) return Refusal{protocol_.errors.internal, std::string(internal_error)};
    }
    return parse_and_run(call, *operation, caller);
  }

  /// `caller`: null if it is not known yet.
  std::optional<Refusal> parse_and_run(Call& call, std::size_t operation, CallerPointer& caller) {
    ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct RequestParser>());
    if (call.cbor) [[unlikely]] {
      if (const auto wrong = call.cbor->read(call.body, protocol_.blob_members, most_json_of_cbor())) {
        log_.malformed(call, *wrong);
        return Refusal{protocol_.errors.serialization};
      }
    }
    if (call.rest) call.rest->merge(call.body);
    const std::string_view sent = request_text(call);
    const std::string_view text = sent.empty() ? std::string_view("{}") : sent;
    RequestBody parsed{.json = {}, .has_escapes = text.find('\\') != std::string_view::npos};
    const simdjson::error_code failed = in_use.parse(text, parsed.json);
    if (failed != simdjson::SUCCESS || !parsed.json.is_object()) {
      log_.malformed(call, text, failed);
      return Refusal{protocol_.errors.serialization};
    }
    if (!caller) {
      if (auto refused = authenticate(call, caller)) return refused;
    }
    return run(call, operation, *caller, parsed);
  }

  /// Byte strings become longer as JSON, and so do some numbers; most requests do not.
  std::size_t most_json_of_cbor() const { return 2 * protocol_.limits.body; }

  /// In the world that the caller sees, or, after a delay, in the one whose rule injected it.
  std::optional<Refusal> run(Call& call, std::size_t operation, const Caller& caller,
                             const RequestBody& body) {
    const tenancy::Sender sender{call.headers.world, caller.access_key, caller.account, caller.region};
    const auto delay = std::static_pointer_cast<const Delay>(std::exchange(call.response.deferral, nullptr));
    std::string_view name;
    auto found = tenants_.world_of(sender, name);
    if (delay) found = delay->world;
    if (!found) [[unlikely]]
      return without_world(call, found.error());
    std::shared_ptr<tenancy::World> world = std::move(found).value();
    if (world == nullptr) [[unlikely]]
      return Refusal{protocol_.errors.validation, tenants_.why_none(sender)};
    if (call.details) call.details->world = name;
    const JsonRequest request{.operation = operation,
                              .caller = caller,
                              .body = body,
                              .host = call.headers.host,
                              .explain = call.explain,
                              .spared = call.headers.faults == "off",
                              .world = *world,
                              .name_space = tenants_.name_space_of(sender),
                              .details = call.details,
                              .delayed = delay ? &delay->hit : nullptr};
    Outcome outcome = operations_.run(request, call.response);
    call.response.must_wait = outcome.must_wait;
    if (outcome.error)
      set_error(call, *outcome.error);
    else if (call.rest)
      call.response.status = call.rest->status();
    call.error_message = std::move(outcome.error_message);
    if (outcome.drop) drop(call);
    if (outcome.delay) [[unlikely]]
      call.response.deferral = std::make_shared<Delay>(std::move(world), *std::move(outcome.delay));
    return std::nullopt;
  }

  /// A new world is made where the request may wait for the disk.
  std::optional<Refusal> without_world(Call& call, const kv::Error& error) const {
    call.response.must_wait = error.kind == kv::ErrorKind::would_block;
    if (call.response.must_wait) return std::nullopt;
    base::log(base::LogLevel::error, "storage failed", {{"reason", error.message}});
    return Refusal{protocol_.errors.internal, std::string(internal_error)};
  }

  void drop(Call& call) const {
    set_error(call, dropped);
    call.response.drop = true;
  }

  /// Returns false if the body is not what its coding says, or too large (docs/service/wire.md section 9).
  bool unpack(Call& call) const {
    const auto format = http::coding_named(call.headers.content_encoding);
    if (!format) return false;
    auto content = base::decompress(*format, call.body, protocol_.limits.body);
    if (!content) return false;
    call.unpacked = std::move(content).value();
    call.body = call.unpacked.view();
    return true;
  }

  std::optional<Refusal> authenticate(const Call& call, CallerPointer& caller) const {
    auto known = authenticator_.authenticate(call.request, call.headers.authorization);
    if (!known) return Refusal{form_of(known.error().problem), std::move(known).error().message};
    caller = std::move(known).value();
    return std::nullopt;
  }

  const ErrorForm* form_of(AuthProblem problem) const {
    const CommonErrors& errors = protocol_.errors;
    switch (problem) {
      case AuthProblem::incomplete_signature:
        return errors.incomplete_signature;
      case AuthProblem::invalid_signature:
      case AuthProblem::skewed_time:
        return errors.invalid_signature;
      case AuthProblem::missing_token:
        return errors.missing_token;
      case AuthProblem::unrecognized_client:
        return errors.unrecognized_client;
    }
    return errors.internal;
  }

  /// The type is the service's own, which knows all its operations.
  Refusal unknown_operation(std::string_view target) {
    const auto planned = find(planned_, target);
    if (!planned) return {protocol_.errors.unknown_operation};
    if (!warned_of_planned_[*planned].test_and_set())
      base::log(base::LogLevel::warn, "Dinette does not serve this operation yet", {{"target", target}});
    const std::string name(name_in(target));
    return {protocol_.errors.unknown_operation, "Dinette does not serve " + name + " yet"};
  }

  void finish(Call& call) {
    http::Response& response = call.response;
    if (call.cbor) [[unlikely]]
      call.cbor->write(response, shape_of_reply(call), !call.error.empty());
    call.duration = Call::SteadyTime::clock::now() - call.start;
    log_.add(call);
    if (response.body.size() > protocol_.limits.uncompressed)
      http::compress_for(call.headers.accept_encoding, response);
    add_headers(text_of(call.id), response);
    if (!protocol_.routes.empty() && !call.error.empty()) response.add_header(error_type_header, call.error);
    pages_.add_headers(call.headers.origin, response);
    // Next to the list that the service has: browsers take both.
    if (call.headers.origin && call.explain)
      response.add_header("Access-Control-Expose-Headers", explain_header);
    if (call.headers.origin && call.cbor && call.cbor->is_smithy())
      response.add_header("Access-Control-Expose-Headers", smithy_protocol_header);
    if (call.explain) response.add_header("Server-Timing", server_timing(call.duration));
  }

  /// Null if it has none.
  const OutputShape* shape_of_reply(const Call& call) const {
    if (!call.error.empty()) return protocol_.error_output;
    return call.operation && !protocol_.outputs.empty() ? protocol_.outputs[*call.operation] : nullptr;
  }

  const JsonProtocol protocol_;
  const Positions served_ = positions_of(protocol_.served);
  const Positions planned_ = positions_of(protocol_.planned);
  CallLog log_;
  JsonOperations& operations_;
  const tenancy::Tenants tenants_;
  base::Ids& ids_;
  const http::PageAccess pages_;
  Authenticator authenticator_;
  LongRequests long_requests_;
  /// Warnings that are logged once per process.
  std::atomic_flag warned_of_origin_;
  std::atomic_flag warned_of_query_;
  std::vector<std::atomic_flag> warned_of_planned_ = std::vector<std::atomic_flag>(protocol_.planned.size());
};

std::string_view error_type_of(const http::Response& response) {
  return header_of(response, error_type_header);
}

std::string_view explanation_of(const http::Response& response) {
  return header_of(response, explain_header);
}

bool has_target_of(const http::Request& request, std::string_view prefix) {
  return request.header("X-Amz-Target").value_or("").starts_with(prefix);
}

JsonService::JsonService(const JsonProtocol& protocol, JsonServiceOptions options, JsonOperations& operations,
                         const tenancy::Tenants& tenants, const base::Clock& clock, base::Ids& ids)
    : impl_(std::make_unique<Impl>(protocol, std::move(options), operations, tenants, clock, ids)) {}

JsonService::~JsonService() = default;

void JsonService::handle(const http::Request& request, http::Response& response) {
  impl_->handle(request, response);
}

void JsonService::refuse(const http::Request& request, http::Response& response) {
  impl_->refuse(request, response);
}

const observe::RequestCounters& JsonService::requests() const {
  return impl_->requests();
}

}  // namespace dinette::aws
