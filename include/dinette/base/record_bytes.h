#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/bytes.h"

namespace dinette::base {

/// Appends the fields of a stored record, one after the other. Numbers are big-endian, texts follow their
/// length.
class RecordWriter {
 public:
  void add(std::uint8_t number) { append_big_endian(bytes_, number); }
  void add(bool truth) { add(static_cast<std::uint8_t>(truth)); }
  void add(std::uint32_t number) { append_big_endian(bytes_, number); }
  void add(std::int32_t number) { add(static_cast<std::uint32_t>(number)); }
  void add(std::uint64_t number) { append_big_endian(bytes_, number); }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    add(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  /// Appends the number of elements, and has `add_one` append each.
  template <class List, class AddOne>
  void add_list(const List& list, AddOne&& add_one) {
    add(static_cast<std::uint32_t>(list.size()));
    for (const auto& element : list) add_one(element);
  }

  std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads the fields of a record in the order in which they were added. Beyond the end, and once something has
/// been wrong, everything is zero or empty.
class RecordReader {
 public:
  /// `bytes` must outlive the reader.
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}

  template <class Unsigned>
  Unsigned number() {
    const std::string_view bytes = take(sizeof(Unsigned));
    return bytes.empty() ? Unsigned{} : load_big_endian<Unsigned>(bytes.data());
  }
  bool truth() { return number<std::uint8_t>() != 0; }
  std::int32_t int32() { return static_cast<std::int32_t>(number<std::uint32_t>()); }
  std::int64_t int64() { return static_cast<std::int64_t>(number<std::uint64_t>()); }
  std::string_view text() { return take(number<std::uint32_t>()); }
  /// Calls `read_one` once per element, unless there are more than bytes.
  template <class ReadOne>
  void read_list(ReadOne&& read_one) {
    const auto size = number<std::uint32_t>();
    if (size > rest_.size()) return fail();
    for (std::uint32_t i = 0; i < size && !failed_; ++i) read_one();
  }

  void fail() {
    failed_ = true;
    rest_ = {};
  }
  /// Returns true if everything has been read, and nothing beyond the end.
  bool complete() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace dinette::base
