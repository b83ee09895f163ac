module {
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_matmul_128x1536x384_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_matmul_128x1536x384_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x384xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<384x1536xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x1536xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [128, 384], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x384xf32>> -> tensor<128x384xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [384, 1536], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<384x1536xf32>> -> tensor<384x1536xf32>
        %2 = tensor.empty() : tensor<128x1536xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<128x1536xf32>) -> tensor<128x1536xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<128x384xf32>, tensor<384x1536xf32>) outs(%3 : tensor<128x1536xf32>) -> tensor<128x1536xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<128x1536xf32>) outs(%2 : tensor<128x1536xf32>) {
        ^bb0(%in: f32, %out: f32):
          %6 = math.tanh %in : f32
          linalg.yield %6 : f32
        } -> tensor<128x1536xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg2, offsets = [0, 0], sizes = [128, 1536], strides = [1, 1] : tensor<128x1536xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x1536xf32>>
        return
      }
    }
  }
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_matmul_128x384x1536_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_1_matmul_128x384x1536_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x1536xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1536x384xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x384xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [128, 1536], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x1536xf32>> -> tensor<128x1536xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [1536, 384], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1536x384xf32>> -> tensor<1536x384xf32>
        %2 = tensor.empty() : tensor<128x384xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<128x384xf32>) -> tensor<128x384xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<128x1536xf32>, tensor<1536x384xf32>) outs(%3 : tensor<128x384xf32>) -> tensor<128x384xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [128, 384], strides = [1, 1] : tensor<128x384xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x384xf32>>
        return
      }
    }
  }
  flow.executable private @main_dispatch_2 {
    flow.executable.export public @main_dispatch_2_reduction_128x384_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_2_reduction_128x384_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x384xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x384xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [128, 384], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x384xf32>> -> tensor<128x384xf32>
        %1 = tensor.empty() : tensor<128x384xf32>
        %2 = tensor.empty() : tensor<128xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<128xf32>) -> tensor<128xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<128x384xf32>) outs(%3 : tensor<128xf32>) {
        ^bb0(%in: f32, %out: f32):
          %6 = arith.addf %out, %in : f32
          linalg.yield %6 : f32
        } -> tensor<128xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %4 : tensor<128x384xf32>, tensor<128xf32>) outs(%1 : tensor<128x384xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %6 = arith.divf %in, %in_0 : f32
          linalg.yield %6 : f32
        } -> tensor<128x384xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg1, offsets = [0, 0], sizes = [128, 384], strides = [1, 1] : tensor<128x384xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x384xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<128x384xf32>, %input1: tensor<384x1536xf32>, %input2: tensor<1536x384xf32>) -> (%output0: tensor<128x384xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<128x384xf32>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<384x1536xf32>
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<1536x384xf32>
    %3 = flow.dispatch @main_dispatch_0::@main_dispatch_0_matmul_128x1536x384_f32(%0, %1) : (tensor<128x384xf32>, tensor<384x1536xf32>) -> tensor<128x1536xf32>
    %4 = flow.dispatch @main_dispatch_1::@main_dispatch_1_matmul_128x384x1536_f32(%3, %2) : (tensor<128x1536xf32>, tensor<1536x384xf32>) -> tensor<128x384xf32>
    %5 = flow.dispatch @main_dispatch_2::@main_dispatch_2_reduction_128x384_f32(%4) : (tensor<128x384xf32>) -> tensor<128x384xf32>
    %6 = hal.tensor.export %5 "output0" : tensor<128x384xf32> -> !hal.buffer_view
    util.return %6 : !hal.buffer_view
  }
}
