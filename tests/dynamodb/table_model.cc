#include "dynamodb/table_model.h"

#include <algorithm>

#include "dinette/base/base64.h"

namespace test {
namespace {

struct Sample {
  std::string_view text;
  std::size_t bytes;
};

// Sizes: docs/service/values.md section 6.
constexpr Sample numbers[] = {{"0", 1},   {"1", 2},    {"-42", 3}, {"2.5", 3},
                              {"100", 2}, {"1010", 3}, {"0.15", 2}};
constexpr Sample binaries[] = {{"AA==", 1}, {"AAE=", 2}, {"/w==", 1}, {"//8A", 3}};
constexpr std::string_view strings[] = {"a", "ab", "abc", "b", "\xc3\xa9", "A"};

template <class List>
const auto& any_of(Random& random, const List& list) {
  return list[random() % std::size(list)];
}

bool one_in(Random& random, unsigned n) {
  return random() % n == 0;
}

template <class List>
std::size_t listed_size(const List& list, std::string_view text) {
  return std::ranges::find(list, text, &Sample::text)->bytes;
}

std::size_t value_size(const Json& value) {
  const std::string type = value.begin().key();
  const Json& inside = value.begin().value();
  if (type == "S") return inside.get<std::string>().size();
  if (type == "N") return listed_size(numbers, inside.get<std::string>());
  if (type == "B") return listed_size(binaries, inside.get<std::string>());
  if (type == "BOOL" || type == "NULL") return 1;
  std::size_t size = 3;
  for (const auto& [name, element] : inside.items()) {
    size += 1 + value_size(element) + (type == "M" ? name.size() : 0);
  }
  return size;
}

std::vector<std::string> names_of(const Json& key_schema, std::string_view role) {
  std::vector<std::string> names;
  for (const Json& element : key_schema) {
    if (element["KeyType"] == role) names.push_back(element["AttributeName"]);
  }
  return names;
}

Walk walk_along(const Json& key_schema) {
  Walk walk;
  walk.hash = names_of(key_schema, "HASH");
  walk.range = names_of(key_schema, "RANGE");
  return walk;
}

bool has_all(const Json& item, const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [&](const std::string& name) { return item.contains(name); });
}

Json only(const Json& item, const std::vector<std::string>& names) {
  Json kept = Json::object();
  for (const std::string& name : names) {
    if (item.contains(name)) kept[name] = item[name];
  }
  return kept;
}

void append(std::vector<std::string>& names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
}

Json key_schema(const std::vector<std::string>& hash, const std::vector<std::string>& range) {
  Json schema = Json::array();
  for (const std::string& name : hash) schema.push_back({{"AttributeName", name}, {"KeyType", "HASH"}});
  for (const std::string& name : range) schema.push_back({{"AttributeName", name}, {"KeyType", "RANGE"}});
  return schema;
}

Json projection(std::size_t number) {
  if (number % 3 == 0) return {{"ProjectionType", "ALL"}};
  if (number % 3 == 1) return {{"ProjectionType", "KEYS_ONLY"}};
  return {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"x", "a"}}};
}

Json random_global_key(Random& random, std::vector<std::string> names) {
  std::ranges::shuffle(names, random);
  const auto some = [&](std::size_t most) { return static_cast<std::ptrdiff_t>(random() % most); };
  const auto hashes = names.begin() + std::min(1 + some(3), std::ssize(names));
  const auto ranges = hashes + std::min(some(4), names.end() - hashes);
  return key_schema({names.begin(), hashes}, {hashes, ranges});
}

Json index(const std::string& name, Json schema, std::size_t projected) {
  return {{"IndexName", name}, {"KeySchema", std::move(schema)}, {"Projection", projection(projected)}};
}

/// Attributes that no key has are not defined.
void define_attributes(Random& random, Json& request) {
  const std::string keys = request.dump();
  request["AttributeDefinitions"] = Json::array();
  for (const std::string name : {"pk", "sk", "a", "b", "c", "d"}) {
    if (keys.find(R"("AttributeName":")" + name + '"') == std::string::npos) continue;
    constexpr std::string_view types[] = {"S", "N", "B"};
    request["AttributeDefinitions"].push_back(
        {{"AttributeName", name}, {"AttributeType", any_of(random, types)}});
  }
}

}  // namespace

bool sorts_before(const Json& a, const Json& b) {
  const std::string& left = a.begin()->get_ref<const std::string&>();
  const std::string& right = b.begin()->get_ref<const std::string&>();
  if (a.begin().key() == "N") return std::stod(left) < std::stod(right);
  if (a.begin().key() == "S") return left < right;
  return dinette::base::base64_decode(left) < dinette::base::base64_decode(right);
}

