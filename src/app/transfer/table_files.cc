#include "app/transfer/table_files.h"

#include <system_error>

#include "dinette/aws/json.h"
#include "dinette/dynamodb/item_files/export_writer.h"
#include "dinette/objects/plain_folders.h"

#include "app/transfer/text_files.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
namespace fs = std::filesystem;
using base::Failure;

// The bucket that the manifest names instead of one of S3: it must be a valid name.
constexpr const char* bucket_in_manifest = "local";

template <class T>
TableFiles::Written as_sentence(const objects::Result<T>& written) {
  return written ? TableFiles::Written() : Failure{written.error().message};
}

/// The layout of DynamoDB's export to S3.
class ExportFiles final : public TableFiles {
 public:
  ExportFiles(const fs::path& folder, const FilesTable& table, const base::Clock& clock, base::Ids& ids)
      : clock_(clock),
        started_(clock.now()),
        writer_({store_, folder.string(), {}, item_files::new_export_id(started_, ids)},
                {.started = started_,
                 .table_arn = table.arn,
                 .table_id = table.id,
                 .export_time = started_,
                 .bucket = bucket_in_manifest}) {}

  Written begin() override { return as_sentence(writer_.begin()); }
  Written add(std::string_view item) override { return as_sentence(writer_.add(item)); }
  Written finish() override { return as_sentence(writer_.finish(clock_.now())); }

 private:
  const base::Clock& clock_;
  const base::TimePoint started_;
  objects::PlainFolders store_;
  item_files::ExportWriter writer_;
};

}  // namespace

std::unique_ptr<TableFiles> open_table_files(OutputFormat format, const fs::path& folder,
                                             const FilesTable& table, const base::Clock& clock,
                                             base::Ids& ids) {
  if (format == OutputFormat::json) return open_json_file(folder);
  if (format == OutputFormat::csv) return open_csv_file(folder, table.keys);
  return std::make_unique<ExportFiles>(folder, table, clock, ids);
}

bool has_all_items(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder / json_items_name, ignored) || fs::exists(folder / csv_items_name, ignored))
    return true;
  for (fs::directory_iterator one(folder / item_files::exports_folder, ignored), end; !ignored && one != end;
       one.increment(ignored)) {
    if (fs::exists(one->path() / item_files::summary_name, ignored)) return true;
  }
  return false;
}

bool is_unfinished(const fs::path& folder) {
  std::error_code ignored;
  bool empty = true;
  for (fs::directory_iterator one(folder, ignored), end; !ignored && one != end; one.increment(ignored)) {
    const std::string name = one->path().filename().string();
    if (name == item_files::exports_folder || name.starts_with(json_items_name) ||
        name.starts_with(csv_items_name))
      return true;
    empty = false;
  }
  return empty && !ignored;
}

std::vector<std::string> key_names(std::string_view description) {
  simdjson::dom::parser parser;
  aws::JsonElement json;
  if (parser.parse(description.data(), description.size()).get(json)) return {};
  aws::JsonElement table = json;
  if (json["Table"].get(table)) table = json;
  std::vector<std::string> names;
  aws::JsonArray schema;
  if (table["KeySchema"].get(schema)) return names;
  for (const aws::JsonElement key : schema) {
    std::string_view name;
    if (!key["AttributeName"].get(name)) names.emplace_back(name);
  }
  return names;
}

}  // namespace dinette::app
