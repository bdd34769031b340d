//go:build !clients

package interop

func clients() map[string]kind { return smallClients() }

func installers() map[string]kind { return smallClients() }
