#include "app/cli/option_table.h"

#include <limits>

#include "dinette/http/url.h"

#include "app/cli/command_table.h"
#include "app/cli/option_values.h"

namespace dinette::app {
namespace {

using enum OptionGroup;
using enum TakenBy;
using std::string;
using std::string_view;

constexpr unsigned most_threads = 256;
constexpr unsigned most_connections = 1'000'000;
constexpr std::size_t least_connection_memory = 64 << 20;  // a request may have 16 MiB, a response 64
constexpr unsigned fastest_read_rate = 1'000'000;
constexpr std::size_t least_memory = 16 << 20;
constexpr std::chrono::milliseconds local_state_delay{1000};

Applied set_host(Options& options, string_view value) {
  options.host = value;
  return {};
}

Applied set_port(Options& options, string_view value) {
  DINETTE_TRY(options.port, read_number(value, 0, std::numeric_limits<std::uint16_t>::max()));
  return {};
}

Applied set_admin_token(Options& options, string_view value) {
  if (value.empty()) return base::Failure{std::string("takes a non-empty token")};
  options.admin_token = value;
  return {};
}

Applied set_destination(Options& options, string_view value) {
  options.destination = value;
  return {};
}

/// Sets a path. None is most likely that of a variable of a script, which is not set: it must not mean that
/// there is no such option. `what`: "a folder".
Applied set_path(string& path, string_view value, const char* what) {
  if (value.empty()) return base::Failure{string("takes ") + what + ", not ''"};
  path = value;
  return {};
}

Applied set_source(Options& options, string_view value) {
  options.source = value;
  return {};
}

Applied set_forward_to(Options& options, string_view value) {
  if (http::parse_url(value)) return set_destination(options, value);
  return base::Failure{"takes a URL, such as http://127.0.0.1:3000/orders, not '" + string(value) + "'"};
}

/// Of --continue, --replace and --skip-existing only one can be meant.
Applied choose(Options& options, Existing existing) {
  if (options.existing != Existing::refuse && options.existing != existing)
    return base::Failure{
        std::string("cannot be combined with another one of --continue, --replace and --skip-existing")};
  options.existing = existing;
  return {};
}

Applied add_parameter(Options& options, string_view value) {
  return read_assignment(options.definitions.parameters, value);
}

Applied add_context(Options& options, string_view value) {
  std::map<string, string, std::less<>> assigned;
  DINETTE_CHECK(read_assignment(assigned, value));
  for (auto& [key, text] : assigned) options.policy.context[key].push_back(text);
  return {};
}

Applied set_stack(Options& options, string_view value) {
  options.definitions.stack = value;
  return {};
}

Applied set_stage(Options& options, string_view value) {
  options.definitions.stage = value;
  return {};
}

Applied set_region_of_tables(Options& options, string_view value) {
  DINETTE_TRY(options.table_command.region, read_region(value));
  return {};
}

Applied add_import(Options& options, string_view value) {
  return read_assignment(options.definitions.imports, value);
}

Applied add_table_name(Options& options, string_view value) {
  return read_assignment(options.definitions.names, value);
}

Applied add_variable_file(Options& options, string_view value) {
  options.definitions.variable_files.emplace_back(value);
  return {};
}

Applied set_profile(Options& options, string_view value) {
  options.profile = value;
  return {};
}

Applied set_source_region(Options& options, string_view value) {
  DINETTE_TRY(options.source_region, read_region(value));
  return {};
}

// What several commands say of the source.
constexpr string_view help_of_profile =
    "profile of ~/.aws/config and ~/.aws/credentials whose credentials sign requests to the source; "
    "default: as AWS SDKs find them, from AWS_ACCESS_KEY_ID and AWS_PROFILE to the role of the machine";
constexpr string_view help_of_source_region =
    "region of the source; default: AWS_REGION, or that of the profile";

// What both the server and `dinette tables` say of these.
constexpr string_view help_of_param =
    "value of a template's parameter, or of a variable of Terraform; may be repeated";
constexpr string_view help_of_stack =
    "name of the stack, for names made of it; default: the file's, without its ending";
constexpr string_view help_of_variable_file =
    "file with values of variables of Terraform (tfvars); may be repeated";
constexpr string_view help_of_import =
    "value that another stack exports, for Fn::ImportValue; may be repeated";
constexpr string_view help_of_table_name = "name of the table with this logical ID; may be repeated";
constexpr string_view help_of_stage = "stage of serverless.yml; default: what the file says, else dev";

Command help_of(Command command) {
  for (const CommandSpec& named : command_table()) {
    if (named.command == command) return named.help;
  }
  return Command::help;
}

// The fields of a row: group, taken by, --name, -local, -letter, value, default, help, setter.
constexpr OptionSpec all_options[] = {
    {address, serve, "host", "", 0, "ADDRESSES", "localhost",
     "addresses to listen on, comma-separated; localhost is 127.0.0.1 and ::1; 0.0.0.0 or :: is every "
     "network",
     set_host},
    {address, healthcheck, "host", "", 0, "ADDRESS", "localhost", "address of the server", set_host},
    {address, serve, "port", "port", 0, "N", "8000", "port to listen on; 0 picks a free one and prints it",
     set_port},
    {address, healthcheck, "port", "port", 0, "N", "8000", "port of the server", set_port},
    {address, healthcheck, "tls", "", 0, "", "", "the server uses TLS; its certificate is not verified",
     [](Options& o, string_view) -> Applied { return o.healthcheck_tls = true, Applied{}; }},
    {address, serve, "cors", "cors", 0, "ORIGINS", "local",
     "web pages that may call, comma-separated: local (pages of this machine, and the server's own "
     "page at an IP address), origins such as https://app.example, hosts such as app.example, or * (every "
     "page); others get 403",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.cors_origins, read_origins(v));
       return {};
     }},

