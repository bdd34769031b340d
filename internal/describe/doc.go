// Package describe makes Skill Descriptors of documents that describe callable things in
// other forms: an OpenAPI document, the server.json of an MCP registry, an A2A agent card, a
// folder with a SKILL.md.
//
// What a descriptor has no place for is left out and told as a Loss, and never made up:
// where a document does not say what a descriptor needs, and the caller's Options do not
// either, there is an error or a Loss instead. Every descriptor that comes out has passed
// protocol.Parse.
//
// It reads the bytes that it is given and nothing else: references to files and URLs are
// not followed. It knows nothing of callers, storage or HTTP.
package describe
