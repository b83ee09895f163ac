  stream.executable private @matvec_q4_0_512 {
  stream.executable.export public @matvec_q4_0_512 workgroups(%n: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %by0 = arith.constant 112 : index
  %count0 = arith.ceildivui %n, %by0 : index
  stream.return %count0, %one, %one : index, index, index
  }
  builtin.module {
  func.func @matvec_q4_0_512(%b0: !stream.binding, %b1: !stream.binding, %n: index, %b2: !stream.binding) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 28 : index
  %c4 = arith.constant dense<0.0> : vector<16xf32>
  %c5 = arith.constant 16 : index
  %c6 = arith.constant 32 : index
  %c7 = arith.constant 2 : index
  %c8 = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : vector<8xi32>
  %c9 = arith.constant dense<15> : vector<32xi8>
  %c10 = arith.constant dense<-8> : vector<32xi8>
  %1 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<?x16x18xi8>{%n}
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
  %27 = vector.load %1[%10, %17, %c0] : memref<?x16x18xi8>, vector<2xi8>
  %28 = vector.bitcast %27 : vector<2xi8> to vector<1xf16>
  %29 = vector.extract %28[0] : f16 from vector<1xf16>
  %30 = arith.extf %29 : f16 to f32
  %31 = vector.load %1[%10, %17, %c7] : memref<?x16x18xi8>, vector<16xi8>
  %32 = vector.shuffle %31, %31 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %33 = vector.bitcast %32 : vector<32xi8> to vector<8xi32>
  %34 = arith.shrui %33, %c8 : vector<8xi32>
  %35 = vector.bitcast %34 : vector<8xi32> to vector<32xi8>
  %36 = arith.andi %35, %c9 : vector<32xi8>
  %37 = arith.addi %36, %c10 : vector<32xi8>
  %38 = vector.shuffle %37, %37 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %39 = arith.sitofp %38 : vector<16xi8> to vector<16xf32>
  %40 = vector.shuffle %37, %37 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %41 = arith.sitofp %40 : vector<16xi8> to vector<16xf32>
  %42 = arith.mulf %39, %24 : vector<16xf32>
  %43 = vector.fma %41, %26, %42 : vector<16xf32>
  %44 = vector.broadcast %30 : f32 to vector<16xf32>
  %45 = vector.fma %43, %44, %18 : vector<16xf32>
  %46 = vector.load %1[%12, %17, %c0] : memref<?x16x18xi8>, vector<2xi8>
  %47 = vector.bitcast %46 : vector<2xi8> to vector<1xf16>
  %48 = vector.extract %47[0] : f16 from vector<1xf16>
  %49 = arith.extf %48 : f16 to f32
  %50 = vector.load %1[%12, %17, %c7] : memref<?x16x18xi8>, vector<16xi8>
  %51 = vector.shuffle %50, %50 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %52 = vector.bitcast %51 : vector<32xi8> to vector<8xi32>
  %53 = arith.shrui %52, %c8 : vector<8xi32>
  %54 = vector.bitcast %53 : vector<8xi32> to vector<32xi8>
  %55 = arith.andi %54, %c9 : vector<32xi8>
  %56 = arith.addi %55, %c10 : vector<32xi8>
  %57 = vector.shuffle %56, %56 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %58 = arith.sitofp %57 : vector<16xi8> to vector<16xf32>
  %59 = vector.shuffle %56, %56 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %60 = arith.sitofp %59 : vector<16xi8> to vector<16xf32>
  %61 = arith.mulf %58, %24 : vector<16xf32>
  %62 = vector.fma %60, %26, %61 : vector<16xf32>
  %63 = vector.broadcast %49 : f32 to vector<16xf32>
  %64 = vector.fma %62, %63, %19 : vector<16xf32>
  %65 = vector.load %1[%14, %17, %c0] : memref<?x16x18xi8>, vector<2xi8>
  %66 = vector.bitcast %65 : vector<2xi8> to vector<1xf16>
  %67 = vector.extract %66[0] : f16 from vector<1xf16>
  %68 = arith.extf %67 : f16 to f32
  %69 = vector.load %1[%14, %17, %c7] : memref<?x16x18xi8>, vector<16xi8>
  %70 = vector.shuffle %69, %69 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %71 = vector.bitcast %70 : vector<32xi8> to vector<8xi32>
  %72 = arith.shrui %71, %c8 : vector<8xi32>
  %73 = vector.bitcast %72 : vector<8xi32> to vector<32xi8>
  %74 = arith.andi %73, %c9 : vector<32xi8>
  %75 = arith.addi %74, %c10 : vector<32xi8>
  %76 = vector.shuffle %75, %75 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %77 = arith.sitofp %76 : vector<16xi8> to vector<16xf32>
  %78 = vector.shuffle %75, %75 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %79 = arith.sitofp %78 : vector<16xi8> to vector<16xf32>
  %80 = arith.mulf %77, %24 : vector<16xf32>
  %81 = vector.fma %79, %26, %80 : vector<16xf32>
  %82 = vector.broadcast %68 : f32 to vector<16xf32>
  %83 = vector.fma %81, %82, %20 : vector<16xf32>
  %84 = vector.load %1[%16, %17, %c0] : memref<?x16x18xi8>, vector<2xi8>
  %85 = vector.bitcast %84 : vector<2xi8> to vector<1xf16>
  %86 = vector.extract %85[0] : f16 from vector<1xf16>
  %87 = arith.extf %86 : f16 to f32
  %88 = vector.load %1[%16, %17, %c7] : memref<?x16x18xi8>, vector<16xi8>
  %89 = vector.shuffle %88, %88 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %90 = vector.bitcast %89 : vector<32xi8> to vector<8xi32>
  %91 = arith.shrui %90, %c8 : vector<8xi32>
  %92 = vector.bitcast %91 : vector<8xi32> to vector<32xi8>
  %93 = arith.andi %92, %c9 : vector<32xi8>
  %94 = arith.addi %93, %c10 : vector<32xi8>
  %95 = vector.shuffle %94, %94 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %96 = arith.sitofp %95 : vector<16xi8> to vector<16xf32>
  %97 = vector.shuffle %94, %94 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %98 = arith.sitofp %97 : vector<16xi8> to vector<16xf32>
  %99 = arith.mulf %96, %24 : vector<16xf32>
  %100 = vector.fma %98, %26, %99 : vector<16xf32>
  %101 = vector.broadcast %87 : f32 to vector<16xf32>
  %102 = vector.fma %100, %101, %21 : vector<16xf32>
  scf.yield %45, %64, %83, %102 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  %103 = vector.reduction <add>, %22#0 : vector<16xf32> into f32
  %104 = vector.reduction <add>, %22#1 : vector<16xf32> into f32
  %105 = vector.reduction <add>, %22#2 : vector<16xf32> into f32
  %106 = vector.reduction <add>, %22#3 : vector<16xf32> into f32
  memref.store %103, %3[%10] : memref<?xf32>
  memref.store %104, %3[%12] : memref<?xf32>
  memref.store %105, %3[%14] : memref<?xf32>
  memref.store %106, %3[%16] : memref<?xf32>
  }
  return
  }
  }
  }
