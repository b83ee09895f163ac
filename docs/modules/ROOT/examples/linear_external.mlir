module @linear {
  util.global private @b = #flow.parameter.named<"model"::"b"> : tensor<2xf32> // dense f32[2]
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<2x2xf32> // dense f32[2x2]
  func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = util.global.load @w : tensor<2x2xf32>
    %1 = util.global.load @b : tensor<2xf32>
    %2 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.add %2, %1 : tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}
