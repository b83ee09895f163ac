module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xi32>, %arg1: tensor<4x9xf32>, %arg2: tensor<i32>) -> (tensor<4x4x12xf32> {jax.result_info = "result[0]"}, tensor<4x4x4xf32> {jax.result_info = "result[1]"}, tensor<4x3xf32> {jax.result_info = "result[2]"}, tensor<4xf32> {jax.result_info = "result[3]"}, tensor<2x3xf32> {jax.result_info = "result[4]"}, tensor<4x4x3xf32> {jax.result_info = "result[5]"}, tensor<4xf32> {jax.result_info = "result[6]"}, tensor<5x12xf32> {jax.result_info = "result[7]"}, tensor<4x9xf32> {jax.result_info = "result[8]"}, tensor<4x9xf32> {jax.result_info = "result[9]"}, tensor<4x9xf32> {jax.result_info = "result[10]"}, tensor<4x9xf32> {jax.result_info = "result[11]"}, tensor<4x9xf32> {jax.result_info = "result[12]"}, tensor<4x9xi1> {jax.result_info = "result[13]"}) {
    %cst = stablehlo.constant dense<"0x22E0A53F8946FE3E511228BF7592BCBE9F5BE93FCA88463EE7A3F53EFB99D2BE36788D3FF8CFA23F1B46843E0C2E8EBDAF9CDABF537C303F0801143F099A9C3F2EB31BBF8378BDBEA2B71EBE1BDB204063556C3F97B8EDBFF617F8BE2869CBBFF555BDBEF288CF3D640A79BED5C7813E66A4F13FE2ECCA3F882E9A3FEE1510BF8D5088BFF1FD9BBEE406003F46A1DA3F00738C3FC12922BF38A0AA3F0A1DA53FF183F1BE2BDDE73C1FE88ABC2FDA9ABFD2BB0F3FAFC845BF48CBBC3EFF9B23BE78DE4ABF6E7FDF3E12C684BE65EC223F3D9700C0B7C2C1BE83F1AF3ECF2099BF942DA63FB583B33F3050FE3FD5E003BF75DE953C1D7ED3BFDF5B0CBF4F5A28BEAF7708BF56C9D5BF0849A63F4786113F5EAC85BF8FAE643F5BDC213F63A7313F1ABEDE3E3904B3BEDC14BBBE3A53113F7AD59D3D1B38963F574B813F6CD325BF630E853FD4119C3FAB83483DABC88F3E1127AA3F9D17BE3E7F15903F5E9E0E3F955B34BFE0A50B3F6098E9BFD8B666BFF797E1BEF53D783EFE28B53F0DE5F53E72A6593E6F2A98BFAFA81EC042716D3FF8075F3E820AD43EACD2E53F60D6613D3B4E52BFA80F3BBF11FA933FEE317F3F3A0E853FCD2A4ABFF30D1CBFD6F196BFD314683F5326803F94B3403F1CFFD8BE290EA5BE1DDEACBF338EE4BFADC898BE750547BD0E70C8BFF96EFEBFE08F75BEA556BBBE96E79B3FD62303BEF166EA3EED0FFD3D4CC69B3FC97A86BEAA881640956743BEE1CD39BF938C893F1E7E393FEFF72FBFB5CC353FC220FC3FD35F3ABFC757993F68E78EBD1CE40B3DADD239BFA3898ABF02BF703F8E7231BFEB81883F151E5EBD8036323E9579973F6C6FA2BF070E8ABCF059993FA423913EFDF6C4BEFEB6CB3E226360BFEF35013FC115863D96BB933E31DBE83ED8EA53BF54AA2DBF63F3D2BF92C6A0BDBF443A3F65B5D83FC7BE4E3F6C6D8A3E4D9B453DD88E33BFF7F7713F1669344076F3D1BFC77D7ABF18B8013EE03F853EE263DF3F8E0F4EBE6CD098BDE3C126BEC4BB35BFF7DD6CBED045913FD18435BFF0ADB33F94AB8FBF4FDA743E0FE5933E12DEAC3EDBFF3E3FBDAA1FBFBBE6013FEDF6BF3EEF381B3F5F7EB63D2FBA433F09651EBF3A43AF3DBCD0A23E6CB9593F2A7C48BFCE3C5A3FF37B10402FB1263F8C1132BF0AB2D73EE1D0C13FEE816E3E73266BBFA6C3853FF53F813EF1B305BF173322BD8272A53F58DAE33E0AB7943FC29679BF22620D3F352701BFDAC3153F97A0D03EF3C20EBEAE844EBE11567DBFF7FD38BF21F55B3F85AA81BF176515BF7D6A03BDEA52FA3ECF89E4BF3DC65C3F8BC9273E49F6D33ED9941B3F2A69A6BE4CADF3BEE1C76F3F"> : tensor<20x12xf32>
    %0 = call @_take(%cst, %arg0) : (tensor<20x12xf32>, tensor<4x4xi32>) -> tensor<4x4x12xf32>
    %1 = call @_take_0(%arg1, %arg0) : (tensor<4x9xf32>, tensor<4x4xi32>) -> tensor<4x4x4xf32>
    %2 = stablehlo.slice %arg0 [0:4, 0:3] : (tensor<4x4xi32>) -> tensor<4x3xi32>
    %c = stablehlo.constant dense<9> : tensor<i32>
    %3 = call @remainder(%2, %c) : (tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
    %4 = call @take_along_axis(%arg1, %3) : (tensor<4x9xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>
    %5 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
    %6 = stablehlo.reshape %5 : (tensor<1x4xi32>) -> tensor<4xi32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %7 = call @remainder_2(%6, %c_0) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.slice %arg0 [1:2, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
    %9 = stablehlo.reshape %8 : (tensor<1x4xi32>) -> tensor<4xi32>
    %c_1 = stablehlo.constant dense<9> : tensor<i32>
    %10 = call @remainder_2(%9, %c_1) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %12 = stablehlo.compare LT, %7, %11, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_3 = stablehlo.constant dense<4> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %14 = stablehlo.add %7, %13 : tensor<4xi32>
    %15 = stablehlo.select %12, %14, %7 : tensor<4xi1>, tensor<4xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %17 = stablehlo.compare LT, %10, %16, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_5 = stablehlo.constant dense<9> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %19 = stablehlo.add %10, %18 : tensor<4xi32>
    %20 = stablehlo.select %17, %19, %10 : tensor<4xi1>, tensor<4xi32>
    %21 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %23 = stablehlo.concatenate %21, %22, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %24 = "stablehlo.gather"(%arg1, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x9xf32>, tensor<4x2xi32>) -> tensor<4xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.compare LT, %arg2, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<4> : tensor<i32>
    %26 = stablehlo.add %arg2, %c_7 : tensor<i32>
    %27 = stablehlo.select %25, %26, %arg2 : tensor<i1>, tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.compare LT, %arg2, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<9> : tensor<i32>
    %29 = stablehlo.add %arg2, %c_9 : tensor<i32>
    %30 = stablehlo.select %28, %29, %arg2 : tensor<i1>, tensor<i32>
    %31 = stablehlo.dynamic_slice %arg1, %27, %30, sizes = [2, 3] : (tensor<4x9xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %32 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
    %33 = stablehlo.reshape %32 : (tensor<1x4xi32>) -> tensor<4xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %35 = stablehlo.compare LT, %33, %34, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_11 = stablehlo.constant dense<9> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %37 = stablehlo.add %33, %36 : tensor<4xi32>
    %38 = stablehlo.select %35, %37, %33 : tensor<4xi1>, tensor<4xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %41 = stablehlo.concatenate %39, %40, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %42 = "stablehlo.gather"(%arg1, %41) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 3>}> : (tensor<4x9xf32>, tensor<4x2xi32>) -> tensor<4x4x3xf32>
    %43 = stablehlo.slice %arg0 [0:4, 0:1] : (tensor<4x4xi32>) -> tensor<4x1xi32>
    %44 = stablehlo.reshape %43 : (tensor<4x1xi32>) -> tensor<4xi32>
    %c_13 = stablehlo.constant dense<9> : tensor<i32>
    %45 = call @remainder_2(%44, %c_13) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %47 = stablehlo.compare LT, %45, %46, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_15 = stablehlo.constant dense<9> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %49 = stablehlo.add %45, %48 : tensor<4xi32>
    %50 = stablehlo.select %47, %49, %45 : tensor<4xi1>, tensor<4xi32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %52 = "stablehlo.gather"(%arg1, %51) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<4x9xf32>, tensor<4x1xi32>) -> tensor<4x1xf32>
    %53 = stablehlo.reshape %52 : (tensor<4x1xf32>) -> tensor<4xf32>
    %54 = stablehlo.reshape %0 : (tensor<4x4x12xf32>) -> tensor<16x12xf32>
    %55 = stablehlo.reshape %arg0 : (tensor<4x4xi32>) -> tensor<16xi32>
    %c_16 = stablehlo.constant dense<5> : tensor<i32>
    %56 = call @remainder_3(%55, %c_16) : (tensor<16xi32>, tensor<i32>) -> tensor<16xi32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<5x12xf32>
    %58 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %59 = "stablehlo.scatter"(%57, %58, %54) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %126 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %126 : tensor<f32>
    }) : (tensor<5x12xf32>, tensor<16x1xi32>, tensor<16x12xf32>) -> tensor<5x12xf32>
    %60 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
    %61 = stablehlo.reshape %60 : (tensor<1x4xi32>) -> tensor<4xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %63 = stablehlo.compare LT, %61, %62, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_19 = stablehlo.constant dense<4> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %65 = stablehlo.add %61, %64 : tensor<4xi32>
    %66 = stablehlo.select %63, %65, %61 : tensor<4xi1>, tensor<4xi32>
    %c_20 = stablehlo.constant dense<1> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %68 = stablehlo.convert %67 : tensor<4xi32>
    %69 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %70 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %71 = stablehlo.concatenate %69, %70, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %cst_21 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %73 = "stablehlo.scatter"(%arg1, %71, %72) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<4x9xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<4x9xf32>
    %74 = stablehlo.slice %arg0 [1:2, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
    %75 = stablehlo.reshape %74 : (tensor<1x4xi32>) -> tensor<4xi32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %77 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %78 = stablehlo.compare LT, %75, %77, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_24 = stablehlo.constant dense<9> : tensor<i32>
    %79 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %80 = stablehlo.add %75, %79 : tensor<4xi32>
    %81 = stablehlo.select %78, %80, %75 : tensor<4xi1>, tensor<4xi32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %83 = "stablehlo.scatter"(%arg1, %82, %76) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %126 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %126 : tensor<f32>
    }) : (tensor<4x9xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<4x9xf32>
    %84 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
    %85 = stablehlo.reshape %84 : (tensor<1x4xi32>) -> tensor<4xi32>
    %c_25 = stablehlo.constant dense<4> : tensor<i32>
    %86 = call @remainder_2(%85, %c_25) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x9xf32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %88 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %89 = stablehlo.compare LT, %86, %88, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_28 = stablehlo.constant dense<4> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %91 = stablehlo.add %86, %90 : tensor<4xi32>
    %92 = stablehlo.select %89, %91, %86 : tensor<4xi1>, tensor<4xi32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %94 = "stablehlo.scatter"(%arg1, %93, %87) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %126 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %126 : tensor<f32>
    }) : (tensor<4x9xf32>, tensor<4x1xi32>, tensor<4x9xf32>) -> tensor<4x9xf32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %95 = stablehlo.compare LT, %arg2, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_30 = stablehlo.constant dense<4> : tensor<i32>
    %96 = stablehlo.add %arg2, %c_30 : tensor<i32>
    %97 = stablehlo.select %95, %96, %arg2 : tensor<i1>, tensor<i32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %100 = "stablehlo.scatter"(%arg1, %98, %99) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %126 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %126 : tensor<f32>
    }) : (tensor<4x9xf32>, tensor<1xi32>, tensor<9xf32>) -> tensor<4x9xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %102 = stablehlo.compare LT, %arg2, %c_33, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_34 = stablehlo.constant dense<4> : tensor<i32>
    %103 = stablehlo.add %arg2, %c_34 : tensor<i32>
    %104 = stablehlo.select %102, %103, %arg2 : tensor<i1>, tensor<i32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %105 = stablehlo.compare LT, %arg2, %c_35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_36 = stablehlo.constant dense<9> : tensor<i32>
    %106 = stablehlo.add %arg2, %c_36 : tensor<i32>
    %107 = stablehlo.select %105, %106, %arg2 : tensor<i1>, tensor<i32>
    %108 = stablehlo.dynamic_update_slice %arg1, %101, %104, %107 : (tensor<4x9xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x9xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x9xf32>
    %110 = stablehlo.compare GT, %arg1, %109, FLOAT : (tensor<4x9xf32>, tensor<4x9xf32>) -> tensor<4x9xi1>
    %111 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
    %112 = stablehlo.reshape %111 : (tensor<1x4xi32>) -> tensor<4xi32>
    %c_38 = stablehlo.constant dense<4> : tensor<i32>
    %113 = call @remainder_2(%112, %c_38) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %114 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %115 = stablehlo.compare LT, %113, %114, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_40 = stablehlo.constant dense<4> : tensor<i32>
    %116 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %117 = stablehlo.add %113, %116 : tensor<4xi32>
    %118 = stablehlo.select %115, %117, %113 : tensor<4xi1>, tensor<4xi32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %119 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %120 = stablehlo.convert %119 : tensor<4xi32>
    %121 = stablehlo.broadcast_in_dim %118, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %122 = stablehlo.broadcast_in_dim %120, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %123 = stablehlo.concatenate %121, %122, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %c_42 = stablehlo.constant dense<true> : tensor<i1>
    %124 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %125 = "stablehlo.scatter"(%110, %123, %124) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
      stablehlo.return %arg4 : tensor<i1>
    }) : (tensor<4x9xi1>, tensor<4x2xi32>, tensor<4xi1>) -> tensor<4x9xi1>
    return %0, %1, %4, %24, %31, %42, %53, %59, %73, %83, %94, %100, %108, %125 : tensor<4x4x12xf32>, tensor<4x4x4xf32>, tensor<4x3xf32>, tensor<4xf32>, tensor<2x3xf32>, tensor<4x4x3xf32>, tensor<4xf32>, tensor<5x12xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xi1>
  }
  func.func private @_take(%arg0: tensor<20x12xf32>, %arg1: tensor<4x4xi32>) -> tensor<4x4x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x4xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<4x4xi1>, tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x4xi32>) -> tensor<4x4x1xi32>
    %c_1 = stablehlo.constant dense<19> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x4x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x4x1xi32>, tensor<4x4x1xi32>) -> tensor<4x4x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x4x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x4x1xi32>, tensor<4x4x1xi32>) -> tensor<4x4x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x4x1xi1>, tensor<i1>) -> tensor<4x4xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 12>}> : (tensor<20x12xf32>, tensor<4x4x1xi32>) -> tensor<4x4x12xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x4xi1>) -> tensor<4x4x12xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x12xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<4x4x12xi1>, tensor<4x4x12xf32>
    return %16 : tensor<4x4x12xf32>
  }
  func.func private @_where(%arg0: tensor<4x4xi1>, %arg1: tensor<4x4xi32>, %arg2: tensor<4x4xi32>) -> tensor<4x4xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x4xi1>, tensor<4x4xi32>
    return %0 : tensor<4x4xi32>
  }
  func.func private @_take_0(%arg0: tensor<4x9xf32>, %arg1: tensor<4x4xi32>) -> tensor<4x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x4xi32>) -> tensor<4x4x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x9xf32>, tensor<4x4x1xi32>) -> tensor<4x4x4xf32>
    return %1 : tensor<4x4x4xf32>
  }
  func.func private @remainder(%arg0: tensor<4x3xi32>, %arg1: tensor<i32>) -> tensor<4x3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_1(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<4x3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<4x3xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<4x3xi1>, tensor<4x3xi1>) -> tensor<4x3xi1>
    %12 = stablehlo.and %11, %6 : tensor<4x3xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %14 = stablehlo.add %4, %13 : tensor<4x3xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<4x3xi1>, tensor<4x3xi32>
    return %15 : tensor<4x3xi32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x9xf32>, %arg1: tensor<4x3xi32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x3xi1>, tensor<4x3xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %c_1 = stablehlo.constant dense<8> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x3x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x3x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x3x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x3x1xi1>, tensor<i1>) -> tensor<4x3xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x9xf32>, tensor<4x3x1xi32>) -> tensor<4x3xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x3xi1>, tensor<4x3xf32>
    return %15 : tensor<4x3xf32>
  }
  func.func private @remainder_2(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_1(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %12 = stablehlo.and %11, %6 : tensor<4xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %14 = stablehlo.add %4, %13 : tensor<4xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<4xi1>, tensor<4xi32>
    return %15 : tensor<4xi32>
  }
  func.func private @remainder_3(%arg0: tensor<16xi32>, %arg1: tensor<i32>) -> tensor<16xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_1(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<16xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<16xi1>, tensor<16xi1>) -> tensor<16xi1>
    %12 = stablehlo.and %11, %6 : tensor<16xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %14 = stablehlo.add %4, %13 : tensor<16xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<16xi1>, tensor<16xi32>
    return %15 : tensor<16xi32>
  }
}
