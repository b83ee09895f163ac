  stream.executable private @matvec_q4_1_512 {
  stream.executable.export public @matvec_q4_1_512 workgroups(%n: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %by0 = arith.constant 100 : index
  %count0 = arith.ceildivui %n, %by0 : index
  stream.return %count0, %one, %one : index, index, index
  }
  builtin.module {
  func.func @matvec_q4_1_512(%b0: !stream.binding, %b1: !stream.binding, %n: index, %b2: !stream.binding) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 16 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 32 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 25 : index
  %c6 = arith.constant dense<0.0> : vector<16xf32>
  %c7 = arith.constant 0.0 : f32
  %c8 = arith.constant dense<[0, 0, 0, 0, 4, 4, 4, 4]> : vector<8xi32>
  %c9 = arith.constant dense<15> : vector<32xi8>
  %1 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<?x16x20xi8>{%n}
  %2 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
  %3 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<?xf32>{%n}
  %4 = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16xf32>
  scf.for %5 = %c0 to %c1 step %c2 {
  %6 = arith.muli %5, %c3 : index
  %7 = vector.load %2[%6] : memref<512xf32>, vector<16xf32>
  %8 = arith.addi %6, %c1 : index
  %9 = vector.load %2[%8] : memref<512xf32>, vector<16xf32>
  %10 = arith.addf %7, %9 : vector<16xf32>
  %11 = vector.reduction <add>, %10 : vector<16xf32> into f32
  memref.store %11, %4[%5] : memref<16xf32>
  }
  %12 = arith.ceildivui %n, %c4 : index
  %13 = arith.subi %n, %c2 : index
  %14 = stream.dispatch.workgroup.id[0] : index
  %15 = arith.muli %14, %c5 : index
  %16 = arith.addi %15, %c5 : index
  %17 = arith.minui %16, %12 : index
  scf.for %18 = %15 to %17 step %c2 {
  %19 = arith.addi %18, %12 : index
  %20 = arith.minui %19, %13 : index
  %21 = arith.addi %19, %12 : index
  %22 = arith.minui %21, %13 : index
  %23 = arith.addi %21, %12 : index
  %24 = arith.minui %23, %13 : index
  %34:8 = scf.for %25 = %c0 to %c1 step %c2 iter_args(%26 = %c6, %27 = %c6, %28 = %c6, %29 = %c6, %30 = %c7, %31 = %c7, %32 = %c7, %33 = %c7) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, f32, f32, f32, f32) {
  %35 = arith.muli %25, %c3 : index
  %36 = vector.load %2[%35] : memref<512xf32>, vector<16xf32>
  %37 = arith.addi %35, %c1 : index
  %38 = vector.load %2[%37] : memref<512xf32>, vector<16xf32>
  %39 = vector.load %1[%18, %25, %c0] : memref<?x16x20xi8>, vector<4xi8>
  %40 = vector.bitcast %39 : vector<4xi8> to vector<2xf16>
  %41 = arith.extf %40 : vector<2xf16> to vector<2xf32>
  %42 = vector.extract %41[0] : f32 from vector<2xf32>
  %43 = vector.extract %41[1] : f32 from vector<2xf32>
  %44 = vector.load %1[%18, %25, %c4] : memref<?x16x20xi8>, vector<16xi8>
  %45 = vector.shuffle %44, %44 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %46 = vector.bitcast %45 : vector<32xi8> to vector<8xi32>
  %47 = arith.shrui %46, %c8 : vector<8xi32>
  %48 = vector.bitcast %47 : vector<8xi32> to vector<32xi8>
  %49 = arith.andi %48, %c9 : vector<32xi8>
  %50 = vector.shuffle %49, %49 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %51 = arith.sitofp %50 : vector<16xi8> to vector<16xf32>
  %52 = vector.shuffle %49, %49 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %53 = arith.sitofp %52 : vector<16xi8> to vector<16xf32>
  %54 = arith.mulf %51, %36 : vector<16xf32>
  %55 = vector.fma %53, %38, %54 : vector<16xf32>
  %56 = vector.broadcast %42 : f32 to vector<16xf32>
  %57 = vector.fma %55, %56, %26 : vector<16xf32>
  %58 = memref.load %4[%25] : memref<16xf32>
  %59 = arith.mulf %43, %58 : f32
  %60 = arith.addf %59, %30 : f32
  %61 = vector.load %1[%20, %25, %c0] : memref<?x16x20xi8>, vector<4xi8>
  %62 = vector.bitcast %61 : vector<4xi8> to vector<2xf16>
  %63 = arith.extf %62 : vector<2xf16> to vector<2xf32>
  %64 = vector.extract %63[0] : f32 from vector<2xf32>
  %65 = vector.extract %63[1] : f32 from vector<2xf32>
  %66 = vector.load %1[%20, %25, %c4] : memref<?x16x20xi8>, vector<16xi8>
  %67 = vector.shuffle %66, %66 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %68 = vector.bitcast %67 : vector<32xi8> to vector<8xi32>
  %69 = arith.shrui %68, %c8 : vector<8xi32>
  %70 = vector.bitcast %69 : vector<8xi32> to vector<32xi8>
  %71 = arith.andi %70, %c9 : vector<32xi8>
  %72 = vector.shuffle %71, %71 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %73 = arith.sitofp %72 : vector<16xi8> to vector<16xf32>
  %74 = vector.shuffle %71, %71 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %75 = arith.sitofp %74 : vector<16xi8> to vector<16xf32>
  %76 = arith.mulf %73, %36 : vector<16xf32>
  %77 = vector.fma %75, %38, %76 : vector<16xf32>
  %78 = vector.broadcast %64 : f32 to vector<16xf32>
  %79 = vector.fma %77, %78, %27 : vector<16xf32>
  %80 = memref.load %4[%25] : memref<16xf32>
  %81 = arith.mulf %65, %80 : f32
  %82 = arith.addf %81, %31 : f32
  %83 = vector.load %1[%22, %25, %c0] : memref<?x16x20xi8>, vector<4xi8>
  %84 = vector.bitcast %83 : vector<4xi8> to vector<2xf16>
  %85 = arith.extf %84 : vector<2xf16> to vector<2xf32>
  %86 = vector.extract %85[0] : f32 from vector<2xf32>
  %87 = vector.extract %85[1] : f32 from vector<2xf32>
  %88 = vector.load %1[%22, %25, %c4] : memref<?x16x20xi8>, vector<16xi8>
  %89 = vector.shuffle %88, %88 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %90 = vector.bitcast %89 : vector<32xi8> to vector<8xi32>
  %91 = arith.shrui %90, %c8 : vector<8xi32>
  %92 = vector.bitcast %91 : vector<8xi32> to vector<32xi8>
  %93 = arith.andi %92, %c9 : vector<32xi8>
  %94 = vector.shuffle %93, %93 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %95 = arith.sitofp %94 : vector<16xi8> to vector<16xf32>
  %96 = vector.shuffle %93, %93 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %97 = arith.sitofp %96 : vector<16xi8> to vector<16xf32>
  %98 = arith.mulf %95, %36 : vector<16xf32>
  %99 = vector.fma %97, %38, %98 : vector<16xf32>
  %100 = vector.broadcast %86 : f32 to vector<16xf32>
  %101 = vector.fma %99, %100, %28 : vector<16xf32>
  %102 = memref.load %4[%25] : memref<16xf32>
  %103 = arith.mulf %87, %102 : f32
  %104 = arith.addf %103, %32 : f32
  %105 = vector.load %1[%24, %25, %c0] : memref<?x16x20xi8>, vector<4xi8>
  %106 = vector.bitcast %105 : vector<4xi8> to vector<2xf16>
  %107 = arith.extf %106 : vector<2xf16> to vector<2xf32>
  %108 = vector.extract %107[0] : f32 from vector<2xf32>
  %109 = vector.extract %107[1] : f32 from vector<2xf32>
  %110 = vector.load %1[%24, %25, %c4] : memref<?x16x20xi8>, vector<16xi8>
  %111 = vector.shuffle %110, %110 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi8>, vector<16xi8>
  %112 = vector.bitcast %111 : vector<32xi8> to vector<8xi32>
  %113 = arith.shrui %112, %c8 : vector<8xi32>
  %114 = vector.bitcast %113 : vector<8xi32> to vector<32xi8>
  %115 = arith.andi %114, %c9 : vector<32xi8>
  %116 = vector.shuffle %115, %115 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %117 = arith.sitofp %116 : vector<16xi8> to vector<16xf32>
  %118 = vector.shuffle %115, %115 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %119 = arith.sitofp %118 : vector<16xi8> to vector<16xf32>
  %120 = arith.mulf %117, %36 : vector<16xf32>
  %121 = vector.fma %119, %38, %120 : vector<16xf32>
  %122 = vector.broadcast %108 : f32 to vector<16xf32>
  %123 = vector.fma %121, %122, %29 : vector<16xf32>
  %124 = memref.load %4[%25] : memref<16xf32>
  %125 = arith.mulf %109, %124 : f32
  %126 = arith.addf %125, %33 : f32
  scf.yield %57, %79, %101, %123, %60, %82, %104, %126 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, f32, f32, f32, f32
  }
  %127 = vector.reduction <add>, %34#0 : vector<16xf32> into f32
  %128 = arith.addf %127, %34#4 : f32
  %129 = vector.reduction <add>, %34#1 : vector<16xf32> into f32
  %130 = arith.addf %129, %34#5 : f32
  %131 = vector.reduction <add>, %34#2 : vector<16xf32> into f32
  %132 = arith.addf %131, %34#6 : f32
  %133 = vector.reduction <add>, %34#3 : vector<16xf32> into f32
  %134 = arith.addf %133, %34#7 : f32
  memref.store %128, %3[%18] : memref<?xf32>
  memref.store %130, %3[%20] : memref<?xf32>
  memref.store %132, %3[%22] : memref<?xf32>
  memref.store %134, %3[%24] : memref<?xf32>
  }
  return
  }
  }
  }
