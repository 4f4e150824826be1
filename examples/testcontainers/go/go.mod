module example/albums

go 1.24
