#include "dinette/dynamodb/item_files/item_reader.h"

#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <zstd.h>

#include "dinette/base/compression.h"

#include "dynamodb/item_files/contents.h"
#include "dynamodb/item_files/text_object.h"

namespace dinette::dynamodb::item_files::item_reader_test {
namespace {

using Texts = std::vector<std::string>;

/// What a file holds: its items, and how its reading ended.
struct Contents {
  Texts items;
  std::string failure;  ///< with the line
};

Contents contents(const std::string& file, Packing packing = Packing::none,
                  std::size_t part = std::string::npos) {
  test::TextObject object(file, part);
  ItemReader reader(object, packing);
  const test::Contents found = test::contents_of(reader);
  if (found.problems.empty()) return {found.items, ""};
  CHECK(found.ended_early);
  return {found.items, found.problems.front()};
}

std::string gzip(std::string_view text) {
  return base::compress(base::Compression::gzip, text);
}

std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string packed(std::string_view text, Packing packing) {
  if (packing == Packing::none) return std::string(text);
  return packing == Packing::gzip ? gzip(text) : zstd(text);
}

TEST_CASE("items are read as they are, whatever is between them") {
  const std::string file =
      "\n \t{\"Item\":{\"pk\":{\"S\":\"}{\\\"\\\\\"},\"n\":{\"N\":\"1E+2\"}}}\r\n\n"
      "{\"Item\" : {\"a\":{\"M\":{}}} } {\"Item\":{}}{\"x\":1,\"Item\":{\"b\":{\"S\":\"\\u00e9é\"}}}\n";
  const Texts expected{R"({"pk":{"S":"}{\"\\"},"n":{"N":"1E+2"}})", R"({"a":{"M":{}}})", "{}",
                       R"({"b":{"S":"\u00e9é"}})"};
  for (const std::size_t part : {1, 7, 1 << 20}) {
    for (const Packing packing : {Packing::none, Packing::gzip, Packing::zstd}) {
      const auto found = contents(packed(file, packing), packing, part);
      CHECK(found.failure.empty());
      CHECK(found.items == expected);
    }
  }
}

TEST_CASE("an item over several lines comes on one") {
  const auto found = contents("{\n  \"Item\": {\n    \"pk\": {\"S\": \"a b\\n\"}\n  }\n}\n");
  CHECK(found.items == Texts{R"({"pk":{"S":"a b\n"}})"});
}

TEST_CASE("what a bulk operation has next to an item belongs to that item") {
  test::TextObject object(
      R"({"Item":{"a":{"S":"x"}},"ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"1"}}})"
      "\n"
      R"({"Item":{},"x":1}{"ExpressionAttributeNames": {"#a": "\"b"},
          "Item":{}}{"Item":{}})");
  ItemReader reader(object, Packing::none);
  Texts found;
  for (auto item = reader.next(); item && *item; item = reader.next())
    found.push_back(std::string(**item).append(reader.condition()));
  CHECK(
      found ==
      Texts{R"({"a":{"S":"x"}}{"ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"1"}}})",
            "{}", R"({}{"ExpressionAttributeNames":{"#a":"\"b"}})", "{}"});
}

TEST_CASE("an empty file, and one of white space, hold nothing") {
  for (const char* const text : {"", "\n\n", "  \r\n"}) {
    CHECK(contents(text).failure.empty());
    CHECK(contents(gzip(text), Packing::gzip).failure.empty());
    CHECK(contents(zstd(text), Packing::zstd).failure.empty());
  }
}

TEST_CASE("what is not an item is named by its line") {
  const std::string good = "{\"Item\":{}}\n";
  const auto failure = [&](const std::string& bad) {
    const auto found = contents(good + "\n" + bad + "\n" + good);
    CHECK(found.items == Texts{"{}"});
    return found.failure;
  };
  CHECK(failure("garbage") == "3 does not begin with {");
  CHECK(failure(R"(["Item"])") == "3 does not begin with {");
  CHECK(failure(R"({"Item":1})") == "3 has no object in its member Item");
  CHECK(failure(R"({"pk":{"S":"a"}})") == R"(3 has no Item: it must look like {"Item": {"pk": {"S": "a"}}})");
  CHECK(failure(R"({"Keys":{},"NewImage":{}})") ==
        "3 holds a change, as incremental exports do, and not an item; take a full export");
  CHECK(failure(R"({"Item":{"pk":{"S":"a}}})") == "3 has a string that does not end on its line");
  CHECK(failure(R"({"Item":{"pk":{"S":"a"})") == "3 begins an object that the file does not end");
  CHECK(failure(R"({"Item":{"pk":{"S" "a"}}})") ==
        "3 is not JSON (column 22: unexpected string literal; expected ':')");
  CHECK(failure("{\"Item\":{\"pk\":{\"S\":\"\xff\"}}}") ==
        "3 is not JSON (column 21: invalid string: ill-formed UTF-8 byte)");
}

