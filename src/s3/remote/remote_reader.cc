#include "s3/remote/remote_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "s3/dates.h"

namespace dinette::s3 {
namespace {

using base::Failure;
using objects::ErrorKind;

constexpr int whole_status = 200;
constexpr int partial_status = 206;
constexpr int changed_status = 412;
constexpr int outside_status = 416;

/// A part of an object, by its Content-Range.
struct SentRange {
  std::uint64_t begin = 0;
  std::uint64_t total = 0;  ///< bytes of the object
};

/// Reads a number up to the character `end`, and removes both.
std::optional<std::uint64_t> take_number(std::string_view& text, char end) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  const bool ends = end == '\0' ? text.empty() : text.starts_with(end);
  if (!ends) return std::nullopt;
  text.remove_prefix(end == '\0' ? 0 : 1);
  return number;
}

/// Reads "bytes 0-99/1234".
std::optional<SentRange> range_of(const http::ClientResponse& response) {
  constexpr std::string_view unit = "bytes ";
  std::string_view text = response.header("content-range").value_or("");
  if (!text.starts_with(unit)) return std::nullopt;
  text.remove_prefix(unit.size());
  const auto begin = take_number(text, '-');
  const auto last = begin ? take_number(text, '/') : std::nullopt;
  const auto total = last ? take_number(text, '\0') : std::nullopt;
  if (!total) return std::nullopt;
  return SentRange{*begin, *total};
}

}  // namespace

objects::Result<std::unique_ptr<objects::ObjectReader>> RemoteReader::open(Exchange& exchange,
                                                                           const std::string& bucket,
                                                                           const std::string& key) {
  auto reader = std::make_unique<RemoteReader>(exchange, bucket, key);
  DINETTE_CHECK(reader->begin());
  return std::unique_ptr<objects::ObjectReader>(std::move(reader));
}

objects::Result<http::ClientResponse> RemoteReader::fetch(std::uint64_t position) {
  RemoteRequest request{.bucket = bucket_, .key = info_.key};
  request.headers = "Range: bytes=" + std::to_string(position) + "-" +
                    std::to_string(position + exchange_.options().read_size - 1) + "\r\n";
  if (!info_.etag.empty()) request.headers += "If-Match: \"" + info_.etag + "\"\r\n";
  return exchange_.send(request);
}

objects::Result<void> RemoteReader::begin() {
  DINETTE_TRY(auto response, fetch(0));
  if (response.status == outside_status) return {};  // of an empty object, no range is inside
  if (response.status != whole_status && response.status != partial_status)
    return Failure{exchange_.error_of(response)};
  info_.etag = etag_of(response);
  if (const auto modified = read_http_date(response.header("last-modified").value_or("")))
    info_.modified = *modified;
  info_.size = response.body.size();
  if (response.status == partial_status) {
    const auto range = range_of(response);
    if (!range || range->begin != 0 || range->total < info_.size)
      return Failure{exchange_.unexpected("does not say how long an object is")};
    info_.size = range->total;
  }
  part_ = std::move(response.body);
  return {};
}

objects::Result<void> RemoteReader::seek(std::uint64_t position) {
  position_ = position;
  return {};
}

objects::Result<std::size_t> RemoteReader::read(std::span<char> room) {
  if (position_ >= info_.size) return std::size_t{0};
  if (!holds(position_)) {
    DINETTE_TRY(auto response, fetch(position_));
    const bool other = response.status == partial_status && etag_of(response) != info_.etag;
    if (response.status == changed_status || other)
      return Failure{objects::Error{ErrorKind::failed, "the object has changed while it was read"}};
    if (response.status != partial_status) return Failure{exchange_.error_of(response)};
    const auto range = range_of(response);
    if (!range || range->begin != position_)
      return Failure{exchange_.unexpected("sent another part of an object")};
    part_ = std::move(response.body);
    part_begin_ = position_;
    if (part_.empty()) return Failure{exchange_.unexpected("sent nothing of an object")};
  }
  const std::size_t offset = position_ - part_begin_;
  const std::size_t size = std::min(room.size(), part_.size() - offset);
  std::copy_n(part_.data() + offset, size, room.data());
  position_ += size;
  return size;
}

}  // namespace dinette::s3
