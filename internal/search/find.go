package search

// desk is what one query is worked out on: what each document scores.
type desk struct {
	sum   []uint16
	best  []uint16 // for one word
	found []uint8  // words, where not all are needed
}

// Find calls use with what each document scores, by its number: 0 where it does not match.
// The scores are use's to change, and no longer there when it returns. They are those of
// Query.Score.
func (x *Index) Find(q *Query, use func(scores []uint16)) {
	if len(x.ids) == 0 || q.asks && len(q.words) == 0 {
		return
	}
	d, _ := x.desks.Get().(*desk)
	if d == nil {
		n := len(x.ids)
		d = &desk{sum: make([]uint16, n), best: make([]uint16, n), found: make([]uint8, n)}
	}
	defer x.desks.Put(d)
	x.filter(q, d)
	if x.score(q, d) {
		use(d.sum)
	}
}

// filter gives a 1 to the documents that the filters leave.
func (x *Index) filter(q *Query, d *desk) {
	if len(q.labels) == 0 {
		for i := range d.sum {
			d.sum[i] = 1
		}
		return
	}
	for i, labels := range q.labels {
		clear(d.best)
		for _, label := range labels {
			place := x.after(label)
			if place == len(x.words) || x.words[place] != label {
				continue
			}
			for _, p := range x.of(place) {
				d.best[p.number()] = 1
			}
		}
		if i == 0 {
			copy(d.sum, d.best)
			continue
		}
		for n, has := range d.best {
			d.sum[n] &= has
		}
	}
}

// score gives the documents that are left what they score, and reports whether there may
// be any that match.
func (x *Index) score(q *Query, d *desk) bool {
	if !q.asks {
		return true
	}
	every := q.need == len(q.words)
	if !every {
		clear(d.found)
	}
	for _, a := range q.words {
		clear(d.best)
		if !x.look(a, d.best) && every {
			return false
		}
		for n, points := range d.best {
			switch {
			case d.sum[n] == 0:
			case points > 0:
				d.sum[n] += points
				if !every {
					d.found[n]++
				}
			case every:
				d.sum[n] = 0
			}
		}
	}
	for n, sum := range d.sum {
		switch {
		case sum == 0:
		case !every && int(d.found[n]) < q.need:
			d.sum[n] = 0
		default:
			d.sum[n] = sum - 1
		}
	}
	if n, found := x.Number(q.id); found && d.sum[n] > 0 {
		d.sum[n] += uint16(q.idWorth())
	}
	return true
}

// look gives every document what its best word is worth that is like the one asked for,
// and reports whether there is one.
func (x *Index) look(a asked, best []uint16) (found bool) {
	var points [same + 1][1 << fields]uint16
	for how := alike; how <= same; how++ {
		for in := range points[how] {
			points[how][in] = uint16(worth(how, field(in)))
		}
	}
	give := func(place int, how likeness) {
		found = true
		for _, p := range x.of(place) {
			n, v := p.number(), points[how][p.in()]
			if how == same && p.in()&inName != 0 {
				v += uint16(nameWorth(int(x.names[n])))
			}
			if v > best[n] {
				best[n] = v
			}
		}
	}
	place := x.after(a.text)
	if place < len(x.words) && x.words[place] == a.text {
		give(place, same)
	}
	end := place
	if place < len(x.words) {
		end = x.longer(place, a.text)
	}
	for ; place < end; place++ {
		if x.words[place] != a.text {
			give(place, longer)
		}
	}
	for place := range x.near(a) {
		give(place, alike)
	}
	return found
}
