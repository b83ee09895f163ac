module @linear {
  util.global private @w = #flow.parameter.named<"model"::"layer.weight"> : tensor<3x2xf32>
  util.global private mutable @count = dense<0> : tensor<i32>
  func.func @apply(%x: tensor<2x2xf32>) -> tensor<2x3xf32> {
    %w = util.global.load @w : tensor<3x2xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @fold(%x: tensor<2x3xf32>) -> tensor<2xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @next() -> tensor<i32> {
    %c = util.global.load @count : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %c, %one : tensor<i32>
    util.global.store %0, @count : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @block(%x: tensor<f32>) -> tensor<128x128xf32> {
    %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<128x128xf32>
    return %0 : tensor<128x128xf32>
  }
}
