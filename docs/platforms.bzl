"""The tables of targets, levels of optimisation and Go's platforms, as CSV and as pictures for the pages."""

load("//test/platforms:platforms.bzl", "GO_PLATFORMS")
load("//toolchains/iree:optimizations.bzl", "OPTIMIZATIONS")
load("//toolchains/iree:targets.bzl", "COMMON_FLAGS", "TARGETS")
load("//toolchains/xla:targets.bzl", "RUN", "XLA_TARGETS")
load(":picture.bzl", "way_picture")

def _csv(header, rows):
    lines = [header] + rows
    return "\n".join([
        ",".join(['"%s"' % cell.replace('"', '""') for cell in line])
        for line in lines
    ]) + "\n"

def _code(words):
    return " ".join(["`+%s+`" % w for w in words])

def _value(label):
    # The settings of this project have a name alone in the page.
    if label.package == "toolchains/iree/constraints":
        return label.name
    return "%s:%s" % (label.package, label.name)

# Hardware by what the tables say of it: the processor in the triple of a row of IREE and in
# the name of a platform of Go, the driver of a row that is for no processor, and the platform of a
# row of XLA, whose plugin is pinned for some processors.
_HARDWARE = {
    "x86-64 processors": struct(cpus = ["x86_64"], drivers = [], go = ["amd64"], xla = ["cpu"]),
    "64-bit Arm processors": struct(cpus = ["aarch64", "arm64"], drivers = [], go = ["arm64"], xla = ["cpu"]),
    "32-bit Arm processors": struct(cpus = ["armv7a"], drivers = [], go = [], xla = []),
    "64-bit RISC-V processors": struct(cpus = ["riscv64"], drivers = [], go = ["riscv64"], xla = []),
    "microcontrollers": struct(cpus = ["thumbv7em"], drivers = [], go = [], xla = []),
    "WebAssembly": struct(cpus = ["wasm32"], drivers = [], go = ["wasm"], xla = []),
    "NVIDIA GPUs": struct(cpus = [], drivers = ["cuda"], go = [], xla = ["cuda"]),
    "AMD GPUs": struct(cpus = [], drivers = ["hip"], go = [], xla = ["rocm"]),
    "Apple GPUs": struct(cpus = [], drivers = ["metal"], go = [], xla = []),
    "GPUs through Vulkan": struct(cpus = [], drivers = ["vulkan"], go = [], xla = []),
    "browsers' GPUs": struct(cpus = [], drivers = ["webgpu"], go = [], xla = []),
    "TPUs": struct(cpus = [], drivers = [], go = [], xla = ["tpu"]),
}

_NONE = "does not exist"

def _cpu(row):
    for flag in row.flags:
        if flag.startswith("--iree-llvmcpu-target-triple="):
            return flag.partition("=")[2].partition("-")[0]
    return None

def _on_go(hardware):
    if "amd64" in hardware.go:
        return "runs"
    rows = [row for name, row in GO_PLATFORMS.items() if name.rpartition("_")[2] in hardware.go]
    if [row for row in rows if row.runner]:
        return "runs, in an emulator or a runtime"
    return "only compiles" if rows else _NONE

def _on_iree(hardware):
    rows = {
        name: row
        for name, row in TARGETS.items()
        if (_cpu(row) in hardware.cpus if _cpu(row) else row.device in hardware.drivers)
    }
    held = {name: row for name, row in rows.items() if not row.refused}
    run = [name for name, row in held.items() if row.tested.startswith("run ")]
    if run:
        how = {held[name].tested: None for name in run}.keys()
        return "runs (%s): %s" % ("; ".join([h.removeprefix("run ") for h in how]), _code(run))
    if held:
        return "only compiles: " + _code(held.keys())
    return "refused: " + _code(rows.keys()) if rows else _NONE

def _on_xla(hardware):
    rows = {name: row for name, row in XLA_TARGETS.items() if row.platform in hardware.xla}
    if not rows:
        return _NONE
    name, row = rows.items()[0]
    pinned = [label for label in row.pinned if label.name in hardware.cpus or not hardware.cpus]
    if row.tested == RUN and pinned:
        return "runs: " + _code([name])
    return "not run: %s, %s" % (_code([name]), "its plugin is pinned" if pinned else "you bring its plugin")

_WIDTH = 36

