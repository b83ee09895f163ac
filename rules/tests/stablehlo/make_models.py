"""Makes the StableHLO models of these tests with JAX, and what StableHLO's reference interpreter computes with them.

    cd rules/tests/stablehlo && python3 make_models.py SCIKIT_LEARN.whl

with numpy, jax and jaxlib, of the versions that versions.txt names after a run. The wheel
of scikit-learn carries 1797 handwritten digits of 8 by 8 pixels (UCI, Alpaydin and Kaynak,
CC BY 4.0), which one of the models learns.
"""

import base64
import gzip
import io
import os
import sys
import zipfile

import jax
from jax import export, lax
import jax.numpy as jnp
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../test/randgraph"))
import stablehlo_peer  # noqa: E402

DTYPES = {"float32": "f32", "int32": "i32"}


def interpreted(model, *args):
    """What the interpreter gives for a model of these arguments' sizes."""
    arrays = [{"dtype": DTYPES[str(x.dtype)], "shape": list(x.shape), "data": base64.b64encode(x.tobytes()).decode()} for x in args]
    with stablehlo_peer.context(), ir.Location.unknown():
        reply = stablehlo_peer.answer({"text": jax.jit(model).lower(*args).as_text(), "args": arrays})
    if "results" not in reply:
        sys.exit(str(reply))
    names = {v: k for k, v in DTYPES.items()}
    return [np.frombuffer(base64.b64decode(r["data"]), names[r["dtype"]]).reshape(r["shape"]) for r in reply["results"]]


def load(wheel):
    with zipfile.ZipFile(wheel) as z:
        table = np.loadtxt(io.BytesIO(gzip.decompress(z.read("sklearn/datasets/data/digits.csv.gz"))), delimiter=",", dtype=np.float32)
    return table[:, :-1].reshape(-1, 8, 8, 1) / 16, table[:, -1].astype(np.int32)


def scores(weights, x):
    """Two convolutions, normalised over each picture's channels, pooling, and two layers."""
    k1, b1, k2, b2, gain, w1, c1, w2, c2 = weights
    layout = ("NHWC", "HWIO", "NHWC")
    x = jax.nn.relu(lax.conv_general_dilated(x, k1, (1, 1), "SAME", dimension_numbers=layout) + b1)
    x = lax.conv_general_dilated(x, k2, (1, 1), "SAME", dimension_numbers=layout) + b2
    x = x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5) * gain
    x = lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jax.nn.gelu(x.reshape(x.shape[0], -1) @ w1 + c1) @ w2 + c2


def trained(images, labels):
    """Weights after 12 passes over all but the last 297 digits."""
    r = np.random.default_rng(5)
    weight = lambda *shape: jnp.asarray((r.standard_normal(shape) * np.sqrt(2 / np.prod(shape[:-1]))).astype(np.float32))
    weights = [weight(3, 3, 1, 8), jnp.zeros(8), weight(3, 3, 8, 12), jnp.zeros(12), jnp.ones(12), weight(192, 24), jnp.zeros(24), weight(24, 10), jnp.zeros(10)]

    def loss(weights, x, y):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores(weights, x)), y[:, None], 1))

    @jax.jit
    def step(weights, means, squares, n, x, y):
        g = jax.grad(loss)(weights, x, y)
        means = [0.9 * m + 0.1 * d for m, d in zip(means, g)]
        squares = [0.999 * s + 0.001 * d * d for s, d in zip(squares, g)]
        rate = 3e-3 * jnp.sqrt(1 - 0.999**n) / (1 - 0.9**n)
        return [w - rate * m / (jnp.sqrt(s) + 1e-8) for w, m, s in zip(weights, means, squares)], means, squares

    means = squares = [jnp.zeros_like(w) for w in weights]
    n = 0
    for _ in range(12):
        for batch in np.split(r.permutation(1500), 30):
            n += 1
            weights, means, squares = step(weights, means, squares, n, images[batch], labels[batch])
    return weights


def digits(wheel):
    """The probabilities of ten digits for eight pictures that the model has not seen."""
    images, labels = load(wheel)
    weights = trained(images, labels)
    right = np.mean(np.argmax(scores(weights, images[1500:]), -1) == labels[1500:])
    print("%.3f of the digits that were kept back are recognised" % right)
    assert right > 0.9
    model = lambda image: jax.nn.softmax(scores(weights, image))
    image = images[1500:1508]
    (found,) = interpreted(model, image)
    with open("digits.mlir", "w") as f:
        f.write(jax.jit(model).lower(image).as_text())
    np.savez_compressed("digits_case.npz", arg0=image, result=found)


def block():
    """A transformer's block over token numbers, for any number and length of texts; random weights."""
    r = np.random.default_rng(6)
    weight = lambda *shape: jnp.asarray((r.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32))
    vocabulary, width, heads = 40, 32, 4
    table = weight(vocabulary, width) * 6
    wq, wk, wv, wo, up, down = (weight(*s) for s in [(width, width)] * 4 + [(width, 64), (64, width)])
    gains = [1 + weight(width) for _ in range(3)]

    def norm(x, gain):
        x = x - jnp.mean(x, axis=-1, keepdims=True)
        return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5) * gain

    def model(ids):
        batch, length = ids.shape
        place = jnp.arange(length)
        angle = place[:, None] / 100 ** (jnp.arange(width // heads // 2) / (width // heads // 2))
        split = lambda x: x.reshape(batch, length, heads, width // heads)

        def turned(x):
            a, b = jnp.split(split(x), 2, axis=-1)
            c, s = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
            return jnp.concatenate([a * c - b * s, a * s + b * c], axis=-1)

        x = table[ids]
        h = norm(x, gains[0])
        products = jnp.einsum("bqhd,bkhd->bhqk", turned(h @ wq), turned(h @ wk)) / np.sqrt(width / heads)
        products = jnp.where(place[:, None] >= place, products, -jnp.inf)
        x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(products), split(h @ wv)).reshape(x.shape) @ wo
        x = x + jax.nn.silu(norm(x, gains[1]) @ up) @ down
        return norm(x, gains[2]) @ table.T

    batch, length = export.symbolic_shape("b, s")
    with open("block.mlir", "w") as f:
        # Places in the text name this script, without its folder.
        text = str(export.export(jax.jit(model))(jax.ShapeDtypeStruct((batch, length), np.int32)).mlir_module())
        f.write(text.replace(os.path.abspath(__file__), "make_models.py").replace(__file__, "make_models.py"))
    case = {}
    for n, sizes in enumerate([(2, 9), (1, 17)]):
        ids = r.integers(0, vocabulary, sizes, np.int32)
        key = "#%d" % n if n else ""
        case["arg0" + key] = ids
        (case["result" + key],) = interpreted(model, ids)
    np.savez_compressed("block_case.npz", **case)


def main():
    stablehlo.register_stablehlo_passes()
    digits(sys.argv[1])
    block()
    with open("versions.txt", "w") as f:
        f.write("jax %s\njaxlib %s\nnumpy %s\n" % (jax.__version__, sys.modules["jaxlib"].version.__version__, np.__version__))


if __name__ == "__main__":
    main()
