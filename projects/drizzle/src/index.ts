import { DurableObject } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle, type DrizzleSqliteDODatabase } from 'drizzle-orm/durable-sqlite';
import { migrate } from 'drizzle-orm/durable-sqlite/migrator';
import migrations from '../drizzle/migrations';
import { todos } from './schema';

export class Todos extends DurableObject {
  db: DrizzleSqliteDODatabase;

  constructor(ctx, env) {
    super(ctx, env);
    this.db = drizzle(ctx.storage, { logger: false });
    ctx.blockConcurrencyWhile(async () => migrate(this.db, migrations));
  }

  async add(title: string) {
    return await this.db.insert(todos).values({ title }).returning();
  }

  async finish(id: number) {
    await this.db.transaction(async (tx) => {
      await tx.update(todos).set({ done: true }).where(eq(todos.id, id));
    });
    return await this.db.select().from(todos);
  }
}

export default {
  async fetch(request: Request, env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const list = env.TODOS.getByName('home');
    if (pathname === '/add') return Response.json(await list.add(searchParams.get('title')));
    return Response.json(await list.finish(Number(searchParams.get('id'))));
  },
};
