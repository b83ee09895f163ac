module @sample {
  func.func @power_f32(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<6xf32>) {
    %0 = stablehlo.power %a, %b : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @affine(%x: tensor<3xf32>) -> (tensor<3xf32>) {
    %0 = stablehlo.constant dense<2.0> : tensor<3xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<3xf32>
    %2 = stablehlo.constant dense<1.0> : tensor<3xf32>
    %3 = stablehlo.add %1, %2 : tensor<3xf32>
    return %3 : tensor<3xf32>
  }
  func.func @call_once(%x: tensor<3xf32>) -> (tensor<3xf32>) {
    %0 = func.call @affine(%x) : (tensor<3xf32>) -> (tensor<3xf32>)
    return %0 : tensor<3xf32>
  }
  func.func @select_scalar(%condition: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
    %0 = stablehlo.select %condition, %a, %b : tensor<i1>, tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @dot_i32(%x: tensor<3x5xi32>, %w: tensor<5x2xi32>) -> (tensor<3x2xi32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x5xi32>, tensor<5x2xi32>) -> tensor<3x2xi32>
    return %0 : tensor<3x2xi32>
  }
  func.func @functions_f32(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = stablehlo.log %x : tensor<8xf32>
    %1 = stablehlo.sqrt %x : tensor<8xf32>
    %2 = stablehlo.rsqrt %x : tensor<8xf32>
    return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func @not_bits(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %0 = stablehlo.not %a : tensor<4xi32>
    %1 = stablehlo.and %a, %b : tensor<4xi32>
    %2 = stablehlo.or %a, %b : tensor<4xi32>
    return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  func.func @dot_f16(%x: tensor<4x32xf16>, %w: tensor<32x6xf16>) -> (tensor<4x6xf16>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x32xf16>, tensor<32x6xf16>) -> tensor<4x6xf32>
    %1 = stablehlo.convert %0 : (tensor<4x6xf32>) -> tensor<4x6xf16>
    return %1 : tensor<4x6xf16>
  }
  func.func @reshape(%x: tensor<2x3x4xf32>, %b: tensor<6xui8>) -> (tensor<24xf32>, tensor<3x2x2x2xf32>, tensor<2x3xui8>) {
    %0 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<24xf32>
    %1 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<3x2x2x2xf32>
    %2 = stablehlo.reshape %b : (tensor<6xui8>) -> tensor<2x3xui8>
    return %0, %1, %2 : tensor<24xf32>, tensor<3x2x2x2xf32>, tensor<2x3xui8>
  }
  func.func @slice(%x: tensor<5x7xf32>, %h: tensor<9xf16>) -> (tensor<3x7xf32>, tensor<5x2xf32>, tensor<5xf16>) {
    %0 = stablehlo.slice %x [1:4, 0:7] : (tensor<5x7xf32>) -> tensor<3x7xf32>
    %1 = stablehlo.slice %x [0:5, 1:7:3] : (tensor<5x7xf32>) -> tensor<5x2xf32>
    %2 = stablehlo.slice %h [0:9:2] : (tensor<9xf16>) -> tensor<5xf16>
    return %0, %1, %2 : tensor<3x7xf32>, tensor<5x2xf32>, tensor<5xf16>
  }
  func.func @broadcast(%row: tensor<3xf32>, %column: tensor<2x1xf32>, %s: tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi32>) {
    %0 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %column, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi32>
  }
  func.func @loop_of_one(%x: tensor<f32>) -> (tensor<f32>) {
    %0 = stablehlo.while(%c0_0 = %x) : tensor<f32>
    cond {
      %1 = stablehlo.constant dense<100.0> : tensor<f32>
      %2 = stablehlo.compare LT, %c0_0, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %3 = stablehlo.constant dense<3.0> : tensor<f32>
      %4 = stablehlo.multiply %c0_0, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }
    return %0 : tensor<f32>
  }
  func.func @concatenate(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>, %c: tensor<1x3xf32>, %d: tensor<3xi8>, %e: tensor<5xi8>) -> (tensor<2x7xf32>, tensor<3x3xf32>, tensor<8xi8>) {
    %0 = stablehlo.concatenate %a, %b, %a, dim = 1 : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
    %1 = stablehlo.concatenate %a, %c, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
    %2 = stablehlo.concatenate %d, %e, dim = 0 : (tensor<3xi8>, tensor<5xi8>) -> tensor<8xi8>
    return %0, %1, %2 : tensor<2x7xf32>, tensor<3x3xf32>, tensor<8xi8>
  }
  func.func @transpose(%x: tensor<2x3x4xf32>, %h: tensor<3x5xf16>, %b: tensor<3x5xi1>) -> (tensor<2x4x3xf32>, tensor<4x2x3xf32>, tensor<5x3xf16>, tensor<5x3xi1>) {
    %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
    %1 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %2 = stablehlo.transpose %h, dims = [1, 0] : (tensor<3x5xf16>) -> tensor<5x3xf16>
    %3 = stablehlo.transpose %b, dims = [1, 0] : (tensor<3x5xi1>) -> tensor<5x3xi1>
    return %0, %1, %2, %3 : tensor<2x4x3xf32>, tensor<4x2x3xf32>, tensor<5x3xf16>, tensor<5x3xi1>
  }
  func.func @dynamic_slice(%i: tensor<i32>, %j: tensor<i32>, %x: tensor<4x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %1 = stablehlo.dynamic_slice %x, %j, %j, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %2 = stablehlo.negate %j : tensor<i32>
    %3 = stablehlo.dynamic_slice %x, %2, %i, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    return %0, %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
  func.func @dynamic_update(%i: tensor<i32>, %j: tensor<i32>, %x: tensor<4x5xf32>, %u: tensor<2x3xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
    %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
    %1 = stablehlo.dynamic_update_slice %x, %u, %j, %j : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
    %2 = stablehlo.negate %j : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %x, %u, %2, %i : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
    return %0, %1, %3 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
  }
  func.func @take_one(%table: tensor<5x3xf32>, %index: tensor<i32>) -> (tensor<3xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.maximum %index, %0 : tensor<i32>
    %2 = stablehlo.constant dense<4> : tensor<i32>
    %3 = stablehlo.minimum %1, %2 : tensor<i32>
    %4 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %5 = "stablehlo.gather"(%table, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<1xi32>) -> tensor<3xf32>
    %6 = stablehlo.optimization_barrier %5 : tensor<3xf32>
    return %6 : tensor<3xf32>
  }
  func.func @integer_i8(%a: tensor<6xi8>, %b: tensor<6xi8>) -> (tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>) {
    %0 = stablehlo.add %a, %b : tensor<6xi8>
    %1 = stablehlo.subtract %a, %b : tensor<6xi8>
    %2 = stablehlo.multiply %a, %b : tensor<6xi8>
    %3 = stablehlo.divide %a, %b : tensor<6xi8>
    %4 = stablehlo.maximum %a, %b : tensor<6xi8>
    %5 = stablehlo.minimum %a, %b : tensor<6xi8>
    %6 = stablehlo.or %a, %b : tensor<6xi8>
    %7 = stablehlo.and %a, %b : tensor<6xi8>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>
  }
  func.func @reduce_rows_long(%x: tensor<3x1000xf32>) -> (tensor<3xf32>, tensor<3x1xf32>) {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [1] : (tensor<3x1000xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.optimization_barrier %1 : tensor<3xf32>
    %3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%x init: %3) applies stablehlo.maximum across dimensions = [1] : (tensor<3x1000xf32>, tensor<f32>) -> tensor<3xf32>
    %5 = stablehlo.optimization_barrier %4 : tensor<3xf32>
    %6 = stablehlo.reshape %5 : (tensor<3xf32>) -> tensor<3x1xf32>
    return %2, %6 : tensor<3xf32>, tensor<3x1xf32>
  }
  func.func @pad(%x: tensor<2x3xf32>, %h: tensor<2x3xf16>, %i: tensor<4xi32>) -> (tensor<2x6xf32>, tensor<4x3xf16>, tensor<6xi32>) {
    %0 = stablehlo.constant dense<-1.5> : tensor<f32>
    %1 = stablehlo.pad %x, %0, low = [0, 2], high = [0, 1], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.constant dense<0.25> : tensor<f16>
    %3 = stablehlo.pad %h, %2, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<2x3xf16>, tensor<f16>) -> tensor<4x3xf16>
    %4 = stablehlo.constant dense<9> : tensor<i32>
    %5 = stablehlo.pad %i, %4, low = [1], high = [1], interior = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<6xi32>
    return %1, %3, %5 : tensor<2x6xf32>, tensor<4x3xf16>, tensor<6xi32>
  }
  func.func @barrier(%x: tensor<4x32xf32>, %b: tensor<5xi1>) -> (tensor<4x32xf32>, tensor<5xi1>) {
    %0 = stablehlo.exponential %x : tensor<4x32xf32>
    %1 = stablehlo.optimization_barrier %0 : tensor<4x32xf32>
    %2 = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%1 init: %2) applies stablehlo.add across dimensions = [1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.optimization_barrier %3 : tensor<4xf32>
    %5 = stablehlo.reshape %4 : (tensor<4xf32>) -> tensor<4x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %7 = stablehlo.divide %1, %6 : tensor<4x32xf32>
    %8 = stablehlo.optimization_barrier %b : tensor<5xi1>
    return %7, %8 : tensor<4x32xf32>, tensor<5xi1>
  }
  func.func @iota_sum(%n: tensor<i32>, %x: tensor<4x64xf32>) -> (tensor<4xf32>) {
    %0 = stablehlo.iota dim = 1 : tensor<4x64xi32>
    %1 = stablehlo.optimization_barrier %0 : tensor<4x64xi32>
    %2 = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<4x64xi32>
    %3 = stablehlo.compare LT, %1, %2, SIGNED : (tensor<4x64xi32>, tensor<4x64xi32>) -> tensor<4x64xi1>
    %4 = stablehlo.constant dense<0.0> : tensor<4x64xf32>
    %5 = stablehlo.select %3, %x, %4 : tensor<4x64xi1>, tensor<4x64xf32>
    %6 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%5 init: %6) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.optimization_barrier %7 : tensor<4xf32>
    return %8 : tensor<4xf32>
  }
  func.func @signed_f32(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = stablehlo.negate %x : tensor<8xf32>
    %1 = stablehlo.abs %x : tensor<8xf32>
    %2 = stablehlo.exponential %x : tensor<8xf32>
    %3 = stablehlo.logistic %x : tensor<8xf32>
    %4 = chlo.erf %x : tensor<8xf32> -> tensor<8xf32>
    %5 = stablehlo.constant dense<0.5> : tensor<8xf32>
    %6 = stablehlo.constant dense<0.70710677> : tensor<8xf32>
    %7 = stablehlo.constant dense<1.0> : tensor<8xf32>
    %8 = stablehlo.multiply %x, %6 : tensor<8xf32>
    %9 = chlo.erf %8 : tensor<8xf32> -> tensor<8xf32>
    %10 = stablehlo.multiply %x, %5 : tensor<8xf32>
    %11 = stablehlo.add %9, %7 : tensor<8xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<8xf32>
    %13 = stablehlo.floor %x : tensor<8xf32>
    %14 = stablehlo.tanh %x : tensor<8xf32>
    %15 = stablehlo.sine %x : tensor<8xf32>
    %16 = stablehlo.cosine %x : tensor<8xf32>
    return %0, %1, %2, %3, %4, %12, %13, %14, %15, %16 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
