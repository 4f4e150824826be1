#include "cql/types/type.h"

#include <catch2/catch.hpp>

#include "support/hex.h"

// docs/service-keyspaces/types.md sections 1 and 6.
namespace dinette::cql::type_test {

using ::test::to_hex;

const Type int_type{.kind = Kind::int_};
const Type text_type{.kind = Kind::text};

std::string option(const Type& type) {
  std::string out;
  append_option(out, type);
  return to_hex(out);
}

TEST_CASE("native types have names, and varchar is text") {
  CHECK(native_kind("int") == Kind::int_);
  CHECK(native_kind("varchar") == Kind::text);
  CHECK_FALSE(native_kind("list"));
  CHECK_FALSE(native_kind("INT"));
  CHECK(to_text({.kind = Kind::text}) == "text");
  CHECK(to_text({.kind = Kind::custom, .name = "a.B"}) == "'a.B'");
}

TEST_CASE("types of several parts are written with them, and tuples as frozen") {
  const Type frozen_list{.kind = Kind::list, .frozen = true, .arguments = {int_type}};
  CHECK(to_text({.kind = Kind::map, .arguments = {text_type, frozen_list}}) ==
        "map<text, frozen<list<int>>>");
  CHECK(to_text({.kind = Kind::tuple, .arguments = {int_type, text_type}}) == "frozen<tuple<int, text>>");
  const auto user_type = [](std::string_view name) {
    return to_text({.kind = Kind::udt, .frozen = true, .keyspace = "k", .name = std::string(name)});
  };
  CHECK(user_type("u") == "frozen<u>");
  CHECK(user_type("a_1") == "frozen<a_1>");
  for (const char* name : {"MyType", "1a", "_a", "a b", "table", "\xC3\xA4"})
    CHECK(user_type(name) == "frozen<\"" + std::string(name) + "\">");
  CHECK(user_type("a\"b") == "frozen<\"a\"\"b\">");
}

TEST_CASE("types are options of the protocol") {
  CHECK(option(int_type) == "0009");
  CHECK(option({.kind = Kind::map, .arguments = {text_type, int_type}}) == "0021000d0009");
  CHECK(option({.kind = Kind::tuple, .arguments = {int_type, text_type}}) == "003100020009000d");
  const Type udt{.kind = Kind::udt, .arguments = {int_type}, .keyspace = "k", .name = "u", .fields = {"a"}};
  CHECK(option(udt) ==
        "0030"
        "00016b"
        "000175"
        "0001"
        "000161"
        "0009");
}

TEST_CASE("a duration is an option by its class") {
  Type custom{.kind = Kind::custom, .name = "org.apache.cassandra.db.marshal.DurationType"};
  CHECK(option({.kind = Kind::duration}) == option(custom));
}

}  // namespace dinette::cql::type_test
