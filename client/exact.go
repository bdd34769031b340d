package client

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// exactly decodes an object into a struct by the names as they are written. By itself
// encoding/json takes "Type" for "type", and a descriptor may have both.
func exactly(data []byte, into any) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	fields := reflect.ValueOf(into).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Tag.Get("json")
		if member, ok := members[name]; ok {
			if err := json.Unmarshal(member, fields.Field(i).Addr().Interface()); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// UnmarshalJSON decodes by the names as they are written.
func (d *Descriptor) UnmarshalJSON(data []byte) error { return exactly(data, d) }

// UnmarshalJSON decodes by the names as they are written.
func (p *ProtocolVersion) UnmarshalJSON(data []byte) error { return exactly(data, p) }

// UnmarshalJSON decodes by the names as they are written.
func (p *Provider) UnmarshalJSON(data []byte) error { return exactly(data, p) }

// UnmarshalJSON decodes by the names as they are written.
func (e *Endpoint) UnmarshalJSON(data []byte) error { return exactly(data, e) }

// UnmarshalJSON decodes by the names as they are written.
func (p *Parameter) UnmarshalJSON(data []byte) error { return exactly(data, p) }

// UnmarshalJSON decodes by the names as they are written.
func (o *Output) UnmarshalJSON(data []byte) error { return exactly(data, o) }

// UnmarshalJSON decodes by the names as they are written.
func (a *Auth) UnmarshalJSON(data []byte) error { return exactly(data, a) }

// UnmarshalJSON decodes by the names as they are written.
func (o *OAuth2) UnmarshalJSON(data []byte) error { return exactly(data, o) }
