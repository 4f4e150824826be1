#include <string>

#include <catch2/catch.hpp>
#include <zstd.h>

#include "dynamodb/imports/imports.h"

// Formats and compressions of imported objects (docs/service/export-import.md section 2, "Reading the
// objects"). What each may look like in detail is tested with its reader.
namespace test::import_formats_test {

namespace {

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

Json item(Importer& importer, const std::string& pk) {
  return importer.db.get("New", {{"pk", {{"S", pk}}}});
}

Json csv(const Json& options = nullptr) {
  Json members = {{"InputFormat", "CSV"}};
  if (!options.is_null()) members["InputFormatOptions"] = {{"Csv", options}};
  return members;
}

void check_counts(const Json& import, int imported, int errors) {
  CHECK(import.at("ImportStatus") == (errors == 0 ? "COMPLETED" : "FAILED"));
  CHECK(import.at("ImportedItemCount") == imported);
  CHECK(import.at("ErrorCount") == errors);
}

}  // namespace

TEST_CASE("imports of CSV: the first line names the attributes, which are strings") {
  Importer importer;
  importer.put("a", "pk,title,empty\na,\"x, \"\"y\"\"\",\nb,12,\n");
  check_counts(importer.imported(csv()), 2, 0);
  CHECK(item(importer, "a") == Json{{"pk", {{"S", "a"}}}, {"title", {{"S", "x, \"y\""}}}});
  CHECK(item(importer, "b") == Json{{"pk", {{"S", "b"}}}, {"title", {{"S", "12"}}}});
}

TEST_CASE("imports of CSV: keys of the table and of indexes have their types") {
  Importer importer;
  Json table = on_demand("New");
  table["AttributeDefinitions"].push_back(attribute("g", "N"));
  table["GlobalSecondaryIndexes"] = Json::array({index_on("byG", Json::array({key("g", "HASH")}))});
  importer.put("a", "pk,g,n\na,012.50,1\nb,x,2\n");
  Json members = csv();
  members["TableCreationParameters"] = table;
  check_counts(importer.imported(members), 1, 1);
  CHECK(item(importer, "a") == Json{{"pk", {{"S", "a"}}}, {"g", {{"N", "12.5"}}}, {"n", {{"S", "1"}}}});
}

TEST_CASE("imports of CSV: with a list of names the first line is data, and delimiters can be chosen") {
  Importer importer;
  importer.put("a", "a;1\nb;2;3\nc;\n");
  check_counts(importer.imported(csv({{"Delimiter", ";"}, {"HeaderList", {"pk", "n"}}})), 2, 1);
  CHECK(item(importer, "a") == Json{{"pk", {{"S", "a"}}}, {"n", {{"S", "1"}}}});
  CHECK(item(importer, "c") == Json{{"pk", {{"S", "c"}}}});
}

TEST_CASE("imports of CSV: a header without the keys of the table") {
  Importer importer;
  importer.put("a", "PK,n\na,1\nb,2\nc,3\n");
  check_counts(importer.imported(csv()), 0, 1);
}

TEST_CASE("imports of Ion") {
  Importer importer;
  importer.put(
      "a",
      "$ion_1_0 {Item:{pk:\"a\",n:6d2,b:{{AP8=}},ss:$dynamodb_SS::[\"x\",\"y\"],ns:$dynamodb_NS::[1.,-2.5],"
      "yes:true,no:null,l:[1.,{k:\"v\"}]}}\n$ion_1_0 {Item:{n:1.}}\n$ion_1_0 {Item:{pk:\"b\"}}\n");
  check_counts(importer.imported({{"InputFormat", "ION"}}), 2, 1);
  CHECK(item(importer, "a") == Json{{"pk", {{"S", "a"}}},
                                    {"n", {{"N", "600"}}},
                                    {"b", {{"B", "AP8="}}},
                                    {"ss", {{"SS", {"x", "y"}}}},
                                    {"ns", {{"NS", {"-2.5", "1"}}}},
                                    {"yes", {{"BOOL", true}}},
                                    {"no", {{"NULL", true}}},
                                    {"l", {{"L", {{{"N", "1"}}, {{"M", {{"k", {{"S", "v"}}}}}}}}}}});
}

TEST_CASE("imports of objects that Zstandard has compressed") {
  Importer importer;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += line(std::to_string(i), i);
  importer.put("a", zstd(text));
  const Json import = importer.imported({{"InputCompressionType", "ZSTD"}});
  check_counts(import, 1000, 0);
  CHECK(import.at("ProcessedSizeBytes") == text.size());
  CHECK(importer.items().at("999") == 999);
}

}  // namespace test::import_formats_test
