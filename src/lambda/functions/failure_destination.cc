#include "lambda/functions/failure_destination.h"

#include <optional>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/http/client.h"

namespace dinette::lambda {
namespace {

constexpr std::size_t most_reply_bytes = 64 * 1024;

/// Returns the name of the bucket in `arn:<partition>:s3:::<bucket>`; nothing for something else.
std::optional<std::string_view> bucket_in_arn(std::string_view text) {
  const auto arn = aws::parse_arn(text);
  if (!arn || arn->service != "s3" || !arn->region.empty() || !arn->account.empty()) return std::nullopt;
  return arn->resource;
}

/// Writes an object, as Lambda does. Returns the problem, if there is one.
std::string put_document(objects::ObjectStore* objects, const FailureBucket& bucket, const std::string& key,
                         std::string_view document) {
  if (objects == nullptr) return "there are no buckets";
  auto writer = objects->write(bucket.name, key, {{"content-type", "application/octet-stream"}});
  if (!writer) return writer.error().message;
  if (const auto written = (*writer)->write(document); !written) return written.error().message;
  const auto finished = (*writer)->finish();
  return finished ? "" : finished.error().message;
}

std::string post_document(const http::Url& url, std::string document) {
  const auto response = http::fetch(url.server,
                                    {.method = "POST",
                                     .target = url.target,
                                     .headers = "Content-Type: application/json\r\n",
                                     .body = std::move(document)},
                                    {.body_bytes = most_reply_bytes});
  if (!response) return "it does not answer";
  return response->status / 100 == 2 ? "" : "it answered '" + response->status_line + "'";
}

}  // namespace

FailureDestination read_destination(std::string_view text) {
  if (const auto bucket = bucket_in_arn(text)) return FailureBucket{std::string(*bucket)};
  if (auto url = http::parse_url(text)) return *std::move(url);
  return OtherDestination{std::string(text)};
}

SentDocument send_document(const DiscardedBatch& discarded, std::string_view event,
                           const FailureDestination& destination, objects::ObjectStore* objects,
                           base::Ids& ids) {
  if (const auto* const other = std::get_if<OtherDestination>(&destination))
    return {failure_document(discarded, std::nullopt), "'" + other->arn + "' is not served"};
  SentDocument sent{failure_document(discarded, event), ""};
  if (const auto* const bucket = std::get_if<FailureBucket>(&destination)) {
    sent.problem = put_document(objects, *bucket, failure_key(discarded, ids.uuid()), sent.document);
  } else {
    sent.problem = post_document(std::get<http::Url>(destination), sent.document);
  }
  return sent;
}

}  // namespace dinette::lambda
