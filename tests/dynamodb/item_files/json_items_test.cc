#include "dinette/dynamodb/item_files/json_items.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

#include "dynamodb/item_files/contents.h"
#include "dynamodb/item_files/text_object.h"

namespace dinette::dynamodb::item_files::json_items_test {
namespace {

using Texts = std::vector<std::string>;

/// What a file holds, read in parts of several sizes, and the warnings.
struct Read {
  test::Contents contents;
  Texts warnings;
};

template <class Open>
Read read_all(const std::string& file, Open open, Packing packing = Packing::none) {
  Read first;
  for (const std::size_t part : {std::string::npos, std::size_t{1}}) {
    test::TextObject object(file, part);
    Warnings warnings;
    const auto source = open(object, packing, FileWarnings{warnings, "f"});
    Read found{test::contents_of(*source), warnings.lines()};
    if (part == std::string::npos) {
      first = std::move(found);
    } else {
      CHECK(found.contents.items == first.contents.items);
      CHECK(found.contents.problems == first.contents.problems);
      CHECK(found.warnings == first.warnings);
    }
  }
  return first;
}

Read plain(const std::string& file, Packing packing = Packing::none) {
  return read_all(
      file,
      [](auto& object, Packing how, FileWarnings warnings) {
        return plain_json_items(object, how, warnings);
      },
      packing);
}

Read scan(const std::string& file) {
  return read_all(file, [](auto& object, Packing how, FileWarnings warnings) {
    return scan_page_items(object, how, warnings);
  });
}

Read batch(const std::string& file, const std::string& table = "T") {
  return read_all(file, [&](auto& object, Packing how, FileWarnings warnings) {
    return batch_items(object, how, Batch::write, table, warnings);
  });
}

/// The items of a file in which nothing is wrong or doubtful.
Texts items(const Read& read) {
  CHECK(read.contents.problems.empty());
  CHECK(read.warnings.empty());
  return read.contents.items;
}

std::string problem(const Read& read) {
  REQUIRE(read.contents.problems.size() == 1);
  CHECK(read.contents.ended_early);
  return read.contents.problems[0];
}

TEST_CASE("plain JSON gets the types that it shows, and numbers keep all their digits") {
  CHECK(
      items(plain(R"([{"s": "a\"\u00e9", "n": 12345678901234567890.120, "big": 123456789012345678901234567890,
    "e": -1.5E+3, "t": true, "f": false, "z": null, "l": [1, "x", [], {}], "m": {"a b": {"c": ""}}}])")) ==
      Texts{R"({"s":{"S":"a\"é"},"n":{"N":"12345678901234567890.120"},)"
            R"("big":{"N":"123456789012345678901234567890"},"e":{"N":"-1.5E+3"},"t":{"BOOL":true},)"
            R"("f":{"BOOL":false},"z":{"NULL":true},"l":{"L":[{"N":"1"},{"S":"x"},{"L":[]},{"M":{}}]},)"
            R"("m":{"M":{"a b":{"M":{"c":{"S":""}}}}}})"});
}

TEST_CASE("items are in a list, or follow each other") {
  const Texts expected{R"({"a":{"N":"1"}})", R"({"a":{"N":"2"}})"};
  CHECK(items(plain("[{\"a\":1},{\"a\":2}]")) == expected);
  CHECK(items(plain("\xef\xbb\xbf \n[\r\n{\"a\":1},\r\n{\"a\":2}\r\n]\r\n")) == expected);
  CHECK(items(plain("{\"a\":1}\n{\"a\":2}\n")) == expected);
  CHECK(items(plain("{\n\"a\":\n1}{\"a\":2}")) == expected);
  CHECK(items(plain("[{\"a\":1}]\n[]\n[{\"a\":2}]")) == expected);
  CHECK(items(plain("")).empty());
  CHECK(items(plain("[]")).empty());
}

TEST_CASE("an item of which every attribute is typed is DynamoDB JSON") {
  const std::string all =
      R"({"s":{"S":"a"},"n":{"N":"1.50"},"b":{"B":"AAE="},"ss":{"SS":["a"]},"ns":{"NS":["1","2.50"]},)"
      R"("bs":{"BS":["AAE="]},"m":{"M":{"x":{"L":[{"BOOL":false}]}}},"l":{"L":[]},"y":{"BOOL":true},"z":{"NULL":true}})";
  CHECK(items(plain("[\n" + all + "\n]")) == Texts{all});
  CHECK(items(plain("{}")) == Texts{"{}"});
}

