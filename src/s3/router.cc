#include "s3/router.h"

#include <array>
#include <string_view>

#include "dinette/base/utf8.h"

#include "s3/operations.h"

namespace dinette::s3 {
namespace {

using std::string_view;

enum class Level { service, bucket, object };

struct Route {
  string_view method;
  Level level;
  string_view parameter;  ///< empty: without one of `subresources`
  string_view name;
  Done (*operation)(const Call&);
};

constexpr std::array routes{
    Route{"GET", Level::service, "", "ListBuckets", &list_buckets},
    Route{"PUT", Level::bucket, "", "CreateBucket", &create_bucket},
    Route{"HEAD", Level::bucket, "", "HeadBucket", &head_bucket},
    Route{"DELETE", Level::bucket, "", "DeleteBucket", &delete_bucket},
    Route{"GET", Level::bucket, "list-type", "ListObjectsV2", &list_objects_v2},
    Route{"GET", Level::bucket, "location", "GetBucketLocation", &get_bucket_location},
    Route{"GET", Level::bucket, "uploads", "ListMultipartUploads", &list_multipart_uploads},
    Route{"GET", Level::bucket, "versioning", "GetBucketVersioning", &get_bucket_versioning},
    Route{"GET", Level::bucket, "", "ListObjects", &list_objects},
    Route{"POST", Level::bucket, "delete", "DeleteObjects", &delete_objects},
    Route{"GET", Level::object, "uploadId", "ListParts", &list_parts},
    Route{"GET", Level::object, "tagging", "GetObjectTagging", &get_object_tagging},
    Route{"GET", Level::object, "", "GetObject", &get_object},
    Route{"HEAD", Level::object, "", "HeadObject", &head_object},
    Route{"PUT", Level::object, "uploadId", "UploadPart", &upload_part},
    Route{"PUT", Level::object, "", "PutObject", &put_object},
    Route{"DELETE", Level::object, "uploadId", "AbortMultipartUpload", &abort_multipart_upload},
    Route{"DELETE", Level::object, "", "DeleteObject", &delete_object},
    Route{"POST", Level::object, "uploads", "CreateMultipartUpload", &create_multipart_upload},
    Route{"POST", Level::object, "uploadId", "CompleteMultipartUpload", &complete_multipart_upload},
};

/// The parameters that choose an operation.
constexpr std::array<string_view, 39> subresources{"accelerate",
                                                   "acl",
                                                   "analytics",
                                                   "attributes",
                                                   "cors",
                                                   "delete",
                                                   "encryption",
                                                   "inventory",
                                                   "intelligent-tiering",
                                                   "legal-hold",
                                                   "lifecycle",
                                                   "list-type",
                                                   "location",
                                                   "logging",
                                                   "metadataTable",
                                                   "metrics",
                                                   "notification",
                                                   "object-lock",
                                                   "ownershipControls",
                                                   "policy",
                                                   "policyStatus",
                                                   "publicAccessBlock",
                                                   "renameObject",
                                                   "replication",
                                                   "requestPayment",
                                                   "restore",
                                                   "retention",
                                                   "select",
                                                   "select-type",
                                                   "session",
                                                   "tagging",
                                                   "torrent",
                                                   "uploadId",
                                                   "uploads",
                                                   "versioning",
                                                   "versions",
                                                   "website",
                                                   "metadataConfiguration",
                                                   "abac"};

/// Settings of buckets that cannot be made here: reading them finds none.
struct Absent {
  string_view parameter;
  Code code;
};
constexpr std::array absent_settings{
    Absent{"cors", Code::no_such_cors_configuration},
    Absent{"encryption", Code::no_such_encryption},
    Absent{"lifecycle", Code::no_such_lifecycle_configuration},
    Absent{"object-lock", Code::no_such_object_lock},
    Absent{"ownershipControls", Code::no_such_ownership_controls},
    Absent{"policy", Code::no_such_bucket_policy},
    Absent{"policyStatus", Code::no_such_bucket_policy},
    Absent{"publicAccessBlock", Code::no_such_public_access_block},
    Absent{"tagging", Code::no_such_tag_set},
    Absent{"website", Code::no_such_website_configuration},
};

Level level_of(const Address& address) {
  if (!address.key.empty()) return Level::object;
  return address.bucket.empty() ? Level::service : Level::bucket;
}

string_view subresource_of(const Call& call) {
  for (const string_view one : subresources) {
    if (call.has_parameter(one)) return one;
  }
  return {};
}

bool is_method_of_s3(string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "POST" || method == "DELETE";
}

}  // namespace

std::vector<string_view> operation_names() {
  std::vector<string_view> names;
  for (const Route& route : routes) names.push_back(route.name);
  return names;
}

Done run(const Call& call, std::optional<std::size_t>& operation) {
  if (!base::is_utf8(call.address.key)) return fail(Code::invalid_uri);
  const Level level = level_of(call.address);
  const string_view parameter = subresource_of(call);
  for (const Route& route : routes) {
    if (route.method != call.request.method || route.level != level || route.parameter != parameter) continue;
    operation = static_cast<std::size_t>(&route - routes.data());
    return route.operation(call);
  }
  if (level == Level::bucket && call.request.method == "GET") {
    for (const Absent& absent : absent_settings) {
      if (absent.parameter != parameter) continue;
      DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
      return fail(absent.code);
    }
  }
  if (parameter.empty() && (level != Level::bucket || !is_method_of_s3(call.request.method)))
    return fail(Code::method_not_allowed);
  return fail(Code::not_implemented, "Dinette does not serve this operation of S3.");
}

}  // namespace dinette::s3
