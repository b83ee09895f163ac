"""skainet_model: all targets of one model, from its constructor on."""

load("@rules_go//go:def.bzl", "go_binary")
load("//toolchains/iree:host.bzl", "needs_host")
load("//toolchains/iree:stand_ins.bzl", "stand_in")
load("//toolchains/iree:targets.bzl", "DEFAULT_TARGET", "TARGETS")
load("//toolchains/iree/runner:runner_of.bzl", "RUNNERS", "runner_of")
load(":constructor.bzl", "constructor_fault")
load(":exporter_main.bzl", "model_main")
load(":iree_bench.bzl", "iree_bench")
load(":iree_parity_test.bzl", "parity_driver", "parity_run_test")
load(":iree_size_test.bzl", "iree_size_test")
load(":iree_vmfb.bzl", "iree_vmfb")
load(":irpa_archive.bzl", "irpa_archive")
load(":model_faults.bzl", "SIBLINGS", "argument_faults", "cpu_backends", "default_backend", "model_faults")
load(":model_parity.bzl", "compared", "parity_faults", "reasons")
load(":model_run.bzl", "model_run")
load(":model_tar.bzl", "model_tar")
load(":skainet_layer_diff.bzl", "skainet_layer_diff")
load(":stablehlo_export.bzl", "stablehlo_export")
load(":weights_index.bzl", "weights_index")

# What `backends` may be left to: the host's CPU.
_BACKENDS = {"cpu": DEFAULT_TARGET}

_EXPORT = """func main() { os.Exit(exportmain.Main(model.%s, os.Args[1:], os.Stderr)) }
"""