TEST_CASE("a change is its new image, or without one deletes the item of its keys, if changes are wanted") {
  const std::string file =
      R"({"Metadata":{},"Keys":{"k":{"S":"a"}},"NewImage":{"k":{"S":"a"},"n":{"N":"1"}}})"
      "\n"
      R"({"Metadata":{},"Keys":{"k":{"S":"b"}},"OldImage":{"k":{"S":"b"}}})"
      "\n"
      R"({"Item":{"k":{"S":"c"}}})"
      "\n"
      R"({"Keys":[]})"
      "\n";
  test::TextObject object(file, 7);
  ItemReader reader(object, Packing::none, {}, Changes::applied);
  CHECK(reader.next().value() == R"({"k":{"S":"a"},"n":{"N":"1"}})");
  CHECK_FALSE(reader.deletes());
  CHECK(reader.next().value() == R"({"k":{"S":"b"}})");
  CHECK(reader.deletes());
  CHECK(reader.next().value() == R"({"k":{"S":"c"}})");
  CHECK_FALSE(reader.deletes());
  CHECK(reader.next().error().message == "has no object in its member Keys");
}

TEST_CASE("an object that is not JSON is named by the line and the column of its error") {
  CHECK(contents("{\"Item\":{}} {\"Item\" 1}")
            .failure.starts_with("1 is not JSON (column 21: unexpected number"));
  CHECK(contents("{\"Item\":{}}\n  {\"Item\" 1}").failure.starts_with("2 is not JSON (column 11: "));
  CHECK(contents("{\"Item\":\n{\n  \"pk\" 1}}").failure.starts_with("3 is not JSON (column 8: "));
  CHECK(contents("{\"Item\":\n{}} {\n\"Item\" 1}").failure.starts_with("3 is not JSON (column 8: "));
}

TEST_CASE("a brace that is missing in a large file ends the search for it") {
  const std::string line = R"({"Item":{"pk":{"S":")" + std::string(1 << 20, 'x') + "\"}}\n";
  std::string file = "\n";
  for (int i = 0; i < 20; ++i) file += line;
  CHECK(contents(file).failure == "2 begins an object of more than 16 MB; is a brace missing?");
}

TEST_CASE("damaged gzip is named, after the items before it") {
  std::string lines;
  for (int i = 0; i < 20'000; ++i)
    lines += "{\"Item\":{\"pk\":{\"N\":\"" + std::to_string(i * 7919) + "\"}}}\n";
  const std::string file = gzip(lines);
  const auto cut = contents(file.substr(0, file.size() / 2), Packing::gzip);
  CHECK_FALSE(cut.items.empty());
  CHECK(cut.failure.ends_with(" is damaged: it ends in the middle of its gzip data"));
  CHECK(contents(file.substr(0, file.size() - 1), Packing::gzip).failure ==
        "20000 is damaged: it ends in the middle of its gzip data");
  std::string changed = file;
  changed[changed.size() - 6] ^= 1;  // the check sum
  CHECK(contents(changed, Packing::gzip).failure.ends_with(" is damaged: it does not unpack as gzip"));
  CHECK(contents("{\"Item\":{}}\n", Packing::gzip).failure == "1 is damaged: it does not unpack as gzip");
}

TEST_CASE("damaged Zstandard is named") {
  const std::string file = zstd("{\"Item\":{}}\n");
  CHECK(contents(file.substr(0, file.size() - 1), Packing::zstd)
            .failure.ends_with(" is damaged: it ends in the middle of its Zstandard data"));
  CHECK(contents(gzip("{\"Item\":{}}\n"), Packing::zstd).failure ==
        "1 is damaged: it does not unpack as Zstandard");
  CHECK(contents(file, Packing::none).failure == "1 does not begin with {");
}

TEST_CASE("bytes are counted as they are unpacked") {
  const std::string file = "{\"Item\":{}}\n\n{\"Item\":{}}\n\n\n";
  for (const Packing packing : {Packing::none, Packing::gzip, Packing::zstd}) {
    test::TextObject object(packed(file, packing), 5);
    ItemReader reader(object, packing);
    CHECK(reader.bytes_read() == 0);
    CHECK(test::contents_of(reader).items.size() == 2);
    CHECK(reader.bytes_read() == file.size());
  }
}

TEST_CASE("a file whose bytes cannot be read on is not a wrong file if the process is ending") {
  using objects::ErrorKind;
  for (const ErrorKind kind : {ErrorKind::failed, ErrorKind::stopped}) {
    test::TextObject object("{\"Item\":{}}\n{");
    object.error = objects::Error{kind, "no more"};
    ItemReader reader(object, Packing::none);
    REQUIRE(reader.next().ok());
    const auto item = reader.next();
    REQUIRE_FALSE(item.ok());
    CHECK(item.error().message == "cannot be read: no more");
    CHECK(item.error().ends_file);
    CHECK(item.error().stopped == (kind == ErrorKind::stopped));
  }
}

TEST_CASE("no item is read once a stop is requested") {
  for (const Packing packing : {Packing::none, Packing::gzip, Packing::zstd}) {
    test::TextObject object(packed("\n{\"Item\":{}}\n", packing), 1);
    std::stop_source stop;
    ItemReader reader(object, packing, stop.get_token());
    stop.request_stop();
    const auto item = reader.next();
    REQUIRE_FALSE(item.ok());
    CHECK(item.error().stopped);
  }
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::item_reader_test
