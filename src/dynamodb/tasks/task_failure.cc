#include "dynamodb/tasks/task_failure.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dinette/base/base64.h"
#include "dinette/objects/s3_errors.h"

namespace dinette::dynamodb {
namespace {

std::string random_bytes(base::Ids& ids, std::size_t words) {
  std::string bytes;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t random = ids.random();
    for (unsigned shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(random >> shift & 255U);
  }
  return bytes;
}

/// Returns 16 letters and digits.
std::string request_id(base::Ids& ids) {
  constexpr std::string_view alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::string id;
  for (const char byte : random_bytes(ids, 2)) id += alphabet[static_cast<unsigned char>(byte) & 31U];
  return id;
}

}  // namespace

TaskFailure failure_of(const objects::Error& error, base::Ids& ids) {
  constexpr std::size_t words_of_extended_id = 7;
  const objects::S3Error& s3 = objects::s3_error(error.kind);
  const std::string code(s3.name);
  return {"S3" + code,
          std::string(s3.message) + " (Service: Amazon S3; Status Code: " + std::to_string(s3.status) +
              "; Error Code: " + code + "; Request ID: " + request_id(ids) + "; S3 Extended Request ID: " +
              base::base64_encode(random_bytes(ids, words_of_extended_id)) + "; Proxy: null)"};
}

}  // namespace dinette::dynamodb
