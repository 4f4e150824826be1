#include "app/transfer/text_files.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "dinette/aws/json.h"
#include "dinette/base/file_advice.h"

#include "app/transfer/plain_values.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using Written = TableFiles::Written;

constexpr std::size_t most_columns = 10'000;
constexpr std::string_view unfinished_ending = ".part";

/// A file that gets its name when it is complete.
class NewFile {
 public:
  explicit NewFile(fs::path path)
      : path_(std::move(path)), unfinished_(path_.string() + std::string(unfinished_ending)) {}

  Written open() {
    std::error_code error;
    fs::create_directories(path_.parent_path(), error);
    errno = 0;
    file_.open(unfinished_, std::ios::binary | std::ios::trunc);
    return file_ ? Written() : failed();
  }

  Written write(std::string_view text) {
    errno = 0;
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
    return file_ ? Written() : failed();
  }

  Written complete() {
    errno = 0;
    file_.close();
    if (!file_) return failed();
    std::error_code error;
    fs::rename(unfinished_, path_, error);
    return error ? Written(Failure{path_.string() + " cannot be written: " + error.message()}) : Written();
  }

 private:
  Written failed() const {
    const int why = errno == 0 ? EIO : errno;
    return Failure{unfinished_.string() + " cannot be written: " + std::generic_category().message(why) +
                   base::file_advice(unfinished_.string(), why)};
  }

  const fs::path path_;
  const fs::path unfinished_;
  std::ofstream file_;
};

/// Calls `use` with an item, parsed.
template <class Use>
Written with_item(std::string_view item, Use use) {
  simdjson::dom::parser parser;
  try {
    use(aws::JsonElement(parser.parse(item.data(), item.size())));
  } catch (const simdjson::simdjson_error& error) {
    return Failure{std::string("an item is not as expected: ") + error.what()};
  }
  return {};
}

class JsonFile final : public TableFiles {
 public:
  explicit JsonFile(const fs::path& folder) : file_(folder / json_items_name) {}

  Written begin() override { return file_.open(); }
  Written add(std::string_view item) override {
    line_.clear();
    DINETTE_CHECK(
        with_item(item, [&](aws::JsonElement attributes) { append_plain_object(line_, attributes); }));
    line_ += '\n';
    return file_.write(line_);
  }
  Written finish() override { return file_.complete(); }

 private:
  NewFile file_;
  std::string line_;
};

class CsvFile final : public TableFiles {
 public:
  CsvFile(const fs::path& folder, const std::vector<std::string>& keys)
      : file_(folder / csv_items_name),
        kept_path_(folder / (std::string(csv_items_name) + ".items")),
        kept_(kept_path_) {
    for (const std::string& key : keys) add_column(key);
  }

  Written begin() override { return kept_.open(); }

  Written add(std::string_view item) override {
    DINETTE_CHECK(with_item(item, [&](aws::JsonElement attributes) {
      for (const auto& [name, value] : aws::JsonObject(attributes)) add_column(name);
      line_ = simdjson::minify(attributes);
    }));
    if (columns_.size() > most_columns)
      return Failure{"the items have more than " + with_commas(most_columns) +
                     " attributes in all, too many for columns; use --format json"};
    return kept_.write(line_ + "\n");
  }

  Written finish() override {
    DINETTE_CHECK(kept_.complete());
    DINETTE_CHECK(file_.open());
    DINETTE_CHECK(file_.write(header()));
    std::ifstream items(kept_path_, std::ios::binary);
    while (std::getline(items, line_)) DINETTE_CHECK(write_row());
    DINETTE_CHECK(file_.complete());
    std::error_code ignored;
    fs::remove(kept_path_, ignored);
    return {};
  }

 private:
  void add_column(std::string_view name) {
    if (numbers_.find(name) != numbers_.end()) return;
    numbers_.emplace(name, columns_.size());
    columns_.emplace_back(name);
  }

  std::string header() const {
    std::string row;
    for (const std::string& name : columns_) {
      if (!row.empty()) row += ',';
      append_text_cell(row, name);
    }
    return row + "\r\n";
  }

  Written write_row() {
    std::vector<std::string> cells(columns_.size());
    DINETTE_CHECK(with_item(line_, [&](aws::JsonElement attributes) {
      for (const auto& [name, value] : aws::JsonObject(attributes))
        append_cell(cells[numbers_.find(name)->second], value);
    }));
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) row += ',';
      row += cells[i];
    }
    return file_.write(row + "\r\n");
  }

  NewFile file_;
  const fs::path kept_path_;
  NewFile kept_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  ///< of columns, by name
  std::string line_;
};

}  // namespace

std::unique_ptr<TableFiles> open_json_file(const fs::path& folder) {
  return std::make_unique<JsonFile>(folder);
}

std::unique_ptr<TableFiles> open_csv_file(const fs::path& folder, std::vector<std::string> keys) {
  return std::make_unique<CsvFile>(folder, keys);
}

}  // namespace dinette::app
