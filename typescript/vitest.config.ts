import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: ["tests/setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The machines that run this have two cores.
    maxWorkers: 2,
  },
});
