func.func @no_end(%x: tensor<f32>) {
  %0 = stablehlo.negate %x : tensor<f32>
} // want 1 HLO_TERMINATOR the region ends without func.return
func.func @early(%x: tensor<f32>) {
  return // want 3 HLO_TERMINATOR func.return before the end of its region
  "stablehlo.negate"(%x) : (tensor<f32>) -> tensor<f32>
} // want 1 HLO_TERMINATOR the region ends without func.return
func.func @wrong(%x: tensor<f32>) -> tensor<f32> {
  stablehlo.return %x : tensor<f32> // want 3 HLO_TERMINATOR stablehlo.return where func.return is needed
}
func.func @results(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  return %x : tensor<f32> // want 3 HLO_COUNT func.return of 1 value, needed are (tensor<f32>, tensor<f32>)
}
func.func @result(%x: tensor<f32>) -> tensor<i32> {
  return %x : tensor<f32> // want 15 HLO_TYPE func.return gives tensor<f32> as value 0, needed is tensor<i32> (defined at 14:39)
}
func.func @loop(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %0:2 = stablehlo.while(%a = %x, %b = %n) : tensor<f32>, tensor<i32>
  cond {
    stablehlo.return %b : tensor<i32> // want 27 HLO_TYPE stablehlo.return gives tensor<i32> as value 0, needed is tensor<i1>
  } do {
    stablehlo.return %b, %a : tensor<i32>, tensor<f32> // want 31 HLO_TYPE as value 0, needed is tensor<f32> // want 44 HLO_TYPE as value 1, needed is tensor<i32>
  }
  return %0#0 : tensor<f32>
}
func.func @loops(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.while"(%x) ({ // want 8 HLO_COUNT a region of stablehlo.while has 0 arguments, needed are (tensor<f32>)
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>): // want 12 HLO_TYPE stablehlo.while with tensor<f64> where tensor<f32> is needed as argument of a region
    stablehlo.return %x : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @branches(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<f32>) {
  %0 = "stablehlo.if"(%i) ({ // want 8 HLO_COUNT stablehlo.if has 1 region
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %1 = "stablehlo.if"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return // want 5 HLO_COUNT stablehlo.return of 0 values, needed are (tensor<f32>)
  }) : (tensor<i32>) -> tensor<f32> // want 9 HLO_TYPE stablehlo.if with tensor<i32> where tensor<i1> is needed
  %2 = "stablehlo.case"(%p) ({
    stablehlo.return %p : tensor<i1> // want 27 HLO_TYPE gives tensor<i1> as value 0, needed is tensor<f32>
  }) : (tensor<i1>) -> tensor<f32> // want 9 HLO_TYPE stablehlo.case with tensor<i1> where tensor<i32> is needed
  %3 = "stablehlo.case"(%i) : (tensor<i32>) -> tensor<f32> // want 8 HLO_COUNT stablehlo.case without a region
  return
}
func.func @reducer(%x: tensor<4xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f64>)  { // want 33 HLO_TYPE stablehlo.reduce with tensor<f64> where tensor<f32> is needed as argument of a region
    stablehlo.return %b : tensor<f64> // want 27 HLO_TYPE needed is tensor<f32>
  }
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.and across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> // want 118 HLO_TYPE stablehlo.and of element type f32
  %2 = stablehlo.reduce(%x init: %z) applies stablehlo.negate across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> // want 46 HLO_UNKNOWN_OPERATION "stablehlo.negate" cannot be applied
  %3 = "stablehlo.reduce"(%x, %z) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32> // want 8 HLO_COUNT stablehlo.reduce with 0 regions
  %4 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32> // want 27 HLO_TYPE needed is tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "stablehlo.add"(%x, %x) ({ // want 8 HLO_COUNT stablehlo.add has 1 region
    stablehlo.return %z : tensor<f32> // want 5 HLO_COUNT stablehlo.return of 1 value, needed are ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func @unnamed(tensor<f32>) { // want 20 HLO_SYNTAX an argument of a function with a body needs a name
  return
}
