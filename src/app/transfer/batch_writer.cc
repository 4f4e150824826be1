#include "app/transfer/batch_writer.h"

#include <utility>

#include "dinette/aws/json_writer.h"
#include "dinette/dynamodb/item_files/answers.h"

namespace dinette::app {
namespace {

using base::Failure;

// docs/service/batch.md: at most 25 puts; the request may have 16 MB.
constexpr std::size_t most_puts = 25;
constexpr std::size_t enough_bytes = 4 << 20;

constexpr std::string_view validation = "ValidationException";

std::string json_string(std::string_view text) {
  std::string json;
  aws::append_json_string(json, text);
  return json;
}

}  // namespace

BatchWriter::BatchWriter(const Transfer& transfer, std::string_view table)
    : transfer_(transfer), table_(json_string(table)) {}

base::Result<void, std::string> BatchWriter::add(Write write) {
  pending_bytes_ += write.item.size();
  pending_.push_back(std::move(write));
  if (pending_.size() < most_puts && pending_bytes_ < enough_bytes) return {};
  return flush();
}

base::Result<void, std::string> BatchWriter::flush() {
  if (pending_.empty()) return {};
  const auto written = write_batch();
  if (written) {
    for (const Write& write : pending_) count(write);
  } else if (written.error().type == validation) {
    // It says nothing of which item it is about, and it may only be that two have the same key.
    DINETTE_CHECK(write_one_by_one());
  } else {
    return Failure{written.error().message};
  }
  pending_.clear();
  pending_bytes_ = 0;
  return {};
}

base::Result<void, CallError> BatchWriter::write_batch() const {
  std::string items = "{" + table_ + ":[";
  for (const Write& write : pending_) {
    if (!items.ends_with('[')) items += ',';
    items.append(write.deletes ? R"({"DeleteRequest":{"Key":)" : R"({"PutRequest":{"Item":)");
    items.append(write.item).append("}}");
  }
  items += "]}";
  for (unsigned tries = 0; !items.empty(); ++tries) {
    if (tries > 0) wait_before_retry(transfer_.patience, tries - 1);
    if (tries == most_tries)
      return Failure{CallError{"",
                               "BatchWriteItem repeatedly leaves items unprocessed: the server is "
                               "overloaded, or the table's throughput is too low"}};
    DINETTE_TRY(std::string output, transfer_.call("BatchWriteItem", R"({"RequestItems":)" + items + "}"));
    const std::size_t before = items.size();
    auto unprocessed = dynamodb::item_files::read_unprocessed(output);
    if (!unprocessed) return Failure{CallError{"", unprocessed.error()}};
    items = *unprocessed;
    if (items.size() < before) tries = 0;
  }
  return {};
}

base::Result<void, std::string> BatchWriter::write_one_by_one() {
  for (const Write& write : pending_) {
    const std::string request =
        R"({"TableName":)" + table_ + (write.deletes ? R"(,"Key":)" : R"(,"Item":)") + write.item + "}";
    const auto done = transfer_.call(write.deletes ? "DeleteItem" : "PutItem", request);
    if (!done) return Failure{write.place + ": " + done.error().message};
    count(write);
  }
  return {};
}

void BatchWriter::count(const Write& write) {
  last_place_ = write.place;
  if (write.deletes) return;
  ++written_;
  transfer_.progress.add(1);
}

}  // namespace dinette::app
