module github.com/pion/datachannel

go 1.26
