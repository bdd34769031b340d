//go:build clients

package interop

import "maps"

// clients are all.
func clients() map[string]kind {
	all := installers()
	maps.Copy(all, map[string]kind{
		"opencode at skills":       {start: startOpencode("/.well-known/skills/")},
		"opencode at agent-skills": {start: startOpencode("/.well-known/agent-skills")},
	})
	return all
}

// installers are the clients that can be told which skill to install.
func installers() map[string]kind {
	all := smallClients()
	all["skillkit"] = kind{start: startSkillkit}
	return all
}
