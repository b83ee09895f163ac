module @m {
  util.global private mutable @k = dense<0.0> : tensor<4x2xf32>
  util.global private mutable @v = dense<1.0e-30> : tensor<4x2xf32>
  func.func @push(%row: tensor<1x2xf32>, %pos: tensor<i32>) -> (tensor<4x2xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = util.global.load @k : tensor<4x2xf32>
    %2 = stablehlo.dynamic_update_slice %1, %row, %pos, %0 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
    %3 = util.global.load @v : tensor<4x2xf32>
    %4 = stablehlo.negate %row : tensor<1x2xf32>
    %5 = stablehlo.dynamic_update_slice %3, %4, %pos, %0 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
    util.global.store %2, @k : tensor<4x2xf32>
    util.global.store %5, @v : tensor<4x2xf32>
    return %2 : tensor<4x2xf32>
  }
}
