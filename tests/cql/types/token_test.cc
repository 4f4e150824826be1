#include "cql/types/token.h"

#include <array>

#include <catch2/catch.hpp>

#include "support/hex.h"

// docs/service-keyspaces/types.md section 9.
namespace dinette::cql::token_test {

using ::test::from_hex;
using ::test::to_hex;

struct Vector {
  const char* key;
  std::int64_t token;
};

TEST_CASE("tokens of partition keys are Cassandra's") {
  constexpr std::array vectors = {
      Vector{"", 0},
      Vector{"61", -8839064797231613815},
      Vector{"74657374", -6017608668500074083},
      Vector{"313233", -7468325962851647638},
      Vector{"00000001", -4069959284402364209},
      Vector{"0000000000000001", 6292367497774912474},
      Vector{"ffffff", -9154616442117352147},
      Vector{"808080808080808080", -8549929301482172571},
      Vector{"fefefefefefefefefefefefefefefe", 8102345716022190393},
      Vector{"ffffffffffffffffffffffffffffffff", -2824192546314762522},
      Vector{"30313233343536373839616263646566", 5467490433528156583},
      Vector{"3031323334353637383961626364656667", -8200385122730116642},
      Vector{"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f", -61479015959055060},
      Vector{"f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff80ff7f", -2384025423722448765},
      Vector{"e697a5e69cac", -7507319893842418264},
  };
  for (const auto& [key, token] : vectors) {
    INFO(key);
    CHECK(murmur3_token(from_hex(key)) == token);
  }
}

TEST_CASE("a partition key of several columns has lengths and zeros") {
  const std::string seven = from_hex("00000007");
  const std::string key = partition_key_bytes(std::array<std::string_view, 2>{"a", seven});
  CHECK(to_hex(key) ==
        "000161000004"
        "00000007"
        "00");
  CHECK(murmur3_token(key) == -2133588921541103912);
  CHECK(partition_key_bytes(std::array<std::string_view, 1>{"a"}) == "a");
}

}  // namespace dinette::cql::token_test
