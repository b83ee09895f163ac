// A linear layer of one row with its weight stored by rows, as models have it.
module {
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<512x256xf32>
  func.func @linear(%x: tensor<1x256xf32>) -> tensor<1x512xf32> {
    %w = util.global.load @w : tensor<512x256xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x256xf32>, tensor<512x256xf32>) -> tensor<1x512xf32>
    return %0 : tensor<1x512xf32>
  }
}
