module @f32_to_i64 {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xi64> {
    %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
