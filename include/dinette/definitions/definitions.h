#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dinette/definitions/node.h"

namespace dinette::definitions {

/// An operation to call for a table once it is active.
struct FollowUp {
  std::string operation;  ///< "UpdateTimeToLive", "UpdateContinuousBackups", ...
  Node input;             ///< without TableName
};

/// A table as a file defines it.
struct TableDefinition {
  std::string id;    ///< what the file calls it: a logical ID, an address of Terraform; may be the name
  std::string name;  ///< the table's
  Node create;       ///< the input of CreateTable, with its TableName, members of the right JSON types
  std::vector<FollowUp> follow_ups;
  std::vector<Node> items;  ///< typed items that the file has of this table
  Place place;

  /// Returns the input of that operation, or null.
  const Node* follow_up(std::string_view operation) const;
};

/// A keyspace of Amazon Keyspaces, or a type or a table in one, as a file defines it.
struct KeyspacesResource {
  enum class Kind { keyspace, type, table };

  Kind kind = Kind::keyspace;
  std::string id;        ///< as of a table
  std::string keyspace;  ///< its name, or that of the keyspace which it is in
  std::string name;
  Node create;  ///< the input of CreateKeyspace, CreateType or CreateTable, members of the right JSON types
  /// Of a keyspace: all of its tables keep the timestamps of clients. CreateKeyspace has no member for that.
  bool client_side_timestamps = false;
  Place place;

  /// Returns "shop" or "shop.baskets".
  std::string full_name() const { return kind == Kind::keyspace ? name : keyspace + "." + name; }
};

/// A function that a table's stream calls.
struct Trigger {
  std::string id;
  std::string table;     ///< the table's name
  std::string function;  ///< name or ARN, as the file has it
  Node settings;         ///< members of CreateEventSourceMapping that the file gives, but those two
  Place place;
};

/// Something that the user has to know.
struct Note {
  Place place;
  std::string text;  ///< a sentence without a full stop, which names the table
};

/// Items that a file refers to by other files, such as seeds of serverless.yml.
struct SeedFile {
  std::string table;
  std::filesystem::path file;
  bool typed = false;  ///< DynamoDB's JSON; otherwise plain
};

/// What a file defines. What has an error is not in it; the rest is.
struct Definitions {
  std::string format;  ///< "a CloudFormation template"
  std::vector<TableDefinition> tables;
  /// Positions in `tables` by name, while they are added.
  std::unordered_map<std::string, std::size_t> positions;
  std::vector<KeyspacesResource> keyspaces;  ///< in the order of the file
  /// Positions in `keyspaces` by kind and name, while they are added (keyspaces_key).
  std::unordered_map<std::string, std::size_t> keyspaces_positions;
  std::vector<Trigger> triggers;
  std::vector<SeedFile> seeds;
  std::vector<Note> warnings;  ///< of what is dropped or supposed
  std::vector<Note> errors;
};

/// Returns what two definitions of the same keyspace, type or table have in common.
std::string keyspaces_key(const KeyspacesResource& resource);

/// What a file leaves to those who use it.
struct Surroundings {
  std::string region = "us-east-1";
  std::string account = "000000000000";
  std::string stack;  ///< empty: the stem of the file's name
  std::string stage;  ///< of serverless files; empty: what the file says, else dev
  std::map<std::string, std::string, std::less<>> parameters;  ///< of templates, variables of Terraform
  std::map<std::string, std::string, std::less<>> imports;     ///< values that other stacks export
  std::map<std::string, std::string, std::less<>> names;       ///< table names by logical ID
  std::vector<std::filesystem::path> variable_files;           ///< of variables of Terraform (tfvars)
  /// Returns a variable of the environment.
  std::function<std::optional<std::string>(const std::string& name)> environment;
  /// Reads another file that the file refers to; nothing if it is not there or may not be read.
  std::function<std::optional<std::string>(const std::filesystem::path& file)> read_file;
};

/// Returns a reader of files in this folder and in folders of it, links followed, as read_definitions() uses
/// it if Surroundings::read_file is empty.
std::function<std::optional<std::string>(const std::filesystem::path& file)> reader_within(
    const std::filesystem::path& folder);

/// Reads the table definitions of a file, or of a folder that is a cloud assembly of CDK (cdk.out) or a
/// module of Terraform. The format is recognised by content. Never throws; everything that is wrong is in
/// Definitions::errors.
Definitions read_definitions(const std::filesystem::path& path, const Surroundings& surroundings);

/// The same for a file's content; `file` is its path, for messages, for the stack's name, and as the place
/// from which other files are found.
Definitions read_definitions(std::string_view content, const std::filesystem::path& file,
                             const Surroundings& surroundings);

}  // namespace dinette::definitions
