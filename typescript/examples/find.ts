// Finds a skill in a registry and prints where it is invoked.
import { ProtocolError, SkillRegistry } from "@skillregistry/protocol";

const [address = "http://127.0.0.1:8080", word = "forecast"] = process.argv.slice(2);
const registry = new SkillRegistry(address);

try {
  for await (const entry of registry.entries({ types: ["api", "knowledge"] })) {
    if (!`${entry.name} ${entry.description}`.toLowerCase().includes(word.toLowerCase())) continue;
    const { descriptor } = await registry.get(entry.id, { version: entry.version });
    const { endpoint, auth } = descriptor;
    console.log(`${descriptor.id} ${descriptor.version}: ${endpoint.method ?? "POST"} ${endpoint.url}`);
    if (auth.type === "oauth2") console.log(`  get a token from ${auth.oauth2.token_url}`);
  }
} catch (error) {
  if (!(error instanceof ProtocolError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
