import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, inject, test } from "vitest";
import { accessLevels, capabilityTypes, type Descriptor, ExactNumber, filterByCapability, type IndexEntry, ProtocolError, serialize, SkillRegistry } from "../src/index.js";
import { type Behaviour, type Front, frontOf } from "./front.js";
import { startRegistry } from "./server.js";

const url = inject("url");
const key = inject("adminKey");
const admin = new SkillRegistry(url, { key });
const anonymous = new SkillRegistry(url);

/** A namespace that nothing else uses. */
const namespace = () => `com.t${randomUUID().slice(0, 8)}`;

/** A tar in gzip (POSIX.1-1988) with one file. */
function archive(name: string, text: string): Uint8Array {
  const content = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(name);
  header.write("0000644\0", 100);
  header.write(content.length.toString(8).padStart(11, "0"), 124);
  header.write(" ".repeat(8) + "0", 148);
  header.write("ustar\x0000", 257);
  header.write(header.reduce((sum, byte) => sum + byte).toString(8).padStart(6, "0") + "\0", 148);
  return gzipSync(Buffer.concat([header, content, Buffer.alloc(1536 - (content.length % 512))]));
}

function descriptor(id: string, members: Partial<Descriptor> = {}): Descriptor {
  return {
    protocol: { version: "1.0.0" },
    id,
    name: "Test",
    version: "1.0.0",
    capability_type: "api",
    description: "A skill of a test.",
    provider: { name: "Example Corp" },
    endpoint: { url: "https://example.com/invoke" },
    inputs: [],
    output: { type: "object" },
    auth: { type: "none" },
    access: "public",
    ...members,
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) {
    list.push(item);
  }
  return list;
}

