"""The programs of a language model.

    load("//text/generate:defs.bzl", "text_programs")

    text_programs(name = "gemma3_270m_programs", model = "gemma3_270m", weights = "@gemma3_270m_q4_k_m//:gemma-3-270m-q4_k_m.gguf")
"""

load("@rules_go//go:def.bzl", "go_binary")
load("//rules:defs.bzl", "program_parts")

def text_programs(name, model, weights, vulkan = True, tags = [], visibility = None):
    """Declares what one runs of a skainet_model `m` that generates text.

      * `m_tokenizer`: its tokenizer and chat template, out of the weights;
      * `m_chat`: continues prompts and answers (//cmd/chat);
      * `m_perplexity`: measures its perplexity on a text;
      * `m_chat_vulkan`: chat with the program for Vulkan beside those for CPUs, which
        takes minutes to compile: only when it is named.

    Args:
      name: the three targets together, a filegroup.
      model: the skainet_model, with the backends cpu, cpu_v4 and vulkan.
      weights: its GGUF file.
      vulkan: whether it has the backend vulkan.
      tags: for all targets.
      visibility: of the targets.
    """
    native.genrule(
        name = model + "_tokenizer",
        srcs = [weights],
        outs = [model + "_tokenizer.gguf"],
        cmd = "$(execpath %s) --weights $(execpath %s) --output $@" % (Label("//cmd/extract"), weights),
        tags = tags,
        tools = [Label("//cmd/extract")],
        visibility = visibility,
    )
    programs = {"chat": "chat", "perplexity": "perplexity"} | ({"chat_vulkan": "chat"} if vulkan else {})
    for suffix, program in programs.items():
        on_vulkan = suffix == "chat_vulkan"
        one = tags + (["manual"] if on_vulkan else [])
        parts = "%s_%s_parts" % (model, suffix)
        program_parts(
            name = parts,
            files = {model + "_tokenizer": "tokenizer"},
            programs = [model + "_vmfb_" + backend for backend in ["cpu", "cpu_v4"] + (["vulkan"] if on_vulkan else [])],
            tags = one,
        )
        go_binary(
            name = model + "_" + suffix,
            srcs = [parts],
            data = [parts],
            embed = [Label("//cmd/%s:%s_lib" % (program, program))],
            tags = one,
            visibility = visibility,
        )
    native.filegroup(
        name = name,
        srcs = [model + "_" + suffix for suffix in ["tokenizer", "chat", "perplexity"]],
        tags = tags,
        visibility = visibility,
    )
