package catalog

// IndexNow has everything in a snapshot indexed, as a search does behind its back.
func IndexNow(s *Snapshot) {
	for from := s.finder.of(s); from.upTo < s.lastChange(); from = s.finder.of(s) {
		<-s.finder.build(s, from)
	}
}

// Volumes returns how many volumes there are in the index of a snapshot.
func Volumes(s *Snapshot) int { return len(s.finder.of(s).volumes) }