/** What a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<ProtocolError> {
  const error: unknown = await call.then(
    () => new Error("the call succeeded"),
    (error: unknown) => error,
  );
  if (!(error instanceof ProtocolError)) {
    throw error;
  }
  return error;
}

describe("publishing and reading", () => {
  test("a version brings its own files, once and for all", async () => {
    const skill = descriptor(`${namespace()}.a`);
    await admin.publish(skill);
    const files = archive("SKILL.md", "---\nname: a\ndescription: A skill of a test.\n---\n");
    const attached = await admin.attachFiles(skill.id, "1.0.0", files);
    expect(attached).toMatchObject({ id: skill.id, version: "1.0.0", files: ["SKILL.md"], created: true });
    expect((await admin.attachFiles(skill.id, "1.0.0", files)).created).toBe(false);
    expect((await anonymous.versions(skill.id))[0]?.files?.digest).toBe(attached.digest);
    const other = archive("SKILL.md", "---\nname: b\ndescription: Another.\n---\n");
    expect(await refusal(admin.attachFiles(skill.id, "1.0.0", other))).toMatchObject({ code: "FILES_EXIST", status: 409 });
    expect(await refusal(admin.attachFiles(skill.id, "2.0.0", files))).toMatchObject({ code: "SKILL_NOT_FOUND", status: 404 });
    expect(await refusal(admin.attachFiles(skill.id, "1.0.0", archive("x", "x")))).toMatchObject({ code: "VALIDATION_ERROR", status: 422 });
  });

  test("a skill that was published comes back as it was, also by its version", async () => {
    const first = descriptor(`${namespace()}.a`, { tags: ["é", "a/b~c"], x_vendor: { null: null } });
    const published = await admin.publish(first);
    expect(published).toMatchObject({ id: first.id, version: "1.0.0", digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), warnings: [], created: true });
    await admin.publish({ ...first, version: "1.1.0" });
    expect((await anonymous.get(first.id)).descriptor).toEqual({ ...first, version: "1.1.0" });
    const { descriptor: again, text } = await anonymous.get(first.id, { version: "1.0.0" });
    expect(again).toEqual(first);
    expect(text).toBe(serialize(first));
    expect((await anonymous.versions(first.id)).map(({ version, access, digest }) => [version, access, digest === published.digest])).toEqual([
      ["1.1.0", "public", false],
      ["1.0.0", "public", true],
    ]);
  });

  test("the same content again is no new publication, other content is refused", async () => {
    const skill = descriptor(`${namespace()}.a`);
    expect((await admin.publish(skill)).created).toBe(true);
    expect((await admin.publish(JSON.stringify(skill, null, 2))).created).toBe(false);
    expect(await refusal(admin.publish({ ...skill, name: "Other" }))).toMatchObject({ code: "VERSION_EXISTS", status: 409, details: { version: "1.0.0" } });
  });

  test("a dry run checks everything and stores nothing", async () => {
    const skill = descriptor(`${namespace()}.a`);
    expect(await admin.publish(skill, { dryRun: true })).toMatchObject({ dry_run: true, created: false });
    expect(await refusal(admin.publish({ ...skill, name: "" }, { dryRun: true }))).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await refusal(admin.get(skill.id))).toMatchObject({ code: "SKILL_NOT_FOUND", status: 404 });
  });

  test("all violations come back with a refusal, and with a report", async () => {
    const bad = { ...descriptor(`${namespace()}.a`), name: "", access: "open", version: "one" };
    const violations = [{ field: "/access" }, { field: "/name" }, { field: "/version" }];
    expect(await refusal(admin.publish(JSON.stringify(bad)))).toMatchObject({ code: "VALIDATION_ERROR", status: 422, details: { violations } });
    expect((await refusal(admin.publish(JSON.stringify(bad)))).message).toMatch(/3 rules.*\/access: expected one of: public, restricted, private, got open/);
    expect(await anonymous.validate(bad)).toMatchObject({ valid: false, violations, warnings: [] });
    expect(await anonymous.validate({ caller: { id: "a", type: "user" }, skill_id: "com.example.a", inputs: {} }, { kind: "invocation-request" })).toMatchObject({ valid: true });
    expect(await refusal(anonymous.validate('{"a":1,"a":2}'))).toMatchObject({ code: "INVALID_JSON", status: 400 });
  });

  test("numbers that JavaScript can't hold are never changed", async () => {
    const skill = descriptor(`${namespace()}.a`);
    const numbers = `"x_big":[12345678901234567890,3.14159265358979323846264338327950288,1.0,1e400,-0]`;
    await admin.publish(`{${numbers},${serialize(skill).slice(1)}`);
    const got = await anonymous.get(skill.id);
    expect(got.text).toContain(numbers);
    expect(serialize(got.descriptor)).toBe(got.text);
    expect((await admin.publish(got.descriptor)).created, "the same content, digit for digit").toBe(false);
    expect(got.descriptor.x_big).toEqual([new ExactNumber("12345678901234567890"), new ExactNumber("3.14159265358979323846264338327950288"), 1, new ExactNumber("1e400"), -0]);
  });
});

describe("the index", () => {
  test("its pages are the whole index, each entry once", async () => {
    const prefix = namespace();
    const ids = Array.from({ length: 7 }, (_, i) => `${prefix}.s${i}`);
    await Promise.all(ids.map((id, i) => admin.publish(descriptor(id, { capability_type: capabilityTypes[i % 4]! }))));
    const own = (entries: IndexEntry[]) => entries.filter(({ id }) => id.startsWith(prefix));
    const whole = own((await anonymous.index()).skills);
    expect(whole.map(({ id }) => id)).toEqual(ids);
    expect(own(await all(anonymous.entries({ pageSize: 2 })))).toEqual(whole);
    expect(own(await all(anonymous.entries({ types: ["task", "plugin"], pageSize: 1 })))).toEqual(whole.filter(({ capability_type: type }) => type === "task" || type === "plugin"));
  });

  test("a search is walked best first", async () => {
    const prefix = namespace();
    const found = async (text: string, query = {}) => (await all(anonymous.search(text, query))).map(({ id }) => id).filter((id) => id.startsWith(prefix));
    await admin.publish(descriptor(`${prefix}.a`, { description: "Mentions zebras.", capability_type: "task" }));
    await admin.publish(descriptor(`${prefix}.b`, { name: "Zebra & Söhne", tags: ["Striped", "a b"] }));
    await admin.publish(descriptor(`${prefix}.c`, { name: "Zebra", access: "private" }));
    expect(await found("zebra", { pageSize: 1 })).toEqual([`${prefix}.b`, `${prefix}.a`]);
    expect(await found("zebra & sohne")).toEqual([`${prefix}.b`]);
    expect(await found("zebra", { types: ["task"] })).toEqual([`${prefix}.a`]);
    expect(await found("", { tags: ["striped", "A B"] })).toEqual([`${prefix}.b`]);
    expect(await found("zebra", { provider: "nobody" })).toEqual([]);
    expect((await all(admin.search(`${prefix}.c`)))[0]?.id).toBe(`${prefix}.c`);
  });

  test("a walk may be left at any time", async () => {
    await admin.publish(descriptor(`${namespace()}.a`));
    for await (const entry of anonymous.entries({ pageSize: 1 })) {
      expect(entry.access).not.toBe("private");
      break;
    }
  });

  const skills = fc.array(fc.record({ access: fc.constantFrom(...accessLevels), capability_type: fc.constantFrom(...capabilityTypes) }), { minLength: 1, maxLength: 4 });

  test("Feature: skill-sharing-protocol, Property 6: the unauthenticated index holds all the skills that are not private, and no private one", async () => {
    await fc.assert(
      fc.asyncProperty(skills, async (list) => {
        const prefix = namespace();
        await Promise.all(list.map((members, i) => admin.publish(descriptor(`${prefix}.s${i}`, members))));
        const seen = async (registry: SkillRegistry) => (await registry.index()).skills.filter(({ id }) => id.startsWith(prefix)).map(({ access }) => access);
        expect(await seen(anonymous)).toEqual(list.map(({ access }) => access).filter((access) => access !== "private"));
        expect(await seen(admin)).toEqual(list.map(({ access }) => access));
      }),
      { numRuns: 100 },
    );
  });

  test("Feature: skill-sharing-protocol, Property 7: filtering by capability type returns exactly the matching skills", async () => {
    await fc.assert(
      fc.asyncProperty(skills, fc.subarray([...capabilityTypes], { minLength: 1 }), async (list, types) => {
        const prefix = namespace();
        await Promise.all(list.map((members, i) => admin.publish(descriptor(`${prefix}.s${i}`, members))));
        const own = (entries: IndexEntry[]) => entries.filter(({ id }) => id.startsWith(prefix));
        const filtered = own((await admin.index({ types })).skills);
        expect(filtered.map(({ capability_type: type }) => type)).toEqual(list.map(({ capability_type: type }) => type).filter((type) => types.includes(type)));
        expect(filtered).toEqual(own(filterByCapability(await admin.index(), ...types).skills));
      }),
      { numRuns: 100 },
    );
  });
});

describe("keys", () => {
  test("a key publishes in its namespace until it is revoked", async () => {
    const prefix = namespace();
    const made = await admin.createKey({ name: "test", scopes: ["publish"], namespaces: [prefix] });
    const publisher = new SkillRegistry(url, { key: made.key });
    await publisher.publish(descriptor(`${prefix}.a`, { access: "private" }));
    expect((await publisher.get(`${prefix}.a`)).descriptor.access).toBe("private");
    expect(await refusal(anonymous.get(`${prefix}.a`))).toMatchObject({ code: "SKILL_NOT_FOUND" });
    expect(await refusal(publisher.publish(descriptor(`${namespace()}.a`)))).toMatchObject({ code: "PERMISSION_DENIED", status: 403 });
    expect(await refusal(publisher.listKeys())).toMatchObject({ code: "PERMISSION_DENIED" });
    const listed = (await admin.listKeys()).find(({ id }) => id === made.id);
    expect(listed).toMatchObject({ name: "test", scopes: ["publish"], namespaces: [prefix] });
    expect(JSON.stringify(listed)).not.toContain(made.key);
    await admin.revokeKey(made.id);
    await admin.revokeKey(made.id);
    expect(await refusal(publisher.get(`${prefix}.a`))).toMatchObject({ code: "AUTH_REQUIRED", status: 401 });
  });

  test("without a key nothing is published, and an unknown key is refused", async () => {
    expect(await refusal(anonymous.publish(descriptor(`${namespace()}.a`)))).toMatchObject({ code: "AUTH_REQUIRED", requestId: expect.any(String) });
    expect(await refusal(new SkillRegistry(url, { key: "skr_nonsense" }).index())).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(await refusal(admin.revokeKey("nonsense"))).toMatchObject({ code: "KEY_NOT_FOUND", status: 404 });
  });

  test("a key that could break a header is refused, and not shown", () => {
    const bad = "secret\nX-Other: 1";
    expect(() => new SkillRegistry(url, { key: bad })).toThrow(TypeError);
    expect(() => new SkillRegistry(url, { key: bad })).not.toThrow("secret");
  });
});

describe("what was read before", () => {
  /** A client that tells the statuses of the answers it gets. */
  function watched(options: { key?: string; remember?: number } = {}): { registry: SkillRegistry; statuses: number[] } {
    const statuses: number[] = [];
    const watching: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      statuses.push(answer.status);
      return answer;
    };
    return { registry: new SkillRegistry(url, { ...options, fetch: watching }), statuses };
  }

  test("is not sent again while it is current", async () => {
    const skill = descriptor(`${namespace()}.a`);
    await admin.publish(skill);
    const { registry, statuses } = watched();
    const first = await registry.get(skill.id);
    expect(await registry.get(skill.id)).toEqual(first);
    await admin.publish({ ...skill, version: "2.0.0" });
    expect((await registry.get(skill.id)).descriptor.version).toBe("2.0.0");
    expect(statuses).toEqual([200, 304, 200]);
  });

  test("is a copy of its own for each caller", async () => {
    const skill = descriptor(`${namespace()}.a`);
    await admin.publish(skill);
    const { registry } = watched();
    (await registry.get(skill.id)).descriptor.name = "changed";
    expect((await registry.get(skill.id)).descriptor.name).toBe(skill.name);
  });

  test("is not remembered where the registry forbids it, or the caller", async () => {
    const skill = descriptor(`${namespace()}.a`);
    await admin.publish(skill);
    for (const options of [{ key }, { remember: 0 }]) {
      const { registry, statuses } = watched(options);
      await registry.get(skill.id);
      await registry.get(skill.id);
      expect(statuses).toEqual([200, 200]);
    }
  });
});

