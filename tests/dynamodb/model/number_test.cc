#include "dynamodb/model/number.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::dynamodb::model::number_test {
namespace {

using enum NumberProblem;

std::string stored(std::string_view text, Generation generation = Generation::current) {
  const auto number = Number::parse(text, generation);
  return number ? number->to_string() : message(number.error(), text, generation);
}

NumberProblem problem(std::string_view text, Generation generation = Generation::current) {
  const auto number = Number::parse(text, generation);
  INFO(text);
  REQUIRE_FALSE(number.ok());
  return number.error();
}

Number number(std::string_view text) {
  INFO(text);
  return Number::parse(text).value();
}

const std::string nines(38, '9');

}  // namespace

TEST_CASE("a number is stored in its canonical form", "[number]") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"+5", "5"},
      {"5.", "5"},
      {"+1.5", "1.5"},
      {"1.", "1"},
      {"+0", "0"},
      {"-0", "0"},
      {"+0.0", "0"},
      {"1.e5", "100000"},
      {"+1e2", "100"},
      {"1e+2", "100"},
      {"00042", "42"},
      {"1.5E+3", "1500"},
      {"+1e-2", "0.01"},
      {".5", "0.5"},
      {"+.5", "0.5"},
      {"1.23E10", "12300000000"},
      {"1.0", "1"},
      {"3.1400", "3.14"},
      {"1.5E2", "150"},
      {"-12.50", "-12.5"},
      {"-.5", "-0.5"},
      {"1e0005", "100000"},
      {"100.5", "100.5"},
      {"0.0001e4", "1"},
      {"0e125", "0"},
      {"-0e-130", "0"},
      {"12345678901234567890", "12345678901234567890"},
      {"1E125", "1" + std::string(125, '0')},
      {"1E-130", "0." + std::string(129, '0') + "1"},
      {"9." + nines.substr(1) + "E+125", nines + std::string(88, '0')},
      {"-" + nines, "-" + nines},
      {"1" + std::string(18, '0') + "1", "1" + std::string(18, '0') + "1"},
      {std::string(200, '0') + "7" + "." + std::string(200, '0'), "7"},
      {"0." + std::string(200, '0') + "1e201", "1"},
  };
  for (const auto& [sent, expected] : rows) {
    for (const auto generation : {Generation::current, Generation::older})
      CHECK(stored(sent, generation) == expected);
  }
}

TEST_CASE("a text that is not a decimal number is refused and quoted", "[number]") {
  const std::vector<std::string> rejected = {
      "+e2", "e2",  "+1+2", "1+2",   "1.2.3", "+1.2.3",  "++5",  "+-5",  "-+5", "+",        "-",     ".",
      "1e",  "1e+", "1e-",  "1e+-5", "1e-+5", "1.2e3.4", "0x5",  "0x10", "NaN", "Infinity", "1_000", " 5",
      "5 ",  "1 2", "\t5",  "5\n",   ".e5",   "1e5e5",   "1e5 ", "٣",    "--5", "-.",       "1,5"};
  for (const auto& text : rejected) {
    for (const auto generation : {Generation::current, Generation::older}) {
      CHECK(stored(text, generation) == "The parameter cannot be converted to a numeric value: " + text);
    }
  }
}

TEST_CASE("the generations word empty text differently", "[number]") {
  CHECK(stored("", Generation::current) == "The parameter cannot be converted to a numeric value: ");
  CHECK(stored("", Generation::older) == "The parameter cannot be converted to a numeric value");
}

TEST_CASE("range and precision are limited", "[number]") {
  for (const auto generation : {Generation::current, Generation::older}) {
    for (const auto* text : {"1E+126", "-1E+126", "10E125", "0e126"})
      CHECK(problem(text, generation) == overflow);
    for (const auto* text : {"1E-131", "-1E-131", "0.1E-130", "0e-131"})
      CHECK(problem(text, generation) == underflow);
    CHECK(problem("1" + nines, generation) == too_precise);
    CHECK(problem("1." + nines, generation) == too_precise);
    CHECK(problem("-" + nines + ".5", generation) == too_precise);
    CHECK(problem("1" + std::string(37, '0') + "1", generation) == too_precise);
    CHECK(stored("000" + nines + "000", generation) == nines + "000");
    CHECK(stored("0.000" + nines + "000", generation) == "0.000" + nines);
  }
  CHECK(message(overflow, "x", Generation::current) ==
        "Number overflow. Attempting to store a number with magnitude larger than supported range");
  CHECK(message(underflow, "x", Generation::older) ==
        "Number underflow. Attempting to store a number with magnitude smaller than supported range");
  CHECK(message(too_precise, "x", Generation::current) ==
        "Attempting to store more than 38 significant digits in a Number");
}

