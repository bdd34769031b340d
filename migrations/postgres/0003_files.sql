-- The files that a version brings. They never change, and go when the version does.
create table files (
    skill_id    text  collate "C" not null,
    version_key text  collate "C" not null,
    -- sha256: over the archive.
    digest      text  not null,
    -- A JSON array of strings, sorted.
    names       text  not null,
    -- What SKILL.md says that the skill does.
    description text  not null,
    archive     bytea not null,
    constraint files_pkey primary key (skill_id, version_key),
    constraint files_version_fkey foreign key (skill_id, version_key) references versions (skill_id, version_key)
);

-- It is compressed already, or is not to be.
alter table files alter column archive set storage external;
