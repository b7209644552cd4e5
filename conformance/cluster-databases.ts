import { PostgresServer } from '../test/cluster/postgres-server.ts';

/** A database for each directory that a server is started on, so that one that is started again finds its own. */
export class ClusterDatabases {
  readonly #server: PostgresServer;
  readonly #urls = new Map<string, string>();

  private constructor(server: PostgresServer) {
    this.#server = server;
  }

  static async start(): Promise<ClusterDatabases> {
    return new ClusterDatabases(await PostgresServer.start());
  }

  async databaseOf(directory: string): Promise<string> {
    const url = this.#urls.get(directory) ?? (await this.#server.createDatabase());
    this.#urls.set(directory, url);
    return url;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}
