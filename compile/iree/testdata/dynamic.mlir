module @m {
  func.func @apply(%x: tensor<?x?x6xf32>) -> (tensor<?x2x?x3xf32>, tensor<?x1x6xf32>, tensor<?x?x6xf32>, tensor<?x?xf32>) {
    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x6xf32>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.reshape %1 : (tensor<i64>) -> tensor<1xi64>
    %3 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x6xf32>) -> tensor<i32>
    %4 = stablehlo.convert %3 : (tensor<i32>) -> tensor<i64>
    %5 = stablehlo.reshape %4 : (tensor<i64>) -> tensor<1xi64>
    %6 = stablehlo.constant dense<2> : tensor<1xi64>
    %7 = stablehlo.constant dense<3> : tensor<1xi64>
    %8 = stablehlo.concatenate %2, %5, %6, %7, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
    %9 = tensor.reshape %x(%8) : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x2x3xf32>
    %10 = stablehlo.transpose %9, dims = [0, 2, 1, 3] : (tensor<?x?x2x3xf32>) -> tensor<?x2x?x3xf32>
    %11 = stablehlo.constant dense<0.5> : tensor<f32>
    %12 = stablehlo.concatenate %2, %6, %5, %7, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
    %13 = stablehlo.dynamic_broadcast_in_dim %11, %12, dims = [] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>} : (tensor<f32>, tensor<4xi64>) -> tensor<?x2x?x3xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<?x2x?x3xf32>
    %15 = stablehlo.constant dense<0> : tensor<1xi64>
    %16 = stablehlo.constant dense<-1> : tensor<1xi64>
    %17 = stablehlo.add %5, %16 : tensor<1xi64>
    %18 = stablehlo.concatenate %15, %17, %15, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
    %19 = stablehlo.constant dense<6> : tensor<1xi64>
    %20 = stablehlo.concatenate %2, %5, %19, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
    %21 = stablehlo.constant dense<[1, 1, 1]> : tensor<3xi64>
    %22 = stablehlo.real_dynamic_slice %x, %18, %20, %21 : (tensor<?x?x6xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x1x6xf32>
    %23 = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi64>
    %24 = stablehlo.constant dense<[1, 2, 1]> : tensor<3xi64>
    %25 = stablehlo.real_dynamic_slice %x, %23, %20, %24 : (tensor<?x?x6xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x6xf32>
    %26 = stablehlo.constant dense<1.0> : tensor<f32>
    %27 = stablehlo.constant dense<1> : tensor<1xi64>
    %28 = stablehlo.add %5, %27 : tensor<1xi64>
    %29 = stablehlo.divide %28, %6 : tensor<1xi64>
    %30 = stablehlo.concatenate %2, %29, %19, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
    %31 = stablehlo.dynamic_broadcast_in_dim %26, %30, dims = [] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>} : (tensor<f32>, tensor<3xi64>) -> tensor<?x?x6xf32>
    %32 = stablehlo.add %25, %31 : tensor<?x?x6xf32>
    %33 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x6xf32>) -> tensor<i32>
    %34 = stablehlo.optimization_barrier %33 : tensor<i32>
    %35 = stablehlo.constant dense<3> : tensor<i32>
    %36 = stablehlo.compare GT, %34, %35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %37 = "stablehlo.if"(%36) ({
      %38 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
      %39 = stablehlo.dynamic_iota %38, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
      %40 = stablehlo.optimization_barrier %39 : tensor<?x?xf32>
      %41 = arith.constant 0 : index
      %42 = tensor.dim %39, %41 : tensor<?x?xf32>
      %43 = arith.constant 1 : index
      %44 = tensor.dim %39, %43 : tensor<?x?xf32>
      %45 = flow.tensor.tie_shape %40 : tensor<?x?xf32>{%42, %44}
      stablehlo.return %45 : tensor<?x?xf32>
    }, {
      %46 = stablehlo.constant dense<2.0> : tensor<f32>
      %47 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
      %48 = stablehlo.dynamic_broadcast_in_dim %46, %47, dims = [] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
      stablehlo.return %48 : tensor<?x?xf32>
    }) : (tensor<i1>) -> (tensor<?x?xf32>)
    return %14, %22, %32, %37 : tensor<?x2x?x3xf32>, tensor<?x1x6xf32>, tensor<?x?x6xf32>, tensor<?x?xf32>
  }
}
