#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/aws/auth_options.h"
#include "dinette/base/log.h"
#include "dinette/base/result.h"
#include "dinette/cql/row_size.h"
#include "dinette/tablestore/service.h"

#include "app/options.h"

namespace dinette::app {

// Readers of option values. Each returns the value, or a sentence for the user that says what a good one
// looks like and follows the option's name.

base::Result<unsigned, std::string> read_number(std::string_view text, unsigned least, unsigned most);

/// Reads "0", or a number with its unit: 250ms, 2s, 1m.
base::Result<std::chrono::milliseconds, std::string> read_duration(std::string_view text);
/// The same within a range, whose ends are written as values are.
base::Result<std::chrono::milliseconds, std::string> read_duration(std::string_view text,
                                                                   std::string_view least,
                                                                   std::string_view most);

/// Reads a number of bytes, or of K, M or G (1,024 bytes, and so on): 64M, 2G. At least `least`, a whole
/// number of megabytes.
base::Result<std::size_t, std::string> read_size(std::string_view text, std::size_t least);

/// Reads a time, a range of times, or the mean of an exponential distribution: 500ms, 100ms..2s, mean=300ms.
base::Result<tenancy::FaultDelay, std::string> read_lag(std::string_view text);
base::Result<aws::AuthMode, std::string> read_auth_mode(std::string_view text);
/// Reads what becomes of requests in a transaction's way: returns true if they are refused.
base::Result<bool, std::string> read_conflicts(std::string_view text);
/// Returns true for "service", false for "none".
base::Result<bool, std::string> read_throttle(std::string_view text);
base::Result<bool, std::string> read_quotas(std::string_view text);
/// Reads whose validation requests get; returns nothing for that of the caller's region.
base::Result<std::optional<aws::Generation>, std::string> read_validation(std::string_view text);
/// Reads how durable an answered write is; returns true if it waits for the disk.
base::Result<bool, std::string> read_durability(std::string_view text);
base::Result<base::LogLevel, std::string> read_log_level(std::string_view text);
base::Result<base::LogFormat, std::string> read_log_format(std::string_view text);

/// Reads a number of items, which may be large.
base::Result<std::uint64_t, std::string> read_items(std::string_view text);

base::Result<OutputFormat, std::string> read_file_format(std::string_view text);

base::Result<Shell, std::string> read_shell(std::string_view text);

base::Result<TableFormat, std::string> read_table_format(std::string_view text);

/// Reads NAME=VALUE into `to`. The value may be empty; a name that is there already gets the new one.
base::Result<void, std::string> read_assignment(std::map<std::string, std::string, std::less<>>& to,
                                                std::string_view text);

/// Reads ID=SECRET, of which neither is empty.
base::Result<tablestore::AccessKey, std::string> read_access_key(std::string_view text);

/// Reads NAME=PASSWORD, of which neither is empty, into `to`.
base::Result<void, std::string> read_user(std::map<std::string, std::string, std::less<>>& to,
                                          std::string_view text);

base::Result<cql::SizeFormula, std::string> read_size_formula(std::string_view text);

/// Reads a partition key, and perhaps a sort key: "pk:S", "pk:S,sk:N".
base::Result<std::vector<KeyOption>, std::string> read_keys(std::string_view text);

/// Reads a character that separates the columns of CSV, or its name: "," "tab".
base::Result<char, std::string> read_delimiter(std::string_view text);

/// Reads columns of CSV and their types: "plays:N,gone:BOOL".
base::Result<std::vector<std::pair<std::string, dynamodb::item_files::CellType>>, std::string> read_types(
    std::string_view text);

/// Reads the URL of a server, without a path.
base::Result<std::string, std::string> read_endpoint(std::string_view text);

/// Reads twelve digits.
base::Result<std::string, std::string> read_account(std::string_view text);

/// Reads a region, which must be valid in ARNs.
base::Result<std::string, std::string> read_region(std::string_view text);

/// Checks web pages that may call, comma-separated: local, *, origins, and hosts.
base::Result<std::string, std::string> read_origins(std::string_view text);

/// Reads REGION=PORT, comma-separated, and has regions isolated.
base::Result<void, std::string> read_region_ports(Options& options, std::string_view text);

/// Reads "account", "region" or both, comma-separated, into `options`.
base::Result<void, std::string> read_isolation(Options& options, std::string_view text);

}  // namespace dinette::app
