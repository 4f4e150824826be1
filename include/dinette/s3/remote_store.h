#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/aws/sign_request.h"
#include "dinette/base/clock.h"
#include "dinette/http/client.h"
#include "dinette/objects/object_store.h"

namespace dinette::s3 {

struct RemoteOptions {
  tcp::Remote server;
  aws::SigningIdentity identity;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  ///< of one request
  /// The pauses before each retry of a request that got no response, or a 5xx status.
  std::vector<std::chrono::milliseconds> pauses = {
      std::chrono::milliseconds(100), std::chrono::milliseconds(500), std::chrono::milliseconds(2500)};
  /// In bytes.
  std::size_t read_size = 8 << 20;  ///< of each read
  std::size_t part_size = 8 << 20;  ///< of the parts of longer objects; S3 requires 5 MiB
};

/// The buckets of another S3, addressed in path style. Each open object takes memory for one part. A missing
/// bucket is detected by finish() at the latest. Reading an object fails once it has been replaced. Does not
/// read the headers of objects.
class RemoteStore final : public objects::ObjectStore {
 public:
  /// `clock`, which shows real time, must outlive it.
  RemoteStore(RemoteOptions options, const base::Clock& clock);
  ~RemoteStore() override;

  /// Ends calls in progress shortly, and makes all later ones fail with ErrorKind::stopped.
  void stop();

  objects::Result<std::unique_ptr<objects::ObjectWriter>> write(
      const std::string& bucket, const std::string& key,
      std::vector<std::pair<std::string, std::string>> headers = {}) override;
  objects::Result<std::unique_ptr<objects::ObjectReader>> open(const std::string& bucket,
                                                               const std::string& key) override;
  objects::Result<objects::Listing> list(const std::string& bucket,
                                         const objects::ListRequest& request) override;

 private:
  class Impl;

  const std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::s3
