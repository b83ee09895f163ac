module @m {
  // parameter "a/bias": dense f32[3]
  // parameter "scale": dense f32[2]
  // parameter "z.weight": dense f16[3x2]
  func.func private @linear(%x: tensor<1x2xf32>, %w.0: tensor<3xf32>, %w.1: tensor<3x2xf16>) -> (tensor<1x3xf32>) {
    %0 = stablehlo.convert %w.1 : (tensor<3x2xf16>) -> tensor<3x2xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [1] : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.broadcast_in_dim %w.0, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %3 = stablehlo.add %1, %2 : tensor<1x3xf32>
    return %3 : tensor<1x3xf32>
  }
  func.func @apply(%x: tensor<1x2xf32>, %w.0: tensor<3xf32>, %w.1: tensor<3x2xf16>) -> (tensor<1x3xf32>) {
    %0 = func.call @linear(%x, %w.0, %w.1) : (tensor<1x2xf32>, tensor<3xf32>, tensor<3x2xf16>) -> (tensor<1x3xf32>)
    return %0 : tensor<1x3xf32>
  }
  func.func @scaled(%x: tensor<2xf32>, %w.0: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = stablehlo.multiply %x, %w.0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
