"""The picture of a model's way to programs, as SVG, with the numbers of the tables."""

_STYLE = """<style>
.ground { fill: #fdfdfb; }
.box { fill: #eef2f1; stroke: #0f6674; stroke-width: 1.5; }
.given { fill: #fff6e5; stroke: #9a6200; stroke-width: 1.5; }
.proof { fill: #eaf5ea; stroke: #2c6e2f; stroke-width: 1.5; }
.way { fill: none; stroke: #44504f; stroke-width: 1.5; marker-end: url(#tip); }
text { font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-size: 13px; fill: #1d2524; text-anchor: middle; }
.head { font-weight: 600; font-size: 15px; }
.note { fill: #44504f; }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#44504f"/></marker></defs>
"""

def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

def _box(x, y, width, kind, head, lines):
    """Returns a box of a heading and lines, as high as they need."""
    height = 34 + 19 * len(lines)
    out = ['<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="9"/>' % (kind, x, y, width, height)]
    middle = x + width // 2
    out.append('<text class="head" x="%d" y="%d">%s</text>' % (middle, y + 22, _escaped(head)))
    for i, line in enumerate(lines):
        out.append('<text x="%d" y="%d">%s</text>' % (middle, y + 42 + 19 * i, _escaped(line)))
    return out

def _way(*points):
    """Returns an arrow along points."""
    return ['<path class="way" d="M%s"/>' % "L".join(["%d %d" % p for p in points])]

def _note(x, y, text):
    return ['<text class="note" x="%d" y="%d">%s</text>' % (x, y, _escaped(text))]

def way_picture(go_platforms, iree_targets, iree_run, xla_targets, xla_run):
    """Returns the picture.

    Args:
      go_platforms: on how many platforms the CPU backend is built.
      iree_targets: for how many targets IREE compiles.
      iree_run: of them, whose programs the tests run.
      xla_targets: how many targets of XLA there are.
      xla_run: of them, whose programs the tests run.

    Returns:
      An SVG document.
    """
    parts = (
        _box(30, 20, 200, "given", "model in Go", ["a function, package lang"]) +
        _box(270, 20, 250, "given", "model file", ["ONNX, GGUF or StableHLO"]) +
        _box(700, 20, 230, "given", "weight file", ["GGUF, safetensors, ONNX, ..."]) +
        _way((130, 73), (130, 100), (230, 100), (230, 124)) +
        _way((395, 73), (395, 100), (330, 100), (330, 124)) +
        _way((700, 60), (610, 60), (610, 150), (487, 150)) +
        _note(612, 172, "names and shapes alone") +
        _box(80, 126, 405, "box", "graph", ["operations, types, names of weights; no values", "compile/dag: verified, rewritten by passes"]) +
        _way((150, 198), (150, 244)) +
        _way((400, 198), (400, 244)) +
        _way((450, 198), (450, 222), (660, 222), (660, 244)) +
        _way((850, 73), (850, 96)) +
        _box(720, 98, 210, "box", "archive, .irpa", ["what the contract lists,", "one for all programs"]) +
        _way((780, 170), (780, 206), (520, 206), (520, 244)) +
        _way((870, 170), (870, 244)) +
        _box(30, 246, 240, "box", "CPU backend", [
            "the graph itself, in Go",
            "built for %d platforms" % go_platforms,
            "the reference of all tests",
        ]) +
        _box(310, 246, 270, "box", "IREE", [
            "one text and its contract, a program",
            "for each of %d targets: phones, boards," % iree_targets,
            "servers, GPUs; tests run %d of them" % iree_run,
        ]) +
        _box(620, 246, 310, "box", "XLA", [
            "a text for each entry point, compiled",
            "by a plugin where it runs: %d targets" % xla_targets,
            "for servers, data centres; tests run %d of them" % xla_run,
        ]) +
        _way((150, 337), (150, 374)) +
        _way((445, 337), (445, 374)) +
        _way((775, 337), (775, 374)) +
        _box(30, 376, 900, "proof", "parity tests", ["the results of each program, beside those of the CPU backend, ONNX Runtime, llama.cpp, NumPy or JAX"])
    )
    return "\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 450" width="960" height="450" role="img" aria-label="From a model to programs">',
        _STYLE + '<rect class="ground" width="960" height="450" rx="12"/>',
    ] + parts + ["</svg>"]) + "\n"
