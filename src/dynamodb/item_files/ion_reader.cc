#include "dinette/dynamodb/item_files/ion_reader.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/json_writer.h"

#include "dynamodb/item_files/ion_item.h"
#include "dynamodb/item_files/ion_value_end.h"
#include "dynamodb/item_files/unpacked_bytes.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

constexpr std::string_view binary_mark{"\xe0\x01\x00\xea", 4};

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

}  // namespace

IonReader::IonReader(objects::ObjectReader& file, Packing packing, std::stop_token stop, Changes changes)
    : bytes_(std::make_unique<UnpackedBytes>(file, packing, std::move(stop))), changes_(changes) {}

IonReader::~IonReader() = default;

std::uint64_t IonReader::bytes_read() const {
  return bytes_->count();
}

ReadResult<std::optional<std::string_view>> IonReader::next() {
  for (;;) {
    value_line_ = line_;
    DINETTE_CHECK(take_value());
    if (value_.empty()) return std::optional<std::string_view>();
    if (value_.starts_with(binary_mark))
      return Failure{ReadError("is binary Ion, which is not read; write it as text")};
    IonItem item(value_, changes_);
    const auto found = item.write(item_, condition_);
    deletes_ = item.deletes();
    value_line_ += lines_in(std::string_view(value_).substr(0, item.position()));
    if (!aws::is_utf8(value_)) return Failure{ReadError("is not UTF-8")};
    if (!found) return Failure{found.error()};
    if (*found) return std::optional(std::string_view(item_));
  }
}

/// Moves the text up to the end of the next struct, or of the file, into `value_`.
ReadResult<void> IonReader::take_value() {
  value_.clear();
  IonValueEnd end;
  for (;;) {
    DINETTE_TRY(const std::string_view rest, bytes_->rest());
    if (rest.empty()) return {};
    const auto last = std::ranges::find_if(rest, [&](char c) { return end.ends_with(c); });
    const bool ended = last != rest.end();
    const std::string_view taken =
        rest.substr(0, static_cast<std::size_t>(last - rest.begin()) + (ended ? 1 : 0));
    value_ += taken;
    line_ += lines_in(taken);
    bytes_->skip(taken.size());
    if (ended) return {};
    if (value_.size() > longest_object)
      return Failure{ReadError("begins a struct of more than 16 MB; is a brace missing?")};
  }
}

}  // namespace dinette::dynamodb::item_files
