#include "app/transfer/export_tables.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "dinette/dynamodb/item_files/answers.h"
#include "dinette/dynamodb/item_files/table_file.h"
#include "dinette/objects/plain_folders.h"

#include "app/transfer/described_tables.h"
#include "app/transfer/table_files.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
namespace fs = std::filesystem;
using base::Failure;
using item_files::Outcome;

/// Returns the output of an operation; the failure as a sentence.
Outcome<std::string> output_of(const Transfer& transfer, std::string_view operation,
                               std::string_view request) {
  auto output = transfer.call(operation, request);
  if (output) return std::move(output).value();
  return Failure{output.error().message};
}

/// One table on its way to its folder.
class TableExport {
 public:
  TableExport(const Transfer& transfer, std::string name, const fs::path& folder, OutputFormat format)
      : transfer_(transfer), name_(std::move(name)), folder_(folder), format_(format) {}

  Outcome<MovedTable> run() {
    DINETTE_TRY(const auto description, output_of(transfer_, "DescribeTable", naming(name_)));
    DINETTE_TRY(const auto facts, item_files::read_table_facts(description));
    const auto files = open_table_files(format_, folder_, {facts.arn, facts.id, key_names(description)},
                                        transfer_.clock, transfer_.ids);
    DINETTE_CHECK(files->begin());
    transfer_.progress.begin("exporting", name_, facts.items);
    const auto copied = copy_items(*files);
    transfer_.progress.end();
    DINETTE_CHECK(copied);
    DINETTE_CHECK(write_definition(description));
    DINETTE_CHECK(files->finish());
    return MovedTable{name_, items_};
  }

 private:
  Outcome<void> copy_items(TableFiles& files) {
    std::string start;
    for (;;) {
      std::string request = naming(name_);
      request.back() = ',';
      request += R"("ConsistentRead":true)";
      if (!start.empty()) request += R"(,"ExclusiveStartKey":)" + start;
      DINETTE_TRY(std::string output, output_of(transfer_, "Scan", request + "}"));
      DINETTE_TRY(const auto page, item_files::read_scan_page(output));
      for (const std::string_view item : page.items) DINETTE_CHECK(files.add(item));
      items_ += page.items.size();
      transfer_.progress.add(page.items.size());
      if (page.last_key.empty()) return {};
      start = page.last_key;
    }
  }

  Outcome<void> write_definition(const std::string& description) {
    DINETTE_TRY(const auto text, table_file_of(transfer_, name_, description));
    const auto written =
        objects::put(store_, folder_.string(), std::string(item_files::table_file_name), text);
    return written ? Outcome<void>() : Failure{written.error().message};
  }

  const Transfer& transfer_;
  const std::string name_;
  const fs::path folder_;
  const OutputFormat format_;
  objects::PlainFolders store_;
  std::uint64_t items_ = 0;
};

Outcome<void> check_free(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return {};
  return Failure{folder.string() + " already exists; remove it, or export to another folder"};
}

/// Returns true if a table is to be exported; then its folder does not exist any more.
Outcome<bool> make_room(const fs::path& folder, Existing existing) {
  std::error_code error;
  if (!fs::exists(folder, error)) return true;
  if (existing == Existing::skip || (existing == Existing::resume && has_all_items(folder))) return false;
  // Also with --replace: a folder that no export has made is not deleted.
  if (!has_all_items(folder) && !is_unfinished(folder))
    return Failure{folder.string() + " is not an export; remove it, or export to another folder"};
  fs::remove_all(folder, error);
  return error ? Outcome<bool>(Failure{folder.string() + " cannot be removed: " + error.message()}) : true;
}

Outcome<MovedTable> export_table(const Transfer& transfer, const std::string& name, const fs::path& folder,
                                 OutputFormat format) {
  auto moved = TableExport(transfer, name, folder, format).run();
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
                                                                 std::vector<std::string> names,
                                                                 const ExportWish& wish) {
  if (names.empty()) {
    DINETTE_TRY(names, all_tables(transfer));
    if (names.empty()) return Failure{std::string("there are no tables to export")};
  }
  for (const std::string& name : names) {
    if (!is_table_name(name)) return Failure{bad_table_name(name)};
    if (wish.existing == Existing::refuse) DINETTE_CHECK(check_free(folder / name));
  }
  std::vector<MovedTable> moved;
  for (const std::string& name : names) {
    // A folder is not deleted for a table that cannot be read.
    if (wish.existing == Existing::replace) DINETTE_CHECK(output_of(transfer, "DescribeTable", naming(name)));
    DINETTE_TRY(const bool wanted, make_room(folder / name, wish.existing));
    if (!wanted) continue;
    auto table = export_table(transfer, name, folder / name, wish.format);
    if (!table) return Failure{with_rest(table.error(), moved, folder)};
    moved.push_back(std::move(table).value());
  }
  return moved;
}

}  // namespace dinette::app
