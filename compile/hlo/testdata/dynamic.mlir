module @m {
  func.func @apply(%x: tensor<?x?x6xf32>) -> (tensor<?x2x?x3xf32>, tensor<?x?xf32>) {
    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x6xf32>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.reshape %1 : (tensor<i64>) -> tensor<1xi64>
    %3 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x6xf32>) -> tensor<i32>
    %4 = stablehlo.convert %3 : (tensor<i32>) -> tensor<i64>
    %5 = stablehlo.reshape %4 : (tensor<i64>) -> tensor<1xi64>
    %6 = stablehlo.constant dense<2> : tensor<1xi64>
    %7 = stablehlo.constant dense<3> : tensor<1xi64>
    %8 = stablehlo.concatenate %2, %5, %6, %7, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
    %9 = stablehlo.dynamic_reshape %x, %8 : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x2x3xf32>
    %10 = stablehlo.transpose %9, dims = [0, 2, 1, 3] : (tensor<?x?x2x3xf32>) -> tensor<?x2x?x3xf32>
    %11 = stablehlo.constant dense<0.0> : tensor<f32>
    %12 = stablehlo.reduce(%x init: %11) applies stablehlo.add across dimensions = [2] : (tensor<?x?x6xf32>, tensor<f32>) -> tensor<?x?xf32>
    return %10, %12 : tensor<?x2x?x3xf32>, tensor<?x?xf32>
  }
}
