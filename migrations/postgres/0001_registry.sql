-- The one row whose lock orders all writes. revision counts every write;
-- public_revision counts those that moved what an anonymous caller sees. clock is the
-- time of the last change of a skill, in microseconds since 1970: it grows with every
-- one, even where the clocks of the machines do not.
create table registry (
    one             boolean primary key default true check (one),
    revision        bigint  not null,
    public_revision bigint  not null,
    clock           bigint not null
);

insert into registry (revision, public_revision, clock) values (0, 0, 0);

create table skills (
    id              text   collate "C" primary key,
    -- The registry's clock at the skill's last change.
    changed_at      bigint not null,
    -- The registry's public revision and clock when what an anonymous caller sees of the
    -- skill last moved; 0 when it never did.
    public_revision bigint not null,
    public_at       bigint not null,
    revision        bigint not null
);

create table versions (
    skill_id     text        collate "C" not null references skills (id),
    -- The version without its build part: what it may be taken by only once.
    version_key  text        collate "C" not null,
    version      text        collate "C" not null,
    access       text        not null,
    status       text        not null,
    -- Why and when it got its status; empty and null while it is as it was published.
    reason       text        not null,
    status_at    timestamptz,
    digest       text        not null,
    published_at timestamptz not null,
    revision     bigint      not null,
    -- The canonical form, byte for byte: jsonb would rewrite it.
    document     bytea       not null,
    constraint versions_pkey primary key (skill_id, version_key)
);

create index versions_revision on versions (revision);

create table keys (
    id          text        collate "C" primary key,
    name        text        not null,
    secret_hash bytea       not null,
    -- JSON arrays of strings.
    scopes      text        not null,
    namespaces  text        not null,
    created_at  timestamptz not null,
    expires_at  timestamptz,
    revoked_at  timestamptz,
    revision    bigint      not null
);

create index keys_revision on keys (revision);
