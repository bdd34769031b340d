package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// skillID returns the id of the skill of a number. Ids sort as their numbers do.
func skillID(n int) string { return fmt.Sprintf("com.example.bench.s%07d", n) }

// descriptorSize is how long each descriptor is, in bytes.
const descriptorSize = 1024

// descriptor returns a descriptor in canonical form: that of skill n in the catalogs
// which the bench measures, where the types take turns and everyone sees everything.
func descriptor(id, version string, n int) []byte {
	const form = `{"access":"%s","auth":{"header":"X-API-Key","type":"api_key"},"capability_type":"%s",` +
		`"description":"%s","endpoint":{"method":"POST","url":"https://%[4]s.example.com/v1/invoke"},"id":"%[4]s",` +
		`"inputs":[{"description":"What it is about.","name":"text","required":true,"type":"string"},` +
		`{"default":"en","enum":["de","en","fr"],"name":"language","type":"string"}],` +
		`"name":"%[5]s","output":{"content_type":"application/json","schema":{"properties":{"%[6]s":{"type":"string"}},` +
		`"type":"object"},"type":"object"},"protocol":{"version":"1.0.0"},"provider":{"name":"Example Corp",` +
		`"url":"https://example.com"},"tags":[%[7]s],"version":"%[8]s"}`
	random := rand.New(rand.NewPCG(uint64(n), 1))
	access := []string{"public", "restricted"}[n/4%2]
	kind := protocol.CapabilityTypes()[n%4]
	word := words(random, 1)
	filled := fmt.Sprintf(form, access, kind, "", id, words(random, 3), word, "", version)
	// A third of what is missing goes to the tags, which are not in an index entry.
	var tags strings.Builder
	for missing := (descriptorSize - len(filled)) / 3; tags.Len() < missing; {
		if tags.Len() > 0 {
			tags.WriteByte(',')
		}
		fmt.Fprintf(&tags, "%q", words(random, 1))
	}
	filled = fmt.Sprintf(form, access, kind, "", id, words(random, 3), word, tags.String(), version)
	description := words(random, 60)[:descriptorSize-len(filled)]
	return []byte(strings.Replace(filled, `"description":""`, `"description":"`+description+`"`, 1))
}

// words returns some words, so that texts are no two alike and compress as texts do.
func words(random *rand.Rand, n int) string {
	all := strings.Fields(`forecast translate archive search route summary of the for with from into
		market currency weather document image sentence language city country record query report
		vector index schedule payment invoice sensor satellite genome protein museum library
		ticket station river harbour orchard compass lantern meadow granite`)
	picked := make([]string, n)
	for i := range picked {
		picked[i] = all[random.IntN(len(all))]
	}
	return strings.Join(picked, " ")
}

// checkDescriptors reports whether what the bench makes is what the registry would store.
func checkDescriptors(v *protocol.Validator) error {
	for n := range 200 {
		text := descriptor(skillID(n), "1.0.0", n)
		d, err := v.Parse(text)
		if err != nil {
			return fmt.Errorf("the bench's own descriptor: %w", err)
		}
		if string(d.Canonical) != string(text) || len(text) != descriptorSize {
			return fmt.Errorf("the bench's own descriptor of %d bytes is not canonical: %s", len(text), text)
		}
	}
	return nil
}
