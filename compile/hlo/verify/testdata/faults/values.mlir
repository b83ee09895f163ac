module @m {
  func.func @undefined(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %x, %y : tensor<2xf32> // want 28 HLO_UNDEFINED %y is not defined
    %1 = stablehlo.negate %x#1 : tensor<2xf32> // want 27 HLO_UNDEFINED %x#1 is not defined: %x has 1 result (defined at 2:24)
    return %0 : tensor<2xf32>
  }
  func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.negate %x : tensor<2xf32>
    %0 = stablehlo.abs %x : tensor<2xf32> // want 5 HLO_REDEFINED %0 is defined twice (defined at 8:5)
    %x = stablehlo.abs %x : tensor<2xf32> // want 5 HLO_REDEFINED %x is defined twice (defined at 7:20)
    return %0 : tensor<2xf32>
  }
  func.func @early(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.negate %1 : tensor<2xf32> // want 27 HLO_DOMINANCE %1 is not visible here (defined at 15:5)
    %1 = stablehlo.negate %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @inside(%c: tensor<i1>) -> tensor<i1> {
    %0 = stablehlo.while(%a = %c) : tensor<i1>
    cond {
      stablehlo.return %a : tensor<i1>
    } do {
      %1 = stablehlo.not %0 : tensor<i1> // want 26 HLO_DOMINANCE %0 is not visible here (defined at 19:5)
      %c = stablehlo.not %a : tensor<i1> // want 7 HLO_REDEFINED %c is defined twice (defined at 18:21)
      stablehlo.return %1 : tensor<i1>
    }
    %2 = stablehlo.not %1 : tensor<i1> // want 24 HLO_DOMINANCE %1 is not visible here (defined at 23:7)
    %3 = stablehlo.not %a : tensor<i1> // want 24 HLO_DOMINANCE %a is not visible here (defined at 19:26)
    return %0 : tensor<i1>
  }
  func.func @other(%c: tensor<i1>) {
    %7 = stablehlo.not %2 : tensor<i1> // want 24 HLO_UNDEFINED %2 is not defined
    return
  }
  func.func @mistyped(%x: tensor<2xf32>) -> tensor<2xf64> {
    %0 = stablehlo.negate %x : tensor<2xf64> // want 27 HLO_TYPE %x is tensor<2xf32>, used as tensor<2xf64> (defined at 35:23)
    %1 = stablehlo.negate %x : tensor<?xf32> // want 27 HLO_TYPE %x is tensor<2xf32>, used as tensor<?xf32>
    return %0 : tensor<2xf64>
  }
  func.func @counts(%x: tensor<2xf32>) {
    %0:2 = stablehlo.negate %x : tensor<2xf32> // want 5 HLO_COUNT stablehlo.negate has 1 result, fewer than are named
    %1 = stablehlo.add %x : tensor<2xf32> // want 10 HLO_COUNT stablehlo.add has 1 operand
    %2 = stablehlo.add %x, %x, %x : tensor<2xf32> // want 10 HLO_COUNT stablehlo.add has 3 operands
    %3 = stablehlo.add %x, %x : tensor<2xf32>, tensor<2xf32> // want 10 HLO_COUNT stablehlo.add with 2 types, needed are 1
    %4 = stablehlo.convert %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> // want 10 HLO_COUNT stablehlo.convert of 1 operand with 2 operand types
    %5 = stablehlo.select %x, %x, %x : tensor<2xf32> // want 10 HLO_COUNT stablehlo.select with 1 type, needed are 2
    %6 = stablehlo.optimization_barrier %x, %x : tensor<2xf32> // want 10 HLO_COUNT with 1 type, needed are 2
    %7 = "stablehlo.optimization_barrier"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> // want 10 HLO_COUNT of 2 operands with 1 result
    %8 = "stablehlo.optimization_barrier"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) // want 5 HLO_COUNT stablehlo.optimization_barrier has 2 results, more than are named
    %9 = stablehlo.negate %x // want 10 HLO_COUNT stablehlo.negate with 0 types
    %10 = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) // want 5 HLO_COUNT more than are named // want 11 HLO_COUNT stablehlo.add with 2 results
    %11 = stablehlo.constant dense<1.0> // want 11 HLO_COUNT stablehlo.constant with 0 types
    util.global.store %x, @g // want 5 HLO_COUNT util.global.store with 0 types
    return
  }
  func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.negated %x : tensor<2xf32> // want 10 HLO_UNKNOWN_OPERATION the operation stablehlo.negated is not known here
    %1 = "mhlo.add"(%0, %gone) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> // want 10 HLO_UNKNOWN_OPERATION mhlo.add // want 25 HLO_UNDEFINED %gone
    return %1 : tensor<2xf32>
  }
}
