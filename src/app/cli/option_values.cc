#include "app/cli/option_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "app/called_server.h"

namespace dinette::app {
namespace {

using base::Failure;

constexpr unsigned longest_duration_count = 1'000'000;

std::optional<unsigned> whole_number(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Returns true if that could be an origin, or the host of one: "local" and "*" look like hosts. Browsers
/// send no origin with the characters of queries, of users, or with spaces.
bool may_be_origin(std::string_view text) {
  constexpr std::string_view after_scheme = "://";
  if (text.find_first_of(" \t\r\n?#@\\") != std::string_view::npos) return false;
  const std::size_t scheme = text.find(after_scheme);
  if (scheme == std::string_view::npos) {
    const bool has_port = text.find(':') != std::string_view::npos && !text.starts_with('[');
    return !has_port && text.find('/') == std::string_view::npos;
  }
  const std::size_t path = text.find('/', scheme + after_scheme.size());
  return path == std::string_view::npos || path + 1 == text.size();
}

/// Returns the parts of a list with commas between them; none of an empty one.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = list; !rest.empty() || (!parts.empty() && list.ends_with(','));) {
    parts.push_back(rest.substr(0, rest.find(',')));
    if (rest.empty()) break;
    rest.remove_prefix(std::min(parts.back().size() + 1, rest.size()));
  }
  return parts;
}

Failure<std::string> no_region_ports(std::string_view text) {
  return Failure{"takes regions with their ports, such as eu-west-1=8001,us-west-2=8002, not '" +
                 std::string(text) + "'"};
}

}  // namespace

base::Result<unsigned, std::string> read_number(std::string_view text, unsigned least, unsigned most) {
  const auto number = whole_number(text);
  if (number && *number >= least && *number <= most) return *number;
  return Failure{"takes a number from " + std::to_string(least) + " to " + std::to_string(most) + ", not '" +
                 std::string(text) + "'"};
}

base::Result<std::chrono::milliseconds, std::string> read_duration(std::string_view text) {
  using std::chrono::milliseconds;
  using Unit = std::pair<std::string_view, milliseconds>;
  static constexpr std::array<Unit, 6> duration_units{{{"", milliseconds(1)},
                                                       {"ms", milliseconds(1)},
                                                       {"s", std::chrono::seconds(1)},
                                                       {"m", std::chrono::minutes(1)},
                                                       {"h", std::chrono::hours(1)},
                                                       {"d", std::chrono::days(1)}}};

  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = whole_number(text.substr(0, digits));
  const auto unit = std::ranges::find(duration_units, text.substr(digits), &Unit::first);
  if (count && *count <= longest_duration_count && unit != duration_units.end()) return *count * unit->second;
  return Failure{"takes a duration such as 250ms, 2s or 1m, or a number of milliseconds, not '" +
                 std::string(text) + "'"};
}

base::Result<std::chrono::milliseconds, std::string> read_duration(std::string_view text,
                                                                   std::string_view least,
                                                                   std::string_view most) {
  const auto duration = read_duration(text);
  if (duration && *duration >= *read_duration(least) && *duration <= *read_duration(most)) return *duration;
  return Failure{"takes a duration from " + std::string(least) + " to " + std::string(most) + ", not '" +
                 std::string(text) + "'"};
}

base::Result<std::size_t, std::string> read_size(std::string_view text, std::size_t least) {
  using Unit = std::pair<std::string_view, unsigned>;
  static constexpr std::array<Unit, 4> size_shifts{{{"", 0}, {"K", 10}, {"M", 20}, {"G", 30}}};

  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = whole_number(text.substr(0, digits));
  const auto unit = std::ranges::find(size_shifts, text.substr(digits), &Unit::first);
  if (count && unit != size_shifts.end()) {
    const std::size_t size = std::size_t{*count} << unit->second;
    if (size >= least) return size;
  }
  return Failure{"takes a size from " + std::to_string(least >> 20) + "M on, such as 512M or 2G, not '" +
                 std::string(text) + "'"};
}

base::Result<tenancy::FaultDelay, std::string> read_lag(std::string_view text) {
  constexpr std::string_view mean = "mean=";
  constexpr std::string_view to = "..";
  // What takes longer is so rare that it would only make tests wait.
  constexpr int most_means = 10;
  if (text.starts_with(mean)) {
    DINETTE_TRY(const auto time, read_duration(text.substr(mean.size())));
    return tenancy::FaultDelay{.least = {}, .most = most_means * time, .mean = time};
  }
  const auto middle = text.find(to);
  if (middle == std::string_view::npos) {
    DINETTE_TRY(const auto time, read_duration(text));
    return tenancy::FaultDelay::always(time);
  }
  DINETTE_TRY(const auto least, read_duration(text.substr(0, middle)));
  DINETTE_TRY(const auto most, read_duration(text.substr(middle + to.size())));
  if (least > most) return Failure{"takes a range such as 100ms..2s, not '" + std::string(text) + "'"};
  return tenancy::FaultDelay{.least = least, .most = most, .mean = {}};
}

