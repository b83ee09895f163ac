"""Writes dates.json: what Python's datetime.strftime makes of directives, as Hugging
Face's strftime_now calls it, on Linux.

    python3 gen_dates.py > dates.json
"""
import datetime
import json

TIMES = [
    datetime.datetime(2026, 7, 5, 3, 4, 9, 1234), datetime.datetime(2024, 12, 30), datetime.datetime(2021, 1, 3, 12, 30, 59, 999999),
    datetime.datetime(2028, 2, 29, 23, 59), datetime.datetime(2000, 10, 10, 10, 10, 10), datetime.datetime(2027, 1, 1, 1, 1, 1),
]
FORMATS = ["%" + c for c in "aAbBcCdDeFfgGhHIjklmMnpPrRStTuUVwWxXyYzZ%"] + ["%-" + c for c in "dHIjmMS"]
FORMATS += ["", "today", "%d %b %Y", "%B %d, %Y", "%Y-%m-%d", "100%% on %-d.%-m.%Y", "%%d %Y%m%dT%H%M%S.%f", "Größe %A 世界"]
print(json.dumps([{"time": t.isoformat(), "format": f, "text": t.strftime(f)} for t in TIMES for f in FORMATS], ensure_ascii=False, indent=0))
