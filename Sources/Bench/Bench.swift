package func runBench(json: Bool, print: (String) -> Void) {}
