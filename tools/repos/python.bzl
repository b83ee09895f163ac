"""Runs the fetch scripts of this folder in repository rules.

The scripts need only Python 3 of the host, and use its pip, cargo or apt as
they are configured. A script that fails has printed one coded line, which
becomes the error of the build; the repository is then not there, and the next
build tries again.
"""

def fetch_attrs(scripts):
    """Gives the attributes a repository rule needs to run scripts."""
    return {"_scripts": attr.label_list(default = ["//tools/repos:" + s for s in scripts], doc = "The fetch scripts.")}

def find_python(rctx):
    """Gives the host's Python 3, or fails."""
    named = rctx.getenv("SKAINET_PYTHON")
    python = named or rctx.which("python3") or rctx.which("python")
    if not python:
        fail("FETCH_PYTHON_MISSING: %s: no python3 on PATH; install Python 3 with pip, or set SKAINET_PYTHON" % rctx.name)
    return python

def try_script(rctx, script, arguments, timeout = 1800):
    """Runs a script in the repository's folder.

    Args:
      rctx: the repository context.
      script: the file name of a script in //tools/repos.
      arguments: its arguments.
      timeout: seconds it may take.

    Returns:
      None, or the coded line with which it failed.
    """
    python = find_python(rctx)
    path = rctx.path(Label("//tools/repos:" + script))
    done = rctx.execute([python, "-B", path] + arguments, timeout = timeout, quiet = True)
    if done.return_code == 0:
        return None
    lines = [line for line in (done.stderr + "\n" + done.stdout).split("\n") if line.startswith("FETCH_")]
    return lines[0] if lines else "FETCH_FAILED: %s: %s stopped with %d: %s" % (
        rctx.name,
        script,
        done.return_code,
        done.stderr.strip(),
    )

def run_script(rctx, script, arguments, timeout = 1800):
    """Runs a script as try_script does, and fails with its coded line."""
    error = try_script(rctx, script, arguments, timeout)
    if error:
        fail(error)
