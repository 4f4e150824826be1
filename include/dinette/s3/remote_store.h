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
  /// Before each further attempt of a request that the server did not answer, or with a status of 5xx.
  std::vector<std::chrono::milliseconds> pauses = {
      std::chrono::milliseconds(100), std::chrono::milliseconds(500), std::chrono::milliseconds(2500)};
  /// In bytes.
  std::size_t read_size = 8 << 20;  ///< of what is read at once
  std::size_t part_size = 8 << 20;  ///< of the parts that longer objects are written in; S3 wants 5 MiB
};

/// The buckets of an S3 elsewhere, addressed in path style. Each object that is open takes memory for one
/// part. A bucket that is missing is found by finish() at the latest. What is read of an object fails once
/// another one has taken its place. Does not read the headers that objects were put with.
class RemoteStore final : public objects::ObjectStore {
 public:
  /// `clock`, of real time, must outlive it.
  RemoteStore(RemoteOptions options, const base::Clock& clock);
  ~RemoteStore() override;

  /// Ends calls in progress, within moments, and lets all others fail with ErrorKind::stopped.
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
