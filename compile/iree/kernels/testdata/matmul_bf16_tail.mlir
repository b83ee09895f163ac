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
  %5 = memref.alloca() : memref<16x16xf32>
  %6 = memref.alloca() : memref<384x16xf32>
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
  scf.for %34 = %c1 to %29 step %c0 {
  %35 = arith.addi %27, %34 : index
  %36 = arith.divui %35, %c0 : index
  scf.for %37 = %c1 to %c0 step %c5 {
  %38 = arith.addi %31, %37 : index
  %39 = arith.subi %n, %c5 : index
  %40 = arith.minui %38, %39 : index
  %41 = vector.load %2[%40, %36, %c1] : memref<?x?x16xbf16>, vector<16xbf16>
  %42 = arith.extf %41 : vector<16xbf16> to vector<16xf32>
  vector.store %42, %5[%37, %c1] : memref<16x16xf32>, vector<16xf32>
  }
  scf.for %43 = %c1 to %c0 step %c6 {
  %44 = arith.addi %34, %43 : index
  scf.for %45 = %c1 to %c0 step %c6 {
  %46 = vector.load %5[%45, %43] : memref<16x16xf32>, vector<4xf32>
  %47 = arith.addi %45, %c5 : index
  %48 = vector.load %5[%47, %43] : memref<16x16xf32>, vector<4xf32>
  %49 = arith.addi %45, %c7 : index
  %50 = vector.load %5[%49, %43] : memref<16x16xf32>, vector<4xf32>
  %51 = arith.addi %45, %c8 : index
  %52 = vector.load %5[%51, %43] : memref<16x16xf32>, vector<4xf32>
  %53 = vector.shuffle %46, %48 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %54 = vector.shuffle %50, %52 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %55 = vector.shuffle %53, %54 [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] : vector<8xf32>, vector<8xf32>
  %56 = vector.shuffle %55, %55 [0, 1, 2, 3] : vector<16xf32>, vector<16xf32>
  vector.store %56, %6[%44, %45] : memref<384x16xf32>, vector<4xf32>
  %57 = vector.shuffle %55, %55 [4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
  %58 = arith.addi %44, %c5 : index
  vector.store %57, %6[%58, %45] : memref<384x16xf32>, vector<4xf32>
  %59 = vector.shuffle %55, %55 [8, 9, 10, 11] : vector<16xf32>, vector<16xf32>
  %60 = arith.addi %44, %c7 : index
  vector.store %59, %6[%60, %45] : memref<384x16xf32>, vector<4xf32>
  %61 = vector.shuffle %55, %55 [12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
  %62 = arith.addi %44, %c8 : index
  vector.store %61, %6[%62, %45] : memref<384x16xf32>, vector<4xf32>
  }
  }
  }
  scf.for %63 = %17 to %22 step %c3 {
  %64 = arith.addi %63, %c5 : index
  %65 = arith.addi %63, %c7 : index
  %66 = arith.addi %63, %c8 : index
  %67 = arith.addi %63, %c6 : index
  %68 = arith.addi %63, %c9 : index
  %69 = vector.maskedload %4[%63, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %70 = arith.select %30, %c10, %69 : vector<16xf32>
  %71 = vector.maskedload %4[%64, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %72 = arith.select %30, %c10, %71 : vector<16xf32>
  %73 = vector.maskedload %4[%65, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %74 = arith.select %30, %c10, %73 : vector<16xf32>
  %75 = vector.maskedload %4[%66, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %76 = arith.select %30, %c10, %75 : vector<16xf32>
  %77 = vector.maskedload %4[%67, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %78 = arith.select %30, %c10, %77 : vector<16xf32>
  %79 = vector.maskedload %4[%68, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %80 = arith.select %30, %c10, %79 : vector<16xf32>
  %88:6 = scf.for %81 = %c1 to %29 step %c7 iter_args(%82 = %70, %83 = %72, %84 = %74, %85 = %76, %86 = %78, %87 = %80) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %89 = arith.addi %27, %81 : index
  %90 = vector.load %6[%81, %c1] : memref<384x16xf32>, vector<16xf32>
  %91 = memref.load %3[%63, %89] : memref<?x?xf32>
  %92 = vector.broadcast %91 : f32 to vector<16xf32>
  %93 = vector.fma %90, %92, %82 : vector<16xf32>
  %94 = memref.load %3[%64, %89] : memref<?x?xf32>
  %95 = vector.broadcast %94 : f32 to vector<16xf32>
  %96 = vector.fma %90, %95, %83 : vector<16xf32>
  %97 = memref.load %3[%65, %89] : memref<?x?xf32>
  %98 = vector.broadcast %97 : f32 to vector<16xf32>
  %99 = vector.fma %90, %98, %84 : vector<16xf32>
  %100 = memref.load %3[%66, %89] : memref<?x?xf32>
  %101 = vector.broadcast %100 : f32 to vector<16xf32>
  %102 = vector.fma %90, %101, %85 : vector<16xf32>
  %103 = memref.load %3[%67, %89] : memref<?x?xf32>
  %104 = vector.broadcast %103 : f32 to vector<16xf32>
  %105 = vector.fma %90, %104, %86 : vector<16xf32>
  %106 = memref.load %3[%68, %89] : memref<?x?xf32>
  %107 = vector.broadcast %106 : f32 to vector<16xf32>
  %108 = vector.fma %90, %107, %87 : vector<16xf32>
  %109 = arith.addi %81, %c5 : index
  %110 = arith.addi %27, %109 : index
  %111 = vector.load %6[%109, %c1] : memref<384x16xf32>, vector<16xf32>
  %112 = memref.load %3[%63, %110] : memref<?x?xf32>
  %113 = vector.broadcast %112 : f32 to vector<16xf32>
  %114 = vector.fma %111, %113, %93 : vector<16xf32>
  %115 = memref.load %3[%64, %110] : memref<?x?xf32>
  %116 = vector.broadcast %115 : f32 to vector<16xf32>
  %117 = vector.fma %111, %116, %96 : vector<16xf32>
  %118 = memref.load %3[%65, %110] : memref<?x?xf32>
  %119 = vector.broadcast %118 : f32 to vector<16xf32>
  %120 = vector.fma %111, %119, %99 : vector<16xf32>
  %121 = memref.load %3[%66, %110] : memref<?x?xf32>
  %122 = vector.broadcast %121 : f32 to vector<16xf32>
  %123 = vector.fma %111, %122, %102 : vector<16xf32>
  %124 = memref.load %3[%67, %110] : memref<?x?xf32>
  %125 = vector.broadcast %124 : f32 to vector<16xf32>
  %126 = vector.fma %111, %125, %105 : vector<16xf32>
  %127 = memref.load %3[%68, %110] : memref<?x?xf32>
  %128 = vector.broadcast %127 : f32 to vector<16xf32>
  %129 = vector.fma %111, %128, %108 : vector<16xf32>
  scf.yield %114, %117, %120, %123, %126, %129 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  vector.maskedstore %4[%63, %31], %33, %88#0 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%64, %31], %33, %88#1 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%65, %31], %33, %88#2 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%66, %31], %33, %88#3 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%67, %31], %33, %88#4 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %4[%68, %31], %33, %88#5 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  }
  scf.for %130 = %22 to %19 step %c5 {
  %131 = vector.maskedload %4[%130, %31], %33, %c10 : memref<?x?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %132 = arith.select %30, %c10, %131 : vector<16xf32>
  %138:4 = scf.for %133 = %c1 to %29 step %c6 iter_args(%134 = %132, %135 = %c10, %136 = %c10, %137 = %c10) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %139 = arith.addi %27, %133 : index
  %140 = vector.load %6[%133, %c1] : memref<384x16xf32>, vector<16xf32>
  %141 = memref.load %3[%130, %139] : memref<?x?xf32>
  %142 = vector.broadcast %141 : f32 to vector<16xf32>
  %143 = vector.fma %140, %142, %134 : vector<16xf32>
  %144 = arith.addi %133, %c5 : index
  %145 = arith.addi %27, %144 : index
  %146 = vector.load %6[%144, %c1] : memref<384x16xf32>, vector<16xf32>
  %147 = memref.load %3[%130, %145] : memref<?x?xf32>
  %148 = vector.broadcast %147 : f32 to vector<16xf32>
  %149 = vector.fma %146, %148, %135 : vector<16xf32>
  %150 = arith.addi %133, %c7 : index
  %151 = arith.addi %27, %150 : index
  %152 = vector.load %6[%150, %c1] : memref<384x16xf32>, vector<16xf32>
  %153 = memref.load %3[%130, %151] : memref<?x?xf32>
  %154 = vector.broadcast %153 : f32 to vector<16xf32>
  %155 = vector.fma %152, %154, %136 : vector<16xf32>
  %156 = arith.addi %133, %c8 : index
  %157 = arith.addi %27, %156 : index
  %158 = vector.load %6[%156, %c1] : memref<384x16xf32>, vector<16xf32>
  %159 = memref.load %3[%130, %157] : memref<?x?xf32>
  %160 = vector.broadcast %159 : f32 to vector<16xf32>
  %161 = vector.fma %158, %160, %137 : vector<16xf32>
  scf.yield %143, %149, %155, %161 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  %162 = arith.addf %138#0, %138#1 : vector<16xf32>
  %163 = arith.addf %162, %138#2 : vector<16xf32>
  %164 = arith.addf %163, %138#3 : vector<16xf32>
  vector.maskedstore %4[%130, %31], %33, %164 : memref<?x?xf32>, vector<16xi1>, vector<16xf32>
  }
  }
  }
  return
  }
  }
  }
