"""Writes models as JAX exports them, with inputs, and what StableHLO's reference interpreter gives.

    python compile/import/fromhlo/testdata/models.py

Writes NAME.mlir and NAME.json beside this file: {"inputs": [...], "outputs": [...]}, each
{"dtype": "f32", "shape": [2, 3], "data": base64 of little-endian bytes}. Weights are random, by
a fixed seed. Made with jax and jaxlib 0.10.2.
"""

import base64
import json
import os
import sys

import jax
from jax import export, lax
import jax.numpy as jnp
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../test/randgraph"))
import stablehlo_peer  # noqa: E402

random = np.random.RandomState(17)


def weight(*shape, scale=0.3):
    return jnp.asarray(random.randn(*shape).astype(np.float32) * scale)


def mlp():
    w1, b1, w2 = weight(16, 32), weight(32), weight(32, 10)

    def model(x):
        h = jax.nn.gelu(x @ w1 + b1)
        return {"probabilities": jax.nn.softmax(h @ w2), "hidden": jnp.tanh(h)}

    return model, [random.randn(4, 16).astype(np.float32)]


def conv():
    k1, k2, k3, kt = weight(3, 3, 3, 8), weight(3, 3, 4, 16), weight(3, 3, 1, 16), weight(2, 2, 16, 4)
    gamma, beta, mean, variance = weight(8), weight(8), weight(8), jnp.abs(weight(8)) + 0.5
    layout = ("NHWC", "HWIO", "NHWC")

    def model(x):
        x = lax.conv_general_dilated(x, k1, (2, 1), [(1, 1), (0, 2)], dimension_numbers=layout)
        x = (x - mean) * lax.rsqrt(variance + 1e-5) * gamma + beta
        x = jax.nn.relu(x)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
        x = lax.conv_general_dilated(x, k2, (1, 1), "SAME", rhs_dilation=(2, 1), dimension_numbers=layout, feature_group_count=2)
        x = lax.conv_general_dilated(x, k3, (1, 1), "SAME", dimension_numbers=layout, feature_group_count=16)
        mean_pool = lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME") / 9
        up = lax.conv_transpose(x, kt, (2, 2), "VALID", dimension_numbers=layout)
        grouped = lax.conv_general_dilated(x, weight_of(x), (1, 1), "VALID", dimension_numbers=layout, batch_group_count=2)
        return jnp.mean(mean_pool, axis=(1, 2)), up, grouped

    def weight_of(x):
        return jnp.ones((1, 1, x.shape[-1], 4)) * 0.1

    return model, [random.randn(2, 8, 6, 3).astype(np.float32)]