base::Result<aws::AuthMode, std::string> read_auth_mode(std::string_view text) {
  using aws::AuthMode;
  if (text == "none") return AuthMode::none;
  if (text == "present") return AuthMode::present;
  if (text == "verify") return AuthMode::verify;
  return Failure{"takes one of none, present, verify, not '" + std::string(text) + "'"};
}

base::Result<std::string, std::string> read_origins(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string_view one = rest.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    one = one.substr(0, one.find_last_not_of(' ') + 1);
    if (!may_be_origin(one)) {
      return Failure{
          "takes origins without a path, such as https://app.example:3000, and hosts without a port, "
          "such as app.example, not '" +
          std::string(one) + "'"};
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::string(text);
}

base::Result<bool, std::string> read_conflicts(std::string_view text) {
  if (text == "wait") return false;
  if (text == "service") return true;
  return Failure{"takes wait or service, not '" + std::string(text) + "'"};
}

base::Result<bool, std::string> read_throttle(std::string_view text) {
  if (text == "none") return false;
  if (text == "service") return true;
  return Failure{"takes none or service, not '" + std::string(text) + "'"};
}

base::Result<bool, std::string> read_quotas(std::string_view text) {
  return read_throttle(text);
}

base::Result<cql::SizeFormula, std::string> read_size_formula(std::string_view text) {
  if (text == "earlier") return cql::SizeFormula::earlier;
  if (text == "current") return cql::SizeFormula::current;
  return Failure{"takes earlier or current, not '" + std::string(text) + "'"};
}

base::Result<std::optional<aws::Generation>, std::string> read_validation(std::string_view text) {
  if (text == "region") return std::optional<aws::Generation>();
  if (text == "older") return std::optional(aws::Generation::older);
  if (text == "newer") return std::optional(aws::Generation::current);
  return Failure{"takes region, older or newer, not '" + std::string(text) + "'"};
}

base::Result<bool, std::string> read_durability(std::string_view text) {
  if (text == "process") return false;
  if (text == "sync") return true;
  return Failure{"takes process or sync, not '" + std::string(text) + "'"};
}

base::Result<base::LogLevel, std::string> read_log_level(std::string_view text) {
  if (const auto level = base::parse_log_level(text)) return *level;
  return Failure{"takes one of off, error, warn, info, debug, not '" + std::string(text) + "'"};
}

base::Result<base::LogFormat, std::string> read_log_format(std::string_view text) {
  if (const auto format = base::parse_log_format(text)) return *format;
  return Failure{"takes text or json, not '" + std::string(text) + "'"};
}

base::Result<std::uint64_t, std::string> read_items(std::string_view text) {
  std::uint64_t items = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), items);
  if (error == std::errc{} && end == text.data() + text.size() && items > 0) return items;
  return Failure{"takes a number of items, such as 1000, not '" + std::string(text) + "'"};
}

base::Result<OutputFormat, std::string> read_file_format(std::string_view text) {
  if (text == "dynamodb-json") return OutputFormat::dynamodb_json;
  if (text == "json") return OutputFormat::json;
  if (text == "csv") return OutputFormat::csv;
  return Failure{"takes csv, json or dynamodb-json, not '" + std::string(text) + "'"};
}

base::Result<Shell, std::string> read_shell(std::string_view text) {
  if (text == "bash") return Shell::bash;
  if (text == "zsh") return Shell::zsh;
  if (text == "fish") return Shell::fish;
  return Failure{"takes bash, zsh or fish, not '" + std::string(text) + "'"};
}

base::Result<TableFormat, std::string> read_table_format(std::string_view text) {
  if (text == "cloudformation") return TableFormat::cloudformation;
  if (text == "terraform") return TableFormat::terraform;
  if (text == "cli") return TableFormat::cli;
  if (text == "workbench") return TableFormat::workbench;
  if (text == "json") return TableFormat::json;
  return Failure{"takes cloudformation, terraform, cli, workbench or json, not '" + std::string(text) + "'"};
}

