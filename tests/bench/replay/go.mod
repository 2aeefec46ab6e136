module smp.example/tests/bench/replay

go 1.19
