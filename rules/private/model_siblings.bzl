"""The targets of a skainet_model with a dot in their names."""

load("//toolchains/iree:host.bzl", "needs_host")
load("//toolchains/iree:stand_ins.bzl", "stand_in")
load("//toolchains/iree:targets.bzl", "TARGETS")
load("//toolchains/iree/runner:runner_of.bzl", "RUNNERS", "runner_of")
load("//toolchains/xla:targets.bzl", "XLA_TARGETS")
load(":iree_bench.bzl", "iree_bench")
load(":iree_size_test.bzl", "iree_size_test")
load(":model_faults.bzl", "cpu_backends", "default_backend")
load(":model_programs.bzl", "program_name", "run_name")
load(":model_run.bzl", "model_run")
load(":model_tar.bzl", "model_tar")
load(":skainet_layer_diff.bzl", "skainet_layer_diff")

def runs_on(backend, backends, parity_tools):
    """Returns what runs a backend's programs here, as stand_in.

    Args:
      backend: a name.
      backends: as in skainet_model.
      parity_tools: as in skainet_model.

    Returns:
      struct(env, runner, tools).
    """
    on = stand_in(backends[backend]) if backends[backend] in TARGETS else struct(env = {}, runner = None, tools = None)
    return struct(env = on.env, runner = on.runner, tools = parity_tools.get(backend, on.tools))

def needs(target):
    """Returns the target_compatible_with of a test that runs a target's programs here.

    Args:
      target: as in the backends of skainet_model.

    Returns:
      A list of labels.
    """
    return XLA_TARGETS[target].pinned if target in XLA_TARGETS else needs_host(target)

def declare_siblings(name, siblings, backends, manual_backends, parity, parity_args, parity_tools, comparison, size_limits, runners, documents, tags, visibility):
    """Declares the targets with a dot in their names, and the targets behind them.

    Args:
      name: as in skainet_model, and so are the others.
      siblings: names.
      backends: dict from names to targets.
      manual_backends: names.
      parity: names.
      parity_args: words.
      parity_tools: dict from names to labels.
      comparison: dict of attributes that skainet_layer_diff has like the comparison.
      size_limits: by name.
      runners: dict from names to programs.
      documents: dict from files to names.
      tags: of the targets.
      visibility: of the targets.
    """
    first = default_backend(backends, parity)
    if not first:
        return
    named = {"tags": tags + ["manual"], "visibility": visibility}
    if "run" in siblings:
        for backend in backends:
            model_run(name = run_name(name, backend), programs = [program_name(name, backend, backends)], **named)
        programs = [program_name(name, backend, backends) for backend in cpu_backends(first, backends, manual_backends)]
        if len(programs) > 1:
            model_run(name = name + ".run", programs = programs, **named)
        else:
            native.alias(name = name + ".run", actual = run_name(name, first), **named)
    if "bench" in siblings:
        iree_bench(name = name + ".bench", program = program_name(name, first, backends), **named)
    if "tar" in siblings:
        programs = {backend: program_name(name, backend, backends) for backend in cpu_backends(first, backends, manual_backends)}
        several = {name + ".tar": first} if len(programs) > 1 else {}
        for tar, backend in ({name + "_tar_" + backend: backend for backend in backends} | several).items():
            target = backends[backend]
            model_tar(
                name = tar,
                alternatives = [program for of, program in programs.items() if of != first] if tar in several else [],
                documents = documents,
                folder = name,
                program = program_name(name, backend, backends),
                runner = runners.get(backend, runner_of(target)),
                # For user-defined rows and platforms: by the program's flags.
                runners = [] if backend in runners or target in TARGETS or target in XLA_TARGETS else RUNNERS,
                **named
            )
        if not several:
            native.alias(name = name + ".tar", actual = name + "_tar_" + first, **named)
    if "size_test" in siblings and backends[first] not in XLA_TARGETS:
        iree_size_test(
            name = name + ".size_test",
            size = "small",
            limits = {what: str(n) for what, n in size_limits.items()},
            program = program_name(name, first, backends),
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
            on = runs_on(backend, backends, parity_tools)
            skainet_layer_diff(
                name = name + "_layer_diff_" + backend,
                testonly = True,
                env = on.env,
                parity_args = parity_args,
                program = program_name(name, backend, backends),
                runner = on.runner,
                tools = on.tools,
                **(comparison | named)
            )
        native.alias(
            name = name + ".layer_diff",
            testonly = True,
            actual = name + "_layer_diff_" + (first if first in parity else parity[0]),
            **named
        )