def skainet_model(
        name,
        model,
        constructor = "Model",
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
        parity = None,
        manual_parity = [],
        no_parity = {},
        parity_cases = None,
        parity_args = [],
        parity_timeout = "moderate",
        parity_tools = {},
        archive_tags = [],
        archive_split = 1,
        archive_max_shard_size = "",
        scopes = {},
        scope_files = {},
        siblings = SIBLINGS,
        size_limits = {},
        model_size = "medium",
        runners = {},
        tags = [],
        visibility = None):
    """Declares a model's targets.

    For a model `m`:

      * `m_mlir`: the StableHLO text and its contract (stablehlo_export);
      * `m_irpa`: the parameters (irpa_archive); `m_irpa_SCOPE` for each of `scopes`;
      * `m_vmfb_BACKEND`: the program for each backend (iree_vmfb);
      * `m_parity_BACKEND_test`: the program against the CPU reference; of a backend that is
        not compared, a test that is skipped, with the reason in its attribute `no_parity`:
        `bazel query --output=build 'kind(iree_parity_test, //...)'` lists them;
      * `m.run`: `bazel run :m.run -- --function=main x=1,2`, the program of the first
        backend (`cpu` if there is one) or, of several rows for CPUs of one kind that are
        not in manual_backends, the best for the processor; `-- --help` lists its
        arguments; `m_vmfb_BACKEND` runs one of them;
      * `m.bench`: how long its calls take (iree_bench);
      * `m.parity_test`: all parity tests;
      * `m.layer_diff`: the first operation at which the program and the CPU reference
        differ (skainet_layer_diff), for the first parity test; `m_layer_diff_BACKEND`
        for each of them;
      * `m.size_test`: compares its sizes with `size_limits` (iree_size_test); without limits it
        runs only when named, and fails with the sizes, to be used as limits;
      * `m.tar`: everything a machine needs to run it (model_tar); `m_tar_BACKEND`
        for each backend;
      * `m_index` (weights_index) and `m_exporter` (go_binary), which the others use.

    Args:
      name: prefix of the targets' names.
      model: a go_library with the constructor.
      constructor: the constructor, a `func(*lang.Module)`, or a call that returns one, such as
        `Context(8192)` of //models/gemma3.
      module_name: the module's name in the text; `name` by default.
      weights: a weight file; omit it for a model without weights.
      shards: other files that the weight file names, in the same folder.
      constants: where named constants go: inline, external, or a size in bytes.
      dtype: the precision the programs compute in: `f16`, `bf16`, or `int8` for large
        weights only; the types of the model by default. Arguments and results
        keep their types. The parity tests compare with a CPU reference in that
        precision; for f16 and bf16 they need a tolerance of a few roundings
        (2^-11 or 2^-8) in `parity_args`.
      weight_policy: how the programs store weights, as in `stablehlo_export`:
        as in the weight file by default, blocks such as Q4_K as blocks.
      backends: dict from backend names to rows of //toolchains/iree:targets.bzl or of
        `rows`, or to the label of a platform(), such as `":pixel"`.
      manual_backends: backends whose programs are built only when they are
        named, not by patterns such as //...
      rows: rows of your own, each an iree_target.
      optimization: what the programs are optimised for: `latency`, `size`, `debug`
        or `aggressive`, as in iree_vmfb.
      flags: more flags for iree-compile, for all backends.
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
        called once with made-up values.
      parity_args: more arguments for the parity tests, such as `--rtol=1e-4`.
      parity_timeout: Bazel's timeout class of the parity tests.
      parity_tools: dict from a backend to the tool_environment that its parity test
        runs in, in place of the one of its row, such as `{"vulkan": "@lavapipe//:env"}`.
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
      tags: for all targets.
      visibility: of the targets.
    """
    fault = argument_faults(
        dicts = {"backends": backends, "parity_tools": parity_tools, "runners": runners, "scope_files": scope_files, "scopes": scopes, "size_limits": size_limits},
        labels = {"model": model, "weights": weights},
        lists = {
            "archive_tags": archive_tags,
            "flags": flags,
            "manual_backends": manual_backends,
            "manual_parity": manual_parity,
            "parity": parity or [],
            "parity_args": parity_args,
            "rows": rows,
            "shards": shards,
            "siblings": siblings,
            "tags": tags,
        },
    ) or constructor_fault(constructor) or model_faults(backends, manual_backends, parity or [], parity_tools, siblings, weights, shards, runners, size_limits) or parity_faults(backends, parity, no_parity, manual_parity)
    if not fault and type(model) == "string" and native.package_relative_label(model) == native.package_relative_label(":" + name):
        fault = "MODEL_ARGUMENTS: the model %s is this target itself; name the go_library in model, and give skainet_model a name of its own, such as %s_model" % (model, name)
    if fault:
        fail("%s: %s" % (name, fault))
    parity = compared(backends, parity, no_parity)
    common = {"tags": tags, "visibility": visibility}
    module_name = module_name or name

    model_main(
        name = name + "_exporter_main",
        model = model,
        driver = "github.com/skainet-dev/skainet-go/rules/tools/exportmain",
        body = _EXPORT % constructor,
        tags = tags + ["manual"],
    )
    go_binary(
        name = name + "_exporter",
        srcs = [name + "_exporter_main"],
        deps = [model, Label("//rules/tools/exportmain")],
        **common
    )
    if weights:
        weights_index(name = name + "_index", weights = weights, shards = shards, **common)
    stablehlo_export(
        name = name + "_mlir",
        exporter = name + "_exporter",
        model = model,
        constructor = constructor,
        module_name = module_name,
        index = name + "_index" if weights else None,
        constants = constants,
        dtype = dtype,
        scopes = sorted(scopes),
        weight_policy = weight_policy,
        **common
    )
    archives = [name + "_irpa"] if weights or constants != "inline" else []
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
        weights = weights,
        max_shard_size = archive_max_shard_size,
        shards = shards,
        split = archive_split,
        tags = tags + archive_tags,
        visibility = visibility,
    )
    for backend, target in backends.items():
        iree_vmfb(
            name = name + "_vmfb_" + backend,
            export = name + "_mlir",
            archives = archives,
            flags = flags,
            model_size = model_size,
            optimization = optimization,
            rows = rows,
            tags = tags + (["manual"] if backend in manual_backends else []),
            visibility = visibility,
            **{"platform" if target[:1] in [":", "/", "@"] else "target": target}
        )
    if backends:
        parity_driver(
            name = name + "_parity_driver",
            model = model,
            constructor = constructor,
            module_name = module_name,
            cases = parity_cases,
            tags = tags,
        )
    for backend, why in ({b: "" for b in parity} | reasons(backends, parity, no_parity)).items():
        on = _stand_in(backend, backends, parity_tools)
        parity_run_test(
            name = name + "_parity_" + backend + "_test",
            driver = name + "_parity_driver",
            index = name + "_index" if weights else None,
            program = name + "_vmfb_" + backend,
            archive = name + "_irpa",
            scope_archives = [name + "_irpa_" + scope for scope in scopes],
            dtype = dtype,
            weight_policy = weight_policy,
            args = parity_args,
            timeout = parity_timeout,
            env = {} if why else on.env,
            tools = None if why else on.tools,
            runner = None if why else on.runner,
            layer_diff = name + "_layer_diff_" + backend if "layer_diff" in siblings and not why else None,
            no_parity = why,
            target_compatible_with = needs_host(backends[backend]),
            # One that is not compared is in //..., which lists it as skipped.
            tags = [t for t in tags if t != "manual"] if why else tags + (["manual"] if backend in manual_backends + manual_parity else []),
            visibility = visibility,
        )
    _siblings(name, scopes, siblings, backends, manual_backends, parity, parity_args, parity_tools, dtype, weight_policy, weights, size_limits, runners, tags, visibility)

