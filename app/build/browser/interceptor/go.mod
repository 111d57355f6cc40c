module github.com/pion/interceptor

go 1.26
