package main

import "testing"

func TestPositionsCountAsEditorsDo(t *testing.T) {
	t.Parallel()
	const text = "{\r\n\t\"é\": \"😀\",\n\xff\"b\"\n"
	for offset, want := range map[int64]position{
		-1: {1, 1}, 0: {1, 1}, 3: {2, 1}, 4: {2, 2}, 7: {2, 4}, 10: {2, 7}, 15: {2, 10}, 18: {3, 1}, 19: {3, 2}, 23: {4, 1}, 99: {4, 1},
	} {
		if got := positionsAt([]byte(text), []int64{99, offset})[1]; got != want {
			t.Errorf("behind byte %d of %q: got %v, want %v", offset, text, got, want)
		}
	}
}
