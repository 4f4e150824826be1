#include "dinette/dynamodb/item_files/ion_reader.h"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/base/base64.h"
#include "dinette/base/compression.h"

#include "dynamodb/item_files/contents.h"
#include "dynamodb/item_files/text_object.h"

/// Ion's text form is specified at amazon-ion.github.io/ion-docs/docs/spec.html.
namespace dinette::dynamodb::item_files::ion_reader_test {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

::test::Contents contents(const std::string& file, std::size_t part = std::string::npos) {
  ::test::TextObject object(file, part);
  IonReader reader(object, Packing::none);
  return ::test::contents_of(reader);
}

/// The items of a file in which nothing is wrong, whatever the sizes of its parts.
Texts items(const std::string& file) {
  const auto found = contents(file);
  CHECK(found.problems == Texts());
  CHECK(contents(file, 1).items == found.items);
  return found.items;
}

/// A value of an item, which the attribute `a` has.
std::string value(const std::string& ion) {
  INFO(ion);
  const auto found = items("{Item:{a:" + ion + "}}");
  REQUIRE(found.size() == 1);
  const Json item = Json::parse(found[0]);
  REQUIRE(item.size() == 1);
  return item["a"].dump();
}

std::string typed(const char* type, const Json& json) {
  return Json{{type, json}}.dump();
}

TEST_CASE("the example of an export is read") {
  CHECK(items("$ion_1_0 {Item:{Authors:$dynamodb_SS::[\"Author1\",\"Author2\"],ISBN:\"333-3333333333\","
              "Id:103.,InPublication:false,PageCount:6d2,Price:2d3}}\n") ==
        Texts{R"({"Authors":{"SS":["Author1","Author2"]},"ISBN":{"S":"333-3333333333"},"Id":{"N":"103"},)"
              R"("InPublication":{"BOOL":false},"PageCount":{"N":"6E2"},"Price":{"N":"2E3"}})"});
}

TEST_CASE("a Record is its new image, or without one deletes the item of its keys, if changes are wanted") {
  ::test::TextObject object(
      "$ion_1_0 {Record:{Keys:{k:\"a\"},Metadata:{WriteTimestampMicros:1.},NewImage:{k:\"a\",n:1.}}}\n"
      "$ion_1_0 {Record:{OldImage:{k:\"b\",n:1.},Keys:{k:\"b\"},Metadata:{}}}\n"
      "$ion_1_0 {Item:{k:\"c\"}}\n$ion_1_0 {Record:{Metadata:{}}}\n",
      7);
  IonReader reader(object, Packing::none, {}, Changes::applied);
  CHECK(reader.next().value() == R"({"k":{"S":"a"},"n":{"N":"1"}})");
  CHECK_FALSE(reader.deletes());
  CHECK(reader.next().value() == R"({"k":{"S":"b"}})");
  CHECK(reader.deletes());
  CHECK(reader.next().value() == R"({"k":{"S":"c"}})");
  CHECK_FALSE(reader.deletes());
  CHECK(reader.next().error().message == "holds a change without Keys");
}

TEST_CASE("structs follow each other, whatever is between them") {
  const Texts expected{R"({"a":{"S":"1"}})", "{}", R"({"b":{"S":"2"}})"};
  CHECK(items("$ion_1_0 {Item:{a:\"1\"}}\n$ion_1_0 {Item:{}}\n$ion_1_0 {Item:{b:\"2\"}}\n") == expected);
  CHECK(items("{Item:{a:\"1\"}}{Item:{}}{Item:{b:\"2\"}}") == expected);
  CHECK(items("// don't {\n{/*}*/Item : {\n  a: \"1\", // '''\n},}/* { */ note::{Item:{}}\r\n\r\n"
              "$ion_symbol_table::{symbols:[\"x\"]}\n{Other:[1,{}],'Item':{\"b\":\"2\"}} // {\n") ==
        expected);
}

TEST_CASE("Ion: what a bulk operation has next to an item belongs to that item") {
  ::test::TextObject object(R"ion(
      {ConditionExpression: "#a > :a", Item: {a: 1}, ExpressionAttributeNames: {'#a': "a"},
       ExpressionAttributeValues: {":a": 2d1, ':l': [true]}} {Item: {}}
      {Item: {}, ConditionExpression: 7, ExpressionAttributeNames: null, ExpressionAttributeValues: [1]})ion");
  IonReader reader(object, Packing::none);
  Texts found;
  for (auto item = reader.next(); item && *item; item = reader.next())
    found.push_back(std::string(**item).append(reader.condition()));
  CHECK(found ==
        Texts{R"({"a":{"N":"1"}}{"ConditionExpression":"#a > :a","ExpressionAttributeNames":{"#a":"a"},)"
              R"("ExpressionAttributeValues":{":a":{"N":"2E1"},":l":{"L":[{"BOOL":true}]}}})",
              "{}",
              R"({}{"ConditionExpression":{"N":"7"},"ExpressionAttributeNames":{"NULL":true},)"
              R"("ExpressionAttributeValues":{"L":[{"N":"1"}]}})"});
}

TEST_CASE("a file without structs holds nothing") {
  for (const char* const text : {"", "\n \n", "$ion_1_0", "$ion_1_0\n$ion_1_0 /* {} */ // {}"})
    CHECK(items(text).empty());
}

TEST_CASE("numbers of all kinds are numbers") {
  const std::vector<std::pair<const char*, const char*>> numbers{
      {"0", "0"},
      {"-12", "-12"},
      {"1_000", "1000"},
      {"103.", "103"},
      {"6d2", "6E2"},
      {"-1.50D-3", "-1.50E-3"},
      {"6e0", "6E0"},
      {"1_0.2_5E+2", "10.25E+2"},
      {"0x1F", "31"},
      {"-0XfF_ff", "-65535"},
      {"0b1_01", "5"},
      {"-0.", "-0"},
      {"0.001", "0.001"},
      {"-0d0", "-0E0"},
      {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
      {"0xffffffffffffffffffffffffffffffff", "340282366920938463463374607431768211455"},
  };
  for (const auto& [ion, text] : numbers) CHECK(value(ion) == typed("N", text));
}

TEST_CASE("text has escapes, and long text has lines") {
  CHECK(value(R"("")") == typed("S", ""));
  CHECK(value(R"("\"\\\/\'\?\n\t\a\b\f\r\v\0")") == typed("S", std::string("\"\\/'?\n\t\a\b\f\r\v\0", 13)));
  CHECK(value(R"("\x41\u00e9\U0001F600\ud83d\ude00é")") == typed("S", "A\u00e9\U0001F600\U0001F600é"));
  CHECK(value("\"one\\\nline\"") == typed("S", "oneline"));
  CHECK(value("'''one''' /* and */ '''\r\ntwo'' }\n'''") == typed("S", "one\ntwo'' }\n"));
  CHECK(value("''''''") == typed("S", ""));
}

