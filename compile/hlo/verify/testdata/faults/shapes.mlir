func.func @elementwise(%x: tensor<2xf32>, %i: tensor<2xi32>, %u: tensor<2xui8>, %b: tensor<2xi1>, %m: tensor<2x3xf32>) {
  %0 = stablehlo.exponential %i : tensor<2xi32> // want 35 HLO_TYPE stablehlo.exponential of element type i32
  %1 = stablehlo.add %x, %m : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2xf32> // want 47 HLO_SHAPE stablehlo.add with tensor<2x3xf32> where the shape of tensor<2xf32> is needed
  %2 = stablehlo.add %x, %i : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32> // want 47 HLO_TYPE stablehlo.add with tensor<2xi32> where tensor<2xf32> is needed
  %3 = stablehlo.abs %u : tensor<2xui8> // want 27 HLO_TYPE
  %4 = stablehlo.and %x, %x : tensor<2xf32> // want 31 HLO_TYPE
  %5 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1> // want 38 HLO_ATTRIBUTE a comparison of kind "SIGNED" of f32
  %6 = stablehlo.compare XX, %x, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1> // want 8 HLO_ATTRIBUTE stablehlo.compare without one of EQ
  %7 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> // want 80 HLO_TYPE where i1 is needed
  %8 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1> // want 80 HLO_SHAPE
  %9 = stablehlo.select %i, %x, %x : tensor<2xi32>, tensor<2xf32> // want 38 HLO_TYPE where i1 is needed
  %10 = stablehlo.select %b, %m, %m : tensor<2xi1>, tensor<2x3xf32> // want 39 HLO_SHAPE
  %11 = stablehlo.select %b, %x, %x : tensor<2xi1> // want 9 HLO_COUNT with 1 type, needed are 2
  %12 = stablehlo.clamp %x, %m, %x : (tensor<2xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32> // want 39 HLO_SHAPE
  %13 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<3xf64> // want 51 HLO_SHAPE
  %14 = stablehlo.is_finite %i : (tensor<2xi32>) -> tensor<2xi1> // want 35 HLO_TYPE where a float is needed
  %15 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<2xf32> // want 53 HLO_TYPE where i1 is needed
  %16 = "stablehlo.optimization_barrier"(%x) : (tensor<2xf32>) -> tensor<3xf32> // want 67 HLO_TYPE
  %17 = stablehlo.iota dim = 1 : tensor<2xi32> // want 9 HLO_ATTRIBUTE dimension 1 of tensor<2xi32>
  %18 = stablehlo.iota dim = 0 : tensor<2xi1> // want 34 HLO_TYPE
  %19 = stablehlo.iota : tensor<2xi32> // want 9 HLO_ATTRIBUTE stablehlo.iota without a number dim
  %20 = stablehlo.negate %x : f32 // want 26 HLO_TYPE %x is tensor<2xf32>, used as f32 (defined at 1:24) // want 31 HLO_TYPE stablehlo.negate with f32 where a tensor is needed
  %21 = stablehlo.iota dim = 0, dims = [0] : tensor<2xi32> // want 33 HLO_ATTRIBUTE stablehlo.iota has no attribute dims in this form
  %22 = chlo.erf %x : tensor<2xf32> -> tensor<2xf64> // want 23 HLO_TYPE chlo.erf with tensor<2xf32> where tensor<2xf64> is needed
  %23 = stablehlo.compare LT, %x, %x : tensor<2xf32> // want 9 HLO_TYPE stablehlo.compare needs the types of its operands and of its results
  return
}
func.func @constants() {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<2xf32> // want 33 HLO_SHAPE the values do not have the shape of tensor<2xf32>
  %1 = stablehlo.constant dense<[[1.0], [2.0, 3.0]]> : tensor<2x1xf32> // want 41 HLO_SHAPE the values
  %2 = stablehlo.constant dense<1> : tensor<2xf32> // want 33 HLO_TYPE the literal "1" is not of type f32
  %3 = stablehlo.constant dense<1.0> : tensor<2xi32> // want 33 HLO_TYPE the literal "1.0" is not of type i32
  %4 = stablehlo.constant dense<256> : tensor<ui8> // want 33 HLO_TYPE the literal "256" is not of type ui8
  %5 = stablehlo.constant dense<-129> : tensor<i8> // want 33 HLO_TYPE the literal "-129" is not of type i8
  %6 = stablehlo.constant dense<0xFF80> : tensor<f32> // want 33 HLO_TYPE the literal "0xFF80" is not of type f32
  %7 = stablehlo.constant dense<"0x00"> : tensor<2xf32> // want 27 HLO_SHAPE 2 hexadecimal digits for tensor<2xf32>
  %8 = stablehlo.constant dense<> : tensor<2xf32> // want 27 HLO_SHAPE no values for tensor<2xf32>
  %9 = stablehlo.constant dense<1.0> : tensor<?xf32> // want 40 HLO_SHAPE a constant of tensor<?xf32>, whose size is not known
  %10 = stablehlo.constant : tensor<f32> // want 9 HLO_ATTRIBUTE stablehlo.constant without dense<..>
  %11 = stablehlo.constant dense<1.0> : f32 // want 41 HLO_TYPE stablehlo.constant with f32 where a tensor is needed
  %12 = stablehlo.constant dense<2> : tensor<i1> // want 34 HLO_TYPE the literal "2" is not of type i1
  %13 = stablehlo.constant dense<[1.0]> : tensor<f32> // want 34 HLO_SHAPE a list where tensor<f32> has one value
  %14 = "stablehlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<2xf32> // want 75 HLO_TYPE where tensor<f32> is needed
  return
}
func.func @layout(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %d: tensor<?x3xf32>, %n: tensor<2xi32>, %f: tensor<f32>) {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32> // want 52 HLO_SHAPE stablehlo.reshape of 6 elements to 5
  %1 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf64> // want 52 HLO_TYPE
  %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<?xf32> // want 52 HLO_SHAPE whose size is not known
  %3 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 8 HLO_ATTRIBUTE dimension 0 of tensor<2x3xf32> is not there or is given twice
  %4 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 69 HLO_SHAPE where the shape of tensor<3x2xf32> is needed
  %5 = stablehlo.transpose %x, dims = [1] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 8 HLO_ATTRIBUTE a permutation of 1 dimensions
  %6 = stablehlo.transpose %x : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 8 HLO_ATTRIBUTE without a list dims
  %7 = stablehlo.transpose %x, dims = [a] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 39 HLO_ATTRIBUTE dims is not a list of integers
  %8 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<3xf32>) -> tensor<2x3xf32> // want 71 HLO_SHAPE dimension 0 of tensor<3xf32> does not spread
  %9 = stablehlo.broadcast_in_dim %v, dims = [0, 1] : (tensor<3xf32>) -> tensor<2x3xf32> // want 8 HLO_ATTRIBUTE 2 dimensions for tensor<3xf32>
  %10 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf64> // want 72 HLO_TYPE
  %11 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x4xf32> // want 87 HLO_SHAPE where the shape of tensor<4x3xf32> is needed
  %12 = stablehlo.concatenate %x, %v, dim = 0 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<4x3xf32> // want 67 HLO_TYPE a type that goes with tensor<2x3xf32>
  %13 = stablehlo.concatenate %x, %x, dim = 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32> // want 9 HLO_ATTRIBUTE dimension 2 of tensor<2x3xf32>
  %14 = stablehlo.slice %x [0:2, 1:4] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 9 HLO_ATTRIBUTE the range 1:4:1 of dimension 1
  %15 = stablehlo.slice %x [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 64 HLO_SHAPE where the shape of tensor<2x2xf32> is needed
  %16 = stablehlo.slice %x [0:2] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 9 HLO_ATTRIBUTE 1 ranges for tensor<2x3xf32>
  %17 = stablehlo.slice %x : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 9 HLO_ATTRIBUTE without its ranges
  %18 = stablehlo.slice %x [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 29 HLO_ATTRIBUTE needs ranges
  %19 = stablehlo.pad %x, %f, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x6xf32> // want 114 HLO_SHAPE where the shape of tensor<2x7xf32> is needed
  %20 = stablehlo.pad %x, %f, low = [0], high = [0, 1], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x6xf32> // want 9 HLO_ATTRIBUTE widths for 1, 2 and 2 dimensions
  %21 = stablehlo.pad %x, %v, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x7xf32> // want 98 HLO_SHAPE
  %22 = stablehlo.pad %x, %f, low = [0, -9], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x0xf32> // want 9 HLO_SHAPE takes more from dimension 1
  %23 = stablehlo.pad %x, %f, low = [0, 1], high = [0, 1], interior = [0, -1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x6xf32> // want 9 HLO_ATTRIBUTE of dimension 1 by 1, 1 and -1
  %24 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xi16> // want 61 HLO_SHAPE where the shape of tensor<2x3x2xi16>
  %25 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xf64> // want 41 HLO_SHAPE has no last dimension of 2 parts
  %26 = stablehlo.get_dimension_size %d, dim = 2 : (tensor<?x3xf32>) -> tensor<i32> // want 9 HLO_ATTRIBUTE dimension 2 of
  %27 = stablehlo.dynamic_reshape %x, %n : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?x?xf32> // want 62 HLO_SHAPE where the shape of tensor<3xi32>
  %28 = stablehlo.dynamic_broadcast_in_dim %x, %v, dims = [0, 1] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<?x?xf32> // want 86 HLO_TYPE where integers is needed
  %29 = stablehlo.dynamic_iota %n, dim = 2 : (tensor<2xi32>) -> tensor<?x?xf32> // want 9 HLO_ATTRIBUTE dimension 2 of
  %30 = stablehlo.reverse %x, dims = [3] : tensor<2x3xf32> // want 9 HLO_ATTRIBUTE dimension 3 of
  %31 = "stablehlo.slice"(%x) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32> // want 110 HLO_ATTRIBUTE strides of 1 numbers for 2 dimensions
  %32 = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> (tensor<6xf32>, tensor<6xf32>) // want 3 HLO_COUNT more than are named // want 9 HLO_COUNT stablehlo.reshape with 2 results
  return
}
