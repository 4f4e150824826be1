#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/objects.h"
#include "dinette/objects/object_store.h"

namespace dinette::dynamodb {

/// One bucket, for an export to write to. Keeps the error of the last call that failed.
class BucketObjects final : public item_files::Objects {
 public:
  /// `store` must outlive it; null: there are no buckets.
  BucketObjects(objects::ObjectStore* store, std::string bucket)
      : store_(store), bucket_(std::move(bucket)) {}

  item_files::Outcome<void> put(std::string_view key, std::string_view bytes) override;
  item_files::Outcome<void> put_with_etag(std::string_view key, std::string_view bytes,
                                          std::string_view etag) override;
  item_files::Outcome<std::unique_ptr<item_files::ObjectStream>> open(std::string_view key) const override;
  bool has(std::string_view key) const override;
  std::string name_of(std::string_view key) const override;

  const objects::Error& error() const { return error_; }

 private:
  objects::Result<void> write(const std::string& key, std::string_view bytes,
                              std::optional<std::string> etag) const;
  item_files::Outcome<void> note(const objects::Result<void>& written);

  objects::ObjectStore* const store_;
  const std::string bucket_;
  objects::Error error_;
};

}  // namespace dinette::dynamodb