TEST_CASE("a mix is plain, with a warning that counts") {
  const auto mixed = plain(
      "[{\"id\": \"a\",\n\"size\": {\"S\": \"small\"}},\n{\"id\": 1, \"n\": {\"N\": \"1\"}},"
      "{\"id\": \"c\", \"m\": {\"S\": 1}}]");
  CHECK(mixed.contents.items == Texts{R"({"id":{"S":"a"},"size":{"M":{"S":{"S":"small"}}}})",
                                      R"({"id":{"N":"1"},"n":{"M":{"N":{"S":"1"}}}})",
                                      R"({"id":{"S":"c"},"m":{"M":{"S":{"N":"1"}}}})"});
  CHECK(mixed.warnings == Texts{"an item is taken as plain JSON, though some of its attributes look like "
                                "DynamoDB JSON (2 times, first f, line 1 (item 1))"});
}

TEST_CASE("numbers without quotation marks in DynamoDB JSON are taken, with a warning") {
  const auto bare = plain(R"({"id":{"S":"a"},"n":{"N":20260302},"s":{"NS":[1.50,"2"]}})");
  CHECK(bare.contents.items == Texts{R"({"id":{"S":"a"},"n":{"N":"20260302"},"s":{"NS":["1.50","2"]}})"});
  CHECK(bare.warnings.size() == 1);
}

TEST_CASE("the responses of a Scan hold items, wherever the other members are") {
  CHECK(items(scan(R"({"Count": 2, "Items": [{"a": {"N": "1"}}, {"a": {"N": "2"}}], "ScannedCount": 2,
                       "LastEvaluatedKey": {"a": {"N": "2"}}, "ConsumedCapacity": null})"
                   "\n{\"Items\": [{\"a\": {\"N\": \"3\"}}]}\n{\"Items\": []}")) ==
        Texts{R"({"a":{"N":"1"}})", R"({"a":{"N":"2"}})", R"({"a":{"N":"3"}})"});
  CHECK(items(scan(R"([{"Items":[{"a":1}]},{"Items":[{"a":"x"}]}])")) ==
        Texts{R"({"a":{"N":"1"}})", R"({"a":{"S":"x"}})"});
}

TEST_CASE("the requests of one table are taken in their order, deletions among them") {
  const std::string file = R"({"Other": [{"PutRequest": {"Item": {"id": {"S": "no"}}}}],
    "T": [{"PutRequest": {"Item": {"id": {"S": "a"}}}}, {"DeleteRequest": {"Key": {"id": {"S": "a"}}}},
          {"PutRequest": {"Item": {"id": "b", "plays": 1}}}]})";
  for (const std::string& one :
       {file, "{\"RequestItems\": " + file + ", \"ReturnConsumedCapacity\": \"NONE\"}"}) {
    test::TextObject object(one);
    Warnings warnings;
    const auto source = batch_items(object, Packing::none, Batch::write, "T", {warnings, "f"});
    Texts found;
    for (auto item = source->next(); item && *item; item = source->next())
      found.push_back((source->deletes() ? "-" : "+") + std::string(**item));
    CHECK(found ==
          Texts{R"(+{"id":{"S":"a"}})", R"(-{"id":{"S":"a"}})", R"(+{"id":{"S":"b"},"plays":{"N":"1"}})"});
    test::TextObject again(one);
    CHECK(batch_tables(again, Packing::none, Batch::write).value() == Texts{"Other", "T"});
  }
  CHECK(
      items(batch(
          R"([{"T": [{"PutRequest": {"Item": {"a": 1}}}]}, {"T": [{"PutRequest": {"Item": {"a": 2}}}]}])")) ==
      Texts{R"({"a":{"N":"1"}})", R"({"a":{"N":"2"}})"});
  CHECK(items(plain(R"([{"PutRequest": {"Item": {"a": {"S": "x"}}}}])")) == Texts{R"({"a":{"S":"x"}})"});
}

TEST_CASE("the responses of a BatchGetItem hold the items of each table") {
  const std::string file = R"({"ConsumedCapacity": [{"TableName": "T"}], "Responses": {"Other": [],
    "T": [{"id": {"S": "a"}}, {"id": "b", "plays": 1}]}, "UnprocessedKeys": {}})";
  CHECK(items(read_all(file, [](auto& object, Packing how, FileWarnings warnings) {
          return batch_items(object, how, Batch::get, "T", warnings);
        })) == Texts{R"({"id":{"S":"a"}})", R"({"id":{"S":"b"},"plays":{"N":"1"}})"});
  test::TextObject object(file);
  CHECK(batch_tables(object, Packing::none, Batch::get).value() == Texts{"Other", "T"});
}

