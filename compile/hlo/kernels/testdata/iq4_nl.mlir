  stream.executable private @matvec_iq4_nl_40x512 {
    stream.executable.export public @matvec_iq4_nl_40x512 workgroups() -> (index, index, index) {
      %groups = arith.constant 2 : index
      %one = arith.constant 1 : index
      stream.return %groups, %one, %one : index, index, index
    }
    builtin.module {
      func.func @matvec_iq4_nl_40x512(%b0: !stream.binding, %b1: !stream.binding, %b2: !stream.binding) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 32 : index
        %c2 = arith.constant 40 : index
        %c3 = arith.constant 1 : index
        %c4 = arith.constant dense<0.0> : vector<16xf32>
        %c5 = arith.constant 16 : index
        %c6 = arith.constant 2 : index
        %c7 = arith.constant dense<15> : vector<16xi8>
        %c8 = arith.constant dense<4> : vector<16xi8>
        %c9 = arith.constant dense<-127> : vector<32xi8>
        %c10 = arith.constant dense<-104> : vector<32xi8>
        %c11 = arith.constant dense<-83> : vector<32xi8>
        %c12 = arith.constant dense<-65> : vector<32xi8>
        %c13 = arith.constant dense<-49> : vector<32xi8>
        %c14 = arith.constant dense<-35> : vector<32xi8>
        %c15 = arith.constant dense<-22> : vector<32xi8>
        %c16 = arith.constant dense<-10> : vector<32xi8>
        %c17 = arith.constant dense<1> : vector<32xi8>
        %c18 = arith.constant dense<13> : vector<32xi8>
        %c19 = arith.constant dense<25> : vector<32xi8>
        %c20 = arith.constant dense<38> : vector<32xi8>
        %c21 = arith.constant dense<53> : vector<32xi8>
        %c22 = arith.constant dense<69> : vector<32xi8>
        %c23 = arith.constant dense<89> : vector<32xi8>
        %c24 = arith.constant dense<113> : vector<32xi8>
        %c25 = arith.constant dense<0> : vector<32xi8>
        %c26 = arith.constant dense<2> : vector<32xi8>
        %c27 = arith.constant dense<4> : vector<32xi8>
        %c28 = arith.constant dense<8> : vector<32xi8>
        %1 = stream.dispatch.workgroup.id[0] : index
        %2 = stream.binding.subspan %b0[%c0] : !stream.binding -> memref<40x16x18xi8>
        %3 = stream.binding.subspan %b1[%c0] : !stream.binding -> memref<512xf32>
        %4 = stream.binding.subspan %b2[%c0] : !stream.binding -> memref<40xf32>
        %5 = arith.muli %1, %c1 : index
        %6 = arith.addi %5, %c1 : index
        %7 = arith.minui %6, %c2 : index
        scf.for %8 = %5 to %7 step %c3 {
          %12:2 = scf.for %9 = %c0 to %c5 step %c3 iter_args(%10 = %c4, %11 = %c4) -> (vector<16xf32>, vector<16xf32>) {
            %13 = arith.muli %9, %c1 : index
            %14 = vector.load %2[%8, %9, %c0] : memref<40x16x18xi8>, vector<2xi8>
            %15 = vector.bitcast %14 : vector<2xi8> to vector<1xf16>
            %16 = vector.extract %15[0] : f16 from vector<1xf16>
            %17 = arith.extf %16 : f16 to f32
            %18 = vector.load %2[%8, %9, %c6] : memref<40x16x18xi8>, vector<16xi8>
            %19 = arith.andi %18, %c7 : vector<16xi8>
            %20 = arith.shrui %18, %c8 : vector<16xi8>
            %21 = vector.shuffle %19, %20 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<16xi8>, vector<16xi8>
            %22 = arith.andi %21, %c17 : vector<32xi8>
            %23 = arith.cmpi ne, %22, %c25 : vector<32xi8>
            %24 = arith.select %23, %c10, %c9 : vector<32xi1>, vector<32xi8>
            %25 = arith.select %23, %c12, %c11 : vector<32xi1>, vector<32xi8>
            %26 = arith.select %23, %c14, %c13 : vector<32xi1>, vector<32xi8>
            %27 = arith.select %23, %c16, %c15 : vector<32xi1>, vector<32xi8>
            %28 = arith.select %23, %c18, %c17 : vector<32xi1>, vector<32xi8>
            %29 = arith.select %23, %c20, %c19 : vector<32xi1>, vector<32xi8>
            %30 = arith.select %23, %c22, %c21 : vector<32xi1>, vector<32xi8>
            %31 = arith.select %23, %c24, %c23 : vector<32xi1>, vector<32xi8>
            %32 = arith.andi %21, %c26 : vector<32xi8>
            %33 = arith.cmpi ne, %32, %c25 : vector<32xi8>
            %34 = arith.select %33, %25, %24 : vector<32xi1>, vector<32xi8>
            %35 = arith.select %33, %27, %26 : vector<32xi1>, vector<32xi8>
            %36 = arith.select %33, %29, %28 : vector<32xi1>, vector<32xi8>
            %37 = arith.select %33, %31, %30 : vector<32xi1>, vector<32xi8>
            %38 = arith.andi %21, %c27 : vector<32xi8>
            %39 = arith.cmpi ne, %38, %c25 : vector<32xi8>
            %40 = arith.select %39, %35, %34 : vector<32xi1>, vector<32xi8>
            %41 = arith.select %39, %37, %36 : vector<32xi1>, vector<32xi8>
            %42 = arith.andi %21, %c28 : vector<32xi8>
            %43 = arith.cmpi ne, %42, %c25 : vector<32xi8>
            %44 = arith.select %43, %41, %40 : vector<32xi1>, vector<32xi8>
            %45 = vector.shuffle %44, %44 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi8>, vector<32xi8>
            %46 = arith.sitofp %45 : vector<16xi8> to vector<16xf32>
            %47 = vector.shuffle %44, %44 [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi8>, vector<32xi8>
            %48 = arith.sitofp %47 : vector<16xi8> to vector<16xf32>
            %49 = arith.addi %13, %c0 : index
            %50 = vector.load %3[%49] : memref<512xf32>, vector<16xf32>
            %51 = arith.mulf %46, %50 : vector<16xf32>
            %52 = arith.addi %13, %c5 : index
            %53 = vector.load %3[%52] : memref<512xf32>, vector<16xf32>
            %54 = vector.fma %48, %53, %51 : vector<16xf32>
            %55 = arith.addf %50, %53 : vector<16xf32>
            %56 = vector.broadcast %17 : f32 to vector<16xf32>
            %57 = vector.fma %54, %56, %10 : vector<16xf32>
            scf.yield %57, %11 : vector<16xf32>, vector<16xf32>
          }
          %58 = arith.addf %12#0, %12#1 : vector<16xf32>
          %59 = vector.reduction <add>, %58 : vector<16xf32> into f32
          memref.store %59, %4[%8] : memref<40xf32>
        }
        return
      }
    }
  }
