  stream.executable private @matvec_q4_1_40x512 {
    stream.executable.export public @matvec_q4_1_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 2 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_q4_1_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 32 : index
        %c2 = arith.constant 40 : index
        %c3 = arith.constant 1 : index
        %c4 = arith.constant dense<0.0> : vector<16xf32>
        %c5 = arith.constant 16 : index
        %c6 = arith.constant 4 : index
        %c7 = arith.constant dense<15> : vector<16xi8>
        %c8 = arith.constant dense<4> : vector<16xi8>
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x20xi8>
        %3 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
        %4 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<40xf32>
        %5 = arith.muli %1, %c1 : index
        %6 = arith.addi %5, %c1 : index
        %7 = arith.minui %6, %c2 : index
        scf.for %8 = %5 to %7 step %c3 {
          %12:2 = scf.for %9 = %c0 to %c5 step %c3 iter_args(%10 = %c4, %11 = %c4) -> (vector<16xf32>, vector<16xf32>) {
            %13 = arith.muli %9, %c1 : index
            %14 = vector.load %2[%8, %9, %c0] : memref<40x16x20xi8>, vector<4xi8>
            %15 = vector.bitcast %14 : vector<4xi8> to vector<2xf16>
            %16 = arith.extf %15 : vector<2xf16> to vector<2xf32>
            %17 = vector.extract %16[0] : f32 from vector<2xf32>
            %18 = vector.extract %16[1] : f32 from vector<2xf32>
            %19 = vector.load %2[%8, %9, %c6] : memref<40x16x20xi8>, vector<16xi8>
            %20 = arith.andi %19, %c7 : vector<16xi8>
            %21 = arith.shrui %19, %c8 : vector<16xi8>
            %22 = arith.sitofp %20 : vector<16xi8> to vector<16xf32>
            %23 = arith.sitofp %21 : vector<16xi8> to vector<16xf32>
            %24 = arith.addi %13, %c0 : index
            %25 = vector.load %3[%24] : memref<512xf32>, vector<16xf32>
            %26 = arith.mulf %22, %25 : vector<16xf32>
            %27 = arith.addi %13, %c5 : index
            %28 = vector.load %3[%27] : memref<512xf32>, vector<16xf32>
            %29 = vector.fma %23, %28, %26 : vector<16xf32>
            %30 = arith.addf %25, %28 : vector<16xf32>
            %31 = vector.broadcast %17 : f32 to vector<16xf32>
            %32 = vector.fma %29, %31, %10 : vector<16xf32>
            %33 = vector.broadcast %18 : f32 to vector<16xf32>
            %34 = vector.fma %30, %33, %11 : vector<16xf32>
            scf.yield %32, %34 : vector<16xf32>, vector<16xf32>
          }
          %35 = arith.addf %12#0, %12#1 : vector<16xf32>
          %36 = vector.reduction <add>, %35 : vector<16xf32> into f32
          memref.store %36, %4[%8] : memref<40xf32>
        }
        return
      }
    }
  }
