"""skainet_model: all targets of one model, from its constructor or its file on."""

load("//toolchains/iree:targets.bzl", "DEFAULT_TARGET")
load(":iree_parity_test.bzl", "cases_of_files", "parity_run_test")
load(":irpa_archive.bzl", "irpa_archive")
load(":model_faults.bzl", "SIBLINGS", "argument_faults", "model_faults")
load(":model_parity.bzl", "compared", "parity_faults", "reasons")
load(":model_programs.bzl", "declare_program", "program_name", "run_name", "xla_faults")
load(":model_siblings.bzl", "declare_siblings", "needs", "runs_on")
load(":model_source.bzl", "declare_source", "given_source", "source_faults")
load(":stablehlo_export.bzl", "stablehlo_export")

# What `backends` may be left to: the host's CPU.
_BACKENDS = {"cpu": DEFAULT_TARGET}

def skainet_model(
        name,
        model = None,
        onnx = None,
        stablehlo = None,
        gguf = None,
        graph = None,
        constructor = None,
        shapes = {},
        fixed = {},
        states = {},
        outputs = [],
        cut = [],
        noise = "",
        dequantize = False,
        inline = "",
        context = 0,
        module_name = None,
        weights = None,
        shards = [],
        constants = "inline",
        dtype = "",
        weight_policy = "",
        backends = _BACKENDS,
        manual_backends = [],
        rows = [],
        optimization = "",
        flags = [],
        sizes = [],
        parity = None,
        manual_parity = [],
        no_parity = {},
        parity_cases = None,
        parity_inputs = {},
        parity_sizes = [],
        parity_recorded = {},
        parity_args = [],
        parity_timeout = "moderate",
        parity_tools = {},
        archive = None,
        archive_tags = [],
        archive_split = 1,
        archive_max_shard_size = "",
        scopes = {},
        scope_files = {},
        siblings = SIBLINGS,
        size_limits = {},
        model_size = "medium",
        runners = {},
        documents = {},
        tags = [],
        visibility = None):
    """Declares a model's targets.

    For a model `m`:

      * `m_mlir`: the StableHLO text and its contract (stablehlo_export);
      * `m_irpa`: the parameters (irpa_archive); `m_irpa_SCOPE` for each of `scopes`;
      * `m_vmfb_BACKEND`: the program for each backend (iree_vmfb); for a target of XLA
        `m_executable_BACKEND` (xla_executable);
      * `m_parity_BACKEND_test`: the program against the CPU reference; of a backend that is
        not compared, a test that is skipped, with the reason in its attribute `no_parity`:
        `bazel query --output=build 'kind(iree_parity_test, //...)'` lists them;
      * `m.run`: `bazel run :m.run -- --entry=main x=1,2`, the program of the first
        backend (`cpu` if there is one) or, of several rows for CPUs of one kind that are
        not in manual_backends, the best for the processor; `-- --help` lists its
        arguments; `m_run_BACKEND` runs one of them;
      * `m.bench`: how long its calls take (iree_bench);
      * `m.parity_test`: all parity tests;
      * `m.layer_diff`: the first operation at which the program and the CPU reference
        differ (skainet_layer_diff), for the first parity test; `m_layer_diff_BACKEND`
        for each of them;
      * `m.size_test`: compares its sizes with `size_limits` (iree_size_test); without limits it
        runs only when named, and fails with the sizes, to be used as limits;
      * `m.tar`: everything a machine needs to run it (model_tar), with the programs of all CPU rows
        for the default one's processor; `m_tar_BACKEND` for each backend alone;
      * `m_index` (weights_index) and `m_exporter` (go_binary), which the others use; of a
        model that is imported from a file instead `m_graph`, its graph and the index of its weights.

    Args:
      name: prefix of the targets' names.
      model: a go_library with the constructor. A model has this or one of the four files
        that follow; nothing is compiled from Go for these.
      onnx: an ONNX model. It holds the weights: `shards` are its files of external data.
      stablehlo: a program as StableHLO text.
      gguf: a GGUF model of a known architecture, which is chosen from the file.
      graph: a graph file (compile/dag/graphjson); `weights` are its weights.
      constructor: of `model`: the constructor, a `func(*lang.Module)`, or a call that returns
        one, such as `Context(8192)` of //models/gemma3; `Model` by default.
      shapes: of an ONNX file, or of StableHLO text: dict from inputs to their sizes, such as
        `{"input_ids": "batch,seq"}`: numbers, names of sizes that each call gives, or `?` for
        the file's own.
      fixed: of an ONNX file: dict from inputs to values that they always have, such as
        `{"sr": "16000"}`; they are no arguments then.
      states: of an ONNX file, or of StableHLO text: dict from outputs to the inputs of the next call that
        they are: the program keeps them from call to call. Of an ONNX file one that grows is
        `INPUT:STEPS`, which keeps its last steps, and `*` stands for the same text in both, as in
        `{"present.*": "past_key_values.*:2048"}`.
      outputs: of an ONNX file: outputs in place of its own.
      cut: of an ONNX file: tensors at which a second entry point begins, for a size that depends
        on their values.
      noise: of an ONNX file: what its random numbers are: `argument`, which each call gives,
        or `zero`.
      dequantize: of an ONNX file whose model is quantized: compute it in f32, with the file's
        weights: what it makes of them is not rounded to integers.
      inline: of an ONNX file, or of StableHLO text: the bytes of the largest tensor that is a constant of the
        graph and not a weight; by default those of a scalar.
      context: of a language model in a GGUF file: the number of positions that its program
        keeps, prompt and answer together; by default 2048, or what the model was trained
        for if that is less.
      module_name: the module's name in the text; `name` by default.
      weights: a weight file; omit it for a model without weights.
      shards: other files that the weight file names, in the same folder.
      constants: where named constants go: inline, external, or a size in bytes.
      dtype: the precision the programs compute in: `f16`, `bf16`, `int8` for large
        weights only, or `int8_dynamic` for these and the operands of their products;
        the types of the model by default. Arguments and results keep their types. The parity tests compare with a CPU reference in that
        precision; for f16 and bf16 they need a tolerance of a few roundings
        (2^-11 or 2^-8) in `parity_args`, for int8_dynamic one of the size of its error.
      weight_policy: how the programs store weights, as in `stablehlo_export`:
        as in the weight file by default, blocks such as Q4_K as blocks.
      backends: dict from backend names to rows of //toolchains/iree:targets.bzl, of `rows`, or
        of //toolchains/xla:targets.bzl, such as `{"xla": "xla_cpu"}`, or to the label of a
        platform(), such as `":pixel"`.
      manual_backends: backends whose programs are built only when they are
        named, not by patterns such as //...
      rows: rows of your own, each an iree_target.
      optimization: what the programs are optimised for: `latency`, `size`, `debug`
        or `aggressive`, as in iree_vmfb.
      flags: more flags for iree-compile, for all backends but those of XLA.
      sizes: dynamic sizes that backends of XLA compile for when a program is opened, such as
        `["batch=1,seq=128"]`; those of calls are compiled when a call has them.
      parity: backends to compare with the CPU reference: by default all whose programs this
        machine runs, or an emulator or a driver in software does (the field `tested` of the
        table), but for those in `no_parity`. The test of a row
        of the table whose instructions the host's processor lacks is incompatible and
        skipped; `--repo_env=SKAINET_HOST_LACKS=none` runs it all the same. That of a
        manual backend runs only when named.
      manual_parity: backends whose parity tests run only when they are named too, such as
        by `m.parity_test`, while their programs are built by patterns such as //...
      no_parity: dict from each other backend that could be compared to the reason why it is
        not, or one reason for all that `parity` leaves out.
      parity_cases: a `func(*contract.Contract) ([]parity.Case, error)` in the
        library that returns the calls to compare; by default each entry point is
        called once with made-up values, one with named sizes at three of them.
      parity_inputs: dict from arguments to the range of their made-up values, such as
        `{"input_ids": "0..30521", "attention_mask": "1"}`.
      parity_sizes: the sizes of named dimensions for each made-up call, such as
        `["batch=1,seq=16", "batch=2,seq=7"]`.
      parity_recorded: dict from cases to their files, `.npz` or `.npy`: arguments, and
        results of another engine such as ONNX Runtime, which both the CPU reference and the
        program are compared with. An array has the name of an argument or result; `NAME#1`
        belongs to the second call of a case, `NAME#2` to the third. Made-up calls are then
        made only with `parity_inputs` or `parity_sizes`. The tolerance is in `parity_args`,
        such as `--recorded-rtol=1e-2`.
      parity_args: more arguments for the parity tests, such as `--rtol=1e-4`.
      parity_timeout: Bazel's timeout class of the parity tests.
      parity_tools: dict from a backend to the tool_environment that its parity test
        runs in, in place of the one of its row, such as `{"vulkan": "@lavapipe//:env"}`.
      archive: the archive that the programs are run with in place of `m_irpa`: a
        shared_archive, or that of another model with the same weights.
      archive_tags: more tags for the archive, such as `no-remote-cache`: an archive is as
        large as the weights and is made by copying them.
      archive_split: how many archives the parameters are split into, as `split` of
        irpa_archive.
      archive_max_shard_size: with archive_split, the maximum size of each, such as `1GiB`.
      scopes: dict from the scopes of parameters that the model has beside its weights', such
        as `adapter`, to the weight file that its programs run with unless another archive
        is given: of an adapter the `adapter_config.json` of PEFT, in one folder with the
        tensors, which `scope_files` names. None makes zeros, an adapter that changes nothing.
      scope_files: dict from scopes to the other files that their weight files name.
      siblings: which of the targets with a dot in their names to declare: `bench`,
        `layer_diff`, `parity_test`, `run`, `size_test`, `tar`. All by default; those
        that are not tests are built only when named.
      size_limits: maximum sizes in bytes, such as `{"program": 20000}`, as in
        `iree_size_test`.
      model_size: the resources that compiling reserves, as in `iree_vmfb`.
      runners: dict from a backend to a static program for its processor that runs the
        model, to be put into its tar; by default the runner of //toolchains/iree/runner for
        the processor and the system in the program's flags, of rows of your own too,
        if there is one.
      documents: dict from a file to its name in the tars, of what goes with the weights, such as
        `{"LICENSE": "LICENSE-weights", "card.md": "MODEL_CARD.md"}`.
      tags: for all targets.
      visibility: of the targets.
    """
    sources = {"model": model, "onnx": onnx, "stablehlo": stablehlo, "gguf": gguf, "graph": graph}
    imports = {"context": context, "cut": cut, "dequantize": dequantize, "fixed": fixed, "inline": inline, "noise": noise, "outputs": outputs, "shapes": shapes, "states": states}
    source = given_source(sources)
    fault = source.fault or argument_faults(
        dicts = {
            "backends": backends,
            "fixed": fixed,
            "parity_inputs": parity_inputs,
            "parity_recorded": parity_recorded,
            "parity_tools": parity_tools,
            "runners": runners,
            "scope_files": scope_files,
            "scopes": scopes,
            "shapes": shapes,
            "size_limits": size_limits,
            "states": states,
        },
        labels = {source.name: sources[source.name], "archive": archive, "weights": weights},
        lists = {
            "archive_tags": archive_tags,
            "cut": cut,
            "flags": flags,
            "manual_backends": manual_backends,
            "manual_parity": manual_parity,
            "outputs": outputs,
            "parity": parity or [],
            "parity_args": parity_args,
            "parity_sizes": parity_sizes,
            "rows": rows,
            "shards": shards,
            "siblings": siblings,
            "sizes": sizes,
            "tags": tags,
        },
    ) or source_faults(source.name, constructor, weights, parity_cases, imports, parity_recorded)
    value = sources[source.name] if source.name else None
    holder = weights if source.name in ["model", "graph"] else value
    fault = fault or model_faults(backends, manual_backends, parity or [], parity_tools, siblings, holder, shards, runners, size_limits) or xla_faults(backends, sizes) or parity_faults(backends, parity, no_parity, manual_parity)
    if not fault and type(value) == "string" and native.package_relative_label(value) == native.package_relative_label(":" + name):
        what = "the go_library" if model else "the file"
        fault = "MODEL_ARGUMENTS: the model %s is this target itself; name %s in %s, and give skainet_model a name of its own, such as %s_model" % (value, what, source.name, name)
    if fault:
        fail("%s: %s" % (name, fault))
    parity = compared(backends, parity, no_parity)
    common = {"tags": tags, "visibility": visibility}
    module_name = module_name or name

    made = declare_source(
        name = name,
        source = source.name,
        value = value,
        constructor = constructor,
        module_name = module_name,
        weights = weights,
        shards = shards,
        imports = imports,
        cases = parity_cases,
        driver = bool(backends),
        tags = tags,
        common = common,
    )
    stablehlo_export(
        name = name + "_mlir",
        module_name = module_name,
        index = made.index,
        constants = constants,
        dtype = dtype,
        scopes = sorted(scopes),
        weight_policy = weight_policy,
        **(made.export | common)
    )
    own = archive or name + "_irpa"
    archives = [own] if made.weights or constants != "inline" else []
    for scope, file in scopes.items():
        archives.append(name + "_irpa_" + scope)
        irpa_archive(
            name = name + "_irpa_" + scope,
            export = name + "_mlir",
            scope = scope,
            shards = scope_files.get(scope, []),
            weights = file,
            zeros = not file,
            tags = tags + archive_tags,
            visibility = visibility,
        )
    irpa_archive(
        name = name + "_irpa",
        export = name + "_mlir",
        weights = made.weights,
        max_shard_size = archive_max_shard_size,
        shards = shards,
        split = archive_split,
        tags = tags + archive_tags + (["manual"] if archive else []),
        visibility = visibility,
    )
    for backend in backends:
        declare_program(
            name = name,
            backend = backend,
            backends = backends,
            export = name + "_mlir",
            archives = archives,
            optimization = optimization,
            iree = {"flags": flags, "model_size": model_size, "rows": rows},
            run = run_name(name, backend) if "run" in siblings else "",
            xla = {"sizes": sizes},
            tags = tags + (["manual"] if backend in manual_backends else []),
            visibility = visibility,
        )
    comparison = made.parity | {
        "archive": own,
        "dtype": dtype,
        "index": made.index,
        "inputs": parity_inputs,
        "recorded": cases_of_files(parity_recorded),
        "scope_archives": [name + "_irpa_" + scope for scope in scopes],
        "sizes": parity_sizes,
        "weight_policy": weight_policy,
    }
    for backend, why in ({b: "" for b in parity} | reasons(backends, parity, no_parity)).items():
        on = runs_on(backend, backends, parity_tools)
        parity_run_test(
            name = name + "_parity_" + backend + "_test",
            program = program_name(name, backend, backends),
            args = parity_args,
            timeout = parity_timeout,
            env = {} if why else on.env,
            tools = None if why else on.tools,
            runner = None if why else on.runner,
            layer_diff = name + "_layer_diff_" + backend if "layer_diff" in siblings and not why else None,
            no_parity = why,
            target_compatible_with = needs(backends[backend]),
            # One that is not compared is in //..., which lists it as skipped.
            tags = [t for t in tags if t != "manual"] if why else tags + (["manual"] if backend in manual_backends + manual_parity else []),
            visibility = visibility,
            **comparison
        )
    declare_siblings(name, siblings, backends, manual_backends, parity, parity_args, parity_tools, comparison, size_limits, runners, documents, tags, visibility)
