#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/deliveries/stream_source.h"

#include "app/transfer/operations.h"

namespace dinette::app {

/// The stream of a table, read by the API of DynamoDB Streams: of a Dinette, of AWS, or of another server.
class RemoteStream final : public deliveries::StreamSource {
 public:
  /// `operations` must outlive it.
  RemoteStream(Operations& operations, Patience patience, std::string arn)
      : operations_(operations), patience_(std::move(patience)), arn_(std::move(arn)) {}

  kv::Result<std::optional<std::vector<deliveries::Shard>>> shards() override;
  /// The place behind the newest record has no number: a reader that begins there gets "", and what comes.
  kv::Result<std::string> place_of(const std::string& shard, deliveries::StartingPosition position,
                                   base::TimePoint moment) override;
  /// A shard of a stream that is gone reads as one that has ended.
  kv::Result<deliveries::RecordPage> read(const std::string& shard, const std::string& after,
                                          std::size_t most, std::size_t most_bytes) override;

 private:
  using Place = std::pair<std::string, std::string>;  ///< a shard, and the number after which one reads

  using Called = base::Result<std::string, CallError>;

  Called call(std::string_view operation, const std::string& request);
  Called iterator(const std::string& shard, std::string_view type, const std::string& after);
  Called iterator_after(const Place& place);
  kv::Result<deliveries::RecordPage> page_of(std::string_view answer, const Place& place);

  Operations& operations_;
  const Patience patience_;
  const std::string arn_;
  std::map<Place, std::string> iterators_;  ///< where readings go on
  std::set<std::string> from_latest_;       ///< shards whose readers began behind the newest record
};

/// The newest stream of a table.
struct LatestStream {
  std::string arn;      ///< empty: none
  std::string missing;  ///< then a sentence that says why
};

/// The error is a sentence for the user.
base::Result<LatestStream, std::string> latest_stream(Operations& operations, const Patience& patience,
                                                      const std::string& table);

/// Returns the ARN of the newest stream of a table. The error is a sentence for the user.
base::Result<std::string, std::string> stream_of_table(Operations& operations, const Patience& patience,
                                                       const std::string& table);

}  // namespace dinette::app