TEST_CASE("symbols are text, too") {
  CHECK(value("red") == typed("S", "red"));
  CHECK(value("'{it\\'s}'") == typed("S", "{it's}"));
  CHECK(value("$") == typed("S", "$"));
}

TEST_CASE("booleans, nulls, blobs, lists and structs have their types") {
  CHECK(value("true") == typed("BOOL", true));
  CHECK(value("null") == typed("NULL", true));
  CHECK(value("null.string") == typed("NULL", true));
  CHECK(value("{{ YW\n Jj }}") == typed("B", "YWJj"));
  CHECK(value("{{}}") == typed("B", ""));
  CHECK(value("{{ab//cd==}}") == typed("B", "ab//cd=="));
  CHECK(value("[]") == typed("L", Json::array()));
  CHECK(value("[1, [\"x\",],]") == R"({"L":[{"N":"1"},{"L":[{"S":"x"}]}]})");
  CHECK(value("{}") == typed("M", Json::object()));
  CHECK(value("{'':{\"a\\\"\":1}, b_$1:2,}") == R"({"M":{"":{"M":{"a\"":{"N":"1"}}},"b_$1":{"N":"2"}}})");
}

TEST_CASE("sets are lists with an annotation; other annotations mean nothing") {
  CHECK(value("$dynamodb_SS::[\"b\",'''a''']") == typed("SS", {"b", "a"}));
  CHECK(value("$dynamodb_NS :: [1., 2d3]") == typed("NS", {"1", "2E3"}));
  CHECK(value("'$dynamodb_BS'::[{{YQ==}}]") == typed("BS", Json::array({"YQ=="})));
  CHECK(value("meters::'very long'::1.") == typed("N", "1"));
}

