#include "tablestore/wire/ots_headers.h"

#include "dinette/base/ascii.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::tablestore::wire {
namespace {

constexpr std::string_view ots_prefix = "x-ots-";

void keep_first(std::optional<std::string_view>& kept, std::string_view value) {
  if (!kept) kept = value;
}

}  // namespace

OtsHeaders::OtsHeaders(const http::Request& request) {
  for (const http::Header& header : request.headers) take(header);
}

void OtsHeaders::take(const http::Header& header) {
  // Most names differ in length.
  const auto is = [&](std::string_view name) {
    return header.name.size() == name.size() && http::same_header_name(header.name, name);
  };
  const bool of_service = base::equal_ignoring_case(header.name.substr(0, ots_prefix.size()), ots_prefix);
  if (!of_service) {
    if (is("Origin")) keep_first(origin, header.value);
    if (is(tenancy::world_header)) keep_first(world, header.value);
    if (is("User-Agent")) agent = header.value;
    if (is("traceparent")) trace_parent = header.value;
    if (is("X-Dinette-Record")) spared_by_lists = header.value == "off";
    return;
  }
  if (is("x-ots-signature")) return keep_first(signature, header.value);
  if (is("x-ots-signaturev4")) return keep_first(signature_v4, header.value);
  of_ots.push_back(header);
  if (is("x-ots-date")) keep_first(date, header.value);
  if (is("x-ots-apiversion")) keep_first(api_version, header.value);
  if (is("x-ots-accesskeyid")) keep_first(access_key, header.value);
  if (is("x-ots-instancename")) keep_first(instance, header.value);
  if (is("x-ots-contentmd5")) keep_first(content_md5, header.value);
  if (is("x-ots-signdate")) sign_date = header.value;
  if (is("x-ots-signregion")) sign_region = header.value;
  if (is("x-ots-request-compress-type")) compress_type = header.value;
}

}  // namespace dinette::tablestore::wire
