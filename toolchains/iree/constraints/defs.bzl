"""A constraint setting with its values."""

def constraint_choice(name, values):
    """Declares a constraint_setting and its constraint_values.

    Args:
      name: of the setting.
      values: names of the values; the first is the default for platforms that name none.
    """
    native.constraint_setting(
        name = name,
        default_constraint_value = ":" + values[0],
    )
    for value in values:
        native.constraint_value(name = value, constraint_setting = ":" + name)
