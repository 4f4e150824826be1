#include "app/cli/command_line.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dinette/base/ascii.h"

#include "app/called_server.h"
#include "app/cli/command_table.h"
#include "app/cli/option_table.h"
#include "app/cli/suggest.h"
#include "app/database_url.h"

namespace dinette::app {
namespace {

using base::Failure;
using std::string;
using std::string_view;

constexpr string_view java_name = "java";

constexpr const char* default_server = "http://127.0.0.1:8000";

bool has_source(Command command) {
  return command == Command::export_tables || command == Command::import_tables || command == Command::pull ||
         command == Command::healthcheck || command == Command::check_folder || command == Command::mcp ||
         command == Command::doctor || command == Command::policy || command == Command::row_size ||
         command == Command::help;
}

bool takes(Command command, const OptionSpec& option) {
  for (const CommandSpec& named : command_table()) {
    if (named.command == command) return is_taken(option.taken_by, named.options);
  }
  return is_taken(option.taken_by, TakenBy::serve);
}

// An argument that is an option, split into its parts.
struct Spelled {
  string_view whole;                    // "--port=8000"
  string_view name;                     // "port"
  bool gnu = false;                     // two dashes
  std::optional<string_view> attached;  // "8000"
};

Spelled take_apart(string_view argument) {
  Spelled spelled{.whole = argument, .name = {}, .gnu = argument.starts_with("--"), .attached = {}};
  spelled.name = argument.substr(spelled.gnu ? 2 : 1);
  const auto equals = spelled.name.find('=');
  if (spelled.gnu && equals != string_view::npos) {
    spelled.attached = spelled.name.substr(equals + 1);
    spelled.name = spelled.name.substr(0, equals);
  }
  return spelled;
}

bool looks_like_option(string_view argument) {
  return argument.size() > 1 && argument[0] == '-' && !base::is_digit(argument[1]);
}

bool is_word(string_view argument) {
  return !argument.starts_with('-') || argument.size() == 1;
}

bool is_of_java(string_view argument) {
  return argument.starts_with("-D") || argument.starts_with("-X");
}

bool matches(const OptionSpec& option, const Spelled& spelled) {
  if (spelled.name.empty()) return false;
  if (spelled.gnu) return spelled.name == option.name;
  return spelled.name == option.local || (spelled.name.size() == 1 && spelled.name[0] == option.letter);
}

const OptionSpec* find(Command command, const Spelled& spelled) {
  for (const auto& option : option_table()) {
    if (takes(command, option) && matches(option, spelled)) return &option;
  }
  return nullptr;
}

string unknown_option(Command command, const Spelled& spelled) {
  std::vector<string> known;
  for (const auto& option : option_table()) {
    if (!takes(command, option)) continue;
    if (!option.name.empty()) known.push_back("--" + string(option.name));
    if (!option.local.empty()) known.push_back("-" + string(option.local));
  }
  const auto typed = (spelled.gnu ? "--" : "-") + string(spelled.name);
  const auto meant = nearest(typed, known);
  return "unknown option " + typed + (meant.empty() ? "" : "; did you mean " + meant + "?");
}

string nearest_command(string_view typed) {
  std::vector<string> known;
  for (const CommandSpec& command : command_table()) {
    known.emplace_back(command.name);
    known.insert(known.end(), command.aliases.begin(), command.aliases.end());
  }
  std::erase(known, string_view());
  return nearest(typed, known);
}

string unknown_command(string_view typed) {
  const string meant = nearest_command(typed);
  string names;
  for (const CommandSpec& command : command_table())
    names += (names.empty() ? "" : ", ") + string(command.name);
  return "there is no command '" + shown_place(typed) + "'" +
         (meant.empty() ? "" : "; did you mean " + meant + "?") + "\nThe commands are " + names +
         "; options begin with a dash.";
}

// Walks the arguments and fills the options.
class Parser {
 public:
  Parser(std::span<const string_view> arguments, string_view program) : rest_(arguments) {
    options_.as_dynamodb_local = program == java_name;
  }

  base::Result<Options, string> parse() {
    if (const auto* named = rest_.empty() ? nullptr : find_command(rest_.front())) {
      options_.command = command_ = named->command;
      rest_ = rest_.subspan(1);
    } else if (!rest_.empty() && !rest_.front().starts_with('-')) {
      return Failure{unknown_command(rest_.front())};
    }
    while (!rest_.empty()) {
      const auto argument = next();
      if (argument == "--") break;
      DINETTE_CHECK(read(argument));
    }
    if (!rest_.empty()) return Failure{unexpected(rest_.front())};
    return options_;
  }

