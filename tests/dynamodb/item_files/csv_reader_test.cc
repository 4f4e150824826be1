#include "dinette/dynamodb/item_files/csv_reader.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/base/compression.h"

#include "dynamodb/item_files/contents.h"
#include "dynamodb/item_files/text_object.h"

namespace dinette::dynamodb::item_files::csv_reader_test {
namespace {

using Texts = std::vector<std::string>;

test::Contents contents(const std::string& file, const CsvOptions& options = {},
                        std::size_t part = std::string::npos) {
  test::TextObject object(file, part);
  CsvReader reader(object, Packing::none, options);
  return test::contents_of(reader);
}

/// The items of a file in which nothing is wrong.
Texts items(const std::string& file, const CsvOptions& options = {}) {
  const auto found = contents(file, options);
  CHECK(found.problems.empty());
  return found.items;
}

TEST_CASE("a row is an item, a column an attribute, an empty cell nothing") {
  CHECK(items("pk,a,Pk\n1,x,y\n2,,z\n3,\"\",\n") == Texts{R"({"pk":{"S":"1"},"a":{"S":"x"},"Pk":{"S":"y"}})",
                                                          R"({"pk":{"S":"2"},"Pk":{"S":"z"}})",
                                                          R"({"pk":{"S":"3"}})"});
  CHECK(items("pk,a\n,\n") == Texts{"{}"});
}

TEST_CASE("attributes that are keys have their types, whichever text they have") {
  const CsvOptions options{.types = {{"n", 'N'}, {"b", 'B'}, {"s", 'S'}}};
  CHECK(items("n,b,s,other\n12,YWI=,5,7\nx,?,,\n", options) ==
        Texts{R"({"n":{"N":"12"},"b":{"B":"YWI="},"s":{"S":"5"},"other":{"S":"7"}})",
              R"({"n":{"N":"x"},"b":{"B":"?"}})"});
}

TEST_CASE("cells may be quoted") {
  CHECK(items("pk,a\n\"1\",\"x, \"\"y\"\"\"\n\"2\",\"two\r\nlines\"\n3,5\" disk\n") ==
        Texts{R"({"pk":{"S":"1"},"a":{"S":"x, \"y\""}})", R"({"pk":{"S":"2"},"a":{"S":"two\r\nlines"}})",
              R"({"pk":{"S":"3"},"a":{"S":"5\" disk"}})"});
  CHECK(items("\"p,k\"\n1\n") == Texts{R"({"p,k":{"S":"1"}})"});
}

TEST_CASE("lines end with LF or CRLF, the last one also with the file") {
  const Texts expected{R"({"pk":{"S":"1"},"a":{"S":"x"}})", R"({"pk":{"S":"2"},"a":{"S":" y "}})"};
  CHECK(items("pk,a\n1,x\n2, y ") == expected);
  CHECK(items("pk,a\r\n1,\"x\"\r\n2, y \r\n") == expected);
}

TEST_CASE("empty and white lines are not rows") {
  CHECK(items("").empty());
  CHECK(items(" \n\n").empty());
  CHECK(items("\n \r\npk\n\n\t\n1\n \n\n2\n\r\n") == Texts{R"({"pk":{"S":"1"}})", R"({"pk":{"S":"2"}})"});
  CHECK(items("pk\ta\n\t\n1\tx\n", {.delimiter = '\t'}) == Texts{R"({"pk":{"S":"1"},"a":{"S":"x"}})"});
}

TEST_CASE("every delimiter separates, and the others are text") {
  const std::string delimiters = ",:;|\t ";
  for (const char delimiter : delimiters) {
    std::string others = delimiters;
    std::erase(others, delimiter);
    const std::string d(1, delimiter);
    const auto json = nlohmann::json{{"pk", {{"S", "1"}}}, {"a", {{"S", others}}}};
    const auto found = items("pk" + d + "a\n1" + d + others + "\n", {.delimiter = delimiter});
    REQUIRE(found.size() == 1);
    CHECK(nlohmann::json::parse(found[0]) == json);
  }
}

TEST_CASE("with a list of names the first line is a row like others") {
  CHECK(items("pk,a\n1,x\n", {.header = {"id", "b"}}) ==
        Texts{R"({"id":{"S":"pk"},"b":{"S":"a"}})", R"({"id":{"S":"1"},"b":{"S":"x"}})"});
}

