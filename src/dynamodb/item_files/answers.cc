#include "dinette/dynamodb/item_files/answers.h"

#include "dynamodb/item_files/json_text.h"

namespace dinette::dynamodb::item_files {
namespace {

namespace ondemand = simdjson::ondemand;

/// Returns what `read` makes of an answer, or the failure if the answer is not as it should be.
template <class Read>
auto reading(const char* operation, Read read) -> Outcome<decltype(read())> {
  try {
    return read();
  } catch (const simdjson::simdjson_error& error) {
    return base::Failure{std::string("the server's answer to ") + operation +
                         " is not as expected: " + error.what()};
  }
}

std::vector<std::string_view> texts_of(ondemand::array items) {
  std::vector<std::string_view> texts;
  for (ondemand::object item : items) texts.push_back(text_of(item));
  return texts;
}

}  // namespace

Outcome<ScanPage> read_scan_page(std::string& text) {
  return reading("Scan", [&] {
    ondemand::parser parser;
    ondemand::document document = parser.iterate(with_room(text));
    ScanPage page;
    for (ondemand::field field : document.get_object()) {
      const std::string_view name = field.unescaped_key();
      if (name == "Items") page.items = texts_of(field.value().get_array());
      if (name == "LastEvaluatedKey") page.last_key = text_of(field.value().get_object());
      if (name == "ScannedCount") page.scanned = field.value().get_uint64();
      if (name == "ConsumedCapacity") page.capacity_units = field.value()["CapacityUnits"].get_double();
    }
    return page;
  });
}

Outcome<std::string_view> read_unprocessed(std::string& text) {
  return reading("BatchWriteItem", [&] {
    const std::string_view unprocessed = object_member_text(text, "UnprocessedItems");
    return on_one_line(unprocessed) == "{}" ? std::string_view() : unprocessed;
  });
}

Outcome<TablePage> read_table_page(std::string_view text) {
  return reading("ListTables", [&] {
    simdjson::dom::parser parser;
    const aws::JsonElement json = parser.parse(text.data(), text.size());
    TablePage page;
    for (const std::string_view name : json["TableNames"].get_array()) page.names.emplace_back(name);
    page.last = string_member(json, "LastEvaluatedTableName");
    return page;
  });
}

Outcome<TableFacts> read_table_facts(std::string_view text) {
  return reading("DescribeTable", [&] {
    simdjson::dom::parser parser;
    const aws::JsonElement json = parser.parse(text.data(), text.size());
    const aws::JsonElement table = json["Table"];
    if (!table.is_object()) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
    TableFacts facts{string_member(table, "TableArn"), string_member(table, "TableId"),
                     string_member(table, "TableStatus")};
    if (table["ItemCount"].get(facts.items)) facts.items = 0;
    return facts;
  });
}

Outcome<KeyFacts> read_key_facts(std::string_view text) {
  return reading("DescribeTable", [&] {
    simdjson::dom::parser parser;
    const aws::JsonElement json = parser.parse(text.data(), text.size());
    aws::JsonElement table;
    if (json["Table"].get(table)) table = json;
    KeyFacts facts;
    for (const aws::JsonElement key : table["KeySchema"].get_array())
      facts.of_table.push_back(string_member(key, "AttributeName"));
    for (const aws::JsonElement attribute : table["AttributeDefinitions"].get_array()) {
      const std::string type = string_member(attribute, "AttributeType");
      if (!type.empty()) facts.types[string_member(attribute, "AttributeName")] = type.front();
    }
    return facts;
  });
}

Outcome<std::string> read_next_token(std::string_view text) {
  return reading("ListTagsOfResource", [&] {
    simdjson::dom::parser parser;
    return string_member(parser.parse(text.data(), text.size()), "NextToken");
  });
}

ServiceError read_error(std::string_view text) {
  simdjson::dom::parser parser;
  aws::JsonElement json;
  if (parser.parse(text.data(), text.size()).get(json)) return {};
  const std::string type = string_member(json, "__type");
  const std::string message = string_member(json, "message");
  return {type.substr(type.find('#') + 1), message.empty() ? string_member(json, "Message") : message};
}

}  // namespace dinette::dynamodb::item_files
