#pragma once

#include "s3/call.h"

/// The operations of S3, named as in its API Reference.
namespace dinette::s3 {

Done list_buckets(const Call& call);
Done create_bucket(const Call& call);
Done head_bucket(const Call& call);
Done delete_bucket(const Call& call);
Done get_bucket_location(const Call& call);
Done get_bucket_versioning(const Call& call);
Done get_object_tagging(const Call& call);

Done list_objects(const Call& call);
Done list_objects_v2(const Call& call);

Done get_object(const Call& call);
Done head_object(const Call& call);
/// Handles PutObject or, with x-amz-copy-source, CopyObject.
Done put_object(const Call& call);
Done delete_object(const Call& call);
Done delete_objects(const Call& call);

Done create_multipart_upload(const Call& call);
/// Handles UploadPart or, with x-amz-copy-source, UploadPartCopy.
Done upload_part(const Call& call);
Done complete_multipart_upload(const Call& call);
Done abort_multipart_upload(const Call& call);
Done list_parts(const Call& call);
Done list_multipart_uploads(const Call& call);

}  // namespace dinette::s3
