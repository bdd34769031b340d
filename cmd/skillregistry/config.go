package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/spf13/pflag"
)

// config is everything that serve can be told.
type config struct {
	addr            string
	metricsAddr     string // empty: off
	databaseURL     string
	baseURL         string // empty: made from the address that is listened on
	publishDir      string // empty: none
	trustedProxies  []netip.Prefix
	providerName    string
	providerURL     string
	adminKey        string // empty: none
	staleIfError    time.Duration
	rateLimit       float64
	breakingChanges string
	maxBody         int64
	maxDepth        int
	shutdownDelay   time.Duration
	shutdownTimeout time.Duration
	logging         logging
}

// define adds the flags, and sets the defaults.
func (c *config) define(flags *pflag.FlagSet) {
	*c = config{
		providerName:    "skillregistry",
		staleIfError:    60 * time.Second,
		rateLimit:       20,
		breakingChanges: string(httpapi.WarnOfBreaking),
		shutdownTimeout: 10 * time.Second,
	}
	flags.SortFlags = false
	defineAddr(flags, &c.addr)
	setting(flags, "metrics-addr", addressValue(&c.metricsAddr, true), "address of a second listener for metrics and profiles, for operators only; empty is off")
	defineDatabaseURL(flags, &c.databaseURL)
	setting(flags, "base-url", webAddressValue(&c.baseURL, true), "address by which clients know this registry; default http:// and the address that is listened on")
	setting(flags, "publish-dir", textValue(&c.publishDir, "folder"), "publish the *.json files of this folder at start; one that is refused stops the start")
	setting(flags, "trusted-proxies", prefixesValue(&c.trustedProxies), "networks whose X-Forwarded-For is believed, separated by commas")
	setting(flags, "provider-name", nonEmptyValue(&c.providerName, "name", "a name that is not empty"), "the index's provider")
	setting(flags, "provider-url", webAddressValue(&c.providerURL, false), "the provider's web address")
	secretAs(flags, "admin-key", "SKILLREGISTRY_ADMIN_KEY", adminKeyValue(&c.adminKey), "an admin key for as long as it is set; better by variable or file, since others can see a process's flags")
	setting(flags, "stale-if-error", durationValue(&c.staleIfError), "how long reads go on when the database does not answer")
	setting(flags, "rate-limit", rateValue(&c.rateLimit), "writes, validations and failed log-ins a second and caller, with a burst of ten times that; 0 is no limit")
	setting(flags, "breaking-changes", choiceValue(&c.breakingChanges, "policy",
		string(httpapi.WarnOfBreaking), string(httpapi.RefuseBreaking), string(httpapi.AllowBreaking)),
		"warn, refuse or allow: what becomes of a new version that breaks callers of an older one, which its number promises not to")
	defineLimits(flags, &c.maxBody, &c.maxDepth)
	setting(flags, "shutdown-delay", durationValue(&c.shutdownDelay), "how long everything is answered on after SIGTERM or SIGINT, while /readyz says no, so that balancers notice")
	setting(flags, "shutdown-timeout", durationValue(&c.shutdownTimeout), "how long requests may go on after that")
	c.logging.define(flags)
}

func defineAddr(flags *pflag.FlagSet, to *string) {
	*to = "127.0.0.1:8080"
	setting(flags, "addr", addressValue(to, false), "address to listen on; port 0 takes a free one")
}

func defineDatabaseURL(flags *pflag.FlagSet, to *string) {
	*to = "sqlite:skillregistry.db"
	secretAs(flags, "database-url", "SKILLREGISTRY_DATABASE_URL", databaseURLValue(to), "the store: sqlite:PATH or postgres://…")
}

// defineLimits adds the limits within which a document is read.
func defineLimits(flags *pflag.FlagSet, maxBody *int64, maxDepth *int) {
	*maxBody, *maxDepth = 1<<20, 64
	setting(flags, "max-body", sizeValue(maxBody, 1<<10, maxDocument), "largest document")
	setting(flags, "max-depth", countValue(maxDepth, 8, 256), "deepest nesting of a document")
}

// maxDocument is the largest --max-body.
const maxDocument = 64 << 20

// adminKeyValue takes a key that can be sent in a header.
func adminKeyValue(to *string) value[string] {
	return value[string]{to: to, kind: "key", show: asIs, parse: func(s string) (string, error) {
		if n := utf8.RuneCountInString(s); n < access.MinAdminKeyLength {
			return "", expected("%d characters or more, got %d", access.MinAdminKeyLength, n)
		}
		if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return "", expected("ASCII letters, digits and signs only, without spaces")
		}
		return s, nil
	}}
}

// check refuses what is right by itself and wrong together.
func (c *config) check(nameOf func(flag string) string) error {
	if c.metricsAddr != "" && c.metricsAddr == c.addr && !strings.HasSuffix(c.addr, ":0") {
		return fmt.Errorf("%s %q: expected another address than %s", nameOf("metrics-addr"), c.metricsAddr, nameOf("addr"))
	}
	return nil
}

// logAttributes is what the registry runs with, secrets left out.
func (c *config) logAttributes() []any {
	adminKey := "not set"
	if c.adminKey != "" {
		adminKey = "set"
	}
	return []any{
		slog.String("addr", c.addr),
		slog.String("metrics_addr", cmp.Or(c.metricsAddr, "off")),
		slog.String("database_url", withoutPassword(c.databaseURL)),
		slog.String("base_url", cmp.Or(c.baseURL, "from addr")),
		slog.String("publish_dir", cmp.Or(c.publishDir, "none")),
		slog.String("trusted_proxies", cmp.Or(prefixesValue(&c.trustedProxies).String(), "none")),
		slog.String("provider_name", c.providerName),
		slog.String("provider_url", cmp.Or(c.providerURL, "none")),
		slog.String("admin_key", adminKey),
		slog.String("stale_if_error", showDuration(c.staleIfError)),
		slog.Float64("rate_limit", c.rateLimit),
		slog.String("breaking_changes", c.breakingChanges),
		slog.String("max_body", showSize(c.maxBody)),
		slog.Int("max_depth", c.maxDepth),
		slog.String("shutdown_delay", showDuration(c.shutdownDelay)),
		slog.String("shutdown_timeout", showDuration(c.shutdownTimeout)),
		slog.String("log_format", c.logging.format),
		slog.String("log_level", c.logging.level),
	}
}

// defaultBaseURL is the base URL of a registry that was not told one: the host that it
// was told to listen on, "localhost" for every address, and the port it really has.
func defaultBaseURL(addr string, listening net.Addr) string {
	host, port, _ := net.SplitHostPort(addr)
	if tcp, ok := listening.(*net.TCPAddr); ok {
		port = strconv.Itoa(tcp.Port)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// logging says how a verb logs.
type logging struct{ format, level string }

func (l *logging) define(flags *pflag.FlagSet) {
	l.format, l.level = "text", "info"
	setting(flags, "log-format", choiceValue(&l.format, "format", "text", "json"), "text or json")
	setting(flags, "log-level", choiceValue(&l.level, "level", "debug", "info", "warn", "error"), "debug, info, warn or error")
}

func (l *logging) logger(w io.Writer) *slog.Logger {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	options := &slog.HandlerOptions{Level: levels[l.level]}
	if l.format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
