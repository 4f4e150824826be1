#include "app/transfer/import_tables.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "dinette/dynamodb/item_files/found_tables.h"
#include "dinette/dynamodb/item_files/warnings.h"
#include "dinette/objects/plain_folders.h"

#include "app/transfer/batch_writer.h"
#include "app/transfer/open_items.h"
#include "app/transfer/table_states.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
using base::Failure;
using item_files::DataFile;
using item_files::FoundTable;
using item_files::FoundTables;
using item_files::Outcome;

std::string names_of(const std::vector<FoundTable>& tables) {
  std::string names;
  for (const FoundTable& table : tables) names += (names.empty() ? "" : ", ") + table.name;
  return names;
}

Outcome<FoundTables> only(FoundTables found, const std::string& name) {
  const auto chosen = std::ranges::find(found.tables, name, &FoundTable::name);
  if (chosen == found.tables.end())
    return Failure{"there is no table " + name + " in the folder; it has " + names_of(found.tables)};
  return FoundTables{true, {std::move(*chosen)}};
}

void call_it(FoundTable& table, const std::string& name) {
  table.name = name;
  if (table.definition) table.definition = item_files::renamed(*table.definition, name);
}

Outcome<void> define(FoundTables& found, const std::vector<item_files::KeyAttribute>& keys) {
  FoundTable& table = found.tables.front();
  if (table.is_incremental)
    return Failure{"--key is for tables to create, and " + table.place +
                   " is an incremental export, which has only changes"};
  if (found.tables.size() > 1)
    return Failure{
        std::string("--key is for one table, and the folder has several: select one with --table")};
  if (table.definition)
    return Failure{"--key is for folders without table.json; the one in " + table.place + " has the keys"};
  table.definition = item_files::table_of_keys(table.name, keys);
  return {};
}

/// Gives files that do not name their table the one that the user names, also if others in the folder name
/// it.
void name_files(FoundTables& found, const std::string& name) {
  const auto nameless = std::ranges::find(found.tables, std::string(), &FoundTable::name);
  if (nameless == found.tables.end()) return;
  const auto named = std::ranges::find(found.tables, name, &FoundTable::name);
  if (named == found.tables.end()) {
    nameless->name = name;
    return;
  }
  std::ranges::move(nameless->files, std::back_inserter(named->files));
  found.tables.erase(nameless);
}

/// Finds the tables of the folder, and settles what is to be imported as what.
Outcome<std::vector<FoundTable>> chosen_tables(objects::ObjectStore& store, const ImportSource& source,
                                               item_files::Warnings& warnings) {
  DINETTE_TRY(auto found, find_tables_to_import(store, source.folder));
  for (const std::string& file : found.skipped)
    warnings.add("a file in the folder has no items that can be read", file);
  if (!source.table.empty()) {
    if (found.several) name_files(found, source.table);
    if (found.several) {
      DINETTE_TRY(found, only(std::move(found), source.table));
    } else {
      call_it(found.tables.front(), source.table);
    }
  }
  for (const FoundTable& table : found.tables) {
    if (table.name.empty())
      return Failure{
          table.place +
          " does not name its table: add --table NAME, or move the files to a folder of that name, "
          "and import the folder in which that is"};
    if (!is_table_name(table.name)) return Failure{table.place + ": " + bad_table_name(table.name)};
  }
  if (!source.keys.empty()) DINETTE_CHECK(define(found, source.keys));
  return std::move(found.tables);
}

/// What an import does with a table.
enum class ImportPlan { create, replace, fill, skip };

bool is_file(const std::string& place) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(place, ignored);
}

/// Checks what can be known before anything is written.
Outcome<ImportPlan> plan_for(const Transfer& transfer, const FoundTable& table, Existing existing) {
  DINETTE_TRY(const auto description, describe_if_there(transfer, table.name));
  const bool there = description.has_value();
  if (there && existing == Existing::skip) return ImportPlan::skip;
  if (table.is_incremental && there) return ImportPlan::fill;
  if (table.is_incremental)
    return Failure{
        "there is no table " + table.name + ", and " + table.place +
        " is an incremental export, which has only changes: import the full export before it first"};
  if (there && existing == Existing::replace && table.definition) return ImportPlan::replace;
  if (there && existing == Existing::resume) return ImportPlan::fill;
  if (table.definition && there) {
    const std::string otherwise = is_file(table.place)
                                      ? ""
                                      : ", or import a single table under another name: dinette import " +
                                            table.place + " --table NAME";
    return Failure{"the table " + table.name + " already exists; delete it first" + otherwise};
  }
  if (!table.definition && !there)
    return Failure{
        "there is no table " + table.name + ", and " + table.place +
        (is_file(table.place) ? " does not say how to create it" : " has no table.json to create it from") +
        ": create it first, or give its keys, such as --key pk:S or --key pk:S,sk:N"};
  return there ? ImportPlan::fill : ImportPlan::create;
}

Outcome<void> check_files(objects::ObjectStore& store, const FoundTable& table) {
  for (const DataFile& file : table.files) DINETTE_CHECK(item_files::check_digest(store, table, file));
  return {};
}

/// One table on its way from its folder.
class TableImport {
 public:
  TableImport(const Transfer& transfer, objects::ObjectStore& store, const FoundTable& table, ImportPlan plan,
              const CsvSettings& csv, item_files::Warnings& warnings)
      : transfer_(transfer),
        store_(store),
        table_(table),
        plan_(plan),
        csv_(csv),
        warnings_(warnings),
        writer_(transfer, table.name) {}

