  stream.executable private @matvec_q4_k_512 {
  stream.executable.export public @matvec_q4_k_512 workgroups(%n: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %by0 = arith.constant 113 : index
  %count0 = arith.ceildivui %n, %by0 : index
  stream.return %count0, %one, %one : index, index, index
  }
  builtin.module {
  func.func @matvec_q4_k_512(%b0: !stream.binding, %b1: !stream.binding, %n: index, %b2: !stream.binding) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 16 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 32 : index
  %c4 = arith.constant 113 : index
  %c5 = arith.constant 2 : index
  %c6 = arith.constant dense<0.0> : vector<8xf32>
  %c7 = arith.constant 8 : index
  %c8 = arith.constant dense<4> : vector<16xi8>
  %c9 = arith.constant dense<[63, 63, 63, 63, 15, 15, 15, 15, 63, 63, 63, 63, 15, 15, 15, 15]> : vector<16xi8>
  %c10 = arith.constant dense<2> : vector<16xi8>
  %c11 = arith.constant dense<[0, 0, 0, 0, 48, 48, 48, 48, 0, 0, 0, 0, 48, 48, 48, 48]> : vector<16xi8>
  %c12 = arith.constant dense<0.0> : vector<16xf32>
  %c13 = arith.constant 256 : index
  %c14 = arith.constant dense<15> : vector<32xi8>
  %c15 = arith.constant dense<4> : vector<32xi8>
  %c16 = arith.constant 48 : index
  %c17 = arith.constant 64 : index
  %c18 = arith.constant 80 : index
  %c19 = arith.constant 96 : index
  %c20 = arith.constant 112 : index
  %c21 = arith.constant 3 : index
  %c22 = arith.constant 128 : index
  %c23 = arith.constant 144 : index
  %c24 = arith.constant 4 : index
  %c25 = arith.constant 160 : index
  %c26 = arith.constant 176 : index
  %c27 = arith.constant 5 : index
  %c28 = arith.constant 192 : index
  %c29 = arith.constant 208 : index
  %c30 = arith.constant 6 : index
  %c31 = arith.constant 224 : index
  %c32 = arith.constant 240 : index
  %c33 = arith.constant 7 : index
  %1 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<?x2x144xi8>{%n}
  %2 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
  %3 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<?xf32>{%n}
  %4 = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16xf32>
  %5 = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16xf32>
  scf.for %6 = %c0 to %c1 step %c2 {
  %7 = arith.muli %6, %c3 : index
  %8 = vector.load %2[%7] : memref<512xf32>, vector<16xf32>
  %9 = arith.addi %7, %c1 : index
  %10 = vector.load %2[%9] : memref<512xf32>, vector<16xf32>
  %11 = arith.addf %8, %10 : vector<16xf32>
  %12 = vector.reduction <add>, %11 : vector<16xf32> into f32
  memref.store %12, %5[%6] : memref<16xf32>
  }
  %13 = arith.ceildivui %n, %c2 : index
  %14 = arith.subi %n, %c2 : index
  %15 = stream.dispatch.workgroup.id[0] : index
  %16 = arith.muli %15, %c4 : index
  %17 = arith.addi %16, %c4 : index
  %18 = arith.minui %17, %13 : index
  scf.for %19 = %16 to %18 step %c2 {
  %22 = scf.for %20 = %c0 to %c5 step %c2 iter_args(%21 = %c6) -> (vector<8xf32>) {
  %23 = arith.muli %20, %c7 : index
  %24 = vector.load %1[%19, %20, %c0] : memref<?x2x144xi8>, vector<16xi8>
  %25 = arith.shrui %24, %c8 : vector<16xi8>
  %26 = vector.shuffle %24, %25 [4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 28, 29, 30, 31] : vector<16xi8>, vector<16xi8>
  %27 = arith.andi %26, %c9 : vector<16xi8>
  %28 = arith.shrui %24, %c10 : vector<16xi8>
  %29 = vector.shuffle %28, %28 [4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11] : vector<16xi8>, vector<16xi8>
  %30 = arith.andi %29, %c11 : vector<16xi8>
  %31 = arith.ori %27, %30 : vector<16xi8>
  %32 = arith.sitofp %31 : vector<16xi8> to vector<16xf32>
  %33 = vector.load %1[%19, %20, %c0] : memref<?x2x144xi8>, vector<4xi8>
  %34 = vector.bitcast %33 : vector<4xi8> to vector<2xf16>
  %35 = arith.extf %34 : vector<2xf16> to vector<2xf32>
  %36 = vector.extract %35[0] : f32 from vector<2xf32>
  %37 = vector.broadcast %36 : f32 to vector<8xf32>
  %38 = vector.extract %35[1] : f32 from vector<2xf32>
  %39 = arith.negf %38 : f32
  %40 = vector.broadcast %39 : f32 to vector<8xf32>
  %41 = vector.shuffle %32, %32 [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
  %42 = arith.mulf %41, %37 : vector<8xf32>
  %43 = vector.shuffle %32, %32 [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
  %44 = arith.mulf %43, %40 : vector<8xf32>
  vector.store %42, %4[%23] : memref<16xf32>, vector<8xf32>
  %45 = vector.load %5[%23] : memref<16xf32>, vector<8xf32>
  %46 = vector.fma %44, %45, %21 : vector<8xf32>
  scf.yield %46 : vector<8xf32>
  }
  %50:2 = scf.for %47 = %c0 to %c5 step %c2 iter_args(%48 = %c12, %49 = %c12) -> (vector<16xf32>, vector<16xf32>) {
  %51 = arith.muli %47, %c13 : index
  %52 = arith.muli %47, %c7 : index
  %53 = vector.load %1[%19, %47, %c1] : memref<?x2x144xi8>, vector<32xi8>
  %54 = arith.andi %53, %c14 : vector<32xi8>
  %55 = arith.shrui %53, %c15 : vector<32xi8>
  %56 = vector.shuffle %54, %54 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %57 = arith.sitofp %56 : vector<16xi8> to vector<16xf32>
  %58 = vector.shuffle %54, %54 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %59 = arith.sitofp %58 : vector<16xi8> to vector<16xf32>
  %60 = vector.load %2[%51] : memref<512xf32>, vector<16xf32>
  %61 = arith.mulf %57, %60 : vector<16xf32>
  %62 = arith.addi %51, %c1 : index
  %63 = vector.load %2[%62] : memref<512xf32>, vector<16xf32>
  %64 = vector.fma %59, %63, %61 : vector<16xf32>
  %65 = memref.load %4[%52] : memref<16xf32>
  %66 = vector.broadcast %65 : f32 to vector<16xf32>
  %67 = vector.fma %64, %66, %48 : vector<16xf32>
  %68 = vector.shuffle %55, %55 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %69 = arith.sitofp %68 : vector<16xi8> to vector<16xf32>
  %70 = vector.shuffle %55, %55 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %71 = arith.sitofp %70 : vector<16xi8> to vector<16xf32>
  %72 = arith.addi %51, %c3 : index
  %73 = vector.load %2[%72] : memref<512xf32>, vector<16xf32>
  %74 = arith.mulf %69, %73 : vector<16xf32>
  %75 = arith.addi %51, %c16 : index
  %76 = vector.load %2[%75] : memref<512xf32>, vector<16xf32>
  %77 = vector.fma %71, %76, %74 : vector<16xf32>
  %78 = arith.addi %52, %c2 : index
  %79 = memref.load %4[%78] : memref<16xf32>
  %80 = vector.broadcast %79 : f32 to vector<16xf32>
  %81 = vector.fma %77, %80, %49 : vector<16xf32>
  %82 = vector.load %1[%19, %47, %c16] : memref<?x2x144xi8>, vector<32xi8>
  %83 = arith.andi %82, %c14 : vector<32xi8>
  %84 = arith.shrui %82, %c15 : vector<32xi8>
  %85 = vector.shuffle %83, %83 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %86 = arith.sitofp %85 : vector<16xi8> to vector<16xf32>
  %87 = vector.shuffle %83, %83 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %88 = arith.sitofp %87 : vector<16xi8> to vector<16xf32>
  %89 = arith.addi %51, %c17 : index
  %90 = vector.load %2[%89] : memref<512xf32>, vector<16xf32>
  %91 = arith.mulf %86, %90 : vector<16xf32>
  %92 = arith.addi %51, %c18 : index
  %93 = vector.load %2[%92] : memref<512xf32>, vector<16xf32>
  %94 = vector.fma %88, %93, %91 : vector<16xf32>
  %95 = arith.addi %52, %c5 : index
  %96 = memref.load %4[%95] : memref<16xf32>
  %97 = vector.broadcast %96 : f32 to vector<16xf32>
  %98 = vector.fma %94, %97, %67 : vector<16xf32>
  %99 = vector.shuffle %84, %84 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %100 = arith.sitofp %99 : vector<16xi8> to vector<16xf32>
  %101 = vector.shuffle %84, %84 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %102 = arith.sitofp %101 : vector<16xi8> to vector<16xf32>
  %103 = arith.addi %51, %c19 : index
  %104 = vector.load %2[%103] : memref<512xf32>, vector<16xf32>
  %105 = arith.mulf %100, %104 : vector<16xf32>
  %106 = arith.addi %51, %c20 : index
  %107 = vector.load %2[%106] : memref<512xf32>, vector<16xf32>
  %108 = vector.fma %102, %107, %105 : vector<16xf32>
  %109 = arith.addi %52, %c21 : index
  %110 = memref.load %4[%109] : memref<16xf32>
  %111 = vector.broadcast %110 : f32 to vector<16xf32>
  %112 = vector.fma %108, %111, %81 : vector<16xf32>
  %113 = vector.load %1[%19, %47, %c18] : memref<?x2x144xi8>, vector<32xi8>
  %114 = arith.andi %113, %c14 : vector<32xi8>
  %115 = arith.shrui %113, %c15 : vector<32xi8>
  %116 = vector.shuffle %114, %114 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %117 = arith.sitofp %116 : vector<16xi8> to vector<16xf32>
  %118 = vector.shuffle %114, %114 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %119 = arith.sitofp %118 : vector<16xi8> to vector<16xf32>
  %120 = arith.addi %51, %c22 : index
  %121 = vector.load %2[%120] : memref<512xf32>, vector<16xf32>
  %122 = arith.mulf %117, %121 : vector<16xf32>
  %123 = arith.addi %51, %c23 : index
  %124 = vector.load %2[%123] : memref<512xf32>, vector<16xf32>
  %125 = vector.fma %119, %124, %122 : vector<16xf32>
  %126 = arith.addi %52, %c24 : index
  %127 = memref.load %4[%126] : memref<16xf32>
  %128 = vector.broadcast %127 : f32 to vector<16xf32>
  %129 = vector.fma %125, %128, %98 : vector<16xf32>
  %130 = vector.shuffle %115, %115 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %131 = arith.sitofp %130 : vector<16xi8> to vector<16xf32>
  %132 = vector.shuffle %115, %115 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %133 = arith.sitofp %132 : vector<16xi8> to vector<16xf32>
  %134 = arith.addi %51, %c25 : index
  %135 = vector.load %2[%134] : memref<512xf32>, vector<16xf32>
  %136 = arith.mulf %131, %135 : vector<16xf32>
  %137 = arith.addi %51, %c26 : index
  %138 = vector.load %2[%137] : memref<512xf32>, vector<16xf32>
  %139 = vector.fma %133, %138, %136 : vector<16xf32>
  %140 = arith.addi %52, %c27 : index
  %141 = memref.load %4[%140] : memref<16xf32>
  %142 = vector.broadcast %141 : f32 to vector<16xf32>
  %143 = vector.fma %139, %142, %112 : vector<16xf32>
  %144 = vector.load %1[%19, %47, %c20] : memref<?x2x144xi8>, vector<32xi8>
  %145 = arith.andi %144, %c14 : vector<32xi8>
  %146 = arith.shrui %144, %c15 : vector<32xi8>
  %147 = vector.shuffle %145, %145 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %148 = arith.sitofp %147 : vector<16xi8> to vector<16xf32>
  %149 = vector.shuffle %145, %145 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %150 = arith.sitofp %149 : vector<16xi8> to vector<16xf32>
  %151 = arith.addi %51, %c28 : index
  %152 = vector.load %2[%151] : memref<512xf32>, vector<16xf32>
  %153 = arith.mulf %148, %152 : vector<16xf32>
  %154 = arith.addi %51, %c29 : index
  %155 = vector.load %2[%154] : memref<512xf32>, vector<16xf32>
  %156 = vector.fma %150, %155, %153 : vector<16xf32>
  %157 = arith.addi %52, %c30 : index
  %158 = memref.load %4[%157] : memref<16xf32>
  %159 = vector.broadcast %158 : f32 to vector<16xf32>
  %160 = vector.fma %156, %159, %129 : vector<16xf32>
  %161 = vector.shuffle %146, %146 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %162 = arith.sitofp %161 : vector<16xi8> to vector<16xf32>
  %163 = vector.shuffle %146, %146 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %164 = arith.sitofp %163 : vector<16xi8> to vector<16xf32>
  %165 = arith.addi %51, %c31 : index
  %166 = vector.load %2[%165] : memref<512xf32>, vector<16xf32>
  %167 = arith.mulf %162, %166 : vector<16xf32>
  %168 = arith.addi %51, %c32 : index
  %169 = vector.load %2[%168] : memref<512xf32>, vector<16xf32>
  %170 = vector.fma %164, %169, %167 : vector<16xf32>
  %171 = arith.addi %52, %c33 : index
  %172 = memref.load %4[%171] : memref<16xf32>
  %173 = vector.broadcast %172 : f32 to vector<16xf32>
  %174 = vector.fma %170, %173, %143 : vector<16xf32>
  scf.yield %160, %174 : vector<16xf32>, vector<16xf32>
  }
  %175 = arith.addf %50#0, %50#1 : vector<16xf32>
  %176 = vector.reduction <add>, %175 : vector<16xf32> into f32
  %177 = vector.reduction <add>, %22 : vector<8xf32> into f32
  %178 = arith.addf %176, %177 : f32
  memref.store %178, %3[%19] : memref<?xf32>
  }
  return
  }
  }
  }
