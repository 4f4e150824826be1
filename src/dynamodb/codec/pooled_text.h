#pragma once

#include <string>
#include <utility>

namespace dinette::dynamodb::codec {

/// Text that is soon written elsewhere: into an answer, into a record. Its memory comes from the thread and
/// goes back to it, so that one text after the other is put together without an allocation; what has become
/// large is given up.
class PooledText {
 public:
  PooledText() : text_(take()) {}
  PooledText(PooledText&& other) noexcept : text_(std::move(other.text_)) {}
  PooledText& operator=(PooledText&& other) noexcept {
    std::swap(text_, other.text_);
    return *this;
  }
  ~PooledText() { give_back(std::move(text_)); }

  std::string& operator*() { return text_; }
  const std::string& operator*() const { return text_; }

 private:
  /// Returns an empty string.
  static std::string take();
  static void give_back(std::string text) noexcept;

  std::string text_;
};

}  // namespace dinette::dynamodb::codec
