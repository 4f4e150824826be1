#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/dynamodb/kinesis_streams.h"

#include "support/tables.h"

/// Tables with Kinesis destinations, and streams that remember what they get.
namespace test {

/// A record as a stream got it.
struct PutRecord {
  std::string partition_key;
  std::string data;

  Json json() const { return Json::parse(data); }
};

/// Streams without a service, by their ARNs, in all worlds and name spaces.
class KeptStreams final : public dinette::dynamodb::KinesisStreams {
 public:
  void add(const std::string& arn);
  void remove(const std::string& arn);
  /// Has that many puts fail before they do anything.
  void fail(int puts);
  /// Refuses all records with this text in them.
  void refuse(const std::string& text);

  std::vector<PutRecord> records(const std::string& arn);
  /// The numbers of records that were put together.
  std::vector<std::size_t> batches();
  /// In which name space records were put last.
  std::string last_name_space();

  dinette::kv::Result<bool> takes_records(dinette::tenancy::World& world, std::string_view name_space,
                                          std::string_view stream_arn, const std::stop_token& stop) override;
  PutResult put(dinette::tenancy::World& world, std::string_view name_space, std::string_view stream_arn,
                std::span<const Record> records, const std::stop_token& stop) override;

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<PutRecord>, std::less<>> streams_;
  std::vector<std::size_t> batches_;
  std::string last_name_space_;
  std::string refused_;
  int failures_ = 0;
};

/// A server whose tables may have destinations. What goes on for them does so on threads of its own; the
/// functions that wait do so until it has come to what they wait for.
class Destinations {
 public:
  explicit Destinations(dinette::dynamodb::ServiceOptions options = {});
  ~Destinations();

  KeptStreams streams;
  DynamoDb db;

  /// Enables the stream, which there is, and waits until it is ACTIVE.
  void enable(const std::string& arn, std::string_view table = "Music", const Json& configuration = {});
  /// Disables it, and waits until it is DISABLED: then all has been delivered.
  void disable(const std::string& arn, std::string_view table = "Music");
  /// Waits until the table's newest destination has that status.
  void wait_for(std::string_view status, std::string_view table = "Music");
  /// Waits until the stream has so many records; returns them.
  std::vector<PutRecord> wait_for_records(const std::string& arn, std::size_t count);

  /// The destinations of the table as they are described.
  Json described(std::string_view table = "Music");
};

/// Waits for what another thread does.
void wait_until(const std::function<bool()>& holds);

/// `arn:aws:kinesis:us-east-1:000000000000:stream/<name>`
std::string kinesis_arn(std::string_view name);

/// The body of the operations.
Json destination(const std::string& arn, std::string_view table = "Music");
/// The same with the precision, in the member of EnableKinesisStreamingDestination or another one.
Json with_precision(const std::string& arn, std::string_view precision,
                    std::string_view member = "EnableKinesisStreamingConfiguration");

}  // namespace test
