module @affine {
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>) {
    %0 = stablehlo.constant dense<2.0> : tensor<4xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
    %2 = stablehlo.constant dense<1.0> : tensor<4xf32>
    %3 = stablehlo.add %1, %2 : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
