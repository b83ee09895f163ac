package jinja

import (
	"context"
	_ "embed"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// The oracle is Python's datetime: testdata/gen_dates.py made the file.
//
//go:embed testdata/dates.json
var datesJSON []byte

func TestDatesAsPythons(t *testing.T) {
	var cases []struct{ Time, Format, Text string }
	require.NoError(t, json.Unmarshal(datesJSON, &cases))
	require.Greater(t, len(cases), 300)
	template, err := Parse("{{ strftime_now(f) }}")
	require.NoError(t, err)
	for _, c := range cases {
		at, err := time.Parse("2006-01-02T15:04:05.999999", c.Time)
		require.NoError(t, err)
		text, err := template.Render(context.Background(), Map{{"strftime_now", Clock(at)}, {"f", c.Format}}, enough)
		require.NoError(t, err, c.Format)
		require.Equal(t, c.Text, text, "%s of %s", c.Format, c.Time)
	}
}

func TestDatesThatAreRefused(t *testing.T) {
	for _, source := range []string{
		"{{ strftime_now() }}", "{{ strftime_now(1) }}", "{{ strftime_now('%') }}", "{{ strftime_now('%-') }}", "{{ strftime_now('%s') }}",
		"{{ strftime_now('%Q') }}", "{{ strftime_now('%-Y') }}", "{{ strftime_now('%E') }}", "{{ strftime_now('%Ey') }}", "{{ strftime_now('%é') }}", "{{ strftime_now('%Y', 1) }}",
	} {
		template, err := Parse(source)
		require.NoError(t, err, source)
		_, err = template.Render(context.Background(), Map{{"strftime_now", Clock(time.Now())}}, enough)
		require.Equal(t, CodeRender, errs.CodeOf(err), source)
	}
}
