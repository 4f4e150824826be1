#include "app/serve/buckets.h"

#include <filesystem>
#include <utility>

#include "dinette/objects/folder_store.h"
#include "dinette/objects/memory_store.h"

#include "app/serve/server_settings.h"

namespace dinette::app {
namespace {

base::Result<std::unique_ptr<objects::BucketStore>, std::string> open_own(const Options& options,
                                                                          const base::Clock& clock) {
  const std::filesystem::path folder = s3_folder(options);
  if (folder.empty()) return objects::make_memory_store(clock);
  auto opened =
      objects::open_folder_store(folder, clock, options.sync ? objects::sync_to_disk : objects::SyncFile());
  if (!opened) return base::Failure{"--s3 " + folder.string() + ": " + opened.error().message};
  return std::move(opened).value();
}

}  // namespace

base::Result<Buckets, std::string> Buckets::open(const Options& options, const base::Clock& clock) {
  Buckets buckets;
  if (options.s3_endpoint.empty()) {
    DINETTE_TRY(buckets.own_, open_own(options, clock));
  } else {
    DINETTE_TRY(auto settings, remote_settings(options));
    buckets.elsewhere_ = std::make_unique<s3::RemoteStore>(std::move(settings), clock);
  }
  return buckets;
}

objects::ObjectStore& Buckets::store() const {
  if (elsewhere_) return *elsewhere_;
  return *own_;
}

void Buckets::stop() {
  if (elsewhere_) elsewhere_->stop();
}

}  // namespace dinette::app
