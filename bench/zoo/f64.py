"""The results of a model's first call in f64, by ONNX's reference evaluator: f64.py MODEL.onnx RECORD.npz RESULTS.npz

Weights, constants and arguments of f32 are widened, so that every operation of the file computes in f64. Where a file
quantizes, the integers are those that f64 gives. The results have the names that programs give them.
"""

import sys

import numpy
import onnx
from onnx import TensorProto, numpy_helper, version_converter
from onnx.reference import ReferenceEvaluator, op_run
from onnx.reference.ops import op_conv_transpose

import contestant

# Of older operator sets the evaluator has no DequantizeLinear, and a BatchNormalization that trains.
OPSET = 21


class ConvTranspose(op_conv_transpose.ConvTranspose):
    """In groups, which the evaluator's own (1.23.2) adds up wrongly."""

    def _run(self, x, w, b=None, group=None, **attributes):
        parts = []
        for i, (xs, ws) in enumerate(zip(numpy.split(x, group, 1), numpy.split(w, group, 0))):
            bias = None if b is None else numpy.split(b, group)[i]
            parts += super()._run(xs, ws, bias, group=1, **attributes)
        return (numpy.concatenate(parts, 1),)


class GlobalMaxPool(op_run.OpRun):
    """With the reduced dimensions, which the evaluator's own (1.23.2) drops."""

    def _run(self, x):
        return (x.max(tuple(range(2, x.ndim)), keepdims=True),)


class GatherElements(op_run.OpRun):
    """Of indices that leave out a part of other dimensions, which the evaluator's own (1.23.2) refuses."""

    def _run(self, data, indices, axis=None):
        at = list(numpy.indices(indices.shape))
        at[axis or 0] = indices
        return (data[tuple(at)],)


def widen(graph):
    """Widens what a graph and those in it have of f32."""

    def tensor(t):
        if t.data_type == TensorProto.FLOAT:
            t.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(t).astype(numpy.float64), t.name))

    for t in graph.initializer:
        tensor(t)
    for v in [*graph.input, *graph.output, *graph.value_info]:
        if v.type.tensor_type.elem_type == TensorProto.FLOAT:
            v.type.tensor_type.elem_type = TensorProto.DOUBLE
    for n in graph.node:
        for a in n.attribute:
            # Cast's is "to", that of random numbers and of EyeLike "dtype".
            if a.name in ("to", "dtype") and a.i == TensorProto.FLOAT:
                a.i = TensorProto.DOUBLE
            tensor(a.t)
            for t in a.tensors:
                tensor(t)
            for g in [*([a.g] if a.HasField("g") else []), *a.graphs]:
                widen(g)


def main():
    path, record, results = sys.argv[1:]
    model = onnx.load(path)
    if any(o.domain == "" and o.version < OPSET for o in model.opset_import):
        model = version_converter.convert_version(model, OPSET)
    stored = {t.name for t in model.graph.initializer}
    inputs = []
    for i in model.graph.input:
        if i.name not in stored:
            t = i.type.tensor_type
            inputs.append((i.name, [d.dim_value or None for d in t.shape.dim], onnx.helper.tensor_dtype_to_np_dtype(t.elem_type)))
    given = {
        name: a.astype(numpy.float64) if a.dtype == numpy.float32 else a
        for name, a in contestant.feed(record, inputs).items()
    }
    widen(model.graph)
    got = ReferenceEvaluator(model, new_ops=[ConvTranspose, GatherElements, GlobalMaxPool]).run(None, given)
    numpy.savez(results, **{contestant.renamed(o.name): numpy.ascontiguousarray(a) for o, a in zip(model.graph.output, got)})


if __name__ == "__main__":
    main()
