#include <charconv>
#include <fstream>
#include <system_error>

#include "dinette/aws/json.h"

#include "app/pull/pull_destination.h"
#include "app/pull/pull_progress.h"
#include "app/transfer/table_files.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using Done = PullDestination::Done;

// No table has such a name.
constexpr std::string_view pulling_ending = "~pulling";
constexpr std::string_view pulled_items_name = "pulled-items";

Done in_words(const fs::path& path, const std::error_code& error) {
  return error ? Done(Failure{path.string() + ": " + error.message()}) : Done();
}

std::string one_line(std::string_view item) {
  if (item.find('\n') == std::string_view::npos) return std::string(item);
  std::string line(item.size(), '\0');
  std::size_t size = 0;
  if (simdjson::minify(item.data(), item.size(), line.data(), size)) return std::string();
  line.resize(size);
  return line;
}

/// Items are appended to one file, which is cut where an interrupted pull has noted to be. When it has all of
/// them, the files of the format are made of it, and the folder gets its name.
class FilesDestination final : public PullDestination {
 public:
  FilesDestination(const Transfer& transfer, const PulledTable& table, const fs::path& folder,
                   OutputFormat format)
      : transfer_(transfer),
        table_(table),
        format_(format),
        final_(folder / table.name),
        work_(folder / (table.name + std::string(pulling_ending))),
        items_path_(work_ / pulled_items_name) {}

  base::Result<bool, std::string> exists() override {
    std::error_code ignored;
    return fs::exists(final_, ignored);
  }

  Done remove() override {
    std::error_code error;
    fs::remove_all(work_, error);
    if (!error) fs::remove_all(final_, error);
    return in_words(final_, error);
  }

  Done begin() override {
    std::error_code error;
    fs::create_directories(work_, error);
    DINETTE_CHECK(in_words(work_, error));
    return cut(0);
  }

  Done resume(const std::string& mark) override {
    std::error_code ignored;
    if (mark.empty()) return begin();
    std::uint64_t size = 0;
    std::from_chars(mark.data(), mark.data() + mark.size(), size);
    const auto there = fs::file_size(items_path_, ignored);
    if (ignored || there < size)
      return Failure{items_path_.string() + " lacks items that were written: begin again with --replace"};
    return cut(size);
  }

  Done add(std::string_view item) override {
    const std::string line = one_line(item);
    if (line.empty()) return Failure{std::string("an item is not as expected")};
    file_ << line << '\n';
    size_ += line.size() + 1;
    ++added_;
    return {};
  }

  Done flush() override {
    file_.flush();
    if (!file_) return Failure{items_path_.string() + " cannot be written; is the disk full?"};
    transfer_.progress.add(added_);
    added_ = 0;
    return {};
  }

  std::string mark() const override { return std::to_string(size_); }

  Done finish() override {
    std::error_code error;
    if (fs::exists(final_, error)) return {};  // it got its name before the pull was killed
    file_.close();
    DINETTE_CHECK(convert());
    fs::rename(work_ / "files", final_, error);
    return in_words(final_, error);
  }

  void clean_up() override {
    std::error_code ignored;
    fs::remove_all(work_, ignored);
  }

  fs::path progress_path() const override { return work_ / "progress.json"; }

 private:
  Done cut(std::uint64_t size) {
    std::error_code error;
    if (!fs::exists(items_path_, error)) DINETTE_CHECK(write_private_file(items_path_, ""));
    fs::resize_file(items_path_, size, error);
    DINETTE_CHECK(in_words(items_path_, error));
    file_.open(items_path_, std::ios::binary | std::ios::app);
    size_ = size;
    return file_ ? Done() : Failure{items_path_.string() + " cannot be written"};
  }

  Done convert() const {
    const fs::path files = work_ / "files";
    std::error_code error;
    fs::remove_all(files, error);
    const auto writer =
        open_table_files(format_, files, {table_.arn, table_.id, key_names(table_.requests.create_table)},
                         transfer_.clock, transfer_.ids);
    DINETTE_CHECK(writer->begin());
    std::ifstream items(items_path_, std::ios::binary);
    for (std::string line; std::getline(items, line);) DINETTE_CHECK(writer->add(line));
    DINETTE_CHECK(write_definition(files));
    return writer->finish();
  }

  Done write_definition(const fs::path& files) const {
    std::error_code error;
    fs::create_directories(files, error);
    const fs::path path = files / dynamodb::item_files::table_file_name;
    std::ofstream file(path, std::ios::binary);
    file << table_.definition;
    file.close();
    return file ? Done() : Failure{path.string() + " cannot be written"};
  }

  const Transfer& transfer_;
  const PulledTable& table_;
  const OutputFormat format_;
  const fs::path final_;
  const fs::path work_;
  const fs::path items_path_;
  std::ofstream file_;
  std::uint64_t size_ = 0;
  std::uint64_t added_ = 0;
};

}  // namespace

std::unique_ptr<PullDestination> files_destination(const Transfer& transfer, const PulledTable& table,
                                                   const fs::path& folder, OutputFormat format) {
  return std::make_unique<FilesDestination>(transfer, table, folder, format);
}

}  // namespace dinette::app
