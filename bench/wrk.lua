-- One line for the bench; times in microseconds.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("bench %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
