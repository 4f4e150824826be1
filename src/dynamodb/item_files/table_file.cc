#include "dinette/dynamodb/item_files/table_file.h"

#include <initializer_list>
#include <utility>

#include <nlohmann/json.hpp>

#include "dinette/base/json_error.h"

namespace dinette::dynamodb::item_files {
namespace {

// Members stay in the order in which they were written.
using Json = nlohmann::ordered_json;
using base::Failure;

constexpr const char* create_table = "CreateTable";
constexpr const char* update_table = "UpdateTable";
constexpr const char* update_time_to_live = "UpdateTimeToLive";
constexpr const char* table_name = "TableName";
constexpr int indent = 2;

using MemberNames = std::initializer_list<const char*>;

/// Copies the members that `from` has.
void copy(const Json& from, Json& to, MemberNames names) {
  for (const char* const name : names) {
    if (from.contains(name) && !from[name].is_null()) to[name] = from[name];
  }
}

/// Provisioned tables have a throughput of at least 1.
bool is_on_demand(const Json& table) {
  return table.value(Json::json_pointer("/BillingModeSummary/BillingMode"), "") == "PAY_PER_REQUEST" ||
         table.value(Json::json_pointer("/ProvisionedThroughput/ReadCapacityUnits"), 1) == 0;
}

void copy_throughput(const Json& from, Json& to, bool on_demand) {
  if (on_demand) return copy(from, to, {"OnDemandThroughput"});
  if (from.contains("ProvisionedThroughput"))
    copy(from["ProvisionedThroughput"], to["ProvisionedThroughput"],
         {"ReadCapacityUnits", "WriteCapacityUnits"});
}

void copy_indexes(const Json& table, Json& request, const char* kind) {
  const bool on_demand = is_on_demand(table);
  for (const Json& index : table.value(kind, Json::array())) {
    Json made;
    copy(index, made,
         {"IndexName", "KeySchema", "Projection", "VectorAttribute", "Dimensions", "DistanceFunction",
          "SearchSchema"});
    copy_throughput(index, made, on_demand);
    request[kind].push_back(std::move(made));
  }
}

void copy_encryption(const Json& table, Json& request) {
  const Json encryption = table.value("SSEDescription", Json::object());
  if (encryption.value("Status", "") != "ENABLED") return;
  Json& made = request["SSESpecification"];
  made["Enabled"] = true;
  copy(encryption, made, {"SSEType"});
  if (encryption.contains("KMSMasterKeyArn")) made["KMSMasterKeyId"] = encryption["KMSMasterKeyArn"];
}

Json create_request(const Json& table, const std::vector<std::string>& tag_pages) {
  Json request;
  copy(table, request, {table_name, "AttributeDefinitions", "KeySchema"});
  request["BillingMode"] = is_on_demand(table) ? "PAY_PER_REQUEST" : "PROVISIONED";
  copy_throughput(table, request, is_on_demand(table));
  copy_indexes(table, request, "LocalSecondaryIndexes");
  copy_indexes(table, request, "GlobalSecondaryIndexes");
  copy_indexes(table, request, "VectorIndexes");
  copy_encryption(table, request);
  if (table.contains("TableClassSummary")) copy(table["TableClassSummary"], request, {"TableClass"});
  if (table.value("DeletionProtectionEnabled", false)) request["DeletionProtectionEnabled"] = true;
  for (const std::string& page : tag_pages) {
    for (const Json& tag : Json::parse(page).value("Tags", Json::array())) request["Tags"].push_back(tag);
  }
  return request;
}

/// Returns the request that enables the table's stream; null if it has none.
Json stream_request(const Json& table) {
  const Json stream = table.value("StreamSpecification", Json::object());
  if (!stream.value("StreamEnabled", false)) return nullptr;
  return {{table_name, table.at(table_name)}, {"StreamSpecification", stream}};
}

/// Returns the request that enables the time to live; null if it is not enabled.
Json time_to_live_request(const Json& table, std::string_view answer) {
  if (answer.empty()) return nullptr;
  const Json parsed = Json::parse(answer);
  const Json found = parsed.value("TimeToLiveDescription", Json::object());
  const std::string status = found.value("TimeToLiveStatus", "");
  if (status != "ENABLED" && status != "ENABLING") return nullptr;
  return {{table_name, table.at(table_name)},
          {"TimeToLiveSpecification", {{"AttributeName", found.at("AttributeName")}, {"Enabled", true}}}};
}

/// Returns the request of an operation as text; nothing if the file has none.
std::optional<std::string> request_of(const Json& file, const char* operation) {
  if (!file.contains(operation)) return std::nullopt;
  return file[operation].dump();
}

Outcome<void> check_requests(const Json& file) {
  for (const auto& [operation, request] : file.items()) {
    if (operation != create_table && operation != update_table && operation != update_time_to_live)
      return Failure{"has a member '" + operation +
                     "'; known are CreateTable, UpdateTable and UpdateTimeToLive"};
    if (!request.is_object() || !request.contains(table_name) || !request[table_name].is_string())
      return Failure{"has a " + operation + " that is no request: it needs at least a TableName"};
  }
  return {};
}

std::string with_name(const std::string& request, std::string_view name) {
  Json json = Json::parse(request);
  json[table_name] = name;
  return json.dump();
}

}  // namespace

Outcome<std::string> table_file_text(const TableAnswers& answers) {
  try {
    const Json description = Json::parse(answers.describe_table);
    const Json& table = description.at("Table");
    Json file;
    file[create_table] = create_request(table, answers.tags_of_resource);
    if (Json stream = stream_request(table); !stream.is_null()) file[update_table] = std::move(stream);
    Json expiry = time_to_live_request(table, answers.describe_time_to_live);
    if (!expiry.is_null()) file[update_time_to_live] = std::move(expiry);
    return file.dump(indent) + "\n";
  } catch (const Json::exception& error) {
    return Failure{std::string("the server does not describe the table as expected: ") + error.what()};
  }
}

Outcome<TableFile> read_table_file(std::string_view text) {
  try {
    const Json file = Json::parse(text);
    if (!file.is_object() || !file.contains(create_table))
      return Failure{std::string(
          R"(has no CreateTable: it must look like {"CreateTable": {"TableName": "Albums", ...}})")};
    DINETTE_CHECK(check_requests(file));
    const std::string name = file[create_table][table_name];
    const TableFile made{name, file[create_table].dump(), request_of(file, update_table),
                         request_of(file, update_time_to_live)};
    return renamed(made, name);
  } catch (const Json::exception& error) {
    const auto wrong = base::find_json_error(text);
    return Failure{wrong ? wrong->place() + " is not JSON (" + wrong->reason + ")"
                         : std::string("is not as expected: ") + error.what()};
  }
}

TableFile table_of_keys(std::string_view name, const std::vector<KeyAttribute>& keys) {
  Json request{{table_name, name}, {"BillingMode", "PAY_PER_REQUEST"}};
  for (const KeyAttribute& key : keys) {
    const char* const role = request.contains("KeySchema") ? "RANGE" : "HASH";
    request["AttributeDefinitions"].push_back(
        {{"AttributeName", key.name}, {"AttributeType", std::string(1, key.type)}});
    request["KeySchema"].push_back({{"AttributeName", key.name}, {"KeyType", role}});
  }
  return {std::string(name), request.dump(), {}, {}};
}

TableFile renamed(const TableFile& file, std::string_view name) {
  TableFile made{std::string(name), with_name(file.create_table, name), {}, {}};
  if (file.update_table) made.update_table = with_name(*file.update_table, name);
  if (file.update_time_to_live) made.update_time_to_live = with_name(*file.update_time_to_live, name);
  return made;
}

}  // namespace dinette::dynamodb::item_files
