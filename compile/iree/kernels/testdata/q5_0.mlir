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
  %c10 = arith.constant dense<[1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128]> : vector<32xi8>
  %c11 = arith.constant dense<0> : vector<32xi8>
  %c12 = arith.constant dense<-16> : vector<32xi8>
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
  %37 = vector.shuffle %36, %36 [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3] : vector<4xi8>, vector<4xi8>
  %38 = arith.andi %37, %c10 : vector<32xi8>
  %39 = arith.cmpi ne, %38, %c11 : vector<32xi8>
  %40 = arith.ori %35, %c12 : vector<32xi8>
  %41 = arith.select %39, %c12, %c11 : vector<32xi1>, vector<32xi8>
  %42 = arith.xori %40, %41 : vector<32xi8>
  %43 = vector.shuffle %42, %42 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %44 = arith.sitofp %43 : vector<16xi8> to vector<16xf32>
  %45 = vector.shuffle %42, %42 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %46 = arith.sitofp %45 : vector<16xi8> to vector<16xf32>
  %47 = arith.mulf %44, %24 : vector<16xf32>
  %48 = vector.fma %46, %26, %47 : vector<16xf32>
  %49 = vector.broadcast %30 : f32 to vector<16xf32>
  %50 = vector.fma %48, %49, %18 : vector<16xf32>
  %51 = vector.load %1[%12, %17, %c0] : memref<?x16x22xi8>, vector<2xi8>
  %52 = vector.bitcast %51 : vector<2xi8> to vector<1xf16>
  %53 = vector.extract %52[0] : f16 from vector<1xf16>
  %54 = arith.extf %53 : f16 to f32
  %55 = vector.load %1[%12, %17, %c7] : memref<?x16x22xi8>, vector<16xi8>
  %56 = vector.shuffle %55, %55 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %57 = vector.bitcast %56 : vector<32xi8> to vector<8xi32>
  %58 = arith.shrui %57, %c8 : vector<8xi32>
  %59 = vector.bitcast %58 : vector<8xi32> to vector<32xi8>
  %60 = vector.load %1[%12, %17, %c9] : memref<?x16x22xi8>, vector<4xi8>
  %61 = vector.shuffle %60, %60 [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3] : vector<4xi8>, vector<4xi8>
  %62 = arith.andi %61, %c10 : vector<32xi8>
  %63 = arith.cmpi ne, %62, %c11 : vector<32xi8>
  %64 = arith.ori %59, %c12 : vector<32xi8>
  %65 = arith.select %63, %c12, %c11 : vector<32xi1>, vector<32xi8>
  %66 = arith.xori %64, %65 : vector<32xi8>
  %67 = vector.shuffle %66, %66 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %68 = arith.sitofp %67 : vector<16xi8> to vector<16xf32>
  %69 = vector.shuffle %66, %66 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %70 = arith.sitofp %69 : vector<16xi8> to vector<16xf32>
  %71 = arith.mulf %68, %24 : vector<16xf32>
  %72 = vector.fma %70, %26, %71 : vector<16xf32>
  %73 = vector.broadcast %54 : f32 to vector<16xf32>
  %74 = vector.fma %72, %73, %19 : vector<16xf32>
  %75 = vector.load %1[%14, %17, %c0] : memref<?x16x22xi8>, vector<2xi8>
  %76 = vector.bitcast %75 : vector<2xi8> to vector<1xf16>
  %77 = vector.extract %76[0] : f16 from vector<1xf16>
  %78 = arith.extf %77 : f16 to f32
  %79 = vector.load %1[%14, %17, %c7] : memref<?x16x22xi8>, vector<16xi8>
  %80 = vector.shuffle %79, %79 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %81 = vector.bitcast %80 : vector<32xi8> to vector<8xi32>
  %82 = arith.shrui %81, %c8 : vector<8xi32>
  %83 = vector.bitcast %82 : vector<8xi32> to vector<32xi8>
  %84 = vector.load %1[%14, %17, %c9] : memref<?x16x22xi8>, vector<4xi8>
  %85 = vector.shuffle %84, %84 [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3] : vector<4xi8>, vector<4xi8>
  %86 = arith.andi %85, %c10 : vector<32xi8>
  %87 = arith.cmpi ne, %86, %c11 : vector<32xi8>
  %88 = arith.ori %83, %c12 : vector<32xi8>
  %89 = arith.select %87, %c12, %c11 : vector<32xi1>, vector<32xi8>
  %90 = arith.xori %88, %89 : vector<32xi8>
  %91 = vector.shuffle %90, %90 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %92 = arith.sitofp %91 : vector<16xi8> to vector<16xf32>
  %93 = vector.shuffle %90, %90 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %94 = arith.sitofp %93 : vector<16xi8> to vector<16xf32>
  %95 = arith.mulf %92, %24 : vector<16xf32>
  %96 = vector.fma %94, %26, %95 : vector<16xf32>
  %97 = vector.broadcast %78 : f32 to vector<16xf32>
  %98 = vector.fma %96, %97, %20 : vector<16xf32>
  %99 = vector.load %1[%16, %17, %c0] : memref<?x16x22xi8>, vector<2xi8>
  %100 = vector.bitcast %99 : vector<2xi8> to vector<1xf16>
  %101 = vector.extract %100[0] : f16 from vector<1xf16>
  %102 = arith.extf %101 : f16 to f32
  %103 = vector.load %1[%16, %17, %c7] : memref<?x16x22xi8>, vector<16xi8>
  %104 = vector.shuffle %103, %103 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %105 = vector.bitcast %104 : vector<32xi8> to vector<8xi32>
  %106 = arith.shrui %105, %c8 : vector<8xi32>
  %107 = vector.bitcast %106 : vector<8xi32> to vector<32xi8>
  %108 = vector.load %1[%16, %17, %c9] : memref<?x16x22xi8>, vector<4xi8>
  %109 = vector.shuffle %108, %108 [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3] : vector<4xi8>, vector<4xi8>
  %110 = arith.andi %109, %c10 : vector<32xi8>
  %111 = arith.cmpi ne, %110, %c11 : vector<32xi8>
  %112 = arith.ori %107, %c12 : vector<32xi8>
  %113 = arith.select %111, %c12, %c11 : vector<32xi1>, vector<32xi8>
  %114 = arith.xori %112, %113 : vector<32xi8>
  %115 = vector.shuffle %114, %114 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %116 = arith.sitofp %115 : vector<16xi8> to vector<16xf32>
  %117 = vector.shuffle %114, %114 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %118 = arith.sitofp %117 : vector<16xi8> to vector<16xf32>
  %119 = arith.mulf %116, %24 : vector<16xf32>
  %120 = vector.fma %118, %26, %119 : vector<16xf32>
  %121 = vector.broadcast %102 : f32 to vector<16xf32>
  %122 = vector.fma %120, %121, %21 : vector<16xf32>
  scf.yield %50, %74, %98, %122 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  %123 = vector.reduction <add>, %22#0 : vector<16xf32> into f32
  %124 = vector.reduction <add>, %22#1 : vector<16xf32> into f32
  %125 = vector.reduction <add>, %22#2 : vector<16xf32> into f32
  %126 = vector.reduction <add>, %22#3 : vector<16xf32> into f32
  memref.store %123, %3[%10] : memref<?xf32>
  memref.store %124, %3[%12] : memref<?xf32>
  memref.store %125, %3[%14] : memref<?xf32>
  memref.store %126, %3[%16] : memref<?xf32>
  }
  return
  }
  }
  }
