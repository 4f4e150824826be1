#include "objects/about.h"

#include <string>

#include <catch2/catch.hpp>

namespace test::about_test {
namespace {

using dinette::objects::About;
using dinette::objects::find_about;
using dinette::objects::text_of;

const About first{{3, 17}, "etag 1", {{"content-type", "a/b"}, {"x-amz-meta-a", ": b:c"}}};
const About second{{3, 18}, "2", {}};

TEST_CASE("what is known of an object is read back for the state that its file has") {
  const std::string text = text_of(first) + text_of(second);
  const auto found = find_about(text, first.state);
  REQUIRE(found);
  CHECK(found->etag == first.etag);
  CHECK(found->headers == first.headers);
  CHECK(find_about(text, second.state)->etag == "2");
  CHECK(find_about(text, second.state)->headers.empty());
  CHECK_FALSE(find_about(text, {3, 19}));
  CHECK_FALSE(find_about(text, {4, 17}));
}

TEST_CASE("no header makes a line of its own") {
  About about = second;
  about.etag = "a\nb";
  about.headers = {{"x-amz-meta-a", "1\n\n9 9 evil\r"}};
  const auto found = find_about(text_of(about), about.state);
  REQUIRE(found);
  CHECK(found->etag == "a b");
  CHECK(found->headers == About{{}, "", {{"x-amz-meta-a", "1  9 9 evil "}}}.headers);
  CHECK_FALSE(find_about(text_of(about), {9, 9}));
}

TEST_CASE("what makes no sense is passed over, up to the next empty line") {
  for (const std::string wrong : {"x 17 e\n\n", "3\n\n", "3 17\n\n", "3 x e\n\n", "3 17 \nname\n\n"}) {
    CAPTURE(wrong);
    CHECK_FALSE(find_about(wrong, first.state));
    CHECK(find_about(wrong + text_of(first), first.state)->etag == first.etag);
  }
}

}  // namespace
}  // namespace test::about_test
