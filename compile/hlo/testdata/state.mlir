module @m {
  func.func @push(%row: tensor<1x2xf32>, %pos: tensor<i32>, %w.0: tensor<4x2xf32> {tf.aliasing_output = 1 : i32}, %w.1: tensor<4x2xf32> {tf.aliasing_output = 2 : i32}) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %w.0, %row, %pos, %0 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
    %2 = stablehlo.negate %row : tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %w.1, %2, %pos, %0 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
    return %1, %1, %3 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
  }
  func.func @sum(%w.0: tensor<4x2xf32>) -> (tensor<2xf32>) {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%w.0 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
