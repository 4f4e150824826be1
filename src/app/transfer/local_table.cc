#include "app/transfer/local_table.h"

#include <set>
#include <vector>

#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
using aws::JsonElement;
using aws::JsonWriter;

/// The index in TableInfo that is the table itself.
constexpr std::string_view own_index = "";

void write_member(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  json.string(text);
}

void write_units(JsonWriter& json, std::string_view name, std::int64_t units) {
  json.key(name);
  json.integer(units);
}

std::string_view text_in(JsonElement object, std::string_view name) {
  return object[name].get_string();
}

/// Returns the indexes of a kind; none if there are none.
std::vector<JsonElement> indexes_of(JsonElement info, std::string_view kind) {
  std::vector<JsonElement> indexes;
  simdjson::dom::array found;
  if (info[kind].get(found)) return indexes;
  for (const JsonElement index : found) indexes.push_back(index);
  return indexes;
}

/// Writes a DescribeTable of what a row of `dm` says. Throws simdjson::simdjson_error if it is not as
/// expected.
class Description {
 public:
  Description(const LocalTable& table, JsonElement info) : table_(table), info_(info) {}

  std::string text() {
    json_.begin_object();
    json_.key("Table");
    json_.begin_object();
    write_member(json_, "TableName", table_.name);
    write_key_schema();
    write_indexes("LSIList", "LocalSecondaryIndexes");
    write_indexes("GSIList", "GlobalSecondaryIndexes");
    write_attributes();
    write_throughput();
    if (table_.protected_from_deletion) {
      json_.key("DeletionProtectionEnabled");
      json_.boolean(true);
    }
    json_.end_object();
    json_.end_object();
    return text_;
  }

 private:
  void write_key_schema() {
    json_.key("KeySchema");
    json_.begin_array();
    for (const JsonElement key : info_["SQLiteIndex"][own_index].get_array()) {
      const JsonElement attribute = key["DynamoDBAttribute"];
      keys_.insert(text_in(attribute, "AttributeName"));
      json_.begin_object();
      json_.key("AttributeName");
      json_.string(text_in(attribute, "AttributeName"));
      write_member(json_, "KeyType", text_in(key, "KeyType"));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_indexes(std::string_view kind, std::string_view member) {
    const auto indexes = indexes_of(info_, kind);
    if (indexes.empty()) return;
    json_.key(member);
    json_.begin_array();
    for (const JsonElement index : indexes) {
      for (const JsonElement key : index["KeySchema"].get_array())
        keys_.insert(text_in(key, "AttributeName"));
      json_.raw(simdjson::minify(index));
    }
    json_.end_array();
  }

  /// Without those that were keys of an index which is gone: the service refuses them.
  void write_attributes() {
    json_.key("AttributeDefinitions");
    json_.begin_array();
    for (const JsonElement attribute : info_["Attributes"].get_array()) {
      if (keys_.contains(text_in(attribute, "AttributeName"))) json_.raw(simdjson::minify(attribute));
    }
    json_.end_array();
  }

  void write_throughput() {
    json_.key("BillingModeSummary");
    json_.begin_object();
    write_member(json_, "BillingMode", table_.on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
    json_.end_object();
    json_.key("ProvisionedThroughput");
    json_.begin_object();
    write_units(json_, "ReadCapacityUnits", table_.read_units);
    write_units(json_, "WriteCapacityUnits", table_.write_units);
    json_.end_object();
    if (table_.most_read_units <= 0 && table_.most_write_units <= 0) return;
    json_.key("OnDemandThroughput");
    json_.begin_object();
    if (table_.most_read_units > 0) write_units(json_, "MaxReadRequestUnits", table_.most_read_units);
    if (table_.most_write_units > 0) write_units(json_, "MaxWriteRequestUnits", table_.most_write_units);
    json_.end_object();
  }

  const LocalTable& table_;
  const JsonElement info_;
  std::set<std::string_view> keys_;
  std::string text_;
  JsonWriter json_{text_};
};

}  // namespace

item_files::Outcome<item_files::TableFile> definition_of(const LocalTable& table) {
  try {
    simdjson::dom::parser parser;
    const JsonElement info = parser.parse(table.info);
    const std::string described = Description(table, info).text();
    DINETTE_TRY(const auto text, item_files::table_file_text({described, {}, {}}));
    return item_files::read_table_file(text);
  } catch (const simdjson::simdjson_error& error) {
    return base::Failure{"has a TableInfo that is not as expected (" + std::string(error.what()) + ")"};
  }
}

}  // namespace dinette::app
