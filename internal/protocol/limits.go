package protocol

// Limits bound how JSON is read. The zero value is the default.
type Limits struct {
	// MaxDepth bounds how deep objects and arrays nest; 0 means 64.
	MaxDepth int
	// MaxValues bounds how many values a document holds that is to be checked, and a
	// tenth of it how many of them are objects; 0 means 20,000. What it costs to check
	// a document grows with them, and with objects most.
	MaxValues int
}

const (
	defaultMaxDepth  = 64
	defaultMaxValues = 20_000
	// maxNumberLength bounds the characters of one number, and maxExponent the size of
	// its exponent, so that nothing behind the reader meets a number it can't hold.
	maxNumberLength = 400
	maxExponent     = 400
)

func (l Limits) maxDepth() int {
	if l.MaxDepth <= 0 {
		return defaultMaxDepth
	}
	return l.MaxDepth
}

func (l Limits) maxValues() int {
	if l.MaxValues <= 0 {
		return defaultMaxValues
	}
	return l.MaxValues
}
