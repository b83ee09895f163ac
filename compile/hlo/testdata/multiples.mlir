module @m {
  func.func @apply(%x: tensor<?x?xf32>, %rows: tensor<?xf32>) -> (tensor<?x32x?x8xf32>) {
    %0 = stablehlo.constant dense<[0, 4]> : tensor<2xi64>
    %1 = stablehlo.constant dense<32> : tensor<1xi64>
    %2 = stablehlo.get_dimension_size %rows, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<i64>
    %4 = stablehlo.reshape %3 : (tensor<i64>) -> tensor<1xi64>
    %5 = stablehlo.multiply %1, %4 : tensor<1xi64>
    %6 = stablehlo.constant dense<8> : tensor<1xi64>
    %7 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %8 = stablehlo.convert %7 : (tensor<i32>) -> tensor<i64>
    %9 = stablehlo.reshape %8 : (tensor<i64>) -> tensor<1xi64>
    %10 = stablehlo.constant dense<-4> : tensor<1xi64>
    %11 = stablehlo.add %9, %10 : tensor<1xi64>
    %12 = stablehlo.divide %11, %6 : tensor<1xi64>
    %13 = stablehlo.multiply %6, %12 : tensor<1xi64>
    %14 = stablehlo.constant dense<4> : tensor<1xi64>
    %15 = stablehlo.add %13, %14 : tensor<1xi64>
    %16 = stablehlo.concatenate %5, %15, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %17 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
    %18 = stablehlo.real_dynamic_slice %x, %0, %16, %17 : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %19 = stablehlo.concatenate %4, %1, %12, %6, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
    %20 = stablehlo.dynamic_reshape %18, %19 : (tensor<?x?xf32>, tensor<4xi64>) -> tensor<?x32x?x8xf32>
    return %20 : tensor<?x32x?x8xf32>
  }
}
