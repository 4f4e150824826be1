#include "app/database_url.h"

#include <catch2/catch.hpp>

namespace dinette::app::database_url_test {

TEST_CASE("the URL of a database is printed without its password") {
  CHECK(shown_place("postgres://u:secret@h:5432/d") == "postgres://u@h:5432/d");
  CHECK(shown_place("postgresql://u:secret@h/d?sslmode=require") == "postgresql://u@h/d?sslmode=require");
  CHECK(shown_place("postgres:///d?user=u&password=secret&host=/tmp") == "postgres:///d?user=u&host=/tmp");
  CHECK(shown_place("postgres://h/d?password=secret") == "postgres://h/d");
  CHECK(shown_place("postgres://h/d?sslpassword=secret&sslmode=require") == "postgres://h/d?sslmode=require");
  CHECK(shown_place("postgres://:secret@h/d") == "postgres://@h/d");
}

TEST_CASE("a password that is not escaped is not printed either") {
  CHECK(shown_place("postgres://u:p@ss@h/d") == "postgres://u@h/d");
  CHECK(shown_place("postgres://u:p?ss@h/d?sslmode=require") == "postgres://u@h/d?sslmode=require");
  CHECK(shown_place("postgres://u:p/ss@h/d") == "postgres://u@h/d");
  CHECK(shown_place("postgres://u:se:cret@h/d") == "postgres://u@h/d");
}

TEST_CASE("what has no password is printed as it is") {
  for (const char* place :
       {"./data", "http://h:8000", "u:secret@h", "postgres://", "postgres://h:5432/d", "postgres://u@h/d",
        "postgres://h:5432/d?options=a@b", "postgres:///d?host=/tmp&user=u", "postgres://[::1]:5432/d"})
    CHECK(shown_place(place) == place);
}

TEST_CASE("a message about a URL has no password of it") {
  const std::string url = "postgres://dinette:se%zzcret@h/dinette";
  CHECK(shown_message("invalid percent-encoded token: \"se%zzcret\"", url) ==
        "invalid percent-encoded token: \"...\"");
  CHECK(shown_message("unexpected character in URI: \"" + url + "\"", url) ==
        "unexpected character in URI: \"postgres://dinette@h/dinette\"");
  CHECK(shown_message("role \"dinette\" does not exist", "postgres://dinette:dinette@h/dinette") ==
        "role \"dinette\" does not exist");
}

}  // namespace dinette::app::database_url_test
