#pragma once

#include <cstdint>
#include <string>

#include "dinette/objects/object_store.h"

#include "s3/remote/exchange.h"

namespace dinette::s3 {

/// Reads an object part by part. A part that another object has taken the place of is an error.
class RemoteReader final : public objects::ObjectReader {
 public:
  /// `exchange` must outlive it.
  static objects::Result<std::unique_ptr<objects::ObjectReader>> open(Exchange& exchange,
                                                                      const std::string& bucket,
                                                                      const std::string& key);
  RemoteReader(Exchange& exchange, std::string bucket, const std::string& key)
      : exchange_(exchange), bucket_(std::move(bucket)) {
    info_.key = key;
  }

  const objects::ObjectInfo& info() const override { return info_; }
  std::uint64_t position() const override { return position_; }
  objects::Result<void> seek(std::uint64_t position) override;
  objects::Result<std::size_t> read(std::span<char> room) override;

 private:
  objects::Result<void> begin();
  objects::Result<http::ClientResponse> fetch(std::uint64_t position);
  bool holds(std::uint64_t position) const {
    return position >= part_begin_ && position - part_begin_ < part_.size();
  }

  Exchange& exchange_;
  const std::string bucket_;
  objects::ObjectInfo info_;
  std::uint64_t position_ = 0;
  std::uint64_t part_begin_ = 0;
  std::string part_;
};

}  // namespace dinette::s3
