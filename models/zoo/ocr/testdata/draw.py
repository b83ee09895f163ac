#!/usr/bin/env python3
"""Draws text.png and asks RapidOCR what is in it.

    pip install rapidocr-onnxruntime==1.4.4 opencv-python-headless==5.0.0.93 pillow==13.0.0 pyclipper==1.4.0 shapely==2.2.0 onnxruntime==1.32.0
    draw.py

text.json has the boxes, the texts and their scores, each line read alone: in a batch
a line is filled up to the width of the longest, which changes what is read.
"""

import json
import os

import cv2
from PIL import Image, ImageDraw, ImageFont
from rapidocr_onnxruntime import RapidOCR

HERE = os.path.dirname(os.path.abspath(__file__))


def draw():
    """Returns a page with lines of three sizes, a tilted one and one upside down."""
    page = Image.new("L", (640, 480), 250)
    d = ImageDraw.Draw(page)
    d.text((40, 30), "Invoice 2026-1142", font=ImageFont.load_default(size=40), fill=10)
    d.text((40, 110), "Total due: 1,482.50 EUR", font=ImageFont.load_default(size=28), fill=40)
    d.text((330, 180), "Thank you for reading", font=ImageFont.load_default(size=20), fill=0)
    d.text((40, 180), "paid in cash", font=ImageFont.load_default(size=20), fill=0)
    for text, at, angle in [("tilted by ten degrees", (60, 220), 10), ("upside down", (150, 380), 180)]:
        line = Image.new("L", (420, 60), 250)
        ImageDraw.Draw(line).text((10, 10), text, font=ImageFont.load_default(size=30), fill=20)
        page.paste(line.rotate(angle, resample=Image.BICUBIC, expand=True, fillcolor=250), at)
    return page


def main():
    draw().save(os.path.join(HERE, "text.png"), optimize=True)
    image = cv2.imread(os.path.join(HERE, "text.png"))
    found, _ = RapidOCR(rec_batch_num=1, cls_batch_num=1)(image)
    with open(os.path.join(HERE, "text.json"), "w") as f:
        lines = [{"box": box, "text": text, "score": round(float(score), 4)} for box, text, score in found]
        json.dump({"by": "rapidocr-onnxruntime 1.4.4, onnxruntime 1.32.0", "lines": lines}, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
