#include "app/cli/help.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <boost/algorithm/string/replace.hpp>

#include "app/cli/command_table.h"
#include "app/cli/option_table.h"

namespace dinette::app {
namespace {

constexpr std::size_t usage_column = 40;
constexpr std::size_t help_column = 28;
constexpr std::size_t line_width = 100;

// "--port N, -port N"; `between` separates the spellings.
std::string spellings(const OptionSpec& option, std::string_view between) {
  std::string text;
  const auto add = [&](const std::string& spelling) {
    if (!text.empty()) text += between;
    text += spelling;
    if (!option.value.empty()) text += " " + std::string(option.value);
  };
  if (!option.name.empty()) add("--" + std::string(option.name));
  if (option.letter != 0) add("-" + std::string(1, option.letter));
  if (!option.local.empty() && option.name.empty()) add("-" + std::string(option.local));
  return text;
}

// Breaks `text` into lines that begin at the help column.
std::string wrapped(std::string_view text) {
  std::string lines;
  const std::size_t width = line_width - help_column;
  while (text.size() > width) {
    const auto cut = text.rfind(' ', width);
    lines.append(text.substr(0, cut)).append("\n").append(help_column, ' ');
    text.remove_prefix(cut + 1);
  }
  return lines.append(text);
}

std::string help_line(const OptionSpec& option) {
  std::string line = "  " + spellings(option, ", ");
  if (line.size() + 2 > help_column) line += "\n" + std::string(help_column, ' ');
  line.resize(std::max(line.size(), help_column), ' ');
  std::string text(option.help);
  if (!option.fallback.empty()) text += " [" + std::string(option.fallback) + "]";
  return line + wrapped(text) + "\n";
}

std::string options_of(TakenBy command) {
  std::string text;
  std::optional<OptionGroup> group;
  for (const auto& option : option_table()) {
    if (!is_taken(option.taken_by, command)) continue;
    if (command == TakenBy::serve && group != option.group) {
      text += "\n" + std::string(title_of(option.group)) + ":\n";
      group = option.group;
    }
    text += help_line(option);
  }
  return text;
}

std::string usage_line(const std::string& arguments, std::string_view summary) {
  std::string line = "  dinette " + arguments;
  line.resize(std::max(line.size() + 2, usage_column), ' ');
  return line.append(summary) + "\n";
}

std::string usage_of_commands() {
  std::string text;
  for (const CommandSpec& command : command_table())
    text += usage_line(std::string(command.name) + " " + std::string(command.arguments), command.summary);
  return text;
}

}  // namespace

std::string serve_help() {
  return R"(Dinette serves DynamoDB, and Kinesis Data Streams, from this machine, for development and tests.

Usage:
)" + usage_line("[options]", "serve until interrupted") +
         usage_of_commands() + R"(
Examples:
  dinette                                      on http://127.0.0.1:8000, no authentication
  dinette --port 0                             on a free port, printed when ready
  dinette --host :: --tls-self-signed          on every network, with TLS
  dinette --auth verify --credentials keys.ini --isolate account,region
  dinette --load ./fixtures                    with the tables of that folder
  dinette --tables template.yaml --watch       with the tables that this file defines
  dinette -inMemory -sharedDb -port 8000       as DynamoDB Local is started

Point a client at it, with any credentials:
  AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any \
    aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000 --region us-east-1
)" + options_of(TakenBy::serve);
}

std::string healthcheck_help() {
  return R"(Checks a running Dinette, and says whether it is healthy. Exits with 0 if it is, and with 1 if not.

Usage:
  dinette healthcheck URL                  of this server, such as https://localhost:8000
  dinette healthcheck HOST:PORT [--tls]    of this server, such as localhost:8000
  dinette healthcheck [options]            of the one at this address [http://localhost:8000]

)" + options_of(TakenBy::healthcheck);
}

std::string export_help() {
  return R"(Copies tables to files, in the layout of DynamoDB's export to S3.

Usage:
  dinette export URL --to FOLDER    from a running server: Dinette, DynamoDB Local
  dinette export DIR --to FOLDER    from the data folder of a Dinette that is not running
  dinette export postgres://... --to FOLDER    from a database that servers use with --store

Examples:
  dinette export http://127.0.0.1:8000 --to ./backup
  dinette export http://127.0.0.1:8000 --to ./backup --table Albums --table Orders
  dinette export ./data --to ./backup

Each table gets a folder, ./backup/Albums, with table.json (keys, indexes, billing, stream, time to
live, tags) and AWSDynamoDB/<export id>/ (manifests; items as gzipped JSON lines), or items.jsonl or
items.csv. Without manifest-summary.json, written last, an export is not complete.

Requests are signed by AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, if they are set; for
AWS itself, by the credentials that its SDKs would find (docs/pulling.md).
Exits with 0 if everything was exported, with 1 if not, with 2 if it was called wrongly.

)" + options_of(TakenBy::export_tables);
}

