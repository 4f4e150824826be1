#include "app/transfer/export_tables.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "dinette/aws/json_writer.h"
#include "dinette/dynamodb/item_files/answers.h"
#include "dinette/dynamodb/item_files/export_writer.h"
#include "dinette/dynamodb/item_files/table_file.h"
#include "dinette/objects/plain_folders.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
namespace fs = std::filesystem;
using base::Failure;
using item_files::Outcome;

// The bucket that the manifest names instead of one of S3: it must be a valid name.
constexpr const char* bucket = "local";

constexpr std::string_view unknown_operation = "UnknownOperationException";

/// Returns the output of an operation; the failure as a sentence.
Outcome<std::string> output_of(const Transfer& transfer, std::string_view operation,
                               std::string_view request) {
  auto output = transfer.call(operation, request);
  if (output) return std::move(output).value();
  return Failure{output.error().message};
}

/// The same, but empty if the server does not have the operation.
Outcome<std::string> output_if_known(const Transfer& transfer, std::string_view operation,
                                     std::string_view request) {
  auto output = transfer.call(operation, request);
  if (output) return std::move(output).value();
  if (output.error().type == unknown_operation) return std::string();
  return Failure{output.error().message};
}

Outcome<std::vector<std::string>> all_tables(const Transfer& transfer) {
  std::vector<std::string> names;
  std::string request = "{}";
  for (;;) {
    DINETTE_TRY(const auto output, output_of(transfer, "ListTables", request));
    DINETTE_TRY(auto page, item_files::read_table_page(output));
    std::ranges::move(page.names, std::back_inserter(names));
    if (page.last.empty()) return names;
    request = R"({"ExclusiveStartTableName":)";
    aws::append_json_string(request, page.last);
    request += "}";
  }
}

Outcome<std::vector<std::string>> tags_of(const Transfer& transfer, const std::string& arn) {
  std::vector<std::string> pages;
  std::string token;
  do {
    std::string request = R"({"ResourceArn":)";
    aws::append_json_string(request, arn);
    if (!token.empty()) aws::append_json_string(request += R"(,"NextToken":)", token);
    DINETTE_TRY(auto page, output_if_known(transfer, "ListTagsOfResource", request + "}"));
    if (page.empty()) break;
    DINETTE_TRY(token, item_files::read_next_token(page));
    pages.push_back(std::move(page));
  } while (!token.empty());
  return pages;
}

/// Returns how writing a file has ended: the message of its error is a sentence.
template <class T>
Outcome<void> in_words(const objects::Result<T>& written) {
  return written ? Outcome<void>() : Failure{written.error().message};
}

/// One table on its way to its folder.
class TableExport {
 public:
  TableExport(const Transfer& transfer, std::string name, const fs::path& folder)
      : transfer_(transfer), name_(std::move(name)), folder_(folder) {}

  Outcome<MovedTable> run() {
    DINETTE_TRY(const auto description, output_of(transfer_, "DescribeTable", naming(name_)));
    DINETTE_TRY(const auto facts, item_files::read_table_facts(description));
    const base::TimePoint now = transfer_.clock.now();
    item_files::ExportWriter writer(
        {store_, folder_.string(), {}, item_files::new_export_id(now, transfer_.ids)},
        {.started = now, .table_arn = facts.arn, .table_id = facts.id, .export_time = now, .bucket = bucket});
    DINETTE_CHECK(in_words(writer.begin()));
    transfer_.progress.begin("exporting", name_, facts.items);
    const auto copied = copy_items(writer);
    transfer_.progress.end();
    DINETTE_CHECK(copied);
    DINETTE_CHECK(write_definition(description, facts.arn));
    DINETTE_CHECK(in_words(writer.finish(transfer_.clock.now())));
    return MovedTable{name_, writer.items()};
  }

 private:
  Outcome<void> copy_items(item_files::ExportWriter& writer) const {
    std::string start;
    for (;;) {
      std::string request = naming(name_);
      request.back() = ',';
      request += R"("ConsistentRead":true)";
      if (!start.empty()) request += R"(,"ExclusiveStartKey":)" + start;
      DINETTE_TRY(std::string output, output_of(transfer_, "Scan", request + "}"));
      DINETTE_TRY(const auto page, item_files::read_scan_page(output));
      for (const std::string_view item : page.items) DINETTE_CHECK(in_words(writer.add(item)));
      transfer_.progress.add(page.items.size());
      if (page.last_key.empty()) return {};
      start = page.last_key;
    }
  }

  Outcome<void> write_definition(const std::string& description, const std::string& arn) {
    DINETTE_TRY(const auto expiry, output_if_known(transfer_, "DescribeTimeToLive", naming(name_)));
    DINETTE_TRY(auto tags, tags_of(transfer_, arn));
    DINETTE_TRY(const auto text, item_files::table_file_text({description, expiry, std::move(tags)}));
    return in_words(objects::put(store_, folder_.string(), std::string(item_files::table_file_name), text));
  }

  const Transfer& transfer_;
  const std::string name_;
  const fs::path folder_;
  objects::PlainFolders store_;
};

Outcome<void> check_free(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return {};
  return Failure{folder.string() + " already exists; remove it, or export to another folder"};
}

Outcome<MovedTable> export_table(const Transfer& transfer, const std::string& name, const fs::path& folder) {
  auto moved = TableExport(transfer, name, folder).run();
  if (moved) return moved;
  std::error_code ignored;  // without its summary the export is incomplete
  fs::remove_all(folder, ignored);
  return Failure{"the table " + name + " is not exported: " + moved.error()};
}

/// Adds what there is besides the failure.
std::string with_rest(const std::string& failure, const std::vector<MovedTable>& moved,
                      const fs::path& folder) {
  if (moved.empty()) return failure;
  std::string text = failure + "; complete in " + folder.string() + ":";
  for (const MovedTable& table : moved) text += " " + table.name;
  return text;
}

}  // namespace

base::Result<std::vector<MovedTable>, std::string> export_tables(const Transfer& transfer,
                                                                 const fs::path& folder,
                                                                 std::vector<std::string> names) {
  if (names.empty()) {
    DINETTE_TRY(names, all_tables(transfer));
    if (names.empty()) return Failure{std::string("there are no tables to export")};
  }
  for (const std::string& name : names) {
    if (!is_table_name(name)) return Failure{bad_table_name(name)};
    DINETTE_CHECK(check_free(folder / name));
  }
  std::vector<MovedTable> moved;
  for (const std::string& name : names) {
    auto table = export_table(transfer, name, folder / name);
    if (!table) return Failure{with_rest(table.error(), moved, folder)};
    moved.push_back(std::move(table).value());
  }
  return moved;
}

}  // namespace dinette::app
