package protocol

// checkRules adds the violations of the rules that the schema can't say.
func checkRules(kind Kind, document map[string]any, found *findings) {}

func warnings(kind Kind, document map[string]any) []Warning { return nil }
