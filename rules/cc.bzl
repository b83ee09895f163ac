"""The public rules for C programs, apart from the others so that those need no rules_cc.

    load("@skainet//rules:cc.bzl", "iree_c_embed")
"""

load("//rules/private:iree_c_embed.bzl", _iree_c_embed = "iree_c_embed")

iree_c_embed = _iree_c_embed
