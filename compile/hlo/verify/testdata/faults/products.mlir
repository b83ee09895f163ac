func.func @dots(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %i: tensor<4x3xi32>, %c: tensor<2x3xcomplex<f32>>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> // want 87 HLO_SHAPE dimensions 1 and 0 differ
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x2xf32> // want 107 HLO_SHAPE where the shape of tensor<2x4xf32>
  %2 = stablehlo.dot_general %x, %i, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xi32>) -> tensor<2x4xf32> // want 87 HLO_TYPE element type f32 is needed
  %3 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xi32> // want 107 HLO_TYPE an element type for products of f32
  %4 = stablehlo.dot_general %x, %w, contracting_dims = [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32> // want 57 HLO_ATTRIBUTE needs two lists
  %5 = stablehlo.dot_general %x, %w, contracting_dims = [1, 0] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32> // want 8 HLO_ATTRIBUTE do not pair
  %6 = stablehlo.dot_general %x, %w, batching_dims = [1] x [1], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32> // want 8 HLO_ATTRIBUTE given twice
  %7 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> // want 191 HLO_SHAPE where the shape of tensor<2x4xf32>
  %8 = stablehlo.dot %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> // want 49 HLO_SHAPE stablehlo.dot of
  return
}
func.func @convolutions(%x: tensor<1x4x8xf32>, %k: tensor<6x2x3xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x5xf32> // want 229 HLO_SHAPE where the shape of tensor<1x6x4xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 179 HLO_SHAPE 4 features in 1 groups, the kernel has 2
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 1]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 59 HLO_ATTRIBUTE "1" in dim_numbers
  %3 = stablehlo.convolution(%x, %k) dim_numbers = [b, f]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 52 HLO_ATTRIBUTE 2 dimensions in dim_numbers, operands have 3
  %4 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [0]} {feature_group_count = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 8 HLO_ATTRIBUTE with stride 0
  %5 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [1]} {feature_group_count = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 100 HLO_ATTRIBUTE pad is not a pair
  %6 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0], window = {} {feature_group_count = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 52 HLO_ATTRIBUTE dim_numbers needs three lists
  %7 = stablehlo.convolution(%x, %k), window = {} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 8 HLO_ATTRIBUTE without dim_numbers
  %8 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 0 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32> // want 8 HLO_ATTRIBUTE of 0 feature and 1 batch groups
  %9 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {feature_group_count = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6xf32> // want 8 HLO_SHAPE stablehlo.convolution of
  return
}
func.func @reductions(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<i32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32> // want 120 HLO_SHAPE where the shape of tensor<2xf32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32> // want 8 HLO_ATTRIBUTE dimension 2 of
  %2 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xf32> // want 104 HLO_TYPE where tensor<f32> is needed
  %3 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf64> // want 120 HLO_TYPE element type f32
  return
}
// -----
func.func @windows(%x: tensor<4x8xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x5xf32> // want 116 HLO_SHAPE where the shape of tensor<2x4xf32>
  %1 = "stablehlo.reduce_window"(%x, %z) ({ // want 8 HLO_ATTRIBUTE a window of 1 dimensions
    stablehlo.return
  }) {window_dimensions = array<i64: 2>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
  %2 = "stablehlo.reduce_window"(%x, %z) ({ // want 8 HLO_ATTRIBUTE a window of 0 elements
    stablehlo.return
  }) {window_dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3, %4 = chlo.top_k(%x, k = 9) : tensor<4x8xf32> -> (tensor<4x9xf32>, tensor<4x9xi32>) // want 12 HLO_ATTRIBUTE the 9 largest of tensor<4x8xf32>
  %5, %6 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xf32>) // want 73 HLO_TYPE where tensor<4x2xi32>
  %7 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {dimension = 2 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32> // want 19 HLO_ATTRIBUTE along a dimension that tensor<4x8xf32> has not
  %8 = "stablehlo.reduce"(%x, %x, %z) ({ // want 8 HLO_COUNT stablehlo.reduce of 3 operands: each needs an initial value
    stablehlo.return
  }) {dimensions = array<i64: 0>} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}
// -----
func.func @indexing(%t: tensor<5x8xf32>, %i: tensor<2x3x1xi32>, %s: tensor<i32>, %u: tensor<2x8xf32>, %w: tensor<i64>) {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<5x8xf32>, tensor<2x3x1xi32>) -> tensor<2x4x8xf32> // want 243 HLO_SHAPE where the shape of tensor<2x3x8xf32>
  %1 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<5x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8xf32> // want 224 HLO_SHAPE indices of 1 numbers for 2 dimensions
  %2 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 4>, slice_sizes = array<i64: 1, 8>}> : (tensor<5x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8xf32> // want 8 HLO_ATTRIBUTE index_vector_dim 4
  %3 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 2, 8>}> : (tensor<5x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8xf32> // want 8 HLO_ATTRIBUTE dimension 0 is collapsed from size 2
  %4 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 9>}> : (tensor<5x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8xf32> // want 8 HLO_ATTRIBUTE a part of sizes [1 9]
  %5 = "stablehlo.gather"(%t, %i) <{slice_sizes = array<i64: 1, 8>}> : (tensor<5x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8xf32> // want 8 HLO_ATTRIBUTE without dimension_numbers
  %6 = "stablehlo.gather"(%t, %t) <{dimension_numbers = #stablehlo.gather<start_index_map = [0]>, slice_sizes = array<i64: 1, 8>}> : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<2x3x8xf32> // want 152 HLO_TYPE where integers is needed
  %7 = stablehlo.dynamic_slice %t, %s, %s, sizes = [1, 9] : (tensor<5x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x9xf32> // want 8 HLO_ATTRIBUTE a part of sizes [1 9]
  %8 = stablehlo.dynamic_slice %t, %s, %s, sizes = [1, 8] : (tensor<5x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x9xf32> // want 108 HLO_SHAPE
  %9 = stablehlo.dynamic_slice %t, %s, sizes = [1, 8] : (tensor<5x8xf32>, tensor<i32>) -> tensor<1x8xf32> // want 8 HLO_COUNT with 1 start for 2 dimensions
  %10 = stablehlo.dynamic_slice %t, %s, %w, sizes = [1, 8] : (tensor<5x8xf32>, tensor<i32>, tensor<i64>) -> tensor<1x8xf32> // want 93 HLO_TYPE a scalar integer, all of one type,
  %11 = stablehlo.dynamic_update_slice %t, %u, %s, %s : (tensor<5x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32> // want 121 HLO_SHAPE
  %12 = stablehlo.dynamic_update_slice %u, %t, %s, %s : (tensor<2x8xf32>, tensor<5x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32> // want 75 HLO_SHAPE of tensor<5x8xf32> into tensor<2x8xf32>
  %13 = stablehlo.dynamic_update_slice %t, %i, %s, %s : (tensor<5x8xf32>, tensor<2x3x1xi32>, tensor<i32>, tensor<i32>) -> tensor<5x8xf32> // want 75 HLO_TYPE element type f32
  return
}
// -----
func.func @scatters(%t: tensor<5x8xf32>, %i: tensor<2x1xi32>, %u: tensor<2x8xf32>, %v: tensor<3x8xf32>, %n: tensor<2x8xi32>) {
  %0 = "stablehlo.scatter"(%t, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<5x8xf32>, tensor<2x1xi32>, tensor<3x8xf32>) -> tensor<5x8xf32> // want 43 HLO_SHAPE of updates tensor<3x8xf32> into tensor<5x8xf32>
  %1 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %1 : tensor<f32> // want 22 HLO_DOMINANCE %1 is not visible here
  }) : (tensor<5x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<5x8xf32>
  %2 = "stablehlo.scatter"(%t, %i, %n) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    stablehlo.return
  }) : (tensor<5x8xf32>, tensor<2x1xi32>, tensor<2x8xi32>) -> tensor<5x8xf32> // want 43 HLO_TYPE element type f32
  %3 = "stablehlo.scatter"(%t, %i, %u) ({ // want 8 HLO_ATTRIBUTE without scatter_dimension_numbers
    stablehlo.return
  }) : (tensor<5x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<5x8xf32>
  %4 = "stablehlo.scatter"(%t, %t, %i, %u) ({ // want 8 HLO_COUNT stablehlo.scatter of 4 operands
    stablehlo.return
  }) : (tensor<5x8xf32>, tensor<5x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<5x8xf32>
  %5 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ // want 8 HLO_ATTRIBUTE 2 window dimensions for 1 sizes
    stablehlo.return
  }) : (tensor<5x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<5x8xf32>
  return
}
