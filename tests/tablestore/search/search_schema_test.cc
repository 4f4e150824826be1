#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/search/searched.h"

// Schemas of search indexes that may not be (tablestore/search-index.md section 2).
namespace dinette::tablestore::search_schema_test {

using namespace test;
using api::FieldType;

constexpr std::string_view accepted = "200";

std::string invalid(std::string_view message) {
  return "OTSParameterInvalid: " + std::string(message);
}

/// A table to which search indexes are added.
class Schemas {
 public:
  Schemas() { server_.create("T"); }

  Server& server() { return server_; }

  std::string create(const api::IndexSchema& schema) {
    const std::string bytes = codec::encode_message(schema);
    const std::string name = "I" + std::to_string(++count_);
    return server_.refusal("CreateSearchIndex", api::CreateSearchIndexRequest{
                                                    .table_name = "T", .index_name = name, .schema = bytes});
  }
  std::string create_with(const api::FieldSchema& field) {
    return create(api::IndexSchema{.field_schemas = {field}});
  }
  std::string create_fields(const std::vector<FieldText>& fields) {
    const std::string bytes = schema_of(fields);
    return create(codec::decode_message<api::IndexSchema>(bytes).value());
  }
  /// Adds the field to an index that has another one.
  std::string add(const api::FieldSchema& field) {
    CHECK(create_fields({{"k"}}) == accepted);
    const std::string index = "I" + std::to_string(count_);
    const std::string bytes = codec::encode_message(field);
    return server_.refusal("UpdateSearchIndex",
                           api::UpdateSearchIndexRequest{
                               .table_name = "T", .index_name = index, .added_field_schemas = {bytes}});
  }

