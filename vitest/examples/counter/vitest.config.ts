import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const migrations = await readD1Migrations(`${import.meta.dirname}/migrations`);

export default defineConfig({
  plugins: [
    cloudflareTest(({ inject }) => ({
      wrangler: { configPath: './wrangler.jsonc', environment: 'test' },
      miniflare: {
        compatibilityFlags: ['service_binding_extra_handlers'],
        bindings: { MIGRATIONS: migrations, PROVIDED: inject('greeting') },
        queueConsumers: { jobs: { maxBatchTimeout: 0.05 } },
        serviceBindings: { CLOCK: () => new Response('noon') },
        workers: [
          {
            name: 'greeter',
            modules: true,
            scriptPath: './beside/greeter.js',
            compatibilityDate: '2026-04-01',
            bindings: { WORD: 'Hello' },
            outboundService: (request) => new Response(`outside of ${new URL(request.url).pathname}`),
          },
        ],
      },
    })),
  ],
  test: {
    globalSetup: ['./global-setup.ts'],
    setupFiles: ['./test/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
