#pragma once

#include <memory>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/objects/object_store.h"
#include "dinette/s3/remote_store.h"

#include "app/options.h"

namespace dinette::app {

/// The buckets of exports and imports: those of this process, which S3 serves, or those of an S3 elsewhere.
class Buckets {
 public:
  /// Has no buckets: to be assigned to.
  Buckets() = default;

  /// `clock` must outlive the object. The error is a sentence for the user.
  static base::Result<Buckets, std::string> open(const Options& options, const base::Clock& clock);

  objects::ObjectStore& store() const;
  /// Returns those of this process; null if they are elsewhere.
  objects::BucketStore* own() const { return own_.get(); }

  /// Ends calls of an S3 elsewhere.
  void stop();

 private:
  std::unique_ptr<s3::RemoteStore> elsewhere_;
  std::unique_ptr<objects::BucketStore> own_;
};

}  // namespace dinette::app
