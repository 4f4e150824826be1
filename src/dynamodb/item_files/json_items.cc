#include "dinette/dynamodb/item_files/json_items.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dynamodb/item_files/item_maker.h"
#include "dynamodb/item_files/json_pieces.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

constexpr std::string_view looks_mixed =
    "an item is taken as plain JSON, though some of its attributes look like DynamoDB JSON";
constexpr std::string_view bare_numbers =
    R"(an item has numbers without quotation marks; they are taken as {"N": "1"})";

/// Reads items that are elements of lists. What follows them is up to those that derive from it.
class JsonItems : public ItemSource {
 public:
  JsonItems(objects::ObjectReader& file, Packing packing, ItemForm form, FileWarnings warnings,
            std::stop_token stop)
      : pieces_(file, packing, std::move(stop)), form_(form), warnings_(std::move(warnings)) {}

  ReadResult<std::optional<std::string_view>> next() override {
    mistake_line_.reset();
    auto item = read();
    if (!item) line_ = mistake_line_.value_or(pieces_.line());
    return item;
  }

  bool deletes() const override { return deletes_; }
  std::uint64_t line() const override { return line_; }
  std::string place() const override {
    return ItemSource::place() + (number_ == 0 ? "" : " (item " + std::to_string(number_) + ")");
  }
  std::uint64_t bytes_read() const override { return pieces_.bytes_read(); }

 protected:
  /// What the file is at.
  enum class At { list, item, end };

  /// Moves to the next list of items, or to an item that is in none.
  virtual ReadResult<At> find_items() = 0;

  JsonPieces& pieces() { return pieces_; }

 private:
  /// Moves to the next item. Returns false at the end of the file.
  ReadResult<bool> to_item() {
    for (;;) {
      if (in_list_) {
        DINETTE_TRY(in_list_, next_in_list());
        if (in_list_) return true;
      }
      DINETTE_TRY(const At at, find_items());
      if (at != At::list) return at == At::item;
      DINETTE_CHECK(begin_list());
    }
  }

  /// Begins a list, whose items next_in_list() finds.
  ReadResult<void> begin_list() {
    DINETTE_TRY(in_list_, pieces_.take('['));
    if (!in_list_) return Failure{ReadError(R"(has no list where one must be, such as [{"id": "a"}])")};
    first_in_list_ = true;
    return {};
  }

  /// Returns false at the end of the list.
  ReadResult<bool> next_in_list() {
    DINETTE_TRY(const bool end, pieces_.take(']'));
    if (end) return false;
    if (std::exchange(first_in_list_, false)) return true;
    DINETTE_TRY(const bool comma, pieces_.take(','));
    if (!comma) return Failure{ReadError("has no comma between two items")};
    return true;
  }

  ReadResult<std::optional<std::string_view>> read() {
    DINETTE_TRY(const bool more, to_item());
    if (!more) return std::optional<std::string_view>();
    ++number_;
    DINETTE_CHECK(check_begin());
    line_ = pieces_.line();
    text_.clear();
    DINETTE_CHECK(pieces_.value(text_));
    const auto made = maker_.make(text_, form_, item_);
    if (!made) return mistaken(made.error());
    deletes_ = made->deletes;
    if (made->looks_mixed) warnings_.add(looks_mixed, place());
    if (made->bare_numbers) warnings_.add(bare_numbers, place());
    return std::optional(std::string_view(item_));
  }

  ReadResult<void> check_begin() {
    DINETTE_TRY(const char begin, pieces_.peek());
    if (begin == '{') return {};
    if (begin == '\0') return Failure{ReadError("begins a list that the file does not end")};
    return Failure{
        ReadError(std::string("has '") + begin + R"(' where an item must begin, such as {"id": "a"})")};
  }

  Failure<ReadError> mistaken(const ItemMistake& mistake) {
    const std::string_view before = std::string_view(text_).substr(0, mistake.byte);
    mistake_line_ = line_ + static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
    return {ReadError(mistake.message)};
  }

  JsonPieces pieces_;
  const ItemForm form_;
  const FileWarnings warnings_;
  ItemMaker maker_;
  bool in_list_ = false;
  bool first_in_list_ = false;
  bool deletes_ = false;
  std::string text_;
  std::string item_;
  std::uint64_t line_ = 1;
  std::uint64_t number_ = 0;  ///< of the item in the file, from 1
  std::optional<std::uint64_t> mistake_line_;
};

class PlainJsonItems final : public JsonItems {
 public:
  using JsonItems::JsonItems;

 private:
  ReadResult<At> find_items() override {
    DINETTE_TRY(const char begin, pieces().peek());
    if (begin == '[') return At::list;
    return begin == '\0' ? At::end : At::item;
  }
};

/// Takes the members of objects that follow each other in a file, also if they are elements of a list.
class ObjectMembers {
 public:
  explicit ObjectMembers(JsonPieces& pieces) : pieces_(pieces) {}

  /// Returns the name of the next member of the object, or of the first one of the next object; its value
  /// must be taken. Returns nothing at the end of the file.
  ReadResult<std::optional<std::string>> next() {
    for (;;) {
      if (depth_ == 0) {
        DINETTE_CHECK(skip_list_marks());
        DINETTE_TRY(const char begin, pieces_.peek());
        if (begin == '\0') return std::optional<std::string>();
        DINETTE_CHECK(enter());
      }
      DINETTE_TRY(const bool end, pieces_.take('}'));
      if (!end) break;
      --depth_;
      first_ = false;
    }
    if (!std::exchange(first_, false)) {
      DINETTE_TRY(const bool comma, pieces_.take(','));
      if (!comma) return Failure{ReadError("has no comma between two members")};
    }
    DINETTE_TRY(std::string name, pieces_.name());
    return std::optional(std::move(name));
  }

