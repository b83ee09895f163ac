func.func @placed(%x: tensor<?x4xf16>, %w: tensor<8x4xf16>, %v: tensor<9x4xf16>, %p: tensor<i32>) {
  %0 = "tensor.extract"(%p) : (tensor<i32>) -> i32
  %1 = "arith.index_cast"(%0) : (i32) -> index
  %2 = "tensor.extract_slice"(%x, %1) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf16>, index) -> tensor<?x4xf16>
  %3 = "tensor.insert_slice"(%2, %w, %1, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf16>, tensor<8x4xf16>, index, index) -> tensor<8x4xf16>
  %4 = "tensor.extract"(%p, %1) : (tensor<i32>, index) -> i32 // want 8 HLO_COUNT with 1 index
  %5 = "tensor.extract"(%p) : (tensor<i32>) -> i64 // want 48 HLO_TYPE where i32 is needed
  %6 = "tensor.extract"(%0) : (i32) -> i32 // want 32 HLO_TYPE a tensor
  %7 = "tensor.extract"(%w, %1, %0) : (tensor<8x4xf16>, index, i32) -> f16 // want 64 HLO_TYPE index
  %8 = "arith.index_cast"(%1) : (index) -> index // want 44 HLO_TYPE on one side
  %9 = "arith.index_cast"(%p) : (tensor<i32>) -> index // want 34 HLO_TYPE an integer
  %10 = "tensor.extract_slice"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf16>) -> tensor<?x4xf16> // want 9 HLO_COUNT 0 indexs for 1
  %11 = "tensor.extract_slice"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf16>) -> tensor<2x4xf32> // want 211 HLO_TYPE a part of
  %12 = "tensor.extract_slice"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf16>) -> tensor<3x4xf16> // want 211 HLO_SHAPE of sizes [2 4]
  %13 = "tensor.extract_slice"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1>}> : (tensor<?x4xf16>) -> tensor<2x4xf16> // want 9 HLO_ATTRIBUTE 1 static_strides
  %14 = "tensor.extract_slice"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf16>) -> tensor<2x4xf16> // want 9 HLO_ATTRIBUTE without a list static_sizes
  %15 = "tensor.insert_slice"(%w, %w) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 8, 4>, static_strides = array<i64: 1, 1>}> : (tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<8x5xf16> // want 234 HLO_SHAPE tensor<8x4xf16>
  %16 = "tensor.insert_slice"(%v, %w) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 9, 4>, static_strides = array<i64: 1, 1>}> : (tensor<9x4xf16>, tensor<8x4xf16>) -> tensor<8x4xf16> // want 197 HLO_SHAPE of sizes [9 4]
  "tensor.extract"(%p) : (tensor<i32>) -> () // want 3 HLO_COUNT 0 results
  "arith.index_cast"(%0) : (i32) -> () // want 3 HLO_COUNT 0 results
  return
}
