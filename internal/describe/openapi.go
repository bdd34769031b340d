package describe

import "strings"

// OpenAPI makes a descriptor of each operation in an OpenAPI document of version 3.0 or
// 3.1, in JSON or YAML. The error is a *DocumentError, a *protocol.SyntaxError, or a
// *NeedError where the options have to say more.
func (d *Describer) OpenAPI(data []byte, options Options) (*Result, error) {
	r, err := d.start(data, options)
	if err != nil {
		return nil, err
	}
	if err := r.isOpenAPI(); err != nil {
		return nil, err
	}
	if options.Namespace == "" {
		return nil, &NeedError{NeedNamespace, "an OpenAPI document does not say whose ids its operations have"}
	}
	info := r.root.child("info")
	api := api{run: r}
	if api.version, err = r.version(info.child("version")); err != nil {
		return nil, err
	}
	contact := info.child("contact")
	if api.provider, err = r.provider(contact.child("name"), contact.child("url")); err != nil {
		return nil, err
	}
	api.aroundIt()
	for _, path := range r.root.child("paths").members() {
		if strings.HasPrefix(path.name, "/") {
			api.path(path)
		}
	}
	return &r.result, nil
}

// isOpenAPI holds the document to its version.
func (r *run) isOpenAPI() error {
	if r.root.child("swagger").there {
		return &DocumentError{"/swagger", "this is Swagger, OpenAPI before 3.0, which is not read; there are converters to OpenAPI 3.0"}
	}
	at := r.root.child("openapi")
	if !r.root.isObject() || !at.there {
		return &DocumentError{"", "this is no OpenAPI document: it has no member openapi"}
	}
	if version := at.text(); !strings.HasPrefix(version+".", "3.0.") && !strings.HasPrefix(version+".", "3.1.") {
		return &DocumentError{"/openapi", "expected a version 3.0 or 3.1, got " + shown(version)}
	}
	return nil
}

// is30 reports whether the document is of OpenAPI 3.0, whose schemas differ.
func (r *run) is30() bool { return strings.HasPrefix(r.root.child("openapi").text()+".", "3.0.") }

// api is an OpenAPI document.
type api struct {
	*run
	version  string
	provider map[string]any
}

// aroundIt notes what of the whole document has no place in its descriptors.
func (a *api) aroundIt() {
	info := a.root.child("info")
	a.loseEach(Metadata, info, "left out: a descriptor is about one operation", "title", "summary", "description")
	a.loseEach(Metadata, info, "left out: a descriptor has no place for it", "termsOfService", "license")
	a.loseEach(Metadata, info.child("contact"), "left out: a provider has a name and a URL", "email")
	for _, m := range a.root.child("webhooks").members() {
		a.lose(Calling, m.node, "left out: the API calls a webhook, nobody else does")
	}
	if a.options.ProviderName != "" {
		a.loseEach(Metadata, info.child("contact"), "left out: the options name the provider", "name", "url")
	}
	a.loseEach(Metadata, a.root, "left out: a descriptor has the names of its tags alone", "tags")
	a.others(a.root, "openapi info servers paths components security tags externalDocs webhooks")
	a.others(info, "title summary description termsOfService contact license version")
	a.tell()
}

// methods are the members of a path that are operations, in the order in which they are
// described.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// path describes the operations of a path.
func (a *api) path(path member) {
	at := path.node
	if ref := at.child("$ref"); ref.there {
		target, why := a.target(ref)
		if !target.there {
			a.result.Found++
			a.leaveOut(at, "it %s", why)
			return
		}
		at = target
	}
	a.others(at, "$ref summary description servers parameters "+strings.Join(methods, " "))
	a.tell()
	for _, method := range methods {
		found := at.child(method)
		if !found.there || !a.found(found) {
			continue
		}
		o := operation{api: a, node: found, route: path.name, method: method, around: at}
		o.describe()
	}
}
