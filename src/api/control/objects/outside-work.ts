/**
 * The work of the account's object with external servers: sending notifications, and fetching the sources of lists. The
 * object lives on one host of a cluster, so each is done once. Work runs outside of transactions, and its result is
 * written in one; work that a dying process left unfinished is found and done again.
 */
import { deliverAlert } from '../notifications/deliver-alert.ts';
import { alertTask } from '../notifications/raise-alert.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import type { Context, Tasks } from '../context/handler.ts';
import { alertsAtOnceMax, listItemsMax } from '../context/limits.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type FetchedSource, fetchSource } from '../list-sources/fetch-source.ts';
import { takeItems } from '../list-sources/take-items.ts';
import { sourceTask } from '../operations/lists/list-source-handlers.ts';
import {
  findNextDue,
  listDue,
  noteAttempt,
  type NotificationRow,
  openWebhookSecret,
  webhookTable,
} from '../stores/notifications.ts';
import { findNextSourceDue, listDueSources, type ListSource } from '../stores/lists/list-sources.ts';
import { ListStore } from '../stores/lists/list-store.ts';

/** Started work is checked again after this, in case the process has died. */
const resumeMs = 60_000;

/** The work itself follows the alarm that runs these tasks. */
export const outsideTasks: Tasks<Context> = {
  [alertTask]({ sql, schedule, nowMs }) {
    if (findNextDue(sql) !== undefined) schedule(alertTask, { dueMs: nowMs + resumeMs });
  },
  [sourceTask]({ sql, schedule, nowMs }) {
    if (findNextSourceDue(sql) !== undefined) schedule(sourceTask, { dueMs: nowMs + resumeMs });
  },
};

interface OutsideParts {
  readonly env: ControlEnvironment;
  readonly sql: Sql;
  readonly findAccountId: () => string;
  /** Runs in a transaction that counts as a change. */
  readonly perform: (operation: string, work: (context: Context) => void) => void;
  /** Runs in a transaction that does not count as a change. */
  readonly note: (work: () => void) => void;
}

export class OutsideWork {
  readonly #parts: OutsideParts;
  #delivering: Promise<void> | undefined;
  #fetching: Promise<void> | undefined;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  /** Does the work that is due. */
  async work(): Promise<void> {
    this.#delivering ??= this.#deliverAlerts().finally(() => (this.#delivering = undefined));
    this.#fetching ??= this.#fetchLists().finally(() => (this.#fetching = undefined));
    await Promise.all([this.#delivering, this.#fetching]);
  }

  /** A notification that is not accepted is retried later, for a day. */
  async #deliverAlerts(): Promise<void> {
    const { sql, note, perform } = this.#parts;
    let hasTried = false;
    for (let due = listDue(sql, Date.now(), alertsAtOnceMax); due.length > 0;) {
      hasTried = true;
      const results = await Promise.allSettled(due.map(async (row) => this.#deliverAlert(row)));
      note(() => {
        for (const [index, row] of due.entries()) noteAttempt(sql, row, results[index]!, Date.now());
      });
      due = listDue(sql, Date.now(), alertsAtOnceMax);
    }
    const nextMs = findNextDue(sql);
    if (!hasTried || nextMs === undefined) return;
    perform(alertTask, ({ schedule }) => schedule(alertTask, { dueMs: nextMs }));
  }

  #deliverAlert(row: NotificationRow): Promise<void> {
    const { env, sql, findAccountId } = this.#parts;
    const webhook = row.kind === 'webhook' ? webhookTable.get(sql, row.target) : undefined;
    const secret = webhook && openWebhookSecret(env.keySealer, webhook);
    return deliverAlert(row, { accountId: findAccountId(), url: webhook?.url, secret }, env.outbound);
  }

  /** If a source fails, its list does not change. */
  async #fetchLists(): Promise<void> {
    const { sql, perform } = this.#parts;
    const due = listDueSources(sql, Date.now());
    if (due.length === 0) return;
    const results = await Promise.allSettled(due.map((source) => this.#fetchList(source)));
    perform(sourceTask, (context) => {
      for (const [index, source] of due.entries()) takeItems(context, source, results[index]!);
      const nextMs = findNextSourceDue(sql);
      if (nextMs !== undefined) context.schedule(sourceTask, { dueMs: nextMs });
    });
  }

  async #fetchList(source: ListSource): Promise<FetchedSource> {
    const { env, sql } = this.#parts;
    const { kind } = new ListStore(sql).get(source.id)!;
    const { sealedKey } = source;
    const key = sealedKey === null ? undefined : env.keySealer.open(sealedKey, `list source ${source.id}`);
    return await fetchSource(source, { kind, key, itemsMax: listItemsMax, outbound: env.outbound });
  }
}
