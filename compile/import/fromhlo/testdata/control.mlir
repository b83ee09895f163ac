module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>, %arg2: tensor<i1>) -> (tensor<4x3xf32> {jax.result_info = "result[0]"}, tensor<4x3xf32> {jax.result_info = "result[1][0]"}, tensor<f32> {jax.result_info = "result[1][1]"}, tensor<3xf32> {jax.result_info = "result[2]"}, tensor<4x3xf32> {jax.result_info = "result[3]"}, tensor<3xf32> {jax.result_info = "result[4]"}, tensor<4x3xf32> {jax.result_info = "result[5]"}, tensor<3xi32> {jax.result_info = "result[6]"}) {
    %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c_0, %arg1, %c_1 : tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %13 = stablehlo.add %arg0, %12 : tensor<4x3xf32>
      stablehlo.return %13 : tensor<4x3xf32>
    }, {
      %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %13 = stablehlo.multiply %arg0, %12 : tensor<4x3xf32>
      stablehlo.return %13 : tensor<4x3xf32>
    }, {
      %12 = stablehlo.negate %arg0 : tensor<4x3xf32>
      stablehlo.return %12 : tensor<4x3xf32>
    }) : (tensor<i32>) -> tensor<4x3xf32>
    %2 = stablehlo.convert %arg2 : (tensor<i1>) -> tensor<i32>
    %3:2 = "stablehlo.case"(%2) ({
      %12 = stablehlo.multiply %arg0, %arg0 : tensor<4x3xf32>
      %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %13 = stablehlo.reduce(%arg0 init: %cst_8) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %12, %13 : tensor<4x3xf32>, tensor<f32>
    }, {
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.reduce(%arg0 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %arg0, %12 : tensor<4x3xf32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<4x3xf32>, tensor<f32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:4 = stablehlo.while(%iterArg = %arg0, %iterArg_8 = %c_3, %iterArg_9 = %4, %iterArg_10 = %5) : tensor<4x3xf32>, tensor<i32>, tensor<3xf32>, tensor<4x3xf32>
    cond {
      %c_11 = stablehlo.constant dense<4> : tensor<i32>
      %12 = stablehlo.compare LT, %iterArg_8, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %12 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_8) : (tensor<4x3xf32>, tensor<i32>) -> tensor<3xf32>
      %13:2 = func.call @closed_call(%iterArg_9, %12) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      %14 = func.call @dynamic_update_index_in_dim(%iterArg_10, %13#1, %iterArg_8) : (tensor<4x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_8, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %15, %13#0, %14 : tensor<4x3xf32>, tensor<i32>, tensor<3xf32>, tensor<4x3xf32>
    }
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %8:4 = stablehlo.while(%iterArg = %arg0, %iterArg_8 = %c_5, %iterArg_9 = %arg1, %iterArg_10 = %7) : tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<3xf32>
    cond {
      %12 = stablehlo.compare LT, %iterArg_8, %iterArg_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_8, %c_11 : tensor<i32>
      %13 = stablehlo.slice %iterArg [0:1, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
      %14 = stablehlo.reshape %13 : (tensor<1x3xf32>) -> tensor<3xf32>
      %15 = stablehlo.convert %iterArg_8 : (tensor<i32>) -> tensor<f32>
      %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %17 = stablehlo.multiply %16, %14 : tensor<3xf32>
      %18 = stablehlo.add %iterArg_10, %17 : tensor<3xf32>
      stablehlo.return %iterArg, %12, %iterArg_9, %18 : tensor<4x3xf32>, tensor<i32>, tensor<i32>, tensor<3xf32>
    }
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %10:3 = stablehlo.while(%iterArg = %arg0, %iterArg_8 = %c_7, %iterArg_9 = %9) : tensor<4x3xf32>, tensor<i32>, tensor<4x3xf32>
    cond {
      %c_10 = stablehlo.constant dense<4> : tensor<i32>
      %12 = stablehlo.compare LT, %iterArg_8, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %12 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_8) : (tensor<4x3xf32>, tensor<i32>) -> tensor<3xf32>
      %13 = func.call @closed_call_0(%12) : (tensor<3xf32>) -> tensor<3xf32>
      %14 = func.call @dynamic_update_index_in_dim(%iterArg_9, %13, %iterArg_8) : (tensor<4x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<4x3xf32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_8, %c_10 : tensor<i32>
      stablehlo.return %iterArg, %15, %14 : tensor<4x3xf32>, tensor<i32>, tensor<4x3xf32>
    }
    %11 = stablehlo.while(%iterArg = %c) : tensor<3xi32>
    cond {
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %12 = stablehlo.reduce(%iterArg init: %c_8) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
      %c_9 = stablehlo.constant dense<50> : tensor<i32>
      %13 = stablehlo.compare LT, %12, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %12 = stablehlo.slice %iterArg [1:3] : (tensor<3xi32>) -> tensor<2xi32>
      %13 = stablehlo.slice %iterArg [2:3] : (tensor<3xi32>) -> tensor<1xi32>
      %c_8 = stablehlo.constant dense<2> : tensor<i32>
      %14 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %15 = stablehlo.multiply %13, %14 : tensor<1xi32>
      %16 = stablehlo.concatenate %12, %15, dim = 0 : (tensor<2xi32>, tensor<1xi32>) -> tensor<3xi32>
      stablehlo.return %16 : tensor<3xi32>
    }
    return %1, %3#0, %3#1, %6#2, %6#3, %8#3, %10#2, %11 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xi32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x3xf32>, %arg1: tensor<i32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 3] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<3xf32>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<3xf32>
    return %0, %1 : tensor<3xf32>, tensor<3xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<i32>) -> tensor<4x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
    return %1 : tensor<4x3xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<3xf32>
    return %2 : tensor<3xf32>
  }
}
