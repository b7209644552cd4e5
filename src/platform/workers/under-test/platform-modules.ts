/**
 * The modules of the platform for code that is not loaded by the loader of Workers: the names of their exports, and the
 * values.
 */
import { NonRetryableError } from '#bindings';
import { EmailMessage } from '../modules/cloudflare-email.ts';
import { connect } from '../modules/cloudflare-sockets.ts';
import * as workers from '../modules/cloudflare-workers.ts';
import type { PlatformModule } from '../modules/platform-registry.ts';

const shared: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'cloudflare:email': { EmailMessage },
  'cloudflare:sockets': { connect },
  'cloudflare:workers': workers,
  'cloudflare:workflows': { NonRetryableError },
};

const ofWorker = ['env', 'exports', 'waitUntil', 'withEnv', 'withExports', 'withEnvAndExports'] as const;

/** The names that each module exports. */
export const platformModuleNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(shared).map(([name, exported]) => [
    name,
    name === 'cloudflare:workers' ? [...Object.keys(exported), ...ofWorker] : Object.keys(exported),
  ]),
);

/** The exports of each module, for the code of one Worker. */
export function createPlatformModules(
  platform: PlatformModule,
): Record<string, Readonly<Record<string, unknown>>> {
  return { ...shared, 'cloudflare:workers': { ...workers, ...platform } };
}
