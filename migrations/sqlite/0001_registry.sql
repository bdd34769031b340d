-- The one row whose lock orders all writes. revision counts every write;
-- public_revision counts those that moved what an anonymous caller sees. clock is the
-- time of the last change of a skill, in microseconds since 1970: it grows with every
-- one, even where the clocks of the machines do not.
create table registry (
    one             integer primary key default 1 check (one = 1),
    revision        integer not null,
    public_revision integer not null,
    clock           integer not null
) strict;

insert into registry (revision, public_revision, clock) values (0, 0, 0);

create table skills (
    id              text    not null primary key,
    -- The registry's clock at the skill's last change.
    changed_at      integer not null,
    -- The registry's public revision and clock when what an anonymous caller sees of the
    -- skill last moved; 0 when it never did.
    public_revision integer not null,
    public_at       integer not null,
    revision        integer not null
) strict;

-- Times are RFC 3339 in UTC with six decimals, so that they sort as text.
create table versions (
    skill_id     text    not null references skills (id),
    -- The version without its build part: what it may be taken by only once.
    version_key  text    not null,
    version      text    not null,
    access       text    not null,
    status       text    not null,
    -- Why and when it got its status; empty and null while it is as it was published.
    reason       text    not null,
    status_at    text,
    digest       text    not null,
    published_at text    not null,
    revision     integer not null,
    -- The canonical form, byte for byte.
    document     blob    not null,
    primary key (skill_id, version_key)
) strict;

create index versions_revision on versions (revision);

create table keys (
    id          text    not null primary key,
    name        text    not null,
    secret_hash blob    not null,
    -- JSON arrays of strings.
    scopes      text    not null,
    namespaces  text    not null,
    created_at  text    not null,
    expires_at  text,
    revoked_at  text,
    revision    integer not null
) strict;

create index keys_revision on keys (revision);
