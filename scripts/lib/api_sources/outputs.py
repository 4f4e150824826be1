"""The tables of what JSON does not say about responses: which strings are bytes, which numbers are times."""

from api_sources.names import BANNER, quoted, snake

SHAPES = {"Timestamp": "&aws::timestamp_output", "Blob": "&aws::blob_output", "Item": "&item_output",
          "Values": "&item_output"}


class Outputs:
    """Collects the lines of the tables; a type that has neither bytes nor times gets none."""

    def __init__(self, specs):
        self.specs = specs
        self.names = {}
        self.lines = []

    def shape(self, type_name):
        """Returns the C++ expression of a pointer to the shape of a type; None without bytes and times."""
        if type_name not in self.names:
            self.names[type_name] = SHAPES.get(type_name) or self.table(type_name)
        return self.names[type_name]

    def table(self, type_name):
        container, inner = self.specs.element(type_name)
        if container:
            element = self.shape(inner)
            return self.shape_line(container, f".element = {element}", len(self.names)) if element else None
        return self.structure(type_name, self.specs.structures.get(type_name, []))

    def structure(self, name, members):
        shapes = [(member["name"], self.shape(member["type"])) for member in members]
        rows = [f"    aws::OutputMember{{{quoted(member)}, {shape}}}," for member, shape in shapes if shape]
        if not rows:
            return None
        table = "members_in_" + snake(name)
        self.lines += [f"constexpr std::array<aws::OutputMember, {len(rows)}> {table}{{{{", *rows, "}};"]
        return self.shape_line("structure", f".members = {table}", snake(name))

    def shape_line(self, kind, rest, suffix):
        name = f"shape_of_{suffix}"
        self.lines += [f"constexpr aws::OutputShape {name}{{.kind = aws::OutputShape::Kind::{kind}, {rest}}};", ""]
        return "&" + name


def outputs_source(specs):
    outputs = Outputs(specs)
    served = sorted(specs.served, key=specs.target)
    rows = [f"    {outputs.structure(o['operation'] + 'Output', o['output']) or 'nullptr'}," for o in served]
    return [BANNER, "#include <array>", "#include <span>", "", '#include "dinette/aws/output_shape.h"', "",
            f'#include "{specs.layer}/wire/outputs.h"', "", *specs.in_namespace([
                "namespace {", "", *outputs.lines,
                f"constexpr std::array<const aws::OutputShape*, {len(rows)}> outputs{{{{", *rows, "}};", "",
                "}  // namespace", "", "std::span<const aws::OutputShape* const> output_shapes() { return outputs; }", ""],
                "wire")]
