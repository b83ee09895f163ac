"""Writes configs/VERSION.json: adapter_config.json as LoraConfig's defaults are saved by a
release of PEFT.

    pip download --no-deps peft==VERSION
    gen_configs.py peft-VERSION-py3-none-any.whl... configs

The two modules of settings run from the wheel as they are. What they import, such as
torch, has no part in saving them and is replaced by mocks.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import types
import zipfile
from unittest.mock import MagicMock


def wheel_version(wheel):
    return os.path.basename(wheel).split("-")[1]


def save(wheel, out):
    folder = tempfile.mkdtemp()
    zipfile.ZipFile(wheel).extractall(folder)
    for name in "torch", "transformers", "transformers.utils", "huggingface_hub", "packaging", "packaging.version":
        sys.modules[name] = MagicMock()
    sys.modules["transformers.utils"].PushToHubMixin = object
    for name in "peft", "peft.tuners", "peft.tuners.lora":  # without their __init__.py, which imports models
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [os.path.join(folder, *name.split("."))]
    sys.modules["peft"].__version__ = wheel_version(wheel)
    sys.modules["peft.utils"] = MagicMock()
    sys.modules["peft.utils"].CONFIG_NAME = "adapter_config.json"

    def load(name):
        spec = importlib.util.spec_from_file_location(name, os.path.join(folder, *name.split(".")) + ".py")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    kinds = load("peft.utils.peft_types")
    sys.modules["peft.utils"].PeftType, sys.modules["peft.utils"].TaskType = kinds.PeftType, kinds.TaskType
    load("peft.config")
    where = tempfile.mkdtemp()
    load("peft.tuners.lora.config").LoraConfig(
        base_model_name_or_path="a/model", task_type="CAUSAL_LM", target_modules=["q_proj"]).save_pretrained(where)
    shutil.copy(os.path.join(where, "adapter_config.json"), os.path.join(out, wheel_version(wheel) + ".json"))


if len(sys.argv) == 3:
    save(*sys.argv[1:])
else:
    for wheel in sys.argv[1:-1]:
        subprocess.run([sys.executable, __file__, wheel, sys.argv[-1]], check=True)
