#include "cql/wire/frame_reader.h"

#include <algorithm>
#include <utility>

namespace dinette::cql::wire {
namespace {

// Long bodies come in larger chunks.
constexpr std::size_t small_chunk = 16 * 1024;
constexpr std::size_t large_chunk = 256 * 1024;

/// Bytes that were taken stay in the buffer up to this many.
constexpr std::size_t most_taken = 64 * 1024;

std::string version_text(frames::Version version) {
  const std::string number = std::to_string(static_cast<int>(version));
  return number + "/v" + number;
}

}  // namespace

std::span<char> FrameReader::room() {
  awaited_ = true;
  chunk_.resize(pending() > small_chunk || dropping_ > small_chunk ? large_chunk : small_chunk);
  return chunk_;
}

void FrameReader::received(std::size_t count) {
  awaited_ = false;
  const std::size_t dropped = std::min(count, dropping_);
  dropping_ -= dropped;
  bytes_.append(chunk_, dropped, count - dropped);
}

bool FrameReader::ready() const {
  if (pending() == 0) return false;
  if (!frames::request_version(*data())) return true;
  if (pending() < frames::header_size) return false;
  const frames::Header header = frames::read_header({data(), frames::header_size});
  return !frames::check_size(header) || (version_ && header.version != *version_) ||
         pending() - frames::header_size >= header.length;
}

std::optional<std::variant<Frame, BadFrame>> FrameReader::next(std::size_t most) {
  using Next = std::variant<Frame, BadFrame>;
  if (pending() == 0) return std::nullopt;
  if (auto version = frames::request_version(*data()); !version) {
    // Its header may have another form, so the stream of the request is not known.
    return Next(BadFrame{.error = std::move(version).error(), .fatal = true});
  }
  if (pending() < frames::header_size) return std::nullopt;
  const frames::Header header = frames::read_header({data(), frames::header_size});
  if (auto fits = frames::check_size(header); !fits) return Next(dropped(header, std::move(fits).error()));
  if (version_ && header.version != *version_) {
    return Next(dropped(
        header,
        protocol_error("Invalid message version. Got " + version_text(header.version) +
                       " but previous messages on this connection had version " + version_text(*version_))
            .error()));
  }
  version_ = header.version;
  if (header.length > most) {
    BadFrame bad = dropped(header, protocol_error("Request is too big before the log-in").error());
    bad.fatal = true;
    return Next(std::move(bad));
  }
  if (pending() - frames::header_size < header.length) return std::nullopt;
  Frame frame{header, bytes_.substr(begin_ + frames::header_size, header.length)};
  take(frames::header_size + header.length);
  return Next(std::move(frame));
}

void FrameReader::trim() {
  if (!awaited_) std::string().swap(chunk_);
  if (pending() > 0) return;
  std::string().swap(bytes_);
  begin_ = 0;
}

void FrameReader::take(std::size_t count) {
  begin_ += count;
  if (begin_ == bytes_.size()) {
    bytes_.clear();
    begin_ = 0;
    if (bytes_.capacity() > most_taken) bytes_.shrink_to_fit();
  } else if (begin_ > most_taken) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
}

BadFrame FrameReader::dropped(const frames::Header& header, Error error) {
  take(frames::header_size);
  const std::size_t here = std::min<std::size_t>(pending(), header.length);
  take(here);
  dropping_ = header.length - here;
  return {.error = std::move(error), .stream = header.stream};
}

}  // namespace dinette::cql::wire
