#include <string>

#include <catch2/catch.hpp>

#include "dinette/s3/xml_reader.h"

#include "s3/xml_writer.h"

namespace test::xml_test {
namespace {

using namespace dinette::s3;

TEST_CASE("XML is read into elements") {
  const auto root = read_xml(
      "<?xml version=\"1.0\"?><x:A xmlns:x=\"y\">t<B>1&amp;2</B>u<B/><C><D><![CDATA[<]]></D></C></x:A>");
  REQUIRE(root);
  CHECK(root->name == "A");
  CHECK(root->text == "tu");
  CHECK(root->children.size() == 3);
  CHECK(root->text_of("B") == "1&2");
  CHECK(root->find("C")->text_of("D") == "<");
  CHECK(root->find("E") == nullptr);
  CHECK(root->text_of("E").empty());
}

TEST_CASE("what is not a request of S3 is refused") {
  std::string deep;
  for (int i = 0; i < 17; ++i) deep += "<a>";
  for (int i = 0; i < 17; ++i) deep += "</a>";
  CHECK(read_xml(deep.substr(3, deep.size() - 7)));
  CHECK_FALSE(read_xml(deep));
  std::string wide = "<a>";
  for (int i = 0; i < 100'000; ++i) wide += "<b/>";
  CHECK_FALSE(read_xml(wide + "</a>"));
  for (const char* const text : {"", "a", "<a>", "<a></b>", "<a/><a/>", "<!DOCTYPE a><a/>", "<a>&b;</a>",
                                 "<a>\xFF</a>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"}) {
    CAPTURE(text);
    CHECK_FALSE(read_xml(text));
  }
}

TEST_CASE("XML is written with references") {
  XmlWriter xml;
  xml.open_document("A");
  xml.element("B", "<&>\"\r\n");
  xml.element("C", "\xFF\xC3\xA9");
  xml.close("A");
  CHECK(xml.take() ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<A xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        "<B>&lt;&amp;&gt;&quot;&#13;&#10;</B><C>\uFFFD\xC3\xA9</C></A>");
}

}  // namespace
}  // namespace test::xml_test
