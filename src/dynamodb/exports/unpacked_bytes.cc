#include "dynamodb/exports/unpacked_bytes.h"

#include <string>

namespace dinette::dynamodb::exports {

using base::Failure;

UnpackedBytes::UnpackedBytes(ObjectStream& file, Packing packing) : file_(file) {
  if (packing == Packing::gzip) unpacker_.emplace<base::Gunzip>();
  if (packing == Packing::zstd) unpacker_.emplace<base::Unzstd>();
}

Outcome<std::string_view> UnpackedBytes::rest() {
  if (rest_.empty()) {
    DINETTE_TRY(const std::size_t size, read());
    rest_ = {unpacked_.data(), size};
    count_ += size;
  }
  return rest_;
}

Outcome<std::size_t> UnpackedBytes::read() {
  if (auto* const gunzip = std::get_if<base::Gunzip>(&unpacker_)) return unpack(*gunzip, "gzip");
  if (auto* const unzstd = std::get_if<base::Unzstd>(&unpacker_)) return unpack(*unzstd, "Zstandard");
  return file_.read(unpacked_);
}

template <class Unpacker>
Outcome<std::size_t> UnpackedBytes::unpack(Unpacker& unpacker, std::string_view format) {
  for (;;) {
    const auto size = unpacker.take(unpacked_);
    if (!size) return Failure{"is damaged: it does not unpack as " + std::string(format)};
    if (*size > 0) return *size;
    DINETTE_TRY(const std::size_t packed, file_.read(packed_));
    if (packed > 0) {
      unpacker.give({packed_.data(), packed});
    } else if (unpacker.complete()) {
      return std::size_t{0};
    } else {
      return Failure{"is damaged: it ends in the middle of its " + std::string(format) + " data"};
    }
  }
}

}  // namespace dinette::dynamodb::exports
