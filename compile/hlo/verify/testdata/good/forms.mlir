module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32> {jax.arg_info = "x", tf.aliasing_output = 0 : i32}, %arg1: tensor<i32>) -> (tensor<4x8xf32> {jax.result_info = "result"}, tensor<i1>) attributes {some.unit} {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %none = stablehlo.constant dense<> : tensor<0x3xf32>
    %hex = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
    %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %low, %high = stablehlo.optimization_barrier %cst, %inf : tensor<f32>, tensor<f32>
    %arg1_is = stablehlo.compare GT, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %0 = "stablehlo.if"(%arg1_is) ({
      %5 = stablehlo.negate %arg0 : tensor<4x8xf32>
      stablehlo.return %5 : tensor<4x8xf32>
    }, {
      stablehlo.return %arg0 : tensor<4x8xf32>
    }) : (tensor<i1>) -> tensor<4x8xf32>
    return %0, %arg1_is : tensor<4x8xf32>, tensor<i1>
  }
}
// -----
func.func @branches(%i: tensor<i32>, %p: tensor<i1>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<4x8xf32>
  }, {
    %1 = stablehlo.abs %x : tensor<4x8xf32>
    stablehlo.return %1 : tensor<4x8xf32>
  }) : (tensor<i32>) -> tensor<4x8xf32>
  %2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.ceil %0 : tensor<4x8xf32>
    stablehlo.return %1 : tensor<4x8xf32>
  }, {
    stablehlo.return %0 : tensor<4x8xf32>
  }) : (tensor<i1>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// -----
func.func @loops(%x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = "stablehlo.while"(%c, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<f32>):
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<f32>):
    %1 = stablehlo.add %i, %n : tensor<i32>
    %2 = stablehlo.add %v, %v : tensor<f32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
  }) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  return %0#1, %0 : tensor<f32>, tensor<i32>
}
// -----
func.func @sorts(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi32>
}
// -----
func.func @top(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %0, %1 = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return %0 : tensor<4x3xf32>
}
// -----
func.func @windows(%x: tensor<1x2x8x8xf32>, %k: tensor<4x1x3x3xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x4x4x8xf32>, tensor<1x2x3x3xf32>) {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [0, 0], [1, 0], [0, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<1x2x8x8xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 1], [2, 2]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x4x8xf32>
  %3 = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>, window_dilations = array<i64: 1, 1, 3, 3>} : (tensor<1x2x8x8xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  return %0, %1, %3 : tensor<1x2x4x4xf32>, tensor<1x4x4x8xf32>, tensor<1x2x3x3xf32>
}
// -----
func.func @scatters(%t: tensor<5x8xf32>, %i: tensor<2x1xi32>, %u: tensor<2x8xf32>) -> tensor<5x8xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}
// -----
func.func @dynamic(%x: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.constant dense<8> : tensor<1xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.dynamic_broadcast_in_dim %b, %3, dims = [1] : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %5 = stablehlo.add %x, %4 : tensor<?x8xf32>
  %6 = stablehlo.dynamic_iota %3, dim = 0 : (tensor<2xi32>) -> tensor<?x8xf32>
  %7 = stablehlo.dynamic_reshape %6, %3 : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %8 = stablehlo.multiply %5, %7 : tensor<?x8xf32>
  return %8 : tensor<?x8xf32>
}
// -----
func.func @others(%x: tensor<2x3xf32>, %c: tensor<2xcomplex<f32>>, %i: tensor<2xui32>) -> tensor<2x3xf32> {
  %0 = stablehlo.custom_call @target(%x, %x) {backend_config = "", api_version = 2 : i32} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.clamp %0, %x, %0 : tensor<2x3xf32>
  %2 = stablehlo.reverse %1, dims = [0, 1] : tensor<2x3xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x3xf32>) -> tensor<2x3x4xui8>
  %4 = stablehlo.bitcast_convert %3 : (tensor<2x3x4xui8>) -> tensor<2x3xf32>
  %5 = stablehlo.exponential %c : tensor<2xcomplex<f32>>
  %6 = stablehlo.popcnt %i : tensor<2xui32>
  %7 = "stablehlo.dot_general"(%4, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %8 = "stablehlo.slice"(%7) <{limit_indices = array<i64: 2, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %10 = stablehlo.is_finite %9 : (tensor<2x3xf32>) -> tensor<2x3xi1>
  stablehlo.negate %9 : tensor<2x3xf32> // a result needs no name
  return %9 : tensor<2x3xf32>
}
// -----
module @encoded attributes {skainet.tensor_encodings = {"0/w" = "Q4_K", blk.0.attn_q.weight = "Q8_0", w_q4 = "Q4_0"}} {
  // parameter "0/w": Q4_K f32[4x256]
  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.negate %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
