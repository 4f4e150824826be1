#include "app/pull/masking.h"

#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace dinette::app::masking_test {
namespace {

using Json = nlohmann::json;

Masking masking(const std::string& rules, const std::string& key = "k") {
  auto file = read_mask_file(R"({"rules": )" + rules + "}");
  REQUIRE(file.ok());
  return {std::move(file->rules), key};
}

Json masked(const Masking& masking, const Json& item, const std::string& table = "Table") {
  const auto text = masking.masked(table, item.dump());
  REQUIRE(text.ok());
  return Json::parse(*text);
}

std::string text_of_number(const std::string& text) {
  return Pseudonyms("k").number(text);
}

TEST_CASE("different digits stay different, and keep their number and a leading zero") {
  const Pseudonyms pseudonyms("key");
  for (const int length : {1, 2, 3, 4}) {
    std::set<std::string> seen;
    int all = 1;
    for (int i = 0; i < length; ++i) all *= 10;
    for (int i = 0; i < all; ++i) {
      std::string text = std::to_string(i);
      text.insert(0, static_cast<std::size_t>(length) - text.size(), '0');
      const std::string out = pseudonyms.digits(text);
      CHECK(out.size() == text.size());
      CHECK((out.front() == '0') == (text.front() == '0'));
      seen.insert(out);
    }
    CHECK(seen.size() == static_cast<std::size_t>(all));
  }
  CHECK(pseudonyms.digits("+49 (30) 1234").size() == 13);
  CHECK(pseudonyms.digits("+49 (30) 1234").find(" (") == 3);
}

TEST_CASE("a number stays one, of the same form, and another one than all others") {
  for (const char* const text :
       {"0", "5", "-17", "1.5", "-0.05", "1E+30", "1234567890123456789012345678901234567.8"}) {
    const std::string out = text_of_number(text);
    INFO(text << " " << out);
    CHECK(out.size() == std::string(text).size());
    CHECK(out.starts_with('-') == std::string(text).starts_with('-'));
    CHECK(out.back() != (std::string(text).find('.') == std::string::npos ? 'x' : '0'));
  }
  CHECK(text_of_number("0") == "0");
  CHECK(text_of_number("not") == "0");
  std::set<std::string> seen;
  for (int i = 0; i < 2000; ++i) seen.insert(text_of_number(std::to_string(i)));
  CHECK(seen.size() == 2000);
  seen.clear();
  for (int i = 1; i < 1000; ++i) {
    if (i % 10 == 0) continue;
    const std::string out = text_of_number("0." + std::to_string(1000 + i).substr(1));
    CHECK(out.starts_with("0."));
    CHECK(out.back() != '0');  // else the service would shorten it, perhaps to another one
    seen.insert(out);
  }
  CHECK(seen.size() == 900);
  // A number and the same digits in a text can still be joined.
  CHECK(text_of_number("4711") == Pseudonyms("k").digits("4711"));
}

TEST_CASE("bytes of each length stay different") {
  std::set<std::string> seen;
  for (int i = 0; i < 256; ++i) seen.insert(Pseudonyms("k").bytes(std::string(1, static_cast<char>(i))));
  CHECK(seen.size() == 256);
  CHECK(Pseudonyms("k").bytes("abc").size() == 3);
}

TEST_CASE("pseudonyms depend on the key, and on nothing else") {
  const Pseudonyms one("a");
  const Pseudonyms other("b");
  CHECK(one.text("x") == Pseudonyms("a").text("x"));
  CHECK(one.text("x") != other.text("x"));
  CHECK(one.text("x") != one.text("y"));
  CHECK(one.text("x").size() == 26);
  CHECK(one.email("a@b.example").ends_with("@example.com"));
  CHECK(one.email("x").substr(0, 16) != one.text("x").substr(0, 16));
  const std::string name = one.name("Ada  Maria Lovelace");
  CHECK(std::count(name.begin(), name.end(), ' ') == 2);
  CHECK(one.name("Ada").find(' ') == std::string::npos);
  CHECK(name == one.name("Ada  Maria Lovelace"));
}

TEST_CASE("rules replace attributes of every type by place, and leave others as they are") {
  const Masking m = masking(R"([
      {"attribute": "email", "kind": "email"},
      {"attribute": "address.street", "kind": "text"},
      {"attribute": "orders.phone", "kind": "digits"},
      {"attribute": "secret", "kind": "drop"},
      {"attribute": "state", "kind": "fixed", "value": "x"},
      {"attribute": ["a.b"], "kind": "text"},
      {"table": "Other", "attribute": "id", "kind": "text"},
      {"attribute": "all.kept", "kind": "keep"},
      {"attribute": "all.*", "kind": "digits"}])");
  const Json item = Json::parse(R"({"id": {"S": "é\n\u0001"}, "email": {"S": "a@b"}, "secret": {"M": {}},
      "address": {"M": {"street": {"S": "Main 1"}, "town": {"S": "Rome"}}},
      "orders": {"L": [{"M": {"phone": {"S": "0-1"}}}, {"M": {"phone": {"N": "55"}}}]},
      "state": {"L": [{"S": "a"}, {"N": "7"}, {"BOOL": true}, {"NULL": true}, {"SS": ["p", "q"]}]},
      "a.b": {"S": "v"}, "all": {"M": {"kept": {"S": "12"}, "other": {"NS": ["12", "34"]}}}, "empty": {"S": ""}})");
  const Json out = masked(m, item);
  CHECK(out["id"] == item["id"]);
  CHECK(out["email"]["S"].get<std::string>().ends_with("@example.com"));
  CHECK_FALSE(out.contains("secret"));
  CHECK(out["address"]["M"]["town"] == item["address"]["M"]["town"]);
  CHECK(out["address"]["M"]["street"] != item["address"]["M"]["street"]);
  CHECK(out["orders"]["L"][0]["M"]["phone"]["S"].get<std::string>()[1] == '-');
  CHECK(out["orders"]["L"][1]["M"]["phone"]["N"].get<std::string>().size() == 2);
  CHECK(out["state"] ==
        Json::parse(R"({"L": [{"S": "x"}, {"N": "0"}, {"BOOL": true}, {"NULL": true}, {"SS": ["x"]}]})"));
  CHECK(out["a.b"] != item["a.b"]);
  CHECK(out["all"]["M"]["kept"] == item["all"]["M"]["kept"]);
  CHECK(out["all"]["M"]["other"]["NS"].size() == 2);
  CHECK(masked(m, item, "Other")["id"] != item["id"]);
}

