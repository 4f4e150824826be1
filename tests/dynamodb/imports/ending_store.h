#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dinette/objects/object_store.h"

namespace test {

/// Objects as a server sees them that ends: after so many calls all further ones end with it.
class EndingStore final : public dinette::objects::ObjectStore {
 public:
  EndingStore(dinette::objects::ObjectStore& store, int calls) : store_(store), calls_(calls) {}

  dinette::objects::Result<std::unique_ptr<dinette::objects::ObjectWriter>> write(
      const std::string& bucket, const std::string& key,
      std::vector<std::pair<std::string, std::string>> headers) override {
    DINETTE_CHECK(go_on());
    return store_.write(bucket, key, std::move(headers));
  }
  dinette::objects::Result<std::unique_ptr<dinette::objects::ObjectReader>> open(
      const std::string& bucket, const std::string& key) override {
    DINETTE_CHECK(go_on());
    DINETTE_TRY(auto reader, store_.open(bucket, key));
    return std::unique_ptr<dinette::objects::ObjectReader>(
        std::make_unique<Reader>(*this, std::move(reader)));
  }
  dinette::objects::Result<dinette::objects::Listing> list(
      const std::string& bucket, const dinette::objects::ListRequest& request) override {
    DINETTE_CHECK(go_on());
    ++listings_;
    return store_.list(bucket, request);
  }

  int listings() const { return listings_; }

 private:
  class Reader final : public dinette::objects::ObjectReader {
   public:
    Reader(EndingStore& store, std::unique_ptr<dinette::objects::ObjectReader> reader)
        : store_(store), reader_(std::move(reader)) {}

    const dinette::objects::ObjectInfo& info() const override { return reader_->info(); }
    std::uint64_t position() const override { return reader_->position(); }
    dinette::objects::Result<void> seek(std::uint64_t position) override { return reader_->seek(position); }
    dinette::objects::Result<std::size_t> read(std::span<char> room) override {
      DINETTE_CHECK(store_.go_on());
      return reader_->read(room);
    }

   private:
    EndingStore& store_;
    const std::unique_ptr<dinette::objects::ObjectReader> reader_;
  };

  dinette::objects::Result<void> go_on() {
    if (calls_-- > 0) return {};
    return dinette::base::Failure{
        dinette::objects::Error{dinette::objects::ErrorKind::stopped, "the server ends"}};
  }

  dinette::objects::ObjectStore& store_;
  int calls_;
  int listings_ = 0;
};

}  // namespace test
