module @m {
  func.func @double_until(%limit: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.constant dense<1.0> : tensor<f32>
    %2:2 = stablehlo.while(%c2.0 = %0, %c2.1 = %1) : tensor<i32>, tensor<f32>
    cond {
      %3 = stablehlo.compare LT, %c2.1, %limit, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %4 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %c2.0, %4 : tensor<i32>
      %6 = stablehlo.constant dense<2.0> : tensor<f32>
      %7 = stablehlo.multiply %c2.1, %6 : tensor<f32>
      stablehlo.return %5, %7 : tensor<i32>, tensor<f32>
    }
    return %2#0, %2#1 : tensor<i32>, tensor<f32>
  }
}