 private:
  string_view next() {
    const auto argument = rest_.front();
    rest_ = rest_.subspan(1);
    return argument;
  }

  base::Result<void, string> read(string_view argument) {
    if (is_word(argument)) return read_word(argument);
    const auto spelled = take_apart(argument);
    if (const auto* option = find(command_, spelled)) return apply(*option, spelled);
    if (command_ != Command::serve || !is_of_java(argument))
      return Failure{unknown_option(command_, spelled)};
    options_.as_dynamodb_local = true;
    return {};
  }

  base::Result<void, string> read_word(string_view argument) {
    if (command_ == Command::tables) return read_word_of_tables(argument);
    return has_source(command_) ? set_source(argument) : pass_over_class(argument);
  }

  /// The first word says what to do, the others are files.
  base::Result<void, string> read_word_of_tables(string_view argument) {
    TablesAction& action = options_.table_command.action;
    if (action != TablesAction::none) {
      options_.definitions.files.emplace_back(argument);
      return {};
    }
    if (argument == "apply") return action = TablesAction::apply, base::Result<void, string>();
    if (argument == "diff") return action = TablesAction::diff, base::Result<void, string>();
    if (argument == "show") return action = TablesAction::show, base::Result<void, string>();
    return Failure{"tables does not '" + string(argument) + "'; it takes apply, diff or show first"};
  }

  base::Result<void, string> set_source(string_view argument) {
    if (!options_.source.empty()) return Failure{second_source(argument)};
    options_.source = argument;
    return {};
  }

  base::Result<void, string> pass_over_class(string_view argument) {
    if (options_.java_class_path.empty() || class_passed_) return Failure{unexpected(argument)};
    class_passed_ = true;
    return {};
  }

  base::Result<void, string> apply(const OptionSpec& option, const Spelled& spelled) {
    const auto typed = (spelled.gnu ? "--" : "-") + string(spelled.name);
    if (!spelled.gnu && spelled.name == option.local) options_.as_dynamodb_local = true;
    DINETTE_TRY(const auto value, value_of(option, spelled, typed));
    const auto applied = option.apply(options_, value);
    if (!applied.ok()) return Failure{typed + " " + applied.error()};
    return {};
  }

  base::Result<string_view, string> value_of(const OptionSpec& option, const Spelled& spelled,
                                             const string& typed) {
    if (option.value.empty()) {
      if (spelled.attached) return Failure{typed + " takes no value"};
      return string_view{};
    }
    if (spelled.attached) return *spelled.attached;
    if (has_optional_value(option) && (rest_.empty() || !is_word(rest_.front()))) return string_view{};
    // An option instead of a value: the value was probably forgotten; --name=-value is always possible.
    if (rest_.empty() || looks_like_option(rest_.front())) {
      return Failure{typed + " needs a value: " + typed + " " + string(option.value)};
    }
    return next();
  }

  /// Returns what is wrong with a second argument that is no option: probably the destination's is missing.
  string second_source(string_view argument) const {
    const string option = command_ == Command::export_tables   ? "--to"
                          : command_ == Command::import_tables ? "--into"
                                                               : "";
    const bool comes =
        std::ranges::any_of(rest_, [&](string_view later) { return later.starts_with(option); });
    if (option.empty() || comes || !options_.destination.empty()) return unexpected(argument);
    const string command = option == "--to" ? "export" : "import";
    return option + " is missing: dinette " + command + " " + shown_place(options_.source) + " " + option +
           " " + shown_place(argument);
  }

  string unexpected(string_view argument) const {
    string text = "unexpected argument '" + shown_place(argument) + "'; options begin with a dash";
    if (find_command(argument)) return text + ", and " + string(argument) + " must come first";
    const string meant = command_ == Command::serve ? nearest_command(argument) : "";
    return meant.empty() ? text : text + "; did you mean the command " + meant + "?";
  }

