#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dinette/objects/object_store.h"

namespace test {

/// An object store that takes so many objects, and then fails.
class FailingStore final : public dinette::objects::ObjectStore {
 public:
  FailingStore(dinette::objects::ObjectStore& store, int writes, dinette::objects::ErrorKind kind)
      : store_(store), writes_(writes), kind_(kind) {}

  std::function<void()> opened = [] {};  ///< called before an object is opened
  std::vector<std::string> written;      ///< keys

  dinette::objects::Result<std::unique_ptr<dinette::objects::ObjectWriter>> write(
      const std::string& bucket, const std::string& key,
      std::vector<std::pair<std::string, std::string>> headers) override {
    if (writes_-- <= 0)
      return dinette::base::Failure{dinette::objects::Error{kind_, "it takes no more objects"}};
    written.push_back(key);
    return store_.write(bucket, key, std::move(headers));
  }
  dinette::objects::Result<std::unique_ptr<dinette::objects::ObjectReader>> open(
      const std::string& bucket, const std::string& key) override {
    opened();
    return store_.open(bucket, key);
  }
  dinette::objects::Result<dinette::objects::Listing> list(
      const std::string& bucket, const dinette::objects::ListRequest& request) override {
    return store_.list(bucket, request);
  }

 private:
  dinette::objects::ObjectStore& store_;
  int writes_;
  dinette::objects::ErrorKind kind_;
};

}  // namespace test
