import { Actor, handler, Persist } from '@cloudflare/actors';

export class Counter extends Actor<unknown> {
  @Persist
  visits = 0;

  constructor(state, env) {
    super(state, env);
    this.storage.migrations = [
      { idMonotonicInc: 1, description: 'notes', sql: 'CREATE TABLE IF NOT EXISTS notes (text TEXT)' },
    ];
  }

  static nameFromRequest(request: Request) {
    return new URL(request.url).searchParams.get('name') ?? 'default';
  }

  async ring(text: string) {
    this.sql`INSERT INTO notes VALUES (${`rang: ${text}`})`;
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    await this.storage.runMigrations();
    if (pathname === '/note') this.sql`INSERT INTO notes VALUES (${'noted'})`;
    if (pathname === '/ring') await this.alarms.schedule(30, 'ring', ['later']);
    this.visits++;
    return Response.json({ visits: this.visits, notes: this.sql`SELECT text FROM notes` });
  }
}

export default handler(Counter);
