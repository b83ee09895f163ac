module @grayscale {
  func.func @main(%rgb: tensor<600x512x3xui8>) -> (tensor<600x512xui8>) {
    %0 = stablehlo.convert %rgb : (tensor<600x512x3xui8>) -> tensor<600x512x3xi32>
    %1 = stablehlo.constant dense<[19595, 38470, 7471]> : tensor<3xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [2] : (tensor<3xi32>) -> tensor<600x512x3xi32>
    %3 = stablehlo.multiply %0, %2 : tensor<600x512x3xi32>
    %4 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.add across dimensions = [2] : (tensor<600x512x3xi32>, tensor<i32>) -> tensor<600x512xi32>
    %6 = stablehlo.optimization_barrier %5 : tensor<600x512xi32>
    %7 = stablehlo.constant dense<32768> : tensor<600x512xi32>
    %8 = stablehlo.add %6, %7 : tensor<600x512xi32>
    %9 = stablehlo.constant dense<65536> : tensor<600x512xi32>
    %10 = stablehlo.divide %8, %9 : tensor<600x512xi32>
    %11 = stablehlo.convert %10 : (tensor<600x512xi32>) -> tensor<600x512xui8>
    return %11 : tensor<600x512xui8>
  }
}
