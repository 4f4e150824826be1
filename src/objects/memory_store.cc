#include "dinette/objects/memory_store.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/md5.h"
#include "dinette/objects/names.h"

namespace dinette::objects {
namespace {

using base::Failure;

struct Object {
  ObjectInfo info;
  std::string bytes;
};

using Objects = std::map<std::string, std::shared_ptr<const Object>, std::less<>>;

struct Bucket {
  BucketInfo info;
  Objects objects;
};

class MemoryReader final : public ObjectReader {
 public:
  explicit MemoryReader(std::shared_ptr<const Object> object) : object_(std::move(object)) {}

  const ObjectInfo& info() const override { return object_->info; }

  std::uint64_t position() const override { return position_; }

  Result<void> seek(std::uint64_t position) override {
    position_ = std::min<std::size_t>(position, object_->bytes.size());
    return {};
  }

  Result<std::size_t> read(std::span<char> room) override {
    const std::size_t size = std::min(room.size(), object_->bytes.size() - position_);
    std::memcpy(room.data(), object_->bytes.data() + position_, size);
    position_ += size;
    return size;
  }

 private:
  const std::shared_ptr<const Object> object_;
  std::size_t position_ = 0;
};

class MemoryStore final : public BucketStore {
 public:
  explicit MemoryStore(const base::Clock& clock) : clock_(clock) {}

  Result<void> create_bucket(const std::string& name) override;
  Result<void> remove_bucket(const std::string& name) override;
  Result<BucketInfo> bucket(const std::string& name) override;
  Result<std::vector<BucketInfo>> buckets() override;
  Result<void> remove(const std::string& bucket, const std::string& key) override;
  Result<BucketStore*> scratch() override;
  Result<std::unique_ptr<ObjectWriter>> write(
      const std::string& bucket, const std::string& key,
      std::vector<std::pair<std::string, std::string>> headers) override;
  Result<std::unique_ptr<ObjectReader>> open(const std::string& bucket, const std::string& key) override;
  Result<Listing> list(const std::string& bucket, const ListRequest& request) override;

 private:
  class Writer;

  /// The caller holds mutex_.
  Result<Bucket*> find(const std::string& name) {
    const auto found = buckets_.find(name);
    if (found == buckets_.end()) return Failure{Error{ErrorKind::no_such_bucket, "there is no such bucket"}};
    return &found->second;
  }

  const base::Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Bucket, std::less<>> buckets_;  ///< guarded by mutex_
  std::unique_ptr<MemoryStore> scratch_;                ///< guarded by mutex_; null until it is needed
};

class MemoryStore::Writer final : public ObjectWriter {
 public:
  Writer(MemoryStore& store, std::string bucket, ObjectInfo info)
      : store_(store), bucket_(std::move(bucket)), object_(std::make_shared<Object>()) {
    object_->info = std::move(info);
  }

  Result<void> write(std::string_view bytes) override {
    object_->bytes.append(bytes);
    return {};
  }

  Result<ObjectInfo> finish(std::optional<std::string> etag) override {
    ObjectInfo& info = object_->info;
    info.size = object_->bytes.size();
    info.etag = etag ? std::move(*etag) : base::hex(base::md5(object_->bytes));
    info.modified = store_.clock_.now();
    const std::lock_guard lock(store_.mutex_);
    DINETTE_TRY(Bucket* const bucket, store_.find(bucket_));
    bucket->objects.insert_or_assign(info.key, object_);
    return info;
  }

