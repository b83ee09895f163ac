"""Embedders of sentences in ONNX files."""

load("@rules_go//go:def.bzl", "go_binary")
load("//models/zoo:backends.bzl", "BACKENDS")
load("//rules:defs.bzl", "program_parts", "skainet_model")

def embedder(name, onnx, tokenizer, recorded, tags = []):
    """Declares an embedder: what skainet_model declares, and `NAME_embed`.

    In its folder are sentence-transformers' files: pooling.json (of 1_Pooling), prompts.json
    (config_sentence_transformers.json) and sentence_bert_config.json.

    Args:
      name: prefix of the targets' names.
      onnx: the model.
      tokenizer: its tokenizer.json.
      recorded: results of ONNX Runtime, a .npz.
      tags: of the targets.
    """
    skainet_model(
        name = name,
        backends = BACKENDS,
        onnx = onnx,
        # The models are quantised as they run: a sum that is rounded otherwise moves a whole
        # step of 8 bits. ONNX Runtime differs from itself by 0.19 (with and without its
        # optimisations); //models/zoo/e2e compares directions.
        parity_args = [
            "--atol=0.3",
            "--recorded-atol=0.3",
        ],
        parity_recorded = {"sentences": [recorded]},
        shapes = {n: "batch,seq" for n in ["attention_mask", "input_ids", "token_type_ids"]},
        tags = tags,
        visibility = ["//visibility:public"],
    )
    program_parts(
        name = name + "_embed_parts",
        files = {
            ":pooling.json": "pooling",
            ":prompts.json": "prompts",
            ":sentence_bert_config.json": "settings",
            tokenizer: "tokenizer",
        },
        programs = ["%s_vmfb_%s" % (name, backend) for backend in BACKENDS],
        tags = tags,
    )
    go_binary(
        name = name + "_embed",
        srcs = [name + "_embed_parts"],
        data = [name + "_embed_parts"],
        embed = ["//cmd/embed:embed_lib"],
        tags = tags,
        visibility = ["//visibility:public"],
    )
