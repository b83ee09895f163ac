"""The public rules.

    load("@skainet//rules:defs.bzl", "skainet_model")
"""

load("//rules/private:iree_bench.bzl", _iree_bench = "iree_bench")
load("//rules/private:iree_embed.bzl", _iree_go_embed = "iree_go_embed")
load("//rules/private:iree_parity_test.bzl", _iree_parity_test = "iree_parity_test")
load("//rules/private:iree_run.bzl", _iree_run = "iree_run")
load("//rules/private:iree_run_test.bzl", _iree_run_test = "iree_run_test")
load("//rules/private:iree_size_test.bzl", _iree_size_test = "iree_size_test")
load("//rules/private:iree_vmfb.bzl", _iree_vmfb = "iree_vmfb")
load("//rules/private:irpa_archive.bzl", _irpa_archive = "irpa_archive")
load("//rules/private:model_run.bzl", _model_run = "model_run")
load("//rules/private:model_tar.bzl", _model_tar = "model_tar")
load("//rules/private:operators.bzl", _operations_page = "operations_page", _operators_test = "operators_test")
load("//rules/private:program_parts.bzl", _program_parts = "program_parts")
load(
    "//rules/private:providers.bzl",
    _IrpaInfo = "IrpaInfo",
    _ModelInfo = "ModelInfo",
    _ParityInfo = "ParityInfo",
    _StableHloInfo = "StableHloInfo",
    _VmfbInfo = "VmfbInfo",
    _WeightsIndexInfo = "WeightsIndexInfo",
    _XlaInfo = "XlaInfo",
)
load("//rules/private:shared_archive.bzl", _shared_archive = "shared_archive")
load("//rules/private:skainet_go_library.bzl", _skainet_go_library = "skainet_go_library")
load("//rules/private:skainet_layer_diff.bzl", _skainet_layer_diff = "skainet_layer_diff")
load("//rules/private:skainet_model.bzl", _skainet_model = "skainet_model")
load("//rules/private:stablehlo_export.bzl", _stablehlo_export = "stablehlo_export")
load("//rules/private:weights_index.bzl", _weights_index = "weights_index")
load("//rules/private:xla_executable.bzl", _xla_executable = "xla_executable")
load("//toolchains/iree:target.bzl", _iree_target = "iree_target")

skainet_model = _skainet_model
stablehlo_export = _stablehlo_export
weights_index = _weights_index
irpa_archive = _irpa_archive
shared_archive = _shared_archive
iree_target = _iree_target
iree_vmfb = _iree_vmfb
xla_executable = _xla_executable
iree_parity_test = _iree_parity_test
iree_size_test = _iree_size_test
iree_bench = _iree_bench
skainet_layer_diff = _skainet_layer_diff
model_run = _model_run
model_tar = _model_tar
iree_run = _iree_run
iree_run_test = _iree_run_test
iree_go_embed = _iree_go_embed
program_parts = _program_parts
skainet_go_library = _skainet_go_library
operators_test = _operators_test
operations_page = _operations_page

ModelInfo = _ModelInfo
ParityInfo = _ParityInfo
StableHloInfo = _StableHloInfo
WeightsIndexInfo = _WeightsIndexInfo
IrpaInfo = _IrpaInfo
VmfbInfo = _VmfbInfo
XlaInfo = _XlaInfo
