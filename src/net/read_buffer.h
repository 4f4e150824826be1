#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace dinette::net {

/// Bytes read from a connection, in one piece. Unlike Beast's flat buffer it can drop bytes from its middle,
/// which is what decoding chunks in place needs, and it tells by `base()` whether views into it are still
/// good.
class ReadBuffer {
 public:
  const char* base() const { return data_.get() + begin_; }
  char* base() { return data_.get() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::string_view view() const { return {base(), size()}; }
  std::size_t capacity() const { return capacity_; }

  /// Writable memory behind the bytes, at least `wanted`. May move the bytes.
  std::span<char> room(std::size_t wanted) {
    if (capacity_ - end_ < wanted) make_room(wanted);
    return {data_.get() + end_, capacity_ - end_};
  }

  /// The first `n` bytes of the room are filled now.
  void commit(std::size_t n) { end_ += n; }

  /// Drops `n` bytes from the front.
  void consume(std::size_t n) {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  /// Drops `n` bytes at `position`; those behind move up.
  void erase(std::size_t position, std::size_t n) {
    char* hole = base() + position;
    std::memmove(hole, hole + n, size() - position - n);
    end_ -= n;
  }

  /// Gives the memory back if it is empty and larger than `kept`.
  void trim(std::size_t kept) {
    if (!empty() || capacity_ <= kept) return;
    data_.reset();
    capacity_ = 0;
  }

 private:
  void make_room(std::size_t wanted) {
    const std::size_t used = size();
    if (begin_ > 0 && capacity_ - used >= wanted) {
      std::memmove(data_.get(), base(), used);
    } else {
      const std::size_t grown = std::max(used + wanted, capacity_ * 2);
      auto larger = std::make_unique_for_overwrite<char[]>(grown);
      if (used > 0) std::memcpy(larger.get(), base(), used);
      data_ = std::move(larger);
      capacity_ = grown;
    }
    begin_ = 0;
    end_ = used;
  }

  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace dinette::net
