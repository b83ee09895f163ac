"""Writes einsum.json: NumPy's einsum of small whole numbers, exact in f32.

    pip install numpy==2.4.6
    python3 gen_einsum.py > einsum.json
"""
import json

import numpy as np

rng = np.random.default_rng(5)
cases = []
for equation, *shapes in (
        ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij,kj->ik", (2, 3), (4, 3)), ("ij->ji", (2, 3)), ("ba", (2, 3)),
        ("ij->", (2, 3)), ("ij->i", (2, 3)), ("ii->i", (3, 3)), ("ii", (3, 3)), ("iji->j", (3, 2, 3)), ("iii->i", (3, 3, 3)), ("iijj->ij", (2, 2, 3, 3)),
        ("i,j->ij", (2,), (3,)), ("i,i->", (3,), (3,)), ("i,i->i", (3,), (3,)), (",i->i", (), (3,)), ("->", ()),
        ("bij,bjk->bik", (2, 2, 3), (2, 3, 4)), ("bhqd,bhkd->bhqk", (1, 2, 3, 4), (1, 2, 2, 4)), ("ijk,jil->kl", (2, 3, 4), (3, 2, 2)),
        ("...ij,...jk->...ik", (5, 2, 3), (3, 2)), ("...ij,...jk->...ik", (2, 1, 2, 3), (4, 3, 2)), ("...i->...", (2, 3, 4)), ("i...,i...", (2, 3), (2, 3)),
        ("...,...", (2, 3), (3,)), ("a...b->b...a", (2, 3, 4)), ("ij,ij->ij", (2, 1), (2, 3)), ("ij,jk->ik", (2, 1), (3, 4)),
        ("ij,jk,kl->il", (2, 3), (3, 2), (2, 4)), ("ab,bc,cd,da->", (2, 2), (2, 3), (3, 2), (2, 2)), ("i,ij,j->", (2,), (2, 3), (3,)),
        ("ij,k->ijk", (2, 0), (3,)), ("ij,kl->jl", (2, 3), (3, 2)), ("aB,Ba", (2, 3), (3, 2)), (" i j , j k -> i k ", (2, 3), (3, 2))):
    xs = [rng.integers(-4, 5, s) for s in shapes]
    y = np.einsum(equation, *xs)
    cases.append({"equation": equation, "in": [[list(x.shape), x.ravel().tolist()] for x in xs], "out": [list(y.shape), y.ravel().tolist()]})
print('{"origin": "gen_einsum.py, NumPy %s", "cases": [' % np.__version__)
print(",\n".join(json.dumps(c) for c in cases) + "\n]}")
