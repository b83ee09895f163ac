module @remainder {
  func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.remainder %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
