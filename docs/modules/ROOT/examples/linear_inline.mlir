module @linear {
  func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
    %1 = stablehlo.constant dense<0.0> : tensor<2xf32>
    %2 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.add %2, %1 : tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}
