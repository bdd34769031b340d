module github.com/skillregistry/skillregistry/interop

go 1.26.5
