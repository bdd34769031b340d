import type { Attached, Key, KeyRequest, NewKey, Published, Report, Skill, Version } from "./answers.js";
import { type Answer, Connection, type RegistryOptions, unexpected } from "./connection.js";
import { parse, serialize } from "./document.js";
import { ProtocolError } from "./error.js";
import type { CapabilityType, Descriptor, Index, IndexEntry } from "./generated/types.js";
import type { Documents, Kind } from "./kinds.js";
import { readJSON } from "./read.js";
import { writeJSON } from "./write.js";

interface Abortable {
  /** Ends the request, and the waiting between attempts; its reason is what is thrown then. */
  signal?: AbortSignal | undefined;
}

interface IndexQuery extends Abortable {
  /** Only entries of these types; all by default. */
  types?: readonly CapabilityType[] | undefined;
}

interface SearchQuery extends IndexQuery {
  /** Only skills with all of these tags, in whatever case. */
  tags?: readonly string[] | undefined;
  /** Only skills of the provider of this name, in whatever case. */
  provider?: string | undefined;
  /** How many skills are asked for at once, 1 to 100; 20 by default. */
  pageSize?: number | undefined;
}

/**
 * A client of one skill registry.
 *
 *     const registry = new SkillRegistry("https://skills.example.com");
 *     for await (const entry of registry.entries({ types: ["api"] })) { … }
 *
 * What comes back is validated, so that its type is true. Every refusal, and a registry that
 * can't be reached, is a ProtocolError. A request that may be sent twice without harm is sent
 * again, after a pause, when the registry could not be reached or asked for it.
 */
export class SkillRegistry {
  private readonly connection: Connection;

  /** Throws a TypeError when baseURL is no absolute http or https URL. Sends nothing yet. */
  constructor(baseURL: string, options: RegistryOptions = {}) {
    this.connection = new Connection(baseURL, options);
  }

  /** The registry's address, without a slash at its end. */
  get baseURL(): string {
    return this.connection.base;
  }

  /** Returns the whole index: every skill that the caller may discover, in its latest version. */
  async index({ types, signal }: IndexQuery = {}): Promise<Index> {
    const answer = await this.read(indexPath(types), signal);
    return this.document(answer, "index");
  }

  /**
   * Walks the index in the order of the ids, page by page as the caller goes on. A skill that
   * exists throughout the walk is met exactly once, whatever is published meanwhile.
   */
  entries({ types, pageSize = 100, signal }: IndexQuery & { pageSize?: number | undefined } = {}): AsyncGenerator<IndexEntry, void, undefined> {
    const entries = (answer: Answer) => this.document(answer, "index").skills;
    return this.walk((cursor) => indexPath(types, pageSize, cursor), entries, signal);
  }

  /**
   * Walks the skills that have every word of a text, best first, page by page as the caller goes
   * on: in their names, tags, ids, providers, descriptions and inputs, whole or as a beginning, or
   * with a mistake or two in longer words. An empty text finds all that the rest leaves, by id.
   */
  search(text: string, { types = [], tags = [], provider, pageSize = 20, signal }: SearchQuery = {}): AsyncGenerator<IndexEntry, void, undefined> {
    const query = new URLSearchParams([...types.map((type) => ["capability_type", type]), ...tags.map((tag) => ["tag", tag])]);
    query.set("q", text);
    query.set("limit", String(pageSize));
    if (provider !== undefined) {
      query.set("provider", provider);
    }
    const path = (cursor: string | undefined): string => {
      if (cursor !== undefined) {
        query.set("cursor", cursor);
      }
      return `/v1/skills?${query.toString()}`;
    };
    return this.walk(path, (answer) => this.found(answer), signal);
  }

  /**
   * Returns a version of a skill; the latest by default. Throws SKILL_NOT_FOUND for what does
   * not exist or may not be seen, and VERSION_INCOMPATIBLE for a descriptor of another
   * protocol MAJOR.
   */
  async get(id: string, { version, signal }: Abortable & { version?: string | undefined } = {}): Promise<Skill> {
    const path = version === undefined ? skillPath(id) : `${skillPath(id)}/versions/${segment(version)}`;
    const answer = await this.read(path, signal);
    return { descriptor: this.document(answer, "descriptor"), text: answer.text };
  }

  /** Returns all versions of a skill that the caller may see, highest first. */
  async versions(id: string, { signal }: Abortable = {}): Promise<Version[]> {
    const answer = await this.read(`${skillPath(id)}/versions`, signal);
    return members<{ versions: Version[] }>(answer, "versions").versions;
  }

  /**
   * Publishes a descriptor. Text and bytes are sent as they are. Publishing the same content
   * again succeeds and changes nothing. Throws VALIDATION_ERROR with every violation,
   * VERSION_EXISTS when the version is taken by other content, AUTH_REQUIRED and
   * PERMISSION_DENIED when the key does not reach.
   */
  async publish(
    descriptor: Descriptor | string | Uint8Array,
    { dryRun = false, allowBreaking = false, signal }: Abortable & { dryRun?: boolean | undefined; allowBreaking?: boolean | undefined } = {},
  ): Promise<Published> {
    const query = [...(dryRun ? ["dry_run=true"] : []), ...(allowBreaking ? ["allow_breaking=true"] : [])].join("&");
    const answer = await this.connection.do({
      method: "POST",
      path: query === "" ? "/v1/skills" : `/v1/skills?${query}`,
      body: isRaw(descriptor) ? descriptor : serialize(descriptor),
      repeatable: true,
      signal,
    });
    return { ...members<Omit<Published, "created">>(answer, "id", "version", "digest"), created: answer.status === 201 };
  }