base::Result<void, std::string> read_assignment(std::map<std::string, std::string, std::less<>>& to,
                                                std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return Failure{"takes NAME=VALUE, not '" + std::string(text) + "'"};
  to.insert_or_assign(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  return {};
}

base::Result<tablestore::AccessKey, std::string> read_access_key(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return Failure{std::string("takes ID=SECRET, of which neither is empty")};
  return tablestore::AccessKey{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

base::Result<void, std::string> read_user(std::map<std::string, std::string, std::less<>>& to,
                                          std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return Failure{std::string("takes NAME=PASSWORD, of which neither is empty")};
  to.insert_or_assign(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  return {};
}

base::Result<std::vector<KeyOption>, std::string> read_keys(std::string_view text) {
  constexpr std::string_view types = "SNB";
  constexpr std::size_t most_keys = 2;
  std::vector<KeyOption> keys;
  bool good = true;
  for (const std::string_view one : parts_of(text)) {
    good = good && one.size() > 2 && one[one.size() - 2] == ':' && types.find(one.back()) != types.npos;
    if (!good) break;
    keys.push_back({std::string(one.substr(0, one.size() - 2)), one.back()});
  }
  if (good && !keys.empty() && keys.size() <= most_keys) return keys;
  return Failure{
      "takes a partition key, and perhaps a sort key, with their types, such as pk:S or pk:S,sk:N, not '" +
      std::string(text) + "'"};
}

base::Result<char, std::string> read_delimiter(std::string_view text) {
  constexpr std::string_view characters = ",;|: \t";
  if (text == "tab") return '\t';
  if (text == "space") return ' ';
  if (text.size() == 1 && characters.find(text.front()) != text.npos) return text.front();
  return Failure{"takes one of , ; | : tab and space, not '" + std::string(text) + "'"};
}

base::Result<std::vector<std::pair<std::string, dynamodb::item_files::CellType>>, std::string> read_types(
    std::string_view text) {
  using dynamodb::item_files::CellType;
  using Named = std::pair<std::string_view, CellType>;
  static constexpr std::array<Named, 4> cell_types{
      {{"S", CellType::text}, {"N", CellType::number}, {"B", CellType::binary}, {"BOOL", CellType::boolean}}};
  std::vector<std::pair<std::string, CellType>> columns;
  for (const std::string_view one : parts_of(text)) {
    const std::size_t colon = one.rfind(':');
    const auto type =
        std::ranges::find(cell_types, one.substr(std::min(colon + 1, one.size())), &Named::first);
    if (colon == one.npos || colon == 0 || type == cell_types.end()) {
      columns.clear();
      break;
    }
    columns.emplace_back(one.substr(0, colon), type->second);
  }
  if (!columns.empty()) return columns;
  return Failure{"takes columns with their types, of S, N, B and BOOL, such as plays:N,gone:BOOL, not '" +
                 std::string(text) + "'"};
}

base::Result<std::string, std::string> read_endpoint(std::string_view text) {
  if (is_url(text) && read_url(text)) return std::string(text);
  return Failure{"takes the URL of a server, such as http://127.0.0.1:9000 or https://s3.example, not '" +
                 std::string(text) + "'"};
}

base::Result<std::string, std::string> read_account(std::string_view text) {
  if (aws::is_account_number(text)) return std::string(text);
  return Failure{"takes an account number of twelve digits, not '" + std::string(text) + "'"};
}

base::Result<std::string, std::string> read_region(std::string_view text) {
  if (aws::is_region_name(text)) return std::string(text);
  return Failure{"takes the name of a region such as eu-west-1, not '" + std::string(text) + "'"};
}

base::Result<void, std::string> read_isolation(Options& options, std::string_view text) {
  const bool both = text == "account,region" || text == "region,account";
  if (!both && text != "account" && text != "region") {
    return Failure{"takes account, region or account,region, not '" + std::string(text) + "'"};
  }
  options.isolation.accounts = both || text == "account";
  options.isolation.regions = both || text == "region" || !options.region_ports.empty();
  return {};
}

base::Result<void, std::string> read_region_ports(Options& options, std::string_view text) {
  const auto parts = parts_of(text);
  if (parts.empty()) return no_region_ports(text);
  for (const std::string_view one : parts) {
    const std::size_t equals = std::min(one.find('='), one.size());
    const std::string_view region = one.substr(0, equals);
    const auto port = read_number(one.substr(std::min(equals + 1, one.size())), 0,
                                  std::numeric_limits<std::uint16_t>::max());
    if (!aws::is_region_name(region) || !port) return no_region_ports(text);
    if (std::ranges::count(options.region_ports, region, &RegionPort::region) != 0)
      return Failure{"has the region " + std::string(region) + " twice"};
    options.region_ports.push_back({std::string(region), static_cast<std::uint16_t>(*port)});
  }
  options.isolation.regions = true;
  return {};
}

}  // namespace dinette::app
