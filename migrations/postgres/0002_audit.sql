-- How many events there were. Each is numbered under the lock of this row, so that they
-- become visible in the order of their numbers.
alter table registry add column events bigint not null default 0;

-- When the key was last used, to the second; null while it never was. It takes no
-- revision, and may lag by a minute.
alter table keys add column last_used_at timestamptz;

-- Who did what, and who was refused. Nothing in it is a secret.
create table audit (
    number     bigint      primary key,
    at         timestamptz not null,
    -- The id of the key that the request came with, or a word for one that has no id;
    -- empty where there was no valid one.
    actor      text        collate "C" not null,
    address    text        not null,
    request_id text        not null,
    action     text        not null,
    -- What it was done to; empty where it does not apply, or is not known.
    skill_id   text        collate "C" not null,
    version    text        not null,
    status     text        not null,
    key_id     text        collate "C" not null,
    -- The code that a refusal was answered with; empty for what was done.
    code       text        not null,
    -- How many requests it stands for.
    requests   bigint      not null
);

-- Of refusals only the newest are kept: those of keys, and apart from them, those of
-- whoever has none.
create index audit_refused_keys on audit (number) where code <> '' and actor <> '';
create index audit_refused_strangers on audit (number) where code <> '' and actor = '';
