module github.com/pion/dtls/v2

go 1.26
