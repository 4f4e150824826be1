#include "dynamodb/wire/access_requests.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "dinette/aws/arn.h"

#include "dynamodb/expr/lexer.h"
#include "dynamodb/streams/shard_iterator.h"

namespace dinette::dynamodb::wire {
namespace {

using aws::JsonArray;
using aws::JsonElement;
using aws::JsonObject;
using Values = iam::RequestContext::Values;

constexpr std::array<std::string_view, 10> without_resource{
    "DescribeEndpoints", "DescribeLimits",   "ListBackups", "ListBulkOperations", "ListContributorInsights",
    "ListExports",       "ListGlobalTables", "ListImports", "ListStreams",        "ListTables"};

constexpr std::array<std::string_view, 3> of_statements{"BatchExecuteStatement", "ExecuteStatement",
                                                        "ExecuteTransaction"};

/// What the maker of a replica needs in its region (docs/service/insights-policies-account.md section 5).
constexpr std::array<std::string_view, 8> rights_of_new_replica{
    "CreateTableReplica", "Scan",          "Query", "UpdateItem", "PutItem", "GetItem",
    "DeleteItem",         "BatchWriteItem"};

/// Members that name the resource, by name or ARN, in the order in which they count.
constexpr std::array<std::string_view, 12> naming{"TableName",        "ResourceArn",     "StreamArn",
                                                  "BackupArn",        "ExportArn",       "ImportArn",
                                                  "BulkOperationArn", "SourceTableName", "TableArn",
                                                  "GlobalTableName",  "SourceTableArn",  "TargetTableName"};

std::optional<JsonObject> object_of(std::optional<JsonElement> json) {
  return json && json->is_object() ? std::optional(json->get_object().value_unsafe()) : std::nullopt;
}

std::optional<JsonObject> object_in(JsonObject structure, std::string_view name) {
  return object_of(aws::member_of(structure, name));
}

std::string_view text_in(JsonObject structure, std::string_view name) {
  const auto member = aws::member_of(structure, name);
  return member && member->is_string() ? member->get_string().value_unsafe() : std::string_view();
}

template <class Visit>
void for_each_in(JsonObject structure, std::string_view name, Visit visit) {
  const auto list = aws::member_of(structure, name);
  if (!list || !list->is_array()) return;
  const JsonArray elements = list->get_array().value_unsafe();
  for (const JsonElement one : elements) visit(one);
}

/// The text of an S, N or B.
std::string value_text(const std::optional<JsonObject>& value) {
  if (!value) return {};
  for (const auto [type, text] : *value) {
    if (text.is_string()) return std::string(text.get_string().value_unsafe());
  }
  return {};
}

/// One part of a request: its expressions, and the names and values that they use.
class AttributeFinder {
 public:
  explicit AttributeFinder(JsonObject members)
      : members_(members),
        names_(object_in(members, "ExpressionAttributeNames")),
        values_(object_in(members, "ExpressionAttributeValues")) {}

  void add_names_in(expr::Kind kind, std::string_view member) {
    const std::string_view text = text_in(members_, member);
    if (text.size() > longest_expression) return;
    const auto tokens = expr::tokenize(kind, text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool inside = i > 0 && tokens[i - 1].kind == expr::TokenKind::dot;
      const bool is_function = i + 1 < tokens.size() && tokens[i + 1].kind == expr::TokenKind::open_paren;
      if (!inside && !is_function && is_name(tokens[i])) add(name_of(tokens[i]));
    }
  }

  void add_keys_of(std::string_view member) {
    const auto map = object_in(members_, member);
    if (!map) return;
    for (const auto [name, value] : *map) add(std::string(name));
  }

  void add_texts_of(std::string_view member) {
    for_each_in(members_, member, [&](JsonElement one) {
      if (one.is_string()) add(std::string(one.get_string().value_unsafe()));
    });
  }

  Values take() { return std::move(found_); }

  /// Returns the values that a KeyConditionExpression gives to an attribute by "=".
  Values equal_to(std::string_view attribute) const {
    Values values;
    const std::string_view text = text_in(members_, "KeyConditionExpression");
    if (text.size() > longest_expression) return values;
    const auto tokens = expr::tokenize(expr::Kind::key_condition, text);
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      if (tokens[i].kind != expr::TokenKind::equal) continue;
      const bool forward = is_name(tokens[i - 1]);
      const expr::Token& name = tokens[forward ? i - 1 : i + 1];
      const expr::Token& value = tokens[forward ? i + 1 : i - 1];
      if (is_name(name) && value.kind == expr::TokenKind::value && name_of(name) == attribute && values_)
        values.push_back(value_text(object_in(*values_, value.text)));
    }
    return values;
  }

 private:
  /// The service refuses longer ones.
  static constexpr std::size_t longest_expression = 4096;

  static bool is_name(const expr::Token& token) {
    return token.kind == expr::TokenKind::identifier || token.kind == expr::TokenKind::name;
  }

  std::string name_of(const expr::Token& token) const {
    if (token.kind == expr::TokenKind::identifier || !names_) return std::string(token.text);
    return std::string(text_in(*names_, token.text));
  }

