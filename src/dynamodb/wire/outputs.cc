#include "dynamodb/wire/outputs.h"

namespace dinette::dynamodb::wire {
namespace {

using Kind = aws::OutputShape::Kind;

// An AttributeValue has others inside.
extern const aws::OutputShape attribute_value;
constexpr aws::OutputShape blobs{.kind = Kind::list, .element = &aws::blob_output};
constexpr aws::OutputShape list_of_values{.kind = Kind::list, .element = &attribute_value};
constexpr std::array<aws::OutputMember, 4> value_members{{
    {"B", &aws::blob_output},
    {"BS", &blobs},
    {"L", &list_of_values},
    {"M", &item_output},
}};
constexpr aws::OutputShape attribute_value{.kind = Kind::structure, .members = value_members};

constexpr std::array<aws::OutputMember, 1> reason_members{{{"Item", &item_output}}};
constexpr aws::OutputShape reason{.kind = Kind::structure, .members = reason_members};
constexpr aws::OutputShape reasons{.kind = Kind::list, .element = &reason};
constexpr std::array<aws::OutputMember, 2> error_members{{
    {"Item", &item_output},
    {"CancellationReasons", &reasons},
}};

}  // namespace

constexpr aws::OutputShape item_output{.kind = Kind::map, .element = &attribute_value};
constexpr aws::OutputShape error_output{.kind = Kind::structure, .members = error_members};

}  // namespace dinette::dynamodb::wire
