#include <system_error>

#include "dinette/dynamodb/item_files/answers.h"

#include "app/pull/pull_destination.h"
#include "app/transfer/batch_writer.h"
#include "app/transfer/table_states.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
using base::Failure;
using Done = PullDestination::Done;

class TableDestination final : public PullDestination {
 public:
  TableDestination(const Transfer& transfer, const PulledTable& table, const std::filesystem::path& state)
      : transfer_(transfer),
        table_(table),
        progress_path_(state / (table.name + ".json")),
        writer_(transfer, table.name) {}

  base::Result<bool, std::string> exists() override {
    DINETTE_TRY(const auto description, describe_if_there(transfer_, table_.name));
    return description.has_value();
  }

  Done remove() override {
    DINETTE_TRY(const bool there, exists());
    if (!there) return {};
    DINETTE_CHECK(send("DeleteTable", naming(table_.name)));
    return wait_until_gone(transfer_, table_.name);
  }

  Done begin() override {
    DINETTE_CHECK(send("CreateTable", table_.requests.create_table));
    return wait_until_ready();
  }

  Done resume(const std::string& mark) override {
    resumed_ = true;
    DINETTE_TRY(const bool there, exists());
    if (!there && mark.empty()) return begin();
    if (!there) return gone("is not there any more");
    DINETTE_CHECK(wait_until_ready());
    if (mark.empty()) return check_empty();
    return mark == id_ ? Done() : gone("is another one than the pull has begun with");
  }

  Done add(std::string_view item) override {
    return writer_.add({std::string(item), "an item of " + table_.name, false});
  }
  Done flush() override { return writer_.flush(); }
  std::string mark() const override { return id_; }

  Done finish() override {
    if (table_.requests.update_table) {
      DINETTE_CHECK(send_once("UpdateTable", *table_.requests.update_table));
      DINETTE_CHECK(wait_until_ready());
    }
    return table_.requests.update_time_to_live
               ? send_once("UpdateTimeToLive", *table_.requests.update_time_to_live)
               : Done();
  }

  void clean_up() override {
    std::error_code ignored;
    std::filesystem::remove(progress_path_, ignored);
    std::filesystem::remove(progress_path_.parent_path(), ignored);  // unless there is more
  }

  std::filesystem::path progress_path() const override { return progress_path_; }

 private:
  Done send(std::string_view operation, std::string_view request) const {
    const auto output = transfer_.call(operation, request);
    return output ? Done() : Done(Failure{output.error().message});
  }

  /// The pull may have been killed after it had sent the request: the service then says "already".
  Done send_once(std::string_view operation, std::string_view request) const {
    auto sent = send(operation, request);
    if (!sent && resumed_ && sent.error().find("already") != std::string::npos) return {};
    return sent;
  }

  Done gone(const std::string& why) const {
    return Failure{"the table " + table_.name + " at the destination " + why +
                   ": begin again with --replace"};
  }

  /// The pull may have been killed between making the table and noting that.
  Done check_empty() const {
    std::string request = naming(table_.name);
    request.insert(request.size() - 1, R"(,"Limit":1)");
    auto output = transfer_.call("Scan", request);
    if (!output) return Failure{output.error().message};
    DINETTE_TRY(const auto page, item_files::read_scan_page(*output));
    return page.items.empty() ? Done() : gone("has items that are not of this pull");
  }

  /// Waits until the table can be filled; then it has its id.
  Done wait_until_ready() {
    DINETTE_CHECK(wait_until_active(transfer_, table_.name));
    DINETTE_TRY(const auto description, describe_if_there(transfer_, table_.name));
    if (!description) return gone("is not there any more");
    DINETTE_TRY(const auto facts, item_files::read_table_facts(*description));
    id_ = facts.id.empty() ? table_.name : facts.id;
    return {};
  }

  const Transfer& transfer_;
  const PulledTable& table_;
  const std::filesystem::path progress_path_;
  BatchWriter writer_;
  std::string id_;
  bool resumed_ = false;
};

}  // namespace

std::unique_ptr<PullDestination> table_destination(const Transfer& transfer, const PulledTable& table,
                                                   const std::filesystem::path& state) {
  return std::make_unique<TableDestination>(transfer, table, state);
}

}  // namespace dinette::app
