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
