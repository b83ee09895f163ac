// What JAX, TensorFlow and PyTorch write around operations. jaxlib takes it, with the dialect sdy.
#conv = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
#loc1 = loc("model.py":12:4)
module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]>
  func.func public @main(%arg0: tensor<1x4x4x2xf32> {jax.buffer_donor = true, mhlo.sharding = "{replicated}"} loc("x"), %arg1: tensor<3xi32> loc(#loc1)) -> (tensor<1x4x4x2xf32> {jax.result_info = "y"}, tensor<3xi32>) {
    %cst = stablehlo.constant dense_resource<kernel> : tensor<1x1x2x2xf32> loc(#loc1)
    %0 = "stablehlo.convolution"(%arg0, %cst) <{batch_group_count = 1 : i64, dimension_numbers = #conv, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32> loc("conv"(#loc1))
    %1 = stablehlo.composite "my.double" %0 {composite_attributes = {scale = 2.0 : f32}, decomposition = @double, version = 1 : i32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"data"}, {}, {}, {}]> : tensor<1x4x4x2xf32>
    %3 = stablehlo.convert %arg1 : tensor<3xi32>
    %4 = stablehlo.reduce_precision %2, format = e5m10 : tensor<1x4x4x2xf32>
    %5 = stablehlo.custom_call @Sharding(%3) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<3xi32>) -> tensor<3xi32>
    return %4, %5 : tensor<1x4x4x2xf32>, tensor<3xi32> loc(#loc1)
  } loc(#loc)
  func.func private @double(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [0, 1, 2, 3] x [0, 1, 2, 3], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x4x2xf32>
    return %1 : tensor<1x4x4x2xf32>
  }
} loc(#loc)
#loc = loc(unknown)
{-#
  dialect_resources: {
    builtin: {
      kernel: "0x040000000000803F000000000000000000000040"
    }
  }
#-}
