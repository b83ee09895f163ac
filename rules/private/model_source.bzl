"""What a skainet_model is made of: a constructor in Go, or a file."""

load("@rules_go//go:def.bzl", "go_binary")
load(":constructor.bzl", "constructor_fault")
load(":exporter_main.bzl", "model_main")
load(":iree_parity_test.bzl", "parity_driver")
load(":model_graph.bzl", "model_graph")
load(":weights_index.bzl", "weights_index")

# The formats whose files hold graph and weights, named like their attributes.
FORMATS = ["onnx", "stablehlo", "gguf"]

_FILES = ", ".join(FORMATS) + " or graph"

_EXPORT = """func main() { os.Exit(exportmain.Main(model.%s, os.Args[1:], os.Stderr)) }
"""

def given_source(sources):
    """Returns which source a model has.

    Args:
      sources: dict from the attributes model, those of FORMATS, and graph to their values.

    Returns:
      struct(name, fault): the attribute, or an error message, "CODE: what is wrong; what to
      write instead".
    """
    given = [name for name, value in sources.items() if value != None]
    if not given:
        return struct(name = None, fault = "MODEL_ARGUMENTS: no model is given; set model to the go_library with the constructor, or one of %s to a file" % _FILES)
    if len(given) > 1:
        return struct(name = None, fault = "MODEL_ARGUMENTS: %s are both given; a model comes from one of them: leave the other out" % " and ".join(given[:2]))
    return struct(name = given[0], fault = None)

def source_faults(source, constructor, weights, cases, imports, recorded):
    """Checks the arguments that depend on the source.

    Args:
      source: the attribute that is given.
      constructor: as in skainet_model, or None.
      weights: as in skainet_model.
      cases: parity_cases of skainet_model.
      imports: dict from the arguments that only an imported file has to their values.
      recorded: parity_recorded of skainet_model.

    Returns:
      The first fault, as "CODE: what is wrong; what to write instead", or None.
    """
    for case, files in recorded.items():
        if type(files) != "list" or not files:
            return "MODEL_PARITY: parity_recorded gives %r for the case %r; write a list of files: parity_recorded = {%r: [\"%s.npz\"]}" % (files, case, case, case)
        if not case or "," in case or "=" in case:
            return "MODEL_PARITY: the recorded case %r has no name that --only takes; use no comma and no equals sign" % case
    if source == "model":
        fault = constructor_fault("Model" if constructor == None else constructor)
        if fault:
            return fault
    else:
        if constructor != None:
            return "MODEL_ARGUMENTS: constructor is of a go_library, and the model is %s; leave it out" % source
        if cases:
            return "MODEL_ARGUMENTS: parity_cases is a function of a go_library, and the model is %s; use parity_recorded, or parity_inputs and parity_sizes" % source
    if source in FORMATS:
        if weights:
            return "MODEL_ARGUMENTS: weights is given beside %s, whose file holds its own; leave it out" % source
        return None
    for name, value in imports.items():
        if value:
            return "MODEL_ARGUMENTS: %s is for a file that is imported, and the model is %s; leave it out, or give one of %s" % (name, source, ", ".join(FORMATS))
    return None

def declare_source(name, source, value, constructor, module_name, weights, shards, imports, cases, driver, tags, common):
    """Declares the targets that make a model's graph.

    Args:
      name: of the model.
      source: the attribute that is given.
      value: its label.
      constructor: as in skainet_model, or None.
      module_name: of the module.
      weights: as in skainet_model.
      shards: as in skainet_model.
      imports: dict of attributes of model_graph.
      cases: parity_cases of skainet_model.
      driver: whether to declare the program that compares.
      tags: as in skainet_model.
      common: dict of tags and visibility.

    Returns:
      struct(export, parity, index, weights): the attributes of stablehlo_export and of the
      comparisons, the label of the index or None, and the weight file or None.
    """
    if source in FORMATS:
        model_graph(
            name = name + "_graph",
            format = source,
            module_name = module_name,
            prefix = name,
            shards = shards,
            weights = value,
            **(imports | common)
        )
        graph = {"graph": name + "_graph"}
        return struct(export = graph, parity = graph, index = name + "_graph", weights = value)
    if weights:
        weights_index(name = name + "_index", weights = weights, shards = shards, **common)
    index = name + "_index" if weights else None
    if source == "graph":
        graph = {"graph": value}
        return struct(export = graph, parity = graph, index = index, weights = weights)
    constructor = "Model" if constructor == None else constructor
    model_main(
        name = name + "_exporter_main",
        model = value,
        driver = "github.com/skainet-dev/skainet-go/rules/tools/exportmain",
        body = _EXPORT % constructor,
        tags = tags + ["manual"],
    )
    go_binary(
        name = name + "_exporter",
        srcs = [name + "_exporter_main"],
        deps = [value, Label("//rules/tools/exportmain")],
        **common
    )
    if driver:
        parity_driver(
            name = name + "_parity_driver",
            model = value,
            constructor = constructor,
            module_name = module_name,
            cases = cases,
            tags = tags,
        )
    return struct(
        export = {"constructor": constructor, "exporter": name + "_exporter", "model": value},
        parity = {"driver": name + "_parity_driver"},
        index = index,
        weights = weights,
    )
