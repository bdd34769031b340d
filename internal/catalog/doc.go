// Package catalog is what readers see: an immutable snapshot of every skill and key,
// in memory, with the bytes of each answer rendered once.
//
// A snapshot moves forward by the rows that changed since it was taken, and shares
// everything else with the one before, so a publish costs O(log n). A read is never
// stale: Catalog.Snapshot waits for a check of the store's revision that began after
// the read arrived. The checks are shared, so the store sees a trickle of them at any
// rate of reads.
//
// What an anonymous caller gets is made from public rows alone, and never from the
// revision, which private writes move, too. The package knows nothing of HTTP but
// that bytes may be wanted in gzip.
package catalog
