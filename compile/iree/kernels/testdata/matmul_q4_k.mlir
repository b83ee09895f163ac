  stream.executable private @matmul_q4_k {
  stream.executable.export public @matmul_q4_k workgroups(%m: index, %n: index, %k: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %by0 = arith.constant 32 : index
  %count0 = arith.ceildivui %n, %by0 : index
  %by1 = arith.constant 512 : index
  %count1 = arith.ceildivui %m, %by1 : index
  stream.return %count0, %count1, %one : index, index, index
  }
  builtin.module {
  func.func @matmul_q4_k(%b0: !stream.binding, %b1: !stream.binding, %m: index, %n: index, %k: index, %b2: !stream.binding) {
  %c0 = arith.constant 256 : index
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 32 : index
  %c3 = arith.constant 6 : index
  %c4 = arith.constant 16 : index
  %c5 = arith.constant 1 : index
  %c6 = arith.constant 4 : index
  %c7 = arith.constant dense<4> : vector<16xi8>
  %c8 = arith.constant dense<[63, 63, 63, 63, 15, 15, 15, 15, 63, 63, 63, 63, 15, 15, 15, 15]> : vector<16xi8>
  %c9 = arith.constant dense<2> : vector<16xi8>
  %c10 = arith.constant dense<[0, 0, 0, 0, 48, 48, 48, 48, 0, 0, 0, 0, 48, 48, 48, 48]> : vector<16xi8>
  %c11 = arith.constant dense<15> : vector<32xi8>
  %c12 = arith.constant dense<4> : vector<32xi8>
  %c13 = arith.constant 48 : index
  %c14 = arith.constant 64 : index
  %c15 = arith.constant 80 : index
  %c16 = arith.constant 96 : index
  %c17 = arith.constant 112 : index
  %c18 = arith.constant 128 : index
  %c19 = arith.constant 144 : index
  %c20 = arith.constant 160 : index
  %c21 = arith.constant 176 : index
  %c22 = arith.constant 192 : index
  %c23 = arith.constant 208 : index
  %c24 = arith.constant 224 : index
  %c25 = arith.constant 240 : index
  %c26 = arith.constant 2 : index
  %c27 = arith.constant 3 : index
  %c28 = arith.constant 5 : index
  %c29 = arith.constant dense<0.0> : vector<16xf32>
  %1 = arith.divui %k, %c0 : index
  %2 = stream.binding.subspan %b0[%c1] : !stream.binding -> memref<?x?x144xi8>{%n, %1}
  %3 = stream.binding.subspan %b1[%c1] : !stream.binding -> memref<?x?xf32>{%m, %k}
  %4 = stream.binding.subspan %b2[%c1] : !stream.binding -> memref<?x?xf32>{%m, %n}
  %5 = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16x256xf32>
  %6 = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<256x16xf32>
  %7 = stream.dispatch.workgroup.id[0] : index
  %8 = arith.muli %7, %c2 : index
  %9 = arith.addi %8, %c2 : index
  %10 = arith.minui %9, %n : index
  %11 = arith.ceildivui %m, %c3 : index
  %12 = stream.dispatch.workgroup.count[1] : index
  %13 = arith.ceildivui %11, %12 : index
  %14 = arith.muli %13, %c3 : index
  %15 = stream.dispatch.workgroup.id[1] : index
  %16 = arith.muli %15, %14 : index
  %17 = arith.minui %16, %m : index
  %18 = arith.addi %17, %14 : index
  %19 = arith.minui %18, %m : index
  %20 = arith.subi %19, %17 : index
  %21 = arith.remui %20, %c3 : index
  %22 = arith.subi %19, %21 : index
  %23 = arith.ceildivui %k, %c0 : index
  %24 = arith.ceildivui %k, %23 : index
  %25 = arith.ceildivui %24, %c0 : index
  %26 = arith.muli %25, %c0 : index
  scf.for %27 = %c1 to %k step %26 {
  %28 = arith.subi %k, %27 : index
  %29 = arith.minui %28, %26 : index
  %30 = arith.cmpi eq, %27, %c1 : index
  scf.for %31 = %8 to %10 step %c4 {
  scf.for %32 = %c1 to %29 step %c0 {
  %33 = arith.addi %27, %32 : index
  %34 = arith.divui %33, %c0 : index
  scf.for %35 = %c1 to %c4 step %c5 {
  %36 = arith.addi %31, %35 : index
  %37 = vector.load %2[%36, %34, %c1] : memref<?x?x144xi8>, vector<16xi8>
  %38 = arith.shrui %37, %c7 : vector<16xi8>
  %39 = vector.shuffle %37, %38 [4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 28, 29, 30, 31] : vector<16xi8>, vector<16xi8>
  %40 = arith.andi %39, %c8 : vector<16xi8>
  %41 = arith.shrui %37, %c9 : vector<16xi8>
  %42 = vector.shuffle %41, %41 [4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11] : vector<16xi8>, vector<16xi8>
  %43 = arith.andi %42, %c10 : vector<16xi8>
  %44 = arith.ori %40, %43 : vector<16xi8>
  %45 = arith.sitofp %44 : vector<16xi8> to vector<16xf32>
  %46 = vector.load %2[%36, %34, %c1] : memref<?x?x144xi8>, vector<4xi8>
  %47 = vector.bitcast %46 : vector<4xi8> to vector<2xf16>
  %48 = arith.extf %47 : vector<2xf16> to vector<2xf32>
  %49 = vector.extract %48[0] : f32 from vector<2xf32>
  %50 = vector.broadcast %49 : f32 to vector<8xf32>
  %51 = vector.extract %48[1] : f32 from vector<2xf32>
  %52 = arith.negf %51 : f32
  %53 = vector.broadcast %52 : f32 to vector<8xf32>
  %54 = vector.shuffle %45, %45 [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
  %55 = arith.mulf %54, %50 : vector<8xf32>
  %56 = vector.shuffle %45, %45 [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
  %57 = arith.mulf %56, %53 : vector<8xf32>
  %58 = vector.load %2[%36, %34, %c4] : memref<?x?x144xi8>, vector<32xi8>
  %59 = arith.andi %58, %c11 : vector<32xi8>
  %60 = arith.shrui %58, %c12 : vector<32xi8>
  %61 = vector.shuffle %59, %59 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %62 = arith.sitofp %61 : vector<16xi8> to vector<16xf32>
  %63 = vector.shuffle %59, %59 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %64 = arith.sitofp %63 : vector<16xi8> to vector<16xf32>
  %65 = vector.extract %55[0] : f32 from vector<8xf32>
  %66 = vector.broadcast %65 : f32 to vector<16xf32>
  %67 = vector.extract %57[0] : f32 from vector<8xf32>
  %68 = vector.broadcast %67 : f32 to vector<16xf32>
  %69 = vector.fma %62, %66, %68 : vector<16xf32>
  vector.store %69, %5[%35, %c1] : memref<16x256xf32>, vector<16xf32>
  %70 = vector.fma %64, %66, %68 : vector<16xf32>
  vector.store %70, %5[%35, %c4] : memref<16x256xf32>, vector<16xf32>
  %71 = vector.shuffle %60, %60 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %72 = arith.sitofp %71 : vector<16xi8> to vector<16xf32>
  %73 = vector.shuffle %60, %60 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %74 = arith.sitofp %73 : vector<16xi8> to vector<16xf32>
  %75 = vector.extract %55[1] : f32 from vector<8xf32>
  %76 = vector.broadcast %75 : f32 to vector<16xf32>
  %77 = vector.extract %57[1] : f32 from vector<8xf32>
  %78 = vector.broadcast %77 : f32 to vector<16xf32>
  %79 = vector.fma %72, %76, %78 : vector<16xf32>
  vector.store %79, %5[%35, %c2] : memref<16x256xf32>, vector<16xf32>
  %80 = vector.fma %74, %76, %78 : vector<16xf32>
  vector.store %80, %5[%35, %c13] : memref<16x256xf32>, vector<16xf32>
  %81 = vector.load %2[%36, %34, %c13] : memref<?x?x144xi8>, vector<32xi8>
  %82 = arith.andi %81, %c11 : vector<32xi8>
  %83 = arith.shrui %81, %c12 : vector<32xi8>
  %84 = vector.shuffle %82, %82 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %85 = arith.sitofp %84 : vector<16xi8> to vector<16xf32>
  %86 = vector.shuffle %82, %82 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %87 = arith.sitofp %86 : vector<16xi8> to vector<16xf32>
  %88 = vector.extract %55[2] : f32 from vector<8xf32>
  %89 = vector.broadcast %88 : f32 to vector<16xf32>
  %90 = vector.extract %57[2] : f32 from vector<8xf32>
  %91 = vector.broadcast %90 : f32 to vector<16xf32>
  %92 = vector.fma %85, %89, %91 : vector<16xf32>
  vector.store %92, %5[%35, %c14] : memref<16x256xf32>, vector<16xf32>
  %93 = vector.fma %87, %89, %91 : vector<16xf32>
  vector.store %93, %5[%35, %c15] : memref<16x256xf32>, vector<16xf32>
  %94 = vector.shuffle %83, %83 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %95 = arith.sitofp %94 : vector<16xi8> to vector<16xf32>
  %96 = vector.shuffle %83, %83 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %97 = arith.sitofp %96 : vector<16xi8> to vector<16xf32>
  %98 = vector.extract %55[3] : f32 from vector<8xf32>
  %99 = vector.broadcast %98 : f32 to vector<16xf32>
  %100 = vector.extract %57[3] : f32 from vector<8xf32>
  %101 = vector.broadcast %100 : f32 to vector<16xf32>
  %102 = vector.fma %95, %99, %101 : vector<16xf32>
  vector.store %102, %5[%35, %c16] : memref<16x256xf32>, vector<16xf32>
  %103 = vector.fma %97, %99, %101 : vector<16xf32>
  vector.store %103, %5[%35, %c17] : memref<16x256xf32>, vector<16xf32>
  %104 = vector.load %2[%36, %34, %c15] : memref<?x?x144xi8>, vector<32xi8>
  %105 = arith.andi %104, %c11 : vector<32xi8>
  %106 = arith.shrui %104, %c12 : vector<32xi8>
  %107 = vector.shuffle %105, %105 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %108 = arith.sitofp %107 : vector<16xi8> to vector<16xf32>
  %109 = vector.shuffle %105, %105 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %110 = arith.sitofp %109 : vector<16xi8> to vector<16xf32>
  %111 = vector.extract %55[4] : f32 from vector<8xf32>
  %112 = vector.broadcast %111 : f32 to vector<16xf32>
  %113 = vector.extract %57[4] : f32 from vector<8xf32>
  %114 = vector.broadcast %113 : f32 to vector<16xf32>
  %115 = vector.fma %108, %112, %114 : vector<16xf32>
  vector.store %115, %5[%35, %c18] : memref<16x256xf32>, vector<16xf32>
  %116 = vector.fma %110, %112, %114 : vector<16xf32>
  vector.store %116, %5[%35, %c19] : memref<16x256xf32>, vector<16xf32>
  %117 = vector.shuffle %106, %106 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %118 = arith.sitofp %117 : vector<16xi8> to vector<16xf32>
  %119 = vector.shuffle %106, %106 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %120 = arith.sitofp %119 : vector<16xi8> to vector<16xf32>
  %121 = vector.extract %55[5] : f32 from vector<8xf32>
  %122 = vector.broadcast %121 : f32 to vector<16xf32>
  %123 = vector.extract %57[5] : f32 from vector<8xf32>
  %124 = vector.broadcast %123 : f32 to vector<16xf32>
  %125 = vector.fma %118, %122, %124 : vector<16xf32>
  vector.store %125, %5[%35, %c20] : memref<16x256xf32>, vector<16xf32>
  %126 = vector.fma %120, %122, %124 : vector<16xf32>
  vector.store %126, %5[%35, %c21] : memref<16x256xf32>, vector<16xf32>
  %127 = vector.load %2[%36, %34, %c17] : memref<?x?x144xi8>, vector<32xi8>
  %128 = arith.andi %127, %c11 : vector<32xi8>
  %129 = arith.shrui %127, %c12 : vector<32xi8>
  %130 = vector.shuffle %128, %128 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %131 = arith.sitofp %130 : vector<16xi8> to vector<16xf32>
  %132 = vector.shuffle %128, %128 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %133 = arith.sitofp %132 : vector<16xi8> to vector<16xf32>
  %134 = vector.extract %55[6] : f32 from vector<8xf32>
  %135 = vector.broadcast %134 : f32 to vector<16xf32>
  %136 = vector.extract %57[6] : f32 from vector<8xf32>
  %137 = vector.broadcast %136 : f32 to vector<16xf32>
  %138 = vector.fma %131, %135, %137 : vector<16xf32>
  vector.store %138, %5[%35, %c22] : memref<16x256xf32>, vector<16xf32>
  %139 = vector.fma %133, %135, %137 : vector<16xf32>
  vector.store %139, %5[%35, %c23] : memref<16x256xf32>, vector<16xf32>
  %140 = vector.shuffle %129, %129 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
  %141 = arith.sitofp %140 : vector<16xi8> to vector<16xf32>
  %142 = vector.shuffle %129, %129 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
  %143 = arith.sitofp %142 : vector<16xi8> to vector<16xf32>
  %144 = vector.extract %55[7] : f32 from vector<8xf32>
  %145 = vector.broadcast %144 : f32 to vector<16xf32>
  %146 = vector.extract %57[7] : f32 from vector<8xf32>
  %147 = vector.broadcast %146 : f32 to vector<16xf32>
  %148 = vector.fma %141, %145, %147 : vector<16xf32>
  vector.store %148, %5[%35, %c24] : memref<16x256xf32>, vector<16xf32>
  %149 = vector.fma %143, %145, %147 : vector<16xf32>
  vector.store %149, %5[%35, %c25] : memref<16x256xf32>, vector<16xf32>
  }
  scf.for %150 = %c1 to %c0 step %c6 {
  %151 = arith.addi %32, %150 : index
  scf.for %152 = %c1 to %c4 step %c6 {
  %153 = vector.load %5[%152, %150] : memref<16x256xf32>, vector<4xf32>
  %154 = arith.addi %152, %c5 : index
  %155 = vector.load %5[%154, %150] : memref<16x256xf32>, vector<4xf32>
  %156 = arith.addi %152, %c26 : index
  %157 = vector.load %5[%156, %150] : memref<16x256xf32>, vector<4xf32>
  %158 = arith.addi %152, %c27 : index
  %159 = vector.load %5[%158, %150] : memref<16x256xf32>, vector<4xf32>
  %160 = vector.shuffle %153, %155 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %161 = vector.shuffle %157, %159 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %162 = vector.shuffle %160, %161 [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] : vector<8xf32>, vector<8xf32>
  %163 = vector.shuffle %162, %162 [0, 1, 2, 3] : vector<16xf32>, vector<16xf32>
  vector.store %163, %6[%151, %152] : memref<256x16xf32>, vector<4xf32>
  %164 = vector.shuffle %162, %162 [4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
  %165 = arith.addi %151, %c5 : index
  vector.store %164, %6[%165, %152] : memref<256x16xf32>, vector<4xf32>
  %166 = vector.shuffle %162, %162 [8, 9, 10, 11] : vector<16xf32>, vector<16xf32>
  %167 = arith.addi %151, %c26 : index
  vector.store %166, %6[%167, %152] : memref<256x16xf32>, vector<4xf32>
  %168 = vector.shuffle %162, %162 [12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
  %169 = arith.addi %151, %c27 : index
  vector.store %168, %6[%169, %152] : memref<256x16xf32>, vector<4xf32>
  }
  }
  }
  scf.for %170 = %17 to %22 step %c3 {
  %171 = arith.addi %170, %c5 : index
  %172 = arith.addi %170, %c26 : index
  %173 = arith.addi %170, %c27 : index
  %174 = arith.addi %170, %c6 : index
  %175 = arith.addi %170, %c28 : index
  %183:6 = scf.for %176 = %c1 to %29 step %c26 iter_args(%177 = %c29, %178 = %c29, %179 = %c29, %180 = %c29, %181 = %c29, %182 = %c29) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %184 = arith.addi %27, %176 : index
  %185 = vector.load %6[%176, %c1] : memref<256x16xf32>, vector<16xf32>
  %186 = memref.load %3[%170, %184] : memref<?x?xf32>
  %187 = vector.broadcast %186 : f32 to vector<16xf32>
  %188 = vector.fma %185, %187, %177 : vector<16xf32>
  %189 = memref.load %3[%171, %184] : memref<?x?xf32>
  %190 = vector.broadcast %189 : f32 to vector<16xf32>
  %191 = vector.fma %185, %190, %178 : vector<16xf32>
  %192 = memref.load %3[%172, %184] : memref<?x?xf32>
  %193 = vector.broadcast %192 : f32 to vector<16xf32>
  %194 = vector.fma %185, %193, %179 : vector<16xf32>
  %195 = memref.load %3[%173, %184] : memref<?x?xf32>
  %196 = vector.broadcast %195 : f32 to vector<16xf32>
  %197 = vector.fma %185, %196, %180 : vector<16xf32>
  %198 = memref.load %3[%174, %184] : memref<?x?xf32>
  %199 = vector.broadcast %198 : f32 to vector<16xf32>
  %200 = vector.fma %185, %199, %181 : vector<16xf32>
  %201 = memref.load %3[%175, %184] : memref<?x?xf32>
  %202 = vector.broadcast %201 : f32 to vector<16xf32>
  %203 = vector.fma %185, %202, %182 : vector<16xf32>
  %204 = arith.addi %176, %c5 : index
  %205 = arith.addi %27, %204 : index
  %206 = vector.load %6[%204, %c1] : memref<256x16xf32>, vector<16xf32>
  %207 = memref.load %3[%170, %205] : memref<?x?xf32>
  %208 = vector.broadcast %207 : f32 to vector<16xf32>
  %209 = vector.fma %206, %208, %188 : vector<16xf32>
  %210 = memref.load %3[%171, %205] : memref<?x?xf32>
  %211 = vector.broadcast %210 : f32 to vector<16xf32>
  %212 = vector.fma %206, %211, %191 : vector<16xf32>
  %213 = memref.load %3[%172, %205] : memref<?x?xf32>
  %214 = vector.broadcast %213 : f32 to vector<16xf32>
  %215 = vector.fma %206, %214, %194 : vector<16xf32>
  %216 = memref.load %3[%173, %205] : memref<?x?xf32>
  %217 = vector.broadcast %216 : f32 to vector<16xf32>
  %218 = vector.fma %206, %217, %197 : vector<16xf32>
  %219 = memref.load %3[%174, %205] : memref<?x?xf32>
  %220 = vector.broadcast %219 : f32 to vector<16xf32>
  %221 = vector.fma %206, %220, %200 : vector<16xf32>
  %222 = memref.load %3[%175, %205] : memref<?x?xf32>
  %223 = vector.broadcast %222 : f32 to vector<16xf32>
  %224 = vector.fma %206, %223, %203 : vector<16xf32>
  scf.yield %209, %212, %215, %218, %221, %224 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  scf.if %30 {
  vector.store %183#0, %4[%170, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %183#1, %4[%171, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %183#2, %4[%172, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %183#3, %4[%173, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %183#4, %4[%174, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %183#5, %4[%175, %31] : memref<?x?xf32>, vector<16xf32>
  } else {
  %225 = vector.load %4[%170, %31] : memref<?x?xf32>, vector<16xf32>
  %226 = arith.addf %183#0, %225 : vector<16xf32>
  vector.store %226, %4[%170, %31] : memref<?x?xf32>, vector<16xf32>
  %227 = vector.load %4[%171, %31] : memref<?x?xf32>, vector<16xf32>
  %228 = arith.addf %183#1, %227 : vector<16xf32>
  vector.store %228, %4[%171, %31] : memref<?x?xf32>, vector<16xf32>
  %229 = vector.load %4[%172, %31] : memref<?x?xf32>, vector<16xf32>
  %230 = arith.addf %183#2, %229 : vector<16xf32>
  vector.store %230, %4[%172, %31] : memref<?x?xf32>, vector<16xf32>
  %231 = vector.load %4[%173, %31] : memref<?x?xf32>, vector<16xf32>
  %232 = arith.addf %183#3, %231 : vector<16xf32>
  vector.store %232, %4[%173, %31] : memref<?x?xf32>, vector<16xf32>
  %233 = vector.load %4[%174, %31] : memref<?x?xf32>, vector<16xf32>
  %234 = arith.addf %183#4, %233 : vector<16xf32>
  vector.store %234, %4[%174, %31] : memref<?x?xf32>, vector<16xf32>
  %235 = vector.load %4[%175, %31] : memref<?x?xf32>, vector<16xf32>
  %236 = arith.addf %183#5, %235 : vector<16xf32>
  vector.store %236, %4[%175, %31] : memref<?x?xf32>, vector<16xf32>
  }
  }
  scf.for %237 = %22 to %19 step %c5 {
  %243:4 = scf.for %238 = %c1 to %29 step %c6 iter_args(%239 = %c29, %240 = %c29, %241 = %c29, %242 = %c29) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %244 = arith.addi %27, %238 : index
  %245 = vector.load %6[%238, %c1] : memref<256x16xf32>, vector<16xf32>
  %246 = memref.load %3[%237, %244] : memref<?x?xf32>
  %247 = vector.broadcast %246 : f32 to vector<16xf32>
  %248 = vector.fma %245, %247, %239 : vector<16xf32>
  %249 = arith.addi %238, %c5 : index
  %250 = arith.addi %27, %249 : index
  %251 = vector.load %6[%249, %c1] : memref<256x16xf32>, vector<16xf32>
  %252 = memref.load %3[%237, %250] : memref<?x?xf32>
  %253 = vector.broadcast %252 : f32 to vector<16xf32>
  %254 = vector.fma %251, %253, %240 : vector<16xf32>
  %255 = arith.addi %238, %c26 : index
  %256 = arith.addi %27, %255 : index
  %257 = vector.load %6[%255, %c1] : memref<256x16xf32>, vector<16xf32>
  %258 = memref.load %3[%237, %256] : memref<?x?xf32>
  %259 = vector.broadcast %258 : f32 to vector<16xf32>
  %260 = vector.fma %257, %259, %241 : vector<16xf32>
  %261 = arith.addi %238, %c27 : index
  %262 = arith.addi %27, %261 : index
  %263 = vector.load %6[%261, %c1] : memref<256x16xf32>, vector<16xf32>
  %264 = memref.load %3[%237, %262] : memref<?x?xf32>
  %265 = vector.broadcast %264 : f32 to vector<16xf32>
  %266 = vector.fma %263, %265, %242 : vector<16xf32>
  scf.yield %248, %254, %260, %266 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  %267 = arith.addf %243#0, %243#1 : vector<16xf32>
  %268 = arith.addf %267, %243#2 : vector<16xf32>
  %269 = arith.addf %268, %243#3 : vector<16xf32>
  scf.if %30 {
  vector.store %269, %4[%237, %31] : memref<?x?xf32>, vector<16xf32>
  } else {
  %270 = vector.load %4[%237, %31] : memref<?x?xf32>, vector<16xf32>
  %271 = arith.addf %269, %270 : vector<16xf32>
  vector.store %271, %4[%237, %31] : memref<?x?xf32>, vector<16xf32>
  }
  }
  }
  }
  return
  }
  }
  }