describe("when things go wrong", () => {
  const fronts: Front[] = [];
  afterEach(() => fronts.splice(0).forEach((front) => front.close()));

  async function behind(behave: (n: number) => Behaviour): Promise<Front> {
    const front = await frontOf(url, behave);
    fronts.push(front);
    return front;
  }

  const unavailable: Behaviour = {
    status: 503,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ error: { code: "ENDPOINT_UNREACHABLE", message: "Away.", retry: { suggested_delay_ms: 1, max_attempts: 3 } } }),
  };

  test("what may be sent twice is sent again", async () => {
    const skill = descriptor(`${namespace()}.a`);
    const broken: Behaviour[] = ["drop", unavailable, "lose the answer"];
    const front = await behind((n) => broken[n - 1] ?? "pass");
    const published = await new SkillRegistry(front.url, { key }).publish(skill);
    expect(published.created, "the answer that was lost had stored it").toBe(false);
    expect(front.requests()).toBe(4);
  });

  test("what may not be sent twice is not", async () => {
    const name = randomUUID();
    const front = await behind((n) => (n === 1 ? "lose the answer" : "pass"));
    const error = await refusal(new SkillRegistry(front.url, { key }).createKey({ name, scopes: ["read"], namespaces: ["com.example"] }));
    expect(error).toMatchObject({ code: "ENDPOINT_UNREACHABLE", status: undefined, cause: expect.any(Error) });
    expect(front.requests()).toBe(1);
    expect((await admin.listKeys()).filter((one) => one.name === name)).toHaveLength(1);
  });

  test("no more attempts are made than allowed, and the last answer is what is thrown", async () => {
    const front = await behind(() => unavailable);
    const error = await refusal(new SkillRegistry(front.url, { attempts: 2 }).index());
    expect(error).toMatchObject({ code: "ENDPOINT_UNREACHABLE", status: 503, retry: { suggested_delay_ms: 1, max_attempts: 3 } });
    expect(front.requests()).toBe(2);
  });

  test("a registry that asks to wait for too long is not waited for", async () => {
    const front = await behind(() => ({ status: 429, headers: { "Retry-After": "3600" }, body: JSON.stringify({ error: { code: "RATE_LIMITED", message: "Later." } }) }));
    expect(await refusal(new SkillRegistry(front.url).index())).toMatchObject({ code: "RATE_LIMITED", retry: { suggested_delay_ms: 3_600_000 } });
    expect(front.requests()).toBe(1);
  });

  test("too many requests are sent again later, whatever they are", async () => {
    const limited = await startRegistry({ SKILLREGISTRY_RATE_LIMIT: "1" });
    try {
      const once = new SkillRegistry(limited.url, { key, attempts: 1 });
      const errors = await Promise.all(Array.from({ length: 40 }, () => once.validate({}).catch((error: unknown) => error)));
      expect(errors.find((error) => error instanceof ProtocolError)).toMatchObject({ code: "RATE_LIMITED", status: 429, retry: { suggested_delay_ms: expect.any(Number) } });
      expect((await new SkillRegistry(limited.url, { key, attempts: 10 }).createKey({ name: "a", scopes: ["admin"] })).id).not.toBe("");
    } finally {
      await limited.stop();
    }
  });

  test("a registry that comes back is met again", async () => {
    const own = await startRegistry();
    try {
      const registry = new SkillRegistry(own.url, { key, attempts: 10 });
      await registry.publish(descriptor("com.example.a"));
      const restarted = own.restart();
      const [skill] = await Promise.all([registry.get("com.example.a"), restarted]);
      expect(skill.descriptor.id).toBe("com.example.a");
      await own.stop();
      expect(await refusal(new SkillRegistry(own.url, { attempts: 1 }).index())).toMatchObject({ code: "ENDPOINT_UNREACHABLE", message: expect.stringContaining(own.url) });
    } finally {
      await own.stop().catch(() => undefined);
    }
  });

  test("a caller ends a request that hangs, a pause, and a walk", async () => {
    const hanging = await behind(() => "hang");
    const pausing = await behind(() => ({ ...(unavailable as object), body: JSON.stringify({ error: { code: "A", message: "a", retry: { suggested_delay_ms: 20_000, max_attempts: 3 } } }) }) as Behaviour);
    const reason = new Error("enough");
    for (const front of [hanging, pausing]) {
      const stop = new AbortController();
      const registry = new SkillRegistry(front.url, { key });
      const calls = [registry.index(stop), registry.get("com.example.a", stop), registry.publish("{}", stop), all(registry.entries(stop)), registry.validate("{}", stop)];
      const begun = performance.now();
      while (front.requests() < calls.length) {
        await sleep(10);
      }
      setTimeout(() => stop.abort(reason), 500); // by now they hang, or pause
      expect(await Promise.all(calls.map((call) => call.catch((error: unknown) => error)))).toEqual(calls.map(() => reason));
      expect(performance.now() - begun, "milliseconds").toBeLessThan(15_000);
    }
    const before = hanging.requests();
    await expect(new SkillRegistry(hanging.url).versions("com.example.a", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(hanging.requests()).toBe(before);
  });

  test("an attempt has its time", async () => {
    const front = await behind((n) => (n === 1 ? "hang" : "pass"));
    expect((await new SkillRegistry(front.url, { timeoutMs: 2_000 }).index()).skills).toEqual(expect.any(Array));
    expect(front.requests()).toBeGreaterThan(1);
  });

  test.each<[string, Behaviour]>([
    ["a page for people", { status: 200, headers: { "Content-Type": "text/html" }, body: "<html></html>" }],
    ["an index that is none", { status: 200, body: '{"protocol":{"version":"1.0.0"},"provider":{"name":"P"},"skills":[{}]}' }],
    ["an error of another form", { status: 404, body: '{"message":"no"}' }],
    ["another address", { status: 302, headers: { Location: "http://192.0.2.1/" }, body: "" }],
    ["too much", { status: 200, body: `"${"x".repeat(2_000)}"` }],
    ["what is not UTF-8", { status: 200, body: Buffer.from([0xff]).toString("latin1") + "\ud800" }],
  ])("%s is not taken for an answer", async (_, behaviour) => {
    const front = await behind(() => behaviour);
    const registry = new SkillRegistry(front.url, { maxResponse: 1_000 });
    const status = (behaviour as { status: number }).status;
    expect(await refusal(registry.index())).toMatchObject({ code: "UNEXPECTED_ANSWER", status });
    expect(front.requests()).toBe(1);
  });

  test("a registry of another protocol MAJOR is incompatible", async () => {
    const front = await behind(() => ({ status: 200, body: '{"protocol":{"version":"2.0.0"}}' }));
    expect(await refusal(new SkillRegistry(front.url).index())).toMatchObject({ code: "VERSION_INCOMPATIBLE", details: { descriptor_version: "2.0.0" } });
  });

  test("a page that leads to itself ends the walk", async () => {
    const page = { status: 200, headers: { Link: '<https://other.example/?cursor=a>; rel="next"' }, body: '{"protocol":{"version":"1.0.0"},"provider":{"name":"P"},"skills":[]}' };
    const front = await behind(() => page);
    expect(await refusal(all(new SkillRegistry(front.url).entries()))).toMatchObject({ code: "UNEXPECTED_ANSWER" });
    expect(front.requests()).toBe(2);
  });

  test.each(["", ".", ".."])("%j leads to no other path", async (id) => {
    await expect(anonymous.get(id)).rejects.toThrow(TypeError);
    await expect(anonymous.get("com.example.a", { version: id })).rejects.toThrow(TypeError);
  });

  test("an id is no path", async () => {
    expect(await refusal(anonymous.get("a/../../keys?x"))).toMatchObject({ status: 404 });
  });

  test.each(["", "nowhere", "ftp://example.com", "https://user:secret@example.com", "https://example.com?a=b", "https://example.com#a"])("%j is not the address of a registry", (address) => {
    expect(() => new SkillRegistry(address)).toThrow(TypeError);
  });

  test("the address may have a path, and a slash at its end", () => {
    expect(new SkillRegistry("https://example.com/skills/").baseURL).toBe("https://example.com/skills");
  });
});
