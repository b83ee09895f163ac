  stream.executable private @matvec_q8_0_512 {
  stream.executable.export public @matvec_q8_0_512 workgroups(%n: index) -> (index, index, index) {
  %one = arith.constant 1 : index
  %by0 = arith.constant 60 : index
  %count0 = arith.ceildivui %n, %by0 : index
  stream.return %count0, %one, %one : index, index, index
  }
  builtin.module {
  func.func @matvec_q8_0_512(%b0: !stream.binding, %b1: !stream.binding, %n: index, %b2: !stream.binding) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 15 : index
  %c4 = arith.constant dense<0.0> : vector<16xf32>
  %c5 = arith.constant 16 : index
  %c6 = arith.constant 32 : index
  %c7 = arith.constant 2 : index
  %c8 = arith.constant 18 : index
  %1 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<?x16x34xi8>{%n}
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
  %27 = vector.load %1[%10, %17, %c0] : memref<?x16x34xi8>, vector<2xi8>
  %28 = vector.bitcast %27 : vector<2xi8> to vector<1xf16>
  %29 = vector.extract %28[0] : f16 from vector<1xf16>
  %30 = arith.extf %29 : f16 to f32
  %31 = vector.load %1[%10, %17, %c7] : memref<?x16x34xi8>, vector<16xi8>
  %32 = arith.sitofp %31 : vector<16xi8> to vector<16xf32>
  %33 = vector.load %1[%10, %17, %c8] : memref<?x16x34xi8>, vector<16xi8>
  %34 = arith.sitofp %33 : vector<16xi8> to vector<16xf32>
  %35 = arith.mulf %32, %24 : vector<16xf32>
  %36 = vector.fma %34, %26, %35 : vector<16xf32>
  %37 = vector.broadcast %30 : f32 to vector<16xf32>
  %38 = vector.fma %36, %37, %18 : vector<16xf32>
  %39 = vector.load %1[%12, %17, %c0] : memref<?x16x34xi8>, vector<2xi8>
  %40 = vector.bitcast %39 : vector<2xi8> to vector<1xf16>
  %41 = vector.extract %40[0] : f16 from vector<1xf16>
  %42 = arith.extf %41 : f16 to f32
  %43 = vector.load %1[%12, %17, %c7] : memref<?x16x34xi8>, vector<16xi8>
  %44 = arith.sitofp %43 : vector<16xi8> to vector<16xf32>
  %45 = vector.load %1[%12, %17, %c8] : memref<?x16x34xi8>, vector<16xi8>
  %46 = arith.sitofp %45 : vector<16xi8> to vector<16xf32>
  %47 = arith.mulf %44, %24 : vector<16xf32>
  %48 = vector.fma %46, %26, %47 : vector<16xf32>
  %49 = vector.broadcast %42 : f32 to vector<16xf32>
  %50 = vector.fma %48, %49, %19 : vector<16xf32>
  %51 = vector.load %1[%14, %17, %c0] : memref<?x16x34xi8>, vector<2xi8>
  %52 = vector.bitcast %51 : vector<2xi8> to vector<1xf16>
  %53 = vector.extract %52[0] : f16 from vector<1xf16>
  %54 = arith.extf %53 : f16 to f32
  %55 = vector.load %1[%14, %17, %c7] : memref<?x16x34xi8>, vector<16xi8>
  %56 = arith.sitofp %55 : vector<16xi8> to vector<16xf32>
  %57 = vector.load %1[%14, %17, %c8] : memref<?x16x34xi8>, vector<16xi8>
  %58 = arith.sitofp %57 : vector<16xi8> to vector<16xf32>
  %59 = arith.mulf %56, %24 : vector<16xf32>
  %60 = vector.fma %58, %26, %59 : vector<16xf32>
  %61 = vector.broadcast %54 : f32 to vector<16xf32>
  %62 = vector.fma %60, %61, %20 : vector<16xf32>
  %63 = vector.load %1[%16, %17, %c0] : memref<?x16x34xi8>, vector<2xi8>
  %64 = vector.bitcast %63 : vector<2xi8> to vector<1xf16>
  %65 = vector.extract %64[0] : f16 from vector<1xf16>
  %66 = arith.extf %65 : f16 to f32
  %67 = vector.load %1[%16, %17, %c7] : memref<?x16x34xi8>, vector<16xi8>
  %68 = arith.sitofp %67 : vector<16xi8> to vector<16xf32>
  %69 = vector.load %1[%16, %17, %c8] : memref<?x16x34xi8>, vector<16xi8>
  %70 = arith.sitofp %69 : vector<16xi8> to vector<16xf32>
  %71 = arith.mulf %68, %24 : vector<16xf32>
  %72 = vector.fma %70, %26, %71 : vector<16xf32>
  %73 = vector.broadcast %66 : f32 to vector<16xf32>
  %74 = vector.fma %72, %73, %21 : vector<16xf32>
  scf.yield %38, %50, %62, %74 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
  }
  %75 = vector.reduction <add>, %22#0 : vector<16xf32> into f32
  %76 = vector.reduction <add>, %22#1 : vector<16xf32> into f32
  %77 = vector.reduction <add>, %22#2 : vector<16xf32> into f32
  %78 = vector.reduction <add>, %22#3 : vector<16xf32> into f32
  memref.store %75, %3[%10] : memref<?xf32>
  memref.store %76, %3[%12] : memref<?xf32>
  memref.store %77, %3[%14] : memref<?xf32>
  memref.store %78, %3[%16] : memref<?xf32>
  }
  return
  }
  }
  }
