// A loop that carries caches which a state variable holds.
module @carried {
  util.global private mutable @k = dense<1.0e-4> : tensor<1000x1x64xf16>
  util.global private mutable @v = dense<2.0e-4> : tensor<1000x1x64xf16>
  func.func @gen(%start: tensor<i32>, %most: tensor<i32>) -> tensor<1x64xf32> {
    %k = util.global.load @k : tensor<1000x1x64xf16>
    %v = util.global.load @v : tensor<1000x1x64xf16>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %x0 = stablehlo.constant dense<0.5> : tensor<1x64xf32>
    %r:4 = stablehlo.while(%i = %z, %x = %x0, %kk = %k, %vv = %v) : tensor<i32>, tensor<1x64xf32>, tensor<1000x1x64xf16>, tensor<1000x1x64xf16>
    cond {
      %c = stablehlo.compare LT, %i, %most, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %p = stablehlo.add %start, %i : tensor<i32>
      %xr = stablehlo.reshape %x : (tensor<1x64xf32>) -> tensor<1x1x64xf32>
      %xh = stablehlo.convert %xr : (tensor<1x1x64xf32>) -> tensor<1x1x64xf16>
      %pi = "tensor.extract"(%p) : (tensor<i32>) -> i32
      %pj = "arith.index_cast"(%pi) : (i32) -> index
      %k1 = "tensor.insert_slice"(%xh, %kk, %pj) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 1, 64>, static_strides = array<i64: 1, 1, 1>}> : (tensor<1x1x64xf16>, tensor<1000x1x64xf16>, index) -> tensor<1000x1x64xf16>
      %v1 = "tensor.insert_slice"(%xh, %vv, %pj) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 1, 64>, static_strides = array<i64: 1, 1, 1>}> : (tensor<1x1x64xf16>, tensor<1000x1x64xf16>, index) -> tensor<1000x1x64xf16>
      %f = stablehlo.convert %k1 : (tensor<1000x1x64xf16>) -> tensor<1000x1x64xf32>
      %g = stablehlo.convert %v1 : (tensor<1000x1x64xf16>) -> tensor<1000x1x64xf32>
      %m = stablehlo.multiply %f, %g : tensor<1000x1x64xf32>
      %zf = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%m init: %zf) applies stablehlo.add across dimensions = [0] : (tensor<1000x1x64xf32>, tensor<f32>) -> tensor<1x64xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %s, %k1, %v1 : tensor<i32>, tensor<1x64xf32>, tensor<1000x1x64xf16>, tensor<1000x1x64xf16>
    }
    util.global.store %r#2, @k : tensor<1000x1x64xf16>
    util.global.store %r#3, @v : tensor<1000x1x64xf16>
    return %r#1 : tensor<1x64xf32>
  }
}
