// As torch-mlir and torch-xla write: constants as resources, composites, places, generic forms.
#map = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
#loc1 = loc("model.py":12:4)
module @IrToHlo.12 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  sdy.mesh @mesh = <["data"=1, "model"=1]>
  func.func @main(%arg0: tensor<2x3xf32> {mhlo.sharding = "{replicated}", jax.arg_info = "batch['x']"} loc("x"), %arg1: tensor<1x3xi32> loc(#loc1)) -> (tensor<2x4xf32> {jax.result_info = "out.logits"}, tensor<2x3xf32>, tensor<2xf32>, tensor<1x3xf32>) {
    %0 = stablehlo.constant dense_resource<torch_tensor_4_3_torch.float32> : tensor<4x3xf32> loc(#loc1)
    %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> {result_layout = dense<[0, 1]> : tensor<2xindex>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %2 = "stablehlo.dot"(%arg0, %1) <{precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.composite "aten.gelu" %2 {composite_attributes = {approximate = "none"}, decomposition = @gelu} : (tensor<2x4xf32>) -> tensor<2x4xf32> loc("gelu"(#loc1))
    %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %5 = sdy.sharding_constraint %arg0 <@mesh, [{"data"}, {}]> : tensor<2x3xf32>
    %6 = "stablehlo.constant"() <{value = dense<[[1, 0, 1]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
    %7 = "stablehlo.compare"(%arg1, %6) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %zero = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.reduce"(%5, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32> loc("a"), %b: tensor<f32> loc("b")):
      %s = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc1)
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %one = stablehlo.constant dense<1> : tensor<1x1xi32>
    %9 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 1, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %10 = "stablehlo.scatter"(%5, %one, %9) <{indices_are_sorted = false, scatter_dimension_numbers = #map, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<1x1xi32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %11 = "stablehlo.convert"(%7) : (tensor<1x3xi1>) -> tensor<1x3xf32>
    return %4, %10, %8, %11 : tensor<2x4xf32>, tensor<2x3xf32>, tensor<2xf32>, tensor<1x3xf32> loc(#loc1)
  } loc(#loc)
  func.func private @gelu(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %root = chlo.constant dense<0.707106769> : tensor<f32>
    %0 = chlo.broadcast_multiply %x, %root : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %1 = chlo.erf %0 : tensor<2x4xf32> -> tensor<2x4xf32>
    %ones = stablehlo.constant dense<1.000000e+00> : tensor<2x4xf32>
    %2 = stablehlo.add %1, %ones : tensor<2x4xf32>
    %3 = chlo.broadcast_multiply %half, %2 : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<2x4xf32>
    return %4 : tensor<2x4xf32>
  }
} loc(#loc)
#loc = loc(unknown)
{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_3_torch.float32: "0x040000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041"
    }
  }
#-}
