#include "mcp/item_batch.h"

#include <algorithm>
#include <optional>

#include "mcp/values.h"

namespace dinette::mcp {
namespace {

constexpr std::size_t items_of_request = 25;  // the service's limit

bool is_invalid(const std::string& error) {
  return error.starts_with("ValidationException");
}

/// Returns the attributes of the keys of a table; none if it cannot be described.
std::vector<std::string> key_names(const ToolCall& call) {
  std::vector<std::string> names;
  const auto reply = operate(call, "DescribeTable", {{"TableName", call.any("table")}});
  if (!reply) return names;
  for (const Json& key : member_of(member_of(*reply, "Table"), "KeySchema")) {
    if (const Json& name = member_of(key, "AttributeName"); name.is_string()) names.push_back(name);
  }
  return names;
}

/// Writes one list of items.
class Writer {
 public:
  Writer(const ToolCall& call, const std::vector<Json>& items) : call_(call), items_(items) {}

  WrittenItems run() {
    for (std::size_t begin = 0; begin < items_.size(); begin += items_of_request) {
      const std::size_t end = std::min(begin + items_of_request, items_.size());
      if (write(begin, end)) continue;
      leave(end, items_.size());
      break;
    }
    std::ranges::sort(outcome_.not_processed);
    return std::move(outcome_);
  }

 private:
  /// Returns false if the rest is not to be tried.
  bool write(std::size_t begin, std::size_t end) {
    Json requests = Json::array();
    for (std::size_t at = begin; at < end; ++at) requests.push_back({{"PutRequest", {{"Item", items_[at]}}}});
    const Json names{{call_.text("table"), std::move(requests)}};
    const auto reply = operate(call_, "BatchWriteItem", {{"RequestItems", names}});
    if (reply) {
      settle(begin, end, member_of(member_of(*reply, "UnprocessedItems"), call_.text("table").c_str()));
      return true;
    }
    if (is_invalid(reply.error())) return write_singly(begin, end);
    outcome_.errors.emplace_back(begin, reply.error());
    leave(begin, end);
    return false;
  }

  bool write_singly(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      const auto reply = operate(call_, "PutItem", {{"TableName", call_.any("table")}, {"Item", items_[at]}});
      if (reply) {
        ++outcome_.written;
        continue;
      }
      outcome_.errors.emplace_back(at, reply.error());
      if (is_invalid(reply.error())) {
        leave(at, at + 1);
        continue;
      }
      leave(at, end);
      return false;
    }
    return true;
  }

  /// Counts the items of a request, of which some may be unprocessed.
  void settle(std::size_t begin, std::size_t end, const Json& unprocessed) {
    outcome_.written += end - begin;
    if (!unprocessed.is_array() || unprocessed.empty()) return;
    if (!keys_) keys_ = key_names(call_);
    std::vector<Json> keys;
    for (const Json& request : unprocessed)
      keys.push_back(key_of(member_of(member_of(request, "PutRequest"), "Item")));
    for (std::size_t at = begin; at < end; ++at) {
      if (std::ranges::find(keys, key_of(items_[at])) == keys.end()) continue;
      leave(at, at + 1);
      --outcome_.written;
    }
  }

  /// Returns the values of an item's key, in which equal numbers are equal, however they are written. If the
  /// keys of the table are not known, all are equal.
  Json key_of(const Json& item) const {
    Json key = Json::array();
    for (const std::string& name : *keys_) key.push_back(plain_value(member_of(item, name.c_str())));
    return key;
  }

  void leave(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) outcome_.not_processed.push_back(at);
  }

  const ToolCall& call_;
  const std::vector<Json>& items_;
  std::optional<std::vector<std::string>> keys_;  ///< of the table, once they are needed
  WrittenItems outcome_;
};

}  // namespace

WrittenItems write_items(const ToolCall& call, const std::vector<Json>& items) {
  return Writer(call, items).run();
}

}  // namespace dinette::mcp