  /**
   * Gives a version its own files, once and for all: a tar in gzip with SKILL.md at its root
   * and whatever stands beside it. The same files again succeed and change nothing. Throws
   * VALIDATION_ERROR with every violation, FILES_EXIST when the version has other files, and
   * SKILL_NOT_FOUND when there is no such version.
   */
  async attachFiles(id: string, version: string, archive: Uint8Array, { signal }: Abortable = {}): Promise<Attached> {
    const answer = await this.connection.do({
      method: "POST",
      path: `${skillPath(id)}/versions/${segment(version)}/files`,
      body: archive,
      mediaType: "application/gzip",
      repeatable: true,
      signal,
    });
    return { ...members<Omit<Attached, "created">>(answer, "id", "version", "digest", "files"), created: answer.status === 201 };
  }

  /**
   * Has a document checked by the registry, which stores nothing. A document that breaks rules
   * is a report; one that is not JSON throws INVALID_JSON.
   */
  async validate(
    document: Documents[Kind] | Record<string, unknown> | string | Uint8Array,
    { kind = "descriptor", signal }: Abortable & { kind?: Kind | undefined } = {},
  ): Promise<Report> {
    const answer = await this.connection.do({
      method: "POST",
      path: `/v1/validate?kind=${kind}`,
      body: isRaw(document) ? document : writeJSON(document),
      repeatable: true,
      signal,
    });
    return members<Report>(answer, "valid", "violations", "warnings");
  }

  /** Makes a key. It is not sent again when no answer came: a second try could make a second key. */
  async createKey(request: KeyRequest, { signal }: Abortable = {}): Promise<NewKey> {
    const answer = await this.connection.do({ method: "POST", path: "/v1/keys", body: writeJSON(request), repeatable: false, signal });
    return members<NewKey>(answer, "id", "key");
  }

  /** Returns every key, those that were revoked or have expired included, by the time of their creation. */
  async listKeys({ signal }: Abortable = {}): Promise<Key[]> {
    const answer = await this.read("/v1/keys", signal);
    return members<{ keys: Key[] }>(answer, "keys").keys;
  }

  /** Revokes a key: it is refused everywhere once this returns. Revoking it again does nothing. */
  async revokeKey(id: string, { signal }: Abortable = {}): Promise<void> {
    await this.connection.do({ method: "DELETE", path: `/v1/keys/${segment(id)}`, repeatable: true, signal });
  }

  /** Reads what was found, held to the rules of an index of it. */
  private found(answer: Answer): IndexEntry[] {
    const { skills } = members<{ skills: IndexEntry[] }>(answer, "skills", "total");
    const index = { protocol: { version: "1.0.0" }, provider: { name: this.baseURL }, skills };
    return this.document({ ...answer, text: writeJSON(index) }, "index").skills;
  }

  private async *walk(
    path: (cursor?: string) => string,
    entries: (answer: Answer) => IndexEntry[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<IndexEntry, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const answer = await this.read(path(cursor), signal);
      yield* entries(answer);
      const next = nextCursor(answer.link);
      if (next === undefined) {
        return;
      }
      if (next === cursor) {
        throw unexpected(answer, "it leads from a page to the same page");
      }
      cursor = next;
    }
  }

  private read(path: string, signal: AbortSignal | undefined): Promise<Answer> {
    return this.connection.do({ method: "GET", path, repeatable: true, signal });
  }

  /** Reads an answer that is one of the protocol's documents. */
  private document<K extends Kind>(answer: Answer, kind: K): Documents[K] {
    try {
      return parse(answer.text, kind, { maxValues: Infinity }); // what came is bounded by its size
    } catch (cause) {
      if (cause instanceof ProtocolError && cause.code === "VERSION_INCOMPATIBLE") {
        throw cause;
      }
      throw unexpected(answer, cause instanceof Error ? cause.message : String(cause));
    }
  }
}

function isRaw(document: object | string): document is string | Uint8Array {
  return typeof document === "string" || document instanceof Uint8Array;
}

/** Reads an answer that is an object with at least these members. */
function members<T>(answer: Answer, ...names: string[]): T {
  let value: unknown;
  try {
    value = readJSON(answer.text);
  } catch (cause) {
    throw unexpected(answer, String(cause));
  }
  for (const name of names) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      throw unexpected(answer, `it has no member ${name}`);
    }
  }
  return value as T;
}

function indexPath(types: readonly CapabilityType[] = [], limit?: number, cursor?: string): string {
  const query = new URLSearchParams(types.map((type) => ["capability_type", type]));
  if (limit !== undefined) {
    query.set("limit", String(limit));
  }
  if (cursor !== undefined) {
    query.set("cursor", cursor);
  }
  return query.size === 0 ? "/.well-known/skills" : `/.well-known/skills?${query.toString()}`;
}

function skillPath(id: string): string {
  return `/v1/skills/${segment(id)}`;
}

/** One segment of a path. Neither nothing nor dots are one: they would lead to another path. */
function segment(text: string): string {
  if (/^\.{0,2}$/.test(text)) {
    throw new TypeError(`${JSON.stringify(text)} is neither an id nor a version`);
  }
  return encodeURIComponent(text);
}

/**
 * Finds the cursor of the next page in a Link header (RFC 8288). Only the cursor is taken,
 * never the address: a key must not follow wherever an answer points.
 */
function nextCursor(link: string | null): string | undefined {
  for (const [, target = "", parameters = ""] of (link ?? "").matchAll(/<([^>]*)>([^,<]*)/g)) {
    if (/;\s*rel\s*=\s*"?next"?\s*(;|$)/i.test(parameters.trim())) {
      return new URLSearchParams(target.split("?")[1]).get("cursor") ?? undefined;
    }
  }
  return undefined;
}