TEST_CASE("a value that has no type costs its item") {
  const auto problem = [](const std::string& ion) {
    const auto found = contents("{Item:{}}\n\n$ion_1_0 {Item:{a:" + ion + "}}\n{Item:{}}");
    INFO(ion);
    CHECK(found.items == Texts{"{}", "{}"});
    CHECK_FALSE(found.ended_early);
    REQUIRE(found.problems.size() == 1);
    return found.problems[0];
  };
  const std::string no_type = ", which no DynamoDB type is for";
  CHECK(problem("2007-02-23T12:14:33.079-08:00") == "3 has a timestamp" + no_type);
  CHECK(problem("2007T") == "3 has a timestamp" + no_type);
  CHECK(problem("(+ 1 {})") == "3 has an S-expression" + no_type);
  CHECK(problem("{{\"}} clob {\"}}") == "3 has a clob" + no_type);
  for (const char* const number : {"nan", "+inf", "-inf"})
    CHECK(problem(number) == "3 has a float that is no number" + no_type);
  CHECK(problem("$10") == "3 has a value that is only the number of a symbol");
  CHECK(problem("{$10:1}") == "3 has a name that is only the number of a symbol");
  CHECK(problem("$dynamodb_LS::[1]") == "3 has the annotation '$dynamodb_LS', which is unknown");
  CHECK(problem("$dynamodb_SS::\"a\"") == "3 has a set that is no list");
  CHECK(problem("$dynamodb_SS::[\"a\",1]") == "3 has a set with an element of another type");
  CHECK(problem("$dynamodb_NS::[null]") == "3 has a set with an element of another type");
}

