#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "cql/error.h"
#include "cql/frames/header.h"

namespace dinette::cql::wire {

/// A request as it arrived.
struct Frame {
  frames::Header header{};
  std::string body{};
};

/// What cannot be a request. Its body, if it has one, is dropped as it arrives.
struct BadFrame {
  Error error;
  std::int16_t stream = 0;
  bool fatal = false;  ///< the boundaries of frames are lost
};

/// Splits the bytes of a connection into frames (docs/service-keyspaces/protocol.md sections 2 and 9). Holds
/// what has arrived of the next one, and no more memory than about twice that.
class FrameReader {
 public:
  /// Returns where the next bytes go. It stays in place until received().
  std::span<char> room();
  void received(std::size_t count);

  /// Returns the next frame, or nothing until more bytes have arrived. Frames with longer bodies than `most`
  /// are fatal.
  std::optional<std::variant<Frame, BadFrame>> next(std::size_t most = frames::largest_frame);

  /// Returns true if part of a frame, or more, is here.
  bool started() const { return pending() > 0 || dropping_ > 0; }
  /// Returns true if the header of the frame is here.
  bool header_complete() const { return pending() >= frames::header_size || dropping_ > 0; }
  /// Returns true if next() has something to return.
  bool ready() const;
  /// Returns the version of the connection, which its first frame sets.
  frames::Version version() const { return version_.value_or(frames::Version::v4); }
  std::size_t memory() const { return bytes_.capacity() + chunk_.capacity(); }
  /// Releases what a connection without requests does not need.
  void trim();

 private:
  std::size_t pending() const { return bytes_.size() - begin_; }
  const char* data() const { return bytes_.data() + begin_; }
  void take(std::size_t count);
  BadFrame dropped(const frames::Header& header, Error error);

  std::string bytes_;  ///< from begin_ on, what has arrived and is not taken
  std::size_t begin_ = 0;
  std::string chunk_;         ///< the room; empty while nothing is awaited
  bool awaited_ = false;      ///< room() was returned
  std::size_t dropping_ = 0;  ///< how many bytes of a body are still to be dropped
  std::optional<frames::Version> version_;
};

}  // namespace dinette::cql::wire