std::string import_help() {
  return R"(Copies tables and items from files: of dinette export, DynamoDB's export to S3, DynamoDB Local,
dynamodump, the AWS CLI, and of your own in JSON and CSV. Files are recognised by their content.

Usage:
  dinette import PATH --into URL    into a running server: Dinette, DynamoDB Local
  dinette import PATH --into DIR    into the data folder of a Dinette that is not running
  dinette import PATH --into postgres://...    into a database that servers use with --store

Examples:
  dinette import ./backup --into http://127.0.0.1:8000
  dinette import ./backup --into ./data --table Albums
  dinette import ./backup/Albums --into ./data --table AlbumsCopy
  aws s3 sync s3://bucket ./from-aws && dinette import ./from-aws --into ./data --key pk:S,sk:N
  dinette import albums.csv --into http://127.0.0.1:8000 --table Albums --types plays:N
  dinette import shared-local-instance.db --into ./data

PATH is a file, the folder of a table (table.json, and AWSDynamoDB/ or files of items), or a folder
of such folders. Files of items, all perhaps packed with gzip:
  {"Item": {"pk": {"S": "a"}}}      one per line, as exports have them; or Amazon Ion
  [{"pk": "a", "plays": 1}]         plain or DynamoDB JSON, in a list or one per line
  {"Items": [...], "Count": 1}      the response of a Scan
  {"Albums": [{"PutRequest": ...}]} the requests of a BatchWriteItem, which name their tables
  pk,plays                          CSV

A table with table.json, of a data file of DynamoDB Local, of dynamodump, or with --key is created.
It must not exist, unless --continue, --replace or --skip-existing says what to do then. Other
tables must exist, and get the items. Manifests and checksums are compared first. If a table fails,
it is deleted again if this import has created it.

Requests are signed by AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, if they are set; for
AWS itself, by the credentials that its SDKs would find (docs/pulling.md).
Exits with 0 if everything was imported, with 1 if not, with 2 if it was called wrongly.

)" + options_of(TakenBy::import_tables);
}

std::string pull_help() {
  return R"text(Copies tables of an AWS account, or of any server, to this machine. The source is only read: no
request that writes is ever sent to it.

Usage:
  dinette pull --from aws --into URL           into a running Dinette
  dinette pull --from aws --into DIR           into the data folder of a Dinette that is not running
  dinette pull --from aws --into DIR --format csv|json|dynamodb-json     into files
  dinette pull --from URL --into ...           from another server

Examples:
  dinette pull --from aws --profile prod --table Orders --sample 1000 --into http://127.0.0.1:8000
  dinette pull --from aws --region eu-west-1 --rate 50 --mask mask.json --into ./data
  dinette pull --from aws --table Orders --where "total > 100" --into ./orders --format csv

Creates the tables with their keys, indexes, stream, time to live and tags, and fills them. A pull
that was interrupted, in whatever way, is continued by the same command with --continue: no item is
lost or counted twice. On the source it costs the read units of a Scan, which --rate limits.

Exits with 0 if everything was pulled, with 1 if not, with 2 if it was called wrongly.

)text" + options_of(TakenBy::pull);
}

std::string listen_help() {
  return R"text(Posts the changes of a table to a URL, as they happen: each batch as functions of Lambda get it.
Begins with the next change, and ends with Ctrl-C.

Usage:
  dinette listen --table T --forward-to URL                        of http://127.0.0.1:8000
  dinette listen --table T --forward-to URL --endpoint-url URL     of another server
  dinette listen --table T --forward-to URL --endpoint-url aws     of an AWS account

Examples:
  dinette listen --table Orders --forward-to http://127.0.0.1:3000/orders
  dinette listen --table Orders --forward-to http://127.0.0.1:3000/orders --endpoint-url aws \
    --profile dev --region eu-west-1

Changes of one item are posted in their order. A batch that the URL does not accept is posted twice
more, and then discarded; while nothing answers at the URL, it waits. Prints a line per batch.
If the table is deleted, it waits until there is one of that name again, and goes on with all
changes of that one.
Nothing is kept: what happens while it does not run is not forwarded. A server that runs calls
functions itself (docs/functions.md).

Exits with 0 if it was interrupted, with 1 if it failed, with 2 if it was called wrongly.

)text" + options_of(TakenBy::listen);
}

std::string check_help() {
  return R"(Verifies the data folder of a Dinette that is not running, or what servers keep in a database.

Usage:
  dinette check DIR
  dinette check --repair DIR
  dinette check postgres://user@host/database    while no server writes to it

Reads everything that is there, of all worlds: no file may be missing or damaged, every record must
read, every item must have its entries in the indexes and among those that expire, no entry may be
without its item, and all counters must be right. Changes nothing: for a database, a role that may
only read will do, or a replica. A database without data of Dinette is not well.

A server does not start with a folder of which files are missing or damaged. After --repair it does:
the check first writes dinette.json again if it is lost, and leaves out the commits from a damaged
place of a log on, and what else cannot be read. It says how much that is, and keeps a copy of it in
DIR/dropped-1.

Prints each fault, up to a hundred. Exits with 0 if all is well, with 1 if not, with 2 if it was
called wrongly.

)" + options_of(TakenBy::check_folder);
}

