  stream.executable private @matvec_q5_0_40x512 {
    stream.executable.export public @matvec_q5_0_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 2 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q5_0_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 32 : index
        %c2 = arith.constant 40 : index
        %c3 = arith.constant 1 : index
        %c4 = arith.constant dense<0.0> : vector<16xf32>
        %c5 = arith.constant 16 : index
        %c6 = arith.constant 6 : index
        %c7 = arith.constant dense<15> : vector<16xi8>
        %c8 = arith.constant dense<4> : vector<16xi8>
        %c9 = arith.constant 2 : index
        %c10 = arith.constant dense<-16> : vector<16xi8>
        %c11 = arith.constant 4 : index
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x22xi8>
        %3 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
        %4 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<40xf32>
        %5 = arith.muli %1, %c1 : index
        %6 = arith.addi %5, %c1 : index
        %7 = arith.minui %6, %c2 : index
        scf.for %8 = %5 to %7 step %c3 {
          %12:2 = scf.for %9 = %c0 to %c5 step %c3 iter_args(%10 = %c4, %11 = %c4) -> (vector<16xf32>, vector<16xf32>) {
            %13 = arith.muli %9, %c1 : index
            %14 = vector.load %2[%8, %9, %c0] : memref<40x16x22xi8>, vector<2xi8>
            %15 = vector.bitcast %14 : vector<2xi8> to vector<1xf16>
            %16 = vector.extract %15[0] : f16 from vector<1xf16>
            %17 = arith.extf %16 : f16 to f32
            %18 = vector.load %2[%8, %9, %c6] : memref<40x16x22xi8>, vector<16xi8>
            %19 = arith.andi %18, %c7 : vector<16xi8>
            %20 = arith.shrui %18, %c8 : vector<16xi8>
            %21 = vector.load %2[%8, %9, %c9] : memref<40x16x22xi8>, vector<2xi8>
            %22 = vector.bitcast %21 : vector<2xi8> to vector<16xi1>
            %23 = arith.addi %19, %c10 : vector<16xi8>
            %24 = arith.select %22, %19, %23 : vector<16xi1>, vector<16xi8>
            %25 = arith.sitofp %24 : vector<16xi8> to vector<16xf32>
            %26 = vector.load %2[%8, %9, %c11] : memref<40x16x22xi8>, vector<2xi8>
            %27 = vector.bitcast %26 : vector<2xi8> to vector<16xi1>
            %28 = arith.addi %20, %c10 : vector<16xi8>
            %29 = arith.select %27, %20, %28 : vector<16xi1>, vector<16xi8>
            %30 = arith.sitofp %29 : vector<16xi8> to vector<16xf32>
            %31 = arith.addi %13, %c0 : index
            %32 = vector.load %3[%31] : memref<512xf32>, vector<16xf32>
            %33 = arith.mulf %25, %32 : vector<16xf32>
            %34 = arith.addi %13, %c5 : index
            %35 = vector.load %3[%34] : memref<512xf32>, vector<16xf32>
            %36 = vector.fma %30, %35, %33 : vector<16xf32>
            %37 = arith.addf %32, %35 : vector<16xf32>
            %38 = vector.broadcast %17 : f32 to vector<16xf32>
            %39 = vector.fma %36, %38, %10 : vector<16xf32>
            scf.yield %39, %11 : vector<16xf32>, vector<16xf32>
          }
          %40 = arith.addf %12#0, %12#1 : vector<16xf32>
          %41 = vector.reduction <add>, %40 : vector<16xf32> into f32
          memref.store %41, %4[%8] : memref<40xf32>
        }
        return
      }
    }
  }