TEST_CASE("the mark with which spreadsheets begin is not part of the first name") {
  CHECK(items("\xef\xbb\xbfpk\n1\n") == Texts{R"({"pk":{"S":"1"}})"});
  CHECK(items("\xef\xbb\xbf\"pk\"\n1\n") == Texts{R"({"pk":{"S":"1"}})"});
  CHECK(items("\xef\xbb\xbf"
              "1\n",
              {.header = {"pk"}}) == Texts{R"({"pk":{"S":"1"}})"});
  CHECK(items("\xef\xbb\xbf").empty());
}

TEST_CASE("a row that cannot be an item costs only itself") {
  const auto found = contents("pk,a\n1,x\n2\n3,x,y\n\"4\"4,x\n5,\xff\n\n6,z\n");
  CHECK(found.items == Texts{R"({"pk":{"S":"1"},"a":{"S":"x"}})", R"({"pk":{"S":"6"},"a":{"S":"z"}})"});
  CHECK(found.problems == Texts{"3 has 1 cell, but the header has 2 columns",
                                "4 has 3 cells, but the header has 2 columns",
                                "5 has text after a quoted cell", "6 is not UTF-8"});
  CHECK_FALSE(found.ended_early);
}

CsvOptions with_cells(CsvCells cells = {}) {
  return {.types = {{"id", 'S'}, {"day", 'N'}}, .needed = {"id"}, .cells = std::move(cells)};
}

TEST_CASE("for a command, empty cells are texts, but not those of keys of indexes") {
  CHECK(items("id,day,label\nh1,20260302,\nh2,,x\n", with_cells()) ==
        Texts{R"({"id":{"S":"h1"},"day":{"N":"20260302"},"label":{"S":""}})",
              R"({"id":{"S":"h2"},"label":{"S":"x"}})"});
  const auto found = contents("id,day\n,1\nh2,x\nh3,3\n", with_cells());
  CHECK(found.problems == Texts{"2 has an empty cell in the column 'id', which is a key of the table",
                                "3 has 'x' in the column 'day'; expected is a number such as 1.5"});
  CHECK(found.items == Texts{R"({"id":{"S":"h3"},"day":{"N":"3"}})"});
}

TEST_CASE("columns have the types that are given, and others are guessed only if asked for") {
  const std::string file = "id,n,yes,raw,code,price\nh1,1e3,true,AAE=,007,1.50\n";
  const CsvCells given{
      .types = {{"n", CellType::number}, {"yes", CellType::boolean}, {"raw", CellType::binary}}};
  CHECK(
      items(file, with_cells(given)) ==
      Texts{
          R"({"id":{"S":"h1"},"n":{"N":"1e3"},"yes":{"BOOL":true},"raw":{"B":"AAE="},"code":{"S":"007"},"price":{"S":"1.50"}})"});
  CHECK(
      items(file, with_cells({.others = CellType::inferred})) ==
      Texts{
          R"({"id":{"S":"h1"},"n":{"N":"1e3"},"yes":{"BOOL":true},"raw":{"S":"AAE="},"code":{"S":"007"},"price":{"N":"1.50"}})"});
  CHECK(items("id,n,yes,raw\nh1,,,\n", with_cells(given)) == Texts{R"({"id":{"S":"h1"}})"});
}

TEST_CASE("a type for a column that is not there, and a cell of another type, are named") {
  CHECK(contents("id\nh1\n", with_cells({.types = {{"gone", CellType::number}}})).problems ==
        Texts{"1 has a header without the column 'gone', for which a type is given"});
  CHECK(contents("id,b\nh1,yes\n", with_cells({.types = {{"b", CellType::boolean}}})).problems ==
        Texts{"2 has 'yes' in the column 'b'; expected is true or false"});
}

TEST_CASE("the delimiter is the one by which the first line has the keys and most columns") {
  const auto delimiter = [](const std::string& file, const Texts& needed = {"id"}) {
    test::TextObject object(file);
    return csv_delimiter(object, Packing::none, needed).value();
  };
  CHECK(delimiter("id,a,b\n") == ',');
  CHECK(delimiter("id;a, b;c\n1;2;3\n") == ';');
  CHECK(delimiter("\xef\xbb\xbfid\ta\tb") == '\t');
  CHECK(delimiter("\n\"id\"|\"a,b\"\n") == '|');
  CHECK(delimiter("full name,id\n") == ',');
  CHECK(delimiter("id\n1,2;3\n") == ',');
  CHECK(delimiter("") == ',');
}

