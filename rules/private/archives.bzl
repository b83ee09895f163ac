"""Code shared by the rules that combine a program with its archives."""

load("//toolchains/iree:labels.bzl", "label_text")
load(":providers.bzl", "IrpaInfo")

def archives_of(label, program, targets):
    """Checks that archives match the scopes that a program takes.

    Args:
      label: of the target, for messages.
      program: struct or provider with the field scopes, the scopes that the program may take.
      targets: irpa_archive targets.

    Returns:
      A list of struct(scope, files, contract), sorted by scope.
    """
    seen = {}
    for target in targets:
        info = target[IrpaInfo]
        if info.scope in seen:
            fail("%s: PROGRAM_SCOPES: %s and %s both have the scope %r; give only one of them, or pack one with another scope" %
                 (label_text(label), label_text(seen[info.scope].label), label_text(target.label), info.scope))
        if not program.scopes:
            fail("%s: PROGRAM_SCOPES: the program takes no parameters; leave out %s" % (label_text(label), label_text(target.label)))
        if info.scope not in program.scopes:
            fail("%s: PROGRAM_SCOPES: %s has the scope %r, the program takes %s; pack it with scope = %s" %
                 (label_text(label), label_text(target.label), info.scope, program.scopes, repr(program.scopes[0])))
        seen[info.scope] = struct(label = target.label, info = info)
    return [
        struct(scope = scope, files = seen[scope].info.archives, contract = seen[scope].info.contract)
        for scope in sorted(seen)
    ]

def need_archives(label, program, archives):
    """Fails if a program to be run lacks archives.

    Args:
      label: of the target, for messages.
      program: VmfbInfo.
      archives: the result of archives_of.
    """
    given = [a.scope for a in archives]
    for scope in program.scopes:
        if scope not in given:
            fail("%s: PROGRAM_ARCHIVES: the program takes parameters of scope %r; give the irpa_archive of its export as an archive" % (label_text(label), scope))

def archive_files(archives):
    """Returns the files of archives and of the contracts that they were packed for.

    Args:
      archives: the result of archives_of.

    Returns:
      A depset of File.
    """
    return depset([a.contract for a in archives], transitive = [a.files for a in archives])

def add_archives(args, archives):
    """Adds archives to the arguments of //rules/tools/artifact.

    Args:
      args: Args.
      archives: the result of archives_of.
    """
    for a in archives:
        for file in a.files.to_list():
            # Separate arguments, since a file name may contain any separator.
            args.add("--archive-scope", a.scope)
            args.add("--archive-file", file)
            args.add("--archive-contract", a.contract)

def check_archives(ctx, name, contract, archives):
    """Declares the action that compares archives with a program's contract.

    If all archives were packed for this very contract, their own validation has
    compared them already, and no action is declared.

    Args:
      ctx: of a rule with the attribute _artifact.
      name: of the file that records that they fit.
      contract: File.
      archives: the result of archives_of.

    Returns:
      A list of File for the output group _validation.
    """
    if not [a for a in archives if a.contract != contract]:
        return []
    out = ctx.actions.declare_file(name)
    args = artifact_args(ctx, "check")
    args.add("--contract", contract)
    args.add("--output", out)
    add_archives(args, archives)
    ctx.actions.run(
        executable = ctx.executable._artifact,
        arguments = [args],
        inputs = depset([contract], transitive = [archive_files(archives)]),
        outputs = [out],
        execution_requirements = PATH_MAPPING,
        mnemonic = "IreeContract",
        progress_message = "Checking the archives of %{label}",
    )
    return [out]

# An action whose paths are all Args may have the configuration stripped from
# them (--experimental_output_paths=strip), so that it hits a cache that
# another configuration filled.
PATH_MAPPING = {"supports-path-mapping": "1"}

ARTIFACT = attr.label(default = "//rules/tools/artifact", executable = True, cfg = "exec")

def artifact_args(ctx, command):
    """Returns Args for //rules/tools/artifact, in a params file if they are long.

    Args:
      ctx: of a rule with the attribute _artifact.
      command: its subcommand.

    Returns:
      Args.
    """
    args = ctx.actions.args()
    args.use_param_file("@%s")
    args.set_param_file_format("multiline")
    args.add(command)
    args.add("--label", label_text(ctx.label))
    return args