TEST_CASE("the generations read huge exponents differently", "[number]") {
  using Row = std::tuple<const char*, NumberProblem, NumberProblem>;
  for (const auto& [text, current, older] : std::vector<Row>{
           {"1e99999999999", overflow, not_numeric},
           {"-1e99999999999", overflow, not_numeric},
           {"1e2147483648", overflow, not_numeric},
           {"1e-99999999999", underflow, not_numeric},
           {"1e-2147483648", underflow, not_numeric},
           {"1e2147483647", overflow, underflow},
           {"1e-2147483647", underflow, underflow},
           {"1e9223372036854775807", overflow, not_numeric},
           {"1e-9223372036854775808", underflow, not_numeric},
           {"1e9223372036854775808", not_numeric, not_numeric},
           {"1e-9223372036854775809", not_numeric, not_numeric},
           {"0e99999999999", overflow, not_numeric},
       }) {
    CHECK(problem(text, Generation::current) == current);
    CHECK(problem(text, Generation::older) == older);
  }
}

TEST_CASE("the size of a number is that of its significant digits", "[number]") {
  const std::vector<std::pair<std::string, std::size_t>> rows = {
      {"0", 1},    {"-0", 1},    {"0042", 2},   {"1.234", 4}, {"1", 2},         {"100", 2},  {"3.14159", 5},
      {"12", 2},   {"1010", 3},  {"123456", 4}, {"123", 3},   {"100.5", 4},     {"1234", 3}, {"1E125", 2},
      {"0.15", 2}, {nines, 20},  {"1E-100", 2}, {"-42", 3},   {"0.0000001", 2}, {"15", 2},   {"1.5", 3},
      {"1.2", 3},  {"1.200", 3}, {"1.05", 3},   {"-0.5", 3},  {"1.0001", 4},
  };
  for (const auto& [text, bytes] : rows) {
    INFO(text);
    CHECK(number(text).size_in_bytes() == bytes);
  }
}

TEST_CASE("numbers are equal and ordered by value", "[number]") {
  CHECK(number("1") == number("1.0"));
  CHECK(number("-0") == Number());
  CHECK(number("1e2") == Number(100));
  const std::vector<std::string> ascending = {"-9." + nines.substr(1) + "E125",
                                              "-1E125",
                                              "-100",
                                              "-99.5",
                                              "-1",
                                              "-0.001",
                                              "-1E-130",
                                              "0",
                                              "1E-130",
                                              "0.001",
                                              "1",
                                              "1.00001",
                                              "1.5",
                                              "9",
                                              "10",
                                              "100",
                                              nines,
                                              "1E38",
                                              "1E125",
                                              "9." + nines.substr(1) + "E125"};
  for (std::size_t a = 0; a < ascending.size(); ++a) {
    for (std::size_t b = 0; b < ascending.size(); ++b) {
      CHECK((number(ascending[a]) <=> number(ascending[b])) == (a <=> b));
    }
  }
}

TEST_CASE("a number is made from an integer", "[number]") {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1200}, INT64_MAX, INT64_MIN}) {
    CHECK(Number(value) == number(std::to_string(value)));
  }
}

TEST_CASE("sums are exact or refused", "[number]") {
  const auto sum = [](std::string_view a, std::string_view b) {
    const auto result = add(number(a), number(b));
    return result ? result->to_string() : message(result.error(), "", Generation::current);
  };
  const auto difference_problem = [](std::string_view a, std::string_view b) {
    const auto result = subtract(number(a), number(b));
    REQUIRE_FALSE(result.ok());
    return result.error();
  };
  const auto sum_problem = [&](std::string_view a, const std::string& b) {
    return difference_problem(a, b.starts_with('-') ? b.substr(1) : "-" + b);
  };

  CHECK(sum("1", "2") == "3");
  CHECK(sum("0.1", "0.2") == "0.3");
  CHECK(sum("5", "-5") == "0");
  CHECK(sum("0", "-5.50") == "-5.5");
  CHECK(sum("1E37", "1") == "1" + std::string(36, '0') + "1");
  CHECK(sum("1E38", "-1") == nines);
  CHECK(sum("-1E38", "1") == "-" + nines);
  CHECK(sum(nines, "1") == "1" + std::string(38, '0'));

  CHECK(sum_problem("1E125", "1E-130") == overflow);
  CHECK(sum_problem("1E38", "1") == overflow);
  CHECK(sum_problem("2E38", "-1") == overflow);
  CHECK(sum_problem("1E39", "-1") == overflow);
  CHECK(sum_problem(nines, "2") == overflow);
  CHECK(sum_problem("9E125", "1E125") == overflow);
  CHECK(sum_problem("-9E125", "-1E125") == overflow);
  CHECK(sum_problem("9." + nines.substr(1) + "E125", "1E88") == overflow);
  CHECK(sum_problem("9." + nines.substr(1) + "E125", "9." + nines.substr(1) + "E124") == overflow);
  CHECK(sum_problem("9." + nines.substr(1) + "E125", "9." + nines.substr(1) + "E87") == overflow);
  CHECK(difference_problem("1.5E-130", "1E-130") == underflow);
}

}  // namespace dinette::dynamodb::model::number_test
