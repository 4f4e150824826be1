#include <set>
#include <utility>

#include "cql/grammar/ddl.h"
#include "cql/grammar/terms.h"

namespace dinette::cql::grammar {
namespace {

Answer<PropertyValue> read_property_constant(Cursor& in) {
  // A word, such as ALL.
  if (in.at_name() && in.at(TokenKind::name)) return PropertyValue{.text = in.take().text};
  const bool scalar = at_value(in) && !in.at_word("null") && !in.at_symbol("?") && !in.at_symbol(":") &&
                      !in.at_symbol("[") && !in.at_symbol("{") && !in.at_symbol("(");
  if (!scalar) return in.no_viable();
  DINETTE_TRY(const Term term, read_term(in));
  const auto& constant = std::get<Constant>(term.value);
  return PropertyValue{.is_string = constant.kind == ConstantKind::string, .text = constant.text};
}

Answer<PropertyValue> read_property_value(Cursor& in) {
  if (in.at_symbol("{")) return read_property_map(in);
  return read_property_constant(in);
}

Answer<void> read_clustering_order(Cursor& in, TableProperties& out) {
  const auto read = [&]() -> Answer<void> {
    Ordering ordering;
    DINETTE_TRY(ordering.column, in.read_name());
    ordering.descending = in.take_word("desc");
    if (!ordering.descending) DINETTE_CHECK(in.expect_word("asc"));
    out.clustering_order.push_back(std::move(ordering));
    return {};
  };
  DINETTE_CHECK(in.expect_word("order"));
  DINETTE_CHECK(in.expect_word("by"));
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_CHECK(read_list(in, read));
  return in.expect_symbol(")");
}

}  // namespace

Answer<PropertyValue> read_property_map(Cursor& in) {
  const Nesting nesting(in);
  DINETTE_CHECK(nesting.check());
  PropertyValue map{.is_map = true};
  DINETTE_CHECK(in.expect_symbol("{"));
  if (in.take_symbol("}")) return map;
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(PropertyValue key, read_property_constant(in));
    DINETTE_CHECK(in.expect_symbol(":"));
    DINETTE_TRY(PropertyValue value, read_property_value(in));
    map.entries.emplace_back(std::move(key.text), std::move(value));
    return {};
  };
  DINETTE_CHECK(read_list(in, read));
  DINETTE_CHECK(in.expect_symbol("}"));
  return map;
}

Answer<TableProperties> read_properties(Cursor& in) {
  TableProperties out;
  std::set<std::string> names;
  do {
    if (in.at_word("clustering") && in.at_word("order", 1)) {
      in.take();
      DINETTE_CHECK(read_clustering_order(in, out));
      continue;
    }
    if (in.take_words("compact", "storage")) {
      out.compact_storage = true;
      continue;
    }
    DINETTE_TRY(std::string name, in.read_name());
    DINETTE_CHECK(in.expect_symbol("="));
    DINETTE_TRY(PropertyValue value, read_property_value(in));
    if (!names.insert(name).second) {
      return syntax_error("Multiple definition for property '" + name + "'");
    }
    out.properties.emplace_back(std::move(name), std::move(value));
  } while (in.take_word("and"));
  return out;
}

}  // namespace dinette::cql::grammar
