#include "s3/copying.h"

#include <algorithm>
#include <string>

#include "dinette/http/query_string.h"

namespace dinette::s3 {
namespace {

constexpr std::uint64_t step = 256 * 1024;

Address copy_source(const Call& call) {
  std::string_view header = call.header("x-amz-copy-source");
  const std::size_t version = header.find("?versionId=");
  const std::string path = http::percent_decode(header.substr(0, version));
  std::string_view rest = path;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  return {std::string(rest.substr(0, slash)), std::string(rest.substr(std::min(slash + 1, rest.size())))};
}

}  // namespace

Done copy_bytes(objects::ObjectReader& from, objects::ObjectWriter& to, std::uint64_t size) {
  std::string room(static_cast<std::size_t>(std::min(size, step)), '\0');
  while (size > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, room.size()));
    DINETTE_S3_TRY(const std::size_t read, from.read(std::span(room).first(wanted)));
    if (read == 0) return fail(Code::internal_error);
    DINETTE_S3_CHECK(to.write(std::string_view(room).substr(0, read)));
    size -= read;
  }
  return {};
}

Outcome<std::unique_ptr<objects::ObjectReader>> open_copy_source(const Call& call) {
  const Address source = copy_source(call);
  if (source.bucket.empty() || source.key.empty()) {
    return fail(Code::invalid_argument,
                "Copy Source must mention the source bucket and key: sourcebucket/sourcekey");
  }
  DINETTE_S3_TRY(auto reader, call.state.store.open(source.bucket, source.key));
  return reader;
}

bool copies_onto_itself(const Call& call) {
  const Address source = copy_source(call);
  return source.bucket == call.address.bucket && source.key == call.address.key;
}

}  // namespace dinette::s3
