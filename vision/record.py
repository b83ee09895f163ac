#!/usr/bin/env python3
"""Records what OpenCV and RapidOCR compute, for the tests of these packages.

    pip install rapidocr-onnxruntime==1.4.4 opencv-python-headless==5.0.0.93 pillow==13.0.0 pyclipper==1.4.0 shapely==2.2.0 onnxruntime==1.32.0
    record.py
"""

import json
import os

import cv2
import numpy as np
from rapidocr_onnxruntime import RapidOCR
from rapidocr_onnxruntime.ch_ppocr_det.utils import DBPostProcess

HERE = os.path.dirname(os.path.abspath(__file__))
BY = "rapidocr-onnxruntime 1.4.4, OpenCV 5.0.0"


def pictures(folder):
    """A smooth picture with some noise, in other sizes and cut out."""
    r = np.random.default_rng(17)
    source = cv2.resize(r.integers(0, 256, (6, 8, 3), dtype=np.uint8), (48, 36), interpolation=cv2.INTER_CUBIC)
    source = np.clip(source.astype(int) + r.integers(-20, 21, source.shape), 0, 255).astype(np.uint8)
    cv2.imwrite(folder + "/source.png", source)
    for width, height in [(80, 50), (21, 13), (48, 20)]:
        cv2.imwrite(folder + "/resize_%dx%d.png" % (width, height), cv2.resize(source, (width, height)))
    quad = np.array([[5, 7], [40, 2], [44, 25], [3, 30]], np.float32)
    to = np.array([[0, 0], [40, 0], [40, 24], [0, 24]], np.float32)
    cut = cv2.warpPerspective(source, cv2.getPerspectiveTransform(quad, to), (40, 24), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC)
    cv2.imwrite(folder + "/warp_40x24.png", cut)


def regions(folder):
    """The map that PP-OCRv4 gives for the page of //models/zoo/ocr, in 8 bits, so that the test needs no model."""
    image = cv2.imread(HERE + "/../models/zoo/ocr/testdata/text.png")
    shape = image.shape[:2]
    ocr = RapidOCR().text_det
    levels = np.rint(ocr.infer(ocr.get_preprocess(max(shape))(image))[0][0, 0] * 255).astype(np.uint8)
    cv2.imwrite(folder + "/map.png", levels)
    cases = []
    for other in [{}, {"use_dilation": False, "unclip_ratio": 2.0}, {"box_thresh": 0.82}]:
        options = dict(thresh=0.3, box_thresh=0.5, max_candidates=1000, unclip_ratio=1.6, use_dilation=True, score_mode="fast") | other
        boxes, scores = DBPostProcess(**options)(levels[None, None].astype(np.float32) / 255, levels.shape)
        cases.append({"options": options, "boxes": boxes.tolist(), "scores": [round(float(s), 5) for s in scores]})
    write(folder + "/regions.json", {"by": BY, "cases": cases})


def boxes(folder):
    """Boxes of three kinds, and those that non-maximum suppression keeps."""
    r = np.random.default_rng(3)
    at = r.integers(0, 60, (40, 2))
    rects = np.concatenate([at, r.integers(10, 40, (40, 2))], 1)
    scores, kinds = np.round(r.random(40), 3), r.integers(0, 3, 40)
    kept = cv2.dnn.NMSBoxesBatched(rects.tolist(), scores.tolist(), kinds.tolist(), 0.0, 0.4)
    write(folder + "/boxes.json", {"by": BY, "limit": 0.4, "boxes": rects.tolist(), "scores": scores.tolist(), "classes": kinds.tolist(), "kept": [int(i) for i in kept]})


def write(path, value):
    with open(path, "w") as f:
        json.dump(value, f)
        f.write("\n")


if __name__ == "__main__":
    pictures(HERE + "/picture/testdata")
    regions(HERE + "/region/testdata")
    boxes(HERE + "/box/testdata")
