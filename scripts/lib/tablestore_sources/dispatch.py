"""Which function serves which operation."""

from api_sources.names import snake
from tablestore_sources.specs import BANNER, in_namespace


def path_of(operation):
    return operation.get("path", operation["operation"])


def source(specs):
    headers = [f'#include "tablestore/api/{snake(o["operation"])}.h"' for o in specs.served]
    rows = [f'    {{"{path_of(o)}", "{o["operation"]}", &serve<api::{o["operation"]}Request, &ops::{snake(o["operation"])}>}},'
            for o in sorted(specs.served, key=path_of)]
    lines = ["std::span<const Endpoint> endpoints() {",
             f"  static constexpr std::array<Endpoint, {len(rows)}> all{{{{", *("  " + row for row in rows), "  }};",
             "  return all;", "}", ""]
    return [BANNER, '#include "tablestore/wire/endpoint.h"', "", "#include <array>", "", *headers,
            '#include "tablestore/wire/serve.h"', "", *in_namespace(lines, "wire")]
