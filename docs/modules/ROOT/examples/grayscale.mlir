module @grayscale {
  func.func @main(%rgb: tensor<600x512x3xui8>) -> (tensor<600x512xui8>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.constant dense<255> : tensor<i32>
    %2 = stablehlo.convert %rgb : (tensor<600x512x3xui8>) -> tensor<600x512x3xi32>
    %3 = stablehlo.clamp %0, %2, %1 : (tensor<i32>, tensor<600x512x3xi32>, tensor<i32>) -> tensor<600x512x3xi32>
    %4 = stablehlo.constant dense<[19595, 38470, 7471]> : tensor<3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [2] : (tensor<3xi32>) -> tensor<600x512x3xi32>
    %6 = stablehlo.multiply %3, %5 : tensor<600x512x3xi32>
    %7 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.reduce(%6 init: %7) applies stablehlo.add across dimensions = [2] : (tensor<600x512x3xi32>, tensor<i32>) -> tensor<600x512xi32>
    %9 = stablehlo.optimization_barrier %8 : tensor<600x512xi32>
    %10 = stablehlo.constant dense<32768> : tensor<600x512xi32>
    %11 = stablehlo.add %9, %10 : tensor<600x512xi32>
    %12 = stablehlo.constant dense<65536> : tensor<600x512xi32>
    %13 = stablehlo.divide %11, %12 : tensor<600x512xi32>
    %14 = stablehlo.convert %13 : (tensor<600x512xi32>) -> tensor<600x512xui8>
    return %14 : tensor<600x512xui8>
  }
}
