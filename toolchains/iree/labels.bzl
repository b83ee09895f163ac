"""The spelling of labels in messages and generated files."""

def label_text(label):
    """Returns a label as written on the command line.

    Args:
      label: Label, or the str() of one.

    Returns:
      `//p:x` for a target of the main repository, where str() returns `@@//p:x`; `@@r//p:x`,
      which Bazel also accepts, for one of another repository.
    """
    text = str(label)
    return text.removeprefix("@@") if text.startswith("@@//") else text