std::string mcp_help() {
  return R"(Offers tools to programs that work with language models, by the Model Context Protocol over
standard input and output: read tables and items, requests, errors and metrics; with --allow-writes
change and import items, move the clock, fork worlds, take snapshots, inject faults. Such a program
starts it by itself; docs/mcp.md says how.

Usage:
  dinette mcp [URL]             on a running server [http://127.0.0.1:8000]
  dinette mcp --data FOLDER     on the data folder of a server that is not running
  dinette mcp --in-memory       on tables of its own

Examples:
  dinette mcp --allow-writes
  dinette mcp --in-memory --load ./fixtures --allow-writes

Requests to a server are signed by AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, if they
are set. Exits with 0 when its input ends, with 1 on failure, with 2 if it was called wrongly.

)" + options_of(TakenBy::mcp);
}

std::string doctor_help() {
  return R"text(Tells what is wrong with the settings of AWS clients, or between them and a server.

Usage:
  dinette doctor [URL]                about this server, or the one that the settings name
  eval "$(dinette doctor --fix-env)"  changes the settings of this shell

Reads the environment and the files in ~/.aws as AWS SDKs do: endpoint, profile, region, access
keys, certificates, proxies. Then calls the server. Prints what is wrong, why it matters, and what
to type. Changes nothing. Settings that programs make in their code are not seen.

Exits with 0 if all is well, with 1 if not, with 2 if it was called wrongly.

)text" + options_of(TakenBy::doctor);
}

std::string tables_help() {
  return R"text(Creates, compares and shows the tables that files define: CloudFormation, SAM and CDK templates
(cdk.out), serverless.yml, Terraform (plan or state in JSON, simple *.tf), NoSQL Workbench models,
CreateTable requests, answers of DescribeTable. docs/tables.md says what is read of each. apply also
creates the triggers of streams, and what is in Amazon Keyspaces.

Usage:
  dinette tables apply FILE... --into URL|DIR    creates the tables
  dinette tables diff FILE --with URL|FILE       compares them with a server's, or another file's
  dinette tables show FILE... --as FORMAT        writes them in another format
  dinette tables show --from URL|DIR --as FORMAT

Examples:
  dinette tables apply template.yaml --param Stage=dev --into http://127.0.0.1:8000
  dinette tables apply template.yaml --into http://127.0.0.1:8000 --env > .env
  dinette tables diff cdk.out --with https://dynamodb.eu-west-1.amazonaws.com
  dinette tables show --from http://127.0.0.1:8000 --as terraform

A table that exists and is as defined stays as it is. One that differs is reported, and changed only
with --update or --replace. Items of a file are written only to tables that are created. What the
server does not serve, such as triggers, is left out, with a line that says so.

Requests are signed by AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, if they are set; for
AWS itself, by the credentials that its SDKs would find (docs/pulling.md).
Exits with 0 if the tables are now as defined, or do not differ; with 1 if not, or if a file has
errors; with 2 if it was called wrongly.

)text" + options_of(TakenBy::tables);
}

std::string policy_help() {
  return R"text(Explains what the policies of a file let a user do: which statement allows or denies a request.

Usage:
  dinette policy FILE --user USER --action ACTION [--resource ARN] [--context NAME=VALUE]...

Examples:
  dinette policy iam.json --user alice --action dynamodb:ListTables
  dinette policy iam.json --user alice --action dynamodb:GetItem \
    --resource arn:aws:dynamodb:us-east-1:000000000000:table/Scores \
    --context dynamodb:LeadingKeys=alice

FILE is that of --iam: what aws iam get-account-authorization-details prints (docs/policies.md).
Condition keys that a server would take from the request are given by --context.

Exits with 0 if the request is allowed, with 1 if not, with 2 if it was called wrongly.

)text" + options_of(TakenBy::policy);
}

std::string row_size_help() {
  return R"text(Prints the size of a row of Amazon Keyspaces, and what reading and writing it costs.

Usage:
  dinette row-size FILE --row JSON

Example:
  dinette row-size orders.cql --row '{"customer": 7, "number": 1, "total": 1250}'

FILE has the CREATE TABLE, and before it the CREATE TYPEs that it needs, as CQL with semicolons.
JSON is the row as INSERT INTO ... JSON takes it. Columns that it does not have are not written.
Both formulas are shown: the earlier one, and that of --cql-row-size current (docs/keyspaces.md).

)text" + options_of(TakenBy::row_size);
}

std::string options_markdown() {
  std::string text = "| option | default | |\n|---|---|---|\n";
  for (const auto& option : option_table()) {
    if (!is_taken(option.taken_by, TakenBy::serve)) continue;
    text += "| `" + spellings(option, "`, `") + "` | ";
    if (!option.fallback.empty()) text += "`" + std::string(option.fallback) + "`";
    // A bar ends a cell, also within code.
    text += " | " + boost::algorithm::replace_all_copy(std::string(option.help), "|", "\\|") + " |\n";
  }
  return text;
}

std::string version_text() {
  return "dinette " DINETTE_VERSION "\n";
}

}  // namespace dinette::app
