#include "kinesis/streams/event_record.h"

#include "dinette/aws/json_writer.h"
#include "dinette/aws/region.h"

#include "kinesis/streams/stream_schema.h"

namespace dinette::kinesis {

std::string event_record(const api::StreamRecord& stream, std::string_view shard_id, std::string_view number,
                         const StoredRecord& record) {
  std::string text;
  aws::JsonWriter json(text);
  const auto member = [&json](std::string_view name, std::string_view value) {
    json.key(name);
    json.string(value);
  };
  json.begin_object();
  json.key("kinesis");
  json.begin_object();
  member("kinesisSchemaVersion", "1.0");
  member("partitionKey", record.partition_key);
  member("sequenceNumber", number);
  json.key("data");
  json.blob({std::string(record.data)});
  json.key("approximateArrivalTimestamp");
  json.timestamp(record.arrived.milliseconds);
  json.end_object();
  member("eventSource", "aws:kinesis");
  member("eventVersion", "1.0");
  member("eventID", std::string(shard_id) + ":" + std::string(number));
  member("eventName", "aws:kinesis:record");
  // Functions have no roles here.
  member("invokeIdentityArn", "arn:" + std::string(aws::partition_of(stream.region)) +
                                  ":iam::" + stream.account + ":role/dinette");
  member("awsRegion", stream.region);
  member("eventSourceARN", arn_of(stream));
  json.end_object();
  return text;
}

}  // namespace dinette::kinesis
