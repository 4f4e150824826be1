#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/item_source.h"

namespace dinette::dynamodb::item_files {

class UnpackedBytes;

/// Reads the items of a data file in Amazon Ion's text form: structs `{Item:{...}}` one after the other,
/// usually one per line after `$ion_1_0`, or changes `{Record:{Keys:{...},NewImage:{...}}}`. Text that is not
/// Ion, and a struct without Item, end the file; a value of no DynamoDB type, such as a timestamp, loses its
/// item. Ion's binary form is refused.
class IonReader final : public ItemSource {
 public:
  /// Maximum nesting of lists and structs: deeper than in any item.
  static constexpr int deepest = 100;

  /// `file` must outlive the reader. Reading fails once `stop` is requested, even within an item.
  IonReader(objects::ObjectReader& file, Packing packing, std::stop_token stop = {},
            Changes changes = Changes::refused);
  ~IonReader() override;

  ReadResult<std::optional<std::string_view>> next() override;
  std::string_view condition() const override { return condition_; }
  bool deletes() const override { return deletes_; }
  std::uint64_t line() const override { return value_line_; }
  std::uint64_t bytes_read() const override;

 private:
  ReadResult<void> take_value();

  const std::unique_ptr<UnpackedBytes> bytes_;
  const Changes changes_;
  std::uint64_t line_ = 1;  ///< of the next byte
  std::uint64_t value_line_ = 1;
  std::string value_;  ///< the text of a struct and everything before it
  std::string item_;
  std::string condition_;
  bool deletes_ = false;
};

}  // namespace dinette::dynamodb::item_files