def decode():
    vocabulary, width, heads, length = 11, 16, 2, 6
    table, wq, wk, wv, wo = weight(vocabulary, width, scale=1), weight(width, width), weight(width, width), weight(width, width), weight(width, width)

    def model(token):
        def step(state):
            i, token, keys, values, out = state
            x = table[token]
            q, k, v = (x @ wq).reshape(heads, -1), (x @ wk).reshape(heads, -1), (x @ wv).reshape(heads, -1)
            keys = lax.dynamic_update_slice(keys, k[None], (i, 0, 0))
            values = lax.dynamic_update_slice(values, v[None], (i, 0, 0))
            scores = jnp.einsum("hd,thd->ht", q, keys) / np.sqrt(width / heads)
            scores = jnp.where(jnp.arange(length) <= i, scores, -jnp.inf)
            y = jnp.einsum("ht,thd->hd", jax.nn.softmax(scores), values).reshape(-1) @ wo + x
            logits = y @ table.T
            token = jnp.argmax(logits).astype(jnp.int32)
            return i + 1, token, keys, values, out.at[i].set(token)

        cache = jnp.zeros((length, heads, width // heads))
        state = (jnp.int32(0), token, cache, cache, jnp.full((length,), -1, jnp.int32))
        _, _, keys, _, out = lax.while_loop(lambda s: (s[0] < length) & (s[1] != vocabulary), step, state)
        return out, keys

    return model, [np.int32(3)]


def embedding():
    table = weight(20, 12, scale=1)

    def model(ids, x, start):
        rows = jnp.take(table, ids, axis=0)
        clipped = jnp.take(x, ids, axis=1, mode="clip")
        along = jnp.take_along_axis(x, ids[:, :3] % 9, axis=1)
        two = x[ids[0] % 4, ids[1] % 9]
        window = lax.dynamic_slice(x, (start, start), (2, 3))
        windows = jax.vmap(lambda i: lax.dynamic_slice_in_dim(x, i, 3, 1))(ids[0])
        batched = jax.vmap(lambda row, i: row[i])(x, ids[:, 0] % 9)
        summed = jax.ops.segment_sum(rows.reshape(-1, 12), ids.reshape(-1) % 5, 5)
        placed = x.at[ids[0], 1].set(7.0)
        added = x.at[:, ids[1]].add(jnp.ones((4, 4)))
        largest = x.at[ids[0] % 4].max(jnp.zeros((4, 9)))
        one = x.at[start].multiply(2.0)
        part = lax.dynamic_update_slice(x, jnp.ones((2, 2)), (start, start))
        flags = (x > 0).at[ids[0] % 4, 0].set(True)
        return rows, clipped, along, two, window, windows, batched, summed, placed, added, largest, one, part, flags

    ids = np.array([[3, 19, 0, 7], [1, 2, 25, 3], [5, 5, 4, 2], [0, 1, 8, 6]], np.int32)
    return model, [ids, random.randn(4, 9).astype(np.float32), np.int32(2)]


def order():
    def model(x, i):
        values, indices = lax.top_k(x, 3)
        keys = jnp.lexsort((x[0], i))
        return (
            jnp.sort(x, axis=0), jnp.sort(x, axis=1, descending=True), jnp.argsort(x, axis=1), values, indices, keys, jnp.argmax(x, axis=0), jnp.argmin(x),
            jnp.cumsum(x, axis=1), lax.cumprod(x, axis=0, reverse=True), lax.cummax(x, axis=1), lax.cumlogsumexp(x, axis=0), jnp.cumsum(i),
            jnp.any(x > 1.5, axis=1), jnp.all(x > -3), jnp.prod(x, axis=1), jnp.median(x, axis=1), jnp.unique(i, size=4), jnp.bincount(i, length=4),
            lax.reduce(x, jnp.float32(0.5), lambda a, b: jnp.hypot(a, b), (1,)), lax.reduce_and(i, (0,)), lax.reduce_xor(i, (0,)), jnp.searchsorted(jnp.sort(x[0]), x[1]),
            lax.sort((i, x[0], x[1]), num_keys=2),
        )

    x = random.randn(3, 7).astype(np.float32)
    x[1, 2], x[0, 3], x[2, 5] = x[1, 3], 0.0, -0.0
    return model, [x, np.array([2, 0, 3, 2, 1, 0, 2], np.int32)]


def control():
    def model(x, n, p):
        branch = lax.switch(n, [lambda v: v + 1, lambda v: v * 2, lambda v: -v], x)
        either = lax.cond(p, lambda v: (v, jnp.sum(v)), lambda v: (v * v, jnp.max(v)), x)
        total, history = lax.scan(lambda c, row: (c + row, c * row), jnp.zeros(3), x)
        fori = lax.fori_loop(0, n, lambda i, v: v + i * x[0], jnp.zeros(3))
        mapped = lax.map(lambda row: jnp.sum(row) * row, x)
        primes = lax.while_loop(lambda s: jnp.sum(s) < 50, lambda s: jnp.concatenate([s[1:], s[-1:] * 2]), jnp.array([1, 2, 3], jnp.int32))
        return branch, either, total, history, fori, mapped, primes

    return model, [random.randn(4, 3).astype(np.float32), np.int32(2), np.bool_(False)]


def numbers():
    def model(x, i, u):
        small = x.astype(jnp.bfloat16)
        return (
            jnp.round(x * 3), jnp.trunc(x), jnp.sign(x), jnp.floor(x), jnp.ceil(x), lax.round(x * 2, lax.RoundingMethod.AWAY_FROM_ZERO), jnp.expm1(x), jnp.log1p(jnp.abs(x)), jnp.cbrt(x),
            jax.scipy.special.erf(x), jax.scipy.special.erfc(x), jax.scipy.special.erfinv(jnp.tanh(x)), jnp.arctan2(x, x[::-1]), jnp.sinh(x), jnp.arcsinh(x), jnp.tan(x),
            jnp.fmod(x, 0.7), jnp.mod(x, 0.7), jnp.power(jnp.abs(x), 1.5), jnp.isfinite(x), jnp.isnan(x), jnp.clip(x, -0.5, 0.5), jnp.logaddexp(x, 0.3),
            lax.population_count(u), lax.clz(i), i // 3, i % 5, i**3, jnp.left_shift(i, 2), jnp.right_shift(i, 1), lax.shift_right_logical(i, jnp.full_like(i, 3)), ~i, i ^ 5, u & 12, u | 3,
            lax.bitcast_convert_type(x, jnp.int32), lax.bitcast_convert_type(u, jnp.uint8), lax.reduce_precision(x, 5, 10), x.astype(jnp.int8), u.astype(jnp.float32),
            (small * small).astype(jnp.float32), jnp.einsum("i,i->", small, small, preferred_element_type=jnp.float32), i.astype(jnp.int8) @ i.astype(jnp.int8), jnp.flip(x), jnp.pad(x, (1, 2), mode="reflect"),
            lax.pad(x, jnp.float32(9), [(-1, 2, 1)]), jnp.tril(jnp.outer(x, x)), jnp.linspace(0, 1, 5) * x[:5], lax.iota(jnp.int32, 4), jax.random.uniform(jax.random.key(7), (4,)),
        )

    x = np.array([-2.5, -1.25, -0.5, 0.49999997, 0.5, 1.75], np.float32)
    return model, [x, np.array([-7, 0, 3, 8, 100, -1], np.int32), np.array([0, 1, 255, 2**31, 4000000000, 77], np.uint32)]


def dynamic():
    w, table = weight(8, 8), weight(16, 8)

    def model(ids, mask):
        x = table[ids]
        x = jnp.where(mask[:, :, None], x, 0)
        scores = jnp.einsum("bsd,btd->bst", x, x)
        y = jax.nn.softmax(scores) @ x @ w
        return y.reshape(y.shape[0], -1), jnp.sum(y, axis=1), jnp.concatenate([y, y], axis=1)[:, 1:]

    batch, length = export.symbolic_shape("b, s")
    ids, mask = jax.ShapeDtypeStruct((batch, length), np.int32), jax.ShapeDtypeStruct((batch, length), np.bool_)
    # Places in the text name this script, without its folder.
    text = str(export.export(jax.jit(model))(ids, mask).mlir_module()).replace(__file__, "models.py")
    inputs = [np.array([[1, 2, 3], [4, 15, 0]], np.int32), np.array([[True, True, False], [True, True, True]])]
    # The interpreter takes numbers: the model for these sizes.
    return model, inputs, text


def encoded(x):
    name = str(x.dtype)
    dtype = {"float32": "f32", "int32": "i32", "uint32": "u32", "bool": "bool", "int8": "i8", "uint8": "u8"}[name]
    return {"dtype": dtype, "shape": list(x.shape), "data": base64.b64encode(np.ascontiguousarray(x).tobytes()).decode()}


def main(names):
    stablehlo.register_stablehlo_passes()
    for make in [mlp, conv, decode, embedding, order, control, numbers, dynamic]:
        model, inputs, *text = make()
        if names and make.__name__ not in names:
            continue
        static = jax.jit(model).lower(*inputs).as_text()
        with stablehlo_peer.context(), ir.Location.unknown():
            reply = stablehlo_peer.answer({"text": static, "args": [encoded(np.asarray(x)) for x in inputs]})
        if "results" not in reply:
            raise SystemExit("%s: %s" % (make.__name__, reply))
        path = os.path.join(HERE, make.__name__)
        with open(path + ".mlir", "w") as f:
            f.write((text or [static])[0])
        with open(path + ".json", "w") as f:
            json.dump({"inputs": [encoded(np.asarray(x)) for x in inputs], "outputs": reply["results"]}, f, indent=0)
            f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