  std::span<const string_view> rest_;
  Options options_;
  Command command_ = Command::serve;
  bool class_passed_ = false;
};

base::Result<void, string> check_tls(const Options& options) {
  const bool certificate = !options.tls_certificate_file.empty();
  const bool key = !options.tls_key_file.empty();
  if (certificate && !key) return Failure{string("--tls-cert needs its private key: add --tls-key FILE")};
  if (key && !certificate) return Failure{string("--tls-key needs its certificate: add --tls-cert FILE")};
  if (certificate && options.tls_self_signed) {
    return Failure{string("--tls-self-signed makes a certificate, --tls-cert brings one: omit one of them")};
  }
  return {};
}

base::Result<void, string> check_auth(const Options& options) {
  if (options.auth != aws::AuthMode::verify || !options.credentials_file.empty()) return {};
  return Failure{string("--auth verify needs the access keys that are allowed: add --credentials FILE")};
}

base::Result<void, string> check_storage(const Options& options) {
  if (!options.store.empty()) {
    if (!is_database(options.store))
      return Failure{
          string("--store takes the URL of a PostgreSQL database, such as postgres://user@host/database")};
    if (!options.data_folder.empty() || options.in_memory)
      return Failure{
          string("--store keeps tables in a database, other options keep them elsewhere: omit --data, "
                 "-dbPath and -inMemory")};
  }
  if (is_database(options.data_folder) || is_database(options.database_folder))
    return Failure{string("--data and -dbPath take a folder; --store takes the URL of a database")};
  if (options.data_folder.empty()) return {};
  if (options.in_memory) return Failure{string("--data keeps tables, -inMemory does not: omit one of them")};
  if (!options.database_folder.empty() && options.database_folder != options.data_folder)
    return Failure{string("--data and -dbPath name different folders: omit one of them")};
  return {};
}

base::Result<void, string> check_buckets(const Options& options) {
  if (options.s3_folder.empty() || options.s3_endpoint.empty()) return {};
  return Failure{
      string("--s3 keeps buckets in a folder, --s3-endpoint has them elsewhere: omit one of them")};
}

/// Must be called when the data folder is known. With -inMemory nothing is kept, whatever else is given.
base::Result<void, string> check_durability(const Options& options) {
  if (!options.sync || options.in_memory || !options.data_folder.empty()) return {};
  return Failure{string("--durability sync needs a folder that data are kept in: add --data FOLDER")};
}

/// Must be called when the data folder is known.
base::Result<void, string> check_memory(const Options& options) {
  if (options.memory == 0 || options.in_memory || !options.data_folder.empty()) return {};
  return Failure{
      string("--memory is for the data of a data folder, of which the rest is read from the disk: add --data "
             "FOLDER, "
             "or omit it")};
}

/// A port, and how the command line names it.
struct NamedPort {
  std::uint16_t port;
  string name;
};

std::vector<NamedPort> ports_of(const Options& options) {
  const std::uint16_t usual = Options().port;
  std::vector<NamedPort> ports{
      {options.port, options.port == usual ? "--port (by default " + std::to_string(usual) + ")" : "--port"}};
  for (const RegionPort& one : options.region_ports)
    ports.push_back({one.port, "--region-ports " + one.region});
  if (options.tablestore_port) ports.push_back({*options.tablestore_port, "--tablestore-port"});
  if (options.cql_port) ports.push_back({*options.cql_port, "--cql-port"});
  std::erase_if(ports, [](const NamedPort& one) { return one.port == 0; });  // any free one
  return ports;
}

/// Otherwise the server would take itself for another program that has the port.
base::Result<void, string> check_ports(const Options& options) {
  const std::vector<NamedPort> ports = ports_of(options);
  for (auto one = ports.begin(); one != ports.end(); ++one) {
    const auto first = std::ranges::find(ports.begin(), one, one->port, &NamedPort::port);
    if (first == one) continue;
    return Failure{first->name + " and " + one->name + " name the same port, " + std::to_string(one->port) +
                   ": choose another one for one of them"};
  }
  return {};
}

base::Result<void, string> check_administration(const Options& options) {
  if (options.administration || options.admin_token.empty()) return {};
  return Failure{
      string("--admin-token is for the administration, --no-admin turns it off: omit one of them")};
}

base::Result<void, string> check_logs(const Options& options) {
  if (!options.log_items || options.log_level >= base::LogLevel::info) return {};
  return Failure{string("--log-items adds to the lines of requests: add --log-level info")};
}

/// Must be called when the data folder is known.
base::Result<void, string> check_load(const Options& options) {
  const bool in_database = !options.store.empty();
  if (options.load_folder.empty() || (options.data_folder.empty() && !in_database)) return {};
  return Failure{"--load is for servers in memory; fill the " +
                 string(in_database ? "database" : "data folder") + " before the start: dinette import " +
                 options.load_folder + " --into " +
                 (in_database ? shown_place(options.store) : options.data_folder)};
}

base::Result<void, string> check_source(const Options& options) {
  if (options.command == Command::export_tables && (options.source.empty() || options.destination.empty()))
    return Failure{
        string("export needs a source and a folder: dinette export http://127.0.0.1:8000 --to ./backup")};
  if (options.command == Command::import_tables && (options.source.empty() || options.destination.empty()))
    return Failure{
        string("import needs a folder or file, and a destination: dinette import ./backup --into "
               "http://127.0.0.1:8000")};
  if (options.command == Command::pull && (options.source.empty() || options.destination.empty()))
    return Failure{string(
        "pull needs a source and a destination: dinette pull --from aws --profile prod --into ./data")};
  if (options.command == Command::listen && (options.tables.empty() || options.destination.empty()))
    return Failure{
        string("listen needs a table and a URL: dinette listen --table Orders --forward-to "
               "http://127.0.0.1:3000/orders")};
  if (options.command == Command::policy &&
      (options.source.empty() || options.policy.caller.empty() || options.policy.action.empty()))
    return Failure{string(
        "policy needs a file of identities, a caller and an action: dinette policy iam.json --user alice "
        "--action dynamodb:GetItem")};
  if (options.command == Command::row_size && (options.source.empty() || options.row.empty()))
    return Failure{
        string("row-size needs a file with CREATE TABLE and a row: dinette row-size table.cql --row "
               "'{\"id\": 1}'")};
  if (options.command == Command::check_folder && options.source.empty())
    return Failure{
        string("check needs the data folder of a server that is not running: dinette check ./data")};
  if (options.command == Command::check_folder && options.repair && is_database(options.source))
    return Failure{
        string("--repair is for data folders; the files of a database are PostgreSQL's, which has its own "
               "backups: omit it")};
  return {};
}

base::Result<void, string> check_apply(const Options& options) {
  const TablesOptions& given = options.table_command;
  if (options.definitions.files.empty() || (options.destination.empty() && !given.dry_run))
    return Failure{
        string("apply needs files and a destination: dinette tables apply template.yaml --into "
               "http://127.0.0.1:8000")};
  if (given.update + given.replace + given.skip_existing > 1)
    return Failure{string("--update, --replace and --skip-existing exclude each other: use one of them")};
  if (given.prune && !options.tables.empty())
    return Failure{string("--prune is for all tables, --table for some: omit one of them")};
  if (given.dry_run && given.print_environment)
    return Failure{string("--dry-run prints calls, --env prints names: omit one of them")};
  return {};
}

base::Result<void, string> check_diff(const Options& options) {
  if (options.definitions.files.size() == 1 && !options.table_command.other.empty()) return {};
  return Failure{
      string("diff needs a file and what to compare it with: dinette tables diff template.yaml --with "
             "http://127.0.0.1:8000")};
}

base::Result<void, string> check_show(const Options& options) {
  const TablesOptions& given = options.table_command;
  if (options.definitions.files.empty() == given.from.empty())
    return Failure{
        string("show needs files, or a server by --from URL: dinette tables show template.yaml --as "
               "terraform")};
  if (!given.format)
    return Failure{string("show needs a format: add --as cloudformation, terraform, cli, workbench or json")};
  return {};
}

/// Returns the option that only another action of `tables` takes; empty if there is none.
string option_of_another_action(const Options& options) {
  const TablesOptions& given = options.table_command;
  const bool applies = given.action == TablesAction::apply;
  if (!applies && !options.destination.empty()) return "--into";
  if (!applies && given.update) return "--update";
  if (!applies && given.replace) return "--replace";
  if (!applies && given.skip_existing) return "--skip-existing";
  if (!applies && given.prune) return "--prune";
  if (!applies && given.dry_run) return "--dry-run";
  if (!applies && given.print_environment) return "--env";
  if (given.action != TablesAction::diff && !given.other.empty()) return "--with";
  if (given.action != TablesAction::show && !given.from.empty()) return "--from";
  if (given.action != TablesAction::show && given.format) return "--as";
  return "";
}

base::Result<void, string> check_tables(const Options& options) {
  if (options.table_command.action == TablesAction::none)
    return Failure{
        string("tables takes apply, diff or show first: dinette tables apply template.yaml --into "
               "http://127.0.0.1:8000")};
  if (const string other = option_of_another_action(options); !other.empty())
    return Failure{"this action of tables does not take " + other +
                   "; dinette tables --help says which does"};
  switch (options.table_command.action) {
    case TablesAction::apply:
      return check_apply(options);
    case TablesAction::diff:
      return check_diff(options);
    default:
      return check_show(options);
  }
}

base::Result<void, string> check_definitions(const Options& options) {
  if (!options.definitions.files.empty()) return {};
  const DefinitionOptions& given = options.definitions;
  const bool is_in_vain = options.watch || !given.stack.empty() || !given.stage.empty() ||
                          !given.parameters.empty() || !given.variable_files.empty() ||
                          !given.imports.empty() || !given.names.empty();
  if (!is_in_vain) return {};
  return Failure{
      string("--watch, --param, --var-file, --stack, --stage, --import and --name are for files of tables: "
             "add --tables FILE")};
}

/// Checks that one thing is named to work on, and fills in the default.
base::Result<void, string> settle_tools(Options& options) {
  const int named =
      (options.source.empty() ? 0 : 1) + (options.data_folder.empty() ? 0 : 1) + (options.in_memory ? 1 : 0);
  if (named > 1) return Failure{string("mcp works on one thing: a URL, --data FOLDER or --in-memory")};
  if (!options.load_folder.empty() && !options.in_memory)
    return Failure{string("--load is for tables in memory: add --in-memory")};
  if (!options.import_folder.empty() && !options.allow_writes)
    return Failure{string("--import-from is for a tool that writes: add --allow-writes")};
  if (named == 0) options.source = default_server;
  return {};
}

/// `help` followed by a command is the help of that command.
base::Result<void, string> settle_help(Options& options) {
  if (options.source.empty()) return {};
  const CommandSpec* const named = find_command(options.source);
  if (named == nullptr) return Failure{unknown_command(options.source)};
  options.command = named->help;
  return {};
}

/// The server to check is named by its URL, by HOST:PORT, with --tls or without, or by its parts.
base::Result<void, string> settle_healthcheck(Options& options) {
  if (options.source.empty()) return {};
  const Options fallback;
  const bool has_scheme = is_url(options.source);
  if (options.host != fallback.host || options.port != fallback.port ||
      (has_scheme && options.healthcheck_tls))
    return Failure{string("name the server by its URL, or by --host, --port and --tls: omit one of them")};
  DINETTE_TRY(const auto server, has_scheme ? read_url(options.source) : read_host_and_port(options.source));
  options.host = server.host;
  options.port = server.port;
  options.healthcheck_tls = options.healthcheck_tls || server.tls;
  return {};
}

/// The folder of -dbPath counts as that of --data, unless -inMemory is given.
void settle_data_folder(Options& options) {
  if (options.data_folder.empty() && !options.in_memory) options.data_folder = options.database_folder;
}

}  // namespace

string help_command(std::span<const string_view> arguments) {
  const CommandSpec* const named = arguments.empty() ? nullptr : find_command(arguments.front());
  const bool has_own = named != nullptr && named->help != Command::help;
  return "dinette " + (has_own ? string(arguments.front()) + " " : "") + "--help";
}

base::Result<Options, string> parse_command_line(std::span<const string_view> arguments,
                                                 string_view program) {
  DINETTE_TRY(auto options, Parser(arguments, program).parse());
  if (options.command == Command::help) DINETTE_CHECK(settle_help(options));
  DINETTE_CHECK(check_source(options));
  if (options.command == Command::healthcheck) DINETTE_CHECK(settle_healthcheck(options));
  if (options.command == Command::mcp) DINETTE_CHECK(settle_tools(options));
  if (options.command == Command::listen && options.source.empty()) options.source = default_server;
  if (options.command == Command::tables) DINETTE_CHECK(check_tables(options));
  if (options.command != Command::serve) return options;
  DINETTE_CHECK(check_tls(options));
  DINETTE_CHECK(check_auth(options));
  DINETTE_CHECK(check_ports(options));
  DINETTE_CHECK(check_administration(options));
  DINETTE_CHECK(check_logs(options));
  DINETTE_CHECK(check_storage(options));
  DINETTE_CHECK(check_buckets(options));
  settle_data_folder(options);
  DINETTE_CHECK(check_durability(options));
  DINETTE_CHECK(check_memory(options));
  DINETTE_CHECK(check_load(options));
  DINETTE_CHECK(check_definitions(options));
  return options;
}

}  // namespace dinette::app
