package page

// Failure is an answer that is not what was asked for.
type Failure struct {
	Status  int
	Message string
}

// Heading says in a few words what it is.
func (f Failure) Heading() string {
	switch {
	case f.Status == 404:
		return "Nothing to see here"
	case f.Status == 401:
		return "That key does not work"
	case f.Status == 429:
		return "Too many requests"
	case f.Status < 500:
		return "That could not be read"
	case f.Status == 503:
		return "Not available just now"
	default:
		return "Something went wrong"
	}
}

// Error returns the page of an error.
func (s *Site) Error(f Failure) ([]byte, error) {
	return write(s.failure, struct {
		Title string
		Failure
	}{f.Heading(), f})
}
