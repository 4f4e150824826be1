#include "dinette/objects/names.h"

#include <string>

#include <catch2/catch.hpp>

namespace test::names_test {
namespace {

using dinette::objects::check_key;
using dinette::objects::is_bucket_name;

// Amazon S3 User Guide, "General purpose bucket naming rules".
TEST_CASE("names of buckets follow the rules of S3") {
  for (const char* const name : {"abc", "my-bucket.1", "1a2", "192.168.5", "192.168.5.4a"}) {
    CAPTURE(name);
    CHECK(is_bucket_name(name));
  }
  CHECK(is_bucket_name(std::string(63, 'a')));
  CHECK_FALSE(is_bucket_name(std::string(64, 'a')));
  for (const char* const name : {"",
                                 "ab",
                                 "-abc",
                                 "abc-",
                                 ".abc",
                                 "abc.",
                                 "a..b",
                                 "Abc",
                                 "a_b",
                                 "a/b",
                                 "192.168.5.4",
                                 "xn--abc",
                                 "sthree-abc",
                                 "amzn-s3-demo-abc",
                                 "abc-s3alias",
                                 "abc--ol-s3",
                                 "abc.mrap",
                                 "abc--x-s3",
                                 "abc--table-s3",
                                 "a b"}) {
    CAPTURE(name);
    CHECK_FALSE(is_bucket_name(name));
  }
}

TEST_CASE("keys are UTF-8") {
  CHECK(check_key("k\xC3\xA4").ok());
  for (const char* const key : {"", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "a\x80"}) {
    CAPTURE(key);
    CHECK_FALSE(check_key(key).ok());
  }
}

}  // namespace
}  // namespace test::names_test
