#include <map>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"

/// A face unlike any of ours, to show that the store is neutral: a page of a notebook is a row with one key
/// per line, pages are ordered by descending number, an index of words is kept with them, and a diary, which
/// outlives the notebook, records what was done.
namespace dinette::store::neutral_face_test {
namespace {

using Lines = std::map<std::int64_t, std::string>;

class Notebook {
 public:
  Notebook(Store& store, StreamId diary) : store_(store), diary_(diary) {}

  WriteOutcome write_line(const Table& book, std::int64_t page, std::int64_t line, std::string_view text) {
    return change(book, page, [&](const Lines& lines, RowChange& change) {
      const auto old = lines.find(line);
      if (old != lines.end()) unlist(change, page, old->second);
      change.entries.push_back({Area::rows(), line_key(page, line), kv::Value(text)});
      list(change, page, text);
      change.records.push_back({diary_, kv::Value("wrote " + std::string(text))});
      change.count = {old == lines.end() ? 1 : 0, static_cast<std::int64_t>(text.size())};
    });
  }

  WriteOutcome tear_out(const Table& book, std::int64_t page) {
    return change(book, page, [&](const Lines& lines, RowChange& change) {
      change.erased_ranges.push_back({Area::rows(), KeyRange::of_prefix(page_key(page))});
      for (const auto& [line, text] : lines) {
        unlist(change, page, text);
        change.records.push_back({diary_, kv::Value("lost " + text)});
      }
      change.count.rows = -static_cast<std::int64_t>(lines.size());
    });
  }

  /// All lines, pages from the last to the first.
  std::vector<std::pair<std::int64_t, std::string>> read(const Table& book) {
    std::vector<std::pair<std::int64_t, std::string>> result;
    const View view = store_.view().value();
    RowCursor cursor = std::move(view.scan(book, Area::rows(), {}, Direction::forward)).value();
    while (cursor.next().value()) {
      result.emplace_back(TupleReader(cursor.key()).read_int64(Order::descending).value(), cursor.value());
    }
    return result;
  }

  std::vector<std::string> diary() {
    std::vector<std::string> result;
    StreamCursor records = store_.view().value().read_stream(diary_).value();
    while (records.next().value()) result.emplace_back(records.record());
    return result;
  }

  std::vector<std::int64_t> pages_with(const Table& book, std::string_view word) {
    std::string prefix;
    append_bytes(prefix, word);
    std::vector<std::int64_t> result;
    const View view = store_.view().value();
    RowCursor cursor =
        std::move(view.scan(book, Area::of_index(9), KeyRange::of_prefix(prefix), Direction::backward))
            .value();
    while (cursor.next().value()) {
      TupleReader key(cursor.key());
      (void)key.read_bytes();
      result.push_back(key.read_int64().value());
    }
    return result;
  }

 private:
  static std::string page_key(std::int64_t page) {
    std::string key;
    append_int64(key, page, Order::descending);
    return key;
  }
  static std::string line_key(std::int64_t page, std::int64_t line) {
    std::string key = page_key(page);
    append_int64(key, line);
    return key;
  }
  static std::string word_key(std::string_view word, std::int64_t page) {
    std::string key;
    append_bytes(key, word);
    append_int64(key, page);
    return key;
  }
  static void list(RowChange& change, std::int64_t page, std::string_view text) {
    change.entries.push_back({Area::of_index(9), word_key(text, page), kv::Value(""), {1, 0}});
  }
  static void unlist(RowChange& change, std::int64_t page, std::string_view text) {
    change.entries.push_back({Area::of_index(9), word_key(text, page), {}, {-1, 0}});
  }

  template <class Body>
  WriteOutcome change(const Table& book, std::int64_t page, Body body) {
    const std::string key = page_key(page);
    const WriteTarget targets[] = {WriteTarget::row_of_several_keys(book, key)};
    const auto decide = [&](const Rows& rows, RowChanges changes) {
      Lines lines;
      for (const KeyAndValue& line : rows.keys(0)) {
        TupleReader reader(line.key);
        (void)reader.read_int64(Order::descending);
        lines[reader.read_int64().value()] = line.value.view();
      }
      body(lines, changes[0]);
      return true;
    };
    return store_.write(targets, decide).value().outcome;
  }

  Store& store_;
  const StreamId diary_;
};

}  // namespace

TEST_CASE_METHOD(StoreFixture,
                 "a neutral store: rows of several keys, ordered placement, an index of their own") {
  const TablePointer book = make_table("book");
  Notebook notebook(store, store.new_stream().value());
  using Read = std::vector<std::pair<std::int64_t, std::string>>;
  using Pages = std::vector<std::int64_t>;

  CHECK(notebook.write_line(*book, 1, 2, "tea") == WriteOutcome::applied);
  CHECK(notebook.write_line(*book, 1, 1, "milk") == WriteOutcome::applied);
  CHECK(notebook.write_line(*book, -3, 1, "milk") == WriteOutcome::applied);
  CHECK(notebook.write_line(*book, 20, 1, "bread") == WriteOutcome::applied);
  CHECK(notebook.read(*book) == Read{{20, "bread"}, {1, "milk"}, {1, "tea"}, {-3, "milk"}});
  CHECK(notebook.pages_with(*book, "milk") == Pages{1, -3});

  CHECK(notebook.write_line(*book, 1, 1, "cream") == WriteOutcome::applied);
  CHECK(notebook.pages_with(*book, "milk") == Pages{-3});
  CHECK(notebook.pages_with(*book, "cream") == Pages{1});
  CHECK(store.count(*book).value().rows == 4);
  CHECK(store.count(*book, 9).value().rows == 4);

  CHECK(notebook.tear_out(*book, 1) == WriteOutcome::applied);
  CHECK(notebook.read(*book) == Read{{20, "bread"}, {-3, "milk"}});
  CHECK(notebook.pages_with(*book, "tea").empty());
  CHECK(store.count(*book).value().rows == 2);
  CHECK(store.count(*book, 9).value().rows == 2);

  REQUIRE(store.catalog().drop(*book).value());
  CHECK(notebook.write_line(*book, 1, 1, "late") == WriteOutcome::table_changed);
  CHECK(notebook.diary() == std::vector<std::string>{"wrote tea", "wrote milk", "wrote milk", "wrote bread",
                                                     "wrote cream", "lost cream", "lost tea"});
}

}  // namespace dinette::store::neutral_face_test
