// powi is a function of the compiler's own library.
double probe(double x, int n) { return __builtin_powi(x, n); }