    {address, serve, "admin-token", "", 0, "TOKEN", "",
     "token that every administrative request (/_dinette/) must present, from any machine; default: "
     "DINETTE_ADMIN_TOKEN of the environment; without either, programs on this machine may administrate, and "
     "others with a token that the server prints if they can reach it",
     set_admin_token},
    {address, serve, "no-admin", "", 0, "", "", "no administration: its paths do not exist",
     [](Options& o, string_view) -> Applied { return o.administration = false, Applied{}; }},

    {clients, serve, "auth", "", 0, "MODE", "none",
     "none: no authentication; present: requests must be signed, with any key; verify: signatures must "
     "be "
     "valid",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.auth, read_auth_mode(v));
       return {};
     }},
    {clients, serve, "credentials", "", 0, "FILE", "",
     "file of access keys in the format of ~/.aws/credentials, for --auth verify and for the accounts of "
     "keys",
     [](Options& o, string_view v) -> Applied { return set_path(o.credentials_file, v, "a file"); }},
    {clients, serve, "iam", "", 0, "FILE", "",
     "users, roles, groups and their policies, as AWS's IAM prints them: requests that they do not allow are "
     "refused; see docs/policies.md",
     [](Options& o, string_view v) -> Applied { return set_path(o.identities_file, v, "a file"); }},
    {clients, serve, "isolate", "", 0, "PARTS", "",
     "account, region or account,region: callers see only their own tables; otherwise everyone sees all "
     "tables",
     read_isolation},
    {clients, serve, "region-ports", "", 0, "LIST", "",
     "further ports whose requests are for one region each, whatever they are signed for, such as "
     "eu-west-1=8001,us-west-2=8002; 0 picks a free one and prints it; regions then have tables of their own",
     read_region_ports},
    {clients, serve, "region", "", 0, "NAME", "us-east-1", "region of requests that do not name one",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.region, read_region(v));
       return {};
     }},
    {clients, serve, "account", "", 0, "DIGITS", "000000000000", "account of requests that do not name one",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.account, read_account(v));
       return {};
     }},

    {tls, serve, "tls-cert", "", 0, "FILE", "", "serve TLS with this certificate chain (PEM)",
     [](Options& o, string_view v) -> Applied { return set_path(o.tls_certificate_file, v, "a file"); }},
    {tls, serve, "tls-key", "", 0, "FILE", "", "private key of --tls-cert (PEM)",
     [](Options& o, string_view v) -> Applied { return set_path(o.tls_key_file, v, "a file"); }},
    {tls, serve, "tls-self-signed", "", 0, "[FILE]", "",
     "serve TLS with a self-signed certificate, created at start; with FILE, kept there, and its key in "
     "FILE.key, "
     "for clients that are to trust it and for the next start; GET /_dinette/certificate.pem returns it",
     [](Options& o, string_view v) -> Applied {
       o.tls_self_signed = true;
       o.self_signed_file = v;
       return {};
     }},

    {storage, serve, "data", "", 0, "FOLDER", "",
     "keep everything in this folder, created if missing; without it, data are in memory and are lost when "
     "the server ends",
     [](Options& o, string_view v) -> Applied { return set_path(o.data_folder, v, "a folder"); }},
    {storage, serve, "store", "", 0, "URL", "",
     "keep everything in this PostgreSQL database, 15 or newer, such as postgres://user@host/database; a "
     "password is better kept in ~/.pgpass or PGPASSWORD: see docs/scale.md",
     [](Options& o, string_view v) -> Applied { return set_path(o.store, v, "the URL of a database"); }},
    {storage, serve, "durability", "", 0, "MODE", "process",
     "process: acknowledged writes survive the end of the server, also by kill -9; sync: a power loss as "
     "well, and each write waits for the disk",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.sync, read_durability(v));
       return {};
     }},
    {storage, serve, "memory", "", 0, "SIZE", "",
     "memory for the data of --data, such as 512M or 4G; data that fit are read without the disk; default: "
     "half of the machine's memory",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.memory, read_size(v, least_memory));
       return {};
     }},
    {storage, serve, "s3", "", 0, "FOLDER", "",
     "keep the buckets of S3 in this folder, created if missing: see docs/s3.md; without it, they are "
     "in FOLDER/s3 with --data FOLDER, else in memory",
     [](Options& o, string_view v) -> Applied { return set_path(o.s3_folder, v, "a folder"); }},
    {storage, serve, "s3-endpoint", "", 0, "URL", "",
     "use the buckets of this S3, such as http://127.0.0.1:9000, for exports and imports, with the keys and "
     "the region of AWS_ACCESS_KEY_ID and so on, and serve no buckets: see docs/s3.md",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.s3_endpoint, read_endpoint(v));
       return {};
     }},
    {storage, serve, "kinesis-endpoint", "", 0, "URL", "",
     "put the changes of tables with a Kinesis destination into the streams of this Kinesis, with the keys "
     "of "
     "AWS_ACCESS_KEY_ID and so on, instead of this server's: see docs/kinesis.md",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.kinesis_endpoint, read_endpoint(v));
       return {};
     }},
    {storage, serve, "load", "", 0, "PATH", "",
     "with data in memory: import every table in this folder or file before serving, for fixtures: see "
     "docs/moving-data.md",
     [](Options& o, string_view v) -> Applied { return set_path(o.load_folder, v, "a folder or file"); }},

    {storage, serve, "tables", "", 0, "FILE", "",
     "create the tables that this file defines before serving: a CloudFormation, SAM or CDK template, "
     "serverless.yml, Terraform, a NoSQL Workbench model, or CreateTable requests; may be repeated: see "
     "docs/tables.md",
     [](Options& o, string_view v) -> Applied { return o.definitions.files.emplace_back(v), Applied{}; }},
    {storage, serve, "watch", "", 0, "", "",
     "with --tables: apply changes of the files while the server runs; what the service could not change is "
     "refused in the log",
     [](Options& o, string_view) -> Applied { return o.watch = true, Applied{}; }},
    {storage, serve, "param", "", 0, "NAME=VALUE", "", help_of_param, add_parameter},
    {storage, serve, "var-file", "", 0, "FILE", "", help_of_variable_file, add_variable_file},
    {storage, serve, "stack", "", 0, "NAME", "", help_of_stack, set_stack},
    {storage, serve, "stage", "", 0, "NAME", "", help_of_stage, set_stage},
    {storage, serve, "import", "", 0, "NAME=VALUE", "", help_of_import, add_import},
    {storage, serve, "name", "", 0, "ID=NAME", "", help_of_table_name, add_table_name},

    {behaviour, serve, "state-delay", "", 0, "DURATION", "0",
     "how long tables, and streams of Kinesis, stay CREATING, UPDATING or DELETING, such as 500ms or 2s",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.state_delay, read_duration(v));
       return {};
     }},
    {behaviour, serve, "index-lag", "", 0, "DURATION", "0",
     "how far global indexes lag behind their tables, such as 50ms",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.index_lag, read_duration(v));
       return {};
     }},
    {behaviour, serve, "stale-reads", "", 0, "", "",
     "let eventually consistent reads lag by up to half a second",
     [](Options& o, string_view) -> Applied { return o.stale_reads = true, Applied{}; }},
    {behaviour, serve, "replication-lag", "", 0, "LAG", "0",
     "how long changes of global tables take to other regions: a time such as 500ms, a range such as "
     "100ms..2s, "
     "or mean=300ms for times of an exponential distribution; by --seed always the same",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.replication_lag, read_lag(v));
       return {};
     }},
    {behaviour, serve, "ttl-delay", "", 0, "DURATION", "0",
     "how long after it has expired an item is deleted, such as 30s; 0 = within a second",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.time_to_live_delay, read_duration(v));
       return {};
     }},
    {behaviour, serve, "stream-retention", "", 0, "DURATION", "24h",
     "how long records of streams are kept, from 1m to 24h, as in the service; less takes less memory",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.stream_retention, read_duration(v, "1m", "24h"));
       return {};
     }},
    {behaviour, serve, "recovery-window", "", 0, "DURATION", "35d",
     "how far back tables with point-in-time recovery can be restored at most, from 1m to 35d; less takes "
     "less memory",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.recovery_window, read_duration(v, "1m", "35d"));
       return {};
     }},
    {behaviour, serve, "partition-minimum", "", 0, "", "",
     "charge a Scan of an on-demand table for each of four internal partitions, as the service does",
     [](Options& o, string_view) -> Applied { return o.partition_minimum = true, Applied{}; }},
    {behaviour, serve, "transaction-conflicts", "", 0, "MODE", "wait",
     "wait: requests for an item of an ongoing transaction wait for it; service: they fail with the "
     "conflict "
     "errors of the service",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.refuse_conflicts, read_conflicts(v));
       return {};
     }},
    {behaviour, serve, "throttle", "", 0, "MODE", "none",
     "none: no throttling; service: throttling by the throughput of tables, indexes and partitions, as in "
     "the service: see docs/throttling.md",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.throttle, read_throttle(v));
       return {};
     }},
    {behaviour, serve, "quotas", "", 0, "MODE", "none",
     "none: no quotas of accounts; service: as many tables and provisioned units as the service gives to a "
     "new account",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.quotas, read_quotas(v));
       return {};
     }},
    {behaviour, serve, "validation", "", 0, "LAYER", "region",
     "which of the service's two generations of request validation answers, where they differ: region: that "
     "of the caller's region; older, newer: this one in every region",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.validation, read_validation(v));
       return {};
     }},
    {behaviour, serve, "lenient-types", "", 0, "", "",
     "accept numbers and booleans in quotation marks, which the service refuses, and log a warning; on with "
     "an option in DynamoDB Local's spelling",
     [](Options& o, string_view) -> Applied { return o.lenient_types = true, Applied{}; }},
    {behaviour, serve, "faults", "", 0, "FILE", "",
     "start with the fault rules in this file, in the format of PUT /_dinette/faults: see docs/faults.md",
     [](Options& o, string_view v) -> Applied { return set_path(o.faults_file, v, "a file"); }},
    {behaviour, serve, "lambda-endpoint", "", 0, "URL", "",
     "where the functions of triggers are: the URL of a server that has all of them, such as sam local "
     "start-lambda, or NAME=URL for one of them; may be repeated: see docs/functions.md",
     [](Options& o, string_view v) -> Applied { return o.functions.add(v); }},
    {behaviour, serve, "lambda-timeout", "", 0, "DURATION", "15m",
     "how long a function may take, from 100ms to 15m; a longer call has failed",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.function_timeout, read_duration(v, "100ms", "15m"));
       return {};
     }},
    {behaviour, serve, "tablestore-port", "", 0, "N", "",
     "serve Tablestore at a port of its own as well; 0 picks a free one and prints it: see "
     "docs/tablestore.md",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.tablestore_port, read_number(v, 0, std::numeric_limits<std::uint16_t>::max()));
       return {};
     }},
    {behaviour, serve, "tablestore-key", "", 0, "ID=SECRET", "",
     "an access key of Tablestore's clients and its secret, with which requests and replies are signed; may "
     "be "
     "repeated: see docs/tablestore.md",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(auto key, read_access_key(v));
       o.tablestore_keys.push_back(std::move(key));
       return {};
     }},
    {behaviour, serve, "tablestore-loose-names", "", 0, "", "",
     "let attribute columns of Tablestore have all names that the service accepts, and not just the "
     "documented "
     "ones",
     [](Options& o, string_view) -> Applied { return o.tablestore_loose_names = true, Applied{}; }},
    {behaviour, serve, "cql-port", "", 0, "N", "",
     "serve Amazon Keyspaces, for clients of Apache Cassandra, at this port; 0 picks a free one and prints "
     "it: see docs/keyspaces.md",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.cql_port, read_number(v, 0, std::numeric_limits<std::uint16_t>::max()));
       return {};
     }},
    {behaviour, serve, "cql-user", "", 0, "NAME=PASSWORD", "",
     "a user of Amazon Keyspaces; clients must then log in; may be repeated: see docs/keyspaces.md",
     [](Options& o, string_view v) -> Applied { return read_user(o.cql_users, v); }},
    {behaviour, serve, "cql-strict", "", 0, "", "",
     "refuse the CQL that Apache Cassandra accepts and Amazon Keyspaces does not, and enforce its quotas",
     [](Options& o, string_view) -> Applied { return o.cql_strict = true, Applied{}; }},
    {behaviour, serve, "cql-row-size", "", 0, "FORMULA", "earlier",
     "how Amazon Keyspaces counts the size of rows: earlier, or current, the service's formula of 2026",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.cql_sizes, read_size_formula(v));
       return {};
     }},
    {behaviour, serve, "triggers", "", 0, "FILE", "",
     "start with the triggers in this file, in the format of PUT /_dinette/triggers: see docs/functions.md",
     [](Options& o, string_view v) -> Applied { return set_path(o.triggers_file, v, "a file"); }},
    {behaviour, serve, "seed", "", 0, "N", "",
     "seed for generated ids and read staleness, for reproducible runs",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.seed, read_number(v, 0, std::numeric_limits<unsigned>::max()));
       return {};
     }},
    {behaviour, serve, "threads", "", 0, "N", "0", "number of server threads; 0 = one per core",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.threads, read_number(v, 0, most_threads));
       return {};
     }},
    {behaviour, serve, "max-connections", "", 0, "N", "4096",
     "maximum concurrent connections; a new one replaces the one idle for longest",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.max_connections, read_number(v, 1, most_connections));
       return {};
     }},
    {behaviour, serve, "connection-memory", "", 0, "SIZE", "512M",
     "total memory for unfinished requests and unread responses; beyond it, the connections that hold most "
     "get "
     "503 or are closed",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.connection_memory, read_size(v, least_connection_memory));
       return {};
     }},

    {logs, serve, "log-level", "", 0, "LEVEL", "warn",
     "off, error, warn, info or debug, to standard error; info adds a line per request",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.log_level, read_log_level(v));
       return {};
     }},
    {logs, serve, "log-format", "", 0, "FORMAT", "text", "text or json",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.log_format, read_log_format(v));
       return {};
     }},
    {logs, serve, "log-items", "", 0, "", "",
     "show the contents of requests and responses, with --log-level info",
     [](Options& o, string_view) -> Applied { return o.log_items = true, Applied{}; }},
    {logs, serve, "requests", "", 0, "N", "200",
     "number of recent requests that are kept for the page and for GET /_dinette/requests, with the "
     "beginnings of their bodies; 0 keeps none until a client reads them",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.requests, read_number(v, 0, observe::RecentRequests::most_kept));
       return {};
     }},
    {logs, serve, "report", "", 0, "", "",
     "record the cost of the run, and print it at the end: see docs/observing.md",
     [](Options& o, string_view) -> Applied { return o.report = true, Applied{}; }},

    {local, serve, "", "inMemory", 0, "", "", "keep data in memory only, even with -dbPath",
     [](Options& o, string_view) -> Applied { return o.in_memory = true, Applied{}; }},
    {local, serve, "", "sharedDb", 0, "", "", "accepted: tables are shared unless --isolate says otherwise",
     [](Options&, string_view) -> Applied { return {}; }},
    {local, serve, "", "dbPath", 0, "FOLDER", "",
     "the same as --data, or FOLDER/dinette-data if there are other files in it, unless -inMemory is given",
     [](Options& o, string_view v) -> Applied { return set_path(o.database_folder, v, "a folder"); }},
    {local, serve, "", "delayTransientStatuses", 0, "", "",
     "new and dropped indexes stay CREATING or DELETING for one second",
     [](Options& o, string_view) -> Applied { return o.index_state_delay = local_state_delay, Applied{}; }},
    {local, serve, "", "optimizeDbBeforeStartup", 0, "", "", "accepted: there is nothing to optimize",
     [](Options&, string_view) -> Applied { return {}; }},
    {local, serve, "", "disableTelemetry", 0, "", "", "accepted: Dinette has no telemetry",
     [](Options&, string_view) -> Applied { return {}; }},
    {local, serve, "", "jar", 0, "FILE", "",
     "accepted and ignored, as are -D... and -X... of a Java command line",
     [](Options&, string_view) -> Applied { return {}; }},
    {local, serve, "", "cp", 0, "PATH", "", "accepted and ignored, with the class name that follows",
     [](Options& o, string_view v) -> Applied { return o.java_class_path = v, Applied{}; }},
    {local, serve, "", "classpath", 0, "PATH", "", "the same as -cp",
     [](Options& o, string_view v) -> Applied { return o.java_class_path = v, Applied{}; }},

    {transfer, export_tables, "to", "", 0, "FOLDER", "",
     "destination, created if missing; each table gets a folder with its name in it", set_destination},
    {transfer, export_tables, "table", "", 0, "NAME", "", "only this table; may be repeated",
     [](Options& o, string_view v) -> Applied { return o.tables.emplace_back(v), Applied{}; }},
    {transfer, export_tables, "format", "", 0, "FORMAT", "dynamodb-json",
     "of the items: dynamodb-json as DynamoDB's export to S3 has them; json, plain objects, one per line; "
     "csv, a column per attribute",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.format, read_file_format(v));
       return {};
     }},
    {transfer, export_tables, "continue", "", 0, "", "",
     "skip tables that are in the folder with all their items, and export the others again",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::resume); }},
    {transfer, export_tables, "replace", "", 0, "", "", "delete the folders of tables that are there already",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::replace); }},
    {transfer, export_tables, "skip-existing", "", 0, "", "",
     "leave tables alone that are in the folder already",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::skip); }},
    {transfer, import_tables, "into", "", 0, "URL|DIR", "",
     "destination: a running server, or the data folder of one that is not running", set_destination},
    {transfer, import_tables, "table", "", 0, "NAME", "",
     "from a folder with several tables, import only this one; from a folder with one table, import it under "
     "this name; the table of files that do not name theirs",
     [](Options& o, string_view v) -> Applied { return o.tables.assign(1, string(v)), Applied{}; }},
    {transfer, import_tables, "key", "", 0, "KEY", "",
     "keys of the table to create, if the folder has no table.json: pk:S, or pk:S,sk:N with a sort key; "
     "types are S, N and B",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.keys, read_keys(v));
       return {};
     }},
    {transfer, import_tables, "delimiter", "", 0, "CHAR", "",
     "what separates the columns of CSV: a comma, ;, |, :, tab or space; default: what the first line "
     "suggests",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.csv_delimiter, read_delimiter(v));
       return {};
     }},
    {transfer, import_tables, "types", "", 0, "TYPES", "",
     "types of columns of CSV, such as plays:N,gone:BOOL; of S, N, B and BOOL; may be repeated; keys of the "
     "table and its indexes have the types that the table declares, all other columns are S",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(auto columns, read_types(v));
       for (auto& [name, type] : columns) o.csv_types.insert_or_assign(name, type);
       return {};
     }},
    {transfer, import_tables, "infer", "", 0, "", "",
     "take the other columns of CSV, cell by cell, as N or BOOL if they look so: 1.5 and true, but not 007",
     [](Options& o, string_view) -> Applied { return o.csv_infer = true, Applied{}; }},

    {transfer, import_tables, "continue", "", 0, "", "",
     "tables that exist get all items of the files again, as after an import that was killed",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::resume); }},
    {transfer, import_tables, "replace", "", 0, "", "", "delete tables that exist first",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::replace); }},
    {transfer, import_tables, "skip-existing", "", 0, "", "", "leave tables that exist alone",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::skip); }},

    {transfer, pull, "from", "", 0, "aws|URL", "",
     "source, which is only read: aws is DynamoDB of an account; or a running server", set_source},
    {transfer, pull, "profile", "", 0, "NAME", "", help_of_profile, set_profile},
    {transfer, pull, "region", "", 0, "NAME", "", help_of_source_region, set_source_region},
    {transfer, pull, "into", "", 0, "URL|DIR", "",
     "destination: a running Dinette, or the data folder of one that is not running; with --format, a folder "
     "of "
     "files",
     set_destination},
    {transfer, pull, "table", "", 0, "NAME", "", "only this table; may be repeated",
     [](Options& o, string_view v) -> Applied { return o.tables.emplace_back(v), Applied{}; }},
    {transfer, pull, "where", "", 0, "EXPRESSION", "",
     "only items that match: a filter expression with the values in it, such as \"age >= 18 and "
     "begins_with(name, 'A')\"",
     [](Options& o, string_view v) -> Applied { return o.where = v, Applied{}; }},
    {transfer, pull, "limit", "", 0, "N", "", "at most N items of each table, the first ones",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.limit, read_items(v));
       return {};
     }},
    {transfer, pull, "sample", "", 0, "N", "",
     "N items of each table, spread over it: a few from each of up to a hundred parts; only about N are read",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.sample, read_items(v));
       return {};
     }},
    {transfer, pull, "rate", "", 0, "N", "",
     "use at most about N read units of the source per second; default: as many as it gives",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.read_rate, read_number(v, 1, fastest_read_rate));
       return {};
     }},
    {transfer, pull, "mask", "", 0, "FILE", "",
     "replace values by pseudonyms, by the rules in this file: see docs/pulling.md",
     [](Options& o, string_view v) -> Applied { return set_path(o.mask_file, v, "a file"); }},
    {transfer, pull, "format", "", 0, "FORMAT", "",
     "write a folder of files: dynamodb-json as dinette export does; json, plain objects, one per line; csv, "
     "a column per attribute",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.format, read_file_format(v));
       return {};
     }},
    {transfer, pull, "continue", "", 0, "", "", "continue a pull that was interrupted, with the same options",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::resume); }},
    {transfer, pull, "replace", "", 0, "", "", "begin again: delete tables that are there already",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::replace); }},
    {transfer, pull, "skip-existing", "", 0, "", "", "leave tables alone that are there already",
     [](Options& o, string_view) -> Applied { return choose(o, Existing::skip); }},

    {transfer, listen, "table", "", 0, "NAME", "", "table whose changes are forwarded; it must have a stream",
     [](Options& o, string_view v) -> Applied { return o.tables.assign(1, string(v)), Applied{}; }},
    {transfer, listen, "forward-to", "", 0, "URL", "", "where changes are posted, as events of Lambda",
     set_forward_to},
    {transfer, listen, "endpoint-url", "", 0, "URL|aws", "http://127.0.0.1:8000",
     "server that has the table: a Dinette, or another one; aws is DynamoDB of an account", set_source},
    {transfer, listen, "profile", "", 0, "NAME", "", help_of_profile, set_profile},
    {transfer, listen, "region", "", 0, "NAME", "", help_of_source_region, set_source_region},

    {transfer, check_folder, "repair", "", 0, "", "",
     "if the folder is damaged, make it one that opens: keeps what can be read, and a copy of what it leaves "
     "out",
     [](Options& o, string_view) -> Applied { return o.repair = true, Applied{}; }},

    {tools, mcp, "data", "", 0, "FOLDER", "",
     "use the data folder of a server that is not running; created if missing",
     [](Options& o, string_view v) -> Applied { return set_path(o.data_folder, v, "a folder"); }},
    {tools, mcp, "in-memory", "", 0, "", "", "use tables in memory, which are lost when the program ends",
     [](Options& o, string_view) -> Applied { return o.in_memory = true, Applied{}; }},
    {tools, mcp, "load", "", 0, "PATH", "", "with --in-memory: start with the tables in this folder or file",
     [](Options& o, string_view v) -> Applied { return set_path(o.load_folder, v, "a folder or file"); }},
    {tools, mcp, "allow-writes", "", 0, "", "",
     "also offer the tools that write; otherwise they are neither listed nor executed",
     [](Options& o, string_view) -> Applied { return o.allow_writes = true, Applied{}; }},
    {tools, mcp, "import-from", "", 0, "FOLDER", "",
     "with --allow-writes: the tool import_items may read the files in this folder; otherwise it reads none",
     [](Options& o, string_view v) -> Applied { return set_path(o.import_folder, v, "a folder"); }},
    {tools, mcp, "admin-token", "", 0, "TOKEN", "",
     "admin token of the server, if it was started with one; default: DINETTE_ADMIN_TOKEN of the environment",
     set_admin_token},

    {tools, policy, "user", "", 0, "USER", "",
     "who sends the request: the name or ARN of a user, the ARN of a "
     "session, or an access key",
     [](Options& o, string_view v) -> Applied { return o.policy.caller = v, Applied{}; }},
    {tools, policy, "action", "", 0, "ACTION", "", "what is asked for, such as dynamodb:GetItem",
     [](Options& o, string_view v) -> Applied { return o.policy.action = v, Applied{}; }},
    {tools, policy, "resource", "", 0, "ARN", "*", "on which table, index or stream",
     [](Options& o, string_view v) -> Applied { return o.policy.resource = v, Applied{}; }},
    {tools, policy, "resource-policy", "", 0, "FILE", "", "policy of that resource",
     [](Options& o, string_view v) -> Applied {
       return set_path(o.policy.resource_policy_file, v, "a file");
     }},
    {tools, policy, "context", "", 0, "NAME=VALUE", "",
     "value of a condition key, such as dynamodb:LeadingKeys=alice; may be repeated, also for one key",
     add_context},

    {tools, TakenBy::row_size, "row", "", 0, "JSON", "", "the row, as INSERT INTO ... JSON takes it",
     [](Options& o, string_view v) -> Applied { return o.row = v, Applied{}; }},

    {tools, doctor, "fix-env", "", 0, "", "",
     "print nothing but the settings that solve the problems, for a shell: eval \"$(dinette doctor "
     "--fix-env)\"",
     [](Options& o, string_view) -> Applied { return o.fix_env = true, Applied{}; }},

    {transfer, tables, "into", "", 0, "URL|DIR", "",
     "apply: a running server, or the data folder of one that is not running", set_destination},
    {transfer, tables, "update", "", 0, "", "",
     "apply: change tables that differ as far as UpdateTable and the like can",
     [](Options& o, string_view) -> Applied { return o.table_command.update = true, Applied{}; }},
    {transfer, tables, "replace", "", 0, "", "",
     "apply: delete tables that differ, with their items, and create them again",
     [](Options& o, string_view) -> Applied { return o.table_command.replace = true, Applied{}; }},
    {transfer, tables, "skip-existing", "", 0, "", "", "apply: do not even compare tables that exist",
     [](Options& o, string_view) -> Applied { return o.table_command.skip_existing = true, Applied{}; }},
    {transfer, tables, "prune", "", 0, "", "", "apply: delete the tables that no file defines",
     [](Options& o, string_view) -> Applied { return o.table_command.prune = true, Applied{}; }},
    {transfer, tables, "dry-run", "", 0, "", "",
     "apply: change nothing; print the calls, one per line, as JSON; without --into, for a server without "
     "tables",
     [](Options& o, string_view) -> Applied { return o.table_command.dry_run = true, Applied{}; }},
    {transfer, tables, "env", "", 0, "", "",
     "apply: print only lines such as PLANTS_TABLE=dev-plants, from the logical IDs to the names; the report "
     "goes to standard error",
     [](Options& o, string_view) -> Applied { return o.table_command.print_environment = true, Applied{}; }},
    {transfer, tables, "with", "", 0, "URL|FILE", "",
     "diff: what to compare with: a running server, or a file",
     [](Options& o, string_view v) -> Applied { return o.table_command.other = v, Applied{}; }},
    {transfer, tables, "from", "", 0, "URL|DIR", "",
     "show: the tables of a server or a data folder, not of files",
     [](Options& o, string_view v) -> Applied { return o.table_command.from = v, Applied{}; }},
    {transfer, tables, "as", "", 0, "FORMAT", "",
     "show: cloudformation, terraform, cli (commands of the AWS CLI), workbench (a model of NoSQL Workbench) "
     "or json (inputs of CreateTable)",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.table_command.format, read_table_format(v));
       return {};
     }},
    {transfer, tables, "table", "", 0, "NAME", "",
     "only this table, by its name or logical ID; may be repeated",
     [](Options& o, string_view v) -> Applied { return o.tables.emplace_back(v), Applied{}; }},
    {transfer, tables, "param", "", 0, "NAME=VALUE", "", help_of_param, add_parameter},
    {transfer, tables, "var-file", "", 0, "FILE", "", help_of_variable_file, add_variable_file},
    {transfer, tables, "stack", "", 0, "NAME", "", help_of_stack, set_stack},
    {transfer, tables, "stage", "", 0, "NAME", "", help_of_stage, set_stage},
    {transfer, tables, "import", "", 0, "NAME=VALUE", "", help_of_import, add_import},
    {transfer, tables, "name", "", 0, "ID=NAME", "", help_of_table_name, add_table_name},
    {transfer, tables, "region", "", 0, "NAME", "",
     "region of the tables; default: AWS_REGION, else us-east-1", set_region_of_tables},

    {help, all, "help", "help", 'h', "", "", "print this and exit",
     [](Options& o, string_view) -> Applied { return o.command = help_of(o.command), Applied{}; }},
    {help, serve, "help-markdown", "", 0, "", "",
     "print the options as the table in docs/options.md and exit",
     [](Options& o, string_view) -> Applied { return o.command = Command::help_markdown, Applied{}; }},
    {help, serve, "help-man", "", 0, "", "", "print the manual page and exit: dinette --help-man | man -l -",
     [](Options& o, string_view) -> Applied { return o.command = Command::help_man, Applied{}; }},
    {help, serve, "completions", "", 0, "SHELL", "",
     "print the completions for bash, zsh or fish and exit: source <(dinette --completions bash)",
     [](Options& o, string_view v) -> Applied {
       DINETTE_TRY(o.shell, read_shell(v));
       return o.command = Command::completions, Applied{};
     }},
    {help, serve, "version", "version", 'V', "", "", "print the version and exit",
     [](Options& o, string_view) -> Applied { return o.command = Command::version, Applied{}; }},
};

}  // namespace

std::span<const OptionSpec> option_table() {
  return all_options;
}

std::string_view title_of(OptionGroup group) {
  switch (group) {
    case address:
      return "Address";
    case clients:
      return "Clients";
    case tls:
      return "TLS";
    case storage:
      return "Storage";
    case behaviour:
      return "Behaviour";
    case logs:
      return "Logs";
    case local:
      return "Options of DynamoDB Local (-port, -cors, -help and -version work too)";
    case transfer:
      return "Tables";
    case tools:
      return "Tools";
    case help:
      return "Help";
  }
  return "";
}

std::string spelling_of(const OptionSpec& option) {
  return option.name.empty() ? "-" + std::string(option.local) : "--" + std::string(option.name);
}

}  // namespace dinette::app
