"""Embedders of sentences in ONNX files."""

load("@rules_go//go:def.bzl", "go_binary")
load("//models/zoo:backends.bzl", "backends_of")
load("//rules:defs.bzl", "program_parts", "skainet_model")

def embedder(name, onnx, tokenizer, recorded, documents, tags = []):
    """Declares an embedder: what skainet_model declares, and `NAME_embed`.

    `NAME_f32` and `NAME_f32_embed` are the same with the weights of 8 bits and everything else
    in f32, run with the same archive.

    In its folder are sentence-transformers' files: pooling.json (of 1_Pooling), prompts.json
    (config_sentence_transformers.json) and sentence_bert_config.json.

    Args:
      name: prefix of the targets' names.
      onnx: the model, which ONNX Runtime's dynamic quantization made.
      tokenizer: its tokenizer.json.
      recorded: prefix of the results of ONNX Runtime, RECORDED.npz, and RECORDED_f32.npz for the
        model that //models/zoo:testdata/dequantize.py makes of it.
      documents: as in skainet_model.
      tags: of the targets.
    """
    _embedder(
        name = name,
        documents = documents,
        onnx = onnx,
        # The models are quantised as they run: a sum that is rounded otherwise moves a whole
        # step of 8 bits. ONNX Runtime differs from itself by 0.19 (with and without its
        # optimisations); //models/zoo/e2e compares directions.
        parity_args = [
            "--atol=0.3",
            "--recorded-atol=0.3",
        ],
        recorded = recorded + ".npz",
        tags = tags,
        tokenizer = tokenizer,
    )
    _embedder(
        name = name + "_f32",
        documents = documents,
        archive = name + "_irpa",
        dequantize = True,
        onnx = onnx,
        # 12 bits of mantissa are recorded.
        parity_args = ["--recorded-atol=5e-4"],
        recorded = recorded + "_f32.npz",
        tags = tags,
        tokenizer = tokenizer,
    )

def _embedder(name, tokenizer, recorded, tags, **model):
    skainet_model(
        name = name,
        backends = backends_of("//%s:%s" % (native.package_name(), name)),
        parity_recorded = {"sentences": [recorded]},
        shapes = {n: "batch,seq" for n in ["attention_mask", "input_ids", "token_type_ids"]},
        tags = tags,
        visibility = ["//visibility:public"],
        **model
    )
    program_parts(
        name = name + "_embed_parts",
        files = {
            ":pooling.json": "pooling",
            ":prompts.json": "prompts",
            ":sentence_bert_config.json": "settings",
            tokenizer: "tokenizer",
        },
        programs = ["%s_vmfb_%s" % (name, backend) for backend in backends_of("//%s:%s" % (native.package_name(), name))],
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
