"""Makes gray.csv: 2000 pixels of the picture with the level that Pillow gives them.

    decode grace_hopper.jpg rgb.npy   # //examples/staircase/grayscale/decode
    python3 gen_gray.py rgb.npy > gray.csv

Pillow gets the pixels that Go decoded. Its own decoder spreads the colours of
a JPEG more smoothly, by up to 46 levels at edges of this picture, which says
nothing about the model. Its convert("L") is (19595 R + 38470 G + 7471 B +
32768) >> 16, the weights of ITU-R BT.601 in fixed point. Made with Pillow
13.0.0 and NumPy 2.4.6.
"""

import random
import sys

import numpy as np
from PIL import Image

rgb = np.load(sys.argv[1])
gray = np.asarray(Image.fromarray(rgb).convert("L"))
height, width, _ = rgb.shape
print("y,x,red,green,blue,gray")
for place in sorted(random.Random(1).sample(range(height * width), 2000)):
    y, x = divmod(place, width)
    print(",".join(str(int(v)) for v in (y, x, *rgb[y, x], gray[y, x])))