  void add(std::string name) {
    if (std::ranges::find(found_, name) == found_.end()) found_.push_back(std::move(name));
  }

  JsonObject members_;
  std::optional<JsonObject> names_;
  std::optional<JsonObject> values_;
  Values found_;
};

Values attributes_in(JsonObject members) {
  AttributeFinder finder(members);
  finder.add_keys_of("Key");
  finder.add_keys_of("Item");
  for (const std::string_view legacy :
       {"Expected", "AttributeUpdates", "KeyConditions", "QueryFilter", "ScanFilter"})
    finder.add_keys_of(legacy);
  finder.add_texts_of("AttributesToGet");
  finder.add_names_in(expr::Kind::projection, "ProjectionExpression");
  finder.add_names_in(expr::Kind::condition, "ConditionExpression");
  finder.add_names_in(expr::Kind::update, "UpdateExpression");
  finder.add_names_in(expr::Kind::filter, "FilterExpression");
  finder.add_names_in(expr::Kind::key_condition, "KeyConditionExpression");
  return finder.take();
}

/// The partition key of what is read or written: of the index if the request names one.
const std::string* leading_name(const ResourceAccess& access, std::string_view index) {
  if (!access.table.table) return nullptr;
  const TableSchema& schema = access.table.schema();
  if (index.empty()) return &schema.hash_key().name;
  const IndexSchema* const found = schema.find_index(index);
  return found && !found->keys.empty() ? &found->keys.front().name : nullptr;
}

void add_leading_key(JsonObject item, std::string_view name, Values& out) {
  if (const auto value = object_in(item, name)) out.push_back(value_text(value));
}

/// KeyConditions: {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}
void add_legacy_leading_key(JsonObject members, std::string_view name, Values& out) {
  const auto conditions = object_in(members, "KeyConditions");
  const auto condition = conditions ? object_in(*conditions, name) : std::nullopt;
  if (!condition || text_in(*condition, "ComparisonOperator") != "EQ") return;
  for_each_in(*condition, "AttributeValueList",
              [&](JsonElement one) { out.push_back(value_text(object_of(one))); });
}

Values leading_keys_in(JsonObject members, const std::string& name) {
  Values keys;
  if (const auto key = object_in(members, "Key")) add_leading_key(*key, name, keys);
  if (const auto item = object_in(members, "Item")) add_leading_key(*item, name, keys);
  for_each_in(members, "Keys", [&](JsonElement one) {
    if (const auto key = object_of(one)) add_leading_key(*key, name, keys);
  });
  Values equal = AttributeFinder(members).equal_to(name);
  keys.insert(keys.end(), equal.begin(), equal.end());
  add_legacy_leading_key(members, name, keys);
  return keys;
}

void add_text_key(std::string_view key, JsonObject members, std::string_view member,
                  iam::RequestContext& out) {
  const std::string_view text = text_in(members, member);
  if (!text.empty()) out.add(key, std::string(text));
}

/// What a read returns. The guide's examples ask it of all reads of items; it does not say what it is for
/// requests without Select.
std::string select_of(JsonObject members, std::string_view index) {
  const std::string_view select = text_in(members, "Select");
  if (!select.empty()) return std::string(select);
  if (aws::member_of(members, "ProjectionExpression") || aws::member_of(members, "AttributesToGet"))
    return "SPECIFIC_ATTRIBUTES";
  return index.empty() ? "ALL_ATTRIBUTES" : "ALL_PROJECTED_ATTRIBUTES";
}

bool reads_items(std::string_view action) {
  return action == "GetItem" || action == "BatchGetItem" || action == "Query" || action == "Scan";
}

/// Adds the keys of one part of a request, which reads or writes items.
void add_item_keys(JsonObject members, ResourceAccess& access) {
  const std::string_view index = text_in(members, "IndexName");
  iam::RequestContext& keys = access.request.keys;
  if (const std::string* const name = leading_name(access, index)) {
    Values leading = leading_keys_in(members, *name);
    if (!leading.empty()) keys.add("dynamodb:LeadingKeys", std::move(leading));
  }
  Values attributes = attributes_in(members);
  if (!attributes.empty()) keys.add("dynamodb:Attributes", std::move(attributes));
  if (reads_items(access.request.action)) keys.add("dynamodb:Select", select_of(members, index));
  add_text_key("dynamodb:ReturnValues", members, "ReturnValues", keys);
}

class RequestsOf {
 public:
  RequestsOf(const Context& context, std::string_view operation, JsonObject members)
      : context_(context), operation_(operation), members_(members) {}

  Answer<std::vector<ResourceAccess>> collect() {
    if (std::ranges::find(of_statements, operation_) != of_statements.end()) return std::move(found_);
    if (operation_.starts_with("Transact")) {
      DINETTE_CHECK(add_transaction());
    } else if (operation_ == "BatchGetItem" || operation_ == "BatchWriteItem") {
      DINETTE_CHECK(add_batch());
    } else {
      DINETTE_CHECK(add_one());
    }
    for (ResourceAccess& one : found_)
      add_text_key("dynamodb:ReturnConsumedCapacity", members_, "ReturnConsumedCapacity", one.request.keys);
    return std::move(found_);
  }

