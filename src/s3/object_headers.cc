#include "s3/object_headers.h"

#include <algorithm>
#include <array>

#include "dinette/base/ascii.h"
#include "dinette/http/tokens.h"

#include "s3/dates.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

constexpr string_view meta_prefix = "x-amz-meta-";
constexpr string_view checksum_prefix = "x-amz-checksum-";
constexpr string_view default_type = "binary/octet-stream";

constexpr std::array<string_view, 7> kept_names{"cache-control",
                                                "content-disposition",
                                                "content-encoding",
                                                "content-language",
                                                "content-type",
                                                "expires",
                                                "x-amz-website-redirect-location"};

/// The parameters of GetObject that replace headers, after "response-".
constexpr std::array<string_view, 6> replaceable{"cache-control",    "content-disposition",
                                                 "content-encoding", "content-language",
                                                 "content-type",     "expires"};

string lower(string_view text) {
  string out(text);
  std::ranges::transform(out, out.begin(), base::to_lower);
  return out;
}

/// Returns the codings without aws-chunked, which is only of the request.
string without_chunked(string_view codings) {
  string out;
  while (!codings.empty()) {
    const string_view one = http::trimmed(http::take_until(codings, ','));
    if (one == "aws-chunked" || one.empty()) continue;
    out.append(out.empty() ? "" : ",").append(one);
  }
  return out;
}

bool is_header_value(string_view value) {
  return std::ranges::none_of(value,
                              [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; });
}

void set(ObjectHeaders& headers, string_view name, string_view value) {
  const auto same = [&](const auto& header) { return header.first == name; };
  const auto found = std::ranges::find_if(headers, same);
  if (found == headers.end()) {
    headers.emplace_back(name, value);
  } else {
    found->second = value;
  }
}

}  // namespace

ObjectHeaders headers_to_keep(const Call& call) {
  ObjectHeaders kept;
  for (const http::Header& header : call.request.headers) {
    string name = lower(header.name);
    if (!name.starts_with(meta_prefix) && std::ranges::find(kept_names, name) == kept_names.end()) continue;
    string value = name == "content-encoding" ? without_chunked(header.value) : string(header.value);
    if (!value.empty()) kept.emplace_back(std::move(name), std::move(value));
  }
  return kept;
}

Done check_replaced_headers(const Call& call) {
  if (is_signed(call.request)) return {};
  const auto replaced = [&](string_view name) { return call.has_parameter("response-" + string(name)); };
  if (std::ranges::none_of(replaceable, replaced)) return {};
  return fail(Code::invalid_request,
              "Request specific response headers cannot be used for anonymous GET requests.");
}

void add_object_headers(const Call& call, const objects::ObjectInfo& info, bool whole) {
  ObjectHeaders headers{{"content-type", string(default_type)}};
  const bool with_checksums =
      whole && base::equal_ignoring_case(call.header("x-amz-checksum-mode"), "enabled");
  for (const auto& [name, value] : info.headers) {
    if (with_checksums || !name.starts_with(checksum_prefix)) set(headers, name, value);
  }
  for (const string_view name : replaceable) {
    if (const auto value = call.query.find("response-" + string(name))) set(headers, name, *value);
  }
  for (const auto& [name, value] : headers) {
    if (is_header_value(name) && is_header_value(value)) call.response.add_header(name, value);
  }
  call.add_etag(info.etag);
  call.response.add_header("Last-Modified", http_date(info.modified));
  call.response.add_header("Accept-Ranges", "bytes");
}

}  // namespace dinette::s3
