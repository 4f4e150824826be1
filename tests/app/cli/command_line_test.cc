#include "app/cli/command_line.h"

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "app/parsed.h"

namespace dinette::app::command_line_test {
namespace {

using std::chrono::milliseconds;

std::string refusal(std::initializer_list<std::string_view> arguments) {
  const auto options = parse_command_line({arguments.begin(), arguments.size()});
  REQUIRE_FALSE(options.ok());
  return options.error();
}

TEST_CASE("without arguments, defaults apply") {
  const auto defaults = parsed({});
  CHECK(defaults.command == Command::serve);
  CHECK(defaults.host == "localhost");
  CHECK(defaults.port == 8000);
  CHECK(defaults.auth == aws::AuthMode::none);
  CHECK(defaults.region == "us-east-1");
  CHECK(defaults.account == "000000000000");
  CHECK(defaults.log_level == base::LogLevel::warn);
  CHECK(defaults.cors_origins == "local");
  CHECK(defaults.state_delay == milliseconds(0));
  CHECK(defaults.index_state_delay == milliseconds(0));
  CHECK_FALSE(defaults.as_dynamodb_local);
  CHECK_FALSE(defaults.isolation.accounts);
  CHECK_FALSE(defaults.isolation.regions);
  CHECK_FALSE(defaults.log_items);
  CHECK_FALSE(defaults.report);
  CHECK(parsed({"--report"}).report);
}

TEST_CASE("a value follows its option or an equals sign") {
  CHECK(parsed({"--port", "8001"}).port == 8001);
  CHECK(parsed({"--port=8001"}).port == 8001);
  CHECK(parsed({"--host=::1", "--port=0"}).host == "::1");
  CHECK(parsed({"--cors=a=b"}).cors_origins == "a=b");
  CHECK(parsed({"--host=-"}).host == "-");
}

TEST_CASE("Amazon Keyspaces has a port, and perhaps users") {
  const auto options = parsed({"--cql-port", "9042", "--cql-user", "alice=a=b", "--cql-strict"});
  CHECK(options.cql_port == 9042);
  CHECK(options.cql_users.at("alice") == "a=b");
  CHECK(options.cql_strict);
  CHECK(options.cql_sizes == cql::SizeFormula::earlier);
  CHECK(parsed({"--cql-row-size", "current"}).cql_sizes == cql::SizeFormula::current);
  CHECK(refusal({"--cql-row-size", "newer"}) == "--cql-row-size takes earlier or current, not 'newer'");
  CHECK_FALSE(parsed({}).cql_port);
  for (const char* user : {"alice", "=a", "alice="}) {
    CHECK(refusal({"--cql-user", user}) == "--cql-user takes NAME=PASSWORD, of which neither is empty");
  }
}

TEST_CASE("Tablestore has keys, and perhaps a port of its own") {
  const auto options = parsed({"--tablestore-key", "ak=sk", "--tablestore-key=other=a=b", "--tablestore-port",
                               "0", "--tablestore-loose-names"});
  REQUIRE(options.tablestore_keys.size() == 2);
  CHECK(options.tablestore_keys[0].id == "ak");
  CHECK(options.tablestore_keys[0].secret == "sk");
  CHECK(options.tablestore_keys[1].secret == "a=b");
  CHECK(options.tablestore_port == 0);
  CHECK(options.tablestore_loose_names);
  CHECK_FALSE(parsed({}).tablestore_port);
  for (const char* key : {"ak", "=sk", "ak="}) {
    CHECK(refusal({"--tablestore-key", key}) ==
          "--tablestore-key takes ID=SECRET, of which neither is empty");
  }
}

TEST_CASE("functions are on one server, or each at a place of its own") {
  const auto options = parsed({"--lambda-endpoint", "http://127.0.0.1:3001", "--lambda-endpoint",
                               "bill=http://127.0.0.1:4000/bill", "--lambda-timeout", "500ms"});
  const auto place = [&](std::string_view name) {
    return lambda::text_of(options.functions.find(name).value());
  };
  CHECK(place("bill") == "http://127.0.0.1:4000/bill");
  CHECK(place("mail") == "http://127.0.0.1:3001/2015-03-31/functions/mail/invocations");
  CHECK(options.function_timeout == milliseconds(500));
  CHECK(parsed({}).function_timeout == std::chrono::minutes(15));
  CHECK(refusal({"--lambda-endpoint", "here"}).starts_with("--lambda-endpoint takes the URL of a server"));
  CHECK(refusal({"--lambda-timeout", "20m"}).starts_with("--lambda-timeout "));
}

TEST_CASE("a listener has a table, a URL, and a server") {
  const auto options =
      parsed({"listen", "--table", "Orders", "--forward-to", "http://127.0.0.1:3000/orders"});
  CHECK(options.command == Command::listen);
  CHECK(options.tables == std::vector<std::string>{"Orders"});
  CHECK(options.destination == "http://127.0.0.1:3000/orders");
  CHECK(options.source == "http://127.0.0.1:8000");
  CHECK(parsed({"listen", "--table", "A", "--forward-to", "http://h/", "--endpoint-url", "aws", "--region",
                "eu-west-1"})
            .source == "aws");
  CHECK(refusal({"listen", "--table", "Orders"}) ==
        "listen needs a table and a URL: dinette listen --table Orders --forward-to "
        "http://127.0.0.1:3000/orders");
  CHECK(refusal({"listen", "--table", "Orders", "--forward-to", "here"}) ==
        "--forward-to takes a URL, such as http://127.0.0.1:3000/orders, not 'here'");
}

TEST_CASE("administration is on, for this machine, unless options say otherwise") {
  CHECK(parsed({}).administration);
  CHECK(parsed({}).admin_token.empty());
  CHECK(parsed({"--admin-token", "secret"}).admin_token == "secret");
  CHECK_FALSE(parsed({"--no-admin"}).administration);
  CHECK(refusal({"--admin-token="}) == "--admin-token takes a non-empty token");
}

TEST_CASE("a server may get files of tables, and what they leave open") {
  const auto options = parsed({"--tables", "a.yaml", "--tables=b.tf", "--param", "Stage=dev",
                               "--param=Url=a=b", "--stack", "s", "--stage", "test", "--watch", "--var-file",
                               "dev.tfvars", "--import", "Key=arn", "--name", "Plants=dev-plants"});
  CHECK(options.definitions.files == std::vector<std::string>{"a.yaml", "b.tf"});
  CHECK(options.definitions.parameters.at("Stage") == "dev");
  CHECK(options.definitions.parameters.at("Url") == "a=b");
  CHECK(options.definitions.stack == "s");
  CHECK(options.definitions.stage == "test");
  CHECK(options.definitions.variable_files == std::vector<std::string>{"dev.tfvars"});
  CHECK(options.definitions.imports.at("Key") == "arn");
  CHECK(options.definitions.names.at("Plants") == "dev-plants");
  CHECK(options.watch);
  CHECK(refusal({"--tables", "a.yaml", "--param", "Stage"}) == "--param takes NAME=VALUE, not 'Stage'");
  const std::string needs_tables =
      "--watch, --param, --var-file, --stack, --stage, --import and --name are for files of tables: add "
      "--tables FILE";
  CHECK(refusal({"--watch"}) == needs_tables);
  CHECK(refusal({"--import", "Key=arn"}) == needs_tables);
  CHECK(refusal({"--name", "Plants=dev-plants"}) == needs_tables);
  CHECK(refusal({"--var-file", "dev.tfvars"}) == needs_tables);
}

TEST_CASE("tables takes an action first, then files") {
  const auto apply =
      parsed({"tables", "apply", "a.yaml", "b.tf", "--into", "http://127.0.0.1:8000", "--prune", "--name",
              "Plants=dev-plants", "--import", "Key=arn", "--region", "eu-west-1"});
  CHECK(apply.command == Command::tables);
  CHECK(apply.table_command.action == TablesAction::apply);
  CHECK(apply.definitions.files == std::vector<std::string>{"a.yaml", "b.tf"});
  CHECK(apply.destination == "http://127.0.0.1:8000");
  CHECK(apply.table_command.prune);
  CHECK(apply.definitions.names.at("Plants") == "dev-plants");
  CHECK(apply.definitions.imports.at("Key") == "arn");
  CHECK(apply.table_command.region == "eu-west-1");
  CHECK(parsed({"tables", "apply", "a.yaml", "--dry-run"}).table_command.dry_run);
  CHECK(parsed({"tables", "diff", "a.yaml", "--with", "b.yaml"}).table_command.other == "b.yaml");
  CHECK(parsed({"tables", "show", "a.yaml", "--as", "cli"}).table_command.format == TableFormat::cli);
  CHECK(parsed({"tables", "show", "--from", "./data", "--as", "json"}).table_command.from == "./data");
  CHECK(parsed({"tables", "--help"}).command == Command::tables_help);
  CHECK(parsed({"help", "tables"}).command == Command::tables_help);
}

TEST_CASE("tables refuses what does not fit together, with what does") {
  CHECK(refusal({"tables"}).starts_with("tables takes apply, diff or show first"));
  CHECK(refusal({"tables", "a.yaml"}) == "tables does not 'a.yaml'; it takes apply, diff or show first");
  CHECK(refusal({"tables", "apply", "a.yaml"}).starts_with("apply needs files and a destination"));
  CHECK(refusal({"tables", "apply", "a.yaml", "--into", "d", "--update", "--replace"})
            .starts_with("--update, --replace and --skip-existing exclude each other"));
  CHECK(refusal({"tables", "apply", "a.yaml", "--into", "d", "--prune", "--table", "x"})
            .starts_with("--prune is for all tables"));
  CHECK(refusal({"tables", "apply", "a.yaml", "--dry-run", "--env"}).starts_with("--dry-run prints calls"));
  CHECK(refusal({"tables", "diff", "a.yaml"}).starts_with("diff needs a file and what to compare it with"));
  CHECK(refusal({"tables", "diff", "a.yaml", "b.yaml", "--with", "c.yaml"}).starts_with("diff needs a file"));
  CHECK(refusal({"tables", "show", "--as", "json"}).starts_with("show needs files, or a server"));
  CHECK(refusal({"tables", "show", "a", "--from", "b", "--as", "json"})
            .starts_with("show needs files, or a server"));
  CHECK(refusal({"tables", "show", "a.yaml"}).starts_with("show needs a format"));
  CHECK(refusal({"tables", "show", "a.yaml", "--as", "xml"}) ==
        "--as takes cloudformation, terraform, cli, workbench or json, not 'xml'");
  CHECK(refusal({"tables", "show", "a.yaml", "--as", "json", "--prune"}) ==
        "this action of tables does not take --prune; dinette tables --help says which does");
  for (const std::string_view option : {"--update", "--replace", "--skip-existing", "--dry-run", "--env"})
    CHECK(refusal({"tables", "diff", "a", "--with", "b", option}).find(option) != std::string::npos);
  CHECK(refusal({"tables", "apply", "a", "--into", "b", "--with", "c"}).find("--with") != std::string::npos);
  CHECK(refusal({"tables", "apply", "a", "--into", "b", "--from", "c"}).find("--from") != std::string::npos);
}

TEST_CASE("the last of several wins") {
  CHECK(parsed({"--port", "1", "-port", "2", "--port=3"}).port == 3);
}

TEST_CASE("DynamoDB Local's arguments are accepted") {
  const auto local =
      parsed({"-jar", "DynamoDBLocal.jar", "-Djava.library.path=./DynamoDBLocal_lib", "-Xmx512m", "-inMemory",
              "-sharedDb", "-port", "8009", "-cors", "http://a,http://b", "-delayTransientStatuses",
              "-optimizeDbBeforeStartup", "-disableTelemetry"});
  CHECK(local.in_memory);
  CHECK(local.port == 8009);
  CHECK(local.cors_origins == "http://a,http://b");
  CHECK(local.state_delay == milliseconds(0));
  CHECK(local.index_state_delay == milliseconds(1000));  // tables are not affected
}

TEST_CASE("an option in DynamoDB Local's spelling asks for its behaviour") {
  for (const char* option : {"-inMemory", "-sharedDb", "-delayTransientStatuses", "-optimizeDbBeforeStartup",
                             "-disableTelemetry", "-Djava.library.path=./DynamoDBLocal_lib", "-Xmx512m"}) {
    INFO(option);
    CHECK(parsed({option}).as_dynamodb_local);
  }
  CHECK(parsed({"-port", "8000"}).as_dynamodb_local);
  CHECK(parsed({"-cors", "*"}).as_dynamodb_local);
  CHECK(parsed({"-jar", "DynamoDBLocal.jar"}).as_dynamodb_local);
  CHECK(parsed({"-inMemory", "-dbPath", "data"}).as_dynamodb_local);
  CHECK(parsed({"--host", "0.0.0.0", "-inMemory"}).as_dynamodb_local);  // as in a container
  CHECK_FALSE(parsed({"--port", "8000", "--cors", "*", "--log-level=info"}).as_dynamodb_local);
}

TEST_CASE("called as java, the program behaves as DynamoDB Local") {
  const auto called_as = [](std::string_view program) {
    return parse_command_line({}, program)->as_dynamodb_local;
  };
  CHECK(called_as("java"));
  CHECK_FALSE(called_as("dinette"));
}

TEST_CASE("a class path and the class after it are ignored") {
  for (const char* option : {"-cp", "-classpath"}) {
    const auto local = parsed({option, "DynamoDBLocal.jar:DynamoDBLocal_lib/*",
                               "com.amazonaws.services.dynamodbv2.local.main.ServerRunner", "-port", "8009"});
    CHECK(local.as_dynamodb_local);
    CHECK(local.port == 8009);
  }
  CHECK(parsed({"-cp", "a.jar", "-port", "8009", "Main"}).port == 8009);
  CHECK(refusal({"-cp", "a.jar", "Main", "Other"}).starts_with("unexpected argument 'Other'"));
  CHECK(refusal({"-jar", "a.jar", "Main"}).starts_with("unexpected argument 'Main'"));
  CHECK(refusal({"-cp"}) == "-cp needs a value: -cp PATH");
}

TEST_CASE("another S3 is a URL, instead of a folder of buckets") {
  CHECK(parsed({"--s3-endpoint", "http://127.0.0.1:9000"}).s3_endpoint == "http://127.0.0.1:9000");
  CHECK(parsed({"--s3-endpoint=https://s3.example/"}).s3_endpoint == "https://s3.example/");
  for (const std::string_view url : {"minio:9000", "ftp://minio", "http://", "http://a/bucket",
                                     "http://a:port", "http://a:0", "http://u:p@a", ""}) {
    CHECK(refusal({"--s3-endpoint", url}) ==
          "--s3-endpoint takes the URL of a server, such as http://127.0.0.1:9000 or https://s3.example, not "
          "'" +
              std::string(url) + "'");
  }
  CHECK(refusal({"--s3", "here", "--s3-endpoint", "http://there"}) ==
        "--s3 keeps buckets in a folder, --s3-endpoint has them elsewhere: omit one of them");
}

TEST_CASE("a database folder is refused with what to do, or ignored with -inMemory") {
  CHECK(parsed({"-sharedDb", "-dbPath", "./data"}).data_folder == "./data");
  CHECK(parsed({"-dbPath", "./data", "-inMemory"}).data_folder.empty());
  CHECK(refusal({"--data", "a", "-inMemory"}) == "--data keeps tables, -inMemory does not: omit one of them");
  CHECK(refusal({"--data", "a", "-dbPath", "b"}) ==
        "--data and -dbPath name different folders: omit one of them");
  CHECK(parsed({"--store", "postgres://u@h/d"}).store == "postgres://u@h/d");
  CHECK(refusal({"--store", "mysql://h/d"}) ==
        "--store takes the URL of a PostgreSQL database, such as postgres://user@host/database");
  CHECK(refusal({"--store", "postgres://h/d", "--data", "a"}) ==
        "--store keeps tables in a database, other options keep them elsewhere: omit --data, -dbPath and "
        "-inMemory");
  CHECK(parsed({"--data", "a", "--durability", "sync", "--memory", "64M"}).sync);
  CHECK(parsed({"-dbPath", "a", "--memory", "64M"}).memory == 64 << 20);
  CHECK(refusal({"--memory", "64M"}) ==
        "--memory is for the data of a data folder, of which the rest is read from the disk: add --data "
        "FOLDER, or "
        "omit it");
  CHECK(parsed({"-dbPath", "a", "--durability", "sync"}).sync);
  CHECK(parsed({"-dbPath", "a", "-inMemory", "--durability", "sync"}).data_folder.empty());
  CHECK(refusal({"--durability", "sync"}) ==
        "--durability sync needs a folder that data are kept in: add --data FOLDER");
  CHECK(refusal({"--durability", "disk"}) == "--durability takes process or sync, not 'disk'");
}

TEST_CASE("help and version are recognized in every spelling") {
  for (const auto* help : {"--help", "-help", "-h"}) CHECK(parsed({help}).command == Command::help);
  for (const auto* version : {"--version", "-version", "-V"}) {
    CHECK(parsed({version}).command == Command::version);
  }
  CHECK(parsed({"--help-markdown"}).command == Command::help_markdown);
  CHECK(parsed({"healthcheck", "--help"}).command == Command::healthcheck_help);
}

TEST_CASE("help, version and the server are commands as well") {
  for (const std::string_view name : {"serve", "run", "start"}) {
    const auto serve = parsed({name, "--port", "9", "-inMemory"});
    CHECK(serve.command == Command::serve);
    CHECK(serve.port == 9);
    CHECK(serve.as_dynamodb_local);
    CHECK(parsed({name, "--help"}).command == Command::help);
    CHECK(parsed({"help", name}).command == Command::help);
  }
  CHECK(refusal({"serve", "--tls"}) == "unknown option --tls");
  CHECK(refusal({"serve", "--auth", "verify"}).starts_with("--auth verify needs"));
  CHECK(parsed({"version"}).command == Command::version);
  CHECK(parsed({"version", "--help"}).command == Command::help);
  CHECK(parsed({"help"}).command == Command::help);
  CHECK(parsed({"help", "--help"}).command == Command::help);
  CHECK(parsed({"help", "help"}).command == Command::help);
  CHECK(parsed({"help", "healthcheck"}).command == Command::healthcheck_help);
  CHECK(parsed({"help", "export"}).command == Command::export_help);
  CHECK(parsed({"help", "mcp"}).command == Command::mcp_help);
  CHECK(refusal({"help", "--port", "1"}) == "unknown option --port");
  CHECK(refusal({"help", "export", "import"}) ==
        "unexpected argument 'import'; options begin with a dash, and "
        "import must come first");
}

TEST_CASE("a word that is no command is refused with those that there are") {
  const std::string commands =
      "\nThe commands are serve, healthcheck, export, import, pull, listen, check, mcp, tables, policy, "
      "row-size, "
      "doctor, "
      "help, "
      "version; options begin with a dash.";
  CHECK(refusal({"exprot", "./data"}) == "there is no command 'exprot'; did you mean export?" + commands);
  CHECK(refusal({"strat"}) == "there is no command 'strat'; did you mean start?" + commands);
  CHECK(refusal({"help", "chekc"}) == "there is no command 'chekc'; did you mean check?" + commands);
  CHECK(refusal({"up"}) == "there is no command 'up'" + commands);
  CHECK(refusal({""}) == "there is no command ''" + commands);
}

TEST_CASE("the help of a wrong command line is that of its command") {
  const auto help_for = [](std::initializer_list<std::string_view> arguments) {
    return help_command({arguments.begin(), arguments.size()});
  };
  CHECK(help_for({}) == "dinette --help");
  CHECK(help_for({"--prot"}) == "dinette --help");
  CHECK(help_for({"export", "x"}) == "dinette export --help");
  for (const std::string_view name : {"serve", "start", "help", "version", "other"})
    CHECK(help_for({name, "x"}) == "dinette --help");
}

TEST_CASE("healthcheck takes the URL of a server instead of its parts") {
  const auto check = parsed({"healthcheck", "https://[::1]:9"});
  CHECK(check.host == "::1");
  CHECK(check.port == 9);
  CHECK(check.healthcheck_tls);
  const auto usual = parsed({"healthcheck"});
  CHECK(usual.host == "localhost");
  CHECK(usual.port == 8000);
  CHECK(refusal({"healthcheck", "http://localhost:8000/x"}) ==
        "'http://localhost:8000/x' is not the URL of a server, such as http://127.0.0.1:8000");
  CHECK(refusal({"healthcheck", "http://localhost", "--port", "9"}) ==
        "name the server by its URL, or by --host, --port and --tls: omit one of them");
}

TEST_CASE("healthcheck takes HOST:PORT") {
  const auto check = parsed({"healthcheck", "dinette:9"});
  CHECK(check.host == "dinette");
  CHECK(check.port == 9);
  CHECK_FALSE(check.healthcheck_tls);
  CHECK(parsed({"healthcheck", "[::1]:9"}).host == "::1");
  CHECK(parsed({"healthcheck", "--tls", "dinette:9"}).healthcheck_tls);
  CHECK(refusal({"healthcheck", "dinette"}) ==
        "'dinette' is neither the URL of a server nor HOST:PORT, such as http://127.0.0.1:8000 or "
        "localhost:8000");
  CHECK(refusal({"healthcheck", "dinette:9", "--port", "9"}) ==
        "name the server by its URL, or by --host, --port and --tls: omit one of them");
}

TEST_CASE("healthcheck takes an address and no server options") {
  const auto check = parsed({"healthcheck", "--host", "::1", "-port", "9", "--tls"});
  CHECK(check.command == Command::healthcheck);
  CHECK(check.host == "::1");
  CHECK(check.port == 9);
  CHECK(check.healthcheck_tls);
  CHECK(refusal({"healthcheck", "--auth", "none"}) == "unknown option --auth");
  CHECK(refusal({"--tls"}) == "unknown option --tls");
  CHECK(refusal({"--port", "9", "healthcheck"}) ==
        "unexpected argument 'healthcheck'; options begin with a dash, and healthcheck must come first");
}

TEST_CASE("what is kept for some time is kept as long as in the service, or less") {
  using namespace std::chrono_literals;
  CHECK(parsed({}).stream_retention == 24h);
  CHECK(parsed({}).recovery_window == 35 * 24h);
  CHECK(parsed({"--stream-retention", "10m"}).stream_retention == 10min);
  CHECK(parsed({"--stream-retention", "24h"}).stream_retention == 24h);
  CHECK(parsed({"--recovery-window", "2d"}).recovery_window == 48h);
  CHECK(refusal({"--stream-retention", "25h"}) ==
        "--stream-retention takes a duration from 1m to 24h, not '25h'");
  CHECK(refusal({"--stream-retention", "0"}) ==
        "--stream-retention takes a duration from 1m to 24h, not '0'");
  CHECK(refusal({"--recovery-window", "36d"}) ==
        "--recovery-window takes a duration from 1m to 35d, not '36d'");
  CHECK(refusal({"--recovery-window", "soon"}) ==
        "--recovery-window takes a duration from 1m to 35d, not 'soon'");
}

TEST_CASE("an option that another one leaves nothing to do is refused") {
  CHECK(refusal({"--log-items"}) == "--log-items adds to the lines of requests: add --log-level info");
  CHECK(refusal({"--log-items", "--log-level", "error"}) ==
        "--log-items adds to the lines of requests: add --log-level info");
  CHECK(parsed({"--log-items", "--log-level", "debug"}).log_items);
  CHECK(refusal({"--admin-token", "secret", "--no-admin"}) ==
        "--admin-token is for the administration, --no-admin turns it off: omit one of them");
}

TEST_CASE("mcp works on a server, a folder or in memory") {
  CHECK(parsed({"mcp"}).command == Command::mcp);
  CHECK(parsed({"mcp"}).source == "http://127.0.0.1:8000");
  CHECK_FALSE(parsed({"mcp"}).allow_writes);
  CHECK(parsed({"mcp", "http://h:1", "--allow-writes"}).source == "http://h:1");
  CHECK(parsed({"mcp", "http://h:1", "--allow-writes"}).allow_writes);
  CHECK(parsed({"mcp", "--data", "./data"}).data_folder == "./data");
  CHECK(parsed({"mcp", "--data", "./data"}).source.empty());
  CHECK(parsed({"mcp", "--in-memory", "--load", "f"}).load_folder == "f");
  CHECK(parsed({"mcp", "--help"}).command == Command::mcp_help);
  CHECK(refusal({"mcp", "--data", "d", "--in-memory"}) ==
        "mcp works on one thing: a URL, --data FOLDER or --in-memory");
  CHECK(refusal({"mcp", "--load", "f"}) == "--load is for tables in memory: add --in-memory");
  CHECK(parsed({"mcp", "--allow-writes", "--import-from", "f"}).import_folder == "f");
  CHECK(refusal({"mcp", "--import-from", "f"}) ==
        "--import-from is for a tool that writes: add --allow-writes");
  CHECK(refusal({"mcp", "--port", "1"}) == "unknown option --port");
}

TEST_CASE("row-size takes a file and a row") {
  const auto options = parsed({"row-size", "table.cql", "--row", R"({"id": 1})"});
  CHECK(options.command == Command::row_size);
  CHECK(options.source == "table.cql");
  CHECK(options.row == R"({"id": 1})");
  CHECK(parsed({"row-size", "--help"}).command == Command::row_size_help);
  CHECK(refusal({"row-size", "table.cql"}) ==
        "row-size needs a file with CREATE TABLE and a row: dinette row-size table.cql --row '{\"id\": 1}'");
}

TEST_CASE("policy takes a file, a caller, an action and keys of conditions") {
  const Options options =
      parsed({"policy", "iam.json", "--user", "alice", "--action", "dynamodb:GetItem", "--context",
              "dynamodb:LeadingKeys=a", "--context", "dynamodb:LeadingKeys=b=c"});
  CHECK(options.command == Command::policy);
  CHECK(options.source == "iam.json");
  CHECK(options.policy.caller == "alice");
  CHECK(options.policy.action == "dynamodb:GetItem");
  CHECK(options.policy.resource == "*");
  CHECK(options.policy.context.at("dynamodb:LeadingKeys") == std::vector<std::string>{"a", "b=c"});
  CHECK(parsed({"policy", "--help"}).command == Command::policy_help);
  CHECK(refusal({"policy", "iam.json", "--user", "alice"}) ==
        "policy needs a file of identities, a caller and an action: dinette policy iam.json --user alice "
        "--action "
        "dynamodb:GetItem");
  CHECK(refusal({"policy", "iam.json", "--context", "key"}) == "--context takes NAME=VALUE, not 'key'");
}

TEST_CASE("identities and quotas are for servers") {
  CHECK(parsed({"--iam", "iam.json"}).identities_file == "iam.json");
  CHECK_FALSE(parsed({}).quotas);
  CHECK(parsed({"--quotas", "service"}).quotas);
  CHECK(refusal({"--quotas", "all"}) == "--quotas takes none or service, not 'all'");
}

TEST_CASE("doctor takes the URL of a server, or none") {
  CHECK(parsed({"doctor"}).command == Command::doctor);
  CHECK(parsed({"doctor"}).source.empty());
  CHECK(parsed({"doctor", "http://h:1"}).source == "http://h:1");
  CHECK(parsed({"doctor", "--help"}).command == Command::doctor_help);
}

TEST_CASE("export takes a source, a folder and tables") {
  const auto whole = parsed({"export", "http://127.0.0.1:8000", "--to", "./backup"});
  CHECK(whole.command == Command::export_tables);
  CHECK(whole.source == "http://127.0.0.1:8000");
  CHECK(whole.destination == "./backup");
  CHECK(whole.tables.empty());
  const auto some = parsed({"export", "--table", "A", "--to=./backup", "./data", "--table", "B"});
  CHECK(some.source == "./data");
  CHECK(some.tables == std::vector<std::string>{"A", "B"});
  CHECK(parsed({"export", "--help"}).command == Command::export_help);

  const std::string usage =
      "export needs a source and a folder: dinette export http://127.0.0.1:8000 --to ./backup";
  CHECK(refusal({"export"}) == usage);
  CHECK(refusal({"export", "./data"}) == usage);
  CHECK(refusal({"export", "--to", "./backup"}) == usage);
  CHECK(refusal({"export", "./data", "other", "--to", "x"}) ==
        "unexpected argument 'other'; options begin with a dash");
  CHECK(refusal({"export", "./data", "--into", "x"}) == "unknown option --into");
  CHECK(refusal({"--to", "x"}) == "unknown option --to");
  CHECK(refusal({"--port", "1", "export"}) ==
        "unexpected argument 'export'; options begin with a dash, and export must come first");
}

TEST_CASE("check takes a data folder") {
  const auto check = parsed({"check", "./data"});
  CHECK(check.command == Command::check_folder);
  CHECK(check.source == "./data");
  CHECK(parsed({"check", "--help"}).command == Command::check_help);
  CHECK(refusal({"check"}) ==
        "check needs the data folder of a server that is not running: dinette check ./data");
  CHECK(refusal({"check", "a", "b"}).starts_with("unexpected argument 'b'"));
}

TEST_CASE("a destination without its option is recognized") {
  CHECK(refusal({"import", "./backup", "http://localhost:8000"}) ==
        "--into is missing: dinette import ./backup --into http://localhost:8000");
  CHECK(refusal({"import", "./backup", "./data", "--table", "A"}) ==
        "--into is missing: dinette import ./backup --into ./data");
  CHECK(refusal({"export", "http://localhost:8000", "./backup"}) ==
        "--to is missing: dinette export http://localhost:8000 --to ./backup");
  for (const auto& second :
       {refusal({"import", "a", "b", "--into", "c"}), refusal({"import", "a", "b", "--into=c"}),
        refusal({"import", "a", "--into", "c", "b"}), refusal({"check", "a", "b"})})
    CHECK(second == "unexpected argument 'b'; options begin with a dash");
}

TEST_CASE("import takes how CSV is to be read") {
  using dynamodb::item_files::CellType;
  const auto import = parsed({"import", "a.csv", "--into", "d", "--delimiter", "tab", "--types",
                              "a:N,b:c:BOOL", "--types=raw:B,a:S", "--infer"});
  CHECK(import.csv_delimiter == '\t');
  CHECK(import.csv_infer);
  CHECK(import.csv_types.size() == 3);
  CHECK(import.csv_types.at("a") == CellType::text);
  CHECK(import.csv_types.at("b:c") == CellType::boolean);
  CHECK(import.csv_types.at("raw") == CellType::binary);
  CHECK(parsed({"import", "a", "--into", "d"}).csv_delimiter == '\0');
  CHECK(parsed({"import", "a", "--into", "d", "--delimiter=;"}).csv_delimiter == ';');
  for (const auto* wrong : {"", "x", "tabs", ",,"})
    CHECK(refusal({"import", "f", "--into", "d", "--delimiter=" + std::string(wrong)})
              .starts_with("--delimiter takes one of "));
  for (const auto* wrong : {"", "a", "a:X", ":N", "a:N,b", "a:N,,b:N"})
    CHECK(refusal({"import", "f", "--into", "d", "--types=" + std::string(wrong)})
              .starts_with("--types takes columns with their types"));
}

TEST_CASE("import takes a folder, a destination, a table and its keys") {
  const auto import =
      parsed({"import", "./backup", "--into", "./data", "--table", "A", "--key", "p:k:S,sk:N"});
  CHECK(import.command == Command::import_tables);
  CHECK(import.source == "./backup");
  CHECK(import.destination == "./data");
  CHECK(import.tables == std::vector<std::string>{"A"});
  REQUIRE(import.keys.size() == 2);
  CHECK(import.keys[0].name == "p:k");
  CHECK(import.keys[0].type == 'S');
  CHECK(import.keys[1].name == "sk");
  CHECK(import.keys[1].type == 'N');
  CHECK(parsed({"import", "--help"}).command == Command::import_help);

  CHECK(refusal({"import", "./backup"}) ==
        "import needs a folder or file, and a destination: dinette import ./backup --into "
        "http://127.0.0.1:8000");
  for (const auto* wrong : {"", "pk", "pk:X", ":S", "pk:S,", ",pk:S", "a:S,b:S,c:S", "pk:SS"}) {
    CHECK(refusal({"import", "f", "--into", "d", "--key=" + std::string(wrong)}) ==
          "--key takes a partition key, and perhaps a sort key, with their types, such as pk:S or pk:S,sk:N, "
          "not '" +
              std::string(wrong) + "'");
  }
}

TEST_CASE("tables are loaded only into servers that keep nothing") {
  CHECK(parsed({"--load", "./fixtures"}).load_folder == "./fixtures");
  CHECK(parsed({"--load", "./fixtures", "-dbPath", "d", "-inMemory"}).load_folder == "./fixtures");
  for (const auto* option : {"--data", "-dbPath"}) {
    CHECK(refusal({"--load", "./fixtures", option, "./data"}) ==
          "--load is for servers in memory; fill the data folder before the start: "
          "dinette import ./fixtures --into ./data");
  }
  CHECK(refusal({"--load", "./fixtures", "--store", "postgres://u:secret@h/d"}) ==
        "--load is for servers in memory; fill the database before the start: "
        "dinette import ./fixtures --into postgres://u@h/d");
}

TEST_CASE("an empty path, as of a variable that is not set, is refused") {
  for (const std::string_view option : {"--data", "--s3", "-dbPath"})
    CHECK(refusal({option, ""}) == std::string(option) + " takes a folder, not ''");
  CHECK(refusal({"--data="}) == "--data takes a folder, not ''");
  CHECK(refusal({"--load", ""}) == "--load takes a folder or file, not ''");
  CHECK(refusal({"--store", ""}) == "--store takes the URL of a database, not ''");
  for (const std::string_view option :
       {"--iam", "--credentials", "--faults", "--triggers", "--tls-cert", "--tls-key"})
    CHECK(refusal({option, ""}) == std::string(option) + " takes a file, not ''");
  CHECK(refusal({"mcp", "--data", ""}) == "--data takes a folder, not ''");
  CHECK(refusal({"mcp", "--in-memory", "--load", ""}) == "--load takes a folder or file, not ''");
  CHECK(refusal({"pull", "--from", "aws", "--into", "d", "--mask", ""}) == "--mask takes a file, not ''");
}

TEST_CASE("a folder is no database, and neither is shown with its password") {
  CHECK(refusal({"--data", "postgres://u:secret@h/d"}) ==
        "--data and -dbPath take a folder; --store takes the URL of a database");
  CHECK(refusal({"import", "./backup", "postgres://u:secret@h/d"}) ==
        "--into is missing: dinette import ./backup --into postgres://u@h/d");
  CHECK(refusal({"postgres://u:secret@h/d"}).starts_with("there is no command 'postgres://u@h/d'"));
  CHECK(refusal({"check", "--repair", "postgres://u@h/d"}) ==
        "--repair is for data folders; the files of a database are PostgreSQL's, which has its own "
        "backups: omit it");
  CHECK(parsed({"check", "postgres://u@h/d"}).source == "postgres://u@h/d");
}

TEST_CASE("a port that is named twice is refused, with both names") {
  CHECK(
      refusal({"--cql-port", "8000"}) ==
      "--port (by default 8000) and --cql-port name the same port, 8000: choose another one for one of them");
  CHECK(refusal({"--port", "9", "--tablestore-port", "9"}) ==
        "--port and --tablestore-port name the same port, 9: choose another one for one of them");
  CHECK(refusal({"--region-ports", "eu-west-1=8001,us-west-2=8001"}) ==
        "--region-ports eu-west-1 and --region-ports us-west-2 name the same port, 8001: choose another one "
        "for one of them");
  CHECK(parsed({"--port", "0", "--cql-port", "0", "--tablestore-port", "0"}).cql_port == 0);
  CHECK(parsed({"--port", "8001", "--cql-port", "8000"}).cql_port == 8000);
}

TEST_CASE("an unknown option is named, with the likely one") {
  CHECK(refusal({"--prot", "1"}) == "unknown option --prot; did you mean --port?");
  CHECK(refusal({"--log-leve=info"}) == "unknown option --log-leve; did you mean --log-level?");
  CHECK(refusal({"-inmemory"}) == "unknown option -inmemory; did you mean -inMemory?");
  CHECK(refusal({"--sharedDb"}) == "unknown option --sharedDb; did you mean -sharedDb?");
  CHECK(refusal({"-log-level", "info"}) == "unknown option -log-level; did you mean --log-level?");
  CHECK(refusal({"--frobnicate"}) == "unknown option --frobnicate");
  CHECK(refusal({"-q"}) == "unknown option -q");
  CHECK(refusal({"--="}) == "unknown option --");
}

TEST_CASE("web pages that may call are origins or hosts, so that none is listed in vain") {
  for (const auto* origins :
       {"*", "local", "local, https://app.example:3000/", "app.example,http://[::1]:3000", "[::1]", "",
        "null", "file://", "chrome-extension://abc"}) {
    INFO(origins);
    CHECK(parsed({"--cors", origins}).cors_origins == origins);
  }
  for (const std::string wrong : {"http//app.example", "app.example:3000", "https://app.example/path",
                                  "http://a b", "a b", "app.example?", "http://u@app.example"}) {
    CHECK(refusal({"--cors", "local, " + wrong}) ==
          "--cors takes origins without a path, such as https://app.example:3000, and hosts without a port, "
          "such "
          "as app.example, not '" +
              wrong + "'");
  }
}

TEST_CASE("arguments that are not options are refused") {
  CHECK(refusal({"serve", "x"}) == "unexpected argument 'x'; options begin with a dash");
  CHECK(refusal({"version", "x"}) == "unexpected argument 'x'; options begin with a dash");
  CHECK(refusal({"--port", "1", "chekc"}) ==
        "unexpected argument 'chekc'; options begin with a dash; did you mean the command check?");
  CHECK(refusal({"check", "./data", "doctr"}) == "unexpected argument 'doctr'; options begin with a dash");
  CHECK(refusal({"-"}) == "unexpected argument '-'; options begin with a dash");
  CHECK(refusal({"--", "x"}) == "unexpected argument 'x'; options begin with a dash");
  CHECK(parsed({"--port", "1", "--"}).port == 1);
}

TEST_CASE("missing and superfluous values are named") {
  CHECK(refusal({"--port"}) == "--port needs a value: --port N");
  CHECK(refusal({"--host", "--port", "1"}) == "--host needs a value: --host ADDRESSES");
  CHECK(refusal({"-dbPath", "-inMemory"}) == "-dbPath needs a value: -dbPath FOLDER");
  CHECK(refusal({"--threads", "-1"}) == "--threads takes a number from 0 to 256, not '-1'");
  CHECK(refusal({"--log-items=yes"}) == "--log-items takes no value");
}

TEST_CASE("an invalid value is refused with what is valid") {
  CHECK(refusal({"--port", "65536"}) == "--port takes a number from 0 to 65535, not '65536'");
  CHECK(refusal({"-port", "+1"}) == "-port takes a number from 0 to 65535, not '+1'");
  CHECK(refusal({"--port="}) == "--port takes a number from 0 to 65535, not ''");
  CHECK(refusal({"--threads", "257"}) == "--threads takes a number from 0 to 256, not '257'");
  CHECK(refusal({"--max-connections", "0"}) == "--max-connections takes a number from 1 to 1000000, not '0'");
  CHECK(refusal({"--auth", "maybe"}) == "--auth takes one of none, present, verify, not 'maybe'");
  CHECK(refusal({"--log-level", "loud"}) ==
        "--log-level takes one of off, error, warn, info, debug, not 'loud'");
  CHECK(refusal({"--log-format", "xml"}) == "--log-format takes text or json, not 'xml'");
  CHECK(refusal({"--throttle", "on"}) == "--throttle takes none or service, not 'on'");
  CHECK(refusal({"--validation", "new"}) == "--validation takes region, older or newer, not 'new'");
  CHECK(refusal({"--transaction-conflicts", "on"}) ==
        "--transaction-conflicts takes wait or service, not 'on'");
  CHECK(refusal({"--account", "12345678901"}) ==
        "--account takes an account number of twelve digits, not '12345678901'");
  for (const auto& region :
       {std::string(), std::string("eu west"), std::string("eu:west"), std::string(65, 'a')}) {
    CHECK(refusal({"--region=" + region}) ==
          "--region takes the name of a region such as eu-west-1, not '" + region + "'");
  }
}

TEST_CASE("a region must be valid in ARNs") {
  for (const auto* region : {"eu-west-1", "local", "my_region"})
    CHECK(parsed({"--region", region}).region == region);
}

TEST_CASE("durations carry their unit, or are milliseconds") {
  CHECK(parsed({"--state-delay", "0"}).state_delay == milliseconds(0));
  CHECK(parsed({"--state-delay", "5"}).state_delay == milliseconds(5));
  CHECK(parsed({"--state-delay", "250ms"}).state_delay == milliseconds(250));
  CHECK(parsed({"--state-delay", "2s"}).state_delay == milliseconds(2000));
  CHECK(parsed({"--state-delay", "1m"}).state_delay == milliseconds(60'000));
  CHECK(parsed({"--state-delay", "1h"}).state_delay == milliseconds(3'600'000));
  CHECK(parsed({"--state-delay", "1d"}).state_delay == milliseconds(86'400'000));
  for (const auto* wrong : {"s", "2w", "-1s", "1.5s", "", "1000001m"}) {
    CHECK(refusal({"--state-delay=" + std::string(wrong)}) ==
          "--state-delay takes a duration such as 250ms, 2s or 1m, or a number of milliseconds, not '" +
              std::string(wrong) + "'");
  }
}

TEST_CASE("sizes carry their unit, or are bytes") {
  CHECK(parsed({"--connection-memory", "64M"}).connection_memory == 64u << 20);
  CHECK(parsed({"--connection-memory", "70000K"}).connection_memory == 70000u << 10);
  CHECK(parsed({"--connection-memory", "3G"}).connection_memory == 3ull << 30);
  CHECK(parsed({"--connection-memory", "100000000"}).connection_memory == 100000000);
  for (const auto* wrong : {"63M", "0", "", "M", "1T", "1.5G", "512 M", "-1G"}) {
    CHECK(refusal({"--connection-memory=" + std::string(wrong)}) ==
          "--connection-memory takes a size from 64M on, such as 512M or 2G, not '" + std::string(wrong) +
              "'");
  }
}

TEST_CASE("isolation takes account, region or both") {
  CHECK(parsed({"--isolate", "account"}).isolation.accounts);
  CHECK_FALSE(parsed({"--isolate", "account"}).isolation.regions);
  CHECK(parsed({"--isolate", "region"}).isolation.regions);
  const auto both = parsed({"--isolate", "region,account"});
  CHECK((both.isolation.accounts && both.isolation.regions));
  for (const auto* wrong : {"all", "account,", "", "account region"}) {
    CHECK(refusal({"--isolate=" + std::string(wrong)}) ==
          "--isolate takes account, region or account,region, not '" + std::string(wrong) + "'");
  }
}

TEST_CASE("regions may have ports of their own, and then have tables of their own") {
  const auto options = parsed({"--region-ports", "eu-west-1=8001,us-west-2=0", "--isolate", "account"});
  REQUIRE(options.region_ports.size() == 2);
  CHECK(options.region_ports[0].region == "eu-west-1");
  CHECK(options.region_ports[0].port == 8001);
  CHECK(options.region_ports[1].region == "us-west-2");
  CHECK(options.region_ports[1].port == 0);
  CHECK((options.isolation.regions && options.isolation.accounts));
  for (const auto* wrong :
       {"", "eu-west-1", "eu-west-1=", "=8001", "eu-west-1=8001,", "eu-west-1=65536", "a b=1"}) {
    CHECK(refusal({"--region-ports=" + std::string(wrong)}) ==
          "--region-ports takes regions with their ports, such as eu-west-1=8001,us-west-2=8002, not '" +
              std::string(wrong) + "'");
  }
  CHECK(refusal({"--region-ports", "eu-west-1=8001,eu-west-1=8002"}) ==
        "--region-ports has the region eu-west-1 twice");
}

TEST_CASE("a self-signed certificate may have a file") {
  for (const auto& options : {parsed({"--tls-self-signed"}), parsed({"--tls-self-signed", "--port", "1"})}) {
    CHECK(options.tls_self_signed);
    CHECK(options.self_signed_file.empty());
  }
  for (const auto& options : {parsed({"--tls-self-signed", "c.pem", "--port", "1"}),
                              parsed({"--tls-self-signed=c.pem", "--port", "1"})}) {
    CHECK(options.tls_self_signed);
    CHECK(options.self_signed_file == "c.pem");
    CHECK(options.port == 1);
  }
}

TEST_CASE("options that need each other are refused alone") {
  CHECK(refusal({"--tls-cert", "c.pem"}) == "--tls-cert needs its private key: add --tls-key FILE");
  CHECK(refusal({"--tls-key", "k.pem"}) == "--tls-key needs its certificate: add --tls-cert FILE");
  CHECK(refusal({"--tls-cert", "c.pem", "--tls-key", "k.pem", "--tls-self-signed"}) ==
        "--tls-self-signed makes a certificate, --tls-cert brings one: omit one of them");
  CHECK(refusal({"--auth", "verify"}) ==
        "--auth verify needs the access keys that are allowed: add --credentials FILE");
  CHECK(parsed({"--credentials", "f"}).credentials_file == "f");
  CHECK(parsed({"--faults", "f"}).faults_file == "f");
  CHECK(parsed({"--triggers", "t"}).triggers_file == "t");
  CHECK(parsed({"--auth", "verify", "--credentials", "f"}).credentials_file == "f");
  CHECK(parsed({"--tls-cert", "c.pem", "--tls-key", "k.pem"}).tls_key_file == "k.pem");
}

TEST_CASE("asking for help needs no valid combination") {
  CHECK(parsed({"--auth", "verify", "--help"}).command == Command::help);
}

TEST_CASE("a pull has a source, a destination, and what is wanted of its tables") {
  const auto options =
      parsed({"pull",       "--from",   "aws", "--into",  "./data", "--profile", "prod",   "--region",
              "eu-west-1",  "--table",  "One", "--table", "Two",    "--where",   "a > 1",  "--limit",
              "5000000000", "--sample", "7",   "--rate",  "25",     "--mask",    "m.json", "--continue"});
  CHECK(options.command == Command::pull);
  CHECK(options.source == "aws");
  CHECK(options.destination == "./data");
  CHECK(options.tables == std::vector<std::string>{"One", "Two"});
  CHECK(options.limit == 5'000'000'000);
  CHECK(options.sample == 7);
  CHECK(options.read_rate == 25);
  CHECK(options.existing == Existing::resume);
  CHECK_FALSE(options.format);
  CHECK(refusal({"pull", "--from", "aws"}) ==
        "pull needs a source and a destination: dinette pull --from aws --profile prod --into ./data");
  CHECK(refusal({"pull", "--from", "aws", "--into", "d", "--limit", "0"}) ==
        "--limit takes a number of items, such as 1000, not '0'");
  CHECK(refusal({"pull", "--from", "aws", "--into", "d", "--format", "xml"}) ==
        "--format takes csv, json or dynamodb-json, not 'xml'");
}

TEST_CASE("what happens to tables that exist is said once") {
  CHECK(parsed({"import", "f", "--into", "d", "--replace"}).existing == Existing::replace);
  CHECK(parsed({"export", "d", "--to", "f", "--skip-existing", "--format", "csv"}).existing ==
        Existing::skip);
  CHECK(refusal({"import", "f", "--into", "d", "--replace", "--continue"}) ==
        "--continue cannot be combined with another one of --continue, --replace and --skip-existing");
}

}  // namespace
}  // namespace dinette::app::command_line_test
