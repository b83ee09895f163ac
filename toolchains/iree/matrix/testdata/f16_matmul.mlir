module @f16_matmul {
  func.func @main(%x: tensor<4x64xf16>, %y: tensor<32x64xf16>) -> tensor<4x32xf32> {
    %0 = stablehlo.convert %x : (tensor<4x64xf16>) -> tensor<4x64xf32>
    %1 = stablehlo.convert %y : (tensor<32x64xf16>) -> tensor<32x64xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [1] : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
    return %2 : tensor<4x32xf32>
  }
}