TEST_CASE("two cells with half of a character each are not UTF-8, though joined they would be") {
  CHECK(contents("pk,a\n1\xda,\xa5\n").problems == Texts{"2 is not UTF-8"});
}

TEST_CASE("a header that cannot be used ends the file") {
  const auto problem = [](const std::string& header, const CsvOptions& options = {}) {
    const auto found = contents("\n" + header + "\n1,2\n", options);
    CHECK(found.ended_early);
    CHECK(found.items.empty());
    REQUIRE(found.problems.size() == 1);
    return found.problems[0];
  };
  CHECK(problem("pk,") == "2 has a header with a column without a name");
  CHECK(problem("pk,pk") == "2 has a header that names the column 'pk' more than once");
  CHECK(problem("Pk,a", {.needed = {"a", "pk"}}) == "2 has a header without the key 'pk'");
  CHECK(problem("\"pk\"x,a") == "2 has text after a quoted cell of the header");
  CHECK(problem("pk,\xff") == "2 has a header that is not UTF-8");
  CHECK(problem("pk\xda,\xa5") == "2 has a header that is not UTF-8");
  CHECK(problem("a", {.header = {"x"}, .needed = {"a"}}) == "1 has a header without the key 'a'");
}

TEST_CASE("the mark of spreadsheets is known however few bytes are read at once") {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::size_t part : {1, 2, 3}) {
    CHECK(contents(mark + "pk\n1\n", {}, part).items == Texts{R"({"pk":{"S":"1"}})"});
    CHECK(contents(mark + "1\n", {.header = {"pk"}}, part).items == Texts{R"({"pk":{"S":"1"}})"});
    CHECK(contents(mark, {}, part).items.empty());
    CHECK(contents("p\n", {}, part).items.empty());
  }
}

TEST_CASE("a quotation mark that is never closed ends the file") {
  const auto found = contents("pk,a\n1,x\n2,\"y\n3,z\n");
  CHECK(found.items.size() == 1);
  CHECK(found.problems == Texts{"3 has a quoted cell that the file does not end"});
  CHECK(found.ended_early);
  const auto large = contents("pk\n\"" + std::string(17 << 20, 'x'));
  CHECK(large.problems == Texts{"2 begins a row of more than 16 MB; is a quotation mark missing?"});
  CHECK(large.ended_early);
}

TEST_CASE("a damaged file is named") {
  test::TextObject object("pk\nwhat gzip would not write\n");
  CsvReader reader(object, Packing::gzip, {});
  CHECK(test::contents_of(reader).problems == Texts{"1 is damaged: it does not unpack as gzip"});
}

/// A cell as RFC 4180 has it: quoted where it has to be, and sometimes where it need not.
std::string cell_text(const std::string& text, bool quoted) {
  if (!quoted && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

TEST_CASE("tables written as CSV are read as they were, in parts of any size, packed or not") {
  const Texts words{"",           "x",          " y ",      "a,b", "\"", "\"\"",
                    "line\nline", "cr\rlf\r\n", "\xc3\xa9", "{}",  "\\", "\t"};
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t limit) { return random() % limit; };
    const std::string end = below(2) == 0 ? "\n" : "\r\n";
    std::string file = "pk,a,\"b,c\"" + end;
    nlohmann::json expected = nlohmann::json::array();
    for (std::size_t i = 0, rows = below(6); i < rows; ++i) {
      nlohmann::json item{{"pk", {{"N", std::to_string(i)}}}};
      file += std::to_string(i);
      for (const char* const name : {"a", "b,c"}) {
        const std::string& word = words[below(words.size())];
        if (!word.empty()) item[name] = {{"S", word}};
        file += "," + cell_text(word, below(2) == 0);
      }
      file += end;
      expected.push_back(std::move(item));
    }
    INFO(seed << ": " << file);
    const bool packed = below(2) == 0;
    test::TextObject object(packed ? base::compress(base::Compression::gzip, file) : file, 1 + below(9));
    CsvReader reader(object, packed ? Packing::gzip : Packing::none, {.types = {{"pk", 'N'}}});
    const auto found = test::contents_of(reader);
    CHECK(found.problems.empty());
    CHECK(reader.bytes_read() == file.size());
    nlohmann::json read = nlohmann::json::array();
    for (const std::string& item : found.items) read.push_back(nlohmann::json::parse(item));
    CHECK(read == expected);
  }
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::csv_reader_test
