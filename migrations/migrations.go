// Package migrations holds the SQL files that lay out the database, a folder for each
// kind of store. They run in the order of their names, each once; a file that was
// released is never changed again.
package migrations

import "embed"

//go:embed postgres/*.sql sqlite/*.sql
var files embed.FS

// Files returns every migration, below the folders postgres and sqlite.
func Files() embed.FS { return files }
