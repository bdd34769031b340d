package protocol

import "slices"

// Index is a Skill Index: what a registry answers at the well-known address.
type Index struct {
	Protocol ProtocolVersion `json:"protocol"`
	Provider Provider        `json:"provider"`
	Skills   []IndexEntry    `json:"skills"`
}

// IndexEntry is what an index says of one skill. All of its members are required.
type IndexEntry struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	CapabilityType CapabilityType `json:"capability_type"`
	Description    string         `json:"description"`
	DescriptorURL  string         `json:"descriptor_url"`
	Access         Access         `json:"access"`
	Version        string         `json:"version"`
}

// Entry returns the index entry of d, whose descriptor is served at descriptorURL.
func (d Descriptor) Entry(descriptorURL string) IndexEntry {
	return IndexEntry{
		ID:             d.ID,
		Name:           d.Name,
		CapabilityType: d.CapabilityType,
		Description:    d.Description,
		DescriptorURL:  descriptorURL,
		Access:         d.Access,
		Version:        d.Version,
	}
}

// Filter returns i with exactly those entries whose capability type is one of types, in
// the same order. i itself is not changed.
func (i Index) Filter(types ...CapabilityType) Index {
	skills := make([]IndexEntry, 0, len(i.Skills))
	for _, entry := range i.Skills {
		if slices.Contains(types, entry.CapabilityType) {
			skills = append(skills, entry)
		}
	}
	i.Skills = skills
	return i
}
