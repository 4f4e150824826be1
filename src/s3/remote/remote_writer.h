#pragma once

#include <string>
#include <vector>

#include "dinette/objects/object_store.h"

#include "s3/remote/exchange.h"

namespace dinette::s3 {

/// Writes an object: in one request if it is short, else in parts.
class RemoteWriter final : public objects::ObjectWriter {
 public:
  /// `exchange` must outlive it.
  RemoteWriter(Exchange& exchange, std::string bucket, std::string key,
               const std::vector<std::pair<std::string, std::string>>& headers);
  ~RemoteWriter() override;

  objects::Result<void> write(std::string_view bytes) override;
  /// Finishes the object. S3 gives ETags with a "-" to objects written in parts; others are ignored.
  objects::Result<objects::ObjectInfo> finish(std::optional<std::string> etag) override;

 private:
  RemoteRequest request(std::string method, std::string query = {}) const {
    return {.method = std::move(method), .bucket = bucket_, .key = key_, .query = std::move(query)};
  }
  std::string upload() const;
  objects::Result<void> begin_upload();
  objects::Result<void> send_part();
  objects::Result<std::string> complete();
  objects::Result<std::string> put();

  Exchange& exchange_;
  const std::string bucket_;
  const std::string key_;
  std::string headers_;  ///< lines
  std::string part_;     ///< not yet sent
  std::uint64_t size_ = 0;
  std::string upload_id_;           ///< empty: there is no upload
  std::vector<std::string> etags_;  ///< of the parts that were sent
};

}  // namespace dinette::s3
