import { DurableObject } from 'cloudflare:workers';

export interface Todo {
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
  /** When to be reminded, in milliseconds since the epoch; null for never. */
  readonly remindAt: number | null;
  readonly reminded: boolean;
}

interface TodoRow extends Record<string, string | number | null> {
  id: number;
  text: string;
  done: number;
  remind_at: number | null;
  reminded: number;
}

/**
 * A to-do list: the items in SQL, the title in key-value storage, reminders by alarm, and the whole list restorable
 * to any moment of its last 30 days.
 */
export class TodoList extends DurableObject {
  constructor(ctx: DurableObject['ctx'], env: unknown) {
    super(ctx, env);
    ctx.storage.sql.exec(`CREATE TABLE IF NOT EXISTS todos (
      id INTEGER PRIMARY KEY, text TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
      remind_at INTEGER, reminded INTEGER NOT NULL DEFAULT 0)`);
  }

  async read(): Promise<{ title: string; todos: Todo[] }> {
    const title = (await this.ctx.storage.get<string>('title')) ?? 'To do';
    return { title, todos: [...this.#select('1')] };
  }

  async rename(title: string): Promise<void> {
    await this.ctx.storage.put('title', title);
  }

  async add(text: string, remindAt: number | null): Promise<Todo> {
    const insert = 'INSERT INTO todos (text, remind_at) VALUES (?, ?) RETURNING id';
    const { id } = this.ctx.storage.sql.exec<{ id: number }>(insert, text, remindAt).one();
    await this.#setNextAlarm();
    return this.#find(id)!;
  }

  /** Undefined when there is no such item. */
  finish(id: number): Todo | undefined {
    this.ctx.storage.sql.exec('UPDATE todos SET done = 1 WHERE id = ?', id);
    return this.#find(id);
  }

  remove(id: number): boolean {
    return this.ctx.storage.sql.exec('DELETE FROM todos WHERE id = ? RETURNING id', id).toArray().length > 0;
  }

  /** Marks what is due; a real application would send a message here. */
  async alarm(): Promise<void> {
    this.ctx.storage.sql.exec('UPDATE todos SET reminded = 1 WHERE remind_at <= ?', Date.now());
    await this.#setNextAlarm();
  }

  /** Names this moment, or the one at `time`, so that the list can come back to it. */
  bookmark(time: number | undefined): Promise<string> {
    const { storage } = this.ctx;
    return time === undefined ? storage.getCurrentBookmark() : storage.getBookmarkForTime(time);
  }

  /** Restores the list when the object next starts; answers with the bookmark that undoes it. */
  restoreOnRestart(bookmark: string): Promise<string> {
    return this.ctx.storage.onNextSessionRestoreBookmark(bookmark);
  }

  restart(): void {
    this.ctx.abort('restarted');
  }

  async #setNextAlarm(): Promise<void> {
    const query = 'SELECT min(remind_at) AS time FROM todos WHERE reminded = 0 AND done = 0';
    const { time } = this.ctx.storage.sql.exec<{ time: number | null }>(query).one();
    if (time === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(time);
  }

  #find(id: number): Todo | undefined {
    return [...this.#select('id = ?', id)][0];
  }

  *#select(condition: string, ...bindings: unknown[]): Generator<Todo> {
    const query = `SELECT * FROM todos WHERE ${condition} ORDER BY id`;
    for (const row of this.ctx.storage.sql.exec<TodoRow>(query, ...bindings)) {
      const { id, text, done, remind_at: remindAt, reminded } = row;
      yield { id, text, done: done === 1, remindAt, reminded: reminded === 1 };
    }
  }
}
