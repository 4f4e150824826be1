#pragma once

#include "s3/call.h"

namespace dinette::s3 {

/// Returns the upload that a request names.
Outcome<UploadPointer> find_upload(const Call& call);

/// Ends all uploads of a bucket, which is gone.
Done end_uploads_of_bucket(const Call& call);

}  // namespace dinette::s3
