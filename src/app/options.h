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
#include "dinette/dynamodb/item_files/csv_reader.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/tenancy/tenants.h"

#include "app/output_format.h"

namespace dinette::app {

enum class Command {
  serve,
  healthcheck,
  export_tables,
  import_tables,
  pull,
  check_folder,
  mcp,
  doctor,
  tables,
  help,
  healthcheck_help,
  export_help,
  import_help,
  pull_help,
  check_help,
  mcp_help,
  doctor_help,
  tables_help,
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

/// An attribute of a key, as --key names it.
struct KeyOption {
  std::string name;
  char type = 'S';  ///< S, N or B
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
  tenancy::Isolation isolation;
  std::string region = "us-east-1";
  std::string account = "000000000000";

  std::string tls_certificate_file;
  std::string tls_key_file;
  bool tls_self_signed = false;
  std::string self_signed_file;  ///< that keeps the certificate; empty: none

  unsigned threads = 0;  ///< 0 = one per core
  unsigned max_connections = 4096;
  std::size_t connection_memory = 512 * 1024 * 1024;  ///< bytes

  std::string data_folder;  ///< empty: everything is in memory
  std::string s3_folder;    ///< of buckets; empty: s3 in the data folder, or memory
  std::string s3_endpoint;  ///< URL of an S3 elsewhere; empty: the buckets are here
  bool sync = false;        ///< commits wait for the disk
  std::string load_folder;  ///< or file, of tables that are imported at start; empty: none
  DefinitionOptions definitions;
  bool watch = false;      ///< the files of --tables are watched
  std::size_t memory = 0;  ///< bytes, for data of a data folder; 0 = half of what the machine has

  std::chrono::milliseconds state_delay{0};
  std::chrono::milliseconds index_state_delay{0};  ///< if longer than state_delay
  std::chrono::milliseconds index_lag{0};
  bool stale_reads = false;
  std::chrono::milliseconds time_to_live_delay{0};
  std::chrono::milliseconds stream_retention = std::chrono::hours(24);
  std::chrono::milliseconds recovery_window = std::chrono::days(35);
  bool partition_minimum = false;
  bool refuse_conflicts = false;
  bool throttle = false;
  std::optional<aws::Generation> validation;  ///< for all operations; none: by region
  bool lenient_types = false;
  std::string faults_file;            ///< rules that the default world begins with; empty: none
  std::optional<std::uint64_t> seed;  ///< for everything random; none: seeded by the operating system

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

  // Of exports, imports, pulls, checks, mcp, doctor and tables.
  std::string source;               ///< what is named without an option: a URL or a folder
  std::string destination;          ///< of --to or --into
  std::vector<std::string> tables;  ///< of --table; empty: all
  std::vector<KeyOption> keys;      ///< of --key; empty: none

  char csv_delimiter = '\0';  ///< of --delimiter; '\0': as the file suggests
  std::map<std::string, dynamodb::item_files::CellType, std::less<>> csv_types;  ///< of --types, by column
  bool csv_infer = false;

  std::optional<OutputFormat> format;  ///< of the files of exports and pulls
  Existing existing = Existing::refuse;

  // Of pulls; the source is "aws" or a URL.
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
};

}  // namespace dinette::app
