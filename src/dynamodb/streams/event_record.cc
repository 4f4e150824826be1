#include "dynamodb/streams/event_record.h"

#include <cstddef>
#include <optional>

#include "dinette/aws/java_number.h"
#include "dinette/aws/json_writer.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/identity.h"
#include "dynamodb/api/stream_record.h"

namespace dinette::dynamodb {
namespace {

/// More than what a record has in addition to images, and the ARN.
constexpr std::size_t event_frame_size = 1024;

std::size_t image_text_size(const std::optional<codec::ItemText>& image) {
  return image ? (*image->json).size() : 0;
}

void write_image(aws::JsonWriter& json, std::string_view name, const std::optional<codec::ItemText>& image) {
  if (!image) return;
  json.key(name);
  json.raw(*image->json);
}

void write_content(aws::JsonWriter& json, const api::StreamRecord& content) {
  json.begin_object();
  json.key("ApproximateCreationDateTime");
  json.raw(aws::java_number(content.approximate_creation_date_time->milliseconds / 1000));
  write_image(json, "Keys", content.keys);
  write_image(json, "NewImage", content.new_image);
  write_image(json, "OldImage", content.old_image);
  json.key("SequenceNumber");
  json.string(*content.sequence_number);
  json.key("SizeBytes");
  json.integer(*content.size_bytes);
  json.key("StreamViewType");
  json.string(to_string(*content.stream_view_type));
  json.end_object();
}

}  // namespace

std::string event_record(const api::Record& record, std::string_view stream_arn) {
  const api::StreamRecord& content = *record.dynamodb;
  std::string text;
  text.reserve(image_text_size(content.keys) + image_text_size(content.new_image) +
               image_text_size(content.old_image) + stream_arn.size() + event_frame_size);
  aws::JsonWriter json(text);
  json.begin_object();
  json.key("eventID");
  json.string(*record.event_id);
  json.key("eventName");
  json.string(to_string(*record.event_name));
  json.key("eventVersion");
  json.string(*record.event_version);
  json.key("eventSource");
  json.string(*record.event_source);
  json.key("awsRegion");
  json.string(*record.aws_region);
  if (record.user_identity) {
    json.key("userIdentity");
    json.raw(R"({"type":"Service","principalId":"dynamodb.amazonaws.com"})");
  }
  json.key("dynamodb");
  write_content(json, content);
  json.key("eventSourceARN");
  json.string(stream_arn);
  json.end_object();
  return text;
}

}  // namespace dinette::dynamodb
