module @types {
  func.func @bool(%x: tensor<2x2xi1>) -> tensor<2x2xi1> {
    %0 = stablehlo.not %x : tensor<2x2xi1>
    return %0 : tensor<2x2xi1>
  }
  func.func @i8(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
    %0 = stablehlo.add %x, %x : tensor<2x2xi8>
    return %0 : tensor<2x2xi8>
  }
  func.func @i16(%x: tensor<2x2xi16>) -> tensor<2x2xi16> {
    %0 = stablehlo.add %x, %x : tensor<2x2xi16>
    return %0 : tensor<2x2xi16>
  }
  func.func @i32(%x: tensor<2x2xi32>) -> tensor<2x2xi32> {
    %0 = stablehlo.add %x, %x : tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
  func.func @i64(%x: tensor<2x2xi64>) -> tensor<2x2xi64> {
    %0 = stablehlo.add %x, %x : tensor<2x2xi64>
    return %0 : tensor<2x2xi64>
  }
  func.func @u8(%x: tensor<2x2xui8>) -> tensor<2x2xui8> {
    %0 = stablehlo.add %x, %x : tensor<2x2xui8>
    return %0 : tensor<2x2xui8>
  }
  func.func @u16(%x: tensor<2x2xui16>) -> tensor<2x2xui16> {
    %0 = stablehlo.add %x, %x : tensor<2x2xui16>
    return %0 : tensor<2x2xui16>
  }
  func.func @u32(%x: tensor<2x2xui32>) -> tensor<2x2xui32> {
    %0 = stablehlo.add %x, %x : tensor<2x2xui32>
    return %0 : tensor<2x2xui32>
  }
  func.func @u64(%x: tensor<2x2xui64>) -> tensor<2x2xui64> {
    %0 = stablehlo.add %x, %x : tensor<2x2xui64>
    return %0 : tensor<2x2xui64>
  }
  func.func @f16(%x: tensor<2x2xf16>) -> tensor<2x2xf16> {
    %0 = stablehlo.add %x, %x : tensor<2x2xf16>
    return %0 : tensor<2x2xf16>
  }
  func.func @bf16(%x: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
    %0 = stablehlo.add %x, %x : tensor<2x2xbf16>
    return %0 : tensor<2x2xbf16>
  }
  func.func @f32(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
  func.func @f64(%x: tensor<2x2xf64>) -> tensor<2x2xf64> {
    %0 = stablehlo.add %x, %x : tensor<2x2xf64>
    return %0 : tensor<2x2xf64>
  }
  func.func @scalar(%x: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.add %x, %x : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
    %0 = stablehlo.add %x, %x : tensor<0x4xf32>
    return %0 : tensor<0x4xf32>
  }
  func.func @dynamic(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
    %0 = stablehlo.add %x, %x : tensor<?x2xf32>
    return %0 : tensor<?x2xf32>
  }
}
