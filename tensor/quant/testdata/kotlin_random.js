// Writes testdata/kotlin_random.txt: a line for each seed, of the seed and the
// first 64 bits of Random(seed).nextBoolean(), from Kotlin's own library for
// JavaScript (npm package kotlin, version 1.4.21).
//
//   npm install kotlin@1.4.21 && node testdata/kotlin_random.js > testdata/kotlin_random.txt
const random = require("kotlin").kotlin.random.Random_za3lpa$;

for (const seed of [0, 1, -1, 42, 2147483647, -2147483648, -1640531527]) {
  const r = random(seed);
  const bits = Array.from({ length: 64 }, () => (r.nextBoolean() ? "1" : "0"));
  console.log(seed + " " + bits.join(""));
}
