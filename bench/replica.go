package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// measureReplica publishes to one replica and reads from another until it is there.
func (b *bench) measureReplica(ctx context.Context, s *stage) error {
	b.say("a publish on another replica")
	other, err := b.starter.startRegistry(ctx, "replica", s.postgresURL)
	if err != nil {
		return err
	}
	defer other.stop()
	p, err := dialPublisher(s.postgres.address)
	if err != nil {
		return err
	}
	defer p.conn.Close()
	client := &http.Client{Timeout: 10 * time.Second}
	const publishes = 200
	var answered, visible []float64
	stale := 0
	for i := range publishes {
		begun := time.Now()
		if err := p.send(publication(descriptor(familyID("replica", i), "1.0.0", i))); err != nil {
			return err
		}
		published := time.Now()
		for {
			response, err := client.Get("http://" + other.address + "/v1/skills/" + familyID("replica", i))
			if err != nil {
				return err
			}
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				break
			}
			stale++
			if time.Since(published) > 10*time.Second {
				return fmt.Errorf("what was published is not on the other replica: status %d", response.StatusCode)
			}
		}
		answered = append(answered, float64(published.Sub(begun)))
		visible = append(visible, float64(time.Since(published)))
	}
	results := table{
		title:   fmt.Sprintf("A publish on another replica, one after the other, %d times", publishes),
		columns: []string{"ms", "p50", "p99"},
	}
	results.add("from the request to the answer of the publish", milliseconds(quantile(answered, 0.5)), milliseconds(quantile(answered, 0.99)))
	results.add("from that answer to the answer of a read on the other replica that has it", milliseconds(quantile(visible, 0.5)), milliseconds(quantile(visible, 0.99)))
	results.print(b.out)
	fmt.Fprintf(b.out, "Reads in between that did not have it: %d.\n\n", stale)
	return nil
}
