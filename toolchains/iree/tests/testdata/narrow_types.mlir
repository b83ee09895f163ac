module @narrow {
  func.func @f16_matmul(%a: tensor<4x64xf16>, %b: tensor<32x64xf16>) -> tensor<4x32xf32> {
    %x = stablehlo.convert %a : (tensor<4x64xf16>) -> tensor<4x64xf32>
    %y = stablehlo.convert %b : (tensor<32x64xf16>) -> tensor<32x64xf32>
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
    return %0 : tensor<4x32xf32>
  }
  func.func @mask(%a: tensor<8x8xf32>, %m: tensor<8x8xi1>) -> tensor<8x8xf32> {
    %z = stablehlo.constant dense<-1.0> : tensor<8x8xf32>
    %0 = stablehlo.select %m, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  func.func @bytes(%a: tensor<64xi8>) -> tensor<64xf32> {
    %0 = stablehlo.convert %a : (tensor<64xi8>) -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}
