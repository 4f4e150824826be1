#include "dynamodb/item_files/unpacked_bytes.h"

#include <algorithm>
#include <string>

namespace dinette::dynamodb::item_files {

using base::Failure;

UnpackedBytes::UnpackedBytes(ObjectStream& file, Packing packing) : file_(file) {
  if (packing == Packing::gzip) unpacker_.emplace<base::Gunzip>();
  if (packing == Packing::zstd) unpacker_.emplace<base::Unzstd>();
}

Outcome<std::string_view> UnpackedBytes::rest(std::size_t least) {
  while (rest_.size() < least) {
    std::ranges::copy(rest_, unpacked_.begin());
    const std::size_t kept = rest_.size();
    if (file_.stopped()) return Failure{std::string("was not read to its end")};
    DINETTE_TRY(const std::size_t size, read(std::span(unpacked_).subspan(kept)));
    rest_ = {unpacked_.data(), kept + size};
    count_ += size;
    if (size == 0) break;
  }
  return rest_;
}

Outcome<std::size_t> UnpackedBytes::read(std::span<char> room) {
  if (auto* const gunzip = std::get_if<base::Gunzip>(&unpacker_)) return unpack(*gunzip, room, "gzip");
  if (auto* const unzstd = std::get_if<base::Unzstd>(&unpacker_)) return unpack(*unzstd, room, "Zstandard");
  return file_.read(room);
}

template <class Unpacker>
Outcome<std::size_t> UnpackedBytes::unpack(Unpacker& unpacker, std::span<char> room,
                                           std::string_view format) {
  for (;;) {
    const auto size = unpacker.take(room);
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

}  // namespace dinette::dynamodb::item_files
