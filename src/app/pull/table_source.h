#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

#include "app/transfer/operations.h"

namespace dinette::app {

/// The operations that a pull can send to its source: there are none that write.
enum class ReadingOperation {
  describe_table,
  describe_time_to_live,
  list_tables,
  list_tags_of_resource,
  scan
};

/// A DynamoDB that is only read. For one thread.
class TableSource {
 public:
  /// `operations` must outlive the source. `renew`: called when the server says that the credentials have
  /// expired; then the request is sent once more.
  TableSource(
      Operations& operations, Patience patience, std::function<void()> renew = [] {})
      : operations_(operations), patience_(std::move(patience)), renew_(std::move(renew)) {}

  /// Returns the output of an operation as JSON. Waits for minutes while the source refuses for its
  /// throughput. The error has a sentence for the user.
  base::Result<std::string, CallError> read(ReadingOperation operation, std::string_view request) const;

  /// The same, but returns an empty text if the server does not have the operation, or does not allow it.
  base::Result<std::string, CallError> read_if_allowed(ReadingOperation operation,
                                                       std::string_view request) const;

  /// Returns the names of all tables.
  base::Result<std::vector<std::string>, std::string> table_names() const;

  /// Returns the pages of a table's tags, as outputs of ListTagsOfResource.
  base::Result<std::vector<std::string>, std::string> tags_of(const std::string& arn) const;

  const Patience& patience() const { return patience_; }

 private:
  Operations& operations_;
  const Patience patience_;
  const std::function<void()> renew_;
};

}  // namespace dinette::app