  /// Goes on with the members of an object that is the value of the last member.
  ReadResult<void> enter() {
    DINETTE_TRY(const bool begins, pieces_.take('{'));
    if (!begins) return Failure{ReadError("does not begin with {")};
    ++depth_;
    first_ = true;
    return {};
  }

  std::size_t depth() const { return depth_; }

 private:
  /// Skips what is between the objects of a list.
  ReadResult<void> skip_list_marks() {
    for (bool skipped = true; skipped;) {
      DINETTE_TRY(const bool begin, pieces_.take('['));
      DINETTE_TRY(const bool comma, pieces_.take(','));
      DINETTE_TRY(const bool end, pieces_.take(']'));
      skipped = begin || comma || end;
    }
    return {};
  }

  JsonPieces& pieces_;
  std::size_t depth_ = 0;
  bool first_ = false;
};

class ScanPageItems final : public JsonItems {
 public:
  ScanPageItems(objects::ObjectReader& file, Packing packing, FileWarnings warnings, std::stop_token stop)
      : JsonItems(file, packing, ItemForm::typed_or_plain, std::move(warnings), std::move(stop)) {}

 private:
  ReadResult<At> find_items() override {
    for (;;) {
      DINETTE_TRY(const auto name, members_.next());
      if (!name) return At::end;
      if (*name == "Items") return At::list;
      DINETTE_CHECK(pieces().skip_value());
    }
  }

  ObjectMembers members_{pieces()};
};

/// Finds the lists of a batch.
class BatchLists {
 public:
  BatchLists(JsonPieces& pieces, Batch batch) : pieces_(pieces), members_(pieces), batch_(batch) {}

  /// Returns the table of the next list, at which the file then is; nothing at the end of the file.
  ReadResult<std::optional<std::string>> next() {
    for (;;) {
      DINETTE_TRY(auto name, members_.next());
      if (!name) return name;
      DINETTE_TRY(const char begin, pieces_.peek());
      const bool in_whole = members_.depth() == 1;
      if (begin == '[' && !(in_whole && batch_ == Batch::get)) return name;
      if (begin == '{' && in_whole && *name == (batch_ == Batch::get ? "Responses" : "RequestItems")) {
        DINETTE_CHECK(members_.enter());
      } else {
        DINETTE_CHECK(pieces_.skip_value());
      }
    }
  }

 private:
  JsonPieces& pieces_;
  ObjectMembers members_;
  const Batch batch_;
};

class BatchItems final : public JsonItems {
 public:
  BatchItems(objects::ObjectReader& file, Packing packing, Batch batch, std::string table,
             FileWarnings warnings, std::stop_token stop)
      : JsonItems(file, packing, batch == Batch::get ? ItemForm::typed_or_plain : ItemForm::entry,
                  std::move(warnings), std::move(stop)),
        table_(std::move(table)),
        lists_(pieces(), batch) {}

 private:
  ReadResult<At> find_items() override {
    for (;;) {
      DINETTE_TRY(const auto table, lists_.next());
      if (!table) return At::end;
      if (*table == table_) return At::list;
      DINETTE_CHECK(pieces().skip_value());
    }
  }

  const std::string table_;
  BatchLists lists_;
};

}  // namespace

std::unique_ptr<ItemSource> plain_json_items(objects::ObjectReader& file, Packing packing,
                                             FileWarnings warnings, std::stop_token stop) {
  return std::make_unique<PlainJsonItems>(file, packing, ItemForm::plain_or_typed, std::move(warnings),
                                          std::move(stop));
}

std::unique_ptr<ItemSource> scan_page_items(objects::ObjectReader& file, Packing packing,
                                            FileWarnings warnings, std::stop_token stop) {
  return std::make_unique<ScanPageItems>(file, packing, std::move(warnings), std::move(stop));
}

std::unique_ptr<ItemSource> batch_items(objects::ObjectReader& file, Packing packing, Batch batch,
                                        std::string table, FileWarnings warnings, std::stop_token stop) {
  return std::make_unique<BatchItems>(file, packing, batch, std::move(table), std::move(warnings),
                                      std::move(stop));
}

Outcome<std::vector<std::string>> batch_tables(objects::ObjectReader& file, Packing packing, Batch batch) {
  const auto pieces = std::make_unique<JsonPieces>(file, packing, std::stop_token());
  BatchLists lists(*pieces, batch);
  std::vector<std::string> tables;
  const auto read = [&]() -> ReadResult<void> {
    for (;;) {
      DINETTE_TRY(const auto table, lists.next());
      if (!table) return {};
      if (std::ranges::find(tables, *table) == tables.end()) tables.push_back(*table);
      DINETTE_CHECK(pieces->skip_value());
    }
  };
  const auto done = read();
  if (!done) return Failure{"line " + std::to_string(pieces->line()) + " " + done.error().message};
  return tables;
}

ItemText::ItemText() : maker_(std::make_unique<ItemMaker>()) {}
ItemText::~ItemText() = default;

Outcome<std::string_view> ItemText::read(std::string_view text, const FileWarnings& warnings,
                                         std::string_view place) {
  text_ = text;
  const auto made = maker_->make(text_, ItemForm::typed_or_plain, item_);
  if (!made) return Failure{made.error().message};
  if (made->bare_numbers) warnings.add(bare_numbers, place);
  return std::string_view(item_);
}

}  // namespace dinette::dynamodb::item_files
