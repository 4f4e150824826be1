#include "dynamodb/item_files/ion_text.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

// docs/service/export-import.md section 1, "Objects written".
namespace dinette::dynamodb::item_files::ion_text_test {
namespace {

std::string ion(std::string_view item) {
  IonText writer;
  std::string text;
  writer.append_item(text, item);
  return text;
}

std::string number(const std::string& digits) {
  const std::string text = ion(R"({"n":{"N":")" + digits + "\"}}");
  return text.substr(3, text.size() - 4);
}

TEST_CASE("Ion: the example of the documentation") {
  CHECK(ion(R"({"Authors":{"SS":["Author1","Author2"]},"ISBN":{"S":"333-3333333333"},"Id":{"N":"103"},)"
            R"("InPublication":{"BOOL":false},"PageCount":{"N":"600"},"Price":{"N":"2000"}})") ==
        R"({Authors:$dynamodb_SS::["Author1","Author2"],ISBN:"333-3333333333",Id:103.,)"
        R"(InPublication:false,PageCount:6d2,Price:2d3})");
}

TEST_CASE("Ion: all types") {
  CHECK(ion("{}") == "{}");
  CHECK(ion(R"({"a":{"NULL":true},"b":{"BOOL":true},"c":{"B":"YmFy"},"d":{"B":""},"e":{"S":""}})") ==
        R"({a:null,b:true,c:{{YmFy}},d:{{}},e:""})");
  CHECK(ion(R"({"a":{"NS":["1","2.5","300"]},"b":{"BS":["AA==","AQ=="]}})") ==
        R"({a:$dynamodb_NS::[1.,2.5,3d2],b:$dynamodb_BS::[{{AA==}},{{AQ==}}]})");
  CHECK(ion(R"({"a":{"M":{"x":{"L":[{"N":"1"},{"M":{}},{"L":[]}]}}}})") == R"({a:{x:[1.,{},[]]}})");
}

TEST_CASE("Ion: decimals have no zeros at their end") {
  for (const auto& [digits, decimal] :
       {std::pair("0", "0."), std::pair("7", "7."), std::pair("-7", "-7."), std::pair("10", "1d1"),
        std::pair("-1200", "-12d2"), std::pair("0.5", "0.5"), std::pair("12.75", "12.75"),
        std::pair("-0.000001", "-0.000001"), std::pair("0.05", "0.05"),
        std::pair("12345678901234567890123456789012345678", "12345678901234567890123456789012345678."),
        std::pair("1.2345678901234567890123456789012345678", "1.2345678901234567890123456789012345678")}) {
    CHECK(number(digits) == decimal);
  }
  CHECK(number("0.0000001") == "1d-7");
  CHECK(number("0.00000012") == "12d-8");
  CHECK(number("1" + std::string(125, '0')) == "1d125");
  CHECK(number("0." + std::string(129, '0') + "1") == "1d-130");
}

TEST_CASE("Ion: names that are not identifiers have quotes") {
  CHECK(ion(R"({"":{"BOOL":true},"$1":{"BOOL":true},"$a":{"BOOL":true},"1a":{"BOOL":true},)"
            R"("a b":{"BOOL":true},"it's":{"BOOL":true},"nan":{"BOOL":true},"null":{"BOOL":true},)"
            R"("nulls":{"BOOL":true},"\u00e9":{"BOOL":true}})") ==
        R"({'':true,'$1':true,$a:true,'1a':true,'a b':true,'it\'s':true,'nan':true,'null':true,)"
        "nulls:true,'\u00e9':true}");
}

TEST_CASE("Ion: strings are escaped, and stay on one line") {
  CHECK(ion(R"({"a":{"S":"\"\\\n\t\u0000\u001f/é 😀'"}})") == R"({a:"\"\\\n\x09\x00\x1f/é 😀'"})");
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::ion_text_test
