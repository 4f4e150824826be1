#include "table_links.h"

#include "../node_members.h"

namespace dinette::definitions {
namespace {

std::string joined(const std::vector<std::string>& parts, std::size_t count) {
  std::string address;
  for (std::size_t i = 0; i < count; ++i) address += (i == 0 ? "" : ".") + parts[i];
  return address;
}

/// Returns how many parts of an address name its module: none for the root, two for each module.
std::size_t parts_of_module(const std::vector<std::string>& parts) {
  std::size_t count = 0;
  while (count + 1 < parts.size() && parts[count] == "module") count += 2;
  return count;
}

/// Returns the address of the resource in a reference, without attributes of it; empty if it has none of
/// that type.
std::string resource_in(std::string_view reference, std::string_view type) {
  const std::vector<std::string> parts = parts_of(reference);
  const std::size_t module = parts_of_module(parts);
  if (parts.size() < module + 2 || parts[module] != type) return {};
  return joined(parts, module + 2);
}

std::string module_of(std::string_view address) {
  const std::vector<std::string> parts = parts_of(address);
  return joined(parts, parts_of_module(parts));
}

}  // namespace

void AddressIndex::add(const std::string& address) {
  entries_[without_keys(address)].push_back(
      {count_++, module_of(address), std::string(key_of_instance(address))});
}

bool AddressIndex::is_of_type(std::string_view reference) const {
  return !resource_in(reference, type_).empty();
}

std::optional<std::size_t> AddressIndex::find(std::string_view reference, std::string_view from) const {
  const std::string referred = resource_in(reference, type_);
  const auto entries = entries_.find(without_keys(referred));
  if (entries == entries_.end()) return {};
  const std::string_view wanted_key = key_of_instance(referred);
  const std::string_view key = key_of_instance(from);
  const std::string module = module_of(from);
  int best = -1;
  std::optional<std::size_t> found;
  for (const Entry& entry : entries->second) {
    if (!wanted_key.empty() && entry.key != wanted_key) continue;
    const int fit = (entry.module == module ? 2 : 0) + (entry.key == key ? 1 : 0);
    if (fit < best) continue;
    found = fit == best ? std::nullopt : std::optional(entry.position);  // two fit as well: not to be told
    best = fit;
  }
  return found;
}

TableLinks::TableLinks(std::vector<LinkedTable>& tables) : tables_(tables), addresses_("aws_dynamodb_table") {
  for (LinkedTable& table : tables) {
    addresses_.add(table.definition.id);
    names_.emplace(table.definition.name, &table.definition);
  }
}

TableLink TableLinks::find(const Resource& resource, std::string_view attribute) const {
  if (const std::string value = text_at(resource.values, attribute); !value.empty()) {
    const std::string name = value.starts_with("arn:") ? table_name_of_arn(value) : value;
    const auto named = names_.find(name);
    return {named == names_.end() ? nullptr : named->second, name};
  }
  const auto references = resource.references.find(attribute);
  if (references == resource.references.end()) return {};
  for (const std::string& reference : references->second) {
    if (!addresses_.is_of_type(reference)) continue;
    const auto found = addresses_.find(reference, resource.address);  // the first one is the most exact
    if (!found) return {};
    TableDefinition& table = tables_[*found].definition;
    return {&table, table.name};
  }
  return {};
}

std::string table_name_of_arn(std::string_view arn) {
  constexpr std::string_view service = ":dynamodb:";
  constexpr std::string_view table = ":table/";
  const std::size_t begin = arn.find(table);
  if (!arn.starts_with("arn:") || arn.find(service) == std::string_view::npos ||
      begin == std::string_view::npos)
    return {};
  const std::string_view rest = arn.substr(begin + table.size());
  return std::string(rest.substr(0, rest.find('/')));
}

}  // namespace dinette::definitions
