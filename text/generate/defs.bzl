"""The programs of a language model.

    load("//text/generate:defs.bzl", "text_programs")

    text_programs(name = "gemma3_270m_programs", model = "gemma3_270m", weights = "@gemma3_270m_q4_k_m//:gemma-3-270m-q4_k_m.gguf")
"""

load("@rules_go//go:def.bzl", "go_binary")

_LAUNCH = "github.com/skainet-dev/skainet-go/backend/launch."

def text_programs(name, model, weights, vulkan = True, tags = [], visibility = None):
    """Declares what one runs of a skainet_model `m` that generates text.

      * `m_tokenizer`: its tokenizer and chat template, out of the weights;
      * `m_chat`: continues prompts and answers (//cmd/chat);
      * `m_perplexity`: measures how well it expects a text;
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
    native.filegroup(
        name = model + "_programs_contract",
        srcs = [model + "_mlir"],
        output_group = "contract",
        tags = tags,
    )
    files = {
        "ArchiveFile": model + "_irpa",
        "ContractFile": model + "_programs_contract",
        "ProgramX86V3": model + "_vmfb_cpu",
        "ProgramX86V4": model + "_vmfb_cpu_v4",
        "TokenizerFile": model + "_tokenizer",
        "ToolFile": Label("//toolchains/iree:runtime_tool"),
    }
    library = Label("//toolchains/iree:runtime_library")
    programs = {"chat": "chat", "perplexity": "perplexity"} | ({"chat_vulkan": "chat"} if vulkan else {})
    for suffix, program in programs.items():
        parts = files | ({"ProgramVulkan": model + "_vmfb_vulkan"} if suffix.endswith("_vulkan") else {})
        go_binary(
            name = model + "_" + suffix,
            data = parts.values() + [library],
            embed = [Label("//cmd/%s:%s_lib" % (program, program))],
            tags = tags + (["manual"] if suffix == "chat_vulkan" else []),
            visibility = visibility,
            x_defs = {_LAUNCH + k: "$(rlocationpath %s)" % v for k, v in parts.items()} | {
                _LAUNCH + "LibraryFile": "$(rlocationpaths %s)" % library,
            },
        )
    native.filegroup(
        name = name,
        srcs = [model + "_" + suffix for suffix in ["tokenizer", "chat", "perplexity"]],
        tags = tags,
        visibility = visibility,
    )
