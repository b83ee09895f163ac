  stream.executable private @matvec_q5_0_512 {
    stream.executable.export public @matvec_q5_0_512 workgroups(%n: index) -> (index, index, index) {
      %one = arith.constant 1 : index
      %by0 = arith.constant 92 : index
      %count0 = arith.ceildivui %n, %by0 : index
      stream.return %count0, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q5_0_512(%b0: !stream.binding, %b1: !stream.binding, %n: index, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 4 : index
        %c2 = arith.constant 1 : index
        %c3 = arith.constant 23 : index
        %c4 = arith.constant dense<0.0> : vector<16xf32>
        %c5 = arith.constant 16 : index
        %c6 = arith.constant 32 : index
        %c7 = arith.constant 6 : index
        %c8 = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : vector<8xi32>
        %c9 = arith.constant 2 : index
        %c10 = arith.constant dense<-16> : vector<32xi8>
        %c11 = arith.constant dense<0> : vector<32xi8>
        %1 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<?x16x22xi8>{%n}
        %2 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
        %3 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<?xf32>{%n}
        %4 = arith.ceildivui %n, %c1 : index
        %5 = arith.subi %n, %c2 : index
        %6 = stream.dispatch.workgroup.id[0] : index
        %7 = arith.muli %6, %c3 : index
        %8 = arith.addi %7, %c3 : index
        %9 = arith.minui %8, %4 : index
        scf.for %10 = %7 to %9 step %c2 {
          %11 = arith.addi %10, %4 : index
          %12 = arith.minui %11, %5 : index
          %13 = arith.addi %11, %4 : index
          %14 = arith.minui %13, %5 : index
          %15 = arith.addi %13, %4 : index
          %16 = arith.minui %15, %5 : index
          %22:4 = scf.for %17 = %c0 to %c5 step %c2 iter_args(%18 = %c4, %19 = %c4, %20 = %c4, %21 = %c4) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
            %23 = arith.muli %17, %c6 : index
            %24 = vector.load %2[%23] : memref<512xf32>, vector<16xf32>
            %25 = arith.addi %23, %c5 : index
            %26 = vector.load %2[%25] : memref<512xf32>, vector<16xf32>
            %27 = vector.load %1[%10, %17, %c0] : memref<?x16x22xi8>, vector<2xi8>
            %28 = vector.bitcast %27 : vector<2xi8> to vector<1xf16>
            %29 = vector.extract %28[0] : f16 from vector<1xf16>
            %30 = arith.extf %29 : f16 to f32
            %31 = vector.load %1[%10, %17, %c7] : memref<?x16x22xi8>, vector<16xi8>
            %32 = vector.shuffle %31, %31 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %33 = vector.bitcast %32 : vector<32xi8> to vector<8xi32>
            %34 = arith.shrui %33, %c8 : vector<8xi32>
            %35 = vector.bitcast %34 : vector<8xi32> to vector<32xi8>
            %36 = vector.load %1[%10, %17, %c9] : memref<?x16x22xi8>, vector<4xi8>
            %37 = vector.bitcast %36 : vector<4xi8> to vector<32xi1>
            %38 = arith.ori %35, %c10 : vector<32xi8>
            %39 = arith.select %37, %c10, %c11 : vector<32xi1>, vector<32xi8>
            %40 = arith.xori %38, %39 : vector<32xi8>
            %41 = vector.shuffle %40, %40 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %42 = arith.sitofp %41 : vector<16xi8> to vector<16xf32>
            %43 = vector.shuffle %40, %40 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %44 = arith.sitofp %43 : vector<16xi8> to vector<16xf32>
            %45 = arith.mulf %42, %24 : vector<16xf32>
            %46 = vector.fma %44, %26, %45 : vector<16xf32>
            %47 = vector.broadcast %30 : f32 to vector<16xf32>
            %48 = vector.fma %46, %47, %18 : vector<16xf32>
            %49 = vector.load %1[%12, %17, %c0] : memref<?x16x22xi8>, vector<2xi8>
            %50 = vector.bitcast %49 : vector<2xi8> to vector<1xf16>
            %51 = vector.extract %50[0] : f16 from vector<1xf16>
            %52 = arith.extf %51 : f16 to f32
            %53 = vector.load %1[%12, %17, %c7] : memref<?x16x22xi8>, vector<16xi8>
            %54 = vector.shuffle %53, %53 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %55 = vector.bitcast %54 : vector<32xi8> to vector<8xi32>
            %56 = arith.shrui %55, %c8 : vector<8xi32>
            %57 = vector.bitcast %56 : vector<8xi32> to vector<32xi8>
            %58 = vector.load %1[%12, %17, %c9] : memref<?x16x22xi8>, vector<4xi8>
            %59 = vector.bitcast %58 : vector<4xi8> to vector<32xi1>
            %60 = arith.ori %57, %c10 : vector<32xi8>
            %61 = arith.select %59, %c10, %c11 : vector<32xi1>, vector<32xi8>
            %62 = arith.xori %60, %61 : vector<32xi8>
            %63 = vector.shuffle %62, %62 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %64 = arith.sitofp %63 : vector<16xi8> to vector<16xf32>
            %65 = vector.shuffle %62, %62 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %66 = arith.sitofp %65 : vector<16xi8> to vector<16xf32>
            %67 = arith.mulf %64, %24 : vector<16xf32>
            %68 = vector.fma %66, %26, %67 : vector<16xf32>
            %69 = vector.broadcast %52 : f32 to vector<16xf32>
            %70 = vector.fma %68, %69, %19 : vector<16xf32>
            %71 = vector.load %1[%14, %17, %c0] : memref<?x16x22xi8>, vector<2xi8>
            %72 = vector.bitcast %71 : vector<2xi8> to vector<1xf16>
            %73 = vector.extract %72[0] : f16 from vector<1xf16>
            %74 = arith.extf %73 : f16 to f32
            %75 = vector.load %1[%14, %17, %c7] : memref<?x16x22xi8>, vector<16xi8>
            %76 = vector.shuffle %75, %75 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %77 = vector.bitcast %76 : vector<32xi8> to vector<8xi32>
            %78 = arith.shrui %77, %c8 : vector<8xi32>
            %79 = vector.bitcast %78 : vector<8xi32> to vector<32xi8>
            %80 = vector.load %1[%14, %17, %c9] : memref<?x16x22xi8>, vector<4xi8>
            %81 = vector.bitcast %80 : vector<4xi8> to vector<32xi1>
            %82 = arith.ori %79, %c10 : vector<32xi8>
            %83 = arith.select %81, %c10, %c11 : vector<32xi1>, vector<32xi8>
            %84 = arith.xori %82, %83 : vector<32xi8>
            %85 = vector.shuffle %84, %84 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %86 = arith.sitofp %85 : vector<16xi8> to vector<16xf32>
            %87 = vector.shuffle %84, %84 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %88 = arith.sitofp %87 : vector<16xi8> to vector<16xf32>
            %89 = arith.mulf %86, %24 : vector<16xf32>
            %90 = vector.fma %88, %26, %89 : vector<16xf32>
            %91 = vector.broadcast %74 : f32 to vector<16xf32>
            %92 = vector.fma %90, %91, %20 : vector<16xf32>
            %93 = vector.load %1[%16, %17, %c0] : memref<?x16x22xi8>, vector<2xi8>
            %94 = vector.bitcast %93 : vector<2xi8> to vector<1xf16>
            %95 = vector.extract %94[0] : f16 from vector<1xf16>
            %96 = arith.extf %95 : f16 to f32
            %97 = vector.load %1[%16, %17, %c7] : memref<?x16x22xi8>, vector<16xi8>
            %98 = vector.shuffle %97, %97 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
            %99 = vector.bitcast %98 : vector<32xi8> to vector<8xi32>
            %100 = arith.shrui %99, %c8 : vector<8xi32>
            %101 = vector.bitcast %100 : vector<8xi32> to vector<32xi8>
            %102 = vector.load %1[%16, %17, %c9] : memref<?x16x22xi8>, vector<4xi8>
            %103 = vector.bitcast %102 : vector<4xi8> to vector<32xi1>
            %104 = arith.ori %101, %c10 : vector<32xi8>
            %105 = arith.select %103, %c10, %c11 : vector<32xi1>, vector<32xi8>
            %106 = arith.xori %104, %105 : vector<32xi8>
            %107 = vector.shuffle %106, %106 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %108 = arith.sitofp %107 : vector<16xi8> to vector<16xf32>
            %109 = vector.shuffle %106, %106 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %110 = arith.sitofp %109 : vector<16xi8> to vector<16xf32>
            %111 = arith.mulf %108, %24 : vector<16xf32>
            %112 = vector.fma %110, %26, %111 : vector<16xf32>
            %113 = vector.broadcast %96 : f32 to vector<16xf32>
            %114 = vector.fma %112, %113, %21 : vector<16xf32>
            scf.yield %48, %70, %92, %114 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %115 = vector.reduction <add>, %22#0 : vector<16xf32> into f32
          %116 = vector.reduction <add>, %22#1 : vector<16xf32> into f32
          %117 = vector.reduction <add>, %22#2 : vector<16xf32> into f32
          %118 = vector.reduction <add>, %22#3 : vector<16xf32> into f32
          memref.store %115, %3[%10] : memref<?xf32>
          memref.store %116, %3[%12] : memref<?xf32>
          memref.store %117, %3[%14] : memref<?xf32>
          memref.store %118, %3[%16] : memref<?xf32>
        }
        return
      }
    }
  }
