  stream.executable private @matvec_q4_0_40x512 {
    stream.executable.export public @matvec_q4_0_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 1 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q4_0_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 28 : index
        %c2 = arith.constant 10 : index
        %c3 = arith.constant 1 : index
        %c4 = arith.constant 20 : index
        %c5 = arith.constant 30 : index
        %c6 = arith.constant dense<0.0> : vector<16xf32>
        %c7 = arith.constant 16 : index
        %c8 = arith.constant 32 : index
        %c9 = arith.constant 2 : index
        %c10 = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : vector<8xi32>
        %c11 = arith.constant dense<15> : vector<32xi8>
        %c12 = arith.constant dense<-8> : vector<32xi8>
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x18xi8>
        %3 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
        %4 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<40xf32>
        %5 = arith.muli %1, %c1 : index
        %6 = arith.addi %5, %c1 : index
        %7 = arith.minui %6, %c2 : index
        scf.for %8 = %5 to %7 step %c3 {
          %9 = arith.addi %8, %c2 : index
          %10 = arith.addi %8, %c4 : index
          %11 = arith.addi %8, %c5 : index
          %17:4 = scf.for %12 = %c0 to %c7 step %c3 iter_args(%13 = %c6, %14 = %c6, %15 = %c6, %16 = %c6) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
            %18 = arith.muli %12, %c8 : index
            %19 = vector.load %3[%18] : memref<512xf32>, vector<16xf32>
            %20 = arith.addi %18, %c7 : index
            %21 = vector.load %3[%20] : memref<512xf32>, vector<16xf32>
            %22 = vector.load %2[%8, %12, %c0] : memref<40x16x18xi8>, vector<2xi8>
            %23 = vector.bitcast %22 : vector<2xi8> to vector<1xf16>
            %24 = vector.extract %23[0] : f16 from vector<1xf16>
            %25 = arith.extf %24 : f16 to f32
            %26 = vector.load %2[%8, %12, %c9] : memref<40x16x18xi8>, vector<16xi8>
            %27 = vector.shuffle %26, %26 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %28 = vector.bitcast %27 : vector<32xi8> to vector<8xi32>
            %29 = arith.shrui %28, %c10 : vector<8xi32>
            %30 = vector.bitcast %29 : vector<8xi32> to vector<32xi8>
            %31 = arith.andi %30, %c11 : vector<32xi8>
            %32 = arith.addi %31, %c12 : vector<32xi8>
            %33 = vector.shuffle %32, %32 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %34 = arith.sitofp %33 : vector<16xi8> to vector<16xf32>
            %35 = vector.shuffle %32, %32 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %36 = arith.sitofp %35 : vector<16xi8> to vector<16xf32>
            %37 = arith.mulf %34, %19 : vector<16xf32>
            %38 = vector.fma %36, %21, %37 : vector<16xf32>
            %39 = vector.broadcast %25 : f32 to vector<16xf32>
            %40 = vector.fma %38, %39, %13 : vector<16xf32>
            %41 = vector.load %2[%9, %12, %c0] : memref<40x16x18xi8>, vector<2xi8>
            %42 = vector.bitcast %41 : vector<2xi8> to vector<1xf16>
            %43 = vector.extract %42[0] : f16 from vector<1xf16>
            %44 = arith.extf %43 : f16 to f32
            %45 = vector.load %2[%9, %12, %c9] : memref<40x16x18xi8>, vector<16xi8>
            %46 = vector.shuffle %45, %45 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %47 = vector.bitcast %46 : vector<32xi8> to vector<8xi32>
            %48 = arith.shrui %47, %c10 : vector<8xi32>
            %49 = vector.bitcast %48 : vector<8xi32> to vector<32xi8>
            %50 = arith.andi %49, %c11 : vector<32xi8>
            %51 = arith.addi %50, %c12 : vector<32xi8>
            %52 = vector.shuffle %51, %51 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %53 = arith.sitofp %52 : vector<16xi8> to vector<16xf32>
            %54 = vector.shuffle %51, %51 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %55 = arith.sitofp %54 : vector<16xi8> to vector<16xf32>
            %56 = arith.mulf %53, %19 : vector<16xf32>
            %57 = vector.fma %55, %21, %56 : vector<16xf32>
            %58 = vector.broadcast %44 : f32 to vector<16xf32>
            %59 = vector.fma %57, %58, %14 : vector<16xf32>
            %60 = vector.load %2[%10, %12, %c0] : memref<40x16x18xi8>, vector<2xi8>
            %61 = vector.bitcast %60 : vector<2xi8> to vector<1xf16>
            %62 = vector.extract %61[0] : f16 from vector<1xf16>
            %63 = arith.extf %62 : f16 to f32
            %64 = vector.load %2[%10, %12, %c9] : memref<40x16x18xi8>, vector<16xi8>
            %65 = vector.shuffle %64, %64 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %66 = vector.bitcast %65 : vector<32xi8> to vector<8xi32>
            %67 = arith.shrui %66, %c10 : vector<8xi32>
            %68 = vector.bitcast %67 : vector<8xi32> to vector<32xi8>
            %69 = arith.andi %68, %c11 : vector<32xi8>
            %70 = arith.addi %69, %c12 : vector<32xi8>
            %71 = vector.shuffle %70, %70 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %72 = arith.sitofp %71 : vector<16xi8> to vector<16xf32>
            %73 = vector.shuffle %70, %70 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %74 = arith.sitofp %73 : vector<16xi8> to vector<16xf32>
            %75 = arith.mulf %72, %19 : vector<16xf32>
            %76 = vector.fma %74, %21, %75 : vector<16xf32>
            %77 = vector.broadcast %63 : f32 to vector<16xf32>
            %78 = vector.fma %76, %77, %15 : vector<16xf32>
            %79 = vector.load %2[%11, %12, %c0] : memref<40x16x18xi8>, vector<2xi8>
            %80 = vector.bitcast %79 : vector<2xi8> to vector<1xf16>
            %81 = vector.extract %80[0] : f16 from vector<1xf16>
            %82 = arith.extf %81 : f16 to f32
            %83 = vector.load %2[%11, %12, %c9] : memref<40x16x18xi8>, vector<16xi8>
            %84 = vector.shuffle %83, %83 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %85 = vector.bitcast %84 : vector<32xi8> to vector<8xi32>
            %86 = arith.shrui %85, %c10 : vector<8xi32>
            %87 = vector.bitcast %86 : vector<8xi32> to vector<32xi8>
            %88 = arith.andi %87, %c11 : vector<32xi8>
            %89 = arith.addi %88, %c12 : vector<32xi8>
            %90 = vector.shuffle %89, %89 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %91 = arith.sitofp %90 : vector<16xi8> to vector<16xf32>
            %92 = vector.shuffle %89, %89 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %93 = arith.sitofp %92 : vector<16xi8> to vector<16xf32>
            %94 = arith.mulf %91, %19 : vector<16xf32>
            %95 = vector.fma %93, %21, %94 : vector<16xf32>
            %96 = vector.broadcast %82 : f32 to vector<16xf32>
            %97 = vector.fma %95, %96, %16 : vector<16xf32>
            scf.yield %40, %59, %78, %97 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %98 = vector.reduction <add>, %17#0 : vector<16xf32> into f32
          %99 = vector.reduction <add>, %17#1 : vector<16xf32> into f32
          %100 = vector.reduction <add>, %17#2 : vector<16xf32> into f32
          %101 = vector.reduction <add>, %17#3 : vector<16xf32> into f32
          memref.store %98, %4[%8] : memref<40xf32>
          memref.store %99, %4[%9] : memref<40xf32>
          memref.store %100, %4[%10] : memref<40xf32>
          memref.store %101, %4[%11] : memref<40xf32>
        }
        return
      }
    }
  }