def _flow():
    """Returns the picture of one graph on its way to the three backends."""
    devices = {row.device: None for row in TARGETS.values() if not row.refused}.keys()
    columns = [
        [
            "CPU backend",
            "takes the graph itself",
            "",
            "",
            "Go, on %d platforms" % (len(GO_PLATFORMS) + 1),
            "development, tests",
        ],
        [
            "IREE",
            "one text, for the target's compiler",
            "iree-compile, %d targets" % len([r for r in TARGETS.values() if not r.refused]),
            "a program, .vmfb",
            ", ".join([d for d in devices if d.startswith("local")] + [d for d in devices if not d.startswith("local")]),
            "phones, boards, servers, browsers",
        ],
        [
            "XLA",
            "a text for each entry point",
            "a plugin, %d targets" % len(XLA_TARGETS),
            "a portable .xla, compiled where it runs",
            ", ".join([row.platform for row in XLA_TARGETS.values()]),
            "servers, data centres, TPUs",
        ],
    ]
    bar = " " * (_WIDTH // 2) + "+" + "-" * (_WIDTH - 1) + "+" + "-" * (_WIDTH - 1) + "+"
    middle = " " * (_WIDTH + _WIDTH // 2)
    lines = [
        _over("a model in Go, ONNX, GGUF or StableHLO"),
        middle + "|",
        _over("the graph (compile/dag)"),
        middle + "|",
        bar,
    ]
    for i in range(len(columns[0])):
        lines.append("".join([_centred(c[i]) for c in columns]).rstrip())
        if i == 0 or i == 3:
            lines.append("".join([_centred("|") for _ in columns]).rstrip())
    return "\n".join(lines) + "\n"

def _over(text):
    """Returns a text above the middle of the three columns."""
    return " " * (_WIDTH + _WIDTH // 2 - len(text) // 2) + text

def _centred(text):
    """Returns a text in the middle of a column."""
    left = max(_WIDTH - len(text), 0) // 2
    return " " * left + text + " " * max(_WIDTH - left - len(text), 1)

def _hardware():
    """Returns the rows of the table of hardware, and checks that no row of the tables is left out."""
    for name, row in TARGETS.items():
        cpu = _cpu(row)
        if name != "vmvx" and not [h for h in _HARDWARE.values() if (cpu in h.cpus if cpu else row.device in h.drivers)]:
            fail("docs/platforms.bzl: no hardware has the row %s" % name)
    for name, row in XLA_TARGETS.items():
        if not [h for h in _HARDWARE.values() if row.platform in h.xla]:
            fail("docs/platforms.bzl: no hardware has the row %s" % name)
    return [[name, _on_go(h), _on_iree(h), _on_xla(h)] for name, h in _HARDWARE.items()]

def _impl(ctx):
    rows = []
    for name, row in TARGETS.items():
        flags = [f for f in row.flags if f not in COMMON_FLAGS]
        rows.append([
            "`%s`" % name,
            _code([_value(c) for c in row.constraints]),
            row.device,
            ("kernels" if row.kernels else "portable") + (", wide" if row.wide else "") + (", f16 by integers" if row.f16 == "integers" else ""),
            row.tested,
            (row.doc + ". Refused: " + row.refused) if row.refused else row.doc,
            _code(flags),
        ])
    ctx.actions.write(ctx.outputs.targets, _csv(
        ["Target", "Constraint values", "Driver", "Text", "In the tests", "For", "Flags besides those of all"],
        rows,
    ))
    ctx.actions.write(ctx.outputs.hardware, _csv(["Hardware", "CPU backend", "IREE", "XLA"], _hardware()))
    ctx.actions.write(ctx.outputs.flow, _flow())
    held = [row for row in TARGETS.values() if not row.refused]
    ctx.actions.write(ctx.outputs.picture, way_picture(
        go_platforms = len(GO_PLATFORMS) + 1,
        iree_targets = len(held),
        iree_run = len([row for row in held if row.tested.startswith("run ")]),
        xla_targets = len(XLA_TARGETS),
        xla_run = len([row for row in XLA_TARGETS.values() if row.tested == RUN]),
    ))
    ctx.actions.write(ctx.outputs.xla, _csv(
        ["Target", "For", "Plugin", "In the tests"],
        [
            ["`%s`" % name, row.doc, "%s: %s" % ("pinned" if row.pinned else "your own", _code(row.kinds)), row.tested]
            for name, row in XLA_TARGETS.items()
        ],
    ))
    ctx.actions.write(ctx.outputs.optimizations, _csv(
        ["Level", "For", "Flags", "Flags for processors"],
        [["`%s`" % n, o.doc, _code(o.flags), _code(o.cpu)] for n, o in OPTIMIZATIONS.items()],
    ))
    ctx.actions.write(ctx.outputs.go, _csv(
        ["GOOS/GOARCH", "For", "In the tests"],
        [["`linux/amd64`", "Linux on x86-64", "all tests"]] + [
            ["`%s`" % n.replace("_", "/"), row.doc, ("built; operations run under " + row.by if row.runner else "built") + ("; by name" if row.like else "")]
            for n, row in GO_PLATFORMS.items()
        ],
    ))
    return []

platform_tables = rule(
    implementation = _impl,
    doc = "The files `flow`, `go`, `hardware`, `optimizations`, `picture`, `targets` and `xla`.",
    attrs = {
        "flow": attr.output(mandatory = True),
        "go": attr.output(mandatory = True),
        "hardware": attr.output(mandatory = True),
        "optimizations": attr.output(mandatory = True),
        "picture": attr.output(mandatory = True),
        "targets": attr.output(mandatory = True),
        "xla": attr.output(mandatory = True),
    },
)
