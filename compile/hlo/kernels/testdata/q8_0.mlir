  stream.executable private @matvec_q8_0_40x512 {
    stream.executable.export public @matvec_q8_0_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 2 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q8_0_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 32 : index
        %c2 = arith.constant 40 : index
        %c3 = arith.constant 1 : index
        %c4 = arith.constant dense<0.0> : vector<16xf32>
        %c5 = arith.constant 16 : index
        %c6 = arith.constant 2 : index
        %c7 = arith.constant 18 : index
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x34xi8>
        %3 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
        %4 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<40xf32>
        %5 = arith.muli %1, %c1 : index
        %6 = arith.addi %5, %c1 : index
        %7 = arith.minui %6, %c2 : index
        scf.for %8 = %5 to %7 step %c3 {
          %12:2 = scf.for %9 = %c0 to %c5 step %c3 iter_args(%10 = %c4, %11 = %c4) -> (vector<16xf32>, vector<16xf32>) {
            %13 = arith.muli %9, %c1 : index
            %14 = vector.load %2[%8, %9, %c0] : memref<40x16x34xi8>, vector<2xi8>
            %15 = vector.bitcast %14 : vector<2xi8> to vector<1xf16>
            %16 = vector.extract %15[0] : f16 from vector<1xf16>
            %17 = arith.extf %16 : f16 to f32
            %18 = vector.load %2[%8, %9, %c6] : memref<40x16x34xi8>, vector<16xi8>
            %19 = arith.sitofp %18 : vector<16xi8> to vector<16xf32>
            %20 = vector.load %2[%8, %9, %c7] : memref<40x16x34xi8>, vector<16xi8>
            %21 = arith.sitofp %20 : vector<16xi8> to vector<16xf32>
            %22 = arith.addi %13, %c0 : index
            %23 = vector.load %3[%22] : memref<512xf32>, vector<16xf32>
            %24 = arith.mulf %19, %23 : vector<16xf32>
            %25 = arith.addi %13, %c5 : index
            %26 = vector.load %3[%25] : memref<512xf32>, vector<16xf32>
            %27 = vector.fma %21, %26, %24 : vector<16xf32>
            %28 = arith.addf %23, %26 : vector<16xf32>
            %29 = vector.broadcast %17 : f32 to vector<16xf32>
            %30 = vector.fma %27, %29, %10 : vector<16xf32>
            scf.yield %30, %11 : vector<16xf32>, vector<16xf32>
          }
          %31 = arith.addf %12#0, %12#1 : vector<16xf32>
          %32 = vector.reduction <add>, %31 : vector<16xf32> into f32
          memref.store %32, %4[%8] : memref<40xf32>
        }
        return
      }
    }
  }
