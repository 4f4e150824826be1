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

/// Reads the items of a data file in DynamoDB JSON: objects `{"Item":{...}}` one after the other, usually one
/// per line, or changes `{"Keys":{...},"NewImage":{...}}`. Every failure ends the file.
class ItemReader final : public ItemSource {
 public:
  /// `file` must outlive the reader. Reading fails once `stop` is requested, even within an item.
  ItemReader(objects::ObjectReader& file, Packing packing, std::stop_token stop = {},
             Changes changes = Changes::refused);
  ~ItemReader() override;

  ReadResult<std::optional<std::string_view>> next() override;
  std::string_view condition() const override { return condition_; }
  bool deletes() const override { return deletes_; }
  std::uint64_t line() const override { return object_line_; }
  std::uint64_t bytes_read() const override;

 private:
  struct Parser;

  ReadResult<bool> skip_white();
  void pass(std::string_view text);
  void take(std::string_view text);
  std::string not_json(std::string_view otherwise);
  ReadResult<bool> take_object();

  const std::unique_ptr<UnpackedBytes> bytes_;
  const std::unique_ptr<Parser> parser_;
  const Changes changes_;
  std::uint64_t line_ = 1;  ///< of the next byte
  std::size_t column_ = 1;  ///< of the next byte
  std::uint64_t object_line_ = 1;
  std::size_t object_column_ = 1;
  std::string object_;
  std::string condition_;
  bool deletes_ = false;
};

}  // namespace dinette::dynamodb::item_files
