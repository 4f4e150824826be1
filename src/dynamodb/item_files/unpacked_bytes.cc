#include "dynamodb/item_files/unpacked_bytes.h"

#include <algorithm>
#include <string>
#include <utility>

namespace dinette::dynamodb::item_files {

using base::Failure;

UnpackedBytes::UnpackedBytes(objects::ObjectReader& file, Packing packing, std::stop_token stop)
    : file_(file), stop_(std::move(stop)) {
  if (packing == Packing::gzip) unpacker_.emplace<base::Gunzip>();
  if (packing == Packing::zstd) unpacker_.emplace<base::Unzstd>();
}

ReadResult<std::string_view> UnpackedBytes::rest(std::size_t least) {
  while (rest_.size() < least) {
    std::ranges::copy(rest_, unpacked_.begin());
    const std::size_t kept = rest_.size();
    // Checked here, since a few packed bytes may unpack to very many.
    if (stop_.stop_requested())
      return Failure{objects::Error{objects::ErrorKind::stopped, "the process is ending"}};
    DINETTE_TRY(const std::size_t size, read(std::span(unpacked_).subspan(kept)));
    rest_ = {unpacked_.data(), kept + size};
    count_ += size;
    if (size == 0) break;
  }
  return rest_;
}

ReadResult<std::size_t> UnpackedBytes::read(std::span<char> room) {
  if (auto* const gunzip = std::get_if<base::Gunzip>(&unpacker_)) return unpack(*gunzip, room, "gzip");
  if (auto* const unzstd = std::get_if<base::Unzstd>(&unpacker_)) return unpack(*unzstd, room, "Zstandard");
  DINETTE_TRY(const std::size_t size, file_.read(room));
  return size;
}

template <class Unpacker>
ReadResult<std::size_t> UnpackedBytes::unpack(Unpacker& unpacker, std::span<char> room,
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
