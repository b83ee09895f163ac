#!/usr/bin/env bash
# Builds the targets of //rules/tests/bad, each of which must fail with its code,
# name the file or key at fault, exit with Bazel's status for a failed build, and
# leave no output.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
package=rules/tests/bad
bin=$(./bazelw info bazel-bin 2>/dev/null)/$package
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# target | output | code | what the message names
cases='
index_of_empty             | index_of_empty.json             | WEIGHTS_UNKNOWN_FORMAT | empty.bin
index_of_foreign           | index_of_foreign.json           | WEIGHTS_UNKNOWN_FORMAT | foreign.bin
index_of_variable_data_cut | index_of_variable_data_cut.json | CT2_TRUNCATED          | variable_data_cut.bin
index_of_variable_dtype_6  | index_of_variable_dtype_6.json  | CT2_BAD_DTYPE          | variable_dtype_6.bin
onnx_border_last_byte_graph  | onnx_border_last_byte.graph.json  | ONNX_TRUNCATED      | border_last_byte.onnx
onnx_external_up_graph       | onnx_external_up.graph.json       | ONNX_EXTERNAL       | external_up.onnx
onnx_file_empty_graph        | onnx_file_empty.graph.json        | MODELFILE_UNKNOWN   | file_empty.onnx
onnx_length_max_graph        | onnx_length_max.graph.json        | ONNX_TRUNCATED      | length_max.onnx
onnx_length_over_graph_graph | onnx_length_over_graph.graph.json | ONNX_BAD_LENGTH     | length_over_graph.onnx
onnx_many_graphs_inside_graph    | onnx_many_graphs_inside.graph.json    | ONNX_WIRE           | many_graphs_inside.onnx
onnx_many_million_nodes_graph    | onnx_many_million_nodes.graph.json    | ONNX_LIMIT          | many_million_nodes.onnx
onnx_name_made_twice_graph   | onnx_name_made_twice.graph.json   | ONNX_DUPLICATE_NAME | name_made_twice.onnx
onnx_name_stored_twice_graph | onnx_name_stored_twice.graph.json | ONNX_DUPLICATE_NAME | name_stored_twice.onnx
onnx_node_circle_graph           | onnx_node_circle.graph.json           | ONNX_ORDER          | node_circle.onnx
onnx_shape_size_2_62_graph       | onnx_shape_size_2_62.graph.json       | ONNX_BAD_SHAPE      | shape_size_2_62.onnx
onnx_unknown_operator_graph  | onnx_unknown_operator.graph.json  | ONNX_UNMAPPED       | odd (com.example.Odd)
onnx_wire_group_graph            | onnx_wire_group.graph.json            | ONNX_WIRE           | wire_group.onnx
pack_variable_data_cut     | pack_variable_data_cut.irpa     | CT2_TRUNCATED          | variable_data_cut.bin
pack_no_v                  | pack_no_v.irpa                  | PACK_MISSING_KEY       | no_v.bin: v:
pack_long_w                | pack_long_w.irpa                | PACK_TYPE_MISMATCH     | long_w.bin: w:
pack_other_scope           | pack_other_scope.irpa           | CONTRACT_NO_SCOPE      | "adapter"
misspelt_mlir              | misspelt_mlir.mlir              | INDEX_MISSING_TENSOR   | TENSOR: weight:
broken_text                | broken_text.mlir.checked        | HLO_UNDEFINED          | 6:33: %9
no_weights_mlir            | no_weights_mlir.mlir            | LANG_NO_WEIGHTS        | weights =
other_weights              | other_weights.archives.checked  | IREE_PARAMETERS        | model::
embed_other_files          | embed_other_files/embed.go      | IREE_PARAMETERS        | model::
embed_other_c_files        | embed_other_c.h                 | IREE_PARAMETERS        | model::
no_such_target             | no_such_target.vmfb             | VMFB_TARGET            | cpu_z80
refused_cuda_sm_90         | refused_cuda_sm_90.vmfb         | VMFB_REFUSED           | cuda_sm_89
refused_webgpu             | refused_webgpu.vmfb             | VMFB_REFUSED           | vulkan_generic
no_row_for_platform        | no_row_for_platform.vmfb        | VMFB_PLATFORM          | ppc_board
host_cpu                   | host_cpu.vmfb                   | IREE_FLAGS             | x86-64-v3
unknown_flag               | unknown_flag.vmfb               | IREE_FLAGS             | target vmvx: --iree-no-such-flag=1
unknown_cpu_vmfb           | unknown_cpu_vmfb.vmfb           | IREE_CPU               | target unknown_cpu: --iree-llvmcpu-target-cpu=cortex-a67
unknown_feature_vmfb       | unknown_feature_vmfb.vmfb       | IREE_CPU               | use +dotprod
'

failed=0
while IFS='|' read -r target output code names; do
  read -r target output code names <<<"$target $output $code $names"
  [[ -n $target ]] || continue
  status=0 faults=
  ./bazelw build --color=no --curses=no --noshow_progress "//$package:$target" >"$out" 2>&1 || status=$?
  ((status == 1)) || faults+=" status $status in place of 1;"
  grep -q "$code" "$out" || faults+=" no $code;"
  grep "$code" "$out" | grep -qF -- "$names" || faults+=" $names is not named;"
  [[ ! -e $bin/$output ]] || faults+=" $output was left;"
  compgen -G "$bin/.partial-*" >/dev/null && faults+=" a partial file was left;"
  if [[ -n $faults ]]; then
    echo "FAILED: $target:$faults"
    cat "$out"
    failed=1
  else
    echo "ok: $target: $(grep "$code" "$out" | tail -n 1 | cut -c 1-220)"
  fi
done <<<"$cases"
((failed == 0)) && echo "PASSED"
