#include "app/pull/table_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/transfer/answer_pages.h"

namespace dinette::app {
namespace {

using base::Failure;

/// Each of them waits for half a minute, or so.
constexpr unsigned most_throttled_calls = 20;

constexpr std::array<std::string_view, 2> expiry_types{"ExpiredToken", "ExpiredTokenException"};
constexpr std::array<std::string_view, 4> throttling_types{"ProvisionedThroughputExceededException",
                                                           "RequestLimitExceeded", "ThrottlingException",
                                                           "LimitExceededException"};
constexpr std::array<std::string_view, 2> not_offered_types{"UnknownOperationException",
                                                            "AccessDeniedException"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& types, std::string_view type) {
  return std::ranges::find(types, type) != types.end();
}

std::string_view name_of(ReadingOperation operation) {
  switch (operation) {
    case ReadingOperation::describe_table:
      return "DescribeTable";
    case ReadingOperation::describe_time_to_live:
      return "DescribeTimeToLive";
    case ReadingOperation::list_tables:
      return "ListTables";
    case ReadingOperation::list_tags_of_resource:
      return "ListTagsOfResource";
    case ReadingOperation::scan:
      break;
  }
  return "Scan";
}

}  // namespace

base::Result<std::string, CallError> TableSource::read(ReadingOperation operation,
                                                       std::string_view request) const {
  bool renewed = false;
  for (unsigned throttled = 0;;) {
    auto output = call_patiently(operations_, name_of(operation), request, patience_);
    if (output) return output;
    if (is_one_of(expiry_types, output.error().type) && !renewed) {
      renewed = true;
      renew_();
    } else if (!is_one_of(throttling_types, output.error().type) || ++throttled == most_throttled_calls) {
      return output;
    }
  }
}

base::Result<std::string, CallError> TableSource::read_if_allowed(ReadingOperation operation,
                                                                  std::string_view request) const {
  auto output = read(operation, request);
  if (!output && is_one_of(not_offered_types, output.error().type)) return std::string();
  return output;
}

base::Result<std::vector<std::string>, std::string> TableSource::table_names() const {
  return read_table_names([this](std::string_view request) -> base::Result<std::string, std::string> {
    auto output = read(ReadingOperation::list_tables, request);
    if (!output) return Failure{output.error().message};
    return std::move(output).value();
  });
}

base::Result<std::vector<std::string>, std::string> TableSource::tags_of(const std::string& arn) const {
  return read_tag_pages(arn, [this](std::string_view request) -> base::Result<std::string, std::string> {
    auto output = read_if_allowed(ReadingOperation::list_tags_of_resource, request);
    if (!output) return Failure{output.error().message};
    return std::move(output).value();
  });
}

}  // namespace dinette::app
