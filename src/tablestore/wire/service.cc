#include "dinette/tablestore/service.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/waiting.h"
#include "dinette/tenancy/tenants.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/tables/table_schema.h"
#include "tablestore/wire/call.h"
#include "tablestore/wire/call_log.h"
#include "tablestore/wire/endpoint.h"
#include "tablestore/wire/envelope.h"
#include "tablestore/wire/reply.h"
#include "tablestore/wire/resume.h"

namespace dinette::tablestore {
namespace {

using wire::Call;

/// Longer requests are answered where no other client waits for them.
constexpr std::size_t longest_on_loop = 64 * 1024;

constexpr std::string_view path_of_tunnels = "/tunnel/";

std::optional<std::size_t> position_of(std::string_view path) {
  const auto all = wire::endpoints();
  const auto found = std::ranges::lower_bound(all, path, {}, &wire::Endpoint::path);
  if (found == all.end() || found->path != path) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

bool has_no_body(std::string_view method) {
  return method == "HEAD" || method == "TRACE";
}

/// What the HTTP server has refused, in the words of the service.
std::optional<ApiError> error_of_status(int status) {
  switch (status) {
    case 405:
      return refuse::method_not_allowed().error();
    case 408:
      return refuse::request_timeout().error();
    case 413:
      return refuse::body_too_large().error();
    case 500:
      return refuse::internal_server_error().error();
    default:
      return std::nullopt;
  }
}

}  // namespace

tenancy::WorldFace world_face() {
  return {{.id = face_id, .decode = &TableSchema::decode}, &wire::resume};
}

class Service::Impl {
 public:
  Impl(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
      : switches_{.loose_names = options.loose_names},
        keys_(options.keys, options.strict),
        tenants_(worlds),
        clock_(clock),
        ids_(ids),
        log_(options.recent, options.reports) {}

  void handle(const http::Request& request, http::Response& response) {
    const base::WaitingScope waiting(request.may_wait);
    const base::TimePoint arrival = clock_.now();
    Call call(request, response, wire::make_request_id(arrival, ids_));
    try {
      log_.take_details(call);
      answer(call, arrival);
    } catch (const std::exception& error) {  // Bugs and exhausted memory end here.
      base::log(base::LogLevel::error, "a request failed unexpectedly",
                {{"reason", error.what()}, {"id", call.id}});
      response.clear();
      fail(call, refuse::internal_server_error().error());
    }
    if (!response.must_wait) finish(call);
  }

  void refuse_early(const http::Request& request, http::Response& response) {
    Call call(request, response, wire::make_request_id(clock_.now(), ids_));
    if (auto error = error_of_status(response.status)) wire::write_error(*error, response);
    if (call.headers.access_key) call.signer = keys_.signer_of(call.request, call.headers);
    add_headers(call);
    base::log(base::LogLevel::info, "request refused",
              {{"status", response.status}, {"remote", request.remote}, {"id", call.id}});
  }

  const observe::RequestCounters& requests() const { return log_.counters(); }

 private:
  void answer(Call& call, base::TimePoint arrival) {
    call.response.must_wait = call.body.size() > longest_on_loop && !call.request.may_wait;
    if (call.response.must_wait) return;
    if (call.headers.access_key) call.signer = keys_.signer_of(call.request, call.headers);
    call.operation = position_of(call.path());
    if (auto answered = run(call, arrival); !answered) fail(call, std::move(answered).error());
  }

  /// The order of the checks: tablestore/wire.md section 7.
  Answer<void> run(Call& call, base::TimePoint arrival) {
    if (call.headers.origin)
      return refusal(api::ErrorCode::no_permission_access, "Web pages may not call Tablestore.");
    if (call.request.method != "POST") return refuse::method_not_allowed();
    if (!call.operation) return refuse::unsupported_operation(call.path());
    DINETTE_TRY(const std::string instance,
                wire::check_envelope(call.request, call.headers, keys_, call.signer, arrival));
    DINETTE_CHECK(unpack(call));
    DINETTE_TRY(const auto world, world_of(call));
    const auto store = world->store(face_id, instance);
    const Context context{.world = *world,
                          .store = *store,
                          .now = world->clock().now(),
                          .switches = switches_,
                          .details = call.details};
    return wire::endpoints()[*call.operation].serve(context, call.body, call.response.body);
  }

  /// tablestore/wire.md section 8.
  static Answer<void> unpack(Call& call) {
    if (call.headers.compress_type.empty()) return {};
    if (call.headers.compress_type != "deflate") return refuse::unreadable_message();
    auto content = base::decompress(base::Compression::zlib, call.body, limits::body_bytes);
    if (!content && content.error() == base::DecompressionError::too_large) return refuse::body_too_large();
    if (!content) return refuse::unreadable_message();
    call.unpacked = std::move(content).value();
    call.body = call.unpacked.view();
    return {};
  }

  Answer<std::shared_ptr<tenancy::World>> world_of(Call& call) const {
    const tenancy::Sender sender{
        .world = call.headers.world, .access_key = *call.headers.access_key, .account = {}, .region = {}};
    std::string_view name;
    DINETTE_TABLESTORE_STORED(auto world, tenants_.world_of(sender, name));
    if (!world) return parameter_invalid(tenants_.why_none(sender));
    if (call.details != nullptr) call.details->world = name;
    return world;
  }

  static void fail(Call& call, ApiError error) {
    call.response.must_wait = error.must_wait;
    if (error.must_wait) return;
    if (error.code == api::ErrorCode::unsupport_operation && !call.operation)
      wire::write_unknown_operation(error, call.id, call.response);
    else
      wire::write_error(error, call.response);
    if (has_no_body(call.request.method)) call.response.body.clear();
    call.error = std::move(error);
  }

  void finish(Call& call) {
    add_headers(call);
    log_.add(call);
  }

  void add_headers(const Call& call) {
    wire::add_headers({.path = call.request.path(),
                       .access_key = call.headers.access_key.value_or(""),
                       .signer = call.signer,
                       .id = call.id,
                       .now = clock_.now()},
                      call.response);
  }

  const Switches switches_;
  const wire::KeyRing keys_;
  const tenancy::Tenants tenants_;
  const base::Clock& clock_;
  base::Ids& ids_;
  wire::CallLog log_;
};

Service::Service(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
    : impl_(std::make_unique<Impl>(std::move(options), worlds, clock, ids)) {}

Service::~Service() = default;

bool Service::owns(const http::Request& request) {
  // Every request is asked about. Most are DynamoDB's, and go to "/", which is no operation of Tablestore.
  if (request.target.size() == 1) return false;
  return request.header("x-ots-apiversion") || request.path().starts_with(path_of_tunnels);
}

void Service::handle(const http::Request& request, http::Response& response) {
  impl_->handle(request, response);
}

void Service::refuse(const http::Request& request, http::Response& response) {
  impl_->refuse_early(request, response);
}

const observe::RequestCounters& Service::requests() const {
  return impl_->requests();
}

}  // namespace dinette::tablestore
