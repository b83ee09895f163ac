module @m {
  func.func private @split(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    %1 = stablehlo.slice %x [2:4] : (tensor<4xf32>) -> tensor<2xf32>
    return %0, %1 : tensor<2xf32>, tensor<2xf32>
  }
  func.func @swap(%x: tensor<4xf32>) -> (tensor<4xf32>) {
    %0:2 = func.call @split(%x) : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    %1 = stablehlo.concatenate %0#1, %0#0, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
