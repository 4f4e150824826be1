#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "dinette/base/function_ref.h"

namespace dinette::kv {

/// An immutable, reference-counted byte string. A copy costs one increment and shares the bytes; bytes and
/// count are one allocation. The default value is null, "no value", which is not the empty string. Values
/// that share bytes may be used and destroyed by different threads.
class Value {
 public:
  Value() noexcept = default;
  /// Copies `bytes`.
  explicit Value(std::string_view bytes);
  /// Returns the parts one after the other, such as a header and a body.
  static Value join(std::initializer_list<std::string_view> parts);
  /// Returns `size` bytes. `fill` must write all of them.
  static Value make(std::size_t size, base::FunctionRef<void(char* bytes)> fill);

  Value(const Value& other) noexcept : buffer_(other.buffer_) { retain(); }
  Value(Value&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  Value& operator=(const Value& other) noexcept {
    Value(other).swap(*this);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    Value(std::move(other)).swap(*this);
    return *this;
  }
  ~Value() {
    if (buffer_ != nullptr) release(buffer_);
  }

  void swap(Value& other) noexcept { std::swap(buffer_, other.buffer_); }

  /// Returns true if this is not null. The empty string is not null.
  explicit operator bool() const noexcept { return buffer_ != nullptr; }
  /// Returns the bytes, valid as long as any Value shares them; empty for null.
  std::string_view view() const noexcept {
    return buffer_ == nullptr ? std::string_view{} : std::string_view(bytes_of(buffer_), buffer_->size);
  }
  std::size_t size() const noexcept { return buffer_ == nullptr ? 0 : buffer_->size; }

  /// Returns true if both are null or have the same bytes. Values that share their bytes are not compared.
  friend bool operator==(const Value& a, const Value& b) noexcept {
    return a.buffer_ == b.buffer_ || (a && b && a.view() == b.view());
  }

  /// Returns the number of byte strings alive in this process: for tests, and to find leaks.
  static std::int64_t live_buffers() noexcept;

  /// The target of a Value. For engines, which keep thousands of them in their own arrays; other code copies
  /// Values.
  struct Buffer {
    std::atomic<std::uint32_t> count;
    std::uint32_t size;
  };
  static char* bytes_of(Buffer* buffer) noexcept { return reinterpret_cast<char*>(buffer + 1); }
  /// Takes over one count of `buffer`.
  static Value adopt(Buffer* buffer) noexcept {
    Value value;
    value.buffer_ = buffer;
    return value;
  }
  /// Passes one count to the caller; this Value becomes null.
  Buffer* detach() noexcept { return std::exchange(buffer_, nullptr); }
  Buffer* buffer() const noexcept { return buffer_; }
  static void retain(Buffer* buffer) noexcept { buffer->count.fetch_add(1, std::memory_order_relaxed); }
  static void release(Buffer* buffer) noexcept {
    if (buffer->count.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(buffer);
  }

 private:
  void retain() const noexcept {
    if (buffer_ != nullptr) retain(buffer_);
  }
  static void destroy(Buffer* buffer) noexcept;

  Buffer* buffer_ = nullptr;
};

}  // namespace dinette::kv
