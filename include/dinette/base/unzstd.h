#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "dinette/base/compression.h"
#include "dinette/base/result.h"

namespace dinette::base {

/// Decompresses a file of one or more Zstandard frames (RFC 8878) that comes in parts, as Gunzip does for
/// gzip. Its memory is at most that of the window that a frame asks for, which may have 128 MiB; frames with
/// a larger one are corrupt. After a failure the object is unusable.
class Unzstd {
 public:
  Unzstd();
  ~Unzstd();
  Unzstd(const Unzstd&) = delete;
  Unzstd& operator=(const Unzstd&) = delete;

  /// Sets the next part. take() must have returned 0 before; the part must outlive the calls that read it.
  void give(std::string_view part);

  /// Decompresses into `room`, which is not empty. Returns the number of bytes; 0 if another part is needed.
  Result<std::size_t, DecompressionError> take(std::span<char> room);

  /// Returns true if the parts given so far end with a frame, as those of a whole file do.
  bool complete() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dinette::base
