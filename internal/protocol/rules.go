package protocol

import "slices"

// checkRules adds the violations of the rules that the schema can't say. What the schema
// already refuses is passed over.
func checkRules(kind Kind, document map[string]any, found *findings) {
	whole := wholeOf(document)
	switch kind {
	case KindDescriptor:
		inputs := whole.child("inputs")
		checkDistinct(inputs, "name", "a name that no other parameter has", found)
		for i := range inputs.items() {
			checkParameter(inputs.item(i), found)
		}
	case KindIndex:
		checkDistinct(whole.child("skills"), "id", "an id that no other entry has", found)
	}
}

// checkDistinct holds that the items of a list differ in a member that is text. The
// first of several that are the same is no fault.
func checkDistinct(list place, member, expected string, found *findings) {
	seen := make(map[string]bool)
	for i := range list.items() {
		at := list.item(i).child(member)
		text, ok := at.value.(string)
		if !ok {
			continue
		}
		if seen[text] {
			found.add(at, rankRule, expected, showString(text))
		}
		seen[text] = true
	}
}

// checkParameter holds that the values of a parameter definition are of its type, and
// that its default is one of its enum.
func checkParameter(parameter place, found *findings) {
	valueType, _ := parameter.child("type").value.(string)
	if !slices.Contains(valueTypes(), valueType) {
		return
	}
	expected := typeWords([]string{valueType}) + ", because that is the parameter's type"
	enum := parameter.child("enum")
	choice := len(enum.items()) > 0
	for i, value := range enum.items() {
		if !hasType(value, valueType) {
			found.add(enum.item(i), rankType, expected, showTyped(value))
			choice = false // what the default may be is not said
		}
	}
	byDefault := parameter.child("default")
	switch {
	case !byDefault.present:
	case !hasType(byDefault.value, valueType):
		found.add(byDefault, rankType, expected, showTyped(byDefault.value))
	case choice && !slices.ContainsFunc(enum.items(), func(v any) bool { return equalJSON(v, byDefault.value) }):
		found.add(byDefault, rankRule, "one of the values in the parameter's enum", showValue(byDefault.value))
	}
}

// valueTypes are the types of parameters and outputs.
func valueTypes() []string {
	return []string{"string", "number", "integer", "boolean", "object", "array"}
}
