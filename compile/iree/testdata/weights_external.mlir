module @m {
  util.global private @b = #flow.parameter.named<"toy"::"b"> : tensor<2xf32> // dense f32[2]
  util.global private @"layer.w" = #flow.parameter.named<"toy"::"layer.w"> : tensor<2x2xf32> // dense f32[2x2]
  func.func @apply(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>) {
    %0 = util.global.load @"layer.w" : tensor<2x2xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = util.global.load @b : tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
    %4 = stablehlo.add %1, %3 : tensor<2x2xf32>
    %5 = stablehlo.constant dense<[7.0, 8.0]> : tensor<2xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
    %7 = stablehlo.subtract %4, %6 : tensor<2x2xf32>
    return %7 : tensor<2x2xf32>
  }
  func.func @again(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>) {
    %0 = util.global.load @"layer.w" : tensor<2x2xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = util.global.load @b : tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
    %4 = stablehlo.add %1, %3 : tensor<2x2xf32>
    %5 = stablehlo.constant dense<[7.0, 8.0]> : tensor<2xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
    %7 = stablehlo.subtract %4, %6 : tensor<2x2xf32>
    return %7 : tensor<2x2xf32>
  }
}
