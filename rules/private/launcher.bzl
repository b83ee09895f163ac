"""Scripts for `bazel run` and `bazel test`: they start a program with the arguments that a rule knows."""

load("//toolchains/iree:labels.bzl", "label_text")

_SCRIPT = """#!/bin/sh
# Made for {label}: runs a program among the runfiles with arguments that are
# known to the build; those of the command line follow.
set -eu
runfiles=$0.runfiles
[ -d "$runfiles" ] || runfiles=${{RUNFILES_DIR:-..}}
case $runfiles in /*) ;; *) runfiles=$PWD/$runfiles ;; esac
root=$runfiles/{workspace}
exec {prefix}"$root/{tool}" {words} "$@"
"""

def launcher(ctx, tool, words, name = None, prefix = []):
    """Writes a script that runs a tool.

    Args:
      ctx: of the rule.
      tool: File, the program.
      words: arguments: strings, or struct(text, file) in which the text's %s stands for the file's path.
      name: of the script.
      prefix: words before the tool, such as a loader.

    Returns:
      File.
    """
    out = ctx.actions.declare_file(name or ctx.label.name + ".sh")
    ctx.actions.write(out, _SCRIPT.format(
        label = label_text(ctx.label),
        workspace = ctx.workspace_name,
        prefix = "".join([quoted(w) + " " for w in prefix]),
        tool = tool.short_path,
        words = " ".join([_word(w) for w in words]),
    ), is_executable = True)
    return out

def refusal(ctx, message):
    """Writes a script that says why nothing is run.

    Args:
      ctx: of the rule.
      message: "CODE: what is wrong; what to do".

    Returns:
      File.
    """
    out = ctx.actions.declare_file(ctx.label.name + ".sh")
    text = quoted("%s: %s" % (label_text(ctx.label), message))
    ctx.actions.write(out, "#!/bin/sh\necho %s >&2\nexit 1\n" % text, is_executable = True)
    return out

# In a workspace the target that calls the program is built and started; where there is none, as in
# a test, its name is told.
_ALONE = """#!/bin/sh
# Made for {label}: building a program builds nothing that calls it.
if [ -n "${{BUILD_WORKSPACE_DIRECTORY:-}}" ] && [ -e "$BUILD_WORKSPACE_DIRECTORY/MODULE.bazel" ]; then
  bazel=bazel
  [ ! -x "$BUILD_WORKSPACE_DIRECTORY/bazelw" ] || bazel=$BUILD_WORKSPACE_DIRECTORY/bazelw
  cd "${{BUILD_WORKING_DIRECTORY:-$BUILD_WORKSPACE_DIRECTORY}}"
  exec "$bazel" run --noshow_progress --ui_event_filters=-info {run} -- "$@"
fi
echo {message} >&2
exit 1
"""

def alone(ctx):
    """Writes the script of a program's own target.

    What calls a program is IREE's runtime, in C, or a plugin, and a Go tool: they are among the
    runfiles of model_run, so that building a program builds none of them. `bazel run` of the
    program starts its model_run, with the options of a bazelrc alone.

    Args:
      ctx: of a rule with the attribute run.

    Returns:
      File.
    """
    message = "PROGRAM_RUN: this target is the program alone, built without what calls it; "
    if not ctx.attr.run:
        return refusal(ctx, message + "run a model_run with programs = [\"%s\"] instead" % label_text(ctx.label))
    run = label_text(ctx.label.same_package_label(ctx.attr.run))
    out = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(out, _ALONE.format(
        label = label_text(ctx.label),
        message = quoted("%s: %srun %s instead, with the same arguments" % (label_text(ctx.label), message, run)),
        run = quoted(run),
    ), is_executable = True)
    return out

def word(text, file):
    """Returns an argument that contains a file's path.

    Args:
      text: with %s for the path.
      file: File, one of the runfiles.

    Returns:
      An element of launcher's words.
    """
    return struct(text = text, file = file)

def quoted(text):
    """Returns a text as one word of a shell.

    Args:
      text: a string.

    Returns:
      The text in quotes.
    """
    return "'%s'" % text.replace("'", "'\\''")

def _word(w):
    if type(w) == "string":
        return quoted(w)
    before, _, after = w.text.partition("%s")
    return "'%s'\"$root\"'/%s%s'" % (before, w.file.short_path, after)
