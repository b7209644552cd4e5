/** The shared settings of the kill loops of `npm run verify -- kills:deploy`. */
import type { TestContext } from 'node:test';
import { PostgresServer } from '../cluster/postgres-server.ts';
import { temporary } from '../server/gatehouse.ts';
import { UploadSite } from './upload-site.ts';

export const kills = Number(process.env['GATEHOUSE_KILLS'] ?? 20);

/** Whether a host of a cluster is killed, with a separate PostgreSQL. */
export const isClustered = process.argv.includes('--cluster');

export async function createEnvironment(t: TestContext): Promise<Record<string, string>> {
  if (!isClustered) return {};
  const postgres = await PostgresServer.start();
  t.after(() => postgres.stop());
  return { GATEHOUSE_CLUSTER: await postgres.createDatabase() };
}

/** A server that is killed, and restarted on the same data. */
export class KilledSite {
  readonly directory: string;
  readonly #start: () => Promise<UploadSite>;
  site: UploadSite;

  private constructor(directory: string, start: () => Promise<UploadSite>, site: UploadSite) {
    this.directory = directory;
    this.#start = start;
    this.site = site;
  }

  static async start(t: TestContext): Promise<KilledSite> {
    const directory = temporary(t);
    const environment = await createEnvironment(t);
    let token: string | undefined;
    const start = async (): Promise<UploadSite> => {
      const started = await UploadSite.start(t, { directory, environment, token });
      if (isClustered) token = started.ready.token;
      return started;
    };
    return new KilledSite(directory, start, await start());
  }

  async kill(): Promise<void> {
    this.site.server.process.kill('SIGKILL');
    await this.site.server.exited;
  }

  async restart(): Promise<void> {
    this.site = await this.#start();
  }
}
