#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dinette/aws/auth_options.h"
#include "dinette/aws/generation.h"
#include "dinette/base/log.h"
#include "dinette/cql/row_size.h"
#include "dinette/dynamodb/item_files/csv_reader.h"
#include "dinette/lambda/function_places.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/tablestore/service.h"
#include "dinette/tenancy/faults.h"
#include "dinette/tenancy/tenants.h"

#include "app/output_format.h"

namespace dinette::app {

enum class Command {
  serve,
  healthcheck,
  export_tables,
  import_tables,
  pull,
  listen,
  check_folder,
  mcp,
  doctor,
  tables,
  policy,
  row_size,
  help,
  healthcheck_help,
  export_help,
  import_help,
  pull_help,
  listen_help,
  check_help,
  mcp_help,
  doctor_help,
  tables_help,
  policy_help,
  row_size_help,
  help_markdown,
  help_man,
  completions,
  version
};

/// A shell that completes command lines.
enum class Shell { bash, zsh, fish };

/// What `dinette tables` does.
enum class TablesAction { none, apply, diff, show };

/// A format in which `dinette tables show` writes tables.
enum class TableFormat { cloudformation, terraform, cli, workbench, json };

/// Files of table definitions, and what they leave to those who use them: of --tables and `dinette tables`.
struct DefinitionOptions {
  std::vector<std::string> files;
  std::string stack;  ///< empty: the stem of the file's name
  std::string stage;  ///< empty: what the file says
  std::map<std::string, std::string, std::less<>> parameters;
  std::map<std::string, std::string, std::less<>> imports;  ///< values that other stacks export
  std::map<std::string, std::string, std::less<>> names;    ///< of tables, by logical ID
  std::vector<std::string> variable_files;                  ///< of variables of Terraform
};

/// What only `dinette tables` takes; it also takes DefinitionOptions, the destination and names of tables.
struct TablesOptions {
  TablesAction action = TablesAction::none;
  std::string region;  ///< empty: the environment's
  bool dry_run = false;
  bool update = false;
  bool replace = false;
  bool skip_existing = false;
  bool prune = false;
  bool print_environment = false;
  std::string other;  ///< of --with: a URL or a file
  std::string from;   ///< of --from: a URL or a data folder
  std::optional<TableFormat> format;
};

/// A request that `dinette policy` decides.
struct PolicyOptions {
  std::string caller;                ///< a user, an ARN or an access key
  std::string action;                ///< such as dynamodb:GetItem
  std::string resource = "*";        ///< an ARN
  std::string resource_policy_file;  ///< empty: the resource has none
  std::map<std::string, std::vector<std::string>, std::less<>> context;
};

/// An attribute of a key, as --key names it.
struct KeyOption {
  std::string name;
  char type = 'S';  ///< S, N or B
};

/// A port whose requests are all for one region.
struct RegionPort {
  std::string region;
  std::uint16_t port = 0;  ///< 0 = any free port
};

/// The settings of one command line, with defaults. option_table.cc declares the options; --help and
/// docs/options.md are generated from that table.
struct Options {
  Command command = Command::serve;

  std::string host = "localhost";  ///< addresses, comma-separated
  std::uint16_t port = 8000;       ///< 0 = any free port
  std::string cors_origins = "local";
  bool administration = true;
  std::string admin_token;  ///< empty: none, and only callers of this machine administrate

  aws::AuthMode auth = aws::AuthMode::none;
  std::string credentials_file;
  std::string identities_file;  ///< users, roles and their policies; empty: all may do everything
  tenancy::Isolation isolation;
  std::vector<RegionPort> region_ports;
  std::string region = "us-east-1";
  std::string account = "000000000000";

  std::string tls_certificate_file;
  std::string tls_key_file;
  bool tls_self_signed = false;
  std::string self_signed_file;  ///< that keeps the certificate; empty: none

  unsigned threads = 0;  ///< 0 = one per core
  unsigned max_connections = 4096;
  std::size_t connection_memory = 512 * 1024 * 1024;  ///< bytes

