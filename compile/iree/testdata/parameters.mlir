module @m {
  util.global private @"a/bias" = #flow.parameter.named<"model"::"a/bias"> : tensor<3xf32> // dense f32[3]
  util.global private @"z.weight" = #flow.parameter.named<"model"::"z.weight"> : tensor<3x2xf16> // dense f16[3x2]
  func.func @linear(%x: tensor<1x2xf32>) -> (tensor<1x3xf32>) {
    %0 = util.global.load @"z.weight" : tensor<3x2xf16>
    %1 = stablehlo.convert %0 : (tensor<3x2xf16>) -> tensor<3x2xf32>
    %2 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [1] : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
    %3 = util.global.load @"a/bias" : tensor<3xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %5 = stablehlo.add %2, %4 : tensor<1x3xf32>
    return %5 : tensor<1x3xf32>
  }
}
