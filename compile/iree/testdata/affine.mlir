module @m {
  func.func @apply(%x: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = stablehlo.constant dense<2.0> : tensor<2xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<2xf32>
    %2 = stablehlo.constant dense<1.0> : tensor<2xf32>
    %3 = stablehlo.add %1, %2 : tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}
