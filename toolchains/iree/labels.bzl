"""Labels as messages and generated files spell them."""

def label_text(label):
    """Gives a label as one writes it on the command line.

    Args:
      label: Label, or what str() gave of one.

    Returns:
      `//p:x` for a target of the main repository, which str() calls `@@//p:x`; `@@r//p:x`,
      which can be given to Bazel too, for one of another.
    """
    text = str(label)
    return text.removeprefix("@@") if text.startswith("@@//") else text
