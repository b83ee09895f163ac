func.func @slices(%x: tensor<?x4xf32>, %a: tensor<2xi64>, %b: tensor<2xi32>, %c: tensor<3xi64>) {
  %0 = stablehlo.real_dynamic_slice %x, %a, %a, %a : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
  %1 = stablehlo.real_dynamic_slice %x, %a, %b, %a : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi32>, tensor<2xi64>) -> tensor<?x2xf32> // want 87 HLO_TYPE element type i64
  %2 = stablehlo.real_dynamic_slice %x, %a, %c, %a : (tensor<?x4xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>) -> tensor<?x2xf32> // want 87 HLO_SHAPE tensor<3xi64>
  %3 = stablehlo.real_dynamic_slice %x, %a, %a, %a : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x5xf32> // want 120 HLO_SHAPE takes more from dimension 1
  %4 = stablehlo.real_dynamic_slice %x, %a, %a, %a : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf16> // want 120 HLO_TYPE element type f32
  %5 = stablehlo.real_dynamic_slice %x, %a, %a : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32> // want 8 HLO_COUNT 3 operands
  return
}
// -----
func.func @select(%x: tensor<?x4xf32>, %i: tensor<?x3xi32>, %f: tensor<?xf32>) {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<?x4xf32>, tensor<?x3xi32>) -> tensor<?x3x4xf32>
  %1 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<?x4xf32>, tensor<?x3xi32>) -> tensor<?x3x4xf32> // want 127 HLO_SHAPE tensor<?x?x3xf32>
  %2 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 2 : i64}> : (tensor<?x4xf32>, tensor<?x3xi32>) -> tensor<?x3x4xf32> // want 8 HLO_ATTRIBUTE dimension 2
  %3 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 1 : i64, dim = 0 : i64}> : (tensor<?x4xf32>, tensor<?x3xi32>) -> tensor<?x3x4xf32> // want 8 HLO_ATTRIBUTE 1 batch dimensions
  %4 = "stablehlo.torch_index_select"(%x, %f) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<?x4xf32>, tensor<?xf32>) -> tensor<?x4xf32> // want 107 HLO_TYPE integers
  %5 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64}> : (tensor<?x4xf32>, tensor<?x3xi32>) -> tensor<?x3x4xf32> // want 8 HLO_ATTRIBUTE without a number batch_dims
  return
}
// -----
func.func @reshape(%x: tensor<?x4xf32>, %s: tensor<2xi64>, %f: tensor<2xf32>) {
  %0 = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  %1 = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<2x?x2xf32> // want 50 HLO_SHAPE tensor<3xi64>
  %2 = tensor.reshape %x(%f) : (tensor<?x4xf32>, tensor<2xf32>) -> tensor<2x?xf32> // want 50 HLO_TYPE integers
  %3 = tensor.reshape %x(%s) : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<2x?xf16> // want 68 HLO_TYPE element type f32
  return
}
// -----
func.func @sizes(%x: tensor<?x4xf32>, %n: tensor<f32>) {
  %c = arith.constant 1 : index
  %d = tensor.dim %x, %c : tensor<?x4xf32>
  %0 = flow.tensor.tie_shape %x : tensor<?x4xf32>{%d}
  %1 = flow.tensor.tie_shape %x : tensor<?x4xf32>{%d, %c} // want 8 HLO_COUNT 2 sizes
  %2 = flow.tensor.tie_shape %x : tensor<?x4xf32> // want 8 HLO_COUNT 0 sizes
  %3 = flow.tensor.tie_shape %x : tensor<?x4xf32>{%n} // want 51 HLO_TYPE used as index
  %4 = tensor.dim %n, %c : tensor<f32> // want 28 HLO_TYPE a tensor with dimensions
  %5 = tensor.dim %x, %n : tensor<?x4xf32> // want 23 HLO_TYPE used as index
  %6 = tensor.dim %x : tensor<?x4xf32> // want 8 HLO_COUNT 1 operand
  %e = arith.constant 1 : i64 // want 27 HLO_TYPE index
  %less = arith.subi %c, %c : index
  %more = arith.addi %c, %less : index
  %g = stablehlo.constant dense<1> : tensor<i32>
  %h = arith.subi %g, %g : tensor<i32> // want 28 HLO_TYPE index
  %sum = arith.addi %g, %g : tensor<i32> // want 30 HLO_TYPE index
  %times = arith.muli %c, %more : index
  %product = arith.muli %g, %g : tensor<i32> // want 34 HLO_TYPE index
  %f = arith.constant : index // want 8 HLO_ATTRIBUTE without a number
  %7 = stablehlo.add %d, %d : index // want 31 HLO_TYPE a tensor
  return
}