TEST_CASE("an error in typed items names the line, the member, and what is expected") {
  const auto wrong = [](const std::string& value) {
    return problem(batch(
        "{\"T\": [\n{\"PutRequest\": {\"Item\":\n {\"id\": {\"S\": \"a\"},\n\"v\": " + value + "}}}]}"));
  };
  CHECK(wrong(R"({"S": 1})") ==
        R"(4 has a number without quotation marks in v.S; expected is, for example, {"S": "a"})");
  CHECK(wrong(R"({"N": "x1"})") == R"(4 has 'x1' in v.N; expected is, for example, {"N": "1.5"})");
  CHECK(wrong(R"({"BOOL": "true"})") ==
        R"(4 has a text in v.BOOL; expected is, for example, {"BOOL": true})");
  CHECK(
      wrong(R"({"M": {"x":
    {"L": [{"S": "a"}, 7]}}})") ==
      R"(5 has a number without quotation marks without a type in v.M.x.L[1]; expected is, for example, {"S": "a"})");
  CHECK(
      wrong(R"({"X": "a"})") ==
      R"(4 has 'X' in v, which is no type; expected is one of S, N, B, BOOL, NULL, SS, NS, BS, L and M, for example {"S": "a"})");
  CHECK(wrong(R"({"S": "a", "N": "1"})")
            .starts_with("4 has an object with more than one type in v; expected is"));
  CHECK(wrong("{}").starts_with("4 has an object without a type in v; "));
  CHECK(wrong("5").starts_with("4 has a number without quotation marks without a type in v; "));
}

TEST_CASE("what is no entry of a BatchWriteItem is named") {
  CHECK(problem(batch("{\"T\": [\n{\"Put\": {}}]}"))
            .starts_with("2 is neither a PutRequest nor a DeleteRequest; "));
  CHECK(problem(batch("{\"T\": [{\"PutRequest\": {\"item\": {}}}]}"))
            .starts_with("1 has a PutRequest without its Item; "));
  CHECK(problem(batch("{\"T\": [{\"DeleteRequest\": {\"Item\": {}}}]}"))
            .starts_with("1 has a DeleteRequest without its Key; "));
  CHECK(problem(batch("{\"T\": [7]}")) == R"(1 has '7' where an item must begin, such as {"id": "a"})");
}

TEST_CASE("what is not JSON is named with its line") {
  CHECK(problem(plain("[{\"a\":1}\n{\"a\":2}]")) == "2 has no comma between two items");
  CHECK(problem(plain("[{\"a\":1},\n]")) == R"(2 has ']' where an item must begin, such as {"id": "a"})");
  CHECK(problem(plain("[{\"a\":1},\n7]")) == R"(2 has '7' where an item must begin, such as {"id": "a"})");
  CHECK(problem(plain("[{\"a\":1},\n")) == "2 begins a list that the file does not end");
  CHECK(problem(plain("[{\"a\":1},\n{\"b\":")) == "2 begins a value that the file does not end");
  CHECK(problem(plain("{\"a\":\n\"x")) == "2 begins a value that the file does not end");
  CHECK(problem(plain("{\"a\":\n\"x\n\"}")) == "2 has a string that does not end on its line");
  CHECK(problem(plain("{\"a\":\n01}")).starts_with("2 "));
  CHECK(problem(plain("{\"a\":\ntru}")).starts_with("2 "));
  CHECK(problem(plain("{\"a\" 1}")).starts_with("1 is not JSON ("));
  CHECK(problem(scan("{\"Items\": {}}")).starts_with("1 has no list where one must be"));
  CHECK(problem(scan("{\"Items\" []}")) == "1 has no colon after the name 'Items'");
  CHECK(problem(plain(std::string("[{\"a\":1},\0", 10))) == "1 has a zero byte, which JSON has not");
}

TEST_CASE("items that nest too deep, and endless ones, are refused") {
  std::string deep = "1";
  for (int i = 0; i < 60; ++i) deep = "[" + deep + "]";
  CHECK(problem(plain("{\"a\":" + deep + "}")) == "1 nests deeper than the 32 levels that an item may have");
  for (int i = 0; i < 100'000; ++i) deep = "[" + deep + "]";
  CHECK_FALSE(problem(plain("{\"a\":" + deep + "}")).empty());
  test::TextObject endless("{\"a\":\"" + std::string(17 << 20, 'x'));
  Warnings warnings;
  const auto source = plain_json_items(endless, Packing::none, {warnings, "f"});
  CHECK(test::contents_of(*source).problems ==
        Texts{"1 has a value of more than 16 MB; is a brace missing?"});
}

TEST_CASE("all that may be packed with gzip") {
  CHECK(items(plain(base::compress(base::Compression::gzip, "[{\"a\":1}]"), Packing::gzip)) ==
        Texts{R"({"a":{"N":"1"}})"});
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::json_items_test
