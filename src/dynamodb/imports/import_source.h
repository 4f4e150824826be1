#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dinette/dynamodb/exports/csv_reader.h"
#include "dinette/dynamodb/exports/item_source.h"
#include "dinette/objects/object_store.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/import_entry.h"

namespace dinette::dynamodb {

/// Reads the objects of an import, in the order of their keys. For one thread.
class ImportSource {
 public:
  /// `objects`: null has no buckets.
  ImportSource(objects::ObjectStore* objects, const api::ImportEntry& import);
  ~ImportSource();

  /// Opens the first object after the key `after` that is not empty. Returns its key; nothing if there is
  /// none.
  objects::Result<std::optional<std::string>> open_next(std::string after);
  /// Opens an object again.
  objects::Result<void> open(const std::string& key);

  /// Returns true once a call has failed because the process ends (objects::ErrorKind::stopped).
  bool stopped() const { return stopped_; }

  /// The items of the open object.
  exports::ItemSource& items() { return *items_; }

 private:
  class Stream;

  objects::Error noted(objects::Error error);
  std::unique_ptr<exports::ItemSource> items_of(exports::ObjectStream& object) const;

  objects::ObjectStore* const store_;
  const std::string bucket_;
  const std::string prefix_;
  const api::InputFormat format_;
  const exports::Packing packing_;
  const exports::CsvOptions csv_;
  bool stopped_ = false;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<exports::ItemSource> items_;  ///< of the stream
};

}  // namespace dinette::dynamodb
