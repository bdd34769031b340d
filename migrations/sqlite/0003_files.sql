-- The files that a version brings. They never change, and go when the version does.
create table files (
    skill_id    text not null,
    version_key text not null,
    -- sha256: over the archive.
    digest      text not null,
    -- A JSON array of strings, sorted.
    names       text not null,
    -- What SKILL.md says that the skill does.
    description text not null,
    -- Last, so that reading the others does not touch it.
    archive     blob not null,
    primary key (skill_id, version_key),
    foreign key (skill_id, version_key) references versions (skill_id, version_key)
) strict;