def _stand_in(backend, backends, parity_tools):
    """Returns what runs a backend's programs here, as stand_in."""
    on = stand_in(backends[backend]) if backends[backend] in TARGETS else struct(env = {}, runner = None, tools = None)
    return struct(env = on.env, runner = on.runner, tools = parity_tools.get(backend, on.tools))

def _siblings(name, scopes, siblings, backends, manual_backends, parity, parity_args, parity_tools, dtype, weight_policy, weights, size_limits, runners, tags, visibility):
    """Declares the targets with a dot in their names, and the targets behind them."""
    first = default_backend(backends, parity)
    if not first:
        return
    named = {"tags": tags + ["manual"], "visibility": visibility}
    if "run" in siblings:
        programs = [name + "_vmfb_" + backend for backend in cpu_backends(first, backends, manual_backends)]
        if len(programs) > 1:
            model_run(name = name + ".run", programs = programs, **named)
        else:
            native.alias(name = name + ".run", actual = programs[0], **named)
    if "bench" in siblings:
        iree_bench(name = name + ".bench", program = name + "_vmfb_" + first, **named)
    if "tar" in siblings:
        for backend, target in backends.items():
            model_tar(
                name = name + "_tar_" + backend,
                folder = name,
                program = name + "_vmfb_" + backend,
                runner = runners.get(backend, runner_of(target)),
                # For user-defined rows and platforms: by the program's flags.
                runners = [] if backend in runners or target in TARGETS else RUNNERS,
                **named
            )
        native.alias(name = name + ".tar", actual = name + "_tar_" + first, **named)
    if "size_test" in siblings:
        iree_size_test(
            name = name + ".size_test",
            size = "small",
            limits = {what: str(n) for what, n in size_limits.items()},
            program = name + "_vmfb_" + first,
            show_sizes = True,
            tags = tags + ([] if size_limits else ["manual"]),
            visibility = visibility,
        )
    if "parity_test" in siblings and parity:
        native.test_suite(
            name = name + ".parity_test",
            # Patterns such as //... find the tests themselves, without those that are
            # built by name only.
            tags = ["manual"],
            tests = [name + "_parity_" + backend + "_test" for backend in parity],
            visibility = visibility,
        )
    if "layer_diff" in siblings and parity:
        for backend in parity:
            on = _stand_in(backend, backends, parity_tools)
            skainet_layer_diff(
                name = name + "_layer_diff_" + backend,
                testonly = True,
                archive = name + "_irpa",
                scope_archives = [name + "_irpa_" + scope for scope in scopes],
                driver = name + "_parity_driver",
                dtype = dtype,
                env = on.env,
                index = name + "_index" if weights else None,
                parity_args = parity_args,
                program = name + "_vmfb_" + backend,
                runner = on.runner,
                tools = on.tools,
                weight_policy = weight_policy,
                **named
            )
        native.alias(
            name = name + ".layer_diff",
            testonly = True,
            actual = name + "_layer_diff_" + (first if first in parity else parity[0]),
            **named
        )