  std::string data_folder;       ///< empty: everything is in memory, or in the store
  std::string store;             ///< the URL of a PostgreSQL database that has everything; or empty
  std::string s3_folder;         ///< of buckets; empty: s3 in the data folder, or memory
  std::string s3_endpoint;       ///< URL of an S3 elsewhere; empty: the buckets are here
  std::string kinesis_endpoint;  ///< URL of a Kinesis elsewhere, for destinations; empty: the own one
  bool sync = false;             ///< commits wait for the disk
  std::string load_folder;       ///< or file, of tables that are imported at start; empty: none
  DefinitionOptions definitions;
  bool watch = false;      ///< the files of --tables are watched
  std::size_t memory = 0;  ///< bytes, for data of a data folder; 0 = half of what the machine has

  std::chrono::milliseconds state_delay{0};
  std::chrono::milliseconds index_state_delay{0};  ///< if longer than state_delay
  std::chrono::milliseconds index_lag{0};
  bool stale_reads = false;
  tenancy::FaultDelay replication_lag;
  std::chrono::milliseconds time_to_live_delay{0};
  std::chrono::milliseconds stream_retention = std::chrono::hours(24);
  std::chrono::milliseconds recovery_window = std::chrono::days(35);
  bool partition_minimum = false;
  bool refuse_conflicts = false;
  bool throttle = false;
  bool quotas = false;
  std::optional<aws::Generation> validation;  ///< for all operations; none: by region
  bool lenient_types = false;
  std::string faults_file;           ///< rules that the default world begins with; empty: none
  lambda::FunctionPlaces functions;  ///< of --lambda-endpoint
  std::chrono::milliseconds function_timeout = std::chrono::minutes(15);  ///< of one call
  std::string triggers_file;          ///< triggers that the default world begins with; empty: none
  std::optional<std::uint64_t> seed;  ///< for everything random; none: seeded by the operating system

  std::optional<std::uint16_t> tablestore_port;  ///< of its own, where all requests are Tablestore's; 0 = any
  std::vector<tablestore::AccessKey> tablestore_keys;
  bool tablestore_loose_names = false;

  std::optional<std::uint16_t> cql_port;  ///< where Amazon Keyspaces is served; 0 = any; none: it is not
  std::map<std::string, std::string, std::less<>> cql_users;  ///< passwords by user
  bool cql_strict = false;
  cql::SizeFormula cql_sizes = cql::SizeFormula::earlier;

  base::LogLevel log_level = base::LogLevel::warn;
  base::LogFormat log_format = base::LogFormat::text;
  bool log_items = false;
  unsigned requests = observe::RecentRequests::usually_kept;  ///< that are always kept; 0: none
  bool report = false;  ///< what the run costs is recorded, and printed at the end

  /// Started with an option in DynamoDB Local's spelling, or as `java`: some of its behaviour is then
  /// expected.
  bool as_dynamodb_local = false;
  bool in_memory = false;       ///< -inMemory was given
  std::string database_folder;  ///< of -dbPath; the data folder, unless in_memory
  std::string java_class_path;  ///< of -cp; the name of a class follows

  bool healthcheck_tls = false;
  Shell shell = Shell::bash;  ///< of --completions

  // Of exports, imports, pulls, listeners, checks, mcp, doctor and tables.
  std::string source;               ///< what is named without an option: a URL or a folder
  std::string destination;          ///< of --to, --into or --forward-to
  std::vector<std::string> tables;  ///< of --table; empty: all
  std::vector<KeyOption> keys;      ///< of --key; empty: none

  char csv_delimiter = '\0';  ///< of --delimiter; '\0': as the file suggests
  std::map<std::string, dynamodb::item_files::CellType, std::less<>> csv_types;  ///< of --types, by column
  bool csv_infer = false;

  std::optional<OutputFormat> format;  ///< of the files of exports and pulls
  Existing existing = Existing::refuse;

  // Of pulls and listeners; the source is "aws" or a URL.
  std::string profile;        ///< empty: as the environment says
  std::string source_region;  ///< empty: as the environment or the profile says
  std::string where;          ///< empty: all items
  std::uint64_t limit = 0;    ///< items per table; 0: all
  std::uint64_t sample = 0;   ///< items per table; 0: no sample
  unsigned read_rate = 0;     ///< read units per second; 0: no limit
  std::string mask_file;      ///< empty: none

  bool repair = false;        ///< a check makes the folder one that opens
  bool allow_writes = false;  ///< of tools of mcp
  std::string import_folder;  ///< of mcp: whose files may be imported; empty: none
  bool fix_env = false;       ///< of doctor
  TablesOptions table_command;
  PolicyOptions policy;
  std::string row;  ///< JSON whose size row-size prints
};

}  // namespace dinette::app
