module {
  func.func @f(%x: tensor<2xf32>) {
    return
  } // want 4 HLO_SYNTAX expected "}", found the end of the text
// -----
module {
} extra // want 3 HLO_SYNTAX expected the end of the text, found "extra"
// -----
func.func @f(%x: tensor<2xf32) { // want 30 HLO_SYNTAX expected ">", found ")"
// -----
func.func @f(%x: tensor<2,f32>) { // want 26 HLO_SYNTAX expected "x" after a size
// -----
func.func @f(%x: tensor<2xf33>) { // want 27 HLO_SYNTAX expected an element type, found "f33"
// -----
func.func @f(%x: tensor) { // want 24 HLO_SYNTAX expected "<", found ")"
// -----
func.func @f(%x: 3) { // want 18 HLO_SYNTAX expected a type, found "3"
// -----
func.func f() { // want 11 HLO_SYNTAX expected a symbol, found "f"
// -----
func.func @f() {
  %0 = stablehlo.add %x %y : tensor<f32> // want 25 HLO_SYNTAX expected ",", found "%y"
// -----
func.func @f() {
  %0 = stablehlo.add %x, : tensor<f32> // want 26 HLO_SYNTAX expected an operand or an attribute, found ":"
// -----
func.func @f() {
  %0 = stablehlo.add %x, ) : tensor<f32> // want 26 HLO_SYNTAX expected an operand, an attribute or a type, found ")"
// -----
func.func @f() {
  %0 stablehlo.add %x, %x : tensor<f32> // want 6 HLO_SYNTAX expected "=", found "stablehlo.add"
// -----
func.func @f() {
  %0:0 = stablehlo.add %x, %x : tensor<f32> // want 6 HLO_SYNTAX expected a number of results, found "0"
// -----
func.func @f() {
  %0, 1 = stablehlo.add %x, %x : tensor<f32> // want 7 HLO_SYNTAX expected a value, found "1"
// -----
func.func @f() {
  %0 = ; // want 8 HLO_SYNTAX unexpected token ";"
// -----
func.func @f() {
  %0 = "stablehlo.add"(1) : () -> () // want 24 HLO_SYNTAX expected a value, found "1"
// -----
func.func @f() {
  %0 = stablehlo.transpose %x, dims = [0], dims = [0] : (tensor<f32>) -> tensor<f32> // want 44 HLO_SYNTAX dims is given twice
// -----
func.func @f() {
  %0 = stablehlo.transpose %x, dims = ) : (tensor<f32>) -> tensor<f32> // want 39 HLO_SYNTAX expected an attribute, found ")"
// -----
func.func @f() {
  %0 = stablehlo.constant dense<%x> : tensor<f32> // want 33 HLO_SYNTAX expected an attribute, found "%x"
// -----
func.func @f() {
  %0 = stablehlo.reduce(%x init: %z) applies %y // want 46 HLO_SYNTAX expected an operation, found "%y"
// -----
func.func @f() {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dims = [0] // want 67 HLO_SYNTAX expected "dimensions", found "dims"
// -----
func.func @f() {
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0]
} // want 1 HLO_SYNTAX expected ":", found "}"
// -----
func.func @f() {
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32> reducer(3) // want 116 HLO_SYNTAX expected a value, found "3"
// -----
func.func @f() {
  %0 = stablehlo.while(%a = %x) : tensor<i1> do { // want 46 HLO_SYNTAX expected "cond", found "do"
// -----
func.func @f() {
  %0 = "stablehlo.while"() ({
  ^bb0:
    stablehlo.return
  ^bb1: // want 3 HLO_SYNTAX a region must have one block
// -----
func.func @f(%x: tensor<2xf32>) {
  %0 = stablehlo.negate %x#a : tensor<2xf32> // want 27 HLO_SYNTAX expected the number of a result, found "#a"
// -----
func.func @f() {
  "a.b"() {1 = 2} : () -> () // want 12 HLO_SYNTAX expected a name, found "1"
// -----
stream.executable @k ( // want 22 HLO_SYNTAX expected "{", found "("
// -----
stream.executable @k { ) // want 24 HLO_SYNTAX unbalanced ")"
// -----
func.func @f(%x: vector 2) { // want 25 HLO_SYNTAX expected a bracket, found "2"
// -----
func.func @f(%x: !stream.binding) {
  %0 = stablehlo.iota : (tensor<f32> -> tensor<f32> // want 38 HLO_SYNTAX expected ")", found "->"
// -----
func.func @f(%x: tensor<?x4xf32>) {
  %0 = flow.dispatch @k::@k[%n](%x) : (tensor<?x4xf32>) -> tensor<2xf32> // want 40 HLO_SYNTAX tensor<?x4xf32> with 0 sizes
// -----
func.func @f(%x: tensor<?x4xf32>) {
  %0 = flow.dispatch @k::@k[](%x) : (tensor<?x4xf32>) -> tensor<2xf32> // want 29 HLO_SYNTAX expected a value, found "]"
