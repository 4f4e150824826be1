#include "cql/grammar/ddl.h"

#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "cql/grammar/terms.h"

namespace dinette::cql::grammar {
namespace {

Answer<bool> read_if_not_exists(Cursor& in) {
  if (!in.take_word("if")) return false;
  DINETTE_CHECK(in.expect_word("not"));
  DINETTE_CHECK(in.expect_word("exists"));
  return true;
}

Answer<bool> read_if_exists(Cursor& in) {
  if (!in.take_word("if")) return false;
  DINETTE_CHECK(in.expect_word("exists"));
  return true;
}

/// Skips the rest of a statement that is refused as a whole.
Unsupported skip(Cursor& in, std::string_view statement_class) {
  while (!in.at_end() && !in.at_symbol(";")) in.take();
  return {std::string(statement_class)};
}

Answer<Properties> read_keyspace_properties(Cursor& in) {
  DINETTE_TRY(TableProperties with, read_properties(in));
  if (!with.clustering_order.empty() || with.compact_storage) return in.no_viable();
  return std::move(with.properties);
}

Answer<void> create_keyspace(Cursor& in, Statement& out) {
  CreateKeyspace create;
  DINETTE_TRY(create.if_not_exists, read_if_not_exists(in));
  DINETTE_TRY(create.name, in.read_name());
  DINETTE_CHECK(in.expect_word("with"));
  DINETTE_TRY(create.properties, read_keyspace_properties(in));
  out.value = std::move(create);
  return {};
}

Answer<void> read_primary_key(Cursor& in, CreateTable& out) {
  PrimaryKey key;
  const auto read_partition = [&]() -> Answer<void> {
    DINETTE_TRY(key.partition.emplace_back(), in.read_name());
    return {};
  };
  DINETTE_CHECK(in.expect_word("key"));
  DINETTE_CHECK(in.expect_symbol("("));
  if (in.take_symbol("(")) {
    DINETTE_CHECK(read_list(in, read_partition));
    DINETTE_CHECK(in.expect_symbol(")"));
  } else {
    DINETTE_CHECK(read_partition());
  }
  while (in.take_symbol(",")) {
    DINETTE_TRY(key.clustering.emplace_back(), in.read_name());
  }
  DINETTE_CHECK(in.expect_symbol(")"));
  out.primary_keys.push_back(std::move(key));
  return {};
}

Answer<ColumnDefinition> read_column(Cursor& in) {
  ColumnDefinition column;
  DINETTE_TRY(column.name, in.read_name());
  DINETTE_TRY(column.type, read_type(in));
  column.is_static = in.take_word("static");
  return column;
}

Answer<void> read_columns(Cursor& in, CreateTable& out) {
  DINETTE_CHECK(in.expect_symbol("("));
  do {
    if (in.at_symbol(")") && !out.columns.empty()) break;  // after a comma
    if (in.take_word("primary")) {
      DINETTE_CHECK(read_primary_key(in, out));
      continue;
    }
    DINETTE_TRY(ColumnDefinition column, read_column(in));
    if (in.take_word("primary")) {
      DINETTE_CHECK(in.expect_word("key"));
      column.primary_key = true;
    }
    out.columns.push_back(std::move(column));
  } while (in.take_symbol(","));
  return in.expect_symbol(")");
}

Answer<void> create_table(Cursor& in, Statement& out) {
  CreateTable create;
  DINETTE_TRY(create.if_not_exists, read_if_not_exists(in));
  DINETTE_TRY(create.table, in.read_qualified_name());
  DINETTE_CHECK(read_columns(in, create));
  if (in.take_word("with")) {
    DINETTE_TRY(create.with, read_properties(in));
  }
  out.value = std::move(create);
  return {};
}

Answer<std::pair<std::string, TypeName>> read_field(Cursor& in) {
  std::pair<std::string, TypeName> field;
  DINETTE_TRY(field.first, in.read_name());
  DINETTE_TRY(field.second, read_type(in));
  return field;
}

Answer<void> create_type(Cursor& in, Statement& out) {
  CreateType create;
  DINETTE_TRY(create.if_not_exists, read_if_not_exists(in));
  DINETTE_TRY(create.type, read_user_type_name(in));
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(create.fields.emplace_back(), read_field(in));
    return {};
  };
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_CHECK(read_list(in, read));
  DINETTE_CHECK(in.expect_symbol(")"));
  out.value = std::move(create);
  return {};
}

Answer<void> read_create(Cursor& in, Statement& out) {
  if (in.take_word("keyspace") || in.take_word("schema")) return create_keyspace(in, out);
  if (in.take_word("table") || in.take_word("columnfamily")) return create_table(in, out);
  if (in.take_word("type")) return create_type(in, out);
  in.take_words("or", "replace");
  in.take_word("custom");
  if (in.at_word("index")) {
    out.value = skip(in, "CreateIndexStatement");
  } else if (in.at_word("materialized")) {
    out.value = skip(in, "CreateViewStatement");
  } else if (in.at_word("trigger")) {
    out.value = skip(in, "CreateTriggerStatement");
  } else if (in.at_word("function")) {
    out.value = skip(in, "CreateFunctionStatement");
  } else if (in.at_word("aggregate")) {
    out.value = skip(in, "CreateAggregateStatement");
  } else if (in.at_word("role") || in.at_word("user")) {
    out.value = skip(in, "CreateRoleStatement");
  } else {
    return in.no_viable();
  }
  return {};
}

Answer<void> alter_keyspace(Cursor& in, Statement& out) {
  AlterKeyspace alter;
  DINETTE_TRY(alter.name, in.read_name());
  if (in.take_words("add", "tags")) {
    DINETTE_TRY(auto tags, read_property_map(in));
    alter.change = AddTags{std::move(tags)};
  } else if (in.take_words("drop", "tags")) {
    DINETTE_TRY(auto tags, read_property_map(in));
    alter.change = DropTags{std::move(tags)};
  } else {
    DINETTE_CHECK(in.expect_word("with"));
    DINETTE_TRY(auto properties, read_keyspace_properties(in));
    alter.change = std::move(properties);
  }
  out.value = std::move(alter);
  return {};
}

/// Reads one item, or several in parentheses.
template <class Item>
Answer<void> read_one_or_list(Cursor& in, Item item) {
  if (!in.take_symbol("(")) return item();
  DINETTE_CHECK(read_list(in, item));
  return in.expect_symbol(")");
}

Answer<std::int64_t> read_long(Cursor& in) {
  if (!in.at(TokenKind::integer)) return in.no_viable();
  const std::string_view text = in.token().source;
  std::int64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
    return in.refused("the number is out of range");
  in.take();
  return number;
}

Answer<void> alter_columns(Cursor& in, AlterTable& alter) {
  if (in.take_word("add")) {
    AddColumns add;
    const auto read = [&]() -> Answer<void> {
      DINETTE_TRY(add.columns.emplace_back(), read_column(in));
      return {};
    };
    DINETTE_CHECK(read_one_or_list(in, read));
    alter.change = std::move(add);
    return {};
  }
  if (in.take_word("drop")) {
    if (in.take_words("compact", "storage")) {
      alter.change = DropCompactStorage();
      return {};
    }
    DropColumns drop;
    const auto read = [&]() -> Answer<void> {
      DINETTE_TRY(drop.columns.emplace_back(), in.read_name());
      return {};
    };
    DINETTE_CHECK(read_one_or_list(in, read));
    if (in.take_word("using")) {
      DINETTE_CHECK(in.expect_word("timestamp"));
      DINETTE_TRY(drop.timestamp, read_long(in));
    }
    alter.change = std::move(drop);
    return {};
  }
  ChangeType change;
  DINETTE_CHECK(in.expect_word("alter"));
  DINETTE_TRY(change.column, in.read_name());
  DINETTE_CHECK(in.expect_word("type"));
  DINETTE_TRY(change.type, read_type(in));
  alter.change = std::move(change);
  return {};
}

Answer<std::vector<std::pair<std::string, std::string>>> read_renames(Cursor& in) {
  std::vector<std::pair<std::string, std::string>> names;
  do {
    auto& [from, to] = names.emplace_back();
    DINETTE_TRY(from, in.read_name());
    DINETTE_CHECK(in.expect_word("to"));
    DINETTE_TRY(to, in.read_name());
  } while (in.take_word("and"));
  return names;
}

Answer<void> alter_table(Cursor& in, Statement& out) {
  AlterTable alter;
  DINETTE_TRY(alter.table, in.read_qualified_name());
  if (in.at_word("add") && in.at_word("tags", 1) && in.at_symbol("{", 2)) {
    in.take_words("add", "tags");
    DINETTE_TRY(auto tags, read_property_map(in));
    alter.change = AddTags{std::move(tags)};
  } else if (in.at_word("drop") && in.at_word("tags", 1) && in.at_symbol("{", 2)) {
    in.take_words("drop", "tags");
    DINETTE_TRY(auto tags, read_property_map(in));
    alter.change = DropTags{std::move(tags)};
  } else if (in.take_word("with")) {
    DINETTE_TRY(auto with, read_properties(in));
    alter.change = std::move(with);
  } else if (in.take_word("rename")) {
    DINETTE_TRY(auto names, read_renames(in));
    alter.change = RenameColumns{std::move(names)};
  } else {
    DINETTE_CHECK(alter_columns(in, alter));
  }
  out.value = std::move(alter);
  return {};
}

Answer<void> alter_type(Cursor& in, Statement& out) {
  AlterType alter;
  DINETTE_TRY(alter.type, read_user_type_name(in));
  if (in.take_word("add")) {
    DINETTE_TRY(alter.added.emplace_back(), read_field(in));
  } else if (in.take_word("rename")) {
    DINETTE_TRY(alter.renamed, read_renames(in));
  } else {
    auto& [name, type] = alter.changed.emplace_back();
    DINETTE_CHECK(in.expect_word("alter"));
    DINETTE_TRY(name, in.read_name());
    DINETTE_CHECK(in.expect_word("type"));
    DINETTE_TRY(type, read_type(in));
  }
  out.value = std::move(alter);
  return {};
}

Answer<void> read_alter(Cursor& in, Statement& out) {
  if (in.take_word("keyspace") || in.take_word("schema")) return alter_keyspace(in, out);
  if (in.take_word("table") || in.take_word("columnfamily")) return alter_table(in, out);
  if (in.take_word("type")) return alter_type(in, out);
  if (in.at_word("materialized")) {
    out.value = skip(in, "AlterViewStatement");
  } else if (in.at_word("role") || in.at_word("user")) {
    out.value = skip(in, "AlterRoleStatement");
  } else {
    return in.no_viable();
  }
  return {};
}

template <class Drop>
Answer<void> read_drop_qualified(Cursor& in, Statement& out, QualifiedName Drop::*name) {
  Drop drop;
  DINETTE_TRY(drop.if_exists, read_if_exists(in));
  DINETTE_TRY(drop.*name, in.read_qualified_name());
  out.value = std::move(drop);
  return {};
}

Answer<void> read_drop(Cursor& in, Statement& out) {
  if (in.take_word("keyspace") || in.take_word("schema")) {
    DropKeyspace drop;
    DINETTE_TRY(drop.if_exists, read_if_exists(in));
    DINETTE_TRY(drop.name, in.read_name());
    out.value = std::move(drop);
    return {};
  }
  if (in.take_word("table") || in.take_word("columnfamily")) {
    return read_drop_qualified(in, out, &DropTable::table);
  }
  if (in.take_word("type")) return read_drop_qualified(in, out, &DropType::type);
  if (in.at_word("index")) {
    out.value = skip(in, "DropIndexStatement");
  } else if (in.at_word("materialized")) {
    out.value = skip(in, "DropViewStatement");
  } else if (in.at_word("trigger")) {
    out.value = skip(in, "DropTriggerStatement");
  } else if (in.at_word("function")) {
    out.value = skip(in, "DropFunctionStatement");
  } else if (in.at_word("aggregate")) {
    out.value = skip(in, "DropAggregateStatement");
  } else if (in.at_word("role") || in.at_word("user")) {
    out.value = skip(in, "DropRoleStatement");
  } else {
    return in.no_viable();
  }
  return {};
}

Answer<void> read_restore(Cursor& in, Statement& out) {
  RestoreTable restore;
  DINETTE_CHECK(in.expect_word("table"));
  DINETTE_TRY(restore.table, in.read_qualified_name());
  DINETTE_CHECK(in.expect_word("from"));
  DINETTE_CHECK(in.expect_word("table"));
  DINETTE_TRY(restore.source, in.read_qualified_name());
  if (in.take_word("with")) {
    DINETTE_TRY(restore.with, read_properties(in));
  }
  out.value = std::move(restore);
  return {};
}

/// GRANT and REVOKE of a role, or of a permission on something.
Unsupported skip_permission(Cursor& in, std::string_view role, std::string_view permission) {
  bool has_resource = false;
  for (std::size_t ahead = 0; !in.at(TokenKind::end, ahead); ++ahead) {
    has_resource = has_resource || in.at_word("on", ahead);
  }
  return skip(in, has_resource ? permission : role);
}

std::string_view list_class(const Cursor& in) {
  if (in.at_word("roles")) return "ListRolesStatement";
  return in.at_word("users") ? "ListUsersStatement" : "ListPermissionsStatement";
}

}  // namespace

Answer<void> read_definition(Cursor& in, Statement& out) {
  if (in.take_word("create")) return read_create(in, out);
  if (in.take_word("alter")) return read_alter(in, out);
  if (in.take_word("drop")) return read_drop(in, out);
  if (in.take_word("use")) {
    DINETTE_TRY(std::string keyspace, in.read_name());
    out.value = Use{std::move(keyspace)};
    return {};
  }
  if (in.take_word("restore")) return read_restore(in, out);
  if (in.take_word("truncate")) {
    if (!in.take_word("table")) in.take_word("columnfamily");
    DINETTE_TRY(auto table, in.read_qualified_name());
    out.value = Truncate{std::move(table)};
    return {};
  }
  if (in.take_word("grant")) {
    out.value = skip_permission(in, "GrantRoleStatement", "GrantPermissionsStatement");
    return {};
  }
  if (in.take_word("revoke")) {
    out.value = skip_permission(in, "RevokeRoleStatement", "RevokePermissionsStatement");
    return {};
  }
  if (in.take_word("list")) {
    out.value = skip(in, list_class(in));
    return {};
  }
  return in.no_viable();
}

}  // namespace dinette::cql::grammar
