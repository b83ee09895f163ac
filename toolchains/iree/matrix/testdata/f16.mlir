module @f16 {
  func.func @main(%x: tensor<4xf16>) -> tensor<4xf32> {
    %0 = stablehlo.convert %x : (tensor<4xf16>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
