package client

import (
	"net/http"
	"testing"
	"time"
)

// Whatever stands at the other end may answer anything.
func FuzzAnswers(f *testing.F) {
	f.Add(503, "2", `<https://skills.example.com/.well-known/skills?limit=1&cursor=a>; rel="next"`, `{"error":{"code":"A","message":"b","details":{"violations":[{"field":"/a"}]},"retry":{"suggested_delay_ms":9223372036854775807}}}`)
	f.Add(200, "Wed, 21 Oct 2099 07:28:00 GMT", `<>; rel=next, <a,b>; rel="prev"; rel="next"`, `{"skills":[null,1,{"id":"a"}]}`)
	f.Add(0, "-1", "<<<>>>;;;,,", `{"error":null}`)
	f.Fuzz(func(t *testing.T, status int, retry, link, body string) {
		answer := &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {retry}, "Location": {link}}}
		e := answerError(answer, []byte(body), time.Unix(0, 0))
		if e.RetryAfter < 0 || e.Message == "" && e.Code == "" || e.Error() == "" {
			t.Errorf("got the error %+v", e)
		}
		_ = nextCursor([]string{link})
	})
}