TEST_CASE("nesting ends with the item, not the stack") {
  const auto lists = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  const auto structs = [](std::size_t depth) {
    std::string text = "1";
    for (std::size_t i = 0; i < depth; ++i) text = "{a:" + text + "}";
    return text;
  };
  CHECK(value(lists(100)).size() > 100);
  CHECK(value(structs(100)).size() > 100);
  for (const std::string& deep : {lists(102), lists(1'000'000), structs(102), structs(1'000)}) {
    const auto found = contents("{Item:{a:" + deep + "}}{Item:{}}");
    CHECK(found.problems == Texts{"1 is nested too deeply"});
    CHECK(found.items == Texts{"{}"});
  }
}

TEST_CASE("what is not Ion ends the file") {
  const auto problem = [](const std::string& bad) {
    const auto found = contents("{Item:{}}\n" + bad + "\n{Item:{}}\n");
    INFO(bad);
    CHECK(found.items == Texts{"{}"});
    CHECK(found.ended_early);
    REQUIRE(found.problems.size() == 1);
    return found.problems[0];
  };
  CHECK(problem("garbage") == "2 is not Ion (it does not begin with {)");
  CHECK(problem("[{Item:{}}]") == "2 is not Ion (it does not begin with {)");
  CHECK(problem("$ion_1_1 {Item:{}}") == "2 is not Ion (it does not begin with {)");
  CHECK(problem("}{Item:{}}") == "2 is not Ion (it does not begin with {)");
  CHECK(problem("/* {Item:{}}") == "2 is not Ion (it does not begin with {)");
  CHECK(problem("{Item:{a 1}}") == "2 is not Ion (a field has no colon)");
  CHECK(problem("{Item:{1:1}}") == "2 is not Ion (a field has no name)");
  CHECK(problem("{Item:{a:}}") == "2 is not Ion (a value is missing)");
  CHECK(problem("{Item:{a:1 b:2}}") == "2 is not Ion (a comma or } is missing)");
  CHECK(problem("{Item:{a:[1;]}}") == "2 is not Ion ('1;' is no number)");
  CHECK(problem("{Item:{a:[1}}") == "2 is not Ion (a comma or ] is missing)");
  CHECK(problem("{Item:{a:\"x\n\"}}") == "2 is not Ion (a text does not end on its line)");
  CHECK(problem("{Item:{a:\"\\q\"}}") == "2 is not Ion (an escape is unknown)");
  CHECK(problem("{Item:{a:\"\\x4\"}}") == "2 is not Ion (an escape has too few digits)");
  CHECK(problem("{Item:{a:\"\\ud83d\"}}") == "2 is not Ion (an escape is half a character)");
  CHECK(problem("{Item:{a:\"\\ude00\"}}") == "2 is not Ion (an escape is half a character)");
  CHECK(problem("{Item:{a:\"\\U00110000\"}}") == "2 is not Ion (an escape is no character)");
  for (const char* const number :
       {"01", "1__0", "1_", "--1", "1e", "0x", "0xg", "0b2", "1.2.3", "+1", "-", "1a"})
    CHECK(problem("{Item:{a:" + std::string(number) + "}}") ==
          "2 is not Ion ('" + std::string(number) + "' is no number)");
  CHECK(problem("{Item:{a:\"\xff\"}}") == "2 is not UTF-8");
}

TEST_CASE("a struct without an item ends the file") {
  const auto problem = [](const std::string& bad) {
    const auto found = contents("\n\n" + bad + "\n{Item:{}}\n");
    CHECK(found.items.empty());
    CHECK(found.ended_early);
    REQUIRE(found.problems.size() == 1);
    return found.problems[0];
  };
  CHECK(problem("{pk:\"a\"}") == R"(3 has no Item: it must look like {Item: {pk: "a"}})");
  CHECK(problem("{Item:[1]}") == "3 has an Item that is no struct");
  CHECK(problem("{Item:{{YQ==}}}") == "3 has an Item that is no struct");
  CHECK(problem("$ion_1_0 {Record:{Keys:{}}}") ==
        "3 holds a change, as incremental exports do, and not an item; take a full export");
}

TEST_CASE("a file that ends early, is binary, or never ends a struct, is named") {
  CHECK(contents("{Item:{}}\n{Item:{a:1}").problems == Texts{"2 is not Ion (a comma or } is missing)"});
  CHECK(contents("{Item:{a:\"x").problems == Texts{"1 is not Ion (a text does not end)"});
  CHECK(contents("{Item:{a:\"x\\").problems == Texts{"1 is not Ion (a text does not end)"});
  CHECK(contents("{Item:{a:{{YQ==").problems == Texts{"1 is not Ion (a value does not end)"});
  const auto binary = contents(std::string("\xe0\x01\x00\xea\xd0", 5));
  CHECK(binary.problems == Texts{"1 is binary Ion, which is not read; write it as text"});
  CHECK(binary.ended_early);
  const auto large = contents("\n{Item:{a:\"" + std::string(17 << 20, 'x'));
  CHECK(large.problems == Texts{"1 begins a struct of more than 16 MB; is a brace missing?"});
  CHECK(large.ended_early);
}

/// Writes Ion from typed JSON as its specification has it, choosing among the ways that there are.
class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {}

  std::string item(const Json& attributes) {
    return (chance() ? "$ion_1_0 " : "") + std::string("{Item:") + fields(attributes) + "}" + white();
  }

 private:
  bool chance() { return random_() % 2 == 0; }
  std::string white() { return chance() ? "\n" : chance() ? " /*'*/ " : ""; }

  std::string fields(const Json& attributes) {
    std::string text = "{";
    for (const auto& [name, typed] : attributes.items())
      text +=
          (text.size() > 1 ? "," : "") + white() + quoted(name, chance() ? "'" : "\"") + ":" + value(typed);
    return text + white() + "}";
  }

  std::string value(const Json& typed) {
    const std::string type = typed.begin().key();
    const Json& inside = typed.begin().value();
    if (type == "M") return fields(inside);
    if (type == "NULL") return chance() ? "null" : "null.int";
    if (type == "BOOL") return inside.dump();
    if (type == "L") return list(inside, [&](const Json& one) { return value(one); });
    if (type.size() == 1) return scalar(type, inside);
    return "$dynamodb_" + type + "::" + white() +
           list(inside, [&](const Json& one) { return scalar(type.substr(0, 1), one); });
  }

  template <class Element>
  std::string list(const Json& all, Element element) {
    std::string text = "[";
    for (const Json& one : all) text += (text.size() > 1 ? "," : "") + white() + element(one);
    return text + "]";
  }

  std::string scalar(const std::string& type, const std::string& text) {
    if (type == "N") return text;
    if (type == "B") return "{{" + text + "}}";
    return quoted(text, chance() ? "\"" : "'''");
  }

  static std::string quoted(const std::string& text, const std::string& quote) {
    std::string out = quote;
    for (const char c : text) {
      if (c == '\n')
        out += "\\n";
      else
        out += std::string(c == '\\' || c == '\'' || c == '"' ? "\\" : "") + c;
    }
    return out + quote;
  }

  std::mt19937& random_;
};

/// Typed JSON of any type.
class Values {
 public:
  explicit Values(std::mt19937& random) : random_(random) {}

  Json attributes(int depth) {
    Json made = Json::object();
    for (std::size_t i = below(4); i > 0; --i) made[text()] = value(depth);
    return made;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string text() {
    const Texts words{"",  "a",  "Item",        "null", "'",  "\"",    "\\",
                      "{", "}}", "é\U0001F600", "//",   "\n", "''' '", "$10"};
    return words[below(words.size())] + words[below(words.size())];
  }
  std::string number() {
    const Texts numbers{"0", "-1", "12345678901234567890123456789012345678", "0.5", "-1.5E-100"};
    return numbers[below(numbers.size())];
  }
  Json scalar(const std::string& type) {
    return type == "N" ? number() : type == "B" ? base::base64_encode(text()) : text();
  }
  Json value(int depth) {
    const Texts types{"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"};
    const std::string type = types[below(types.size())];
    if (type == "BOOL") return {{type, below(2) == 0}};
    if (type == "NULL") return {{type, true}};
    if (type == "M") return {{type, depth == 0 ? Json::object() : attributes(depth - 1)}};
    if (type.size() == 1 && type != "L") return {{type, scalar(type)}};
    Json list = Json::array();
    for (std::size_t i = below(3); i > 0; --i) {
      if (type != "L")
        list.push_back(scalar(type.substr(0, 1)));
      else if (depth > 0)
        list.push_back(value(depth - 1));
    }
    return {{type, list}};
  }

  std::mt19937& random_;
};

TEST_CASE("items written as Ion are read as they were, in parts of any size, packed or not") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Writer writer(random);
    Values values(random);
    std::string file;
    Json expected = Json::array();
    for (std::size_t i = random() % 4; i > 0; --i) {
      expected.push_back(values.attributes(3));
      file += writer.item(expected.back());
    }
    INFO(seed << ": " << file);
    const bool packed = random() % 2 == 0;
    ::test::TextObject object(packed ? base::compress(base::Compression::gzip, file) : file,
                              1 + random() % 9);
    IonReader reader(object, packed ? Packing::gzip : Packing::none);
    const auto found = ::test::contents_of(reader);
    CHECK(found.problems == Texts());
    CHECK(reader.bytes_read() == file.size());
    Json read = Json::array();
    for (const std::string& item : found.items) read.push_back(Json::parse(item));
    CHECK(read == expected);
  }
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::ion_reader_test
