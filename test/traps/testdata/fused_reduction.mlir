// A reduction whose value is spread again over what it reduced, with nothing
// that keeps the two apart.
func.func @shift(%x: tensor<2x3x40xf32>) -> tensor<2x3x40xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3x40xf32>, tensor<f32>) -> tensor<2x40xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<2x40xf32>) -> tensor<2x3x40xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<2x3x40xf32>
  %3 = stablehlo.exponential %2 : tensor<2x3x40xf32>
  return %3 : tensor<2x3x40xf32>
}
