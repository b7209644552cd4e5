import { DurableObject } from 'cloudflare:workers';

/** Books each payment once, however often it arrives, after the documented advice on idempotency keys. */
export class Account extends DurableObject {
  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS payments (key TEXT PRIMARY KEY, amount INTEGER)');
  }

  async pay(key: string, amount: number): Promise<void> {
    this.ctx.storage.sql.exec('INSERT OR IGNORE INTO payments VALUES (?, ?)', key, amount);
  }

  async balance(): Promise<number> {
    const sql = 'SELECT coalesce(sum(amount), 0) AS balance FROM payments';
    return this.ctx.storage.sql.exec<{ balance: number }>(sql).one().balance;
  }
}
