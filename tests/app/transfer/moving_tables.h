#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

#include "app/transfer/export_tables.h"
#include "app/transfer/import_tables.h"
#include "app/transfer/operations.h"
#include "app/transfer/transfer.h"
#include "support/dynamodb.h"
#include "support/temporary_folder.h"

namespace test {

/// The rule that follows a name that no table can have.
inline const std::string naming_rule =
    ", which has 3 to 255 letters (a to z, A to Z), digits, underscores, hyphens and dots";

/// The operations of a server in this process. A test may answer in its place.
class TestOperations final : public dinette::app::Operations {
 public:
  using Reply = dinette::base::Result<dinette::app::OperationReply, dinette::app::NoReply>;

  explicit TestOperations(DynamoDb& db) : db_(db) {}

  /// Called first; if it returns nothing, the server answers.
  std::function<std::optional<Reply>(std::string_view operation, std::string_view request)> instead;
  std::vector<std::string> called;  ///< the operations, in order

  Reply call(std::string_view operation, std::string_view request) override {
    called.emplace_back(operation);
    if (instead) {
      if (auto reply = instead(operation, request)) return *std::move(reply);
    }
    const auto reply = db_.call(operation, request);
    return dinette::app::OperationReply{reply.status, reply.body};
  }

 private:
  DynamoDb& db_;
};

/// A server, and exports and imports of its tables, whose waits are only written down.
struct MovingTables {
  DynamoDb db;
  TestOperations operations{db};
  TemporaryFolder temporary;
  std::filesystem::path folder = temporary.path() / "f";
  std::vector<std::chrono::milliseconds> waits;
  std::function<bool()> interrupted = [] { return false; };
  dinette::app::Existing existing = dinette::app::Existing::refuse;  ///< of exports and imports
  dinette::app::OutputFormat format = dinette::app::OutputFormat::dynamodb_json;

  using Moved = dinette::base::Result<std::vector<dinette::app::MovedTable>, std::string>;

  Moved exported(std::vector<std::string> names = {}) {
    return dinette::app::export_tables(transfer(), folder, std::move(names), {format, existing});
  }
  Moved imported(const std::string& table = "",
                 std::vector<dinette::dynamodb::item_files::KeyAttribute> keys = {},
                 const std::filesystem::path& below = "") {
    return import_from({below.empty() ? folder : folder / below, table, std::move(keys), {}, existing});
  }

  Moved import_from(const dinette::app::ImportSource& source) {
    return dinette::app::import_tables(transfer(), source);
  }

  /// Returns the error of an import, with `f` instead of the folder.
  std::string import_failure(const std::string& table = "",
                             std::vector<dinette::dynamodb::item_files::KeyAttribute> keys = {},
                             const std::filesystem::path& below = "") {
    const auto moved = imported(table, std::move(keys), below);
    return moved ? "" : shortened(moved.error());
  }
  std::string export_failure(std::vector<std::string> names = {}) {
    const auto moved = exported(std::move(names));
    return moved ? "" : shortened(moved.error());
  }

  void write(const std::filesystem::path& path, std::string_view text) const {
    std::filesystem::create_directories((folder / path).parent_path());
    std::ofstream(folder / path, std::ios::binary) << text;
  }

  /// All items of a table, as the server has them.
  Json items(std::string_view table) {
    Json all = Json::array();
    Json request = {{"TableName", table}};
    for (;;) {
      const Json page = db.ok("Scan", request);
      for (const Json& item : page["Items"]) all.push_back(item);
      if (!page.contains("LastEvaluatedKey")) return all;
      request["ExclusiveStartKey"] = page["LastEvaluatedKey"];
    }
  }
  Json tables() { return db.ok("ListTables", Json::object())["TableNames"]; }

  /// Returns a message with `f` instead of the folder.
  std::string shortened(std::string text) const {
    for (std::size_t at = 0; (at = text.find(folder.string())) != std::string::npos;)
      text.replace(at, folder.string().size(), "f");
    return text;
  }

 private:
  dinette::app::Transfer transfer() {
    return {operations,
            clock_,
            ids_,
            progress_,
            {[this] { return interrupted(); },
             [this](std::chrono::milliseconds time) { waits.push_back(time); }}};
  }

  dinette::base::SystemClock clock_;
  dinette::base::SystemIds ids_;
  dinette::app::TransferProgress progress_{dinette::app::TransferProgress::Shown::log};
};

}  // namespace test
