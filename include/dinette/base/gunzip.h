#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "dinette/base/compression.h"
#include "dinette/base/result.h"

namespace dinette::base {

/// Decompresses a file of one or more gzip members (RFC 1952) that comes in parts. Its memory does not depend
/// on the size of the file. After a failure the object is unusable.
///
///     Gunzip gunzip;
///     gunzip.give(part);
///     DINETTE_TRY(const std::size_t got, gunzip.take(room));
class Gunzip {
 public:
  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  /// Sets the next part. take() must have returned 0 before; the part must outlive the calls that read it.
  void give(std::string_view part);

  /// Decompresses into `room`, which is not empty. Returns the number of bytes; 0 if another part is needed.
  Result<std::size_t, DecompressionError> take(std::span<char> room);

  /// Returns true if the parts given so far end with a member, as those of a whole file do.
  bool complete() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dinette::base
