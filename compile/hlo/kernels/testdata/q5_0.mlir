  stream.executable private @matvec_q5_0_40x512 {
    stream.executable.export public @matvec_q5_0_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 1 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q5_0_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 23 : index
        %c2 = arith.constant 10 : index
        %c3 = arith.constant 1 : index
        %c4 = arith.constant 20 : index
        %c5 = arith.constant 30 : index
        %c6 = arith.constant dense<0.0> : vector<16xf32>
        %c7 = arith.constant 16 : index
        %c8 = arith.constant 32 : index
        %c9 = arith.constant 6 : index
        %c10 = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : vector<8xi32>
        %c11 = arith.constant 2 : index
        %c12 = arith.constant dense<-16> : vector<32xi8>
        %c13 = arith.constant dense<0> : vector<32xi8>
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x22xi8>
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
            %22 = vector.load %2[%8, %12, %c0] : memref<40x16x22xi8>, vector<2xi8>
            %23 = vector.bitcast %22 : vector<2xi8> to vector<1xf16>
            %24 = vector.extract %23[0] : f16 from vector<1xf16>
            %25 = arith.extf %24 : f16 to f32
            %26 = vector.load %2[%8, %12, %c9] : memref<40x16x22xi8>, vector<16xi8>
            %27 = vector.shuffle %26, %26 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %28 = vector.bitcast %27 : vector<32xi8> to vector<8xi32>
            %29 = arith.shrui %28, %c10 : vector<8xi32>
            %30 = vector.bitcast %29 : vector<8xi32> to vector<32xi8>
            %31 = vector.load %2[%8, %12, %c11] : memref<40x16x22xi8>, vector<4xi8>
            %32 = vector.bitcast %31 : vector<4xi8> to vector<32xi1>
            %33 = arith.ori %30, %c12 : vector<32xi8>
            %34 = arith.select %32, %c12, %c13 : vector<32xi1>, vector<32xi8>
            %35 = arith.xori %33, %34 : vector<32xi8>
            %36 = vector.shuffle %35, %35 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %37 = arith.sitofp %36 : vector<16xi8> to vector<16xf32>
            %38 = vector.shuffle %35, %35 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %39 = arith.sitofp %38 : vector<16xi8> to vector<16xf32>
            %40 = arith.mulf %37, %19 : vector<16xf32>
            %41 = vector.fma %39, %21, %40 : vector<16xf32>
            %42 = vector.broadcast %25 : f32 to vector<16xf32>
            %43 = vector.fma %41, %42, %13 : vector<16xf32>
            %44 = vector.load %2[%9, %12, %c0] : memref<40x16x22xi8>, vector<2xi8>
            %45 = vector.bitcast %44 : vector<2xi8> to vector<1xf16>
            %46 = vector.extract %45[0] : f16 from vector<1xf16>
            %47 = arith.extf %46 : f16 to f32
            %48 = vector.load %2[%9, %12, %c9] : memref<40x16x22xi8>, vector<16xi8>
            %49 = vector.shuffle %48, %48 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %50 = vector.bitcast %49 : vector<32xi8> to vector<8xi32>
            %51 = arith.shrui %50, %c10 : vector<8xi32>
            %52 = vector.bitcast %51 : vector<8xi32> to vector<32xi8>
            %53 = vector.load %2[%9, %12, %c11] : memref<40x16x22xi8>, vector<4xi8>
            %54 = vector.bitcast %53 : vector<4xi8> to vector<32xi1>
            %55 = arith.ori %52, %c12 : vector<32xi8>
            %56 = arith.select %54, %c12, %c13 : vector<32xi1>, vector<32xi8>
            %57 = arith.xori %55, %56 : vector<32xi8>
            %58 = vector.shuffle %57, %57 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %59 = arith.sitofp %58 : vector<16xi8> to vector<16xf32>
            %60 = vector.shuffle %57, %57 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %61 = arith.sitofp %60 : vector<16xi8> to vector<16xf32>
            %62 = arith.mulf %59, %19 : vector<16xf32>
            %63 = vector.fma %61, %21, %62 : vector<16xf32>
            %64 = vector.broadcast %47 : f32 to vector<16xf32>
            %65 = vector.fma %63, %64, %14 : vector<16xf32>
            %66 = vector.load %2[%10, %12, %c0] : memref<40x16x22xi8>, vector<2xi8>
            %67 = vector.bitcast %66 : vector<2xi8> to vector<1xf16>
            %68 = vector.extract %67[0] : f16 from vector<1xf16>
            %69 = arith.extf %68 : f16 to f32
            %70 = vector.load %2[%10, %12, %c9] : memref<40x16x22xi8>, vector<16xi8>
            %71 = vector.shuffle %70, %70 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %72 = vector.bitcast %71 : vector<32xi8> to vector<8xi32>
            %73 = arith.shrui %72, %c10 : vector<8xi32>
            %74 = vector.bitcast %73 : vector<8xi32> to vector<32xi8>
            %75 = vector.load %2[%10, %12, %c11] : memref<40x16x22xi8>, vector<4xi8>
            %76 = vector.bitcast %75 : vector<4xi8> to vector<32xi1>
            %77 = arith.ori %74, %c12 : vector<32xi8>
            %78 = arith.select %76, %c12, %c13 : vector<32xi1>, vector<32xi8>
            %79 = arith.xori %77, %78 : vector<32xi8>
            %80 = vector.shuffle %79, %79 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %81 = arith.sitofp %80 : vector<16xi8> to vector<16xf32>
            %82 = vector.shuffle %79, %79 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %83 = arith.sitofp %82 : vector<16xi8> to vector<16xf32>
            %84 = arith.mulf %81, %19 : vector<16xf32>
            %85 = vector.fma %83, %21, %84 : vector<16xf32>
            %86 = vector.broadcast %69 : f32 to vector<16xf32>
            %87 = vector.fma %85, %86, %15 : vector<16xf32>
            %88 = vector.load %2[%11, %12, %c0] : memref<40x16x22xi8>, vector<2xi8>
            %89 = vector.bitcast %88 : vector<2xi8> to vector<1xf16>
            %90 = vector.extract %89[0] : f16 from vector<1xf16>
            %91 = arith.extf %90 : f16 to f32
            %92 = vector.load %2[%11, %12, %c9] : memref<40x16x22xi8>, vector<16xi8>
            %93 = vector.shuffle %92, %92 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %94 = vector.bitcast %93 : vector<32xi8> to vector<8xi32>
            %95 = arith.shrui %94, %c10 : vector<8xi32>
            %96 = vector.bitcast %95 : vector<8xi32> to vector<32xi8>
            %97 = vector.load %2[%11, %12, %c11] : memref<40x16x22xi8>, vector<4xi8>
            %98 = vector.bitcast %97 : vector<4xi8> to vector<32xi1>
            %99 = arith.ori %96, %c12 : vector<32xi8>
            %100 = arith.select %98, %c12, %c13 : vector<32xi1>, vector<32xi8>
            %101 = arith.xori %99, %100 : vector<32xi8>
            %102 = vector.shuffle %101, %101 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %103 = arith.sitofp %102 : vector<16xi8> to vector<16xf32>
            %104 = vector.shuffle %101, %101 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %105 = arith.sitofp %104 : vector<16xi8> to vector<16xf32>
            %106 = arith.mulf %103, %19 : vector<16xf32>
            %107 = vector.fma %105, %21, %106 : vector<16xf32>
            %108 = vector.broadcast %91 : f32 to vector<16xf32>
            %109 = vector.fma %107, %108, %16 : vector<16xf32>
            scf.yield %43, %65, %87, %109 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %110 = vector.reduction <add>, %17#0 : vector<16xf32> into f32
          %111 = vector.reduction <add>, %17#1 : vector<16xf32> into f32
          %112 = vector.reduction <add>, %17#2 : vector<16xf32> into f32
          %113 = vector.reduction <add>, %17#3 : vector<16xf32> into f32
          memref.store %110, %4[%8] : memref<40xf32>
          memref.store %111, %4[%9] : memref<40xf32>
          memref.store %112, %4[%10] : memref<40xf32>
          memref.store %113, %4[%11] : memref<40xf32>
        }
        return
      }
    }
  }