std::size_t size_in_bytes(const Json& item) {
  std::size_t size = 0;
  for (const auto& [name, value] : item.items()) size += name.size() + value_size(value);
  return size;
}

TableModel::TableModel(const Json& create_table) {
  walks_.push_back(walk_along(create_table["KeySchema"]));
  for (const std::string kind : {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"}) {
    for (const Json& definition : create_table.value(kind, Json::array()))
      add_index(definition, kind[0] == 'L');
  }
}

void TableModel::add_index(const Json& definition, bool local) {
  Walk walk = walk_along(definition["KeySchema"]);
  walk.index = definition["IndexName"];
  walk.local = local;
  walk.projection = definition["Projection"]["ProjectionType"];
  walk.included = definition["Projection"].value("NonKeyAttributes", walk.included);
  walks_.push_back(walk);
}

Json TableModel::key_of(const Json& item) const {
  std::vector<std::string> names = table().hash;
  append(names, table().range);
  return only(item, names);
}

void TableModel::update(const Json& key, const Json& set, const std::vector<std::string>& removed) {
  Json& item = items_.try_emplace(key.dump(), key).first->second;
  for (const auto& [name, value] : set.items()) item[name] = value;
  for (const std::string& name : removed) item.erase(name);
}

std::vector<Row> TableModel::rows(const Walk& walk) const {
  std::vector<std::string> projected = walk.included;
  for (const auto* names : {&table().hash, &table().range, &walk.hash, &walk.range})
    append(projected, *names);
  std::vector<Row> rows;
  for (const auto& [key, item] : items_) {
    if (!has_all(item, walk.hash) || !has_all(item, walk.range)) continue;
    rows.push_back({walk.projection == "ALL" ? item : only(item, projected), item});
  }
  return rows;
}

std::vector<Row> TableModel::partition(const Walk& walk, const Json& like) const {
  std::vector<Row> found = rows(walk);
  std::erase_if(found, [&](const Row& row) { return only(row.entry, walk.hash) != only(like, walk.hash); });
  std::ranges::stable_sort(found, [&](const Row& a, const Row& b) {
    for (const std::string& name : walk.range) {
      if (a.entry[name] != b.entry[name]) return sorts_before(a.entry[name], b.entry[name]);
    }
    return false;
  });
  return found;
}

Json sorted(std::vector<Json> entries) {
  std::ranges::sort(entries);
  return entries;
}

Json random_table(Random& random) {
  const bool with_range = !one_in(random, 4);
  Json request = {{"TableName", "Tab"}, {"BillingMode", "PAY_PER_REQUEST"}};
  request["KeySchema"] = with_range ? key_schema({"pk"}, {"sk"}) : key_schema({"pk"}, {});
  if (with_range) {
    const std::string attributes[] = {"a", "b", "c"};
    for (std::size_t i = 0; i < 3; ++i) {
      request["LocalSecondaryIndexes"].push_back(
          index("local" + std::to_string(i), key_schema({"pk"}, {attributes[i]}), i));
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    request["GlobalSecondaryIndexes"].push_back(
        index("global" + std::to_string(i), random_global_key(random, {"pk", "sk", "a", "b", "c", "d"}), i));
  }
  define_attributes(random, request);
  return request;
}

Json random_index(Random& random, const std::string& name, const Json& create_table) {
  std::vector<std::string> names;
  for (const Json& definition : create_table["AttributeDefinitions"])
    names.push_back(definition["AttributeName"]);
  return index(name, random_global_key(random, names), random());
}

Json random_value(Random& random, std::string_view type) {
  if (type == "N") return {{"N", any_of(random, numbers).text}};
  if (type == "B") return {{"B", any_of(random, binaries).text}};
  if (type == "S") return {{"S", any_of(random, strings)}};
  if (type == "L") return {{"L", {random_value(random, "S"), random_value(random, "N")}}};
  return {{"M", {{"k", random_value(random, "B")}, {"l", {{"BOOL", one_in(random, 2)}}}}}};
}

Json random_item(Random& random, const Json& create_table) {
  Json item = Json::object();
  for (const Json& definition : create_table["AttributeDefinitions"]) {
    const std::string name = definition["AttributeName"];
    const auto& schema = create_table["KeySchema"];
    const bool in_key = name == "pk" || (name == "sk" && schema.size() == 2);
    if (in_key || !one_in(random, 4)) {
      item[name] = random_value(random, definition["AttributeType"].get<std::string>());
    }
  }
  constexpr std::string_view types[] = {"S", "N", "B", "L", "M"};
  for (const std::string name : {"x", "y"}) {
    if (!one_in(random, 3)) item[name] = random_value(random, any_of(random, types));
  }
  return item;
}

}  // namespace test
