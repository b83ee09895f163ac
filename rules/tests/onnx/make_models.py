"""Makes the ONNX models of these tests and of e2e/smoke, and what ONNX Runtime computes with them.

    cd rules/tests/onnx && python3 make_models.py

with numpy, onnx and onnxruntime, of the versions that versions.txt names after a run.
The weights are random numbers from fixed seeds.
"""

import os
import shutil

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, name=outputs[0] + "_node", **attributes)


def save(name, nodes, inputs, outputs, tensors, external=None):
    initializers = [numpy_helper.from_array(v, k) for k, v in tensors.items()]
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(*i) for i in inputs],
        [helper.make_tensor_value_info(*o) for o in outputs],
        initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="make_models.py")
    onnx.checker.check_model(model, full_check=True)
    if not external:
        onnx.save_model(model, name + ".onnx")
        return
    if os.path.exists(external):
        os.remove(external)
    onnx.save_model(model, name + ".onnx", save_as_external_data=True, location=external, size_threshold=0)
    os.chmod(external, 0o644)


def conv(name, seed, external=None):
    """A picture's class: two convolutions, the mean over the picture, a layer."""
    r = np.random.default_rng(seed)
    weight = lambda *shape: (r.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)
    save(
        name,
        [
            node("Conv", ["image", "conv1.weight", "conv1.bias"], ["c1"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
            node("Relu", ["c1"], ["r1"]),
            node("Conv", ["r1", "conv2.weight", "conv2.bias"], ["c2"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], group=4),
            node("Constant", [], ["limit"], value=numpy_helper.from_array(np.float32(6))),
            node("Constant", [], ["zero"], value=numpy_helper.from_array(np.float32(0))),
            node("Clip", ["c2", "zero", "limit"], ["r2"]),
            node("GlobalAveragePool", ["r2"], ["mean"]),
            node("Flatten", ["mean"], ["flat"]),
            node("Gemm", ["flat", "fc.weight", "fc.bias"], ["logits"], transB=1),
            node("Softmax", ["logits"], ["scores"], axis=-1),
        ],
        [("image", F32, ["batch", 3, 16, 16])],
        [("scores", F32, ["batch", 5])],
        {
            "conv1.weight": weight(4, 3, 3, 3),
            "conv1.bias": weight(4, 1).reshape(4),
            "conv2.weight": weight(8, 1, 3, 3),
            "conv2.bias": weight(8, 1).reshape(8),
            "fc.weight": weight(5, 8),
            "fc.bias": weight(5, 1).reshape(5),
        },
        external,
    )


def encoder():
    """A text's vector, of any batch and length, as PyTorch exports it: sizes are read
    with Shape and put together with Concat."""
    r = np.random.default_rng(2)
    heads, width, vocabulary, longest = 2, 16, 50, 32
    weight = lambda *shape: (r.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
    tensors = {
        "word.weight": (r.standard_normal((vocabulary, width)) / 2).astype(np.float32),
        "position.weight": (r.standard_normal((longest, width)) / 2).astype(np.float32),
        "norm.weight": (1 + r.standard_normal(width) / 8).astype(np.float32),
        "norm.bias": (r.standard_normal(width) / 8).astype(np.float32),
        "i0": np.int64(0),
        "i1": np.int64(1),
        "v0": np.array([0], np.int64),
        "v1": np.array([1], np.int64),
        "v2": np.array([2], np.int64),
        "heads": np.array([heads, width // heads], np.int64),
        "width": np.array([width], np.int64),
        "one": np.float32(1),
        "least": np.float32(-1e9),
        "scale": np.float32((width // heads) ** -0.5),
        "few": np.float32(1e-9),
    }
    for name in ["query", "key", "value", "out"]:
        tensors[name + ".weight"] = weight(width, width)
    nodes = [
        node("Shape", ["input_ids"], ["sizes"]),
        node("Gather", ["sizes", "i0"], ["batch"]),
        node("Gather", ["sizes", "i1"], ["seq"]),
        node("Unsqueeze", ["batch", "v0"], ["batch1"]),
        node("Unsqueeze", ["seq", "v0"], ["seq1"]),
        node("Concat", ["batch1", "seq1", "heads"], ["split"], axis=0),
        node("Concat", ["batch1", "seq1", "width"], ["joined"], axis=0),
        node("Range", ["i0", "seq", "i1"], ["places"]),
        node("Gather", ["word.weight", "input_ids"], ["words"]),
        node("Gather", ["position.weight", "places"], ["positions"]),
        node("Add", ["words", "positions"], ["embedded"]),
        node("LayerNormalization", ["embedded", "norm.weight", "norm.bias"], ["x"], axis=-1, epsilon=1e-5),
    ]
    for name in ["query", "key", "value"]:
        nodes += [
            node("MatMul", ["x", name + ".weight"], [name]),
            node("Reshape", [name, "split"], [name + "_split"]),
            node("Transpose", [name + "_split"], [name + "_heads"], perm=[0, 2, 3, 1] if name == "key" else [0, 2, 1, 3]),
        ]
    nodes += [
        node("MatMul", ["query_heads", "key_heads"], ["products"]),
        node("Mul", ["products", "scale"], ["scaled"]),
        node("Cast", ["attention_mask"], ["mask"], to=F32),
        node("Sub", ["one", "mask"], ["absent"]),
        node("Mul", ["absent", "least"], ["penalty"]),
        node("Unsqueeze", ["penalty", "v1"], ["penalty1"]),
        node("Unsqueeze", ["penalty1", "v1"], ["penalty2"]),
        node("Add", ["scaled", "penalty2"], ["masked"]),
        node("Softmax", ["masked"], ["weights"], axis=-1),
        node("MatMul", ["weights", "value_heads"], ["mixed"]),
        node("Transpose", ["mixed"], ["back"], perm=[0, 2, 1, 3]),
        node("Reshape", ["back", "joined"], ["flat"]),
        node("MatMul", ["flat", "out.weight"], ["projected"]),
        node("Add", ["projected", "x"], ["tokens"]),
        node("Unsqueeze", ["mask", "v2"], ["mask2"]),
        node("Mul", ["tokens", "mask2"], ["kept"]),
        node("ReduceSum", ["kept", "v1"], ["sum"], keepdims=0),
        node("ReduceSum", ["mask2", "v1"], ["count"], keepdims=0),
        node("Max", ["count", "few"], ["divisor"]),
        node("Div", ["sum", "divisor"], ["vector"]),
    ]
    save(
        "encoder",
        nodes,
        [("input_ids", I64, ["batch", "seq"]), ("attention_mask", I64, ["batch", "seq"])],
        [("vector", F32, ["batch", width]), ("tokens", F32, ["batch", "seq", width])],
        tensors,
    )


def detector():
    """A detector with a state that each call gives back, and a setting that is an input."""
    r = np.random.default_rng(3)
    weight = lambda *shape: (r.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
    save(
        "detector",
        [
            node("Cast", ["rate"], ["rate_f"], to=F32),
            node("Div", ["rate_f", "full"], ["gain"]),
            node("Mul", ["chunk", "gain"], ["scaled"]),
            node("MatMul", ["scaled", "in.weight"], ["a"]),
            node("MatMul", ["state", "state.weight"], ["b"]),
            node("Add", ["a", "b"], ["c"]),
            node("Tanh", ["c"], ["next_state"]),
            node("MatMul", ["next_state", "out.weight"], ["d"]),
            node("Sigmoid", ["d"], ["probability"]),
        ],
        [("chunk", F32, [1, 12]), ("state", F32, [1, 6]), ("rate", I64, [])],
        [("probability", F32, [1, 1]), ("next_state", F32, [1, 6])],
        {"in.weight": weight(12, 6), "state.weight": weight(6, 6), "out.weight": weight(6, 1), "full": np.float32(16000)},
    )


def run(name, **inputs):
    session = onnxruntime.InferenceSession(name + ".onnx", providers=["CPUExecutionProvider"])
    return dict(zip([o.name for o in session.get_outputs()], session.run(None, inputs)))


def main():
    conv("conv", 1)
    conv("conv_tuned", 11)  # other weights of the same shapes
    conv("conv_outside", 1, external="conv_outside.data")
    encoder()
    detector()

    r = np.random.default_rng(4)
    image = r.standard_normal((2, 3, 16, 16), np.float32)
    for name in ["conv", "conv_tuned", "conv_outside"]:
        scores = run(name, image=image)["scores"]
    np.savez("conv_case.npz", image=image, **run("conv", image=image))
    assert not np.allclose(scores, run("conv_tuned", image=image)["scores"], atol=1e-2)

    smoke = "../../../e2e/smoke/imported/"
    shutil.copyfile("conv.onnx", smoke + "classifier.onnx")
    shutil.copyfile("conv_case.npz", smoke + "picture.npz")

    ids = r.integers(0, 50, (3, 7), np.int64)
    mask = np.array([[1] * 7, [1] * 4 + [0] * 3, [1] + [0] * 6], np.int64)
    text = {"input_ids": ids, "attention_mask": mask}
    np.savez("encoder_case.npz", **text)
    np.save("vector.npy", run("encoder", **text)["vector"])

    state, case = np.zeros((1, 6), np.float32), {}
    for i in range(3):
        chunk = r.standard_normal((1, 12), np.float32)
        out = run("detector", chunk=chunk, state=state, rate=np.array(8000, np.int64))
        state = out["next_state"]
        case["chunk#%d" % i], case["probability#%d" % i] = chunk, out["probability"]
    np.savez("detector_case.npz", **case)
    with open("versions.txt", "w") as f:
        f.write("numpy %s\nonnx %s\nonnxruntime %s\n" % (np.__version__, onnx.__version__, onnxruntime.__version__))


if __name__ == "__main__":
    main()