 private:
  Answer<void> add_one() {
    DINETTE_TRY(ResourceAccess access, resource());
    access.request.action = operation_;
    // The keys of items do not apply to searches (docs/service/vector-search.md, "Elsewhere").
    if (operation_ != "SearchVectors") add_item_keys(members_, access);
    found_.push_back(std::move(access));
    if (operation_ == "UpdateTable") add_replicas();
    return {};
  }

  /// {"ReplicaUpdates": [{"Create": {"RegionName": "eu-west-1"}}, ...]}
  void add_replicas() {
    const AccessRequest table = found_.front().request;
    for_each_in(members_, "ReplicaUpdates", [&](JsonElement one) {
      const auto action = object_of(one);
      if (!action) return;
      if (const auto made = object_in(*action, "Create")) {
        for (const std::string_view right : rights_of_new_replica)
          add_replica(table, right, text_in(*made, "RegionName"));
      }
      if (const auto gone = object_in(*action, "Delete"))
        add_replica(table, "DeleteTableReplica", text_in(*gone, "RegionName"));
    });
  }

  /// The resource is the table of that region, as yet without a policy of its own.
  void add_replica(const AccessRequest& table, std::string_view right, std::string_view region) {
    const auto arn = aws::parse_arn(table.resource);
    if (!arn || region.empty()) return;
    ResourceAccess access;
    access.request.action = right;
    access.request.resource = "arn:" + std::string(arn->partition) + ":dynamodb:" + std::string(region) +
                              ":" + std::string(arn->account) + ":" + std::string(arn->resource);
    access.request.owner = table.owner;
    found_.push_back(std::move(access));
  }

  Answer<ResourceAccess> resource() const {
    if (std::ranges::find(without_resource, operation_) == without_resource.end()) {
      if (operation_ == "GetRecords") return arn_access(context_, stream_of_iterator());
      if (const auto table = object_in(members_, "TableCreationParameters"))
        return resource_access(context_, text_in(*table, "TableName"));
      for (const std::string_view member : naming) {
        if (const std::string_view named = text_in(members_, member); !named.empty())
          return resource_access(context_, named, index());
      }
    }
    ResourceAccess access;
    access.request.resource = "*";
    access.request.owner = context_.account;
    return access;
  }

  std::optional<std::string> index() const {
    if (operation_ != "Query" && operation_ != "Scan" && operation_ != "SearchVectors") return std::nullopt;
    const std::string_view name = text_in(members_, "IndexName");
    return name.empty() ? std::nullopt : std::optional<std::string>(name);
  }

  std::string stream_of_iterator() const {
    const auto iterator = ShardIterator::parse(text_in(members_, "ShardIterator"));
    return iterator ? iterator->stream_arn : "*";
  }

  /// {"RequestItems": {"Table": {"Keys": [...]}}}, or a list of PutRequest and DeleteRequest per table.
  Answer<void> add_batch() {
    const auto tables = object_in(members_, "RequestItems");
    if (!tables) return {};
    for (const auto [table, parts] : *tables) {
      DINETTE_TRY(ResourceAccess access, resource_access(context_, table));
      access.request.action = operation_;
      if (const auto keys = object_of(parts)) add_item_keys(*keys, access);
      for_each_in(*tables, table, [&](JsonElement one) { add_batched_write(one, access); });
      found_.push_back(std::move(access));
    }
    return {};
  }

  static void add_batched_write(JsonElement json, ResourceAccess& access) {
    const auto write = object_of(json);
    if (!write) return;
    for (const std::string_view kind : {"PutRequest", "DeleteRequest"}) {
      if (const auto request = object_in(*write, kind)) add_item_keys(*request, access);
    }
  }

  /// {"TransactItems": [{"Put": {...}}, ...]}
  Answer<void> add_transaction() {
    Answer<void> added;
    for_each_in(members_, "TransactItems", [&](JsonElement one) {
      const auto action = object_of(one);
      if (!action || !added) return;
      for (const auto [name, part] : *action) {
        const auto members = object_of(part);
        if (members && added) added = add_action(name, *members);
      }
    });
    return added;
  }

  Answer<void> add_action(std::string_view name, JsonObject members) {
    DINETTE_TRY(ResourceAccess access, resource_access(context_, text_in(members, "TableName")));
    access.request.action = name == "ConditionCheck" ? "ConditionCheckItem" : std::string(name) + "Item";
    access.request.keys.add("dynamodb:EnclosingOperation", std::string(operation_));
    add_item_keys(members, access);
    found_.push_back(std::move(access));
    return {};
  }

  const Context& context_;
  const std::string_view operation_;
  const JsonObject members_;
  std::vector<ResourceAccess> found_;
};

}  // namespace

Answer<std::vector<ResourceAccess>> access_requests(const Context& context, std::string_view operation,
                                                    JsonObject members) {
  return RequestsOf(context, operation, members).collect();
}

}  // namespace dinette::dynamodb::wire