 private:
  Server server_;
  int count_ = 0;
};

TEST_CASE_METHOD(Schemas, "a date has formats, also one that is added") {
  api::FieldSchema field{.field_name = "d", .field_type = FieldType::date};
  const std::string refused = invalid("field_name:d type:date must have [date_formats]");
  CHECK(create_with(field) == refused);
  CHECK(add(field) == refused);
  field.date_formats = {"yyyy-MM-dd"};
  CHECK(create_with(field) == accepted);
  CHECK(add(field) == accepted);
}

TEST_CASE_METHOD(Schemas, "a vector has a dimension, and an index at most five vectors") {
  const auto dimension = [&](std::int32_t number) {
    return create_with(api::FieldSchema{.field_name = "v",
                                        .field_type = FieldType::vector,
                                        .vector_options = api::VectorOptions{.dimension = number}});
  };
  CHECK(create_with(api::FieldSchema{.field_name = "v", .field_type = FieldType::vector}) ==
        invalid("field_name:v type:vector must have [vector_options]"));
  CHECK(dimension(0) == invalid("field_name:v must have a dimension in [1, 4096]"));
  CHECK(dimension(4097) == invalid("field_name:v must have a dimension in [1, 4096]"));
  CHECK(dimension(1) == accepted);
  CHECK(dimension(4096) == accepted);
  std::vector<FieldText> vectors;
  for (int i = 0; i < 5; ++i)
    vectors.push_back({.name = "v" + std::to_string(i), .type = FieldType::vector, .dimension = 2});
  CHECK(create_fields(vectors) == accepted);
  vectors.push_back({.name = "w", .type = FieldType::vector, .dimension = 2});
  CHECK(create_fields(vectors) == invalid("the number of vectors of a search index exceeds the limit: 5"));
}

TEST_CASE_METHOD(Schemas, "a nested field has others inside, each once, and no index options") {
  const FieldText nested{.name = "n", .type = FieldType::nested};
  CHECK(create_fields({nested}) == invalid("field_name:n type:nested must have [field_schemas]"));
  FieldText twice = nested;
  twice.inner = {{"a"}, {"b"}, {"a"}};
  CHECK(create_fields({twice}) == invalid("field_name:n.a is there twice"));
  FieldText large = nested;
  for (int i = 0; i < 100; ++i) large.inner.push_back({"a" + std::to_string(i)});
  CHECK(create_fields({large}) == accepted);
  large.inner.push_back({"b"});
  CHECK(create_fields({large}) ==
        invalid("the number of fields inside of field_name:n exceeds the limit: 100"));
  const std::string inner =
      codec::encode_message(api::FieldSchema{.field_name = "a", .field_type = FieldType::keyword});
  api::FieldSchema message{.field_name = "n", .field_type = FieldType::nested, .field_schemas = {inner}};
  CHECK(create_with(message) == accepted);
  message.index_options = 1;
  CHECK(create_with(message) == invalid("invalid parameter"));
  CHECK(create_with(api::FieldSchema{
            .field_name = "g", .field_type = FieldType::geo_point, .index_options = 1}) == accepted);
}

TEST_CASE_METHOD(Schemas, "analyzers are those that the service has, of texts") {
  const auto analyzed = [&](FieldType type, std::string_view analyzer) {
    return create_with(api::FieldSchema{.field_name = "t", .field_type = type, .analyzer = analyzer});
  };
  for (const std::string_view analyzer : {"single_word", "max_word", "min_word", "split", "fuzzy", ""})
    CHECK(analyzed(FieldType::text, analyzer) == accepted);
  CHECK(analyzed(FieldType::text, "Split") == invalid("field_name:t has an unknown analyzer: Split"));
  CHECK(analyzed(FieldType::keyword, "split") ==
        invalid("field_name:t type:keyword must not have [analyzer]"));
  CHECK(analyzed(FieldType::keyword, "") == accepted);
}

TEST_CASE_METHOD(Schemas, "a virtual field is made from one column, and is of a type that can be made") {
  const auto made = [&](FieldType type, const std::vector<std::string_view>& sources) {
    return create_with(api::FieldSchema{
        .field_name = "v", .field_type = type, .is_virtual_field = true, .source_field_names = sources});
  };
  CHECK(made(FieldType::keyword, {"a"}) == accepted);
  CHECK(made(FieldType::keyword, {}) == invalid("field_name:v type:keyword must have [source_field_names]"));
  CHECK(made(FieldType::keyword, {"a", "b"}) ==
        invalid("field_name:v must have a single one of [source_field_names]"));
  CHECK(made(FieldType::boolean, {"a"}) ==
        invalid("field_name:v type:boolean must not have [is_virtual_field]"));
  // Clients say that a field is none, and name no columns.
  CHECK(create_with(api::FieldSchema{
            .field_name = "v", .field_type = FieldType::keyword, .is_virtual_field = false}) == accepted);
}

TEST_CASE_METHOD(Schemas, "a JSON field has a type, and no vectors inside") {
  FieldText json{.name = "j", .type = FieldType::json};
  json.inner = {{"a"}};
  CHECK(create_fields({json}) == invalid("field_name:j type:json must have [json_type]"));
  for (const api::JsonType type : {api::JsonType::object_json, api::JsonType::nested_json}) {
    json.json_type = type;
    json.inner = {{"a"}};
    CHECK(create_fields({json}) == accepted);
    json.inner = {{.name = "v", .type = FieldType::vector, .dimension = 2}};
    CHECK(create_fields({json}) ==
          invalid("field_name:j.v type:vector must not be inside of a field of type json"));
  }
}

TEST_CASE_METHOD(Schemas, "rows are routed by columns of the key") {
  const auto routed = [&](const std::vector<std::string_view>& fields) {
    return create(api::IndexSchema{
        .field_schemas = {{.field_name = "k", .field_type = FieldType::keyword}},
        .index_setting = api::IndexSetting{.number_of_shards = 1, .routing_fields = fields}});
  };
  CHECK(routed({}) == accepted);
  CHECK(routed({"gid"}) == accepted);
  CHECK(routed({"gid", "uid"}) == accepted);
  CHECK(routed({"gid", "k"}) == invalid("[index_setting.routing_fields] field: k is no primary key column"));
}

TEST_CASE_METHOD(Schemas, "an index is sorted by the key, and by fields that can be sorted by") {
  const std::string schema = schema_of({{"n", FieldType::long_},
                                        {.name = "off", .type = FieldType::long_, .sortable = false},
                                        {.name = "hidden", .type = FieldType::long_, .indexed = false},
                                        {"t", FieldType::text}});
  const auto sorted = [&](const std::vector<api::Sorter>& sorters) {
    auto message = codec::decode_message<api::IndexSchema>(schema).value();
    message.index_sort = api::Sort{.sorter = sorters};
    return create(message);
  };
  const auto by = [](std::string_view field) {
    return api::Sorter{.field_sort = api::FieldSort{.field_name = field}};
  };
  const api::Sorter by_key{.pk_sort = api::OrderedSort{.order = api::SortOrder::desc}};
  CHECK(sorted({}) == accepted);
  CHECK(sorted({by_key}) == accepted);
  CHECK(sorted({by("n"), by_key}) == accepted);
  CHECK(sorted({by("m")}) == invalid("[index_sort] field: m does not exist"));
  CHECK(sorted({by("hidden")}) == invalid("field_name:hidden type:long must have [index]"));
  for (const std::string_view field : {"off", "t"})
    CHECK(sorted({by(field)}) ==
          invalid("[index_sort] field:" + std::string(field) +
                  " must enable enable_sort_and_agg, but enable_sort_and_agg is not enabled"));
  CHECK(sorted({{.score_sort = api::OrderedSort{}}}) ==
        invalid("[index_sort.sorter] must be field_sort or pk_sort"));
  const std::string with_nested = schema_of({{"n", FieldType::nested, false, {{"k"}}}});
  auto message = codec::decode_message<api::IndexSchema>(with_nested).value();
  message.index_sort = api::Sort{.sorter = {by_key}};
  CHECK(create(message) == invalid("[index_sort] must not be given with fields of type nested"));
}

TEST_CASE("a field may have another type than its column, whose values it then leaves out") {
  Searched rows({{"gid"}, {"uid"}, {.name = "t", .type = FieldType::text, .sortable = true}});
  rows.put(1, {words("t", "a")});
  CHECK(rows.find(term("uid", Value::string("a"))) == "1");
  CHECK(rows.find(query_of(api::QueryType::exists, api::ExistsQuery{.field_name = "gid"})).empty());
}

}  // namespace dinette::tablestore::search_schema_test
