#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace dinette::http {

/// Bytes read from a connection, contiguous. Unlike Beast's flat buffer it can drop bytes from its middle,
/// which decoding chunks in place requires; `base()` shows whether views into it are still valid.
class ReadBuffer {
 public:
  const char* base() const { return data_.get() + begin_; }
  char* base() { return data_.get() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::string_view view() const { return {base(), size()}; }
  std::size_t capacity() const { return capacity_; }

  /// Returns writable memory after the bytes: at least `least` and at most `most` bytes. May move the bytes.
  /// Grows by doubling, so that many small steps cost no more than a large one, but not beyond `needed` more
  /// bytes.
  std::span<char> room(std::size_t least, std::size_t most, std::size_t needed) {
    if (capacity_ - end_ < least) make_room(least, needed);
    return {data_.get() + end_, std::min(capacity_ - end_, most)};
  }

  /// Adds the first `n` bytes of the writable memory.
  void commit(std::size_t n) { end_ += n; }

  /// Drops `n` bytes from the front.
  void consume(std::size_t n) {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  /// Drops `n` bytes at `position`; later ones move up.
  void erase(std::size_t position, std::size_t n) {
    char* hole = base() + position;
    std::memmove(hole, hole + n, size() - position - n);
    end_ -= n;
  }

  /// Releases memory beyond `kept` if the bytes need less. May move the bytes.
  void shrink(std::size_t kept) {
    if (capacity_ <= kept || size() > kept) return;
    empty() ? clear() : reallocate(kept);
  }

  /// Drops all bytes and the memory.
  void clear() {
    data_.reset();
    capacity_ = begin_ = end_ = 0;
  }

 private:
  void make_room(std::size_t least, std::size_t needed) {
    const std::size_t used = size();
    if (begin_ > 0 && capacity_ - used >= least) {
      std::memmove(data_.get(), base(), used);
      begin_ = 0;
      end_ = used;
    } else {
      reallocate(used + std::max(least, std::min(capacity_, needed)));
    }
  }

  void reallocate(std::size_t capacity) {
    const std::size_t used = size();
    auto other = std::make_unique_for_overwrite<char[]>(capacity);
    if (used > 0) std::memcpy(other.get(), base(), used);
    data_ = std::move(other);
    capacity_ = capacity;
    begin_ = 0;
    end_ = used;
  }

  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace dinette::http
