#include "dinette/s3/service.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/face/aws_request.h"
#include "dinette/face/request_log.h"
#include "dinette/objects/s3_errors.h"

#include "s3/access.h"
#include "s3/address.h"
#include "s3/call.h"
#include "s3/router.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

/// Whatever a bucket holds, it runs nothing in the origin of this server, where the page of the
/// administration and DynamoDB are: a browser that opens it puts it into a sandbox, whose origin is "null".
constexpr string_view isolation =
    "Content-Security-Policy: sandbox\r\n"
    "X-Content-Type-Options: nosniff\r\n";

/// The two names of a request in S3's responses.
struct RequestIds {
  explicit RequestIds(base::Ids& ids) {
    base::append_big_endian(host, ids.random());
    for (const char c : host) request += base::hex(std::array{static_cast<unsigned char>(c)});
    for (char& c : request) c = base::to_upper(c);
    base::append_big_endian(host, ids.random());
    host = base::base64_encode(host);
  }

  string request;
  string host;
};

/// Returns all errors, each at the position of its code.
std::vector<observe::RequestCounters::Error> counted_errors() {
  std::vector<observe::RequestCounters::Error> errors;
  for (const objects::S3Error& error : objects::s3_errors()) errors.push_back({error.name, error.status});
  return errors;
}

}  // namespace

class Service::Impl {
 public:
  Impl(ServiceOptions options, objects::BucketStore& store, const base::Clock& clock, base::Ids& ids)
      : access_(std::move(options.auth), options.cors_origins, clock), state_{access_, store, clock,
                                                                              ids,     {},    {}} {}

  void handle(const http::Request& request, http::Response& response) {
    const Done page = access_.check_page(request);
    if (page && request.method == "OPTIONS") return access_.pages().answer_preflight(request, response);
    response.must_wait = !request.may_wait;
    if (response.must_wait) return;
    const auto start = std::chrono::steady_clock::now();
    const RequestIds ids(state_.ids);
    Address address = page ? address_in_store(request) : Address();
    const Call call{state_, request, response, http::QueryString(request.query()), std::move(address)};
    std::optional<std::size_t> operation;
    const Done done = page ? answer(call, operation) : page;
    if (!done) refuse(call, done.error(), ids);
    finish(call, ids);
    log(call, operation, done ? nullptr : &done.error(), ids, start);
  }

  void refuse(const http::Request& request, http::Response& response) {
    const auto start = std::chrono::steady_clock::now();
    const RequestIds ids(state_.ids);
    const Call call{state_, request, response, http::QueryString(request.query()), {}};
    const Error error{Code::entity_too_large};
    response.status = objects::s3_error(error.code).status;
    call.answer(body_of(error, "", "", ids.request, ids.host));
    finish(call, ids);
    log(call, std::nullopt, &error, ids, start);
  }

  const observe::RequestCounters& requests() const { return log_.counters(); }

  bool has_bucket_of(const http::Request& request) const {
    return is_host_of_s3(request) || has_bucket(address_in_store(request).bucket);
  }

 private:
  bool has_bucket(const string& name) const { return state_.store.bucket(name).ok(); }

  Address address_in_store(const http::Request& request) const {
    return address_of(request, [this](const string& name) { return has_bucket(name); });
  }

  Done answer(const Call& call, std::optional<std::size_t>& operation) const {
    DINETTE_CHECK(access_.check_signature(call.request));
    return run(call, operation);
  }

  static void refuse(const Call& call, const Error& error, const RequestIds& ids) {
    http::Response& response = call.response;
    response.clear();
    response.status = objects::s3_error(error.code).status;
    if (call.request.method == "HEAD" || error.code == Code::not_modified) return;
    call.answer(body_of(error, call.address.bucket, call.address.key, ids.request, ids.host));
  }

  void finish(const Call& call, const RequestIds& ids) const {
    call.response.headers += isolation;
    call.response.add_header("Cross-Origin-Resource-Policy", access_.resource_policy(call.request));
    call.response.add_header("x-amz-request-id", ids.request);
    call.response.add_header("x-amz-id-2", ids.host);
    access_.pages().add_headers(call.request.header("origin"), call.response);
  }

  /// `error`: null for a success.
  void log(const Call& call, std::optional<std::size_t> operation, const Error* error, const RequestIds& ids,
           std::chrono::steady_clock::time_point start) {
    const std::array what{base::LogField("method", call.request.method),
                          base::LogField("target", call.request.target)};
    face::Answered answered{.request = call.request,
                            .response = call.response,
                            .duration = std::chrono::steady_clock::now() - start,
                            .operation = operation,
                            .id = ids.request,
                            .request_bytes = call.request.body.size(),
                            .what = what};
    if (error != nullptr) {
      answered.error = static_cast<std::size_t>(error->code);
      answered.error_name = objects::s3_error(error->code).name;
      answered.error_message = message_of(*error);
    }
    log_.add(answered);
  }

  const Access access_;
  State state_;
  face::RequestLog log_{"s3", "s3", operation_names(), counted_errors()};
};

Service::Service(ServiceOptions options, objects::BucketStore& store, const base::Clock& clock,
                 base::Ids& ids)
    : impl_(std::make_unique<Impl>(std::move(options), store, clock, ids)) {}

Service::~Service() = default;

bool Service::owns(const http::Request& request) {
  if (request.header("x-amz-target")) return false;
  return request.path().size() > 1 || face::is_signed_for(request, "s3") || is_host_of_s3(request);
}

bool Service::has_bucket_of(const http::Request& request) const {
  return impl_->has_bucket_of(request);
}

void Service::refuse(const http::Request& request, http::Response& response) {
  impl_->refuse(request, response);
}

const observe::RequestCounters& Service::requests() const {
  return impl_->requests();
}

void Service::handle(const http::Request& request, http::Response& response) {
  impl_->handle(request, response);
}

}  // namespace dinette::s3
