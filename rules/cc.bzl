"""The public rules for C programs, in a file of their own so that the other rules do not need rules_cc.

    load("@skainet//rules:cc.bzl", "iree_c_embed")
"""

load("//rules/private:iree_c_embed.bzl", _iree_c_embed = "iree_c_embed")

iree_c_embed = _iree_c_embed
