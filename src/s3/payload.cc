#include "s3/payload.h"

#include <algorithm>
#include <optional>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/md5.h"
#include "dinette/base/sha256.h"

#include "s3/checksums.h"
#include "s3/chunked.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

constexpr std::size_t hex_digest_size = 64;

bool is_chunked(const Call& call) {
  return call.header("x-amz-content-sha256").starts_with("STREAMING-") ||
         call.header("content-encoding").find("aws-chunked") != string_view::npos;
}

Done check_md5(const Call& call, string_view bytes) {
  const auto header = call.request.header("content-md5");
  if (!header) return {};
  const auto wanted = base::base64_decode(*header);
  const base::Md5Digest digest = base::md5(bytes);
  if (!wanted || wanted->size() != digest.size()) return fail(Code::invalid_digest);
  const auto same = [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; };
  if (!std::ranges::equal(*wanted, digest, same)) return fail(Code::bad_digest);
  return {};
}

Done check_sha256(const Call& call, string_view bytes) {
  const string_view wanted = call.header("x-amz-content-sha256");
  if (wanted.size() != hex_digest_size) return {};  // UNSIGNED-PAYLOAD, STREAMING-..., none
  if (base::hex(base::sha256(bytes)) != wanted) return fail(Code::content_sha256_mismatch);
  return {};
}

string upper(string_view name) {
  string text(name);
  std::ranges::transform(text, text.begin(), base::to_upper);
  return text;
}

Done check_checksums(const Call& call, const ChunkedBody& chunked, Payload& payload) {
  for (const string_view name : checksum_names) {
    const string header = "x-amz-checksum-" + string(name);
    auto wanted = call.request.header(header);
    if (!wanted) wanted = chunked.trailer(header);
    if (!wanted) continue;
    if (checksum(name, payload.bytes) != *wanted) {
      return fail(Code::bad_digest,
                  "The " + upper(name) + " you specified did not match the calculated checksum.");
    }
    payload.checksums.emplace_back(header, *wanted);
  }
  return {};
}

}  // namespace

Done read_payload(const Call& call, Payload& payload) {
  std::optional<ChunkedBody> chunked = ChunkedBody();
  payload.bytes = call.request.body;
  if (is_chunked(call)) {
    chunked = read_chunked(call.request.body);
    if (!chunked) return fail(Code::incomplete_body);
    payload.unpacked = chunked->joined();
    payload.bytes = payload.unpacked;
    const auto announced = call.request.header("x-amz-decoded-content-length");
    if (announced && *announced != std::to_string(payload.bytes.size())) return fail(Code::incomplete_body);
  }
  DINETTE_CHECK(check_md5(call, payload.bytes));
  DINETTE_CHECK(check_sha256(call, payload.bytes));
  return check_checksums(call, *chunked, payload);
}

}  // namespace dinette::s3
