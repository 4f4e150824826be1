#include "aws/cbor_call.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "dinette/base/per_thread.h"

namespace dinette::aws {
namespace {

constexpr std::string_view smithy_content_type = "application/cbor";
constexpr std::string_view smithy_protocol = "rpc-v2-cbor";

/// Those with X-Amz-Target; a parameter may follow.
constexpr std::array<std::string_view, 2> amz_content_types{"application/x-amz-cbor-1.1",
                                                            "application/x-amz-cbor-1.0"};

/// Returns what is wrong with the headers of a call of Smithy RPC v2 (docs/service/wire.md section 10).
std::string_view wrong_headers_of(const http::Request& request) {
  if (request.header("X-Amz-Target") || request.header("X-Amzn-Target"))
    return "A request of Smithy RPC v2 names its operation in the path, and must not have X-Amz-Target";
  if (request.header(smithy_protocol_header) != smithy_protocol)
    return "The header Smithy-Protocol must be rpc-v2-cbor";
  return {};
}

/// Returns the body of an error with the name space in front of the error's name, where clients of Smithy RPC
/// v2 look for its shape.
std::string with_name_space(std::string_view error, std::string_view name_space) {
  constexpr std::string_view begin = R"({"__type":")";  // append_error writes it first
  if (!error.starts_with(begin) || name_space.empty()) return std::string(error);
  const std::string_view type = error.substr(begin.size(), error.find('"', begin.size()) - begin.size());
  const std::size_t name = type.rfind('#') + 1;  // 0 if there is no prefix
  return std::string(begin).append(name_space).append("#").append(error.substr(begin.size() + name));
}

}  // namespace

std::unique_ptr<CborCall> CborCall::of(const http::Request& request, std::string_view content_type,
                                       std::span<const SmithyService> services) {
  if (is_smithy_request(request)) return of_smithy(request, *read_smithy_path(request.path()), services);
  const auto type = std::ranges::find_if(amz_content_types,
                                         [&](std::string_view one) { return content_type.starts_with(one); });
  if (type == amz_content_types.end()) return nullptr;
  return std::unique_ptr<CborCall>(new CborCall(*type, CborTime::milliseconds));
}

std::unique_ptr<CborCall> CborCall::of_smithy(const http::Request& request, const SmithyPath& path,
                                              std::span<const SmithyService> services) {
  std::unique_ptr<CborCall> call(new CborCall(smithy_content_type, CborTime::seconds));
  const auto service =
      std::ranges::find_if(services, [&](const SmithyService& one) { return is_name_of(one, path.service); });
  const bool is_known = service != services.end();
  call->is_smithy_ = true;
  call->target_.append(is_known ? service->name : path.service).append(".").append(path.operation);
  call->wrong_headers_ = wrong_headers_of(request);
  if (is_known) call->name_space_ = service->name_space;
  return call;
}

std::optional<CborError> CborCall::read(std::string_view body, std::span<const std::string_view> blob_members,
                                        std::size_t most_json_bytes) {
  if (body.empty()) return std::nullopt;
  const CborRules rules{.time = time_, .blob_members = blob_members, .most_json_bytes = most_json_bytes};
  auto wrong = cbor_to_json(body, rules, request_);
  if (wrong) request_.clear();
  return wrong;
}

void CborCall::write(http::Response& response, const OutputShape* shape, bool is_error) {
  if (is_smithy_) response.add_header("smithy-protocol", smithy_protocol);
  if (response.content_type != content_type_) return;
  if (response.body.empty()) {
    if (is_smithy_) response.content_type = {};
    return;
  }
  reply_.swap(response.body);
  response.body.clear();
  response.body.reserve(reply_.size());
  const std::string text = is_error && is_smithy_ ? with_name_space(reply_, name_space_) : std::string();
  ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct ReplyParser>());
  JsonElement json;
  if (in_use.parse(text.empty() ? reply_ : text, json) != simdjson::SUCCESS)
    throw std::logic_error("a response is not JSON");
  json_to_cbor(json, shape, time_, response.body);
}

}  // namespace dinette::aws