  Outcome<MovedTable> run() {
    transfer_.progress.begin("importing", table_.name, table_.items.value_or(0));
    const auto done = carry_out();
    transfer_.progress.end();
    if (done) return MovedTable{table_.name, writer_.written()};
    return Failure{"the table " + table_.name + " is not imported: " + done.error() + "; " + remains()};
  }

 private:
  Outcome<void> carry_out() {
    if (plan_ == ImportPlan::replace) DINETTE_CHECK(delete_table());
    if (plan_ != ImportPlan::fill) DINETTE_CHECK(create());
    for (const DataFile& file : table_.files) DINETTE_CHECK(copy_items(file));
    DINETTE_CHECK(writer_.flush());
    if (table_.definition) DINETTE_CHECK(finish(*table_.definition));
    return {};
  }

  Outcome<void> send(std::string_view operation, std::string_view request) const {
    const auto output = transfer_.call(operation, request);
    return output ? Outcome<void>() : Failure{output.error().message};
  }

  Outcome<void> delete_table() const {
    DINETTE_CHECK(send("DeleteTable", naming(table_.name)));
    return wait_until_gone(transfer_, table_.name);
  }

  /// The same as send(), but the import that is continued may have done it.
  Outcome<void> send_once(std::string_view operation, std::string_view request) const {
    const auto sent = send(operation, request);
    if (!sent && plan_ == ImportPlan::fill && sent.error().find("already") != std::string::npos) return {};
    return sent;
  }

  Outcome<void> create() {
    DINETTE_CHECK(send("CreateTable", table_.definition->create_table));
    made_ = true;
    return wait_until_active(transfer_, table_.name);
  }

  Outcome<void> copy_items(const DataFile& file) {
    const std::string name = name_of_file(table_, file);
    const auto read_keys = [this] { return keys(); };
    DINETTE_TRY(const auto source, open_items(store_, table_, file, csv_, read_keys, warnings_));
    for (std::uint64_t items = 0;; ++items) {
      const auto item = source->next();
      const auto place = [&] { return name + ", " + source->place(); };
      if (!item) return Failure{place() + " " + item.error().message};
      if (!*item) return check_count(file, name, items);
      DINETTE_CHECK(writer_.add({std::string(**item), place(), source->deletes()}));
    }
  }

  Outcome<item_files::KeyFacts> keys() const {
    if (table_.definition) return item_files::read_key_facts(table_.definition->create_table);
    const auto output = transfer_.call("DescribeTable", naming(table_.name));
    if (!output) return Failure{output.error().message};
    return item_files::read_key_facts(*output);
  }

  static Outcome<void> check_count(const DataFile& file, const std::string& name, std::uint64_t items) {
    if (!file.items || *file.items == items) return {};
    return Failure{name + " has " + items_text(items) + ", but its manifest says " +
                   with_commas(*file.items) + ": it has changed since it was exported"};
  }

  Outcome<void> finish(const item_files::TableFile& definition) const {
    if (definition.update_table) {
      DINETTE_CHECK(send_once("UpdateTable", *definition.update_table));
      DINETTE_CHECK(wait_until_active(transfer_, table_.name));
    }
    return definition.update_time_to_live ? send_once("UpdateTimeToLive", *definition.update_time_to_live)
                                          : Outcome<void>();
  }

  /// Undoes what can be undone, and says what there is now.
  std::string remains() const {
    if (!made_)
      return plan_ != ImportPlan::fill ? "nothing was written"
                                       : "written before: " + items_text(writer_.written()) + " at least" +
                                             up_to(writer_.last_place());
    // Also if the user has interrupted the import.
    const Patience cleaning{[] { return false; }, transfer_.patience.wait};
    if (call_patiently(transfer_.operations, "DeleteTable", naming(table_.name), cleaning))
      return "the table was deleted again";
    return "the table is there, with " + items_text(writer_.written()) + "; delete it before you try again";
  }

  static std::string up_to(const std::string& place) { return place.empty() ? "" : ", up to " + place; }

  const Transfer& transfer_;
  objects::ObjectStore& store_;
  const FoundTable& table_;
  const ImportPlan plan_;
  const CsvSettings& csv_;
  item_files::Warnings& warnings_;
  BatchWriter writer_;
  bool made_ = false;
};

/// Adds what there is besides the failure.
std::string with_rest(const std::string& failure, const std::vector<MovedTable>& moved) {
  if (moved.empty()) return failure;
  std::string text = failure + ". Tables that are complete:";
  for (const MovedTable& table : moved) text += " " + table.name;
  return text;
}

Outcome<std::vector<MovedTable>> import_chosen(const Transfer& transfer, const ImportSource& source,
                                               item_files::Warnings& warnings) {
  objects::PlainFolders store;
  DINETTE_TRY(const auto tables, chosen_tables(store, source, warnings));
  std::vector<ImportPlan> plans;
  for (const FoundTable& table : tables) {
    DINETTE_TRY(const ImportPlan plan, plan_for(transfer, table, source.existing));
    plans.push_back(plan);
    DINETTE_CHECK(check_files(store, table));
  }
  std::vector<MovedTable> moved;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (plans[i] == ImportPlan::skip) continue;
    for (const std::string& lost : tables[i].warnings) warnings.add(lost, tables[i].name);
    auto one = TableImport(transfer, store, tables[i], plans[i], source.csv, warnings).run();
    if (!one) return Failure{with_rest(one.error(), moved)};
    moved.push_back(std::move(one).value());
  }
  return moved;
}

}  // namespace

base::Result<std::vector<MovedTable>, std::string> import_tables(const Transfer& transfer,
                                                                 const ImportSource& source) {
  item_files::Warnings warnings;
  auto moved = import_chosen(transfer, source, warnings);
  for (const std::string& line : warnings.lines()) transfer.progress.warn(line);
  return moved;
}

}  // namespace dinette::app
