package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/skillregistry/skillregistry/internal/store"
)

// askTimeout bounds how long a catalog is waited for: a store that takes longer counts as one
// that does not answer, and Prometheus gets the rest in time.
const askTimeout = time.Second

// facts are the metrics that are read from what the catalog and the store tell, together,
// whenever they are asked for.
type facts struct {
	sources                                              Sources
	build, up, age, ageLimit, revision                   *prometheus.Desc
	skills, versions, documentBytes, keys                *prometheus.Desc
	checks, failedChecks, checking, waiting              *prometheus.Desc
	archiveBytes, archiveReads                           *prometheus.Desc
	connections, connectionLimit, inUse, waits, waitTime *prometheus.Desc
	pendingRefusals, lostRefusals                        *prometheus.Desc
}

func newFacts(s Sources) *facts {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("skillregistry_"+name, help, labels, nil)
	}
	return &facts{
		sources: s,
		build: prometheus.NewDesc("skillregistry_build_info", "Which build is running.", nil, prometheus.Labels{
			"version": s.Build.Version, "commit": s.Build.Commit, "go_version": s.Build.GoVersion,
		}),
		up:              desc("store_up", "Whether the store answers and the snapshot is current: 1 or 0."),
		age:             desc("snapshot_age_seconds", "For how long the snapshot may have been out of date; 0 for one that is current."),
		ageLimit:        desc("snapshot_age_limit_seconds", "How old the snapshot may become before reads end."),
		revision:        desc("snapshot_revision", "The revision of the snapshot."),
		skills:          desc("skills", "Skills that have a version: those that everyone sees, and the others.", "access"),
		versions:        desc("versions", "Versions that are not deleted."),
		documentBytes:   desc("document_bytes", "Size of the documents of all versions."),
		keys:            desc("keys", "Keys, those included that no longer work."),
		checks:          desc("revision_checks_total", "Comparisons of the snapshot with the store."),
		failedChecks:    desc("revision_check_failures_total", "Comparisons of the snapshot with the store that failed."),
		checking:        desc("revision_check_seconds_total", "How long comparisons of the snapshot with the store took."),
		waiting:         desc("changes_waiting", "Answers of the change feed that are held for news."),
		archiveBytes:    desc("files_cache_bytes", "Size of the skills' own files that are in memory."),
		archiveReads:    desc("files_cache_reads_total", "Reads of skills' own files: hits of those that were in memory, and misses.", "result"),
		connections:     desc("store_connections", "Connections to the database.", "pool"),
		connectionLimit: desc("store_connections_limit", "Connections to the database that there may be.", "pool"),
		inUse:           desc("store_connections_in_use", "Connections to the database that do something.", "pool"),
		waits:           desc("store_connection_waits_total", "Calls that had to wait for a connection.", "pool"),
		waitTime:        desc("store_connection_wait_seconds_total", "For how long calls waited for a connection.", "pool"),
		pendingRefusals: desc("audit_refusals_pending", "Refused requests that are not in the audit log yet."),
		lostRefusals:    desc("audit_refusals_lost_total", "Refused requests that are not in the audit log and never will be."),
	}
}

// Describe names one metric, so that the facts are registered once.
func (f *facts) Describe(to chan<- *prometheus.Desc) { to <- f.build }

// Collect asks the sources.
func (f *facts) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	c, s := f.sources.Catalog(ctx), f.sources.Store()

	up := 0.0
	if c.Current {
		up = 1
	}
	gauge(f.build, 1)
	gauge(f.up, up)
	gauge(f.age, c.Age.Seconds())
	gauge(f.ageLimit, f.sources.AgeLimit)
	gauge(f.revision, float64(c.Revision))
	gauge(f.skills, float64(c.PublicSkills), "public")
	gauge(f.skills, float64(c.Skills-c.PublicSkills), "other")
	gauge(f.versions, float64(c.Versions))
	gauge(f.documentBytes, float64(c.Bytes))
	gauge(f.keys, float64(c.Keys))
	counter(f.checks, float64(c.Checks))
	counter(f.failedChecks, float64(c.FailedChecks))
	counter(f.checking, c.Checking.Seconds())
	gauge(f.waiting, float64(c.Waiting))
	gauge(f.archiveBytes, float64(c.ArchiveBytes))
	counter(f.archiveReads, float64(c.ArchiveHits), "hit")
	counter(f.archiveReads, float64(c.ArchiveMisses), "miss")
	for name, p := range map[string]store.PoolStats{"read": s.Readers, "write": s.Writers} {
		gauge(f.connections, float64(p.Open), name)
		gauge(f.connectionLimit, float64(p.Limit), name)
		gauge(f.inUse, float64(p.InUse), name)
		counter(f.waits, float64(p.Waits), name)
		counter(f.waitTime, p.Waited.Seconds(), name)
	}
	gauge(f.pendingRefusals, float64(s.PendingRefusals))
	counter(f.lostRefusals, float64(s.LostRefusals))
}