TEST_CASE("what comes before a mark can stay, so that composed keys join with plain ones") {
  const Masking m =
      masking(R"([{"attribute": "pk", "kind": "email", "after": "#"}, {"attribute": "e", "kind": "email"}])");
  const Json out = masked(m, Json::parse(R"({"pk": {"S": "USER#a@b"}, "e": {"S": "a@b"}})"));
  CHECK(out["pk"]["S"] == "USER#" + out["e"]["S"].get<std::string>());
}

TEST_CASE("keys of tables are neither dropped nor made the same") {
  const Masking m = masking(
      R"([{"table": "T1x", "attribute": "pk", "kind": "drop"}, {"attribute": "sk", "kind": "fixed"}])");
  CHECK(m.objection("T1x", {"pk"})->starts_with("the attribute pk is a key of the table T1x"));
  CHECK(m.objection("Other", {"pk", "sk"})->starts_with("the attribute sk"));
  CHECK_FALSE(m.objection("Other", {"pk"}));
}

TEST_CASE("a file of rules that cannot be read is explained") {
  const auto error = [](const std::string& text) { return read_mask_file(text).error(); };
  CHECK(error("[]") == R"(needs {"rules": [{"attribute": "email", "kind": "email"}]})");
  CHECK(error(R"({"rules": [], "rule": 1})") == "has a member 'rule'; known are key and rules");
  CHECK(error(R"({"rules": [{"attribute": "a"}]})") ==
        R"(rule 1 needs at least {"attribute": "email", "kind": "email"})");
  CHECK(error(R"({"rules": [{"attribute": "a", "kind": "hash"}]})") ==
        "rule 1 has the kind 'hash'; kinds are text, email, name, digits, fixed, drop and keep");
  CHECK(error(R"({"rules": [{"attribute": "a..b", "kind": "text"}]})") ==
        "rule 1 has an attribute with an empty name");
  CHECK(error("{\"rules\": [\n{]}").starts_with("line 2"));
}

TEST_CASE("an item that is not one is an error") {
  const Masking m = masking(R"([{"attribute": "a", "kind": "text"}])");
  for (const char* const text : {"", "1", "[]", R"({"a": 1})", R"({"a": {"S": 1}})", R"({"a": {"L": {}}})"}) {
    INFO(text);
    CHECK_FALSE(m.masked("Table", text).ok());
  }
}

}  // namespace
}  // namespace dinette::app::masking_test
