/** Commands that change the data of a running server with several requests. */
import { equal } from 'node:assert/strict';
import { ServeHost } from '../../cluster/serve-host.ts';
import type { KilledCommand, Parts } from '../attempt.ts';
import { createFolder } from '../rig.ts';

let server: Promise<ServeHost> | undefined;
let sites = 0;

async function startServer({ shared }: Parts): Promise<ServeHost> {
  const directory = createFolder(shared);
  return (await ServeHost.start(shared, undefined, undefined, { directory, flags: { 'object-hosts': '1' } }))
    .host;
}

/** For a separate site in each attempt. */
const protect: KilledCommand = {
  decisive: /^request POST \/client\/v0\/zones\/#\/protection/,
  async prepare(parts) {
    server ??= startServer(parts);
    const host = await server;
    const name = `shop-${++sites}.example`;
    const findZones = async (): Promise<Array<{ readonly id: string }>> =>
      await host.insist(`GET /zones?name=${name}`);
    return {
      args: ['protect', name, '--origin', 'http://127.0.0.1:3000', '--plan', 'pro'],
      environment: {
        CLOUDFLARE_API_BASE_URL: host.ready.api,
        CLOUDFLARE_API_TOKEN: host.ready.token!,
      },
      checkKilled: async () => false,
      async checkDone() {
        const [zone, ...more] = await findZones();
        equal(more.length, 0);
        const { origin } = await host.insist(`GET /zones/${zone!.id}/edge`);
        equal(origin.url, 'http://127.0.0.1:3000');
        equal((await host.insist(`GET /zones/${zone!.id}`)).plan.legacy_id, 'pro');
      },
    };
  },
};

export const apiCommands = { protect };
