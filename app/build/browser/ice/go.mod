module github.com/pion/ice/v2

go 1.26
