  stream.executable private @matvec_q8_0_40x512 {
    stream.executable.export public @matvec_q8_0_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 1 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q8_0_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 15 : index
        %c2 = arith.constant 10 : index
        %c3 = arith.constant 1 : index
        %c4 = arith.constant 20 : index
        %c5 = arith.constant 30 : index
        %c6 = arith.constant dense<0.0> : vector<16xf32>
        %c7 = arith.constant 16 : index
        %c8 = arith.constant 32 : index
        %c9 = arith.constant 2 : index
        %c10 = arith.constant 18 : index
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x34xi8>
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
            %22 = vector.load %2[%8, %12, %c0] : memref<40x16x34xi8>, vector<2xi8>
            %23 = vector.bitcast %22 : vector<2xi8> to vector<1xf16>
            %24 = vector.extract %23[0] : f16 from vector<1xf16>
            %25 = arith.extf %24 : f16 to f32
            %26 = vector.load %2[%8, %12, %c9] : memref<40x16x34xi8>, vector<16xi8>
            %27 = arith.sitofp %26 : vector<16xi8> to vector<16xf32>
            %28 = vector.load %2[%8, %12, %c10] : memref<40x16x34xi8>, vector<16xi8>
            %29 = arith.sitofp %28 : vector<16xi8> to vector<16xf32>
            %30 = arith.mulf %27, %19 : vector<16xf32>
            %31 = vector.fma %29, %21, %30 : vector<16xf32>
            %32 = vector.broadcast %25 : f32 to vector<16xf32>
            %33 = vector.fma %31, %32, %13 : vector<16xf32>
            %34 = vector.load %2[%9, %12, %c0] : memref<40x16x34xi8>, vector<2xi8>
            %35 = vector.bitcast %34 : vector<2xi8> to vector<1xf16>
            %36 = vector.extract %35[0] : f16 from vector<1xf16>
            %37 = arith.extf %36 : f16 to f32
            %38 = vector.load %2[%9, %12, %c9] : memref<40x16x34xi8>, vector<16xi8>
            %39 = arith.sitofp %38 : vector<16xi8> to vector<16xf32>
            %40 = vector.load %2[%9, %12, %c10] : memref<40x16x34xi8>, vector<16xi8>
            %41 = arith.sitofp %40 : vector<16xi8> to vector<16xf32>
            %42 = arith.mulf %39, %19 : vector<16xf32>
            %43 = vector.fma %41, %21, %42 : vector<16xf32>
            %44 = vector.broadcast %37 : f32 to vector<16xf32>
            %45 = vector.fma %43, %44, %14 : vector<16xf32>
            %46 = vector.load %2[%10, %12, %c0] : memref<40x16x34xi8>, vector<2xi8>
            %47 = vector.bitcast %46 : vector<2xi8> to vector<1xf16>
            %48 = vector.extract %47[0] : f16 from vector<1xf16>
            %49 = arith.extf %48 : f16 to f32
            %50 = vector.load %2[%10, %12, %c9] : memref<40x16x34xi8>, vector<16xi8>
            %51 = arith.sitofp %50 : vector<16xi8> to vector<16xf32>
            %52 = vector.load %2[%10, %12, %c10] : memref<40x16x34xi8>, vector<16xi8>
            %53 = arith.sitofp %52 : vector<16xi8> to vector<16xf32>
            %54 = arith.mulf %51, %19 : vector<16xf32>
            %55 = vector.fma %53, %21, %54 : vector<16xf32>
            %56 = vector.broadcast %49 : f32 to vector<16xf32>
            %57 = vector.fma %55, %56, %15 : vector<16xf32>
            %58 = vector.load %2[%11, %12, %c0] : memref<40x16x34xi8>, vector<2xi8>
            %59 = vector.bitcast %58 : vector<2xi8> to vector<1xf16>
            %60 = vector.extract %59[0] : f16 from vector<1xf16>
            %61 = arith.extf %60 : f16 to f32
            %62 = vector.load %2[%11, %12, %c9] : memref<40x16x34xi8>, vector<16xi8>
            %63 = arith.sitofp %62 : vector<16xi8> to vector<16xf32>
            %64 = vector.load %2[%11, %12, %c10] : memref<40x16x34xi8>, vector<16xi8>
            %65 = arith.sitofp %64 : vector<16xi8> to vector<16xf32>
            %66 = arith.mulf %63, %19 : vector<16xf32>
            %67 = vector.fma %65, %21, %66 : vector<16xf32>
            %68 = vector.broadcast %61 : f32 to vector<16xf32>
            %69 = vector.fma %67, %68, %16 : vector<16xf32>
            scf.yield %33, %45, %57, %69 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          %70 = vector.reduction <add>, %17#0 : vector<16xf32> into f32
          %71 = vector.reduction <add>, %17#1 : vector<16xf32> into f32
          %72 = vector.reduction <add>, %17#2 : vector<16xf32> into f32
          %73 = vector.reduction <add>, %17#3 : vector<16xf32> into f32
          memref.store %70, %4[%8] : memref<40xf32>
          memref.store %71, %4[%9] : memref<40xf32>
          memref.store %72, %4[%10] : memref<40xf32>
          memref.store %73, %4[%11] : memref<40xf32>
        }
        return
      }
    }
  }
