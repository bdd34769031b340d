package store_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestKeyComesBackAsItWas(t *testing.T) {
	t.Parallel()
	admin := key("admin")
	admin.Scopes, admin.Namespaces = []access.Scope{access.Admin}, nil
	eternal := key("eternal")
	eternal.ExpiresAt = time.Time{}
	odd := key("odd")
	odd.Name = `"; drop table keys; -- 鍵`
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for _, want := range []access.Key{key("plain"), admin, eternal, odd} {
			_, mark := changes(t, s, 0)
			if err := s.CreateKey(t.Context(), want, store.Actor{}); err != nil {
				t.Fatalf("%s: %v", want.ID, err)
			}
			all, next := changes(t, s, mark.Revision)
			if len(all) != 1 || all[0].Key == nil {
				t.Fatalf("%s: got %q, want the key", want.ID, names(all))
			}
			want.CreatedAt = round(want.CreatedAt)
			if !want.ExpiresAt.IsZero() {
				want.ExpiresAt = round(want.ExpiresAt)
			}
			if !reflect.DeepEqual(*all[0].Key, want) {
				t.Errorf("%s: got\n%+v, want\n%+v", want.ID, *all[0].Key, want)
			}
			if next.Revision != mark.Revision+1 || next.PublicRevision != 0 {
				t.Errorf("%s: the mark went from %+v to %+v", want.ID, mark, next)
			}
		}
	})
}

func TestKeyIsRevokedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		if err := s.CreateKey(t.Context(), key("k1"), store.Actor{}); err != nil {
			t.Fatal(err)
		}
		for _, at := range []time.Time{noon, noon.Add(time.Hour)} {
			if err := s.RevokeKey(t.Context(), "k1", at, store.Actor{}); err != nil {
				t.Fatalf("revoke at %v: %v", at, err)
			}
			all, mark := changes(t, s, 1)
			if len(all) != 1 || all[0].Key == nil || !all[0].Key.RevokedAt.Equal(round(noon)) || mark.Revision != 2 {
				t.Errorf("revoked at %v: got %q up to %+v, want k1 revoked at %v, at revision 2", at, names(all), mark, round(noon))
			}
			if r, err := s.Revision(t.Context()); err != nil || r != 2 {
				t.Errorf("revision: got %d, %v; want 2", r, err)
			}
		}
	})
}

func TestKeyThatIsNotThereIsSaidSo(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for _, id := range []string{"k1", "", "k\x00", "k\xff", "%", "'"} {
			var missing *store.KeyNotFoundError
			if err := s.RevokeKey(t.Context(), id, noon, store.Actor{}); !errors.As(err, &missing) || missing.ID != id {
				t.Errorf("revoke %q: got %v, want that there is none", id, err)
			}
		}
		if r, err := s.Revision(t.Context()); err != nil || r != 0 {
			t.Errorf("revision: got %d, %v; want 0", r, err)
		}
	})
}

func TestKeyOfTheSameIDIsRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		if err := s.CreateKey(t.Context(), key("k1"), store.Actor{}); err != nil {
			t.Fatal(err)
		}
		other := key("k1")
		other.Scopes = []access.Scope{access.Admin}
		var away *store.UnavailableError
		if err := s.CreateKey(t.Context(), other, store.Actor{}); err == nil || errors.As(err, &away) {
			t.Errorf("got %v, want a refusal", err)
		}
		all, mark := changes(t, s, 0)
		if len(all) != 1 || all[0].Key.Scopes[0] == access.Admin || mark.Revision != 1 {
			t.Errorf("got %q up to %+v, want the first key as it was", names(all), mark)
		}
	})
}
