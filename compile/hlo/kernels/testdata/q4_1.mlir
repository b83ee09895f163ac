  stream.executable private @matvec_q4_1_40x512 {
    stream.executable.export public @matvec_q4_1_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 1 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q4_1_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 16 : index
        %c2 = arith.constant 1 : index
        %c3 = arith.constant 32 : index
        %c4 = arith.constant 25 : index
        %c5 = arith.constant 10 : index
        %c6 = arith.constant 20 : index
        %c7 = arith.constant 30 : index
        %c8 = arith.constant dense<0.0> : vector<16xf32>
        %c9 = arith.constant 0.0 : f32
        %c10 = arith.constant 4 : index
        %c11 = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : vector<8xi32>
        %c12 = arith.constant dense<15> : vector<32xi8>
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x20xi8>
        %3 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
        %4 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<40xf32>
        %5 = memref.alloca() : memref<16xf32>
        scf.for %6 = %c0 to %c1 step %c2 {
          %7 = arith.muli %6, %c3 : index
          %8 = vector.load %3[%7] : memref<512xf32>, vector<16xf32>
          %9 = arith.addi %7, %c1 : index
          %10 = vector.load %3[%9] : memref<512xf32>, vector<16xf32>
          %11 = arith.addf %8, %10 : vector<16xf32>
          %12 = vector.reduction <add>, %11 : vector<16xf32> into f32
          memref.store %12, %5[%6] : memref<16xf32>
        }
        %13 = arith.muli %1, %c4 : index
        %14 = arith.addi %13, %c4 : index
        %15 = arith.minui %14, %c5 : index
        scf.for %16 = %13 to %15 step %c2 {
          %17 = arith.addi %16, %c5 : index
          %18 = arith.addi %16, %c6 : index
          %19 = arith.addi %16, %c7 : index
          %29:8 = scf.for %20 = %c0 to %c1 step %c2 iter_args(%21 = %c8, %22 = %c8, %23 = %c8, %24 = %c8, %25 = %c9, %26 = %c9, %27 = %c9, %28 = %c9) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, f32, f32, f32, f32) {
            %30 = arith.muli %20, %c3 : index
            %31 = vector.load %3[%30] : memref<512xf32>, vector<16xf32>
            %32 = arith.addi %30, %c1 : index
            %33 = vector.load %3[%32] : memref<512xf32>, vector<16xf32>
            %34 = vector.load %2[%16, %20, %c0] : memref<40x16x20xi8>, vector<4xi8>
            %35 = vector.bitcast %34 : vector<4xi8> to vector<2xf16>
            %36 = arith.extf %35 : vector<2xf16> to vector<2xf32>
            %37 = vector.extract %36[0] : f32 from vector<2xf32>
            %38 = vector.extract %36[1] : f32 from vector<2xf32>
            %39 = vector.load %2[%16, %20, %c10] : memref<40x16x20xi8>, vector<16xi8>
            %40 = vector.shuffle %39, %39 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %41 = vector.bitcast %40 : vector<32xi8> to vector<8xi32>
            %42 = arith.shrui %41, %c11 : vector<8xi32>
            %43 = vector.bitcast %42 : vector<8xi32> to vector<32xi8>
            %44 = arith.andi %43, %c12 : vector<32xi8>
            %45 = vector.shuffle %44, %44 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %46 = arith.sitofp %45 : vector<16xi8> to vector<16xf32>
            %47 = vector.shuffle %44, %44 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %48 = arith.sitofp %47 : vector<16xi8> to vector<16xf32>
            %49 = arith.mulf %46, %31 : vector<16xf32>
            %50 = vector.fma %48, %33, %49 : vector<16xf32>
            %51 = vector.broadcast %37 : f32 to vector<16xf32>
            %52 = vector.fma %50, %51, %21 : vector<16xf32>
            %53 = memref.load %5[%20] : memref<16xf32>
            %54 = arith.mulf %38, %53 : f32
            %55 = arith.addf %54, %25 : f32
            %56 = vector.load %2[%17, %20, %c0] : memref<40x16x20xi8>, vector<4xi8>
            %57 = vector.bitcast %56 : vector<4xi8> to vector<2xf16>
            %58 = arith.extf %57 : vector<2xf16> to vector<2xf32>
            %59 = vector.extract %58[0] : f32 from vector<2xf32>
            %60 = vector.extract %58[1] : f32 from vector<2xf32>
            %61 = vector.load %2[%17, %20, %c10] : memref<40x16x20xi8>, vector<16xi8>
            %62 = vector.shuffle %61, %61 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %63 = vector.bitcast %62 : vector<32xi8> to vector<8xi32>
            %64 = arith.shrui %63, %c11 : vector<8xi32>
            %65 = vector.bitcast %64 : vector<8xi32> to vector<32xi8>
            %66 = arith.andi %65, %c12 : vector<32xi8>
            %67 = vector.shuffle %66, %66 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %68 = arith.sitofp %67 : vector<16xi8> to vector<16xf32>
            %69 = vector.shuffle %66, %66 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %70 = arith.sitofp %69 : vector<16xi8> to vector<16xf32>
            %71 = arith.mulf %68, %31 : vector<16xf32>
            %72 = vector.fma %70, %33, %71 : vector<16xf32>
            %73 = vector.broadcast %59 : f32 to vector<16xf32>
            %74 = vector.fma %72, %73, %22 : vector<16xf32>
            %75 = memref.load %5[%20] : memref<16xf32>
            %76 = arith.mulf %60, %75 : f32
            %77 = arith.addf %76, %26 : f32
            %78 = vector.load %2[%18, %20, %c0] : memref<40x16x20xi8>, vector<4xi8>
            %79 = vector.bitcast %78 : vector<4xi8> to vector<2xf16>
            %80 = arith.extf %79 : vector<2xf16> to vector<2xf32>
            %81 = vector.extract %80[0] : f32 from vector<2xf32>
            %82 = vector.extract %80[1] : f32 from vector<2xf32>
            %83 = vector.load %2[%18, %20, %c10] : memref<40x16x20xi8>, vector<16xi8>
            %84 = vector.shuffle %83, %83 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %85 = vector.bitcast %84 : vector<32xi8> to vector<8xi32>
            %86 = arith.shrui %85, %c11 : vector<8xi32>
            %87 = vector.bitcast %86 : vector<8xi32> to vector<32xi8>
            %88 = arith.andi %87, %c12 : vector<32xi8>
            %89 = vector.shuffle %88, %88 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %90 = arith.sitofp %89 : vector<16xi8> to vector<16xf32>
            %91 = vector.shuffle %88, %88 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %92 = arith.sitofp %91 : vector<16xi8> to vector<16xf32>
            %93 = arith.mulf %90, %31 : vector<16xf32>
            %94 = vector.fma %92, %33, %93 : vector<16xf32>
            %95 = vector.broadcast %81 : f32 to vector<16xf32>
            %96 = vector.fma %94, %95, %23 : vector<16xf32>
            %97 = memref.load %5[%20] : memref<16xf32>
            %98 = arith.mulf %82, %97 : f32
            %99 = arith.addf %98, %27 : f32
            %100 = vector.load %2[%19, %20, %c0] : memref<40x16x20xi8>, vector<4xi8>
            %101 = vector.bitcast %100 : vector<4xi8> to vector<2xf16>
            %102 = arith.extf %101 : vector<2xf16> to vector<2xf32>
            %103 = vector.extract %102[0] : f32 from vector<2xf32>
            %104 = vector.extract %102[1] : f32 from vector<2xf32>
            %105 = vector.load %2[%19, %20, %c10] : memref<40x16x20xi8>, vector<16xi8>
            %106 = vector.shuffle %105, %105 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %107 = vector.bitcast %106 : vector<32xi8> to vector<8xi32>
            %108 = arith.shrui %107, %c11 : vector<8xi32>
            %109 = vector.bitcast %108 : vector<8xi32> to vector<32xi8>
            %110 = arith.andi %109, %c12 : vector<32xi8>
            %111 = vector.shuffle %110, %110 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %112 = arith.sitofp %111 : vector<16xi8> to vector<16xf32>
            %113 = vector.shuffle %110, %110 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %114 = arith.sitofp %113 : vector<16xi8> to vector<16xf32>
            %115 = arith.mulf %112, %31 : vector<16xf32>
            %116 = vector.fma %114, %33, %115 : vector<16xf32>
            %117 = vector.broadcast %103 : f32 to vector<16xf32>
            %118 = vector.fma %116, %117, %24 : vector<16xf32>
            %119 = memref.load %5[%20] : memref<16xf32>
            %120 = arith.mulf %104, %119 : f32
            %121 = arith.addf %120, %28 : f32
            scf.yield %52, %74, %96, %118, %55, %77, %99, %121 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, f32, f32, f32, f32
          }
          %122 = vector.reduction <add>, %29#0 : vector<16xf32> into f32
          %123 = arith.addf %122, %29#4 : f32
          %124 = vector.reduction <add>, %29#1 : vector<16xf32> into f32
          %125 = arith.addf %124, %29#5 : f32
          %126 = vector.reduction <add>, %29#2 : vector<16xf32> into f32
          %127 = arith.addf %126, %29#6 : f32
          %128 = vector.reduction <add>, %29#3 : vector<16xf32> into f32
          %129 = arith.addf %128, %29#7 : f32
          memref.store %123, %4[%16] : memref<40xf32>
          memref.store %125, %4[%17] : memref<40xf32>
          memref.store %127, %4[%18] : memref<40xf32>
          memref.store %129, %4[%19] : memref<40xf32>
        }
        return
      }
    }
  }