 private:
  MemoryStore& store_;
  const std::string bucket_;
  const std::shared_ptr<Object> object_;
};

Result<void> MemoryStore::create_bucket(const std::string& name) {
  if (!is_bucket_name(name)) return Failure{Error{ErrorKind::invalid_bucket, "no bucket may have this name"}};
  const std::lock_guard lock(mutex_);
  if (buckets_.contains(name)) return Failure{Error{ErrorKind::bucket_exists, "there is such a bucket"}};
  buckets_.emplace(name, Bucket{{name, clock_.now()}, {}});
  return {};
}

Result<void> MemoryStore::remove_bucket(const std::string& name) {
  const std::lock_guard lock(mutex_);
  DINETTE_TRY(const Bucket* const bucket, find(name));
  if (!bucket->objects.empty())
    return Failure{Error{ErrorKind::bucket_not_empty, "there are objects in the bucket"}};
  buckets_.erase(name);
  return {};
}

Result<BucketInfo> MemoryStore::bucket(const std::string& name) {
  const std::lock_guard lock(mutex_);
  DINETTE_TRY(const Bucket* const bucket, find(name));
  return bucket->info;
}

Result<std::vector<BucketInfo>> MemoryStore::buckets() {
  const std::lock_guard lock(mutex_);
  std::vector<BucketInfo> found;
  for (const auto& [name, bucket] : buckets_) found.push_back(bucket.info);
  return found;
}

Result<void> MemoryStore::remove(const std::string& bucket_name, const std::string& key) {
  const std::lock_guard lock(mutex_);
  DINETTE_TRY(Bucket* const bucket, find(bucket_name));
  bucket->objects.erase(key);
  return {};
}

Result<BucketStore*> MemoryStore::scratch() {
  const std::lock_guard lock(mutex_);
  if (!scratch_) scratch_ = std::make_unique<MemoryStore>(clock_);
  return static_cast<BucketStore*>(scratch_.get());
}

Result<std::unique_ptr<ObjectWriter>> MemoryStore::write(
    const std::string& bucket, const std::string& key,
    std::vector<std::pair<std::string, std::string>> headers) {
  DINETTE_CHECK(check_key(key));
  const std::lock_guard lock(mutex_);
  DINETTE_CHECK(find(bucket));
  ObjectInfo info;
  info.key = key;
  info.headers = std::move(headers);
  return std::unique_ptr<ObjectWriter>(std::make_unique<Writer>(*this, bucket, std::move(info)));
}

Result<std::unique_ptr<ObjectReader>> MemoryStore::open(const std::string& bucket_name,
                                                        const std::string& key) {
  const std::lock_guard lock(mutex_);
  DINETTE_TRY(const Bucket* const bucket, find(bucket_name));
  const auto found = bucket->objects.find(key);
  if (found == bucket->objects.end())
    return Failure{Error{ErrorKind::no_such_object, "there is no such object"}};
  return std::unique_ptr<ObjectReader>(std::make_unique<MemoryReader>(found->second));
}

Result<Listing> MemoryStore::list(const std::string& bucket_name, const ListRequest& request) {
  const std::lock_guard lock(mutex_);
  DINETTE_TRY(const Bucket* const bucket, find(bucket_name));
  const Objects& objects = bucket->objects;
  Listing listing;
  auto next = request.after >= request.prefix ? objects.upper_bound(request.after)
                                              : objects.lower_bound(request.prefix);
  while (next != objects.end() && next->first.starts_with(request.prefix)) {
    listing.more = listing.objects.size() + listing.prefixes.size() == request.limit;
    if (listing.more) break;
    if (auto prefix = common_prefix(request, next->first)) {
      next = objects.upper_bound(after_all_of(*prefix));
      listing.prefixes.push_back(*std::move(prefix));
      continue;
    }
    listing.objects.push_back(next->second->info);
    listing.objects.back().headers.clear();
    ++next;
  }
  return listing;
}

}  // namespace

std::unique_ptr<BucketStore> make_memory_store(const base::Clock& clock) {
  return std::make_unique<MemoryStore>(clock);
}

ObjectStore& or_no_buckets(ObjectStore* store) {
  static const base::SystemClock clock;
  static MemoryStore none(clock);
  return store ? *store : none;
}

}  // namespace dinette::objects
