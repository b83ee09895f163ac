"""Checks of a model's constructor, before it is written into a Go program."""

# Letters outside ASCII are left to the compiler.
_SMALL = "_abcdefghijklmnopqrstuvwxyz"
_OTHER = " \t\r\n!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"
_EXAMPLE = "give the name of an exported function of the library, such as \"Model\", or a call that returns one, such as \"Context(4096)\""

def _is_name(text):
    return bool(text) and not text[0].isdigit() and not [c for c in text.elems() if c in _OTHER]

def _is_exported(text):
    return _is_name(text) and text[0] not in _SMALL

def constructor_fault(constructor):
    """Checks the constructor of a model as written in a BUILD file.

    The Go compiler would report an error in a generated file.

    Args:
      constructor: as in skainet_model.

    Returns:
      An error message, "CODE: what is wrong; what to write instead", or None.
    """
    if type(constructor) != "string" or not constructor:
        return "MODEL_CONSTRUCTOR: constructor is %r; %s" % (constructor, _EXAMPLE)
    name = constructor.partition("(")[0].partition("[")[0]
    rest = constructor[len(name):]
    parts = name.split(".")
    if len(parts) > 1 and _is_name(parts[0]) and not _is_exported(parts[0]):
        return "MODEL_CONSTRUCTOR: constructor %r names a package; write %r, and set model to the go_library that declares it" % (constructor, constructor[len(parts[0]) + 1:])
    if len(parts) == 1 and _is_name(name) and not _is_exported(name):
        return "MODEL_CONSTRUCTOR: constructor %r is not exported by its package: its name does not begin with a capital letter; %s" % (constructor, _EXAMPLE)
    if [p for p in parts if not _is_exported(p)] or (rest and rest[-1] not in ")]"):
        return "MODEL_CONSTRUCTOR: constructor %r is not a valid Go name; %s" % (constructor, _EXAMPLE)
    return None
