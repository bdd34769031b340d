// Package agentskills writes a skill as an Agent Skill (agentskills.io): a folder with a
// SKILL.md, which agents that know nothing of descriptors install and read.
//
// All that it makes is a pure function of a descriptor: every replica has the same bytes,
// and what one skill is called tells nothing of another. It knows documents only.
package agentskills
