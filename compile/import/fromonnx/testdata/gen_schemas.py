"""Writes ../schemas.txt: what the schemas of ONNX's operators, and of those that ONNX Runtime adds, say of
inputs, outputs and attributes. Needs the packages onnx and onnxruntime.

    python gen_schemas.py > ../schemas.txt
"""

import re

import onnx
import onnx.defs
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as runtime

OLDEST = 7  # version of ONNX's operators that is imported
DOMAINS = {"", "ai.onnx.ml", "ai.onnx.preview.training", "com.microsoft"}
SHORT = {
    "float": "f32", "double": "f64", "float16": "f16", "bfloat16": "bf16", "bool": "bool", "string": "text",
    "complex64": "c64", "complex128": "c128", "float4e2m1": "f4e2m1fn", "float6e2m3": "f6e2m3fn", "float6e3m2": "f6e3m2fn",
    "float8e4m3fn": "f8e4m3fn", "float8e4m3fnuz": "f8e4m3fnuz", "float8e5m2": "f8e5m2", "float8e5m2fnuz": "f8e5m2fnuz", "float8e8m0": "f8e8m0fnu",
    **{f"{u}int{b}": f"{u or 'i'}{b}" for u in ("", "u") for b in (2, 4, 8, 16, 32, 64)},
}
MARK = {"Single": "", "Optional": "?", "Variadic": "*"}


def short(name):
    """A type of ONNX in fewer letters; "-" for what is no tensor."""
    inner = re.fullmatch(r"tensor\((\w+)\)", name)
    return SHORT.get(inner[1], inner[1]) if inner else "-"


def places(params, constraints, sets):
    """NAME[?|*][:SET], with the number of the set of types."""
    out = []
    for p in params:
        kind = getattr(p, "type_str", None) or p.typeStr
        types = tuple(sorted({short(t) for t in constraints.get(kind, [kind])}))
        key = "".join(c for c in p.name if c.isalnum() or c == "_") or "_"
        of = "" if "-" in types else f":{sets.setdefault(types, len(sets))}"
        out.append(key + MARK[p.option.name] + of)
    return ",".join(out) or "-"


def main():
    every = [s for s in onnx.defs.get_all_schemas_with_history() if s.domain in DOMAINS]
    known = {s.name for s in every}
    every += [s for s in runtime.get_all_operator_schema() if s.domain == "com.microsoft" or s.domain == "" and s.name not in known]
    groups = {}
    for s in every:
        groups.setdefault((s.domain, s.name), {})[s.since_version] = s
    sets, lines = {}, []
    for (domain, name), versions in sorted(groups.items()):
        first = max([v for v in versions if v <= OLDEST], default=0) if domain == "" else 0
        for since in sorted(versions):
            s = versions[since]
            if since < first or s.deprecated:
                continue
            constraints = {c.type_param_str: c.allowed_type_strs for c in s.type_constraints}
            attributes = ",".join(f"{a}{'!' if s.attributes[a].required else ''}:{s.attributes[a].type.name}" for a in sorted(s.attributes))
            lines.append(" ".join([
                f"{domain}.{name}" if domain else name, str(since), f"{s.min_input}..{s.max_input}", f"{s.min_output}..{s.max_output}",
                places(s.inputs, constraints, sets), attributes or "-",
            ]))
    print(f"# Made by testdata/gen_schemas.py of onnx {onnx.__version__} and onnxruntime {onnxruntime.__version__}. Sets of element types by number, then")
    print("# operator, version, numbers of inputs and of outputs, inputs (? may be left out, * any number), attributes (! required).")
    for types, number in sets.items():
        print(f"{number} {','.join(types)}")
    print("\n".join(lines))


main()
