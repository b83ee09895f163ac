// A layer norm of a product that is transposed and added to its input, as mixers of tokens have it.
module @m {
  func.func @main(%a: tensor<16x64xf32>, %w: tensor<16x32xf32>, %x: tensor<64x32xf32>, %bias: tensor<16xf32>) -> (tensor<16x64xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<16x32xf32>) -> tensor<64x16xf32>
    %1 = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<16xf32>) -> tensor<64x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<64x16xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %4 = stablehlo.add %a, %3 : tensor<16x64xf32>
    %5 = stablehlo.constant dense<0.0> : tensor<f32>
    %6 = stablehlo.reduce(%4 init: %5) applies stablehlo.add across dimensions = [1] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
    %7 = stablehlo.optimization_barrier %6 : tensor<16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
    %9 = stablehlo.subtract %4, %8 : tensor<16x64xf32>
    return %9 : tensor<16x64xf32>
  }
}
