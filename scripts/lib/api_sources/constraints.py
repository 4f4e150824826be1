"""The tables of the model's constraints."""

import json
import re
import sys

from api_sources.names import camel, in_order_of_hashes, quoted, snake

KINDS = {"String": "string", "Boolean": "boolean", "Integer": "integer", "Long": "long_integer",
         "Double": "floating", "Timestamp": "timestamp", "Blob": "blob", "Item": "map", "NewItem": "map", "Values": "map",
         "AttributeValue": "variant"}


# Classes of Java and of characters beyond one byte, as classes of the bytes of UTF-8.
BYTE_CLASSES = {r"\p{Print}": r"[\x20-\x7E]",
                r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]": r"[^\x00-\x08\x0B\x0C\x0E-\x1F]"}


def class_test(text):
    """Returns C++ that tests the character `c` for a class of a regular expression, without its brackets."""
    if text.startswith("^"):
        return f"!({class_test(text[1:])})"
    text = text.replace("\\w", "a-zA-Z0-9_").replace("\\d", "0-9")
    one = r"(?:\\x[0-9A-F]{2}|\\.|[^\\])"

    def literal(character):
        return f"'{character}'" if re.match(r"\\[xtnr]", character) else f"'{character[-1]}'"

    tests = []
    for low, high in re.findall(f"({one})(?:(?<!\\\\)-({one}))?", text):
        tests.append(f"(c >= {literal(low)} && c <= {literal(high)})" if high else f"c == {literal(low)}")
    return " || ".join(tests)


def pattern_test(text):
    """Returns C++ that tests `text` for one of these patterns: [class], with *, + or {n}, ([class]{n})+, or
    [ends]+[class]*[ends]+, where the class has the ends, too; None for others."""
    def all_of(characters):
        return f"std::ranges::all_of(text, [](char c) {{ return {class_test(characters)}; }})"

    bare = text.removeprefix("^").removesuffix("$")
    for characters, as_bytes in BYTE_CLASSES.items():
        bare = bare.replace(characters, as_bytes)
    if match := re.fullmatch(r"\[([^\]]+)\]\+", bare):
        return f"!text.empty() && {all_of(match[1])}"
    if match := re.fullmatch(r"\[([^\]]+)\]\*", bare):
        return all_of(match[1])
    if match := re.fullmatch(r"\[([^\]]+)\](?:\{(\d+)\})?", bare):
        return f"text.size() == {match[2] or 1} && {all_of(match[1])}"
    if match := re.fullmatch(r"\(\[([^\]]+)\]\{(\d+)\}\)\+", bare):
        return f"!text.empty() && text.size() % {match[2]} == 0 && {all_of(match[1])}"
    if match := re.fullmatch(r"\[([^\]]+)\]\+\[([^\]]+)\]\*\[([^\]]+)\]\+", bare):
        if match[1] == match[3]:
            ends = f"const auto is_end = [](char c) {{ return {class_test(match[1])}; }};"
            return (f"text.size() > 1 && {all_of(match[2])} && [&] {{ {ends} "
                    "return is_end(text.front()) && is_end(text.back()); }()")
    return None


def pattern_steps(text):
    """Returns the initializers of aws::PatternStep for a pattern without groups: one after another, each a class or a
    character that may be repeated."""
    step = re.compile(r"(\[[^\]]+\]|\\.|[^\\()|*+?{}\[\]])(\*|\+|\?|\{\d+(?:,\d*)?\})?")
    classes = {".": "^\\n", "\\d": "0-9", "\\S": "^ \\t\\n\\r"}
    counts = {"": "1, 1", "*": "0, aws::PatternStep::any_number", "+": "1, aws::PatternStep::any_number", "?": "0, 1"}
    steps, end = [], 0
    for match in step.finditer(text):
        if match.start() != end:
            break
        end = match.end()
        one, repeated = match[1], match[2] or ""
        characters = one[1:-1] if one.startswith("[") else classes.get(one, "\\^" if one == "^" else one)
        if repeated.startswith("{"):
            low, _, high = repeated[1:-1].partition(",")
            high = high if high else low if "," not in repeated else "aws::PatternStep::any_number"
            count = f"{low}, {high}"
        else:
            count = counts[repeated]
        steps.append(f"    {{[](char c) {{ return {class_test(characters)}; }}, {count}}},")
    if end != len(text):
        sys.exit(f"gen_api.py: pattern {text} of a served operation needs support")
    return steps


