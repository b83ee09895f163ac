  stream.executable private @matmul_bf16_tail {
  stream.executable.export public @matmul_bf16_tail workgroups(%m: index, %n: index, %k: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %by0 = arith.constant 32 : index
  %count0 = arith.ceildivui %n, %by0 : index
  %by1 = arith.constant 512 : index
  %count1 = arith.ceildivui %m, %by1 : index
  stream.return %count0, %count1, %one : index, index, index
  }
  builtin.module {
  func.func @matmul_bf16_tail(%b0: !stream.binding, %b1: !stream.binding, %m: index, %n: index, %k: index, %b2: !stream.binding) {
  %c0 = arith.constant 16 : index
  %c1 = arith.constant 0 : index
  %c2 = arith.constant 32 : index
  %c3 = arith.constant 6 : index
  %c4 = arith.constant 384 : index
  %c5 = arith.constant 1 : index
  %c6 = arith.constant 4 : index
  %c7 = arith.constant 2 : index
  %c8 = arith.constant 3 : index
  %c9 = arith.constant 5 : index
  %c10 = arith.constant dense<0.0> : vector<16xf32>
  %1 = arith.divui %k, %c0 : index
  %2 = stream.binding.subspan %b0[%c1] : !stream.binding -> memref<?x?x16xbf16>{%n, %1}
  %3 = stream.binding.subspan %b1[%c1] : !stream.binding -> memref<?x?xf32>{%m, %k}
  %4 = stream.binding.subspan %b2[%c1] : !stream.binding -> memref<?x?xf32>{%m, %n}
  %5 = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16x16xf32>
  %6 = "memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<384x16xf32>
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
  %23 = arith.ceildivui %k, %c4 : index
  %24 = arith.ceildivui %k, %23 : index
  %25 = arith.ceildivui %24, %c0 : index
  %26 = arith.muli %25, %c0 : index
  scf.for %27 = %c1 to %k step %26 {
  %28 = arith.subi %k, %27 : index
  %29 = arith.minui %28, %26 : index
  %30 = arith.cmpi eq, %27, %c1 : index
  scf.for %31 = %8 to %10 step %c0 {
  %32 = arith.subi %n, %31 : index
  %33 = vector.create_mask %32 : vector<16xi1>
  %34 = arith.addi %31, %c0 : index
  %35 = arith.cmpi ule, %34, %n : index
  scf.for %36 = %c1 to %29 step %c0 {
  %37 = arith.addi %27, %36 : index
  %38 = arith.divui %37, %c0 : index
  scf.for %39 = %c1 to %c0 step %c5 {
  %40 = arith.addi %31, %39 : index
  %41 = arith.subi %n, %c5 : index
  %42 = arith.minui %40, %41 : index
  %43 = vector.load %2[%42, %38, %c1] : memref<?x?x16xbf16>, vector<16xbf16>
  %44 = arith.extf %43 : vector<16xbf16> to vector<16xf32>
  vector.store %44, %5[%39, %c1] : memref<16x16xf32>, vector<16xf32>
  }
  scf.for %45 = %c1 to %c0 step %c6 {
  %46 = arith.addi %36, %45 : index
  scf.for %47 = %c1 to %c0 step %c6 {
  %48 = vector.load %5[%47, %45] : memref<16x16xf32>, vector<4xf32>
  %49 = arith.addi %47, %c5 : index
  %50 = vector.load %5[%49, %45] : memref<16x16xf32>, vector<4xf32>
  %51 = arith.addi %47, %c7 : index
  %52 = vector.load %5[%51, %45] : memref<16x16xf32>, vector<4xf32>
  %53 = arith.addi %47, %c8 : index
  %54 = vector.load %5[%53, %45] : memref<16x16xf32>, vector<4xf32>
  %55 = vector.shuffle %48, %50 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %56 = vector.shuffle %52, %54 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %57 = vector.shuffle %55, %56 [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] : vector<8xf32>, vector<8xf32>
  %58 = vector.shuffle %57, %57 [0, 1, 2, 3] : vector<16xf32>, vector<16xf32>
  vector.store %58, %6[%46, %47] : memref<384x16xf32>, vector<4xf32>
  %59 = vector.shuffle %57, %57 [4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
  %60 = arith.addi %46, %c5 : index
  vector.store %59, %6[%60, %47] : memref<384x16xf32>, vector<4xf32>
  %61 = vector.shuffle %57, %57 [8, 9, 10, 11] : vector<16xf32>, vector<16xf32>
  %62 = arith.addi %46, %c7 : index
  vector.store %61, %6[%62, %47] : memref<384x16xf32>, vector<4xf32>
  %63 = vector.shuffle %57, %57 [12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
  %64 = arith.addi %46, %c8 : index
  vector.store %63, %6[%64, %47] : memref<384x16xf32>, vector<4xf32>
  }
  }
  }
  scf.for %65 = %17 to %22 step %c3 {
  %66 = arith.addi %65, %c5 : index
  %67 = arith.addi %65, %c7 : index
  %68 = arith.addi %65, %c8 : index
  %69 = arith.addi %65, %c6 : index
  %70 = arith.addi %65, %c9 : index
  %78:6 = scf.for %71 = %c1 to %29 step %c7 iter_args(%72 = %c10, %73 = %c10, %74 = %c10, %75 = %c10, %76 = %c10, %77 = %c10) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %79 = arith.addi %27, %71 : index
  %80 = vector.load %6[%71, %c1] : memref<384x16xf32>, vector<16xf32>
  %81 = memref.load %3[%65, %79] : memref<?x?xf32>
  %82 = vector.broadcast %81 : f32 to vector<16xf32>
  %83 = vector.fma %80, %82, %72 : vector<16xf32>
  %84 = memref.load %3[%66, %79] : memref<?x?xf32>
  %85 = vector.broadcast %84 : f32 to vector<16xf32>
  %86 = vector.fma %80, %85, %73 : vector<16xf32>
  %87 = memref.load %3[%67, %79] : memref<?x?xf32>
  %88 = vector.broadcast %87 : f32 to vector<16xf32>
  %89 = vector.fma %80, %88, %74 : vector<16xf32>
  %90 = memref.load %3[%68, %79] : memref<?x?xf32>
  %91 = vector.broadcast %90 : f32 to vector<16xf32>
  %92 = vector.fma %80, %91, %75 : vector<16xf32>
  %93 = memref.load %3[%69, %79] : memref<?x?xf32>
  %94 = vector.broadcast %93 : f32 to vector<16xf32>
  %95 = vector.fma %80, %94, %76 : vector<16xf32>
  %96 = memref.load %3[%70, %79] : memref<?x?xf32>
  %97 = vector.broadcast %96 : f32 to vector<16xf32>
  %98 = vector.fma %80, %97, %77 : vector<16xf32>
  %99 = arith.addi %71, %c5 : index
  %100 = arith.addi %27, %99 : index
  %101 = vector.load %6[%99, %c1] : memref<384x16xf32>, vector<16xf32>
  %102 = memref.load %3[%65, %100] : memref<?x?xf32>
  %103 = vector.broadcast %102 : f32 to vector<16xf32>
  %104 = vector.fma %101, %103, %83 : vector<16xf32>
  %105 = memref.load %3[%66, %100] : memref<?x?xf32>
  %106 = vector.broadcast %105 : f32 to vector<16xf32>
  %107 = vector.fma %101, %106, %86 : vector<16xf32>
  %108 = memref.load %3[%67, %100] : memref<?x?xf32>
  %109 = vector.broadcast %108 : f32 to vector<16xf32>
  %110 = vector.fma %101, %109, %89 : vector<16xf32>
  %111 = memref.load %3[%68, %100] : memref<?x?xf32>
  %112 = vector.broadcast %111 : f32 to vector<16xf32>
  %113 = vector.fma %101, %112, %92 : vector<16xf32>
  %114 = memref.load %3[%69, %100] : memref<?x?xf32>
  %115 = vector.broadcast %114 : f32 to vector<16xf32>
  %116 = vector.fma %101, %115, %95 : vector<16xf32>
  %117 = memref.load %3[%70, %100] : memref<?x?xf32>
  %118 = vector.broadcast %117 : f32 to vector<16xf32>
  %119 = vector.fma %101, %118, %98 : vector<16xf32>
  scf.yield %104, %107, %110, %113, %116, %119 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  scf.if %30 {
  scf.if %35 {
  vector.store %78#0, %4[%65, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %78#1, %4[%66, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %78#2, %4[%67, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %78#3, %4[%68, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %78#4, %4[%69, %31] : memref<?x?xf32>, vector<16xf32>
  vector.store %78#5, %4[%70, %31] : memref<?x?xf32>, vector<16xf32>
  } else {
  vector.maskedstore %4[%65, %31], %33, %78#0 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%66, %31], %33, %78#1 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%67, %31], %33, %78#2 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%68, %31], %33, %78#3 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%69, %31], %33, %78#4 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%70, %31], %33, %78#5 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  }
  } else {
  scf.if %35 {
  %120 = vector.load %4[%65, %31] : memref<?x?xf32>, vector<16xf32>
  %121 = arith.addf %78#0, %120 : vector<16xf32>
  vector.store %121, %4[%65, %31] : memref<?x?xf32>, vector<16xf32>
  %122 = vector.load %4[%66, %31] : memref<?x?xf32>, vector<16xf32>
  %123 = arith.addf %78#1, %122 : vector<16xf32>
  vector.store %123, %4[%66, %31] : memref<?x?xf32>, vector<16xf32>
  %124 = vector.load %4[%67, %31] : memref<?x?xf32>, vector<16xf32>
  %125 = arith.addf %78#2, %124 : vector<16xf32>
  vector.store %125, %4[%67, %31] : memref<?x?xf32>, vector<16xf32>
  %126 = vector.load %4[%68, %31] : memref<?x?xf32>, vector<16xf32>
  %127 = arith.addf %78#3, %126 : vector<16xf32>
  vector.store %127, %4[%68, %31] : memref<?x?xf32>, vector<16xf32>
  %128 = vector.load %4[%69, %31] : memref<?x?xf32>, vector<16xf32>
  %129 = arith.addf %78#4, %128 : vector<16xf32>
  vector.store %129, %4[%69, %31] : memref<?x?xf32>, vector<16xf32>
  %130 = vector.load %4[%70, %31] : memref<?x?xf32>, vector<16xf32>
  %131 = arith.addf %78#5, %130 : vector<16xf32>
  vector.store %131, %4[%70, %31] : memref<?x?xf32>, vector<16xf32>
  } else {
  %132 = vector.maskedload %4[%65, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %133 = arith.addf %78#0, %132 : vector<16xf32>
  vector.maskedstore %4[%65, %31], %33, %133 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  %134 = vector.maskedload %4[%66, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %135 = arith.addf %78#1, %134 : vector<16xf32>
  vector.maskedstore %4[%66, %31], %33, %135 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  %136 = vector.maskedload %4[%67, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %137 = arith.addf %78#2, %136 : vector<16xf32>
  vector.maskedstore %4[%67, %31], %33, %137 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  %138 = vector.maskedload %4[%68, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %139 = arith.addf %78#3, %138 : vector<16xf32>
  vector.maskedstore %4[%68, %31], %33, %139 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  %140 = vector.maskedload %4[%69, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %141 = arith.addf %78#4, %140 : vector<16xf32>
  vector.maskedstore %4[%69, %31], %33, %141 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  %142 = vector.maskedload %4[%70, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %143 = arith.addf %78#5, %142 : vector<16xf32>
  vector.maskedstore %4[%70, %31], %33, %143 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  }
  }
  }
  scf.for %144 = %22 to %19 step %c5 {
  %150:4 = scf.for %145 = %c1 to %29 step %c6 iter_args(%146 = %c10, %147 = %c10, %148 = %c10, %149 = %c10) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %151 = arith.addi %27, %145 : index
  %152 = vector.load %6[%145, %c1] : memref<384x16xf32>, vector<16xf32>
  %153 = memref.load %3[%144, %151] : memref<?x?xf32>
  %154 = vector.broadcast %153 : f32 to vector<16xf32>
  %155 = vector.fma %152, %154, %146 : vector<16xf32>
  %156 = arith.addi %145, %c5 : index
  %157 = arith.addi %27, %156 : index
  %158 = vector.load %6[%156, %c1] : memref<384x16xf32>, vector<16xf32>
  %159 = memref.load %3[%144, %157] : memref<?x?xf32>
  %160 = vector.broadcast %159 : f32 to vector<16xf32>
  %161 = vector.fma %158, %160, %147 : vector<16xf32>
  %162 = arith.addi %145, %c7 : index
  %163 = arith.addi %27, %162 : index
  %164 = vector.load %6[%162, %c1] : memref<384x16xf32>, vector<16xf32>
  %165 = memref.load %3[%144, %163] : memref<?x?xf32>
  %166 = vector.broadcast %165 : f32 to vector<16xf32>
  %167 = vector.fma %164, %166, %148 : vector<16xf32>
  %168 = arith.addi %145, %c8 : index
  %169 = arith.addi %27, %168 : index
  %170 = vector.load %6[%168, %c1] : memref<384x16xf32>, vector<16xf32>
  %171 = memref.load %3[%144, %169] : memref<?x?xf32>
  %172 = vector.broadcast %171 : f32 to vector<16xf32>
  %173 = vector.fma %170, %172, %149 : vector<16xf32>
  scf.yield %155, %161, %167, %173 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  %174 = arith.addf %150#0, %150#1 : vector<16xf32>
  %175 = arith.addf %174, %150#2 : vector<16xf32>
  %176 = arith.addf %175, %150#3 : vector<16xf32>
  scf.if %30 {
  scf.if %35 {
  vector.store %176, %4[%144, %31] : memref<?x?xf32>, vector<16xf32>
  } else {
  vector.maskedstore %4[%144, %31], %33, %176 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  }
  } else {
  scf.if %35 {
  %177 = vector.load %4[%144, %31] : memref<?x?xf32>, vector<16xf32>
  %178 = arith.addf %176, %177 : vector<16xf32>
  vector.store %178, %4[%144, %31] : memref<?x?xf32>, vector<16xf32>
  } else {
  %179 = vector.maskedload %4[%144, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %180 = arith.addf %176, %179 : vector<16xf32>
  vector.maskedstore %4[%144, %31], %33, %180 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  }
  }
  }
  }
  }
  return
  }
  }
  }
