module {
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<2xf32>
  util.global private mutable @s = dense<0.0> : tensor<2xf32>
  util.global private @w : tensor<3xf32> // want 23 HLO_REDEFINED_SYMBOL symbol @w is defined twice (defined at 2:23)
  stream.executable private @k {
    stream.executable.export public @k workgroups() -> (index) { }
  }
  func.func private @f(%x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>) {
    return %x : tensor<2xf32>
  }
  func.func @f(%x: tensor<2xf32>) { // want 13 HLO_REDEFINED_SYMBOL symbol @f is defined twice (defined at 8:21)
    return
  }
  func.func @g(%x: tensor<2xf32>, %n: tensor<i32>) {
    %0 = util.global.load @v : tensor<2xf32> // want 27 HLO_UNKNOWN_SYMBOL there is no global @v
    %1 = util.global.load @s : tensor<2xf64> // want 32 HLO_TYPE @s is tensor<2xf32>, used as tensor<2xf64> (defined at 3:31)
    util.global.store %x, @s : tensor<2xf32>
    util.global.store %n, @s : tensor<i32> // want 32 HLO_TYPE @s is tensor<2xf32>, used as tensor<i32>
    %2 = util.global.load @w : tensor<3xf32>
    util.global.store %2, @w : tensor<3xf32> // want 27 HLO_STORE_TO_IMMUTABLE @w is not mutable (defined at 4:23)
    %3 = func.call @f(%x, %n) : (tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
    %4 = func.call @h(%x) : (tensor<2xf32>) -> tensor<2xf32> // want 20 HLO_UNKNOWN_SYMBOL there is no function @h
    util.call @between() : () -> () // want 15 HLO_UNKNOWN_SYMBOL there is no function @between
    %5 = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32> // want 10 HLO_COUNT @f called with 1 argument, it has 2
    %6:2 = func.call @f(%x, %n) : (tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<i32>) // want 12 HLO_COUNT @f called with 2 results, it has 1
    %7 = func.call @f(%n, %x) : (tensor<i32>, tensor<2xf32>) -> tensor<2xi32> // want 34 HLO_TYPE argument 0 of @f is tensor<2xf32>, not tensor<i32> (defined at 8:28) // want 47 HLO_TYPE argument 1 of @f // want 65 HLO_TYPE result 0 of @f is tensor<2xf32>, not tensor<2xi32>
    %8 = flow.dispatch @k::@k(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %9 = flow.dispatch @k::@other(%x) : (tensor<2xf32>) -> tensor<2xf32> // want 24 HLO_UNKNOWN_SYMBOL there is no kernel @k::other
    %10 = flow.dispatch @k(%x) : (tensor<2xf32>) -> tensor<2xf32> // want 25 HLO_UNKNOWN_SYMBOL there is no kernel @k
    %11 = flow.dispatch @k::@k[%m](%x) : (tensor<2xf32>) -> tensor<2xf32> // want 32 HLO_UNDEFINED %m is not defined
    %12 = flow.dispatch @k::@k[%n](%x) : (tensor<2xf32>) -> tensor<2xf32> // want 32 HLO_TYPE %n is tensor<i32>, used as index (defined at 14:35)
    %13 = arith.constant 2 : index
    %14 = flow.dispatch @k::@k[%13](%x, %13) : (tensor<2xf32>, index) -> tensor<?xf32>{%15} // want 88 HLO_UNDEFINED %15 is not defined
    "util.global.load"() {global = @w} : () -> () // want 5 HLO_COUNT util.global.load with 0 results
    return
  }
}