class Tables:
    """Collects the read-only tables of aws/shape.h, each named and written once, users after the used."""

    def __init__(self, specs):
        self.specs, self.lines, self.names, self.patterns = specs, [], {}, {}

    def bounds(self, limits):
        low, high = limits or (None, None)
        parts = ([f".min = {low}"] if low is not None else []) + ([f".max = {high}"] if high is not None else [])
        return "{" + ", ".join(parts) + "}"

    def pattern(self, text, matched_by=None):
        """Turns a pattern into code: that of its form, or of its alternatives, a|(b), each as steps; none if a function
        matches it."""
        if text not in self.patterns:
            name = self.patterns[text] = f"pattern_{len(self.patterns)}"
            if matched_by:
                self.lines += [f"constexpr aws::Pattern {name}{{{quoted(text)}, &{matched_by}}};", ""]
                return "&" + name
            test = pattern_test(text)
            if not test:
                tests = []
                for alternative in text.removeprefix("^").removesuffix("$").split("|"):
                    steps = pattern_steps(re.sub(r"^\((.*)\)$", r"\1", alternative))
                    tests.append(f"aws::matches({name}_steps_{len(tests)}, text)")
                    self.lines += [f"constexpr std::array<aws::PatternStep, {len(steps)}> {name}_steps_{len(tests) - 1}{{{{",
                                   *steps, "}};"]
                test = " || ".join(tests)
            self.lines += [f"constexpr aws::Pattern {name}{{{quoted(text)}, [](std::string_view text) {{",
                           f"  return {test};", "}};", ""]
        return "&" + self.patterns[text]

    def define(self, key, fields):
        if key not in self.names:
            self.names[key] = f"shape_{len(self.names)}"
            self.lines += [f"constexpr aws::Shape {self.names[key]}{{" + ", ".join(fields) + "};"]
        return "&" + self.names[key]

    def shape(self, type_name, rules):
        """Returns the shape of a member: its type with the member's constraints."""
        container, inner = self.specs.element(type_name)
        key = type_name + json.dumps(rules, sort_keys=True)
        if key in self.names:
            return "&" + self.names[key]
        fields = [f".name = {quoted(type_name)}"]
        if container:
            fields.append(f".kind = aws::Kind::{container}")
            fields.append(f".bounds = {self.bounds(rules.get('items') or rules.get('entries'))}")
            of_element = {"length": rules.get("each_length"), "pattern": rules.get("each_pattern"),
                          "items": rules.get("value_items"), "keys": rules.get("each_keys")}
            fields.append(f".element = {self.shape(inner, {k: v for k, v in of_element.items() if v})}")
            if "keys" in rules:
                fields.append(".key = " + self.shape(rules["keys"], {}))
            elif "key_length" in rules or "key_pattern" in rules:
                fields.append(".key = " + self.shape("String", {k[4:]: v for k, v in rules.items()
                                                                if k in ("key_length", "key_pattern")}))
            return self.define(key, fields)
        if inner in self.specs.enums:
            return self.define(key, fields + [".kind = aws::Kind::string", f".values = {self.enum(inner)}"])
        if inner in self.specs.structures:
            members = self.members(inner, self.specs.structures[inner])
            return self.define(key, fields + [".kind = aws::Kind::structure", f".members = {members}",
                                              *self.echo(inner)])
        rules = {**self.specs.strings.get(inner, {}), **rules}
        fields.append(f".kind = aws::Kind::{KINDS[rules.get('type', inner)]}")
        fields.append(f".bounds = {self.bounds(rules.get('length') or rules.get('range'))}")
        if "pattern" in rules:
            fields.append(f".pattern = {self.pattern(rules['pattern'], rules.get('matched_by'))}")
        if rules.get("or_arn"):
            fields.append(f".name_in_arn = &{self.specs.service['name_in_arn']}")
        if "too_long" in rules:
            fields.append(f".too_long = {quoted(rules['too_long'])}")
        if inner in ("Item", "NewItem", "Values"):
            fields.append(f".element = {self.shape('AttributeValue', {})}")
        if "keys" in rules:
            fields.append(f".key = {self.shape(rules['keys'], {})}")
        return self.define(key, fields + self.echo(inner))

    def echo(self, type_name):
        """Returns the initializer of the members that messages print of a type, if the specs list them."""
        if type_name not in self.specs.echoes:
            return []
        name = "echo_of_" + snake(type_name)
        if name not in self.names:
            self.names[name] = name
            rows = [f"    aws::EchoedMember{{{quoted(member)}, {quoted(camel(member))}}},"
                    for member in self.specs.echoes[type_name]]
            self.lines += [f"constexpr std::array<aws::EchoedMember, {len(rows)}> {name}{{{{", *rows, "}};", ""]
        return [f".echoed = {name}"]

    def enum(self, name):
        key = "enum " + name
        if key not in self.names:
            self.names[key] = f"enum_{len(self.names)}"
            enum = self.specs.enums[name]
            for part in ("values", "printed", "printed_older"):
                words = enum.get(part, in_order_of_hashes(enum["values"]) if part == "printed" else [])
                self.lines.append(f"constexpr std::array<std::string_view, {len(words)}> {self.names[key]}_{part}"
                                  f"{{{', '.join(quoted(w) for w in words)}}};")
            parts = ", ".join(f"{self.names[key]}_{part}" for part in ("values", "printed", "printed_older"))
            self.lines.append(f"constexpr aws::EnumValues {self.names[key]}{{{parts}}};")
        return "&" + self.names[key]

    def members(self, owner, members):
        name = "members_of_" + snake(owner)
        if name in self.names:
            return name
        rows = []
        for member in members:
            rules = {k: v for k, v in member.items() if k in RULES}
            fields = [f".name = {quoted(member['name'])}",
                      f".path = {quoted(camel(member['name']))}",
                      f".shape = {self.shape(member['type'], rules)}"]
            fields += [".required = true"] if member.get("required") else []
            fields += [f".unless = {quoted(member['unless'])}"] if "unless" in member else []
            fields += [f".form = aws::Form::{member['form']}"] if "form" in member else []
            fields += [".empty_alone = true"] if member.get("empty") == "generic alone" else []
            fields += [".alone = true"] if member.get("alone") else []
            fields += [".bare = true"] if member.get("alone") == "bare" else []
            fields += [".keeps_form = true"] if member.get("keeps_form") else []
            fields += [".or_text = true"] if member.get("or_text") else []
            fields += [".empty_in_older = true"] if member.get("empty_in_older") else []
            fields += [".yields = true"] if member.get("yields") else []
            fields += [".together = true"] if member.get("together") else []
            fields += [f".missing_message = {quoted(member['missing'])}"] if "missing" in member else []
            fields += [f".unknown_message = {quoted(member['unknown'])}"] if "unknown" in member else []
            rows.append("    aws::Member{" + ", ".join(fields) + "},")
        self.names[name] = name
        self.lines += [f"constexpr std::array<aws::Member, {len(members)}> {name}{{{{", *rows, "}};", ""]
        return name

    def constrained(self, member):
        """Returns true if a value of the right type may violate a constraint."""
        container, inner = self.specs.element(member["type"])
        if member.get("required") or RULES & member.keys() or inner in self.specs.enums or \
                RULES & self.specs.strings.get(inner, {}).keys():
            return True
        return any(self.constrained(m) for m in self.specs.structures.get(inner, []))

    def layers(self, operation):
        """Returns the initializer of the operation's layers; nothing for the current one everywhere."""
        fields = [".usual = aws::Generation::older"] if operation.get("layer") == "older" else []
        regions = operation.get("other_layer_in")
        fields += [".both = true"] if regions is not None else []
        if regions:
            name = "regions_of_" + snake(operation["operation"])
            self.lines.append(f"constexpr std::array<std::string_view, {len(regions)}> {name}"
                              f"{{{', '.join(map(quoted, regions))}}};")
            fields.append(f".other_in = {name}")
        return f", .layers = {{{', '.join(fields)}}}" if fields else ""

    def naming(self, members):
        """Returns the table of the members that name something, as the last of an initializer; nothing for none."""
        key = "naming " + json.dumps(members)
        if members and key not in self.names:
            rows = []
            for member, names, inside in members:
                rows.append(f"    NamingMember{{{quoted(member)}, NamingMember::Names::{names}{self.naming(inside)}}},")
            self.names[key] = f"naming_{len(self.names)}"
            self.lines += [f"constexpr std::array<NamingMember, {len(rows)}> {self.names[key]}{{{{", *rows, "}};", ""]
        return ", " + self.names[key] if members else ""

    def operation(self, operation):
        name = operation["operation"]
        members = operation["input"]
        index = {m["name"]: i for i, m in enumerate(members)}

        def order_of(listed):
            order = [index[n] for n in listed]
            return order + [i for i, m in enumerate(members) if self.constrained(m) and i not in order]

        order = order_of(operation.get("constraint_order", []))
        older_order = ""
        if "older_constraint_order" in operation:
            indexes = order_of(operation["older_constraint_order"])
            self.lines.append(f"constexpr std::array<std::uint8_t, {len(indexes)}> older_order_of_{snake(name)}"
                              f"{{{', '.join(map(str, indexes))}}};")
            older_order = f", .older_order = older_order_of_{snake(name)}"
        table = self.members(name + "Input", members)
        layer = self.layers(operation)
        envelope = ", .own_in_envelope = true" if operation.get("envelope") else ""
        older = f", .older_without = {index[operation['older_without']]}" if "older_without" in operation else ""
        self.lines += [f"constexpr std::array<std::uint8_t, {len(order)}> order_of_{snake(name)}"
                       f"{{{', '.join(map(str, order))}}};", "",
                       f"constexpr aws::Operation operation_{snake(name)}{{.name = {quoted(name)}, "
                       f".input = {table}, "
                       f".constraint_order = order_of_{snake(name)}{older_order}{envelope}{layer}{older}}};", ""]

RULES = {"length", "range", "items", "entries", "key_length", "each_length", "value_items", "pattern", "each_pattern",
         "key_pattern", "keys", "each_keys"}
